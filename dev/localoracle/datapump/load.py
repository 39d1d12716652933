"""Loading the rows of one table data object into a table: from dump files here, over a link in network.py."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg
from psycopg import sql

from localoracle.datapump import stream
from localoracle.datapump.definition import DISABLE_APPEND_HINT, SKIP_CONSTRAINT_ERRORS, Definition
from localoracle.datapump.errors import stack
from localoracle.datapump.selection import Connection, TableData, columns_of
from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error

_TOO_LARGE = 12899
_CHAR = "pg_catalog.bpchar"


@dataclass(frozen=True)
class Loaded:
    """Rows in the table; those left out, because values do not fit into their columns (`unfit` tells each)
    or, only with SKIP_CONST_ERR, because of constraints: then `reason` is the first refusal."""

    rows: int
    rejected: int = 0
    reason: str | None = None
    unfit: tuple[str, ...] = ()


class RowSource(Protocol):
    """Where the rows of a table data object come from."""

    checks_types: bool
    """Whether the columns must have the types here that they had there."""
    rejects_rows: bool
    """Whether a row whose values do not fit is left out; over a link the INSERT fails as a whole."""

    async def copy(self, connection: Connection, target: sql.Composable, gate: stream.Gate) -> int:
        """COPY the rows into `target` (a table with or without its columns); how many there were."""


class FileRows:
    """Rows from a dump set. `paths`: its files by number; `pipes`: a folder for named pipes."""

    checks_types = True
    rejects_rows = True

    def __init__(
        self, data: TableData, paths: dict[int, Path], pipes: Path, key: bytes | None = None
    ) -> None:
        self._data = data
        self._key = key if data.encrypted else None
        self._paths = paths
        self._pipes = pipes

    async def copy(self, connection: Connection, target: sql.Composable, gate: stream.Gate) -> int:
        """Raises ORA-39059 without the files, ORA-31619 for damaged ones, also for rows that fail because
        their bytes are damaged.
        """
        runs: list[stream.Run] = []
        for number, offset, length, crc in self._data.pieces:
            if number not in self._paths:
                raise stack((39059,))
            runs.append((self._paths[number], offset, length, crc))
        if not runs:
            return 0
        async with stream.loading(self._pipes, runs, self._data.codec, self._key, gate) as transfer:
            try:
                cursor = await transfer.run(
                    connection.execute(
                        sql.SQL("COPY {} FROM {} (FORMAT binary)").format(
                            target, sql.Literal(str(transfer.path))
                        )
                    )
                )
            except psycopg.Error as error:
                if connection.closed:
                    raise
                damage = await transfer.failure() or await asyncio.to_thread(stream.check, runs)
                if damage is None and error.sqlstate in ("22P03", "22P04"):
                    damage = stream.damaged(runs[0][0])
                raise damage or oracle_error(error) from error
            await transfer.finished()
        if cursor.rowcount != self._data.rows:
            raise OracleError(
                31619,
                f'invalid dump file "{self._data.name}"\n{cursor.rowcount} rows found,'
                f" {self._data.rows} expected",
            )
        return cursor.rowcount


async def load_rows(
    connection: Connection,
    definition: Definition,
    data: TableData,
    table: tuple[str, str],
    source: RowSource,
    gate: stream.Gate,
) -> Loaded:
    """Load `data` into a table within the caller's transaction; `gate` is passed before each block.

    Raises ORA-39034 when there is no such table, and what the rows and their source raise.
    """
    target = sql.Identifier(*table)
    row = await (
        await connection.execute("SELECT to_regclass(%s)::oid::int8", [target.as_string(connection)])
    ).fetchone()
    if row is None or row[0] is None:
        raise stack((39034, 'TABLE_DATA:"{}"."{}"'.format(*table)))
    present = dict(await columns_of(connection, row[0]))
    _check_columns(data, present, types=source.checks_types)
    if definition.load_method == "direct_path" or not definition.data_options & DISABLE_APPEND_HINT:
        # A direct path load, or an INSERT with APPEND, holds an exclusive TM lock: loads of a table queue.
        await connection.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(target))
    await connection.execute("SELECT set_config('localoracle.loading', 'yes', true)")
    skipping = bool(definition.data_options & SKIP_CONSTRAINT_ERRORS)
    try:
        if not skipping and not _needs_blanks(data, present):
            try:
                async with connection.transaction():
                    columns = sql.SQL(", ").join(sql.Identifier(name) for name, _ in data.columns)
                    return Loaded(
                        await source.copy(connection, sql.SQL("{} ({})").format(target, columns), gate)
                    )
            except OracleError as error:
                if error.code != _TOO_LARGE or not source.rejects_rows:
                    raise
        # The types of a table at the other end of a link are named otherwise there.
        kinds = (
            dict(data.columns) if source.checks_types else {name: present[name] for name, _ in data.columns}
        )
        return await _staged(connection, row[0], kinds, source, gate, skipping)
    except psycopg.Error as error:
        raise oracle_error(error) from error


async def _staged(
    connection: Connection,
    table: int,
    kinds: Mapping[str, str],
    source: RowSource,
    gate: stream.Gate,
    skipping: bool,
) -> Loaded:
    """By way of a table with columns of these types, which take the source's rows."""
    await connection.execute('DROP TABLE IF EXISTS "KU$STAGE"')
    columns = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(_bare_char(kind)))
        for name, kind in kinds.items()
    )
    await connection.execute(sql.SQL('CREATE TEMP TABLE "KU$STAGE" ({})').format(columns))
    listed = sql.SQL(", ").join(map(sql.Identifier, kinds))
    await source.copy(connection, sql.SQL('"KU$STAGE" ({})').format(listed), gate)
    found = await (
        await connection.execute(
            "SELECT loaded, rejected, reason, unfit FROM localoracle.insert_staged(%s::oid, %s, %s)",
            [table, list(kinds), skipping],
        )
    ).fetchone()
    assert found is not None
    loaded, rejected, reason, unfit = found
    return Loaded(loaded, rejected, reason, tuple(unfit))


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


def _bare_char(kind: str) -> str:
    """The type of a staging column: a CHAR of any length, as its rows get theirs in the table."""
    return _CHAR if _bare(kind) == _CHAR else kind
