"""Unloading the rows of one table data object into dump files.

PostgreSQL's binary COPY writes the file itself or goes through a named pipe (stream.py): this process moves
blocks of bytes and never looks at a row.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from localoracle.datapump import container, stream
from localoracle.datapump.definition import Definition
from localoracle.datapump.encryption import Encrypter
from localoracle.datapump.errors import stack
from localoracle.datapump.pool import Appender, FilePool, OpenFile
from localoracle.datapump.selection import Connection, TableData, literal
from localoracle.errors import OracleError
from localoracle.instance.access import database_may_write, share
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.privileges import session_role
from localoracle.sql import translate
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.schema_facts import TableFacts

COMPRESSED = ("ALL", "DATA_ONLY")


@dataclass(frozen=True)
class Unload:
    """How the rows of one table data object are to be read and written."""

    definition: Definition
    pipes: Path
    """A folder for named pipes that PostgreSQL reaches."""
    snapshot: str | None = None
    """PostgreSQL's name of the snapshot that is read; None: the rows of now."""
    slow_lobs: bool = False
    """Whether each LOB that is stored out of line is waited for."""
    key: bytes | None = None
    """Encrypts the rows."""
    tables: tuple[TableFacts, ...] = ()
    """What a translation has to know of some tables."""


def codec(definition: Definition) -> str:
    if definition.parameter("COMPRESSION", "METADATA_ONLY") not in COMPRESSED:
        return ""
    return str(definition.parameter("COMPRESSION_ALGORITHM", "BASIC"))


def export_query(unload: Unload, data: TableData, relation: str) -> str:
    """The SELECT whose rows are unloaded; `relation` is the PostgreSQL name of the table or partition."""
    definition = unload.definition
    columns = [quote(name) for name, _ in data.columns]
    source = f"{quote(data.schema)}.{quote(data.name)}"
    subquery = definition.data_filter("SUBQUERY", data.schema, data.name)
    sample = definition.data_filter("SAMPLE", data.schema, data.name)
    if subquery is not None or sample is not None:
        part = f" PARTITION ({quote(data.partition)})" if data.partition else ""
        sampled = f" SAMPLE ({sample:g})" if sample is not None else ""
        # Tables of a subquery are read as of the job's SCN only where they name it: others are refused here.
        scn = definition.parameter("FLASHBACK_SCN")
        as_of = f" AS OF SCN {scn}" if scn else ""
        listed = ", ".join(f"KU$.{column}" for column in columns)
        statement = translate(
            f"SELECT {listed} FROM {source}{part}{sampled}{as_of} KU$ {subquery or ''}",
            (),
            shown=unload.tables,
        )
        if statement.verb != "SELECT" or len(statement.sql) != 1:
            raise stack((39001,), (39071, "QUERY", subquery or ""))
        rows = f"({statement.sql[0]}) AS rows({', '.join(columns)})"
    else:
        rows = f"ONLY {relation}"
    outputs = [
        f"localoracle.delayed({column})" if unload.slow_lobs and name in data.lobs else f"{column}::{kind}"
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
    connection: Connection, unload: Unload, data: TableData, target: OpenFile, pool: FilePool
) -> None:
    """Unload `data` into `target`; sets its rows, bytes and pieces. The connection is in no transaction.

    Raises ORA-01466 when the table was changed by DDL after the snapshot, ORA-39095 when the
    dump files are full.
    """
    row = await (
        await connection.execute("SELECT localoracle.qualified_name(%s::oid)", [data.relation])
    ).fetchone()
    assert row is not None
    query = export_query(unload, data, row[0])
    await check_access(connection, unload.definition, query)
    data.codec = codec(unload.definition)
    try:
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if unload.snapshot is not None:
            await connection.execute(
                sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(unload.snapshot))
            )
            await _check_unchanged(connection, data)
        if target.direct and not data.codec and unload.key is None:
            await _copy_to_file(connection, query, data, target.path)
        else:
            await _copy_to_pool(connection, query, unload, data, Appender(target, pool))
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
    if database_may_write(path.parent):
        # A new file: ext4 writes one that was truncated to disk as soon as it is closed (auto_da_alloc).
        os.unlink(path)
    try:
        async with stream.Following(path) as following:
            cursor = await connection.execute(_copy_out(query, path))
            length, crc = await following.finished()
        share(path)
    except BaseException:
        container.create(path, reuse=True)
        raise
    data.rows, data.pieces = cursor.rowcount, [[str(path), 0, length, crc]]


async def _copy_to_pool(
    connection: Connection, query: str, unload: Unload, data: TableData, appender: Appender
) -> None:
    sink: stream.Sink = Encrypter(appender, unload.key) if unload.key is not None else appender
    if data.codec:
        sink = stream.Packer(sink, data.codec)
    data.encrypted = unload.key is not None
    try:
        async with stream.unloading(unload.pipes, sink) as transfer:
            try:
                cursor = await transfer.run(connection.execute(_copy_out(query, transfer.path)))
            except psycopg.Error as error:
                # A full file closes the pipe: that is the cause, not PostgreSQL's broken pipe.
                raise await transfer.failure() or error from None
            await transfer.finished()
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
