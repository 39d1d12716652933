"""The tests for a real Oracle, pointed at the stand-in: they run, and they can fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.demo import DemoDatabase

ROOT = Path(__file__).parents[3]


def run(source: DemoDatabase, target: DemoDatabase, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "ORACLE_REFRESH_LIVE_SOURCE": f"{source.user}@{source.dsn}",
        "ORACLE_REFRESH_LIVE_TARGET": f"{target.user}@{target.dsn}",
        "ORACLE_REFRESH_SOURCE_PASSWORD": f"{source.user.lower()}_demo",
        "ORACLE_REFRESH_TARGET_PASSWORD": f"{target.user.lower()}_demo",
        **changes,
    }
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/live"]
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_everything_passes_on_a_pair_that_is_ready(
    demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    done = run(demo_source, demo_target, ORACLE_REFRESH_LIVE_WRITE="yes")
    assert done.returncode == 0, done.stdout[-4000:]
    assert "8 passed" in done.stdout


def test_a_target_that_is_not_ready_fails(demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("REVOKE LOCK ANY TABLE FROM REFRESH_TARGET")
        try:
            done = run(demo_source, demo_target)
        finally:
            cursor.execute("GRANT LOCK ANY TABLE TO REFRESH_TARGET")
    assert done.returncode == 1
    assert "GRANT LOCK ANY TABLE TO REFRESH_TARGET" in done.stdout
    assert "1 failed" in done.stdout


def test_without_databases_all_of_it_is_skipped(demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    done = run(demo_source, demo_target, ORACLE_REFRESH_LIVE_SOURCE="")
    assert done.returncode == 0
    assert "9 skipped" in done.stdout
