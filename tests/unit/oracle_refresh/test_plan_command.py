"""`python -m oracle_refresh.plan` where there is nothing to plan from."""

from __future__ import annotations

import io
import sys

import pytest

from oracle_refresh import plan_command
from support.transfer import ROOT

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--source", "nobody"], 2),
        (["--source", "@host:1521/x"], 2),
        (["--source", "u@127.0.0.1:1/none"], 1),
        (["--source", "u@127.0.0.1:1/none", "--degree", "0"], 1),
    ],
)
def test_what_cannot_be_planned_is_said(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("wrong\n"))
    assert plan_command.main(["--definition", DEFINITION, *words]) == code
    assert capsys.readouterr().err


def test_a_missing_definition_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert plan_command.main(["--definition", "/nowhere.yaml", "--source", "u@h:1/s"]) == 1
    assert "/nowhere.yaml" in capsys.readouterr().err
