"""The live part of a run's page as one JSON document: what is asked for again and again while it runs.

Times are seconds since the run's start. Spans are short lists, because a run of a thousand shards has
some thousands of them: `[stage, map index, try, state, start, end]`, `end` null while it goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from oracle_refresh.watching.comparison import StageTime
from oracle_refresh.watching.critical_path import critical_path
from oracle_refresh.watching.forecast import forecast
from oracle_refresh.watching.quarantine import quarantine
from oracle_refresh.watching.records import ACTIVE, Run, Try, group_of
from oracle_refresh.watching.sizes import Sizes, sizes
from oracle_refresh.watching.throughput import throughput
from oracle_refresh.watching.troubles import troubles

#: Failed tries that the page lists; it says how many there are.
MOST_TROUBLES = 200
NEVER_BEGAN = frozenset({"upstream_failed", "skipped", "removed"})
#: The operator at the end of a refresh.
PUBLISHES = "PublishReport"


def overview(run: Run, plan: Mapping[str, Any] | None, former: Mapping[str, StageTime]) -> dict[str, Any]:
    """:param plan: the run's plan (`Plan.to_json`), None while there is none.
    :param former: what each task took in the last run that succeeded.
    """
    known = sizes(run, plan)
    clock = _Clock(run)
    ahead = forecast(run, known, former)
    moved = throughput(run, known)
    held = quarantine(run)
    listed = troubles(run)
    return {
        "run": _head(run, plan, clock),
        "progress": {
            "fraction": round(ahead.fraction, 4),
            "eta_seconds": None if ahead.eta_seconds is None else round(ahead.eta_seconds, 1),
            "basis": ahead.basis,
            "tasks": len(run.tries),
            "done": sum(one.state == "success" for one in run.tries),
            "planned_bytes": sum(int(job["estimate_bytes"]) for job in (plan or {}).get("jobs", ())),
            "moved_bytes": {leg: round(total) for leg, total in moved.total.items()},
        },
        "quarantine": {
            "state": held.state,
            "locked": held.locked,
            "released": held.released,
            "kept_locked": held.kept_locked,
            "since": clock.at(held.since),
        },
        "stages": _stages(run, clock),
        "rows": _rows(run, known, clock),
        "working": _working(run, clock),
        "throughput": {
            "start": clock.at(moved.start),
            "bin_seconds": round(moved.bin_seconds, 3),
            "rates": {leg: [round(rate) for rate in rates] for leg, rates in moved.rates.items()},
        },
        "critical_path": [
            {
                "task": link.key[0],
                "map_index": link.key[1],
                "item": link.item,
                "start": clock.at(link.start),
                "end": clock.at(link.end),
                "waited": round(link.waited, 2),
            }
            for link in critical_path(run, known)
        ],
        "troubles": [
            {
                "task": one.key[0],
                "map_index": one.key[1],
                "item": one.item,
                "try": one.number,
                "at": clock.at(one.at),
                "state": one.state,
                "codes": one.codes,
                "message": one.message,
                "remedy": one.remedy,
                "again": one.again,
                "over": one.over,
            }
            for one in listed[:MOST_TROUBLES]
        ],
        "trouble_count": len(listed),
        "files": _files(run),
    }


class _Clock:
    """Seconds since the run's start, or since its first task where it has none."""

    def __init__(self, run: Run) -> None:
        begun = [one.start for one in run.tries if one.start]
        self.zero = run.started or min(begun, default=run.now)

    def at(self, moment: datetime | None) -> float | None:
        return None if moment is None else round((moment - self.zero).total_seconds(), 2)


def _head(run: Run, plan: Mapping[str, Any] | None, clock: _Clock) -> dict[str, Any]:
    frozen = next((run.results.get(one.key) for one in run.of_operator("FreezeSource")), None)
    return {
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "state": run.state,
        "started": run.started.isoformat() if run.started else None,
        "seconds": clock.at(run.ended or run.now),
        "over": run.ended is not None,
        "is_refresh": _is_refresh(run),
        "definition": run.conf.get("definition"),
        "refresh": (plan or {}).get("refresh"),
        "degree": (plan or {}).get("degree"),
        "scn": frozen.get("scn") if isinstance(frozen, dict) else None,
        "source": _database(frozen),
        "triggered_by": run.triggered_by,
        "note": run.note,
    }


def _files(run: Run) -> list[str]:
    """What the run has left to read, by the tasks that write it; a report is written of a failed run too.

    DAGs without `PublishReport`, such as calibrations, leave a report of their own when they end.
    """
    written = {
        "plan.txt": any(one.state == "success" for one in run.of_operator("ExplainPlan")),
        "report.html": any(one.end for one in run.of_operator(PUBLISHES))
        or (not _is_refresh(run) and run.ended is not None),
    }
    return [name for name, there in written.items() if there]


def _is_refresh(run: Run) -> bool:
    return any(True for _ in run.of_operator(PUBLISHES))


def _database(frozen: Any) -> str | None:
    source = frozen.get("source") if isinstance(frozen, dict) else None
    return source.get("db_unique_name") if isinstance(source, dict) else None


def _stages(run: Run, clock: _Clock) -> list[dict[str, Any]]:
    return [
        {
            "task": task,
            "group": group_of(task),
            "name": task.rpartition(".")[2],
            "mapped": task in run.shape.mapped,
            "total": sum(not one.stands_for_many(run.shape) for one in tries),
            "states": dict(Counter(one.state or "waiting" for one in tries)),
            "start": clock.at(min((one.start for one in tries if one.start), default=None)),
            "end": _last_end(tries, clock),
            "busy": round(sum(one.seconds(run.now) for one in tries), 2),
        }
        for task, tries in run.by_task.items()
    ]


def _last_end(tries: tuple[Try, ...], clock: _Clock) -> float | None:
    """When all of a task's instances were over, None before."""
    if not tries or not all(one.ended for one in tries):
        return None
    return clock.at(max((one.end for one in tries if one.end), default=None))


def _rows(run: Run, known: Sizes, clock: _Clock) -> list[dict[str, Any]]:
    """The timeline: one row for each task that is not mapped, and for each item of a mapped group."""
    stage = {task: index for index, task in enumerate(run.by_task)}
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in sorted((*run.former, *run.tries), key=lambda one: (stage.get(one.task_id, 0), one.map_index)):
        if one.task_id not in stage or one.stands_for_many(run.shape):
            continue
        item = run.items.get(one.key)
        kind = (group_of(one.task_id) or one.task_id) if one.map_index >= 0 else "task"
        row = rows.setdefault(
            (kind, item or one.task_id),
            {"kind": kind, "item": item or one.task_id, "bytes": known.of(item), "spans": []},
        )
        carried = known.tables_of.get(item or "", ())
        if carried:
            row["about"] = carried[0] if len(carried) == 1 else f"{len(carried)} tables"
        # What was never reached has times of its own in Airflow, but no work.
        start, end = (one.start, one.end) if one.state not in NEVER_BEGAN else (None, None)
        state = one.state or "waiting"
        row["spans"].append(
            [stage[one.task_id], one.map_index, one.number, state, clock.at(start), clock.at(end)]
        )
    return list(rows.values())


def _working(run: Run, clock: _Clock) -> list[dict[str, Any]]:
    """What is at work now, the longest first, with what it reports."""
    found = [
        {
            "task": one.task_id,
            "map_index": one.map_index,
            "item": run.items.get(one.key),
            "state": one.state,
            "try": one.number,
            "start": clock.at(one.start),
            "seconds": round(one.seconds(run.now), 1),
            "progress": run.progress.get(one.key),
        }
        for one in run.tries
        if one.state in ACTIVE
    ]
    return sorted(found, key=lambda one: -float(str(one["seconds"])))
