"""DBMS_PARALLEL_EXECUTE: a table in chunks, a statement for each of them, several at a time.

PL/SQL Packages and Types Reference. Every call commits. RUN_TASK with a PARALLEL_LEVEL runs chunks in
sessions of their own, each in a transaction of its own; a chunk that fails is rolled back and keeps its
error.

A row that is updated gets another rowid here. So that it does not turn up in the range of another chunk,
chunks by rowid see the database as it was when the task was started.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg

from localoracle.admin import privileges
from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, constant, subprogram
from localoracle.session.lobs import Lob
from localoracle.session.session import Session
from localoracle.values import DataType, OracleType, Value

_PACKAGE = "DBMS_PARALLEL_EXECUTE"
_TEXT, _NUMBER = DataType(OracleType.VARCHAR2, size=4000), DataType(OracleType.NUMBER)
_CHUNK_STATES = ("UNASSIGNED", "ASSIGNED", "PROCESSED", "PROCESSED_WITH_ERROR")
_MAX_LEVEL = 64


async def _sql(call: Call, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    return await call.session.database.system(statement, values)


def _key(call: Call) -> tuple[str, str]:
    name = call["task_name"]
    if not name:
        raise OracleError(29498, "Task not found")
    return call.session.user, str(name)


async def _status(call: Call) -> str:
    """The task's state; commits. Raises ORA-29498 when the user has no such task."""
    await call.session.commit()
    rows = await _sql(
        call, "SELECT status FROM localoracle.parallel_tasks WHERE owner = %s AND name = %s", *_key(call)
    )
    if not rows:
        raise OracleError(29498, "Task not found")
    return str(rows[0][0])


async def _set_status(call: Call, status: str) -> None:
    await _sql(
        call,
        "UPDATE localoracle.parallel_tasks SET status = %s WHERE owner = %s AND name = %s",
        status,
        *_key(call),
    )


@subprogram(_PACKAGE, "GENERATE_TASK_NAME")
async def generate_task_name(call: Call) -> str:
    prefix = call.get("prefix", "TASK$_")
    rows = await _sql(
        call, "SELECT count(*) + 1 FROM localoracle.parallel_tasks WHERE owner = %s", call.session.user
    )
    return f"{prefix}{rows[0][0]}"


@subprogram(_PACKAGE, "CREATE_TASK")
async def create_task(call: Call) -> None:
    await call.session.commit()
    made = await _sql(
        call,
        "INSERT INTO localoracle.parallel_tasks (owner, name, comment) VALUES (%s, %s, %s)"
        " ON CONFLICT DO NOTHING RETURNING name",
        *_key(call),
        call["comment"],
    )
    if not made:
        raise OracleError(29497, "duplicate task name")


@subprogram(_PACKAGE, "DROP_TASK")
async def drop_task(call: Call) -> None:
    await _status(call)
    await _sql(call, "DELETE FROM localoracle.parallel_tasks WHERE owner = %s AND name = %s", *_key(call))


@subprogram(_PACKAGE, "DROP_CHUNKS")
async def drop_chunks(call: Call) -> None:
    await _status(call)
    await _sql(call, "DELETE FROM localoracle.parallel_chunks WHERE owner = %s AND task = %s", *_key(call))
    await _set_status(call, "CREATED")


@subprogram(_PACKAGE, "PURGE_PROCESSED_CHUNKS")
async def purge_processed_chunks(call: Call) -> None:
    await _status(call)
    await _sql(
        call,
        "DELETE FROM localoracle.parallel_chunks WHERE owner = %s AND task = %s"
        " AND status LIKE 'PROCESSED%%'",
        *_key(call),
    )


@subprogram(_PACKAGE, "TASK_STATUS")
async def task_status(call: Call) -> int:
    return int(constant(_PACKAGE, await _status(call))[1])


# -- chunks -----------------------------------------------------------------------------------------


async def _begin_chunks(call: Call, chunk_type: str, column: str | None = None) -> None:
    """Raises ORA-29492 when the task has been chunked or run."""
    if await _status(call) not in ("CREATED", "CHUNKING_FAILED"):
        raise OracleError(29492, "invalid state for chunk")
    await _sql(
        call,
        "UPDATE localoracle.parallel_tasks SET status = 'CHUNKING', chunk_type = %s, table_owner = %s,"
        " table_name = %s, number_column = %s WHERE owner = %s AND name = %s",
        chunk_type,
        call["table_owner"],
        call["table_name"],
        column,
        *_key(call),
    )


async def _end_chunks(call: Call, kind: str, chunks: list[tuple[Any, Any]]) -> None:
    if chunks:
        await _sql(
            call,
            f"INSERT INTO localoracle.parallel_chunks (owner, task, start_{kind}, end_{kind})"
            " SELECT %s, %s, * FROM unnest(%s::text[]::{0}[], %s::text[]::{0}[])".format(
                "ora.rowid" if kind == "rowid" else "numeric"
            ),
            *_key(call),
            [str(first) for first, _ in chunks],
            [str(last) for _, last in chunks],
        )
    await _set_status(call, "CHUNKED")


def _size(call: Call) -> int:
    size = call["chunk_size"]
    if size is None or size < 1 or size != int(size):
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return int(size)


async def _table(call: Call) -> int:
    """Its PostgreSQL oid. Raises ORA-29491 for what has no rows of its own with rowids in blocks."""
    rows = await _sql(
        call,
        "SELECT to_regclass(format('%%I.%%I', t.owner, t.table_name))::oid::int8 FROM dictionary.tables t"
        " WHERE t.owner = %s AND t.table_name = %s AND t.iot_type IS NULL AND t.temporary = 'N'"
        " AND has_table_privilege(%s, to_regclass(format('%%I.%%I', t.owner, t.table_name)), 'SELECT')",
        call["table_owner"],
        call["table_name"],
        call.session.user,
    )
    if not rows:
        await _set_status(call, "CHUNKING_FAILED")
        raise OracleError(29491, "invalid table for chunking")
    return int(rows[0][0])


@subprogram(_PACKAGE, "CREATE_CHUNKS_BY_ROWID")
async def create_chunks_by_rowid(call: Call) -> None:
    size = _size(call)
    await _begin_chunks(call, "ROWID_RANGE")
    table = await _table(call)
    rows, blocks = (size, None) if call["by_row"] else (None, size)
    chunks = await _sql(
        call,
        "SELECT first::text, last::text FROM localoracle.rowid_chunks(%s::int8::oid, %s, %s)",
        table,
        blocks,
        rows,
    )
    await _end_chunks(call, "rowid", [(first, last) for first, last in chunks])


@subprogram(_PACKAGE, "CREATE_CHUNKS_BY_NUMBER_COL")
async def create_chunks_by_number_col(call: Call) -> None:
    size = _size(call)
    await _begin_chunks(call, "NUMBER_RANGE", call["table_column"])
    await _table(call)
    names = [str(call[name]).replace('"', "") for name in ("table_column", "table_owner", "table_name")]
    column, owner, table = (f'"{name}"' for name in names)
    bounds = await _rows(call, f"SELECT MIN({column}), MAX({column}) FROM {owner}.{table}")
    low, high = bounds[0]
    chunks = []
    while low is not None and low <= high:
        chunks.append((low, min(low + size - 1, high)))
        low += size
    await _end_chunks(call, "id", chunks)


@subprogram(_PACKAGE, "CREATE_CHUNKS_BY_SQL")
async def create_chunks_by_sql(call: Call) -> None:
    await _begin_chunks(call, "ROWID_RANGE" if call["by_rowid"] else "NUMBER_RANGE")
    rows = await _rows(call, await _text(call["sql_stmt"]))
    if any(len(row) != 2 for row in rows):
        await _set_status(call, "CHUNKING_FAILED")
        raise OracleError(6502, "PL/SQL: numeric or value error")
    await _end_chunks(call, "rowid" if call["by_rowid"] else "id", [(row[0], row[1]) for row in rows])


async def _rows(call: Call, query: str) -> list[Any]:
    """A query in the name of the user; a failure leaves the task in CHUNKING_FAILED."""
    try:
        result = await call.session.run(query)
        return [tuple(row) for row in await result.all()]
    except OracleError:
        await _set_status(call, "CHUNKING_FAILED")
        raise


async def _text(value: Any) -> str:
    if isinstance(value, Lob):
        value = await value.read(1, await value.size())
    return str(value or "")


async def _claim(call: Call, job: str | None = None) -> tuple[Any, ...] | None:
    """The next chunk that nobody has taken: id, start and end; None when there is none."""
    rows = await _sql(
        call,
        "UPDATE localoracle.parallel_chunks SET status = 'ASSIGNED', job_name = %s,"
        " started = localoracle.now() WHERE id = (SELECT id FROM localoracle.parallel_chunks"
        " WHERE owner = %s AND task = %s"
        " AND status = 'UNASSIGNED' ORDER BY id LIMIT 1)"
        " RETURNING id, start_rowid::text, end_rowid::text, start_id, end_id",
        job,
        *_key(call),
    )
    if not rows:
        return None
    number, first_rowid, last_rowid, first, last = rows[0]
    return (number, first_rowid, last_rowid) if first_rowid is not None else (number, first, last)


async def _get_chunk(call: Call, kind: str) -> None:
    await _status(call)
    chunk = await _claim(call)
    call.set("any_rows", chunk is not None)
    number, first, last = chunk or (None, None, None)
    call.set("chunk_id", number)
    call.set(f"start_{kind}", first)
    call.set(f"end_{kind}", last)


@subprogram(_PACKAGE, "GET_ROWID_CHUNK")
async def get_rowid_chunk(call: Call) -> None:
    await _get_chunk(call, "rowid")


@subprogram(_PACKAGE, "GET_NUMBER_COL_CHUNK")
async def get_number_col_chunk(call: Call) -> None:
    await _get_chunk(call, "id")


@subprogram(_PACKAGE, "SET_CHUNK_STATUS")
async def set_chunk_status(call: Call) -> None:
    await _status(call)
    status = call["status"]
    if status not in range(len(_CHUNK_STATES)):
        raise OracleError(29493, "invalid status")
    changed = await _ended(
        call, call["chunk_id"], _CHUNK_STATES[int(status)], call["err_num"], call["err_msg"]
    )
    if not changed:
        raise OracleError(29499, "Chunk not found")


async def _ended(call: Call, chunk: Any, status: str, code: Any = None, message: Any = None) -> bool:
    changed = await _sql(
        call,
        "UPDATE localoracle.parallel_chunks SET status = %s, ended = localoracle.now(), error_code = %s,"
        " error_message = %s WHERE owner = %s AND task = %s AND id = %s RETURNING id",
        status,
        code,
        message,
        *_key(call),
        chunk,
    )
    return bool(changed)


# -- running ----------------------------------------------------------------------------------------


@subprogram(_PACKAGE, "RUN_TASK")
async def run_task(call: Call) -> None:
    if await _status(call) != "CHUNKED":
        raise OracleError(29494, "invalid state for run task")
    await _sql(
        call,
        "UPDATE localoracle.parallel_tasks SET sql_stmt = %s, language_flag = %s, parallel_level = %s"
        " WHERE owner = %s AND name = %s",
        await _text(call["sql_stmt"]),
        call["language_flag"],
        await _level(call),
        *_key(call),
    )
    await _run(call)


@subprogram(_PACKAGE, "RESUME_TASK")
async def resume_task(call: Call) -> None:
    states = ("FINISHED_WITH_ERROR", "CRASHED") + (("PROCESSING",) if call["force"] else ())
    if await _status(call) not in states:
        raise OracleError(29495, "invalid state for resume task")
    if call.given("sql_stmt"):
        raise not_supported("RESUME_TASK with another statement")
    await _sql(
        call,
        "UPDATE localoracle.parallel_chunks SET status = 'UNASSIGNED', error_code = NULL,"
        " error_message = NULL WHERE owner = %s AND task = %s AND status <> 'PROCESSED'",
        *_key(call),
    )
    await _run(call)


async def _level(call: Call) -> int:
    """How many sessions; 0: this one. NULL is Oracle's choice. Raises ORA-27486 without CREATE JOB."""
    for name in ("edition", "apply_crossedition_trigger"):
        if call[name] is not None:
            raise not_supported(f"{_PACKAGE}.{call.name} with {name.upper()}")
    level = call.get("parallel_level", 0)
    if level is None:
        rows = await _sql(call, "SELECT value FROM localoracle.parameters WHERE name = 'cpu_count'")
        level = rows[0][0]
    level = int(level)
    if not 0 <= level <= _MAX_LEVEL:
        raise not_supported(f"PARALLEL_LEVEL {level}")
    if level and not await privileges.has(call.session, "CREATE JOB"):
        raise OracleError(27486, "insufficient privileges")
    return level


async def _run(call: Call) -> None:
    rows = await _sql(
        call,
        "SELECT sql_stmt, parallel_level::int, chunk_type FROM localoracle.parallel_tasks"
        " WHERE owner = %s AND name = %s",
        *_key(call),
    )
    statement, level, chunk_type = rows[0]
    await _set_status(call, "PROCESSING")
    try:
        async with _snapshot(call, wanted=chunk_type == "ROWID_RANGE") as snapshot:
            if level:
                async with asyncio.TaskGroup() as group:
                    for number in range(1, level + 1):
                        name = f"TASK$_{call.session.sid}_{number}"
                        group.create_task(_job(call, statement, snapshot, name))
            else:
                await _work(call, call.session, statement, snapshot, None)
    except BaseException as error:
        await _set_status(call, "CRASHED")
        if isinstance(error, BaseExceptionGroup):
            raise error.exceptions[0] from None
        raise
    failed = await _sql(
        call,
        "SELECT 1 FROM localoracle.parallel_chunks WHERE owner = %s AND task = %s AND status <> 'PROCESSED'"
        " LIMIT 1",
        *_key(call),
    )
    await _set_status(call, "FINISHED_WITH_ERROR" if failed else "FINISHED")


@asynccontextmanager
async def _snapshot(call: Call, *, wanted: bool) -> AsyncIterator[str | None]:
    """The name of a snapshot of now that other sessions can take over, as long as the block lasts."""
    if not wanted:
        yield None
        return
    conninfo = call.session.database.cluster.conninfo
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as holder:
        await holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        row = await (await holder.execute("SELECT pg_export_snapshot()")).fetchone()
        assert row is not None
        yield str(row[0])
        await holder.execute("ROLLBACK")


async def _job(call: Call, statement: str, snapshot: str | None, name: str) -> None:
    """What a scheduler job of Oracle does: chunk after chunk in a session of its own."""
    database = call.session.database
    session = await database.open_session(call.session.user, schema=call.session.current_schema)
    try:
        await _work(call, session, statement, snapshot, name)
    finally:
        await database.end_session(session)


async def _work(call: Call, session: Session, statement: str, snapshot: str | None, name: str | None) -> None:
    while (chunk := await _claim(call, name)) is not None:
        number, first, last = chunk
        kind = _TEXT if isinstance(first, str) else _NUMBER
        binds = {"START_ID": Value(kind, first), "END_ID": Value(kind, last)}
        try:
            if snapshot is not None:
                await session.begin("ISOLATION LEVEL REPEATABLE READ")
                await session.backend.script(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
            await session.run(statement, by_name=binds)
            await session.commit()
        except OracleError as error:
            await session.rollback()
            text = f"ORA-{error.code:05d}: {error.text}"
            await _ended(call, number, "PROCESSED_WITH_ERROR", -error.code, text[:4000])
        else:
            await _ended(call, number, "PROCESSED")
