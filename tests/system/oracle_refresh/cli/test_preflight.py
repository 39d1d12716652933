"""`airflow oracle-refresh preflight` against two running databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle_refresh.oracle import session_state
from oracle_refresh.preflight.statements import PROBE_DIRECTORY
from support.commands import command
from support.demo import DemoDatabase, airflow_connection

ROOT = Path(__file__).parents[4]
WORDS = ("preflight", "--definition", str(ROOT / "include" / "refreshes" / "demo.yaml"))

pytestmark = pytest.mark.usefixtures("connections")


def test_a_pair_that_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*WORDS) == 0
    text = capsys.readouterr().out
    assert "ready: 0 errors" in text
    assert "AL32UTF8" in text
    assert "\x1b" not in text, "no colours outside a terminal"


def test_json_holds_facts_and_findings(demo_target: DemoDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("REVOKE LOCK ANY TABLE FROM REFRESH_TARGET")
        try:
            assert command(*WORDS, "--json") == 1
        finally:
            cursor.execute("GRANT LOCK ANY TABLE TO REFRESH_TARGET")
    printed = json.loads(capsys.readouterr().out)
    assert not printed["ready"]
    assert printed["target"]["name"] == "TARGET"
    assert printed["source"]["settings"]["db_block_size"] == "8192"
    (finding,) = [one for one in printed["findings"] if one["severity"] == "error"]
    assert finding["sql"] == ["GRANT LOCK ANY TABLE TO REFRESH_TARGET"]


def test_nothing_but_a_file_is_written(demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    logs = [database.server.statement_log for database in (demo_source, demo_target)]
    begun = [log.stat().st_size for log in logs]
    assert command(*WORDS) == 0
    for log, size, user in zip(logs, begun, (demo_source.user, demo_target.user), strict=True):
        lines = [json.loads(line) for line in log.read_bytes()[size:].splitlines()]
        sent = [line["sql"] for line in lines if line["user"] == user]
        assert len(sent) > 10
        changing = [sql for sql in sent if not sql.lstrip().upper().startswith(("SELECT", "WITH"))]
        assert set(changing) - {PROBE_DIRECTORY} == set(session_state.STATEMENTS)


def test_wrong_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("preflight") == 2
    assert "--definition" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["source", "target"])
def test_a_role_that_is_not_that_of_the_end_is_a_finding(
    end: str,
    request: pytest.FixtureRequest,
    connections: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    database: DemoDatabase = request.getfixturevalue(f"demo_{end}")
    extra = {"service_name": database.dsn.rpartition("/")[2]}
    connections.setenv(f"AIRFLOW_CONN_ORACLE_{end.upper()}", airflow_connection(database, extra=extra))
    assert command(*WORDS) == 1
    assert f"if it really is the {end}" in capsys.readouterr().out


def test_a_database_that_refuses_is_an_error_without_the_password(
    demo_target: DemoDatabase, connections: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = airflow_connection(demo_target, password="not_this_one")
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", wrong)
    assert command(*WORDS) == 1
    printed = capsys.readouterr()
    assert "ORA-01017" in printed.err
    assert "not_this_one" not in printed.err + printed.out
