"""What a statement leaves: rows that are read on demand, a row count, returned values."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq.abc import PGresult

from localoracle.errors import OracleError
from localoracle.lobs.lob import RowLob
from localoracle.lobs.locators import RowAddress, ValueLob
from localoracle.postgres.backend import ROWS_PER_CHUNK, Backend, Field
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.parameters import loader
from localoracle.postgres.types import LOB_TYPES, TypeMap
from localoracle.session.describing import as_declared
from localoracle.session.last_rows import RowPlace
from localoracle.tasks import undisturbed
from localoracle.values import Column, OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session

LOB_ROWS_PER_CHUNK = 16
PARKED_MEMORY = 8 << 20
"""Bytes of a result that may wait in memory when its connection is needed for another statement."""


class Result:
    """The outcome of one statement; of DML and PL/SQL as it is, of a query see QueryResult.

    `columns` is None unless it is a query. `returned` holds one list of values per RETURNING INTO bind.
    """

    def __init__(
        self,
        *,
        verb: str = "",
        columns: list[Column] | None = None,
        rows: Iterable[tuple[Any, ...]] = (),
        rowcount: int = 0,
        returned: list[list[Any]] | None = None,
    ) -> None:
        self.verb = verb
        self.columns = columns
        self.rowcount = rowcount
        self.returned = returned or []
        self.last_row: RowPlace | None = None
        """DML: the row that was changed last, where that was asked for."""
        self.directions: list[int] = []
        """PL/SQL: the direction of each bind."""
        self.warning = 0
        """Warning flags; see `execution.COMPILED_WITH_ERRORS`."""
        self._rows: list[tuple[Any, ...]] = list(rows)
        self._position = 0
        self.closed = False

    @property
    def exhausted(self) -> bool:
        """Whether it is known that no row is left."""
        return self._position >= len(self._rows)

    async def fetch_raw(self, count: int) -> list[tuple[Any, ...]]:
        """Up to `count` rows as they were loaded: numbers and dates may still be text, LOBs are contents."""
        rows = self._rows[self._position : self._position + count]
        self._position += len(rows)
        return rows

    async def fetch(self, count: int) -> list[tuple[Any, ...]]:
        """Up to `count` rows (fewer only at the end) of Python values as `localoracle.values` lists them."""
        rows = await self.fetch_raw(count)
        loaders = [loader(column.datatype.type, column.datatype.national) for column in self.columns or ()]
        if not any(loaders):
            return rows
        return [
            tuple(_load(function, value) for function, value in zip(loaders, row, strict=True))
            for row in rows
        ]

    async def all(self) -> list[tuple[Any, ...]]:
        """Every row that is left."""
        rows: list[tuple[Any, ...]] = []
        while batch := await self.fetch(ROWS_PER_CHUNK):
            rows.extend(batch)
        return rows

    async def description(self) -> list[Column]:
        """The columns as they are described to a client."""
        return list(self.columns or ())

    async def close(self) -> None:
        """Free what the result holds; rows not fetched are gone."""
        self.closed = True
        self._rows = []


def _load(function: Callable[[Any], Any] | None, value: Any) -> Any:
    return value if value is None or function is None else function(value)


class QueryResult(Result):
    """Rows streamed from PostgreSQL.

    While rows are left it occupies its connection. Another statement on the connection first parks the
    rest of it in a temporary file: memory stays bounded, the rows are those of the query's snapshot.
    """

    def __init__(
        self,
        session: Session,
        backend: Backend,
        types: TypeMap,
        columns: list[Column],
        fields: Sequence[Field] = (),
    ) -> None:
        super().__init__(verb="SELECT", columns=columns)
        self._session = session
        self._fields = fields
        self.backend = backend
        self._transformer = Transformer(types)
        self._first = True
        self._parked: tempfile.SpooledTemporaryFile[bytes] | None = None
        self._failure: OracleError | None = None
        """The error at the end of the parked rows: whoever fetches that far gets it."""
        self._streaming = False
        self.row_lobs: dict[int, str] = {}
        """Output position -> column name, where a locator has to find the row it came from."""
        self.locked = True
        """Whether those rows are: else it is found out when a LOB is to be written."""
        self.hidden = 0
        self.closes_backend = False

    async def description(self) -> list[Column]:
        return await as_declared(self._session.database, self.columns or (), self._fields)

    @property
    def streaming(self) -> bool:
        return self._streaming

    @property
    def exhausted(self) -> bool:
        return super().exhausted and not self._streaming and self._parked is None and self._failure is None

    def start(self, chunk: PGresult | None, *, ended: bool) -> None:
        """Take the first rows; unless `ended`, the connection holds more."""
        self._streaming = not ended
        if chunk is not None:
            self._rows = self._rows_of(chunk)

    def rows_of(self, chunk: PGresult) -> list[tuple[Any, ...]]:
        """All rows of a result that is not streamed."""
        return (
            [self._with_lobs(row) for row in self._rows_of(chunk)] if self.row_lobs else self._rows_of(chunk)
        )

    def _rows_of(self, chunk: PGresult) -> list[tuple[Any, ...]]:
        self._transformer.set_pgresult(chunk, set_loaders=self._first)
        self._first = False
        rows = self._transformer.load_rows(0, chunk.ntuples, tuple)
        if self.hidden:
            rows = [self._own(row) for row in rows]
        return rows

    def _own(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """The row without its hidden columns; LOBs carry where they came from (pickled while parked)."""
        values = list(row[: -self.hidden])
        relation, ctid = int(row[-2]), _tid(row[-1])
        for position, name in self.row_lobs.items():
            if values[position] is not None:
                values[position] = _RowValue(values[position], relation, name, ctid)
        return tuple(values)

    async def fetch_raw(self, count: int) -> list[tuple[Any, ...]]:
        rows = self._take(count)
        while len(rows) < count and await self._more():
            rows += self._take(count - len(rows))
        if self.row_lobs:
            rows = [self._with_lobs(row) for row in rows]
        return rows

    def _take(self, count: int) -> list[tuple[Any, ...]]:
        if self._position == 0 and count >= len(self._rows):
            rows, self._rows = self._rows, []
            return rows
        rows = self._rows[self._position : self._position + count]
        self._position += len(rows)
        return rows

    def _with_lobs(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        assert self.columns is not None
        values = list(row)
        for position in self.row_lobs:
            value = values[position]
            if isinstance(value, _RowValue):
                datatype = self.columns[position].datatype
                values[position] = (
                    RowLob(
                        datatype.type,
                        value.data,
                        relation=value.relation,
                        column=value.column,
                        ctid=value.ctid,
                        national=datatype.national,
                    )
                    if self.locked
                    else ValueLob(
                        datatype.type,
                        value.data,
                        datatype.national,
                        RowAddress(value.relation, value.column, value.ctid),
                    )
                )
        return tuple(values)

    async def _more(self) -> bool:
        """Load the next chunk; False at the end."""
        self._rows, self._position = [], 0
        if self._streaming:
            chunk = await self._chunk()
            if chunk is None:
                return False
            self._rows = self._rows_of(chunk)
            return True
        if self._parked is not None:
            try:
                self._rows = pickle.load(self._parked)
                return True
            except EOFError:
                self._parked.close()
                self._parked = None
        if self._failure is not None:
            failure, self._failure = self._failure, _no_more()
            raise failure
        return False

    async def _chunk(self) -> PGresult | None:
        """The next rows. A query that fails or is cancelled has not ended: further fetches must fail."""
        try:
            chunk = await self.backend.next_chunk()
        except BaseException as error:
            self._streaming, self._failure = False, _no_more()
            self._leave_connection()
            if self.backend is self._session.backend:
                await undisturbed(self._session.transaction.undo_statement())
            else:
                await self.backend.connection.close()
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        if chunk is None:
            self._leave_connection()
            await self._ended()
        return chunk

    def _leave_connection(self) -> None:
        if self._session.streamed is self:
            self._session.streamed = None

    async def _ended(self) -> None:
        self._streaming = False
        if self.closes_backend:
            connection = self.backend.connection
            # From here on it may be another session's.
            self.closes_backend = False
            self._session.flashbacks.discard(connection)
            if self.backend.disturbed:
                await connection.close()
            else:
                await self._session.database.idle.give(connection)

    async def park(self) -> None:
        """Read the rest into a temporary file, which frees the connection."""
        if not self._streaming:
            return
        self._parked = tempfile.SpooledTemporaryFile(max_size=PARKED_MEMORY)  # noqa: SIM115
        try:
            while (chunk := await self._chunk()) is not None:
                pickle.dump(self._rows_of(chunk), self._parked, protocol=pickle.HIGHEST_PROTOCOL)
        except OracleError as error:
            self._failure = error
        finally:
            self._parked.seek(0)

    async def close(self) -> None:
        if self.closed:
            return
        await super().close()
        if self._parked is not None:
            self._parked.close()
            self._parked = None
        if self._streaming:
            self._leave_connection()
            with suppress(psycopg.Error):
                await self.backend.abandon()
            if self.backend is self._session.backend:
                await self._session.transaction.undo_statement()
            await self._ended()


def _no_more() -> OracleError:
    return OracleError(1002, "fetch out of sequence")


class _RowValue:
    """The content of a LOB of a locked row with the row's address."""

    __slots__ = ("column", "ctid", "data", "relation")

    def __init__(self, data: bytes | str, relation: int, column: str, ctid: str) -> None:
        self.data = data
        self.relation = relation
        self.column = column
        self.ctid = ctid


def _tid(value: str | bytes) -> str:
    """A row's place as PostgreSQL writes it: (block,row)."""
    if isinstance(value, str):
        return value
    return f"({int.from_bytes(value[:4], 'big')},{int.from_bytes(value[4:6], 'big')})"


def chunk_rows(columns: Sequence[Column]) -> int:
    """Rows to load at a time: few when LOB contents come with them."""
    large = (*LOB_TYPES, OracleType.LONG, OracleType.LONG_RAW)
    return LOB_ROWS_PER_CHUNK if any(column.datatype.type in large for column in columns) else ROWS_PER_CHUNK
