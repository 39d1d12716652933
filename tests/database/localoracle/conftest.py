"""A stand-in database inside the test process: no listener, sessions opened directly."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from localoracle.instance.config import Instance
from localoracle.server.database import Database
from localoracle.session.session import Session
from localoracle.values import DataType, OracleType, Value
from support.stand_in import copy_tree, empty_cluster

NUMBER = DataType(OracleType.NUMBER)
TEXT = DataType(OracleType.VARCHAR2, size=4000)


class World:
    """Runs coroutines on one event loop; `system` is a session of SYSTEM."""

    def __init__(self, runner: asyncio.Runner, database: Database) -> None:
        self._runner = runner
        self.database = database
        self.system: Session = runner.run(database.open_session("SYSTEM"))
        self.dumps = database.instance.dump_directory

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(work)

    def sql(self, text: str, *values: Any) -> list[tuple[Any, ...]]:
        """PostgreSQL SQL as superuser."""
        return self.run(self.database.system(text, values))

    def block(self, text: str, session: Session | None = None, **binds: Any) -> dict[str, Any]:
        """Run a PL/SQL block; a bind of None is a VARCHAR2. Returns the binds afterwards."""
        values = {
            name.upper(): Value(NUMBER if isinstance(value, int) else TEXT, value)
            for name, value in binds.items()
        }
        self.run((session or self.system).run(text, by_name=values))
        return {name.lower(): value.value for name, value in values.items()}

    def session(self, user: str) -> Session:
        return self.run(self.database.open_session(user))

    def user(self, name: str, *privileges: str) -> None:
        self.sql("SELECT localoracle.create_user(%s, %s, %s)", name, b"", b"")
        for privilege in privileges:
            self.sql(f'GRANT "{privilege}" TO "{name}"')

    def log(self, name: str) -> str:
        return (self.dumps / name).read_text()


@pytest.fixture(scope="package")
def world() -> Iterator[World]:
    with tempfile.TemporaryDirectory(prefix="localoracle-test-") as folder, asyncio.Runner() as runner:
        database = Database(Instance("source", Path(folder) / "source", 0))
        copy_tree(empty_cluster(), database.instance.cluster_directory)
        runner.run(database.start(listen=False))
        try:
            yield World(runner, database)
        finally:
            runner.run(database.stop())
