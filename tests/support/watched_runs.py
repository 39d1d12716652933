"""Runs as Airflow records them, made up for tests of what their page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from oracle_refresh.monitor.records import Run, Shape, Try
from oracle_refresh.plan.stages import STAGES

ZERO = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
UPSTREAM = {
    "plan": (),
    "units": ("plan",),
    "lock_target": ("plan",),
    "shard.export": ("plan",),
    "shard.stage": ("shard.export",),
    "shard.load": ("shard.stage", "lock_target"),
    "unit.await_loaded": ("units",),
    "unit.verify_copy": ("unit.await_loaded",),
    "unit.mask": ("unit.verify_copy",),
    "constraints": ("shard.load", "unit.mask"),
    "release_target": ("lock_target", "constraints"),
    "publish_report": ("release_target",),
}
OPERATORS = {stage.id: stage.operator for stage in STAGES}
SHAPE = Shape.of(UPSTREAM, [task for task in UPSTREAM if "." in task])


def at(seconds: float | None) -> datetime | None:
    """So many seconds after the start of the run."""
    return None if seconds is None else ZERO + timedelta(seconds=seconds)


def a_try(
    task: str,
    index: int = -1,
    start: float | None = None,
    end: float | None = None,
    state: str | None = None,
    number: int = 1,
    item: str | None = None,
) -> Try:
    """A try of a task; its state follows from its times where none is given."""
    told = state or ("success" if end is not None else "running" if start is not None else None)
    return Try(task, index, item, OPERATORS[task], told, number, at(start), at(start), at(end))


def a_run(*tries: Try, now: float = 100.0, state: str = "running", **others: Any) -> Run:
    moment = at(now)
    assert moment is not None
    ended = None if state == "running" else moment
    run = Run("a_dag", "a_run", state, ZERO, ended, moment, {}, None, None, SHAPE, tries)
    return replace(run, **others)


def a_plan(
    jobs: Mapping[str, tuple[int, tuple[str, ...]]], units: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, Any]:
    """A plan as far as the page reads it: estimated bytes and tables of each job, tables of each unit."""
    return {
        "refresh": "demo",
        "degree": 4,
        "jobs": [
            {"id": job, "estimate_bytes": size, "tables": [name.split(".") for name in tables]}
            for job, (size, tables) in jobs.items()
        ],
        "tables": [
            {"owner": "APP", "name": name, "bytes": 1000, "lob_bytes": 0}
            for name in sorted({table.split(".")[1] for _, tables in jobs.values() for table in tables})
        ],
        "units": [
            {"id": unit, "tables": [name.split(".") for name in tables]}
            for unit, tables in (units or {}).items()
        ],
    }


def exported(size: int) -> dict[str, Any]:
    """What an export returns, as far as the page reads it."""
    return {"files": [{"name": "a.dmp", "bytes": size, "sha256": None}]}
