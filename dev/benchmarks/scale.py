"""How the cost grows: tables and shards of a refresh, rows and columns of a masking, bytes of LOBs that are
verified.

Each is measured at several sizes, and the exponent of the growth fitted: 1 is linear. TABLES, SHARDS, ROWS,
MASKED_COLUMNS and LOB_MB name other sizes than the usual ones, separated by commas; 10,000,000 rows take
long, so they are no default.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from benchmarks import many_tables, masking, scale_columns, scale_shards, validation
from benchmarks.curves import Curve, GrowthResult, exponents
from benchmarks.own_database import own_database, own_databases
from benchmarks.planning import BLOCK, plan_of
from benchmarks.result import FOLDER, Result
from benchmarks.size import amounts
from oracle_refresh.catalog import Column, Table
from oracle_refresh.catalog.reader import read_catalogue
from stack import processes

HOME = FOLDER / "scale-home"
#: Unless the environment names others.
PORTS = {"LOCALORACLE_PORT_SOURCE": "15371", "LOCALORACLE_PORT_TARGET": "15372", "AIRFLOW_PORT": "8182"}
ROWS = amounts("ROWS", (10_000, 100_000, 1_000_000), (1_000, 2_000))
LOB_MB = amounts("LOB_MB", (10, 100, 1_000), (1, 2))
#: What grows with the tables, or the shards, of a refresh.
OF_REFRESHES = (
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
    curves = (
        *_curves("refresh", refreshes["tables"]),
        *_curves("refresh_of_shards", refreshes["shards"]),
        scale_shards.run(),
        masked,
        *scale_columns.run(),
        verified,
    )
    return GrowthResult(
        "scale",
        ratios={
            "tasks_for_10000_tables": float(tasks(10_000)),
            **mask_rates(masked.points),
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


def mask_rates(points: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Rows a second at the largest size over those at the next smaller one.

    :param points: (rows, seconds), the fewest rows first; where the last two are 10^6 and 10^7, the ratio has
        the name that says so.
    """
    (fewer, before), (more, after) = points[-2:]
    sizes = "1e7_over_1e6" if (fewer, more) == (1e6, 1e7) else "of_most_rows_over_next"
    return {f"mask_rate_{sizes}": more / after / (fewer / before)}


def _curves(prefix: str, refreshes: Sequence[dict[str, float]]) -> list[Curve]:
    """Of what has been above zero at each size."""
    return [
        Curve(f"{prefix}_{name}", tuple((each["size"], each[name]) for each in refreshes))
        for name in OF_REFRESHES
        if all(each[name] > 0 for each in refreshes)
    ]


def _refreshes() -> dict[str, list[dict[str, float]]]:
    """In a process of its own: the stack's settings are read when it is imported."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(mode=0o700, parents=True)
    environment = {**PORTS, **os.environ, "LOCALORACLE_HOME": str(HOME)}
    try:
        done = processes.run([sys.executable, "-m", "benchmarks.scale_refreshes"], environment)
        print(done.stdout, end="", flush=True)
        if done.returncode:
            raise SystemExit(f"the refreshes failed:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
        measured: dict[str, list[dict[str, float]]] = json.loads((HOME / "measured.json").read_text())
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
