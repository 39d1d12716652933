"""Moving the rows of one table data object between PostgreSQL and dump files.

PostgreSQL's binary COPY goes through a named pipe (stream.py): this process moves blocks of bytes and
never looks at a row.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg import sql

from localoracle.datapump import container, stream
from localoracle.datapump.definition import DISABLE_APPEND_HINT, SKIP_CONSTRAINT_ERRORS, Definition
from localoracle.datapump.encryption import Encrypter
from localoracle.datapump.errors import stack
from localoracle.datapump.pool import Appender, FilePool, OpenFile
from localoracle.datapump.selection import TableData, columns_of, literal
from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.roles import session_role
from localoracle.sql import translate
from localoracle.sql.schema_facts import TableFacts

Connection = psycopg.AsyncConnection[Any]

_CHAR = "pg_catalog.bpchar"
COMPRESSED = ("ALL", "DATA_ONLY")


@dataclass(frozen=True)
class Loaded:
    """Rows in the table, rows refused by constraints (only with SKIP_CONST_ERR) and the first refusal."""

    rows: int
    rejected: int = 0
    reason: str = ""


def codec(definition: Definition) -> str:
    if definition.parameter("COMPRESSION", "METADATA_ONLY") not in COMPRESSED:
        return ""
    return str(definition.parameter("COMPRESSION_ALGORITHM", "BASIC"))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def export_query(
    definition: Definition,
    data: TableData,
    relation: str,
    slow_lobs: bool = False,
    tables: tuple[TableFacts, ...] = (),
) -> str:
    """The SELECT whose rows are unloaded.

    `relation` is the PostgreSQL name of the table or partition; with `slow_lobs` each
    LOB stored out of line is waited for. `tables`: what a translation has to know of some.
    """
    columns = [_quoted(name) for name, _ in data.columns]
    source = f"{_quoted(data.schema)}.{_quoted(data.name)}"
    subquery = definition.data_filter("SUBQUERY", data.schema, data.name)
    sample = definition.data_filter("SAMPLE", data.schema, data.name)
    if subquery is not None or sample is not None:
        part = f" PARTITION ({_quoted(data.partition)})" if data.partition else ""
        sampled = f" SAMPLE ({sample:g})" if sample is not None else ""
        listed = ", ".join(f"KU$.{column}" for column in columns)
        statement = translate(
            f"SELECT {listed} FROM {source}{part}{sampled} KU$ {subquery or ''}", (), shown=tables
        )
        if statement.verb != "SELECT" or len(statement.sql) != 1:
            raise stack((39001,), (39071, "QUERY", subquery or ""))
        rows = f"({statement.sql[0]}) AS rows({', '.join(columns)})"
    else:
        rows = f"ONLY {relation}"
    outputs = [
        f"localoracle.delayed({column})" if slow_lobs and name in data.lobs else f"{column}::{kind}"
        for column, (name, kind) in zip(columns, data.columns, strict=True)
    ]
    return f"SELECT {', '.join(outputs)} FROM {rows}"


async def check_access(connection: Connection, definition: Definition, query: str) -> None:
    """What the rows are read with must be allowed to the job's user.

    Planning it as that user checks. Raises ORA-00942 etc.
    """
    if definition.privileged:
        return
    async with connection.transaction():
        role = sql.Identifier(session_role(definition.user))
        await connection.execute(sql.SQL("SET LOCAL ROLE {}").format(role))
        await connection.execute(literal("EXPLAIN " + query))


async def export_rows(
    connection: Connection,
    definition: Definition,
    data: TableData,
    target: OpenFile,
    pool: FilePool,
    snapshot: str | None,
    slow_lobs: bool,
    pipes: Path,
    key: bytes | None = None,
    tables: tuple[TableFacts, ...] = (),
) -> None:
    """Unload `data` into `target`; sets its rows, bytes and pieces. The connection is in no transaction.

    `pipes` is a folder for named pipes that PostgreSQL reaches; `key` encrypts the rows.

    Raises ORA-01466 when the table was changed by DDL after the snapshot, ORA-39095 when the
    dump files are full.
    """
    row = await (
        await connection.execute("SELECT localoracle.qualified_name(%s::oid)", [data.relation])
    ).fetchone()
    assert row is not None
    query = export_query(definition, data, row[0], slow_lobs, tables)
    await check_access(connection, definition, query)
    data.codec = codec(definition)
    try:
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if snapshot is not None:
            await connection.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))
            await _check_unchanged(connection, data)
        if target.direct and not data.codec and key is None:
            await _copy_to_file(connection, query, data, target.path)
        else:
            await _copy_to_pool(connection, query, data, target, pool, pipes, key)
        await connection.execute("COMMIT")
    except psycopg.Error as error:
        if "No space left on device" in str(error):
            raise stack((39095, container.HEADER_BYTES)) from error
        raise oracle_error(error) from error
    finally:
        if not connection.closed and connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            await connection.execute("ROLLBACK")
    data.bytes = sum(piece[2] for piece in data.pieces)


def _copy_out(query: str, path: Path) -> sql.Composed:
    return sql.SQL("COPY ({}) TO {} (FORMAT binary)").format(sql.SQL(query), sql.Literal(str(path)))


async def _copy_to_file(connection: Connection, query: str, data: TableData, path: Path) -> None:
    if os.geteuid() != 0 or path.parent.stat().st_mode & stat.S_IWOTH:
        # A new file: ext4 writes one that was truncated to disk as soon as it is closed (auto_da_alloc).
        os.unlink(path)
    try:
        async with stream.Following(path) as following:
            cursor = await connection.execute(_copy_out(query, path))
            length, crc = await following.finished()
        os.chmod(path, 0o666)
    except BaseException:
        container.create(path, reuse=True)
        raise
    data.rows, data.pieces = cursor.rowcount, [[str(path), 0, length, crc]]


async def _copy_to_pool(
    connection: Connection,
    query: str,
    data: TableData,
    target: OpenFile,
    pool: FilePool,
    pipes: Path,
    key: bytes | None,
) -> None:
    appender = Appender(target, pool)
    sink: stream.Sink = Encrypter(appender, key) if key is not None else appender
    if data.codec:
        sink = stream.Packer(sink, data.codec)
    data.encrypted = key is not None
    try:
        async with stream.unloading(pipes, sink) as moving:
            try:
                cursor = await moving.passing(connection.execute(_copy_out(query, moving.path)))
            except psycopg.Error as error:
                # A full file closes the pipe: that is the cause, not PostgreSQL's broken pipe.
                raise await moving.failure() or error from None
            await moving.finished()
    finally:
        appender.close()
    data.rows, data.pieces = cursor.rowcount, appender.pieces


async def _check_unchanged(connection: Connection, data: TableData) -> None:
    """TRUNCATE and rewrites take effect for old snapshots as well; Oracle refuses to read across them."""
    row = await (
        await connection.execute(
            "SELECT relfilenode = pg_relation_filenode(oid) FROM pg_class WHERE oid = %s::oid",
            [data.relation],
        )
    ).fetchone()
    if row is None or not row[0]:
        raise OracleError(1466, "unable to read data - table definition has changed")


class Filling(Protocol):
    """Where the rows of a table data object come from."""

    checks_types: bool
    """Whether the columns must have the types here that they had there."""

    async def fill(self, connection: Connection, target: sql.Composable, gate: stream.Gate) -> int:
        """COPY the rows into `target` (a table with or without its columns); how many there were."""


class FileRows:
    """Rows from a dump set. `paths`: its files by number; `pipes`: a folder for named pipes."""

    checks_types = True

    def __init__(
        self, data: TableData, paths: dict[int, Path], pipes: Path, key: bytes | None = None
    ) -> None:
        self._data = data
        self._key = key if data.encrypted else None
        self._paths = paths
        self._pipes = pipes

    async def fill(self, connection: Connection, target: sql.Composable, gate: stream.Gate) -> int:
        """Raises ORA-39059 without the files, ORA-31619 for damaged ones."""
        runs: list[stream.Run] = []
        for number, offset, length, crc in self._data.pieces:
            if number not in self._paths:
                raise stack((39059,))
            runs.append((self._paths[number], offset, length, crc))
        if not runs:
            return 0
        return await _copy_in(connection, target, self._data, runs, self._pipes, self._key, gate)


async def load_rows(
    connection: Connection,
    definition: Definition,
    data: TableData,
    schema: str,
    table: str,
    rows: Filling,
    gate: stream.Gate,
) -> Loaded:
    """Load `data` into a table within the caller's transaction; `gate` is passed before each block.

    Raises ORA-39034 when there is no such table, and what the rows and their source raise.
    """
    target = sql.Identifier(schema, table)
    row = await (
        await connection.execute("SELECT to_regclass(%s)::oid::int8", [f"{_quoted(schema)}.{_quoted(table)}"])
    ).fetchone()
    if row is None or row[0] is None:
        raise stack((39034, f'TABLE_DATA:"{schema}"."{table}"'))
    present = dict(await columns_of(connection, row[0]))
    _check_columns(data, present, types=rows.checks_types)
    if definition.load_method == "direct_path" or not definition.data_options & DISABLE_APPEND_HINT:
        # A direct path load, or an INSERT with APPEND, holds an exclusive TM lock: loads of a table queue.
        await connection.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(target))
    await connection.execute("SELECT set_config('localoracle.loading', 'yes', true)")
    columns = sql.SQL(", ").join(sql.Identifier(name) for name, _ in data.columns)
    skipping = bool(definition.data_options & SKIP_CONSTRAINT_ERRORS)
    try:
        if not skipping and not _needs_blanks(data, present):
            return Loaded(await rows.fill(connection, sql.SQL("{} ({})").format(target, columns), gate))
        await connection.execute('DROP TABLE IF EXISTS "KU$STAGE"')
        await connection.execute(
            sql.SQL('CREATE TEMP TABLE "KU$STAGE" AS SELECT {} FROM {} WITH NO DATA').format(
                sql.SQL(", ").join(_of_any_length(name, present[name]) for name, _ in data.columns), target
            )
        )
        loaded = await rows.fill(connection, sql.SQL('"KU$STAGE" ({})').format(columns), gate)
        if not skipping:
            await connection.execute(
                sql.SQL('INSERT INTO {} ({}) SELECT {} FROM "KU$STAGE"').format(target, columns, columns)
            )
            return Loaded(loaded)
        row = await (
            await connection.execute(
                "SELECT loaded, rejected, reason FROM localoracle.insert_skipping(%s::oid, %s)",
                [row[0], columns.as_string(connection)],
            )
        ).fetchone()
        assert row is not None
        return Loaded(*row)
    except psycopg.Error as error:
        raise oracle_error(error) from error


async def _copy_in(
    connection: Connection,
    target: sql.Composable,
    data: TableData,
    runs: list[stream.Run],
    pipes: Path,
    key: bytes | None,
    gate: stream.Gate,
) -> int:
    """COPY the runs into a table. Rows that fail because their bytes are damaged are ORA-31619."""
    async with stream.loading(pipes, runs, data.codec, key, gate) as moving:
        try:
            cursor = await moving.passing(
                connection.execute(
                    sql.SQL("COPY {} FROM {} (FORMAT binary)").format(target, sql.Literal(str(moving.path)))
                )
            )
        except psycopg.Error as error:
            if connection.closed:
                raise
            damage = await moving.failure() or await asyncio.to_thread(stream.check, runs)
            if damage is None and error.sqlstate in ("22P03", "22P04"):
                damage = stream.damaged(runs[0][0])
            raise damage or oracle_error(error) from error
        await moving.finished()
    if cursor.rowcount != data.rows:
        raise OracleError(
            31619, f'invalid dump file "{data.name}"\n{cursor.rowcount} rows found, {data.rows} expected'
        )
    return cursor.rowcount


def _check_columns(data: TableData, present: Mapping[str, str], *, types: bool) -> None:
    for name, kind in data.columns:
        if name not in present:
            raise OracleError(904, f'"{name}": invalid identifier')
        expected, got = _bare(present[name]), _bare(kind)
        if types and expected != got:
            raise OracleError(
                932, f"inconsistent datatypes: expected {expected} got {got}\nof {name} in the dump file"
            )


def _bare(kind: str) -> str:
    return kind.partition("(")[0]


def _needs_blanks(data: TableData, present: Mapping[str, str]) -> bool:
    """Whether COPY, which takes a CHAR as it comes, would bring one of another length."""
    return any(_bare(present[name]) == _CHAR and present[name] != kind for name, kind in data.columns)


def _of_any_length(name: str, kind: str) -> sql.Composable:
    """A column of the staging table: its rows get their lengths when they go on into the table."""
    column = sql.Identifier(name)
    return sql.SQL("{}::bpchar").format(column) + sql.SQL(" AS ") + column if _bare(kind) == _CHAR else column
