"""`make refresh`: what its command line takes, and what it prints when the refresh has ended."""

from __future__ import annotations

import argparse
import json
from typing import Any

from stack import settings
from stack.run import Run

DAG_ID = "test_data_refresh"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scale", type=float, default=1.0, help="size of the demo source; 1 is about 330 MB")
    parser.add_argument(
        "--definition",
        default="demo",
        help="a refresh definition: a name in include/refreshes, or a path ending in .yaml",
    )


def conf(options: argparse.Namespace) -> dict[str, Any]:
    return {"definition": options.definition}


def summary(_ended: Run) -> bool:
    """Print the report of the last run as a table, and say where the whole one lies. Was it published?"""
    path = settings.REPORTS / "latest" / "report.json"
    report: dict[str, Any] = json.loads(path.read_text())
    print(f"\n{report['refresh']}: {report['status']} at SCN {report['scn']} in {report['seconds']:.0f} s")
    print(f"\n  {'job':34} {'scheme':20} {'rows':>9} {'MB':>8} {'export s':>9} {'stage s':>8} {'load s':>7}")
    for shard in report["shards"]:
        print(
            f"  {shard['table'][:34]:34} {shard['scheme'][:20]:20}"
            f" {shard['rows']:>9,} {shard['bytes'] / 1e6:>8.1f}"
            f" {shard['export_seconds']:>9.1f} {shard['stage_seconds']:>8.1f} {shard['load_seconds']:>7.1f}"
        )
    print(f"\n  {'table':34} {'rows source':>12} {'rows target':>12} {'LOBs':>8} verdict")
    for table in report["tables"]:
        lobs = sum(lob["count"] for lob in table["lobs"])
        name = f"{table['owner']}.{table['name']}"
        print(
            f"  {name:34} {table['rows_source']:>12,} {table['rows_target']:>12,}"
            f" {lobs:>8,} {table['verdict']}"
        )
    masked = [item for item in report["masking"] if item["columns"]]
    columns = sum(len(item["columns"]) for item in masked)
    expectations = report["expectations"]
    print(f"\n  masked {columns} columns of {len(masked)} tables;", end=" ")
    print(f"expectations {expectations['successful']} of {expectations['evaluated']} met")
    print(f"  report: {path.with_name('report.html')}")
    return bool(report["status"] == "published")
