"""The live part of a run's page as one JSON document: what is asked for again and again while it runs.

Times are seconds of the run's clock, which leaves out pauses (`watching.clock`). Spans are short lists,
because a run of a thousand shards has some thousands of them: `[stage, map index, try, state, start, end]`,
`end` null while it goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from oracle_refresh.monitor.comparison import StageTime
from oracle_refresh.monitor.critical_path import critical_path
from oracle_refresh.monitor.forecast import forecast
from oracle_refresh.monitor.quarantine import quarantine
from oracle_refresh.monitor.records import ACTIVE, ENDED, Run, Try, group_of
from oracle_refresh.monitor.sizes import Sizes, sizes
from oracle_refresh.monitor.throughput import throughput
from oracle_refresh.monitor.troubles import troubles
from oracle_refresh.plan import stages

#: Failed tries that the page lists; it says how many there are.
MOST_TROUBLES = 200
#: Tables of a work unit that its row names.
NAMED = 20
#: A run with one of these stages is a refresh; others, such as calibrations, have a report of their own.
OF_A_REFRESH = (stages.PLAN, stages.PUBLISH)


def overview(
    run: Run,
    plan: Mapping[str, Any] | None,
    former: Mapping[str, StageTime],
    own_report: bool = False,
) -> dict[str, Any]:
    """:param plan: the run's plan (`Plan.to_json`), None while there is none.
    :param former: what each task took in the last run that succeeded.
    :param own_report: whether a run that is no refresh, such as a calibration, has left a report of its own.
    """
    known = sizes(run, plan)
    clock = run.clock
    ahead = forecast(run, known, former)
    moved = throughput(run, known)
    held = quarantine(run)
    listed = troubles(run)
    return {
        "run": _head(run, plan),
        "progress": {
            "fraction": round(ahead.fraction, 4),
            "eta_seconds": None if ahead.eta_seconds is None else round(ahead.eta_seconds, 1),
            "basis": ahead.basis,
            "tasks": len(run.tries),
            "done": sum(one.state == "success" for one in run.tries),
            "skipped": sum(one.state == "skipped" for one in run.tries),
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
        "pauses": [[clock.at(one.start), round(one.seconds)] for one in clock.pauses],
        "stages": _stages(run),
        "rows": _rows(run, known),
        "working": _working(run),
        "throughput": {
            "start": None if moved.start is None else round(moved.start, 2),
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
                "telling": one.telling,
                "message": one.message,
                "remedy": one.remedy,
                "again": one.again,
                "over": one.over,
                "follows": one.follows,
            }
            for one in listed[:MOST_TROUBLES]
        ],
        "trouble_count": len(listed),
        "open_trouble_count": sum(not one.over for one in listed),
        "files": _files(run, own_report),
    }


def _head(run: Run, plan: Mapping[str, Any] | None) -> dict[str, Any]:
    frozen = next((run.results.get(one.key) for one in run.of(stages.FREEZE)), None)
    return {
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "state": run.state,
        "started": run.clock.zero.isoformat() if run.started else None,
        "seconds": run.clock.at(run.ended or run.now),
        "over": run.ended is not None,
        "is_refresh": is_refresh(run),
        "definition": run.conf.get("definition"),
        "refresh": (plan or {}).get("refresh"),
        "degree": (plan or {}).get("degree"),
        "scn": frozen.get("scn") if isinstance(frozen, dict) else None,
        "source": _database(frozen),
        "triggered_by": run.triggered_by,
        "note": run.note,
    }


def _files(run: Run, own_report: bool) -> list[str]:
    """What the run has left to read; a report is written of a failed run too, once it has a plan."""
    written = {
        "plan.txt": any(one.state == "success" for one in run.of(stages.EXPLAIN)),
        "report.html": run.summary is not None or own_report,
    }
    return [name for name, there in written.items() if there]


def is_refresh(run: Run) -> bool:
    return any(True for _ in run.of(*OF_A_REFRESH))


def _database(frozen: Any) -> str | None:
    source = frozen.get("source") if isinstance(frozen, dict) else None
    return source.get("db_unique_name") if isinstance(source, dict) else None


def _stages(run: Run) -> list[dict[str, Any]]:
    """Times of each task with all its tries: `seconds` in which at least one of its instances was at work,
    `busy` those of all of them together."""
    before: dict[str, list[Try]] = {}
    for one in run.former:
        before.setdefault(one.task_id, []).append(one)
    found = []
    for task, tries in run.by_task.items():
        spans = [span for one in (*before.get(task, ()), *tries) if (span := one.span(run.now))]
        found.append(
            {
                "task": task,
                "group": group_of(task),
                "name": task.rpartition(".")[2],
                "mapped": task in run.shape.mapped,
                "total": sum(one.map_index >= 0 or task not in run.shape.mapped for one in tries),
                "states": dict(Counter(one.state or "waiting" for one in tries)),
                "begun": bool(spans),
                "over": bool(tries) and all(one.state in ENDED for one in tries),
                "seconds": round(run.clock.covered(spans), 2),
                "busy": round(sum((end - start).total_seconds() for start, end in spans), 2),
            }
        )
    return found


def _rows(run: Run, known: Sizes) -> list[dict[str, Any]]:
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
        about = _about(known.tables(item), item or "")
        if about:
            row["about"] = about
        start, end = (run.clock.at(one.start), run.clock.at(one.end)) if one.begun else (None, None)
        row["spans"].append(
            [stage[one.task_id], one.map_index, one.number, one.state or "waiting", start, end]
        )
    return list(rows.values())


def _about(tables: Sequence[str], item: str) -> str:
    """The tables of a row that its name does not tell."""
    if len(tables) == 1:
        return "" if tables[0] in item else tables[0]
    if item.endswith(f"{len(tables)} tables"):
        return ", ".join(tables[:NAMED]) + (" ..." if len(tables) > NAMED else "")
    return f"{len(tables)} tables" if tables else ""


def _working(run: Run) -> list[dict[str, Any]]:
    """What is at work now, the longest first, with what it reports."""
    found = [
        {
            "task": one.task_id,
            "map_index": one.map_index,
            "item": run.items.get(one.key),
            "state": one.state,
            "try": one.number,
            "start": run.clock.at(one.start),
            "seconds": round(one.seconds(run.now), 1),
            "progress": run.progress.get(one.key),
        }
        for one in run.tries
        if one.state in ACTIVE
    ]
    return sorted(found, key=lambda one: -float(str(one["seconds"])))
