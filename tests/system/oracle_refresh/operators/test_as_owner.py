"""A refresh that reads its source as the owner of the one schema, with grants_as_owner.sql alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.definition import load_definition
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy
from oracle_refresh.preflight.checks import check
from support.demo import DemoDatabase, airflow_connection
from support.grants import printed_statements
from support.small_run import SmallRun

OWNER, TABLE = "TEST", "TEST.TESTTABLE"
SCRIPT = Path(__file__).parents[4] / "include" / "sql" / "grants_as_owner.sql"
NO_RULES: dict[str, Any] = {"name": "nothing", "tables": {}}
FIELDS: dict[str, Any] = {
    "schemas": [OWNER],
    "exclude_tables": [],
    "application_accounts": [OWNER],
    "lob_shard_min_bytes": 100_000,
    "max_shards": 2,
    "degree": 2,
}
FOR_TABLES_OF_OTHERS = ("DATAPUMP_EXP_FULL_DATABASE", "FLASHBACK ANY TABLE", "SELECT ANY TABLE")
OTHERS_PRIVILEGES = """\
SELECT PRIVILEGE FROM SESSION_PRIVS WHERE PRIVILEGE LIKE '% ANY %'
UNION ALL SELECT ROLE FROM SESSION_ROLES WHERE ROLE LIKE '%FULL_DATABASE'"""


@pytest.fixture
def owner(demo_source: DemoDatabase, connections: pytest.MonkeyPatch) -> DemoDatabase:
    """The source, whose schema's owner has what the script grants and what an owner of tables has."""
    folder = str(demo_source.server.instance.dump_directory / "refresh")
    with demo_source.sys() as system, system.cursor() as cursor:
        for statement in printed_statements(SCRIPT.read_text(), owner=OWNER, folder=folder):
            cursor.execute(statement)
    login = {"login": OWNER, "password": f"{OWNER.lower()}_demo"}
    connections.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(demo_source, **login))
    return demo_source


def test_the_master_table_of_a_job_is_no_table_of_the_schema(owner: DemoDatabase) -> None:
    with owner.connect(OWNER) as source, source.cursor() as cursor:
        left = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["EXPORT", "TABLE", None, "LEFT_BEHIND"])
        found = read_catalogue(source, (OWNER,))
        cursor.callproc("DBMS_DATAPUMP.STOP_JOB", [left, 1, 0])
    assert [skipped.reason for skipped in found.skipped if skipped.name == "LEFT_BEHIND"] == [
        "master table of a Data Pump job"
    ]
    assert [table.key for table in found.tables] == [TABLE]


def test_the_owner_reaches_nothing_but_its_own(
    owner: DemoDatabase, new_run: Callable[..., SmallRun], target: oracledb.Connection
) -> None:
    run = new_run(NO_RULES, **FIELDS)
    with owner.connect(OWNER) as source:
        assert source.cursor().execute(OTHERS_PRIVILEGES).fetchall() == []
        with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
            source.cursor().execute("SELECT COUNT(*) FROM APP.CUSTOMERS")
        definition = load_definition(run.definition)
        found = check(source, target, definition, "source", "target")
        assert [finding for finding in found if finding.severity == "error"] == []
        two = definition.model_copy(update={"schemas": (OWNER, "APP")})
        remedies = [sql for found in check(source, target, two, "source", "target") for sql in found.sql]
        assert sorted(remedies) == [
            'ALTER USER "APP" ACCOUNT LOCK',
            *(f"GRANT {privilege} TO {OWNER}" for privilege in FOR_TABLES_OF_OTHERS),
        ]
    run.until_built()
    assert len(run.jobs) == 2
    for job in run.jobs:
        for operator in (ExportShard, StageDump, LoadShard):
            run.execute(operator, job=job)
    assert run.execute(VerifyCopy, unit=TABLE)[TABLE]["verdict"] == "equal"
