"""What a process that parses the DAGs of the bundle imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "dags"

#: Seconds to import and up to 200 MB each: they are loaded by the tasks that use them.
HEAVY = (
    "great_expectations",
    "pandas",
    "altair",
    "vl_convert",
    "sqlalchemy.dialects.oracle",
    "polars",
)

PARSE = f"""
import json, sys, warnings
warnings.simplefilter("error", DeprecationWarning)
warnings.simplefilter("error", PendingDeprecationWarning)
from importlib.metadata import entry_points
import airflow, airflow.sdk  # their own imports are theirs
sys.path.insert(0, "{FOLDER}")
import test_data_refresh, refreshes, datapump_calibration, dbfs_calibration, masking_benchmark
from oracle_refresh.monitor.page import plugin
print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))
"""


def test_parsing_causes_no_deprecation_and_loads_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", PARSE], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []
