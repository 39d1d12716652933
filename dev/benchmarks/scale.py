"""How the cost grows: tables of a refresh, rows of a masking, bytes of LOBs that are verified.

Each is measured at sizes that are ten times apart, and the exponent of the growth fitted: 1 is linear.
TABLES, ROWS and LOB_MB name other sizes than the usual ones, separated by commas; the largest that the
project speaks of (10,000 tables, 10,000,000 rows) take long, so they are no default.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks import many_tables, masking, validation
from benchmarks.curves import Curve, GrowthResult, exponents
from benchmarks.own_database import own_database, own_databases
from benchmarks.planning import BLOCK, plan_of
from benchmarks.result import FOLDER, Result
from benchmarks.size import sized
from oracle_refresh.catalog import Column, Table
from oracle_refresh.catalog.reader import read_catalogue
from stack import processes

HOME = FOLDER / "scale-home"
#: Unless the environment names others.
PORTS = {"LOCALORACLE_PORT_SOURCE": "15371", "LOCALORACLE_PORT_TARGET": "15372", "AIRFLOW_PORT": "8182"}
ROWS = [int(text) for text in os.environ.get("ROWS", sized("10000,100000,1000000", "1000,2000")).split(",")]
LOB_MB = [int(text) for text in os.environ.get("LOB_MB", sized("10,100,1000", "1,2")).split(",")]
#: What grows with the tables of a refresh.
OF_TABLES = (
    *("seconds", "tasks", "scheduler_cpu_seconds", "api_server_cpu_seconds", "triggerer_cpu_seconds"),
    *("tasks_cpu_seconds", "source_cpu_seconds", "target_cpu_seconds", "airflow_rows", "ledger_rows"),
    *("document_rows", "report_mb"),
)
ROW_BYTES = 100
#: Tasks of a refresh that are mapped over jobs, over units, and not mapped.
JOB_TASKS, UNIT_TASKS, OTHER_TASKS = 3, 5, 24


def run() -> Result:
    refreshes = _refreshes()
    masked = Curve("masking_seconds", tuple((float(rows), _masked(rows)) for rows in ROWS))
    verified = Curve("verify_lob_mb_seconds", tuple(_verified()))
    tables = [
        Curve(f"refresh_{name}", tuple((each["tables"], each[name]) for each in refreshes))
        for name in OF_TABLES
        if all(each[name] > 0 for each in refreshes)
    ]
    curves = (*tables, masked, verified)
    rates = [rows / seconds for rows, seconds in masked.points]
    return GrowthResult(
        "scale",
        ratios={
            "tasks_for_10000_tables": float(tasks(10_000)),
            "mask_rate_of_most_rows_over_next": rates[-1] / rates[-2],
        },
        # No ratios: of what hardly grows they may be below zero.
        figures=exponents(curves)
        | {f"{curve.name}_at_{size:.0f}": value for curve in curves for size, value in curve.points},
        curves=curves,
    )


def tasks(tables: int) -> int:
    """Task instances of a refresh of so many generated tables, by its plan."""
    id_column = Column("ID", "NUMBER", 22, 0, None, 12, 0, False)
    blocks = [(shape, 1 + shape.rows * ROW_BYTES // BLOCK) for shape in many_tables.shapes("APP", tables)]
    plan = plan_of(
        [Table("APP", shape.name, shape.rows, size * BLOCK, size, (id_column,)) for shape, size in blocks],
        degree=8,
    )
    return JOB_TASKS * len(plan.jobs) + UNIT_TASKS * len(plan.units) + OTHER_TASKS


def _refreshes() -> list[dict[str, float]]:
    """In a process of its own: the stack's settings are read when it is imported."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(mode=0o700, parents=True)
    environment = {**PORTS, **os.environ, "LOCALORACLE_HOME": str(HOME)}
    try:
        done = processes.run([sys.executable, "-m", "benchmarks.scale_tables"], environment)
        print(done.stdout, end="", flush=True)
        if done.returncode:
            raise SystemExit(f"the refreshes failed:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
        measured: list[dict[str, float]] = json.loads((HOME / "measured.json").read_text())
    finally:
        shutil.rmtree(HOME, ignore_errors=True)
    return measured


def _masked(rows: int) -> float:
    """Seconds of the chosen way over so many rows, in a database of its own."""
    with own_database(masking.NAME, masking.PORT) as database:
        ways = masking.Ways(database)
        ways.fill(rows)
        table = ways.fresh("CHOSEN")
        began = time.monotonic()
        ways.chosen(table)
        seconds = time.monotonic() - began
    print(f"  {rows:,} rows masked in {seconds:.2f} s", flush=True)
    return seconds


def _verified() -> Iterator[tuple[float, float]]:
    """Megabytes of LOBs on each side, and seconds of their comparison."""
    with own_databases("validation", validation.PORTS) as databases, ExitStack() as opened:
        source, target = (
            opened.enter_context(validation.connect(databases[name])) for name in validation.PORTS
        )
        for connection in (source, target):
            validation.create(connection)
        for megabytes in LOB_MB:
            for connection in (source, target):
                validation.fill_lobs(connection, megabytes)
            table = read_catalogue(source, [validation.OWNER]).table(validation.OWNER, "DOCUMENTS")
            assert table is not None
            began = time.monotonic()
            validation.verify(source, target, table)
            seconds = time.monotonic() - began
            print(f"  {megabytes:,} MB of LOBs compared in {seconds:.2f} s", flush=True)
            yield float(megabytes), seconds
