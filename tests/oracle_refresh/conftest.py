"""Two running stand-in databases with a little of the demo data, for tests that talk to a database.

They are started through the command line, as a user starts them: nothing here knows how they work.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import oracledb
import pytest

SYSTEM_PASSWORD = "system_demo"
SCALE = 0.02


@dataclass(frozen=True)
class DemoDatabase:
    """One running demo database. `user` is that of the refresh."""

    name: str
    port: int
    home: Path

    @property
    def dsn(self) -> str:
        return f"127.0.0.1:{self.port}/{self.name.upper()}"

    @property
    def user(self) -> str:
        return f"REFRESH_{self.name.upper()}"

    def connect(self, user: str | None = None, password: str | None = None) -> oracledb.Connection:
        """A connection of the refresh's user, or of another one with its demo password."""
        name = user or self.user
        return oracledb.connect(user=name, password=password or f"{name.lower()}_demo", dsn=self.dsn)

    async def connect_async(self) -> oracledb.AsyncConnection:
        return await oracledb.connect_async(
            user=self.user, password=f"{self.user.lower()}_demo", dsn=self.dsn
        )

    def command(self, *arguments: str) -> None:
        environment = {
            **os.environ,
            "LOCALORACLE_HOME": str(self.home),
            "LOCALORACLE_SYSTEM_PASSWORD": SYSTEM_PASSWORD,
            f"LOCALORACLE_PORT_{self.name.upper()}": str(self.port),
        }
        command = [sys.executable, "-m", "localoracle", *arguments]
        subprocess.run(command, env=environment, check=True, timeout=120)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def running(name: str) -> Iterator[DemoDatabase]:
    home = Path(tempfile.mkdtemp(prefix="oracle_refresh_"))
    home.chmod(0o755)  # PostgreSQL runs as another user where the tests run as root
    database = DemoDatabase(name, free_port(), home)
    try:
        database.command("start", name)
        try:
            database.command("load-demo", name, "--scale", str(SCALE))
            yield database
        finally:
            database.command("stop", name)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def demo_source() -> Iterator[DemoDatabase]:
    """The demo source at a fiftieth of its size."""
    yield from running("source")


@pytest.fixture(scope="session")
def demo_target() -> Iterator[DemoDatabase]:
    """The demo target: users, grants and directories, no tables."""
    yield from running("target")


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
