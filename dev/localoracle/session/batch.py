"""Array DML: one statement, many rows of binds (executemany)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.errors import OracleError
from localoracle.postgres import arrays, interval_partitions
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.parameters import encode, materialize
from localoracle.session import (
    dml_rules,
    execution,
    explanations,
    last_rows,
)
from localoracle.session.error_places import located
from localoracle.session.last_rows import RowPlace
from localoracle.session.prepared import prepare
from localoracle.session.revalidation import revalidated
from localoracle.session.schema_names import open_tables
from localoracle.session.translation import translated
from localoracle.session.value_errors import name_column
from localoracle.values import BindRows, DataType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_UNFIT = (1438, 12899)
"""A number or a text that its column does not hold."""
PIPELINE_ROWS = 1000
ARRAY_ROWS = 5000
ARRAY_BYTES = 16 << 20
"""Rows and bytes that go to PostgreSQL at a time."""

_NAME = r'"(?:[^"]|"")+"'
_INSERT = re.compile(
    rf"(?P<head>INSERT INTO {_NAME}(?:\.{_NAME})?(?:\s+AS\s+{_NAME})?\s*(?:\((?:\s*{_NAME}\s*,?)+\))?"
    r"\s*(?:OVERRIDING \w+ VALUE\s+)?)VALUES\s*\((?P<values>.*)\)\s*"
    r"(?P<returning>RETURNING tableoid, ctid)?$",
    re.DOTALL,
)
_PARAMETER = re.compile(r"\$(\d+)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")


@dataclass
class Outcome:
    """What array DML did. `failure`: the row at which it stopped; rows before it stay."""

    rowcount: int = 0
    counts: list[int] = field(default_factory=list)
    returned: list[list[list[Any]]] = field(default_factory=list)
    """Per execution, as Result.returned."""
    errors: list[tuple[int, OracleError]] = field(default_factory=list)
    failure: tuple[int, OracleError] | None = None
    last_row: RowPlace | None = None


class _RowFailed(Exception):
    """A row of a batch failed; the batch has to be undone up to its beginning."""

    def __init__(self, index: int, error: OracleError) -> None:
        super().__init__(str(error))
        self.index = index
        self.error = error


async def run_many(
    session: Session,
    sql: str,
    binds: Sequence[DataType],
    rows: BindRows,
    *,
    collect_errors: bool = False,
    returning: bool = False,
) -> Outcome:
    """Run DML once per row of `rows`.

    With `collect_errors` failing rows are reported in `errors` and the others done; without, the first
    failing row ends it. Raises OracleError when the statement itself is wrong.
    """
    session.database.activity.count("execute count", session.sid)
    blank = [Value(datatype) for datatype in binds]
    statement = translated(session, sql, binds)
    await dml_rules.refuse_direct_access(session, statement)
    await open_tables(session, statement)
    await session.database.stale_views.settle(session, statement)
    dml = _Execution(session, sql, blank, rows, collect_errors=collect_errors, returning=returning)
    async with dml_rules.noted_change(session, statement):
        await dml.run(statement)
    outcome = dml.outcome
    if statement.verb == "INSERT":
        # Values are fitted to their columns before the first row is stored.
        outcome.errors.sort(key=lambda failed: failed[1].code not in _UNFIT)
    return outcome


class _Execution:
    """The rows of one call of run_many, and what has become of them."""

    def __init__(
        self,
        session: Session,
        sql: str,
        blank: list[Value],
        rows: BindRows,
        *,
        collect_errors: bool,
        returning: bool,
    ) -> None:
        self._session = session
        self._sql = sql
        self._blank = blank
        self._rows = rows
        self._collect_errors = collect_errors
        self._returning = returning
        self.outcome = Outcome()

    async def run(self, statement: Statement) -> None:
        session = self._session
        async with session.transaction.statement(writes=False):
            await dml_rules.check_whole_rows(session, statement, self._blank)
        loaded: frozenset[int] = frozenset()
        if statement.insert_hints:
            async with session.transaction.statement(writes=True):
                loaded = await dml_rules.begin_direct_load(session, statement)
        start = 0
        plain = statement
        if statement.located:
            statement = replace(statement, sql=(statement.located,))
        while start < len(self._rows) and self.outcome.failure is None:
            inserted = 0 if self._returning else await self._insert_array(statement, start)
            if inserted:
                start += inserted
                continue
            try:
                with located(self._sql, statement):
                    start += await self._pipeline(statement, start)
            except OracleError as error:
                if statement is plain or not last_rows.have_no_place(error):
                    raise
                statement = plain
        session.transaction.direct_loads |= loaded

    async def _pipeline(self, statement: Statement, start: int) -> int:
        """Run the next rows one statement each, without waiting in between; returns how many were done."""
        rows, outcome = self._rows, self.outcome
        batch = [rows.row(number) for number in range(start, min(start + PIPELINE_ROWS, len(rows)))]
        try:
            await self._pipeline_batch(statement, batch)
            return len(batch)
        except _RowFailed as failed:
            if await interval_partitions.add_missing(self._session, failed.error):
                return 0
            if await revalidated(self._session, failed.error):
                return 0
            if explanations.is_stale_plan(failed.error):
                await self._session.backend.forget(statement.sql[0])
                return 0
            # The failing row took the others with it: the good ones before it once more.
            if failed.index:
                await self._pipeline_batch(statement, batch[: failed.index])
            error = await name_column(self._session, statement, batch[failed.index], failed.error)
            if not self._collect_errors:
                outcome.failure = (start + failed.index, error)
            else:
                outcome.errors.append((start + failed.index, error))
                outcome.counts.append(0)
            return failed.index + 1

    async def _pipeline_batch(self, statement: Statement, batch: Sequence[Sequence[Any]]) -> None:
        session, outcome = self._session, self.outcome
        types = session.database.types
        async with session.transaction.statement(writes=True):
            prepared = await prepare(session, session.backend, statement, self._blank)
            parameters: list[list[bytes | None]] = []
            formats: list[int] = [0] * len(statement.parameters)
            same = True
            for row in batch:
                encoded = []
                for position, (index, oid) in enumerate(
                    zip(statement.parameters, prepared.parameter_types, strict=True)
                ):
                    try:
                        data, form = encode(await materialize(row[index]), oid, types)
                    except OracleError as error:
                        raise _RowFailed(len(parameters), error) from error
                    if data is not None and form != formats[position]:
                        same = same and form == int(oid in types.binary_input)
                        formats[position] = form
                    encoded.append(data)
                parameters.append(encoded)
            if not same:
                raise OracleError(932, "inconsistent datatypes: expected - got -")
            results, failure = await session.backend.pipeline(prepared, parameters, formats)
            if failure is not None:
                if isinstance(failure, psycopg.errors.InsufficientPrivilege):
                    raise failure
                cause = oracle_error(failure, statement.verb)
                cause.__cause__ = failure
                raise _RowFailed(len(results), cause) from failure
        if statement.sql[0] == statement.located or statement.return_binds:
            last = next((result for result in reversed(results) if result.ntuples), None)
            outcome.last_row = outcome.last_row if last is None else last_rows.returned(last)
        for result in results:
            count = execution.affected_rows(statement, result)
            outcome.rowcount += count
            outcome.counts.append(count)
            if statement.return_binds:
                outcome.returned.append(execution.returned_values(session, statement, prepared, [result]))

    async def _insert_array(self, statement: Statement, start: int) -> int:
        """Insert the next rows in one statement; returns how many, 0 when they must go one by one."""
        session, rows, outcome = self._session, self._rows, self.outcome
        if statement.verb != "INSERT" or not statement.parameters or len(rows) - start < 2:
            return 0
        if outcome.errors or outcome.failure:
            return 0
        match = _INSERT.match(statement.sql[0])
        if (
            match is None
            or "DEFAULT" in _PARAMETER.sub("", match["values"]).upper().replace(",", " ").split()
        ):
            return 0
        types = session.database.types
        end = _end_of_slice(rows, start)
        try:
            async with session.transaction.statement(writes=True):
                prepared = await prepare(session, session.backend, statement, self._blank)
                sources = [
                    await arrays.source(rows.columns[index], oid, types, start, end)
                    for index, oid in zip(statement.parameters, prepared.parameter_types, strict=True)
                ]
                # Only the last row of all is wanted.
                text = _array_statement(match, sources, returning=end == len(rows))
                many = await session.backend.prepare(text)
                done, last = await session.backend.execute_to_last(
                    many, [source.data for source in sources], [source.format for source in sources]
                )
        except (OracleError, psycopg.Error):
            return 0
        outcome.last_row = last_rows.from_binary(last) or outcome.last_row
        outcome.rowcount += done
        outcome.counts += [1] * (end - start)
        return end - start


def _end_of_slice(rows: BindRows, start: int) -> int:
    """Up to where the rows from `start` stay below ARRAY_ROWS and about ARRAY_BYTES."""
    end = min(len(rows), start + ARRAY_ROWS)
    measured = [column for column in rows.columns if column.plain]
    sizes = [column.datatype.size for column in measured]
    if all(sizes) and (end - start) * sum(sizes) <= ARRAY_BYTES:
        return end
    while (
        end - start > 1 and sum(sum(map(len, column.data(start, end))) for column in measured) > ARRAY_BYTES
    ):
        end = start + (end - start) // 2
    return end


def _array_statement(insert: re.Match[str], sources: Sequence[arrays.Source], *, returning: bool) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        own = f"localoracle_rows.p{match[1]}"
        cast = sources[int(match[1]) - 1].cast
        return f"({own}::{cast})" if cast else own

    expressions = _PARAMETER.sub(replaced, insert["values"])
    lists = ", ".join(f"${number}::{source.element}[]" for number, source in enumerate(sources, 1))
    names = ", ".join(f"p{number}" for number in range(1, len(sources) + 1))
    rows = f"SELECT {expressions} FROM unnest({lists}) AS localoracle_rows({names})"
    clause = insert["returning"] if returning and insert["returning"] else ""
    return f"{insert['head']}{rows} {clause}"
