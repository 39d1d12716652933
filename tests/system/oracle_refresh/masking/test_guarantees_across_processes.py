"""Masked values do not depend on the process that masks them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.guaranteed import sample_digest


def test_masking_in_another_process_makes_the_same_values() -> None:
    tests = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(tests), "PYTHONHASHSEED": "77"}
    done = subprocess.run(
        [sys.executable, "-m", "support.guaranteed"],
        env=environment,
        capture_output=True,
        text=True,
        cwd=tests,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == sample_digest()
