"""Fills the demo source through the oracledb driver, as any client of an Oracle database would."""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import oracledb

from localoracle.demo.tables import insert, rows_by_table
from localoracle.instance.access import share
from localoracle.instance.config import DEFAULT_PASSWORD, PASSWORD_VARIABLE, Instance

OWNERS = ("APP", "DOCS", "TEST")
CONNECTIONS = 3
_MARKER = "Demonstration data {form} at scale {scale:g}"

Progress = Callable[[str], None]


@dataclass
class Loaded:
    """What `load` did: rows by table, `seconds`; `already` when the data was there and nothing was done."""

    rows: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    already: bool = False


def load(instance: Instance, scale: float = 1.0, *, progress: Progress | None = None) -> Loaded:
    """Make the demo source: users, directory, schema and data; scale 1 is about 300 MB.

    A second call with the same scale does nothing; data of another scale or of an older form, and what an
    interrupted call left, is dropped and loaded again. Raises oracledb.Error when a statement fails,
    ValueError for a scale below 0.
    """
    return fill(
        lambda: _connect(instance),
        scale,
        lambda _: _create_users(instance, "users.sql", "users_source.sql"),
        progress=progress,
    )


def fill(
    connect: Callable[[], oracledb.Connection],
    scale: float,
    create_users: Callable[[oracledb.Connection], None],
    *,
    progress: Progress | None = None,
) -> Loaded:
    """The same through connections of a DBA; `create_users` makes the schemas' owners anew."""
    if scale <= 0:
        raise ValueError("scale must be greater than 0")
    began = time.monotonic()
    marker = _MARKER.format(form=_form(), scale=scale)
    with connect() as connection:
        if _marker(connection) == marker:
            return Loaded(already=True)
        _drop_owners(connection)
        create_users(connection)
        statements = _statements("schema.sql")
        late = [text for text in statements if text.startswith(("CREATE INDEX", "CREATE TRIGGER"))]
        for text in statements:
            if text not in late:
                _execute(connection, text)
        keys = _keys(connection)
        for table, name in [*keys.foreign, *keys.own]:
            _execute(connection, f"ALTER TABLE {table} DISABLE CONSTRAINT {name}")
        indexes = [text for text in late if text.startswith("CREATE INDEX")]
        result = Loaded(_fill_tables(connect, scale, keys.own, indexes, progress or (lambda text: None)))
        for table, name in keys.foreign:
            _execute(connection, f"ALTER TABLE {table} ENABLE CONSTRAINT {name}")
        for text in late:
            if text not in indexes:
                _execute(connection, text)
        _execute(connection, f"COMMENT ON TABLE TEST.TESTTABLE IS '{marker}'")
    result.seconds = time.monotonic() - began
    return result


def _fill_tables(
    connect: Callable[[], oracledb.Connection],
    scale: float,
    own_keys: list[tuple[str, str]],
    indexes: list[str],
    progress: Progress,
) -> dict[str, int]:
    """Fill the tables, several at a time, each followed by its keys, indexes and statistics."""
    makers = rows_by_table(scale)
    waiting = deque(makers)
    counts: dict[str, int] = {}

    def work() -> None:
        try:
            with connect() as connection:
                while waiting:
                    table = waiting.popleft()
                    counts[table] = insert(connection, table, makers[table]())
                    progress(f"{table}: {counts[table]} rows")
                    for text in _after_the_rows(table, own_keys, indexes):
                        _execute(connection, text)
                    with connection.cursor() as cursor:
                        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", table.split("."))
        finally:
            waiting.clear()  # where one fails, the others end with their table

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        try:
            for done in [pool.submit(work) for _ in range(CONNECTIONS)]:
                done.result()
        finally:
            waiting.clear()
    return counts


def _after_the_rows(table: str, own_keys: list[tuple[str, str]], indexes: list[str]) -> list[str]:
    keys = [f"ALTER TABLE {table} ENABLE CONSTRAINT {name}" for owner, name in own_keys if owner == table]
    return keys + [text for text in indexes if text.split(" ON ")[1].startswith(f"{table} ")]


def prepare_target(instance: Instance) -> None:
    """Make users and the directory of the demo target; what is there already stays. Raises oracledb.Error."""
    _create_users(instance, "users.sql", "users_target.sql")
    with _connect(instance) as connection:
        if _query(connection, "SELECT CDB FROM V$DATABASE") == [("NO",)]:
            # For the trials of change capture, which run in no container database.
            _execute(connection, "ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE")


def _connect(instance: Instance, user: str = "SYSTEM") -> oracledb.Connection:
    password = os.environ.get(PASSWORD_VARIABLE, DEFAULT_PASSWORD)
    mode = oracledb.AUTH_MODE_SYSDBA if user == "SYS" else oracledb.AUTH_MODE_DEFAULT
    return oracledb.connect(user=user, password=password, dsn=instance.dsn, mode=mode)


def _form() -> str:
    """What distinguishes this version's data from another's."""
    package = resources.files("localoracle.demo")
    names = (
        *("schema.sql", "people.py", "business.py", "numbers.py", "documents.py"),
        *("draws.py", "pools.json", "tables.py"),
    )
    parts = [package.joinpath(name).read_bytes() for name in names]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:8]


def _statements(name: str) -> list[str]:
    """The statements of a script of this package; each ends with a line that holds only a slash."""
    text = resources.files("localoracle.demo").joinpath(name).read_text()
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return [part.strip() for part in "\n".join(lines).split("\n/") if part.strip()]


def _execute(connection: oracledb.Connection, text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text)


def _query(connection: oracledb.Connection, text: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, list(values))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _marker(connection: oracledb.Connection) -> str | None:
    """The comment that the last step of a load leaves."""
    rows = _query(
        connection,
        "SELECT COMMENTS FROM DBA_TAB_COMMENTS WHERE OWNER = 'TEST' AND TABLE_NAME = 'TESTTABLE'",
    )
    return rows[0][0] if rows else None


def _users(connection: oracledb.Connection) -> set[str]:
    return {name for (name,) in _query(connection, "SELECT USERNAME FROM DBA_USERS")}


def _drop_owners(connection: oracledb.Connection) -> None:
    for owner in sorted(_users(connection).intersection(OWNERS)):
        _execute(connection, f"DROP USER {owner} CASCADE")


def create_owners(connection: oracledb.Connection) -> None:
    """Make the schemas' owners and the application account; who is there stays."""
    _run_scripts(connection, "users.sql")


def _create_users(instance: Instance, *scripts: str) -> None:
    """As SYS, who alone may pass on EXECUTE on its packages."""
    dumps = instance.dump_directory / "refresh"
    dumps.mkdir(parents=True, exist_ok=True)
    share(dumps)
    with _connect(instance, "SYS") as connection:
        _run_scripts(connection, *scripts, dumps=instance.dump_directory, dbfs=instance.dbfs_directory)


def _run_scripts(connection: oracledb.Connection, *scripts: str, **folders: Path) -> None:
    present = _users(connection)
    for script in scripts:
        for text in _statements(script):
            words = text.split()
            if words[:2] == ["CREATE", "USER"] and words[2] in present:
                continue
            _execute(connection, text.format(**folders))


@dataclass(frozen=True)
class _Keys:
    """Table and name of every key: to be checked once after the load, not row by row."""

    foreign: list[tuple[str, str]]
    own: list[tuple[str, str]]
    """Primary and unique keys, without those that their table is organized by."""


def _keys(connection: oracledb.Connection) -> _Keys:
    rows = _query(
        connection,
        "SELECT C.CONSTRAINT_TYPE, C.OWNER || '.' || C.TABLE_NAME, C.CONSTRAINT_NAME FROM DBA_CONSTRAINTS C"
        " JOIN DBA_TABLES T ON T.OWNER = C.OWNER AND T.TABLE_NAME = C.TABLE_NAME"
        " WHERE C.OWNER IN ('APP', 'DOCS', 'TEST')"
        " AND (C.CONSTRAINT_TYPE = 'R' OR C.CONSTRAINT_TYPE IN ('P', 'U') AND T.IOT_TYPE IS NULL)"
        " ORDER BY 2, 3",
    )
    return _Keys(
        [(table, name) for kind, table, name in rows if kind == "R"],
        [(table, name) for kind, table, name in rows if kind != "R"],
    )
