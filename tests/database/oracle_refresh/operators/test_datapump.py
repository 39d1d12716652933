"""Data Pump jobs outside a refresh: what they move, what they return, and what a repeated task does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.datapump import beginning, single
from oracle_refresh.operators import base
from oracle_refresh.operators.datapump import DataPumpExport, DataPumpImport
from oracle_refresh.oracle.errors import DataPumpError, PreflightError
from support.demo import DemoDatabase
from support.transfer import count

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


def test_an_export_and_its_import_elsewhere(
    arrived: Any, source: oracledb.Connection, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "NOTED_EVERY", 0.0)
    export = Task(DataPumpExport, {**WHOLE, "scn": "now", "parallel": "2", "compression": "all"})
    exported = export.execute()
    rows = count(source, COUNTRIES)
    assert exported["rows"] == {COUNTRIES: rows}
    assert (exported["job"], exported["verdict"]) == (export.job, "succeeded")
    assert exported["scn"] == export.store["scn"] > 0
    assert export.store["progress"]["percent"] == 100.0
    assert export.execute() == exported, "a repeated task accepts what its former try did"

    task = into_copy(arrived(exported))
    imported = task.execute()
    assert imported["rows"] == {"COPY.LANDS": rows}

    assert count(target, '"COPY"."LANDS"') == rows
    assert task.execute() == imported
    assert count(target, '"COPY"."LANDS"') == rows, "nothing is imported twice"


def test_rows_that_a_query_chooses(source: oracledb.Connection) -> None:
    queries = {COUNTRIES: "WHERE ROWNUM <= 3"}
    assert Task(DataPumpExport, {**WHOLE, "queries": queries}).execute()["rows"] == {COUNTRIES: 3}


def test_whole_schemas_and_definitions_alone(demo_source: DemoDatabase) -> None:
    fields = {**WHOLE, "tables": (), "schemas": "app", "content": "metadata_only", "include": "TABLE"}
    done = Task(DataPumpExport, fields).execute()
    assert done["rows"] == {}
    assert done["files"]


def test_deferred(arrived: Any, target: oracledb.Connection) -> None:
    export = Task(DataPumpExport, {**WHOLE, "scn": "now", "deferrable": True})
    with pytest.raises(TaskDeferred) as caught:
        export.execute()
    assert caught.value.trigger.serialize()[1]["job_name"] == export.job
    done = export.new().execute_complete(export.context, {}, **caught.value.kwargs)
    assert done["scn"] == export.store["scn"]
    assert done["rows"][COUNTRIES] > 0


def test_what_may_be_doubled_is_refused(
    arrived: Any, target: oracledb.Connection, demo_target: DemoDatabase
) -> None:
    files = arrived(Task(DataPumpExport, WHOLE).execute())
    task = into_copy(files)
    rows = sum(task.execute()["rows"].values())
    (log_file,) = demo_target.server.instance.dump_directory.glob(f"{task.job.lower()}_1.log")
    lines = log_file.read_text().splitlines(keepends=True)
    log_file.write_text("".join(lines[:-1]))  # as if the instance had died with the job
    again = {"table_exists_action": "append", "content": "data_only", "exclude": (), "transforms": {}}
    with pytest.raises(DataPumpError, match="could double them") as caught:
        task.execute(**again)
    assert "_1.log" in str(caught.value)
    assert count(target, '"COPY"."LANDS"') == rows
    done = task.execute(**again | {"table_exists_action": "truncate"})
    assert done["log_file"].endswith("_2.log")
    assert count(target, '"COPY"."LANDS"') == rows


def test_an_import_that_moved_nothing_may_be_repeated(arrived: Any, target: oracledb.Connection) -> None:
    task = into_copy(arrived(Task(DataPumpExport, WHOLE).execute()), content="data_only", exclude=())
    with pytest.raises(DataPumpError):
        task.execute(transforms={})  # there is no table to load into
    with target.cursor() as cursor:
        cursor.execute('CREATE TABLE "COPY"."LANDS" AS SELECT 1 X FROM DUAL WHERE 1 = 0')
        cursor.execute('DROP TABLE "COPY"."LANDS" PURGE')
    assert task.execute(content="all", transforms={})["rows"]


def test_roles() -> None:
    with pytest.raises(PreflightError, match="needs the refresh target"):
        into_copy(["x.dmp"], conn_id="oracle_source").execute()


def test_an_unmarked_connection_writes_nothing(
    connections: pytest.MonkeyPatch, demo_source: DemoDatabase
) -> None:
    from support.demo import airflow_connection

    unmarked = airflow_connection(demo_source, extra={"service_name": demo_source.dsn.partition("/")[2]})
    connections.setenv("AIRFLOW_CONN_SOMEBODY", unmarked)
    with pytest.raises(PreflightError, match="not marked at all"):
        Task(DataPumpExport, {**WHOLE, "conn_id": "somebody"}).execute()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"tables": "APP.A,TEST.B"}, "of one schema"),
        ({"tables": "COUNTRIES"}, "OWNER.NAME"),
        ({"tables": ()}, "either tables or schemas"),
        ({"trace": "480300"}, "use the runner client"),
        ({"content": "data_only", "exclude": "INDEX"}, "rows alone"),
        ({"runner": "sqlplus"}, "not a valid Runner"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises((DataPumpError, PreflightError, ValueError), match=complaint):
        Task(DataPumpExport, {**WHOLE, **changes}).execute()


@pytest.mark.parametrize(
    ("given", "schemas", "tables"),
    [
        ({"app": '"Copy"', "B": "C"}, (("APP", "Copy"), ("B", "C")), {"APP.T": "lands"}),
        ('app:"Copy", B:C', (("APP", "Copy"), ("B", "C")), "APP.T:lands"),
        (['app:"Copy"', "B:C"], (("APP", "Copy"), ("B", "C")), ["app.t:LANDS"]),
        (None, (), None),
        ("", (), ""),
    ],
)
def test_names_are_remapped_by_a_mapping_or_as_data_pump_has_it(
    given: Any, schemas: tuple[tuple[str, str], ...], tables: Any
) -> None:
    task = into_copy(["a.dmp"], remap_schema=given, remap_tablespace=given, remap_table=tables).new()
    spec = task.describe("J", None)
    assert spec.remap_schema == spec.remap_tablespace == schemas
    assert spec.remap_table == (((("APP", "T"), "LANDS"),) if tables else ())


@pytest.mark.parametrize("given", ["APP", "APP:", ":COPY", ["APP:COPY", "B"]])
def test_what_is_remapped_to_nothing_is_refused(given: Any) -> None:
    with pytest.raises(PreflightError, match="is not remapped to anything"):
        into_copy(["a.dmp"], remap_schema=given).new().describe("J", None)


def test_they_can_be_mapped() -> None:
    from airflow.sdk import DAG
    from airflow.serialization.serialized_objects import DagSerialization

    with DAG("own") as dag:
        places = {"conn_id": "c", "directory": "d"}
        DataPumpExport.partial(task_id="out", **places, deferrable=True).expand(tables=["A.B", "A.C"])
        DataPumpImport.partial(task_id="in", **places).expand_kwargs([{"dump_files": "x", "tables": "A.B"}])
    assert set(DagSerialization.from_dict(DagSerialization.to_dict(dag)).task_dict) == {"out", "in"}


def test_names_of_jobs() -> None:
    first, second = (single.job_name("d", "r", "group.Some-Task_with_a_long_name", index) for index in (1, 2))
    assert first != second
    assert first.startswith("DP_GROUP_SOME_T")
    assert len(first) <= 30
    assert beginning.ATTEMPTS > 1
