"""`python -m oracle_refresh.plan`: the plan without Airflow."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from oracle_refresh import plan_command
from support.demo import DemoDatabase
from support.transfer import ROOT

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")


def login(database: DemoDatabase) -> str:
    return f"{database.user}@{database.dsn}"


def passwords(*databases: DemoDatabase) -> str:
    return "".join(f"{database.user.lower()}_demo\n" for database in databases)


def test_it_prints_the_plan_and_writes_the_parameter_files(
    demo_source: DemoDatabase, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    """As a process, because that is what a DBA starts: Airflow is not loaded."""
    folder = tmp_path / "par"
    words = ["--definition", DEFINITION, "--source", login(demo_source), "--target", login(demo_target)]
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "-m",
            "oracle_refresh.plan",
            *words,
            "--degree",
            "3",
            "--parfiles",
            str(folder),
        ],
        input=passwords(demo_source, demo_target),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "3 workers at the same time (as the definition or the trigger form says)" in done.stdout
    assert "DOCS.DOCUMENTS" in done.stdout
    assert "critical path" in done.stdout
    assert "airflow" not in done.stderr
    files = sorted(path.name for path in folder.iterdir())
    assert files
    assert all(name.endswith(("_export.par", "_import.par")) for name in files)
    assert "flashback_scn" in (folder / files[0]).read_text().lower()
    assert "_demo" not in done.stdout + "".join(path.read_text() for path in folder.iterdir())


def test_the_source_alone_is_enough_and_json_is_possible(
    demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(passwords(demo_source)))
    assert plan_command.main(["--definition", DEFINITION, "--source", login(demo_source), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["refresh"] == "demo"
    assert plan["jobs"]
