"""`airflow oracle-refresh plan` where there is nothing to plan from."""

from __future__ import annotations

import json

import pytest

from support.commands import command
from support.transfer import ROOT

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")
NOWHERE = {
    "conn_type": "oracle",
    "login": "u",
    "password": "wrong",
    "extra": {"dsn": "127.0.0.1:1/none", "refresh_role": "source"},
}


@pytest.mark.parametrize(
    ("words", "code"),
    [([], 1), (["--degree", "0"], 1), (["--degree", "some"], 2), (["--source", "u@127.0.0.1:1/none"], 2)],
)
def test_what_cannot_be_planned_is_said(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_SOURCE", json.dumps(NOWHERE))
    assert command("plan", "--definition", DEFINITION, "--source-only", *words) == code
    said = capsys.readouterr().err
    assert said
    assert "wrong" not in said


def test_a_source_of_another_role_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_SOURCE", json.dumps(NOWHERE | {"extra": {"dsn": "h:1/s"}}))
    assert command("plan", "--definition", DEFINITION, "--source-only") == 1
    assert "not marked at all, but this step needs the refresh source" in capsys.readouterr().err


def test_a_missing_definition_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("plan", "--definition", "/nowhere.yaml") == 1
    assert "/nowhere.yaml" in capsys.readouterr().err
