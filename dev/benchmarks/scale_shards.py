"""How planning grows with the shards of one table: the plan, what explains it, the statements of all jobs."""

from __future__ import annotations

import time

from benchmarks.curves import Curve
from benchmarks.planning import BLOCK, FROZEN, definition_of, plan_of
from benchmarks.size import sized
from oracle_refresh.catalog import Column, Lob, Table
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.plan import explain

#: As many as a definition permits jobs at the same time: one table is not cut into more.
SHARDS = sized((4, 16, 64, 256), (4, 8))
ROUNDS = 3
COLUMNS = (
    Column("ID", "NUMBER", 22, 0, None, 12, 0, False),
    Column("BODY", "BLOB", 4000, 0, None, None, None, True),
)
TABLE = Table(
    "APP",
    "DOCUMENTS",
    1_000_000,
    100_000 * BLOCK,
    100_000,
    COLUMNS,
    (Lob("BODY", "LOB_BODY", "BLOB", False, True, BLOCK, 10**12),),
)


def run() -> Curve:
    """Seconds to plan so many shards, explain them, and write the parameters of their exports and imports."""
    return Curve("plan_of_shards_seconds", tuple((float(count), _planned(count)) for count in SHARDS))


def _planned(shards: int) -> float:
    seconds, definition = [], definition_of(shards)
    for _ in range(ROUNDS):
        began = time.monotonic()
        plan = plan_of([TABLE], degree=shards)
        explain(plan)
        for job in plan.jobs:
            parameter_files(job, FROZEN, definition)
        seconds.append(time.monotonic() - began)
        if len(plan.jobs) != shards:
            raise SystemExit(f"{len(plan.jobs)} jobs instead of {shards}")
    return min(seconds)
