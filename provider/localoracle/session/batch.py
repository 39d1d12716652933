"""Array DML: one statement, many rows of binds (executemany)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.errors import OracleError
from localoracle.session import direct_path, execution
from localoracle.session.backend import Prepared
from localoracle.session.parameters import encode, materialize
from localoracle.session.pg_errors import oracle_error
from localoracle.session.pg_types import TEXT, TIMESTAMP, TIMESTAMPTZ, TypeMap
from localoracle.session.value_errors import name_column
from localoracle.values import DataType, OracleType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

PIPELINE_ROWS = 1000
ARRAY_ROWS = 5000
ARRAY_BYTES = 16 << 20
"""Rows and bytes that go to PostgreSQL at a time."""

_NAME = r'"(?:[^"]|"")+"'
_INSERT = re.compile(
    rf"(?P<head>INSERT INTO {_NAME}(?:\.{_NAME})?(?:\s+AS\s+{_NAME})?\s*(?:\((?:\s*{_NAME}\s*,?)+\))?"
    r"\s*(?:OVERRIDING \w+ VALUE\s+)?)VALUES\s*\((?P<values>.*)\)\s*$",
    re.DOTALL,
)
_PARAMETER = re.compile(r"\$(\d+)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_EPOCH = datetime(2000, 1, 1)
_EPOCH_UTC = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass
class Outcome:
    """What array DML did. `failure`: the row at which it stopped; rows before it stay."""

    rowcount: int = 0
    counts: list[int] = field(default_factory=list)
    returned: list[list[list[Any]]] = field(default_factory=list)
    """Per execution, as Result.returned."""
    errors: list[tuple[int, OracleError]] = field(default_factory=list)
    failure: tuple[int, OracleError] | None = None


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
    rows: Sequence[Sequence[Any]],
    *,
    collect_errors: bool = False,
    each_count: bool = False,
    returning: bool = False,
) -> Outcome:
    """Run DML once per row of `rows` (one value per bind).

    With `collect_errors` failing rows are reported in `errors` and the others done; without, the first
    failing row ends it. Raises OracleError when the statement itself is wrong.
    """
    session.database.activity.count("execute count", session.sid)
    blank = [Value(datatype) for datatype in binds]
    statement, _ = session.translate(sql, blank)
    outcome = Outcome()
    await direct_path.refuse_access(session, statement)
    loaded: frozenset[int] = frozenset()
    if statement.insert_hints:
        async with session.statement(writes=True):
            loaded = await direct_path.begin(session, statement)
    start = 0
    while start < len(rows):
        fast = not returning and await _insert_array(session, statement, blank, rows, start, outcome)
        if fast:
            start += fast
            continue
        start += await _pipeline(
            session, statement, blank, rows, start, outcome, collect_errors=collect_errors
        )
        if outcome.failure is not None:
            break
    session.direct_loads |= loaded
    return outcome


async def _pipeline(
    session: Session,
    statement: Statement,
    blank: list[Value],
    rows: Sequence[Sequence[Any]],
    start: int,
    outcome: Outcome,
    *,
    collect_errors: bool,
) -> int:
    """Run the next rows one statement each, without waiting in between; returns how many were dealt with."""
    batch = rows[start : start + PIPELINE_ROWS]
    try:
        await _pipeline_batch(session, statement, blank, batch, outcome)
        return len(batch)
    except _RowFailed as failed:
        # The failing row took the others with it: the good ones before it once more.
        if failed.index:
            await _pipeline_batch(session, statement, blank, batch[: failed.index], outcome)
        error = await name_column(session, statement, batch[failed.index], failed.error)
        if not collect_errors:
            outcome.failure = (start + failed.index, error)
        else:
            outcome.errors.append((start + failed.index, error))
            outcome.counts.append(0)
        return failed.index + 1


async def _pipeline_batch(
    session: Session,
    statement: Statement,
    blank: list[Value],
    batch: Sequence[Sequence[Any]],
    outcome: Outcome,
) -> None:
    types = session.database.types
    async with session.statement(writes=True):
        prepared = await execution.prepare(session, session.backend, statement, blank)
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
            raise OracleError(932, "inconsistent datatypes")
        results, failure = await session.backend.pipeline(prepared, parameters, formats)
        if failure is not None:
            raise _RowFailed(len(results), oracle_error(failure, statement.verb)) from failure
    for result in results:
        count = result.command_tuples or 0
        outcome.rowcount += count
        outcome.counts.append(count)
        if statement.return_binds:
            outcome.returned.append(execution.returned_values(session, statement, prepared, [result]))


# -- INSERT ... VALUES of many rows as one INSERT ... SELECT FROM unnest(...) --------------------------------


async def _insert_array(
    session: Session,
    statement: Statement,
    blank: list[Value],
    rows: Sequence[Sequence[Any]],
    start: int,
    outcome: Outcome,
) -> int:
    """Insert the next rows in one statement; returns how many, 0 when they must go one by one."""
    if statement.verb != "INSERT" or not statement.parameters or len(rows) - start < 2:
        return 0
    if outcome.errors or outcome.failure:
        return 0
    match = _INSERT.match(statement.sql[0])
    if match is None or "DEFAULT" in _PARAMETER.sub("", match["values"]).upper().replace(",", " ").split():
        return 0
    types = session.database.types
    count = _slice_length(rows, start)
    batch = rows[start : start + count]
    try:
        async with session.statement(writes=True):
            prepared = await execution.prepare(session, session.backend, statement, blank)
            sql = _array_statement(session, match["head"], match["values"], prepared)
            if sql is None:
                return 0
            arrays: list[bytes | None] = []
            for index, oid in zip(statement.parameters, prepared.parameter_types, strict=True):
                column = (
                    [await materialize(row[index]) for row in batch]
                    if blank[index].datatype.type in _LOBS
                    else [row[index] for row in batch]
                )
                arrays.append(_array(column, oid, types))
            many = await session.backend.prepare(sql)
            result = await session.backend.execute(many, arrays, [1] * len(arrays))
    except (OracleError, psycopg.Error):
        return 0
    done = result.command_tuples or 0
    outcome.rowcount += done
    outcome.counts += [1] * count
    return count


_LOBS = (OracleType.CLOB, OracleType.BLOB, OracleType.BFILE)


def _slice_length(rows: Sequence[Sequence[Any]], start: int) -> int:
    """How many rows from `start` stay below ARRAY_ROWS and about ARRAY_BYTES."""
    end = min(len(rows), start + ARRAY_ROWS)
    total = 0
    for index in range(start, end):
        total += sum(len(value) for value in rows[index] if isinstance(value, (str, bytes)))
        if total > ARRAY_BYTES:
            return max(index - start, 1)
    return end - start


def _array_statement(session: Session, head: str, values: str, prepared: Prepared) -> str | None:
    types = session.database.types
    sources = []
    for number, oid in enumerate(prepared.parameter_types, 1):
        name = types.type_names.get(oid)
        if name is None:
            return None
        sources.append(f"${number}::{name if _own_array(oid, types) else 'text'}[]")

    def replaced(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        oid = prepared.parameter_types[int(match[1]) - 1]
        own = f"localoracle_rows.p{match[1]}"
        return own if _own_array(oid, types) else f"({own}::{types.type_names[oid]})"

    expressions = _PARAMETER.sub(replaced, values)
    names = ", ".join(f"p{number}" for number in range(1, len(sources) + 1))
    return f"{head}SELECT {expressions} FROM unnest({', '.join(sources)}) AS localoracle_rows({names})"


def _own_array(oid: int, types: TypeMap) -> bool:
    """Types whose binary form is at hand: texts, bytes, dates; of the others the array holds text."""
    if oid in (TIMESTAMP, TIMESTAMPTZ):
        return True
    return oid in types.binary_arrays


def _array(column: Iterable[Any], oid: int, types: TypeMap) -> bytes:
    """A one-dimensional array in PostgreSQL's binary format."""
    own = _own_array(oid, types)
    if own and types.kind(oid) in (
        OracleType.DATE,
        OracleType.TIMESTAMP,
        OracleType.TIMESTAMP_TZ,
        OracleType.TIMESTAMP_LTZ,
    ):
        elements = [_instant(value) for value in column]
    else:
        elements = [
            (value.encode() or None)
            if type(value) is str and not types.is_bytes(oid)
            else encode(value, oid if own else TEXT, types)[0]
            for value in column
        ]
    pieces = []
    has_null = 0
    pack = struct.Struct(">i").pack
    for element in elements:
        if element is None:
            has_null = 1
            pieces.append(b"\xff\xff\xff\xff")
        else:
            pieces.append(pack(len(element)))
            pieces.append(element)
    element_type = oid if own else TEXT
    return struct.pack(">iiIii", 1, has_null, element_type, len(elements), 1) + b"".join(pieces)


def _instant(value: Any) -> bytes | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise OracleError(932, "inconsistent datatypes: expected DATE")
    delta = value - (_EPOCH if value.tzinfo is None else _EPOCH_UTC)
    return struct.pack(">q", (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds)
