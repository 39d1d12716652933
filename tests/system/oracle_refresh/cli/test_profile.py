"""`airflow oracle-refresh profile`: a ruleset to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.fit import fit
from oracle_refresh.masking.ruleset import load_ruleset
from support.commands import command
from support.demo import DemoDatabase, airflow_connection

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, connections: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def profile(*words: str) -> int:
    return command("profile", "oracle_source", "APP", "DOCS", "TEST", "--lookups", "include/lookups", *words)


def test_the_command_writes_a_ruleset_that_fits_the_demo(
    demo_source: DemoDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proposal.yaml"
    assert profile("--output", str(path)) == 0
    assert capsys.readouterr() == ("", "")
    with demo_source.connect() as connection:
        catalogue = read_catalogue(connection, ("APP", "DOCS", "TEST"))
    ruleset = load_ruleset(path)
    assert fit(ruleset, catalogue).problems == ()
    masked = {(name, rule.column) for (_, name), rules in ruleset.tables.items() for rule in rules}
    assert {("CUSTOMERS", "EMAIL"), ("PAYMENTS", "CARD_NUMBER"), ("DOCUMENTS", "TEXT")} <= masked
    assert "    # 0.99 email: the name says EMAIL; 100% of" in path.read_text()


def test_the_command_leaves_out_what_a_ruleset_covers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert profile("--ruleset", "include/rulesets/demo.yaml") == 0
    text = capsys.readouterr().out
    assert yaml.safe_load(text)["tables"] == {}
    assert "# 0 columns look sensitive" in text


def test_the_command_fails_without_a_way_in(
    demo_source: DemoDatabase, connections: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = airflow_connection(demo_source, password="wrong")
    connections.setenv("AIRFLOW_CONN_ORACLE_SOURCE", wrong)
    assert profile() == 1
    assert "ORA-01017" in capsys.readouterr().err
    assert command("profile", "nothing", "APP") == 1
    assert "nothing" in capsys.readouterr().err
    assert command("profile", "oracle_source") == 2
