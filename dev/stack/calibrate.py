"""`make calibrate`: what its command line takes, and what it prints when the store has been measured."""

from __future__ import annotations

import argparse
from typing import Any

from stack import settings
from stack.run import Run

DAG_ID = "dbfs_calibration"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=0.5, help="how long one measurement lasts")
    parser.add_argument("--flat-mb", type=int, default=64, help="MB of LINEITEM")
    parser.add_argument("--small-files", type=int, default=300)
    parser.add_argument(
        "--definition",
        default="demo",
        help="name of a refresh definition in include/refreshes, or in the folder STACK_DEFINITIONS",
    )


def conf(options: argparse.Namespace) -> dict[str, Any]:
    values = {name: getattr(options, name) for name in ("definition", "seconds", "flat_mb", "small_files")}
    # Where the stand-in shows its store, as dbfs_client would.
    return {**values, "mounted_paths": [str(settings.LOCAL / "target" / "dbfs" / "REFRESH")]}


def summary(ended: Run) -> bool:
    """Print what the task `recommend` returned. Was there anything to recommend?"""
    result = ended.api.xcom(ended.dag_id, ended.run_id, {"task_id": "recommend", "map_index": -1})
    print(f"\n{result['table']}")
    print(f"  report: {result['report']}")
    return bool(result["recommendation"])
