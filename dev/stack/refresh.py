"""`make refresh`: what its command line takes, and what it prints when the refresh has ended."""

from __future__ import annotations

import argparse
import json
from typing import Any

from stack import settings
from stack.console import Column, show_table
from stack.run import Run

DAG_ID = "test_data_refresh"
JOBS = (
    Column("job", 34, "left"),
    Column("scheme", 20, "left"),
    Column("rows", 9),
    Column("MB", 8),
    Column("export s", 9),
    Column("stage s", 8),
    Column("load s", 7),
)
TABLES = (
    Column("table", 34, "left"),
    Column("rows source", 12),
    Column("rows target", 12),
    Column("LOBs", 8),
    Column("verdict", 9, "left"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scale", type=float, default=1.0, help="size of the demo source; 1 is about 330 MB")
    parser.add_argument(
        "--definition",
        default="demo",
        help="name of a refresh definition in include/refreshes, or in the folder STACK_DEFINITIONS",
    )


def conf(options: argparse.Namespace) -> dict[str, Any]:
    return {"definition": options.definition}


def _job(shard: dict[str, Any]) -> list[str]:
    seconds = [f"{shard[f'{leg}_seconds']:.1f}" for leg in ("export", "stage", "load")]
    return [shard["table"], shard["scheme"], f"{shard['rows']:,}", f"{shard['bytes'] / 1e6:.1f}", *seconds]


def _table(table: dict[str, Any]) -> list[str]:
    lobs = sum(lob["count"] for lob in table["lobs"])
    counts = [f"{count:,}" for count in (table["rows_source"], table["rows_target"], lobs)]
    return [f"{table['owner']}.{table['name']}", *counts, table["verdict"]]


def summary(_ended: Run) -> bool:
    """Print the report of the last run as a table, and where to find the full report. Was it published?"""
    path = settings.REPORTS / "latest" / "report.json"
    report: dict[str, Any] = json.loads(path.read_text())
    print(f"\n{report['refresh']}: {report['status']} at SCN {report['scn']} in {report['seconds']:.0f} s")
    print()
    show_table(JOBS, [_job(shard) for shard in report["shards"]])
    print()
    show_table(TABLES, [_table(table) for table in report["tables"]])
    masked = [item for item in report["masking"] if item["columns"]]
    columns = sum(len(item["columns"]) for item in masked)
    expectations = report["expectations"]
    print(f"\n  masked {columns} columns of {len(masked)} tables;", end=" ")
    print(f"expectations {expectations['successful']} of {expectations['evaluated']} met")
    print(f"  report: {path.with_name('report.html')}")
    return bool(report["status"] == "published")
