"""Much at the same time: refreshes of several targets on one Airflow, sessions of a stand-in, deferred waits.

Told are memory and CPU beside those of one alone. Sessions and refreshes should cost no more each than one
does alone; waits share a session and its looks, and together cost far less than so many times one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys

from benchmarks import load_sessions, load_waits
from benchmarks.own_database import own_database
from benchmarks.result import FOLDER, Result
from stack import processes

HOME = FOLDER / "load-refreshes-home"
AIRFLOW_PORT = "8181"
PORT = 15331


def run() -> Result:
    with own_database("load", PORT) as database:
        ratios, figures = asyncio.run(load_sessions.measure(database))
        more = load_waits.measure(database)
    parts = [(ratios, figures), more, _refreshes()]
    return Result(
        "load",
        ratios={name: value for part, _ in parts for name, value in part.items()},
        figures={name: value for _, part in parts for name, value in part.items()},
    )


def _refreshes() -> tuple[dict[str, float], dict[str, float]]:
    """In a process of its own: the stack's settings are read when it is imported."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(mode=0o700, parents=True)  # the stand-in lets its PostgreSQL through (instance/access.py)
    environment = {"AIRFLOW_PORT": AIRFLOW_PORT, **os.environ, "LOCALORACLE_HOME": str(HOME)}
    try:
        done = processes.run([sys.executable, "-m", "benchmarks.load_refreshes"], environment)
        if done.returncode:
            raise SystemExit(f"the refreshes failed:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
        measured = json.loads((HOME / "measured.json").read_text())
    finally:
        shutil.rmtree(HOME, ignore_errors=True)
    return measured["ratios"], measured["figures"]
