"""Two running stand-in databases with a little demo data, for tests that need both ends of a refresh."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import oracledb
import pytest

from support.grants import make_user_anew
from support.stand_in import Server, copy_tree, new_home, new_server, remove_spare_log

SCALE = 0.02
#: The tables of APP that tests of a small refresh leave out: all but COUNTRIES and EMPLOYEES.
MOST_OF_APP = (
    *("ACCOUNTS", "ADDRESSES", "CARDS", "CUSTOMERS", "DEPENDANTS", "IDENTITY_DOCUMENTS", "INVOICES"),
    *("LOGINS", "ORDERS", "PAYMENTS", "SUPPLIERS", "TICKETS", "TRANSFERS"),
)
#: Fields of a definition that leaves out tables of APP that have no property of their own: an index-organized
#: table, partitions, LOBs, a trigger, views, references to itself and to a unique key remain.
FEWER_TABLES = {
    "exclude_tables": [
        f"APP.{name}"
        for name in (
            *("ADDRESSES", "DEPENDANTS", "IDENTITY_DOCUMENTS", "INVOICES"),
            *("LOGINS", "SUPPLIERS", "TRANSFERS"),
        )
    ]
}


def as_demo_user(user: str, dsn: str) -> oracledb.Connection:
    """A connection of one of the demo's users; SYS connects as Oracle lets it."""
    sys = user == "SYS"
    password = "system_demo" if sys else f"{user.lower()}_demo"
    mode = oracledb.AUTH_MODE_SYSDBA if sys else oracledb.AUTH_MODE_DEFAULT
    return oracledb.connect(user=user, password=password, dsn=dsn, mode=mode)


@dataclass(frozen=True)
class DemoDatabase:
    """One running demo database. `user` is that of the refresh."""

    server: Server
    name: str

    @property
    def dsn(self) -> str:
        return str(self.server.dsn)

    @property
    def user(self) -> str:
        return f"REFRESH_{self.name.upper()}"

    def system(self) -> oracledb.Connection:
        return self.server.connect()

    def sys(self) -> oracledb.Connection:
        return self.server.sys()

    def connect(self, user: str | None = None, password: str | None = None) -> oracledb.Connection:
        """A connection of the refresh's user, or of another one with its demo password."""
        name = user or self.user
        return oracledb.connect(user=name, password=password or f"{name.lower()}_demo", dsn=self.dsn)


@contextmanager
def database_link(name: str, target: DemoDatabase, source: DemoDatabase, password: str = "") -> Iterator[str]:
    """A database link of the target's refresh user to the other's, dropped at the end."""
    with target.system() as system, system.cursor() as cursor:
        cursor.execute(f"GRANT CREATE DATABASE LINK TO {target.user}")
    with target.connect() as connection, connection.cursor() as cursor:
        cursor.execute(
            f"CREATE DATABASE LINK {name} CONNECT TO {source.user}"
            f" IDENTIFIED BY \"{password or f'{source.user.lower()}_demo'}\" USING '{source.dsn}'"
        )
    yield name
    with target.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE LINK {name}")


def running(name: str, *filling: str) -> Iterator[DemoDatabase]:
    server, stop = new_server(name)
    try:
        filled = server.command(*filling)
        assert filled.returncode == 0, filled.stdout + filled.stderr
        yield DemoDatabase(server, name)
    finally:
        stop()


@contextmanager
def empty_source() -> Iterator[DemoDatabase]:
    """Start a source that has only the user of a refresh, as include/sql/grants.sql creates it."""
    server, stop = new_server("source")
    try:
        database = DemoDatabase(server, "source")
        (server.instance.dump_directory / "refresh").mkdir()
        make_user_anew(database)
        yield database
    finally:
        stop()


@dataclass(frozen=True)
class Kept:
    """A demo target that was stopped when it was prepared, and where it stood."""

    files: Path
    home: Path


_idle: list[Kept] = []


def prepared_target() -> Iterator[DemoDatabase]:
    """A demo target with users, grants and directory: a copy of one that is prepared once in a test run.

    It stands where that one stood, since a database knows the paths of its directories.
    """
    kept = _idle.pop() if _idle else _prepare()
    copy_tree(kept.files, kept.home)
    server, stop = new_server("target", kept.home)
    try:
        yield DemoDatabase(server, "target")
    finally:
        if stop():
            _idle.append(kept)


def _prepare() -> Kept:
    server, stop = new_server("target")
    try:
        for words in (("prepare-target",), ("stop",)):
            done = server.command(*words)
            assert done.returncode == 0, done.stdout + done.stderr
        remove_spare_log(server.instance)
        kept = Kept(new_home(), server.instance.root.parent)
        copy_tree(kept.home, kept.files)
        return kept
    finally:
        stop()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Before it is looked for what the session has left behind."""
    for kept in _idle:
        shutil.rmtree(kept.files, ignore_errors=True)


@pytest.fixture(scope="session")
def demo_source() -> Iterator[DemoDatabase]:
    """The demo source at a fiftieth of its size; its user is as include/sql/grants.sql makes it."""
    for database in running("source", "load-demo", "--scale", str(SCALE)):
        make_user_anew(database)
        yield database


@pytest.fixture(scope="module")
def demo_target() -> Iterator[DemoDatabase]:
    """The demo target, new for every test module: users, grants and directory, no tables."""
    yield from prepared_target()


@pytest.fixture(scope="package")
def folder_target() -> Iterator[DemoDatabase]:
    """The demo target of all modules of a folder whose conftest names it `demo_target`; each leaves it as it
    was."""
    yield from prepared_target()


@pytest.fixture
def source(demo_source: DemoDatabase) -> Iterator[oracledb.Connection]:
    """A connection of REFRESH_SOURCE."""
    with demo_source.connect() as connection:
        yield connection


@pytest.fixture
def target(demo_target: DemoDatabase) -> Iterator[oracledb.Connection]:
    """A connection of REFRESH_TARGET."""
    with demo_target.connect() as connection:
        yield connection


def airflow_connection(database: DemoDatabase, **changes: object) -> str:
    """An Airflow connection to a demo database, as JSON; `changes` replace its fields."""
    host, _, rest = database.dsn.partition(":")
    port, _, service = rest.partition("/")
    fields: dict[str, object] = {
        "conn_type": "oracle",
        "host": host,
        "port": int(port),
        "login": database.user,
        "password": f"{database.user.lower()}_demo",
        "extra": {"service_name": service, "refresh_role": database.name},
    }
    return json.dumps(fields | changes)


def set_connections(
    environment: pytest.MonkeyPatch, source: DemoDatabase, target: DemoDatabase
) -> pytest.MonkeyPatch:
    """Set the three Airflow connections of the demo definition."""
    environment.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(source))
    environment.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(target))
    key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
    environment.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
    environment.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
    return environment


@pytest.fixture
def connections(
    demo_source: DemoDatabase, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> pytest.MonkeyPatch:
    """The three Airflow connections of the demo definition, for operators."""
    return set_connections(monkeypatch, demo_source, demo_target)
