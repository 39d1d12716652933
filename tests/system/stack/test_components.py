"""What Airflow's components share before they are forked, with all of Airflow imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from stack import settings


def test_what_is_shared_has_no_thread_and_no_connection(tmp_path: Path) -> None:
    """Both would be broken in the forks."""
    look = (
        "import sys, threading; from importlib import import_module; from stack import components; "
        "sys.argv = ['airflow', 'api-server']; import_module('airflow.__main__'); "
        "[import_module(name) for names in components.COMPONENTS.values() for name in names]; "
        "import psutil; print(len(threading.enumerate()), psutil.Process().num_threads(), "
        "[file.path for file in psutil.Process().open_files() if 'airflow.db' in file.path], "
        "psutil.Process().net_connections())"
    )
    environment = settings.airflow_environment() | {
        "AIRFLOW_HOME": str(tmp_path),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{tmp_path / 'airflow.db'}",
    }
    done = subprocess.run([sys.executable, "-c", look], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["1 1 [] []"], done.stderr
