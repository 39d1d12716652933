"""`python -m oracle_refresh.profiler`: a ruleset to begin with."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import yaml

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.fit import fit
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.__main__ import main
from support.demo import DemoDatabase

ROOT = Path(__file__).parents[4]


def command(
    demo: DemoDatabase, monkeypatch: pytest.MonkeyPatch, *words: str, password: str = "refresh_source_demo"
) -> int:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
    return main(["APP", "DOCS", "TEST", "--dsn", demo.dsn, "--user", demo.user, *words])


def test_the_command_writes_a_ruleset_that_fits_the_demo(
    demo_source: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "proposal.yaml"
    assert command(demo_source, monkeypatch, "--output", str(path)) == 0
    assert capsys.readouterr() == ("", "")
    with demo_source.connect() as connection:
        catalogue = read_catalogue(connection, ("APP", "DOCS", "TEST"))
    ruleset = load_ruleset(path)
    assert fit(ruleset, catalogue).problems == ()
    masked = {(name, rule.column) for (_, name), rules in ruleset.tables.items() for rule in rules}
    assert {("CUSTOMERS", "EMAIL"), ("PAYMENTS", "CARD_NUMBER"), ("DOCUMENTS", "TEXT")} <= masked
    assert "    # 0.99 email: the name says EMAIL; 100% of" in path.read_text()


def test_the_command_leaves_out_what_a_ruleset_covers(
    demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(demo_source, monkeypatch, "--ruleset", "include/rulesets/demo.yaml") == 0
    text = capsys.readouterr().out
    assert yaml.safe_load(text)["tables"] == {}
    assert "# 0 columns look sensitive" in text


def test_the_command_fails_without_a_way_in(
    demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(demo_source, monkeypatch, password="wrong") == 1
    assert "ORA-01017" in capsys.readouterr().err
    monkeypatch.delenv("ORACLE_DSN", raising=False)
    assert main(["APP", "--user", "X"]) == 2
