"""`airflow oracle-refresh plan`: the plan without a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import command
from support.demo import DemoDatabase
from support.transfer import ROOT

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")


@pytest.mark.usefixtures("connections")
def test_it_prints_the_plan_and_writes_the_parameter_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "par"
    words = ("--degree", "3", "--run-id", "tried", "--parfiles", str(folder))
    assert command("plan", "--definition", DEFINITION, *words) == 0
    printed = capsys.readouterr().out
    assert "3 workers at the same time (as the definition or the trigger form says)" in printed
    assert "DOCS.DOCUMENTS" in printed
    assert "critical path" in printed
    files = sorted(path.name for path in folder.iterdir())
    assert files
    assert all(name.endswith(("_export.par", "_import.par")) for name in files)
    assert "flashback_scn" in (folder / files[0]).read_text().lower()
    assert "_demo" not in printed + "".join(path.read_text() for path in folder.iterdir())


def test_the_source_alone_is_enough_and_json_is_possible(
    demo_source: DemoDatabase, connections: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    connections.delenv("AIRFLOW_CONN_ORACLE_TARGET")
    words = ("--source-only", "--json", "--run-id", "tried", "--max-jobs", "20")
    assert command("plan", "--definition", DEFINITION, *words) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["refresh"], plan["run_id"]) == ("demo", "tried")
    assert 0 < len(plan["jobs"]) <= 20
