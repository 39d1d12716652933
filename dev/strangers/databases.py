"""A new, empty stand-in for each suite, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import oracledb

from strangers import places

PASSWORD = "strangers"


@dataclass(frozen=True)
class Database:
    port: int
    service: str = "STRANGERS"

    @property
    def dsn(self) -> str:
        return f"127.0.0.1:{self.port}/{self.service}"

    def execute(self, statements: Iterable[str]) -> None:
        """As SYSTEM."""
        connection = oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=self.dsn)
        with connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


@contextmanager
def database(suite: str) -> Iterator[Database]:
    """Running; SYS and SYSTEM have `PASSWORD`. Its statement log stays in the suite's folder."""
    made = Database(_free_port())
    home = places.folder(suite) / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    log = places.folder(suite) / "statements.jsonl"
    log.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "LOCALORACLE_HOME": str(home),
        "LOCALORACLE_SYSTEM_PASSWORD": PASSWORD,
        "LOCALORACLE_STATEMENT_LOG": str(log),
    }
    name = made.service.lower()
    _localoracle(environment, "start", name, "--port", str(made.port))
    try:
        yield made
    finally:
        _localoracle(environment, "stop", name)
        shutil.rmtree(home, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _localoracle(environment: dict[str, str], *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "localoracle", *words], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"localoracle {' '.join(words)}:\n{done.stdout}{done.stderr}")
