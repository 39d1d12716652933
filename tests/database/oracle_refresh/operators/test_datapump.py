"""Data Pump jobs outside a refresh: what they move, what they return, and what a repeated task does."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump import beginning, single
from oracle_refresh.operators import base
from oracle_refresh.operators.datapump import DataPumpExport, DataPumpImport
from oracle_refresh.oracle.errors import DataPumpError, PreflightError
from support.demo import DemoDatabase
from support.own_jobs import COUNTRIES, WHOLE, Task, _connections, arrived, into_copy
from support.transfer import count

__all__ = ["_connections", "arrived"]


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
