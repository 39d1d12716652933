"""Execute, execute again and fetch: requests become statements of the session, results become records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql.checked import IN, OUT
from localoracle.plsql.execution import directions_of
from localoracle.session import batch, queries
from localoracle.session.result import Result
from localoracle.session.session import Session
from localoracle.tasks import undisturbed
from localoracle.values import Column
from localoracle.wire import messages, scrolling
from localoracle.wire.answers import Answers
from localoracle.wire.bind_rows import BindReader, BindRows
from localoracle.wire.buffer import NeedMore, u8, ub
from localoracle.wire.channel import MALFORMED, Channel, Disconnected
from localoracle.wire.cursors import Cursor, Cursors
from localoracle.wire.defines import defines_after_change
from localoracle.wire.dialect import Dialect
from localoracle.wire.object_descriptions import described_object, read_object_request
from localoracle.wire.requests import (
    FLAG_ROW_COUNTS,
    FLAG_SCROLLABLE,
    OPTION_ALL_BINDS,
    OPTION_BATCH_ERRORS,
    OPTION_COMMIT,
    OPTION_DEFINE,
    OPTION_DESCRIBE_ONLY,
    OPTION_EXECUTE,
    OPTION_FETCH,
    ExecuteRequest,
    ReexecuteRequest,
    read_describe,
    read_execute,
    read_reexecute,
)
from localoracle.wire.scrolling import Scroll
from localoracle.wire.statements import parse
from localoracle.wire.values import LARGE, encode_out, encode_returned, new_values

MAX_STRING_SIZE = 32_767
"""Binds with a larger buffer come after the others in SQL."""
MAXIMUM_EXECUTIONS = 1 << 20
"""Executions in one request without bind values: nothing else bounds their number."""
IN_ONLY, OUT_ONLY = IN, OUT


class StatementCalls:
    """The statement half of one client's calls."""

    def __init__(self, channel: Channel, session: Session, dialect: Dialect) -> None:
        self.channel = channel
        self.session = session
        self.cursors = Cursors(dialect, session.open_cursors)
        self._answers = Answers(channel, session)

    # -- requests ----------------------------------------------------------------------------------------

    async def read_rows(
        self, cursor: Cursor, executions: int, *, again: bool, all_binds: bool = False
    ) -> BindRows:
        """The bind rows of a request.

        Unless they are `all_binds`, return binds have no value, and when executing again neither have the
        binds that are OUT only.
        """
        text = cursor.text
        assert text is not None
        skipped = set() if all_binds else set(text.return_binds)
        if again and cursor.directions:
            skipped |= {i for i, direction in enumerate(cursor.directions) if direction == OUT_ONLY}
        order = [i for i in range(len(cursor.binds)) if i not in skipped]
        if not order:
            _check_executions(executions)
        if not text.is_plsql:
            order.sort(key=lambda i: cursor.binds[i].size > MAX_STRING_SIZE)
        rows = BindReader(cursor.binds, order, executions)
        while True:
            try:
                rows.read(self.channel.reader, self.session.lobs, self.cursors)
                return rows.rows()
            except NeedMore:
                await self.channel.more()
            except OracleError:
                await self.channel.skip_request()
                raise
            except MALFORMED as error:
                raise Disconnected(f"not a bind value: {error}") from error

    async def execute(self) -> None:
        """Function 94."""
        request = await self.channel.read(read_execute)
        if request.refused is not None:
            await self.channel.skip_request()
            raise request.refused
        if request.sql is not None:
            self.session.database.activity.count("parse count (total)", self.session.sid)
        if request.sql is None or request.cursor:
            cursor = self.cursors.get(request.cursor)
            if request.sql is not None:
                cursor.text = parse(request.sql)
                cursor.directions = []
            await self._execute(cursor, request)
            return
        cursor = self.cursors.new(parse(request.sql))
        try:
            await self._execute(cursor, request)
        except BaseException:
            # The client has not learnt the cursor's number: it cannot close it.
            await undisturbed(self.cursors.close(cursor.number))
            raise

    async def _execute(self, cursor: Cursor, request: ExecuteRequest) -> None:
        if request.binds is not None:
            if len(cursor.directions) != len(request.binds):
                # Else they hold on: after a call that failed, the client goes by the last IO vector it got.
                cursor.directions = []
            cursor.binds = request.binds
        rows = BindRows([], 1)
        if cursor.text is not None and not request.has(OPTION_DESCRIBE_ONLY) and request.defines is None:
            if request.flags & FLAG_SCROLLABLE and not request.has(OPTION_EXECUTE):
                pass  # to scroll needs no values, though the binds are described
            elif request.binds is not None or (cursor.binds and request.has(OPTION_EXECUTE)):
                # Without descriptions the values are of the types that were described before.
                rows = await self.read_rows(
                    cursor,
                    request.executions if not cursor.text.is_query else 1,
                    again=False,
                    all_binds=request.has(OPTION_ALL_BINDS),
                )
            elif not cursor.text.is_query:
                _check_executions(request.executions)
                rows = BindRows([], request.executions)
        await self._run_execute(cursor, request, rows)

    async def _run_execute(self, cursor: Cursor, request: ExecuteRequest, rows: BindRows) -> None:
        if request.has(OPTION_DESCRIBE_ONLY) or _is_parse_only(cursor, request):
            await self._describe_only(cursor)
            return
        if request.defines is not None:
            cursor.defines = request.defines
        if cursor.text is None:
            # A REF CURSOR: with or without defines, its rows come with this answer.
            await self._answers.send_rows(cursor, request.rows)
            return
        if request.has(OPTION_DEFINE) and not request.has(OPTION_EXECUTE):
            # Now that the defines are known, the rows that the iterations ask for come as well.
            wanted = request.rows_wanted or request.iterations
            if wanted:
                await self._answers.send_rows(cursor, wanted)
            else:
                self._answers.end(cursor)
            return
        scrollable = bool(request.flags & FLAG_SCROLLABLE)
        # More rows are asked for by an execution as well, from the row behind the last one on.
        more = not request.has(OPTION_EXECUTE) or request.position > 1
        if scrollable and more and cursor.scroll is not None:
            await self._scroll(cursor, request)
            return
        cursor.row_counts = bool(request.flags & FLAG_ROW_COUNTS)
        await self._run(
            cursor,
            rows,
            scrollable=scrollable,
            wanted=request.rows_wanted,
            wanted_with_defines=request.iterations,
            commit=request.has(OPTION_COMMIT),
            batch_errors=request.has(OPTION_BATCH_ERRORS),
        )

    async def reexecute(self, *, fetch: bool) -> None:
        """Functions 4 and 78."""
        request: ReexecuteRequest = await self.channel.read(read_reexecute)
        cursor = self.cursors.get(request.cursor)
        assert cursor.text is not None
        rows = await self.read_rows(cursor, 1 if fetch or cursor.text.is_query else request.count, again=True)
        await self._run(cursor, rows, wanted=request.count if fetch else 0, commit=request.commit)

    async def fetch(self) -> None:
        """Function 5."""
        number, wanted = await self.channel.read(lambda reader: (reader.ub(), reader.ub()))
        await self._answers.send_rows(self.cursors.get(number), wanted, executed=False)

    async def describe(self) -> None:
        """Function 98: the columns of a query, without a cursor for it."""
        number, sql = await self.channel.read(read_describe)
        if sql:
            columns = await queries.describe(self.session, sql, len(parse(sql).names))
        else:
            columns = self.cursors.get(number).described or []
        self.channel.write(
            messages.described_columns(columns, self.cursors.dialect)
            + messages.end_record(self._answers.status())
        )

    async def describe_object(self) -> None:
        """Function 119: a table or view by its name. ORA-04043 when there is none."""
        name = await self.channel.read(read_object_request)
        columns, is_view = await queries.describe_relation(self.session, name)
        described = described_object(columns, self.cursors.dialect, is_view=is_view)
        self.channel.write(described + messages.end_record(self._answers.status()))

    # -- statements --------------------------------------------------------------------------------------

    async def _run(
        self,
        cursor: Cursor,
        rows: BindRows,
        *,
        wanted: int,
        commit: bool,
        wanted_with_defines: int = 0,
        scrollable: bool = False,
        batch_errors: bool = False,
    ) -> None:
        text = cursor.text
        assert text is not None
        if len(cursor.binds) != len(text.names):
            raise OracleError(1008, "not all variables bound")
        failure: str | None = None
        log = self.session.database.log
        if log.enabled:
            # A client that has its answer must find the statement in the log.
            self.channel.hold()
        try:
            if text.is_query:
                await self._run_query(cursor, rows.row(0), wanted, wanted_with_defines, scrollable)
            elif text.is_plsql:
                await self._run_block(cursor, rows, commit)
            elif text.is_dml and (len(rows) > 1 or batch_errors or cursor.row_counts):
                await self._run_many(cursor, rows, commit, batch_errors)
            else:
                await self._run_once(cursor, rows, commit)
        except OracleError as error:
            failure = f"ORA-{error.code:05d}"
            raise
        except asyncio.CancelledError:
            failure = "ORA-01013"
            raise
        finally:
            if log.enabled:
                try:
                    values = new_values(cursor.binds, [None] * len(cursor.binds))
                    log.write(self.session, text.sql, text.names, values, failure)
                finally:
                    self.channel.release()

    async def _run_query(
        self, cursor: Cursor, row: list[Any], wanted: int, wanted_with_defines: int, scrollable: bool
    ) -> None:
        assert cursor.text is not None
        await cursor.close_result()
        result = await self.session.run(cursor.text.sql, new_values(cursor.binds, row))
        assert result.columns is not None
        cursor.result, cursor.rows_sent = result, 0
        cursor.scroll = Scroll(result) if scrollable else None
        if cursor.described != result.columns:
            if cursor.described is not None:
                cursor.defines = defines_after_change(cursor.defines, cursor.described, result.columns)
            cursor.described, cursor.shown = result.columns, await result.description()
            self.channel.write(messages.describe(cursor.shown, self.cursors.dialect))
        elif cursor.defines is None:
            self.channel.write(messages.describe(cursor.shown or result.columns, self.cursors.dialect))
        if cursor.defines is not None:
            wanted = wanted or wanted_with_defines
        if not wanted or (cursor.defines is None and _has_large(result.columns)):
            self._answers.end(cursor)
        else:
            await self._answers.send_rows(cursor, wanted)

    async def _scroll(self, cursor: Cursor, request: ExecuteRequest) -> None:
        assert cursor.scroll is not None
        first = request.position
        if request.orientation in (scrolling.FIRST, scrolling.LAST):
            first = await cursor.scroll.count() if request.orientation == scrolling.LAST else 1
        cursor.rows_sent = max(first - 1, 0)
        await self._answers.send_rows(
            cursor, request.rows if request.has(OPTION_FETCH) else request.iterations
        )

    async def _run_once(self, cursor: Cursor, rows: BindRows, commit: bool) -> None:
        """DML once, DDL, and anything else."""
        assert cursor.text is not None
        result = Result()
        for number in range(len(rows)):
            values = new_values(cursor.binds, rows.row(number))
            result = await self.session.run(cursor.text.sql, values, tell_row=True)
        answer = [await self._returned(cursor, [result.returned])] if cursor.text.return_binds else []
        if commit:
            await self.session.transaction.commit()
        self._answers.end(
            cursor, answer, rowcount=result.rowcount, warning=result.warning, last_row=result.last_row
        )

    async def _run_many(self, cursor: Cursor, rows: BindRows, commit: bool, batch_errors: bool) -> None:
        assert cursor.text is not None
        outcome = await batch.run_many(
            self.session,
            cursor.text.sql,
            cursor.binds,
            rows,
            collect_errors=batch_errors,
            returning=bool(cursor.text.return_binds),
        )
        answer = []
        if cursor.text.return_binds:
            answer.append(await self._returned(cursor, outcome.returned))
        if commit and outcome.failure is None:
            await self.session.transaction.commit()
        self._answers.end(
            cursor,
            answer,
            rowcount=outcome.rowcount,
            counts=outcome.counts if cursor.row_counts else None,
            last_row=outcome.last_row,
            failure=outcome.failure,
            batch_errors=outcome.errors,
        )

    async def _returned(self, cursor: Cursor, executions: Sequence[Sequence[Sequence[Any]]]) -> bytes:
        """RETURNING INTO: per execution and return bind, the values of the rows it touched."""
        assert cursor.text is not None
        binds = [cursor.binds[i] for i in sorted(cursor.text.return_binds)]
        parts = []
        for returned in executions:
            parts.append(u8(messages.ROW_DATA))
            for position, datatype in enumerate(binds):
                values = returned[position] if position < len(returned) else []
                parts.append(ub(len(values)))
                parts += [
                    await encode_returned(value, datatype, self.session.lobs, self.cursors)
                    for value in values
                ]
        return b"".join(parts)

    async def _run_block(self, cursor: Cursor, rows: BindRows, commit: bool) -> None:
        assert cursor.text is not None
        answer: list[bytes] = []
        for number in range(len(rows)):
            values = new_values(cursor.binds, rows.row(number))
            try:
                result = await self.session.run(cursor.text.sql, values)
            except OracleError as error:
                error.executions_done = number
                raise
            if result.directions and not answer:
                cursor.directions = result.directions
                answer.append(messages.io_vector(result.directions))
            out = [value for value, way in zip(values, result.directions, strict=False) if way != IN_ONLY]
            if out:
                encoded = [
                    await encode_out(value.value, value.datatype, self.session.lobs, self.cursors)
                    for value in out
                ]
                answer.append(u8(messages.ROW_DATA) + b"".join(encoded))
        if commit:
            await self.session.transaction.commit()
        self._answers.end(cursor, answer, rowcount=len(rows))

    async def _describe_only(self, cursor: Cursor) -> None:
        """cursor.parse(): prepare, and describe a query."""
        assert cursor.text is not None
        if cursor.text.is_plsql:
            directions_of(cursor.text.sql)
        elif cursor.text.is_query or cursor.text.is_dml:
            columns = await queries.describe(self.session, cursor.text.sql, len(cursor.text.names))
            if cursor.text.is_query:
                cursor.described = columns
                self.channel.write(messages.describe(columns, self.cursors.dialect))
        self._answers.end(cursor)


def _check_executions(count: int) -> None:
    if count > MAXIMUM_EXECUTIONS:
        raise not_supported(f"{count} executions without bind values in one call")


def _is_parse_only(cursor: Cursor, request: ExecuteRequest) -> bool:
    """Parsing DDL executes it (Call Interface Programmer's Guide, OCIStmtExecute, OCI_PARSE_ONLY)."""
    text = cursor.text
    return text is not None and (text.is_plsql or text.is_dml) and not request.has(OPTION_EXECUTE)


def _has_large(columns: Sequence[Column]) -> bool:
    """Whether rows wait for the client's own request: it may define other types, or read them as streams."""
    return any(column.datatype.type in LARGE for column in columns)
