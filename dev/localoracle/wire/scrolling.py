"""Scrollable cursors: the rows of a query that have been read are kept, and any of them can be sent again.

Call Interface Programmer's Guide, "Scrollable Cursors in OCI": they are read only, as of their execution.
"""

from __future__ import annotations

import pickle
import tempfile
from typing import Any

from localoracle.errors import not_supported
from localoracle.session.result import QueryResult, Result

ROWS_PER_CHUNK = 1000
_MEMORY = 8 << 20
"""Bytes of rows that one cursor may keep in memory before they go to a temporary file."""

FIRST, LAST = 0x04, 0x08
"""Orientations of a fetch; with all others the row's number comes with the request."""


class Scroll:
    """The rows of one execution, by number from 0."""

    def __init__(self, result: Result) -> None:
        self._result = result
        if isinstance(result, QueryResult) and result.row_lobs and result.locked:
            raise not_supported("LOBs of FOR UPDATE in a scrollable cursor")
        self._file = tempfile.SpooledTemporaryFile[bytes](max_size=_MEMORY)
        self._places: list[int] = []
        """Of each chunk of ROWS_PER_CHUNK rows in the file."""
        self._count = 0
        self._ended = False

    async def rows(self, first: int, count: int) -> list[tuple[Any, ...]]:
        """Up to `count` rows from row `first` on; fewer only at the end."""
        while not self._ended and self._count < first + count:
            await self._read()
        rows: list[tuple[Any, ...]] = []
        while len(rows) < count and first + len(rows) < self._count:
            chunk, offset = divmod(first + len(rows), ROWS_PER_CHUNK)
            rows += self._chunk(chunk)[offset : offset + count - len(rows)]
        return rows

    async def count(self) -> int:
        """How many rows there are."""
        while not self._ended:
            await self._read()
        return self._count

    async def _read(self) -> None:
        rows = await self._result.fetch_raw(ROWS_PER_CHUNK)
        self._ended = len(rows) < ROWS_PER_CHUNK
        self._count += len(rows)
        if rows:
            self._places.append(self._file.seek(0, 2))
            pickle.dump(rows, self._file, protocol=pickle.HIGHEST_PROTOCOL)

    def _chunk(self, number: int) -> list[tuple[Any, ...]]:
        self._file.seek(self._places[number])
        rows: list[tuple[Any, ...]] = pickle.load(self._file)
        return rows

    def close(self) -> None:
        self._file.close()
