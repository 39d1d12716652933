"""`python -m oracle_refresh.preflight` against two running databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle_refresh import preflight_command
from oracle_refresh.oracle import session_state
from oracle_refresh.preflight_command import main
from support.demo import DemoDatabase

ROOT = Path(__file__).parents[3]
DEMO = str(ROOT / "include" / "refreshes" / "demo.yaml")


@pytest.fixture
def words(demo_source: DemoDatabase, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for database in (demo_source, demo_target):
        variable = f"ORACLE_REFRESH_{database.name.upper()}_PASSWORD"
        monkeypatch.setenv(variable, f"{database.user.lower()}_demo")
    logins = [f"{database.user}@{database.dsn}" for database in (demo_source, demo_target)]
    return ["--definition", DEMO, "--source", logins[0], "--target", logins[1]]


def test_a_pair_that_is_ready(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "ready: 0 errors" in text
    assert "AL32UTF8" in text
    assert "\x1b" not in text, "no colours outside a terminal"


def test_json_holds_facts_and_findings(
    words: list[str], demo_target: DemoDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("REVOKE LOCK ANY TABLE FROM REFRESH_TARGET")
        try:
            assert main([*words, "--json"]) == 1
        finally:
            cursor.execute("GRANT LOCK ANY TABLE TO REFRESH_TARGET")
    printed = json.loads(capsys.readouterr().out)
    assert not printed["ready"]
    assert printed["target"]["name"] == "TARGET"
    assert printed["source"]["settings"]["db_block_size"] == "8192"
    (finding,) = [one for one in printed["findings"] if one["severity"] == "error"]
    assert finding["sql"] == ["GRANT LOCK ANY TABLE TO REFRESH_TARGET"]


def test_nothing_is_changed(words: list[str], demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    logs = [database.server.statement_log for database in (demo_source, demo_target)]
    begun = [log.stat().st_size for log in logs]
    assert main(words) == 0
    for log, size, user in zip(logs, begun, (demo_source.user, demo_target.user), strict=True):
        lines = [json.loads(line) for line in log.read_bytes()[size:].splitlines()]
        sent = [line["sql"] for line in lines if line["user"] == user]
        assert len(sent) > 10
        changing = [sql for sql in sent if not sql.lstrip().upper().startswith(("SELECT", "WITH"))]
        assert set(changing) == set(session_state.STATEMENTS)


@pytest.mark.parametrize("end", ["--source", "--target"])
def test_wrong_arguments_are_refused(words: list[str], end: str, capsys: pytest.CaptureFixture[str]) -> None:
    words[words.index(end) + 1] = "no_dsn"
    assert main(words) == 2
    assert "USER@HOST:PORT/SERVICE" in capsys.readouterr().err


def test_a_database_that_refuses_is_an_error_without_the_password(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ORACLE_REFRESH_TARGET_PASSWORD", "not_this_one")
    assert main(words) == 1
    printed = capsys.readouterr()
    assert "ORA-01017" in printed.err
    assert "not_this_one" not in printed.err + printed.out


def test_passwords_come_from_standard_input_where_nothing_else_tells_them(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for end in preflight_command.ENDS:
        monkeypatch.delenv(f"ORACLE_REFRESH_{end.upper()}_PASSWORD")
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("refresh_source_demo\nrefresh_target_demo\n"))
    assert main(words) == 0
