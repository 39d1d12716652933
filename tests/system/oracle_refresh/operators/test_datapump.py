"""Data Pump jobs outside a refresh: deferred, of queries, of whole schemas, and not to be repeated."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.operators.datapump import DataPumpExport
from oracle_refresh.oracle.errors import DataPumpError
from support.demo import DemoDatabase
from support.own_jobs import COUNTRIES, WHOLE, Task, _connections, arrived, into_copy
from support.transfer import count

__all__ = ["_connections", "arrived"]


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
