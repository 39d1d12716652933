"""Oracle's sample schemas HR, CO and SH: run their installation scripts, if SAMPLES names a folder with them.

SAMPLES is a checkout of https://github.com/oracle-samples/db-sample-schemas.
"""

from __future__ import annotations

import csv
import os
from itertools import islice
from pathlib import Path

import oracledb
import pytest

from support.sqlplus import Script
from support.stand_in import Server

FOLDERS = {"HR": "human_resources", "CO": "customer_orders", "SH": "sales_history"}
PASSWORD = "Sample_schemas_1"
LOADED = 1_000
"""Rows of each CSV file that are loaded; the largest file of SH has 900,000."""


def load(connection: oracledb.Connection, table: str, path: Path) -> None:
    """Load the first rows of a CSV file into a table of the current schema, like LOAD of SQLcl."""
    with path.open(newline="") as file, connection.cursor() as cursor:
        names, *rows = islice(csv.reader(file), LOADED + 1)
        places = ", ".join(f":{number}" for number in range(1, len(names) + 1))
        cursor.execute("ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD'")
        cursor.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)
    connection.commit()


@pytest.mark.skipif("SAMPLES" not in os.environ, reason="SAMPLES names no folder of db-sample-schemas")
@pytest.mark.parametrize("schema", FOLDERS)
def test_installation_script_runs_every_statement_but_create_dimension(oracle: Server, schema: str) -> None:
    folder = Path(os.environ["SAMPLES"]) / FOLDERS[schema]
    with oracle.connect() as system:
        script = Script(system, {"pass": PASSWORD}, load)
        outcome = script.run(folder / f"{schema.lower()}_install.sql")
    try:
        dimensions = [refused for refused in outcome.refused if refused.text.startswith("CREATE DIMENSION")]
        assert [str(refused) for refused in outcome.refused] == [str(refused) for refused in dimensions]
        assert len(dimensions) == (5 if schema == "SH" else 0)
        assert all("unimplemented feature: CREATE DIMENSION" in str(refused) for refused in dimensions)
        with oracle.connect(schema, PASSWORD) as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT TABLE_NAME FROM USER_TABLES"
                " WHERE TABLE_NAME NOT IN (SELECT MVIEW_NAME FROM USER_MVIEWS)"
            )
            tables = [name for (name,) in cursor]
            counts = {
                name: cursor.execute(f"SELECT COUNT(*) FROM {name}").fetchall()[0][0] for name in tables
            }
            assert [name for name, rows in counts.items() if not rows] == []
            assert len(counts) == {"HR": 7, "CO": 7, "SH": 9}[schema]
    finally:
        with oracle.connect() as system:
            system.cursor().execute(f"DROP USER {schema} CASCADE")
