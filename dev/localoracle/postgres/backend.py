"""One PostgreSQL connection at libpq's level: prepared statements, streamed results, pipelines."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors, generators, pq, waiting
from psycopg.pq.abc import PGresult

from localoracle.tasks import undisturbed

PREPARED_LIMIT = 200
"""Prepared statements kept per connection; the least recently used one is dropped first."""

CANCEL_SECONDS = 1.0
"""Interval between cancel requests: one that reaches PostgreSQL before the statement does is lost."""
_LOOK_SECONDS = 1.0
ROWS_PER_CHUNK = 1000
"""Rows that are loaded at a time."""
_NOT_READY = 0

_COMPILED_WITH_ERRORS = "ORA01"
"""The SQLSTATE of ORA-24344."""
_ENCODING = "utf-8"
_ROWS = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.TUPLES_CHUNK, pq.ExecStatus.SINGLE_TUPLE)


@dataclass(frozen=True, slots=True)
class Field:
    """A result column as PostgreSQL describes it. `table` and `table_column` are 0 for expressions."""

    name: str
    type: int
    modifier: int
    table: int
    table_column: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared statement with the types that PostgreSQL inferred."""

    name: bytes
    parameter_types: tuple[int, ...]
    fields: tuple[Field, ...]


def fields_of(result: PGresult) -> tuple[Field, ...]:
    """The columns of a libpq result."""
    return tuple(
        Field(
            (result.fname(number) or b"").decode(),
            result.ftype(number),
            result.fmod(number),
            result.ftable(number),
            result.ftablecol(number),
        )
        for number in range(result.nfields)
    )


def _resumed(generator: Any) -> Any:
    """The rest of a generator that was left while it waited, resumed as if its socket were not ready yet.

    A bare `next` sends it None, at which psycopg's compiled `send` fails, and half a statement stays unsent.
    """
    try:
        wanted = generator.send(_NOT_READY)
        while True:
            wanted = generator.send((yield wanted))
    except StopIteration as end:
        return end.value


def _check(result: PGresult) -> PGresult:
    if result.status in (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE):
        raise errors.error_from_result(result, _ENCODING)
    return result


class Backend:
    """Statements on one connection, one at a time.

    A streamed result occupies the connection until `next_chunk` returned None or `abandon` was
    called. Cancelling the awaiting task cancels the statement in PostgreSQL.
    """

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self.connection = connection
        self._pgconn = connection.pgconn
        self._prepared: OrderedDict[tuple[str, tuple[int, ...]], Prepared] = OrderedDict()
        self._counter = 0
        self.streaming = False
        self.disturbed = False
        """Whether a statement was ever cancelled."""
        self.compiled_with_errors = False
        """Whether PostgreSQL has said so of what was last created."""
        connection.add_notice_handler(self._noticed)

    def _noticed(self, notice: errors.Diagnostic) -> None:
        if notice.sqlstate == _COMPILED_WITH_ERRORS:
            self.compiled_with_errors = True

    @property
    def in_transaction(self) -> bool:
        return self._pgconn.transaction_status in (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)

    @property
    def _active(self) -> bool:
        return (
            self._pgconn.status == pq.ConnStatus.OK
            and self._pgconn.transaction_status == pq.TransactionStatus.ACTIVE
        )

    async def _wait(self, generator: Any) -> Any:
        try:
            return await self._complete_one(generator)
        except BaseException:
            await undisturbed(self._break_off(_resumed(generator)))
            raise

    async def _complete_one(self, generator: Any) -> Any:
        return await waiting.wait_async(generator, self._pgconn.socket, interval=_LOOK_SECONDS)

    async def _break_off(self, generator: Any) -> None:
        """End a statement that nobody waits for, so that the connection can be used again.

        However long PostgreSQL takes: psycopg's own wait closes the connection after five seconds.
        """
        if self._active:
            self.disturbed = True
            ending = asyncio.ensure_future(self._complete_one(generator))
            while not ending.done():
                with suppress(psycopg.Error):
                    await self.connection.cancel_safe(timeout=CANCEL_SECONDS)
                await asyncio.wait([ending], timeout=CANCEL_SECONDS)
            ending.exception()
        await self._drain()

    async def _drain(self) -> None:
        """Read what is left of a cancelled statement."""
        self.streaming = False
        if self._pgconn.pipeline_status != pq.PipelineStatus.OFF:
            return  # the pipeline's own clean-up reads to its end
        while self._active and await self._complete_one(generators.fetch(self._pgconn)) is not None:
            pass

    def _complete(self) -> Any:
        """Send what is queued and read every result of the statement."""
        yield from generators.send(self._pgconn)
        results = yield from generators.fetch_many(self._pgconn)
        return results

    async def script(self, sql: str) -> list[PGresult]:
        """Run statements without parameters, in one round trip; raises the first error."""
        self._pgconn.send_query(sql.encode())
        results: list[PGresult] = await self._wait(self._complete())
        for result in results:
            _check(result)
        return results

    async def prepare(self, sql: str, types: tuple[int, ...] = ()) -> Prepared:
        """Parse a statement; parameters of type 0 get the type that PostgreSQL infers."""
        key = (sql, types)
        former = self._prepared.get(key)
        if former is not None:
            self._prepared.move_to_end(key)
            return former
        self._counter += 1
        name = b"s%d" % self._counter
        self._pgconn.send_prepare(name, sql.encode(), types)
        for result in await self._wait(self._complete()):
            _check(result)
        self._pgconn.send_describe_prepared(name)
        results = await self._wait(self._complete())
        description = _check(results[0])
        prepared = Prepared(
            name,
            tuple(description.param_type(number) for number in range(description.nparams)),
            fields_of(description),
        )
        self._prepared[key] = prepared
        if len(self._prepared) > PREPARED_LIMIT and not self.in_transaction:
            _, old = self._prepared.popitem(last=False)
            await self.script(f"DEALLOCATE {old.name.decode()}")
        return prepared

    async def forget(self, sql: str) -> None:
        """Drop a prepared statement whose plan is no longer valid."""
        for key in [key for key in self._prepared if key[0] == sql]:
            await self.script(f"DEALLOCATE {self._prepared.pop(key).name.decode()}")

    async def execute(
        self,
        prepared: Prepared,
        values: Sequence[bytes | None],
        formats: Sequence[int],
        *,
        binary: bool = False,
    ) -> PGresult:
        """Run to the end and return the whole result."""
        self._pgconn.send_query_prepared(prepared.name, values, formats, int(binary))
        results = await self._wait(self._complete())
        return _check(results[-1])

    async def execute_to_last(
        self, prepared: Prepared, values: Sequence[bytes | None], formats: Sequence[int]
    ) -> tuple[int, tuple[bytes, ...] | None]:
        """Run DML that returns its rows: their number, and the last one, in binary, or None.

        However many there are, only a chunk of them is in memory.
        """
        self._pgconn.send_query_prepared(prepared.name, values, formats, 1)
        self._pgconn.set_chunked_rows_mode(ROWS_PER_CHUNK)
        results, last = await self._wait(self._last_row())
        for result in results:
            _check(result)
        # Their number comes with the last rows, or behind them.
        return max(result.command_tuples or 0 for result in results), last

    def _last_row(self) -> Any:
        yield from generators.send(self._pgconn)
        results: deque[PGresult] = deque(maxlen=2)
        last: tuple[bytes, ...] | None = None
        while (result := (yield from generators.fetch(self._pgconn))) is not None:
            if result.ntuples:
                row = result.ntuples - 1
                last = tuple(result.get_value(row, column) or b"" for column in range(result.nfields))
            results.append(result)
        return results, last

    async def stream(
        self,
        prepared: Prepared,
        values: Sequence[bytes | None],
        formats: Sequence[int],
        *,
        binary: bool,
        rows: int,
    ) -> PGresult | None:
        """Start a query and return its first `rows` rows at most; None when it has none."""
        self._pgconn.send_query_prepared(prepared.name, values, formats, int(binary))
        self._pgconn.set_chunked_rows_mode(rows)
        self.streaming = True
        results, ended = await self._wait(self._begin(rows))
        if ended:
            self.streaming = False
            for result in results:
                _check(result)
        first = results[0] if results else None
        return first if first is not None and first.status in _ROWS and first.ntuples else None

    def _begin(self, rows: int) -> Any:
        """The first chunk of a streamed query, and its end if that was all: ([results], ended)."""
        yield from generators.send(self._pgconn)
        results: list[PGresult] = []
        while True:
            result = yield from generators.fetch(self._pgconn)
            if result is None:
                return results, True
            results.append(result)
            if result.status in _ROWS and result.ntuples >= rows:
                return results, False

    async def next_chunk(self) -> PGresult | None:
        """The next rows of the streamed query, None at its end (then the connection is free again)."""
        result: PGresult | None = await self._wait(generators.fetch(self._pgconn))
        if result is not None and result.status in _ROWS and result.ntuples:
            return result
        self.streaming = False
        failed = None
        while result is not None:
            if result.status not in _ROWS:
                failed = failed or result
            result = await self._wait(generators.fetch(self._pgconn))
        if failed is not None:
            _check(failed)
        return None

    async def abandon(self) -> None:
        """End a streamed query whose rows nobody wants; what it leaves is an error or nothing."""
        if self.streaming:
            await self.stop()

    async def stop(self) -> None:
        """Cancel what runs, and read what it leaves."""
        await undisturbed(self._break_off(generators.fetch(self._pgconn)))

    async def pipeline(
        self, prepared: Prepared, rows: Sequence[Sequence[bytes | None]], formats: Sequence[int]
    ) -> tuple[list[PGresult], psycopg.Error | None]:
        """Run a statement once per row without waiting in between.

        Returns the results up to the first failing row, and that row's error. The transaction is
        then aborted: the caller rolls back to its savepoint.
        """
        pgconn = self._pgconn
        pgconn.enter_pipeline_mode()
        try:
            name = prepared.name
            commands: deque[Any] = deque()

            def sender(batch: Sequence[Sequence[bytes | None]]) -> Any:
                def send() -> None:
                    for row in batch:
                        pgconn.send_query_prepared(name, row, formats, 0)

                return send

            for start in range(0, len(rows), 50):
                commands.append(sender(rows[start : start + 50]))
            commands.append(pgconn.pipeline_sync)
            wanted = len(rows)
            results: list[PGresult] = []
            batches = await self._wait(generators.pipeline_communicate(pgconn, commands))
            results.extend(result for batch in batches for result in batch)
            # The communication above ends when the last command is queued, not when all of it is sent: with
            # more bytes than the socket takes, both sides would wait for each other.
            await self._wait(generators.send(pgconn))
            while not results or results[-1].status != pq.ExecStatus.PIPELINE_SYNC:
                results.extend(await self._wait(generators.fetch_many(pgconn)))
        except BaseException:
            await undisturbed(self._end_pipeline())
            raise
        finally:
            if pgconn.status == pq.ConnStatus.OK:
                pgconn.exit_pipeline_mode()
        good: list[PGresult] = []
        for result in results[:wanted]:
            if result.status == pq.ExecStatus.FATAL_ERROR:
                return good, errors.error_from_result(result, _ENCODING)
            good.append(result)
        return good, None

    async def _end_pipeline(self) -> None:
        """Read what is left of a pipeline whose commands are all queued, but maybe not all sent."""
        while self._active:
            await self._complete_one(generators.send(self._pgconn))
            await self._complete_one(generators.fetch_many(self._pgconn))
