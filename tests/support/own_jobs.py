"""Data Pump jobs of a DAG that is not a refresh."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from oracle_refresh.datapump import single
from oracle_refresh.operators.datapump import DataPumpImport
from support.demo import DemoDatabase

COUNTRIES = "APP.COUNTRIES"
WHOLE: dict[str, Any] = {"tables": COUNTRIES, "conn_id": "oracle_source", "directory": "refresh_dumps"}


@dataclass
class Store(dict[str, Any]):
    """Stands for the task's state store."""

    def set(self, key: str, value: Any) -> None:
        self[key] = value

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Task:
    """One task of one DAG run, as often as it is tried."""

    operator: type[Any]
    arguments: dict[str, Any]
    store: Store = field(default_factory=Store)
    run_id: str = field(default_factory=lambda: f"manual__{uuid4().hex[:8]}")

    @property
    def context(self) -> Any:
        ti = SimpleNamespace(dag_id="own", map_index=2)
        return {"run_id": self.run_id, "ti": ti, "task_state_store": self.store}

    def new(self, **changes: Any) -> Any:
        return self.operator(task_id="move.countries", **(self.arguments | changes))

    def execute(self, **changes: Any) -> Any:
        return self.new(**changes).execute(self.context)

    @property
    def job(self) -> str:
        return single.job_name("own", self.run_id, "move.countries", 2)


@pytest.fixture(autouse=True)
def _connections(connections: pytest.MonkeyPatch) -> None:
    pass


@pytest.fixture
def arrived(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[Any]:
    """Carries dump files to the target, where the DIRECTORY `DUMPS` and the user `COPY` are for them."""
    folder = demo_target.server.instance.dump_directory
    with demo_target.system() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE OR REPLACE DIRECTORY DUMPS AS '{folder}'")
        cursor.execute(f"GRANT READ, WRITE ON DIRECTORY DUMPS TO {demo_target.user}")
        cursor.execute('CREATE USER "COPY" IDENTIFIED BY "copy_demo" QUOTA UNLIMITED ON USERS')

        def carry(result: dict[str, Any]) -> list[str]:
            for name in result["files"]:
                shutil.copy(demo_source.server.instance.dump_directory / "refresh" / name, folder / name)
            return list(result["files"])

        yield carry
        cursor.execute('DROP USER "COPY" CASCADE')


def into_copy(files: list[str], **more: Any) -> Task:
    arguments = {
        "conn_id": "oracle_target",
        "directory": "DUMPS",
        "tables": COUNTRIES,
        "dump_files": files,
        "remap_schema": {"app": '"COPY"'},
        "remap_table": {COUNTRIES: "lands"},
        "transforms": {"SEGMENT_ATTRIBUTES": "N", "STORAGE:TABLE": 0},
        "exclude": ["STATISTICS", "OBJECT_GRANT"],
    }
    return Task(DataPumpImport, arguments | more)
