"""`python -m stack env`: what a shell evaluates."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stack import settings


def evaluated(script: str, home: Path) -> str:
    environment = {**os.environ, "LOCALORACLE_HOME": str(home)}
    done = subprocess.run(
        ["bash", "-euc", f'eval "$({sys.executable} -m stack env)"\n{script}'],
        cwd=settings.ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_shell_finds_the_programs_and_the_connections(tmp_path: Path) -> None:
    out = evaluated(
        "command -v airflow; echo $AIRFLOW_HOME; echo $AIRFLOW_CONN_ORACLE_SOURCE; python -m stack env",
        tmp_path,
    ).splitlines()
    assert out[0] == str(Path(sys.executable).with_name("airflow"))
    assert out[1] == str(tmp_path / "airflow")
    assert '"refresh_role": "source"' in out[2]
    assert not [line for line in out[3:] if "CONN" in line]


def test_definitions_are_those_of_the_named_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert settings.definitions_directory() == settings.ROOT / "include" / "refreshes"
    monkeypatch.setenv("STACK_DEFINITIONS", str(tmp_path))
    told = settings.airflow_environment()["AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY"]
    assert told == str(tmp_path)
