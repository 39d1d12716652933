"""One Data Pump export of a table, as of the moment it starts, and its import under another name.

Both in one database, so its user needs DATAPUMP_EXP_FULL_DATABASE besides what include/sql/grants.sql gives
the target's. From one database to another the export gets the source's connection and DIRECTORY, and the dump
file has to be brought to the target's: these operators carry no files.
"""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.operators.datapump import DataPumpExport, DataPumpImport


def text(default: str, title: str, description: str) -> Param:
    return Param(default, type="string", minLength=1, title=title, description=description, section="What")


with DAG(
    "example_datapump",
    description="Export a table and import it as a copy",
    doc_md=__doc__,
    schedule=None,
    tags=["oracle", "example", "data pump"],
    params={
        "conn_id": text("oracle_target", "Connection", "Marked as target in its extra"),
        "directory": text("REFRESH_STAGE", "Directory", "DIRECTORY object for the dump file and the logs"),
        "table": text(
            "APP.EMPLOYEES", "Table", "OWNER.NAME; no index-organized one, whose key would keep its name"
        ),
        "new_name": text("EMPLOYEES_COPY", "New name", "Name of the table that it is imported as"),
    },
    default_args={
        "conn_id": "{{ params.conn_id }}",
        "directory": "{{ params.directory }}",
        "tables": ["{{ params.table }}"],
        "retries": 2,
        "retry_policy": OracleRetryPolicy(),
    },
):
    export = DataPumpExport(task_id="export_table", scn="now", dump_file="example_{{ ts_nodash }}.dmp")
    load = DataPumpImport(
        task_id="import_copy",
        dump_files=["example_{{ ts_nodash }}.dmp"],
        remap_table="{{ params.table }}:{{ params.new_name }}",
        table_exists_action="replace",
        exclude=["CONSTRAINT", "INDEX", "TRIGGER", "STATISTICS"],
    )
    export >> load
