"""The cursors that a client has open: a statement's text, binds, defines and current result."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from localoracle.errors import OracleError
from localoracle.session.result import Result
from localoracle.values import Column, DataType
from localoracle.wire.dialect import Dialect
from localoracle.wire.scrolling import Scroll
from localoracle.wire.statements import Text

OPEN_CURSORS = 300
"""The default of the parameter."""


@dataclass
class Cursor:
    """One open cursor; `text` is None for a REF CURSOR, which has only a result."""

    number: int
    text: Text | None = None
    binds: list[DataType] = field(default_factory=list)
    directions: list[int] = field(default_factory=list)
    """PL/SQL: of each bind, as the last IO vector said."""
    defines: list[DataType] | None = None
    result: Result | None = None
    described: list[Column] | None = None
    """The columns that the client knows."""
    shown: list[Column] | None = None
    """The same as it was told of them."""
    rows_sent: int = 0
    scroll: Scroll | None = None
    """The rows of a scrollable cursor's last execution."""
    parsed: bool = False
    row_counts: bool = False
    """Whether the last full execution asked for the number of rows of each row of binds: when it is executed
    again, nothing says so."""

    async def close_result(self) -> None:
        """Give back what the last execution holds."""
        if self.scroll is not None:
            self.scroll.close()
        if self.result is not None:
            await self.result.close()
        self.scroll = self.result = None


class Cursors:
    """Cursors by number."""

    def __init__(self, dialect: Dialect, maximum: int = OPEN_CURSORS) -> None:
        """`maximum`: what OPEN_CURSORS allows (numbers are 16 bits wide)."""
        self.dialect = dialect
        self._maximum = maximum
        self._open: dict[int, Cursor] = {}
        self._free: list[int] = []
        self._next = 1

    def new(self, text: Text | None = None) -> Cursor:
        """Raises ORA-01000 when as many as may be are open."""
        if self._free:
            number = heapq.heappop(self._free)
        else:
            number = self._next
            self._next += 1
        if number > self._maximum:
            raise OracleError(1000, "maximum open cursors exceeded")
        cursor = Cursor(number, text)
        self._open[number] = cursor
        return cursor

    def get(self, number: int) -> Cursor:
        cursor = self._open.get(number)
        if cursor is None:
            raise OracleError(1001, "invalid cursor")
        return cursor

    def adopt(self, result: Result) -> Cursor:
        """A cursor for an open result (REF CURSOR)."""
        cursor = self.new()
        cursor.result = result
        cursor.described = result.columns
        return cursor

    def result_of(self, number: int) -> Result | None:
        """The result of a REF CURSOR that the client passes back."""
        return self._open[number].result if number in self._open else None

    async def close(self, number: int) -> None:
        """Forget a cursor; unknown numbers are ignored."""
        cursor = self._open.pop(number, None)
        if cursor is not None:
            heapq.heappush(self._free, number)
            await cursor.close_result()

    async def cancel(self, number: int) -> None:
        """Forget the rows of a cursor that are left; unknown numbers are ignored."""
        cursor = self._open.get(number)
        if cursor is not None and cursor.result is not None:
            await cursor.result.close()
            cursor.result = None

    def __len__(self) -> int:
        return len(self._open)
