"""`make load`: what its command line takes, and what it prints when the load has ended."""

from __future__ import annotations

import argparse
from typing import Any

from stack.run import Run

DAG_ID = "slob_data_load"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--schemas", type=int, default=16, help="schemas that are loaded")
    parser.add_argument("--rows", type=int, default=1000, help="rows of each; a block of 8 KB holds one")
    parser.add_argument("--degree", type=int, default=0, help="schemas at the same time; 0 finds the best")
    parser.add_argument("--profile", default="none", help="of LOBs: none, study, heavy_tailed or documents")


def conf(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("schemas", "rows", "degree", "profile")}


def summary(ended: Run) -> bool:
    """Print what the report task returned. Was everything loaded?"""
    result = ended.api.xcom(ended.dag_id, ended.run_id, {"task_id": "report", "map_index": -1})
    print(
        f"\n{result['schemas']} of {result['planned']} schemas, {result['rows']:,} rows,"
        f" {result['bytes'] / 1e6:,.1f} MB in {result['seconds']:.1f} s, {result['degree']} at the same time"
    )
    for phase, seconds in result["phase_seconds"].items():
        print(f"  {phase:12} {seconds:8.1f} s of all sessions together")
    print(f"  {result['terabytes_per_hour']:.3f} TB/h", end="")
    if result["over_one_session"] is not None:
        print(f", {result['over_one_session']:.1f} times the seed table's rate", end="")
    print(f"\n  report: {result['report']}")
    return bool(result["schemas"] == result["planned"])
