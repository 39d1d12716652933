"""A running stand-in database for the tests: one server process per test run, a fresh schema per test."""

from __future__ import annotations

import functools
import io
import itertools
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import oracledb
import psycopg
import pytest

import localoracle.__main__
from localoracle.__main__ import main
from localoracle.admin.passwords import make_verifier
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from localoracle.server.control import ControlError, send
from localoracle.server.database import BUILT_IN_USERS, bootstrap
from support import forked_servers
from support.forked_servers import ForkedServer

SYSTEM_PASSWORD = "system_for_tests"
PASSWORD = "a_test_password"
#: Of an application owner. To grant them costs the stand-in as much for forty users as for two.
PRIVILEGES = (
    "CREATE SESSION, CREATE TABLE, CREATE VIEW, CREATE SEQUENCE, CREATE TRIGGER, CREATE PROCEDURE, "
    "CREATE TYPE, CREATE SYNONYM, UNLIMITED TABLESPACE"
)
CREATED_AT_ONCE = 40
_whole_process = threading.Lock()
_numbers = itertools.count(1)


def _own_ports(first: int = 17_000, count: int = 1_000, workers: int = 15) -> Iterator[int]:
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % workers
    ports = range(first + worker * count, first + (worker + 1) * count)
    # Another test run on the same machine begins elsewhere.
    begin = random.randrange(count)
    return itertools.cycle((*ports[begin:], *ports[:begin]))


_ports = _own_ports()


def free_port() -> int:
    """A port that stays free until it is used, and while a killed server is started again.

    Who leaves the choice to the system, as every client does, gets one of its range, maybe one that was free
    a moment ago. These are below that range, and each worker of a test run has its own.
    """
    while True:
        port = next(_ports)
        with socket.socket() as listener, suppress(OSError):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            return port


@dataclass
class Server:
    """A server process with its DSN."""

    instance: Instance
    environment: dict[str, str] = field(default_factory=dict)
    _spare_users: list[str] = field(default_factory=list)
    _system: oracledb.Connection | None = None

    @property
    def dsn(self) -> str:
        return self.instance.dsn

    def connect(self, user: str = "SYSTEM", password: str = SYSTEM_PASSWORD) -> oracledb.Connection:
        return oracledb.connect(user=user, password=password, dsn=self.dsn)

    def sys(self) -> oracledb.Connection:
        """A connection of SYS: nobody else may pass on privileges on its packages and views."""
        return oracledb.connect(
            user="SYS", password=SYSTEM_PASSWORD, dsn=self.dsn, mode=oracledb.AUTH_MODE_SYSDBA
        )

    def as_system(self, *statements: str) -> None:
        """Run statements in a session of SYSTEM that stays open. Replace one that a test has ended."""
        try:
            assert self._system is not None
            self._system.ping()
        except (AssertionError, oracledb.Error):
            self._system = self.connect()
        with self._system.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def create_users(self, *names: str) -> None:
        """Create users with the privileges of an application owner."""
        created = (f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}"' for name in names)
        self.as_system(*created, f"GRANT {PRIVILEGES} TO {', '.join(names)}")

    def spare_user(self) -> str:
        """The name of a user that no test has had."""
        if not self._spare_users:
            names = [f"TEST_{next(_numbers)}" for _ in range(CREATED_AT_ONCE)]
            self.create_users(*names)
            self._spare_users = names
        return self._spare_users.pop(0)

    async def connect_async(
        self, user: str = "SYSTEM", password: str = SYSTEM_PASSWORD
    ) -> oracledb.AsyncConnection:
        return await oracledb.connect_async(user=user, password=password, dsn=self.dsn)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What `python -m localoracle <word> <instance> ...` does, and what it prints.

        Commands that are done in a moment need no process of their own: to start one takes longer.
        """
        if words[0] == "control":
            return self._control(*words[1:])
        if words[0] in ("start", "stop", "status"):
            return self._in_process(*words)
        return subprocess.run(
            [sys.executable, "-m", "localoracle", words[0], self.instance.name, *words[1:]],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=1200,
        )

    def _control(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.CompletedProcess(words, 0, f"{send(self.instance, *words)}\n", "")
        except ControlError as error:
            return subprocess.CompletedProcess(words, 1, "", f"{error}\n")

    def _in_process(self, word: str, *options: str) -> subprocess.CompletedProcess[str]:
        printed, complained = io.StringIO(), io.StringIO()
        # Environment and output are the process's: one thread at a time.
        with _whole_process, pytest.MonkeyPatch.context() as environment:
            for name, text in self.environment.items():
                environment.setenv(name, text)
            started_by = SimpleNamespace(Popen=ForkedServer, DEVNULL=subprocess.DEVNULL)
            environment.setattr(localoracle.__main__, "subprocess", started_by)
            environment.setattr(localoracle.__main__, "START_SECONDS", forked_servers.START_SECONDS)
            with redirect_stdout(printed), redirect_stderr(complained):
                code = main([word, self.instance.name, *options])
        return subprocess.CompletedProcess((word, *options), code, printed.getvalue(), complained.getvalue())

    @property
    def statement_log(self) -> Path:
        return Path(self.environment["LOCALORACLE_STATEMENT_LOG"])


def new_home() -> Path:
    """An empty temporary directory for instances."""
    return Path(tempfile.mkdtemp(prefix="localoracle_"))


def copy_tree(files: Path, place: Path) -> None:
    """With owners and permissions: those of PostgreSQL's files are another user's."""
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{files}/.", str(place)], check=True)


def remove_spare_log(instance: Instance) -> None:
    """Of a stopped database: half of a small one is files that PostgreSQL keeps to write its log to later."""
    for spare in sorted((instance.cluster_directory / "pg_wal").glob("0*"))[1:]:
        spare.unlink()


def _logs(instance: Instance) -> str:
    """The ends of an instance's logs, which are removed with it."""
    paths = sorted(instance.log_directory.glob("*.log"))
    return "\n".join(f"{path.name}:\n{path.read_text(errors='replace')[-4000:]}" for path in paths)


@functools.cache
def empty_cluster() -> Path:
    """What a first start makes before the instance has a name: made once, every new database is a copy."""
    home = new_home()
    instance = Instance("empty", home / "empty", 0)
    cluster = Cluster(instance)
    try:
        cluster.start()
        with cluster.connect() as connection:
            bootstrap.create(connection)
            for user in BUILT_IN_USERS:
                connection.execute(
                    "UPDATE localoracle.users SET password_salt = %s, password_hash = %s WHERE username = %s",
                    [*make_verifier(SYSTEM_PASSWORD), user],
                )
    except (RuntimeError, psycopg.Error) as error:
        raise AssertionError(f"{error}\n{_logs(instance)}") from error
    finally:
        cluster.stop()
        shutil.rmtree(cluster.socket_directory, ignore_errors=True)
    remove_spare_log(instance)
    return instance.cluster_directory


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Before it is looked for what the session has left behind."""
    forked_servers.end()
    if empty_cluster.cache_info().currsize:
        shutil.rmtree(empty_cluster().parents[1], ignore_errors=True)


def new_server(
    name: str = "testdb", home: Path | None = None, *, options: tuple[str, ...] = ()
) -> tuple[Server, Callable[[], bool]]:
    """A started server in a temporary directory, and what stops and removes it and tells whether it stopped.

    In `home` there may be a stopped database of that name: it is started again. `options` are those of
    `localoracle start`.
    """
    home = home or new_home()
    if not (home / name).exists():
        copy_tree(empty_cluster(), Instance(name, home / name, 0).cluster_directory)
    port = free_port()
    server = Server(
        Instance(name, home / name, port),
        {
            "LOCALORACLE_HOME": str(home),
            "LOCALORACLE_SYSTEM_PASSWORD": SYSTEM_PASSWORD,
            f"LOCALORACLE_PORT_{name.upper()}": str(port),
            "LOCALORACLE_STATEMENT_LOG": str(home / "statements.jsonl"),
        },
    )
    started = server.command("start", *options)
    assert started.returncode == 0, f"{started.stdout}{started.stderr}{_logs(server.instance)}"

    def end() -> bool:
        stopped = server.command("stop").returncode == 0
        shutil.rmtree(home, ignore_errors=True)
        return stopped

    return server, end


@pytest.fixture(scope="session")
def oracle() -> Iterator[Server]:
    """A running stand-in; its state is shared by all tests of the run."""
    server, end = new_server()
    yield server
    end()


@dataclass
class Schema:
    """A user of its own with a schema and an open connection."""

    name: str
    password: str
    server: Server
    connection: oracledb.Connection

    def connect(self) -> oracledb.Connection:
        return self.server.connect(self.name, self.password)

    async def connect_async(self) -> oracledb.AsyncConnection:
        return await self.server.connect_async(self.name, self.password)


@pytest.fixture
def schema(oracle: Server) -> Iterator[Schema]:
    """A fresh user with the usual rights of an application owner."""
    yield from new_schema(oracle)


@pytest.fixture(scope="module")
def module_schema(oracle: Server) -> Iterator[Schema]:
    """The same for all tests of a module, which name their tables apart."""
    yield from new_schema(oracle)


def new_schema(oracle: Server, name: str = "") -> Iterator[Schema]:
    """A user with the usual rights of an application owner, and of a name of its own unless one is given."""
    if name:
        oracle.create_users(name)
    else:
        name = oracle.spare_user()
    connection = oracle.connect(name, PASSWORD)
    try:
        yield Schema(name, PASSWORD, oracle, connection)
    finally:
        connection.close()
        oracle.as_system(f"DROP USER {name} CASCADE")
