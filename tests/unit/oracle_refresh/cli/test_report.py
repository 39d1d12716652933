"""`airflow oracle-refresh report` on runs that were no refresh, and on runs that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle_refresh.integration import settings
from support.commands import command

RUN, DAG = "run-1", "cdc_tuning"


def report(*words: str) -> int:
    return command("report", "--run-id", RUN, "--dag-id", DAG, *words)


def test_the_report_of_another_dag_is_no_error_of_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    assert report() == 1
    assert "has written no report" in capsys.readouterr().err
    settings.report_directory().write(RUN, {"report.json": json.dumps({"trials": [1]})}, DAG)
    assert report() == 1
    told = capsys.readouterr().err
    assert "was no refresh" in told
    assert f"--json, or open {tmp_path}/{RUN}/report.html" in told
    assert report("--json") == 0
    assert json.loads(capsys.readouterr().out) == {"trials": [1]}
