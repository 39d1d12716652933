"""Airflow's processes: those that fork tasks have the operators imported, the others are spared them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from oracle_refresh.provider_info import OPERATOR_MODULES

ROOT = Path(__file__).resolve().parents[4]
#: `airflow` itself imports the local settings.
LOOK = "import sys, airflow; print(*sorted(name for name in sys.modules if name in {!r}))"


def imported(tmp_path: Path, *command: str) -> list[str]:
    settings = ROOT / "include" / "airflow"
    assert (settings / "airflow_local_settings.py").is_file(), "without it no process has operators"
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(settings), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(OPERATOR_MODULES), *command],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


def test_the_scheduler_has_all_operators_before_it_forks(tmp_path: Path) -> None:
    assert imported(tmp_path, "scheduler") == sorted(OPERATOR_MODULES)


def test_the_api_server_has_none(tmp_path: Path) -> None:
    assert imported(tmp_path, "api-server") == []
