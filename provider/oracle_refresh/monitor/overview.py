"""The live part of a run's page as one JSON document: what is asked for again and again while it runs.

Times are seconds of the run's clock, which leaves out pauses (`run.clock`). Spans are short lists,
because a run of a thousand shards has some thousands of them: `[stage, map index, try, state, start, end]`,
`end` null while it goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from oracle_refresh.monitor.comparison import StageTime
from oracle_refresh.monitor.critical_path import Link, critical_path
from oracle_refresh.monitor.forecast import forecast
from oracle_refresh.monitor.quarantine import quarantine
from oracle_refresh.monitor.records import ACTIVE, ENDED, Run, Try, group_of
from oracle_refresh.monitor.sizes import Sizes, sizes
from oracle_refresh.monitor.throughput import throughput
from oracle_refresh.monitor.troubles import Trouble, troubles
from oracle_refresh.plan import stages

#: Failed tries that the page lists; it says how many there are.
MOST_TROUBLES = 200
#: Tables of a work unit that its row names.
NAMED = 20
#: A run with one of these stages is a refresh; others, such as calibrations, have a report of their own.
OF_A_REFRESH = (stages.PLAN, stages.PLAN_MASKING, stages.PUBLISH)


def overview(
    run: Run, plan: Mapping[str, Any] | None, former: Mapping[str, StageTime], own_report: bool = False
) -> dict[str, Any]:
    """:param plan: the run's plan (`Plan.to_json`), None while there is none.
    :param former: what each task took in the last run that succeeded.
    :param own_report: whether a run that is no refresh, such as a calibration, has left a report of its own.
    """
    item_sizes = sizes(run, plan)
    clock = run.clock
    ahead = forecast(run, item_sizes, former)
    moved = throughput(run, item_sizes)
    held = quarantine(run)
    listed = troubles(run)
    return {
        "run": _head(run, plan),
        "progress": {
            "fraction": round(ahead.fraction, 4),
            "eta_seconds": None if ahead.eta_seconds is None else round(ahead.eta_seconds, 1),
            "basis": ahead.basis,
            "tasks": len(run.tries),
            "done": sum(each.state == "success" for each in run.tries),
            "skipped": sum(each.state == "skipped" for each in run.tries),
            "planned_bytes": sum(int(job["estimate_bytes"]) for job in (plan or {}).get("jobs", ())),
            "moved_bytes": {leg: round(total) for leg, total in moved.total.items()},
        },
        "quarantine": {**vars(held), "since": clock.at(held.since)},
        "pauses": [[clock.at(each.start), round(each.seconds)] for each in clock.pauses],
        "stages": _stages(run),
        "rows": _rows(run, item_sizes),
        "working": _working(run),
        "throughput": {
            "start": None if moved.start is None else round(moved.start, 2),
            "bin_seconds": round(moved.bin_seconds, 3),
            "rates": {leg: [round(rate) for rate in rates] for leg, rates in moved.rates.items()},
        },
        "critical_path": [
            {
                **_shown(link),
                "start": clock.at(link.start),
                "end": clock.at(link.end),
                "waited": round(link.waited, 2),
            }
            for link in critical_path(run, item_sizes)
        ],
        "troubles": [
            {**_shown(trouble), "at": clock.at(trouble.at), "telling": trouble.telling}
            for trouble in listed[:MOST_TROUBLES]
        ],
        "trouble_count": len(listed),
        "open_trouble_count": sum(not each.over for each in listed),
        "files": _files(run, own_report),
    }


def _shown(about: Link | Trouble) -> dict[str, Any]:
    """The fields of what is about a task instance, whose key and number the page calls by other names."""
    fields = dict(vars(about))
    fields["task"], fields["map_index"] = fields.pop("key")
    return fields | ({"try": fields.pop("number")} if "number" in fields else {})


def _head(run: Run, plan: Mapping[str, Any] | None) -> dict[str, Any]:
    frozen = next((run.results.get(each.key) for each in run.of(stages.FREEZE)), None)
    return {
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "state": run.state,
        "started": run.clock.zero.isoformat() if run.started else None,
        "seconds": run.clock.at(run.ended or run.now),
        "over": run.ended is not None,
        "is_refresh": is_refresh(run),
        "moves_rows": any(True for _ in run.of(stages.EXPORT, stages.LOAD)),
        "definition": run.conf.get("definition"),
        "refresh": (plan or {}).get("refresh"),
        "degree": (plan or {}).get("degree"),
        "scn": frozen.get("scn") if isinstance(frozen, dict) else None,
        "source": _database(frozen),
        "triggered_by": run.triggered_by,
        "note": run.note,
    }


def _files(run: Run, own_report: bool) -> list[str]:
    """The files of the run that can be read; a report is written of a failed run too, once it has a plan."""
    explained = any(each.state == "success" for each in run.of(stages.EXPLAIN))
    reported = run.summary is not None or own_report
    return ["plan.txt"] * explained + ["report.html"] * reported


def is_refresh(run: Run) -> bool:
    return any(True for _ in run.of(*OF_A_REFRESH))


def _database(frozen: Any) -> str | None:
    source = frozen.get("source") if isinstance(frozen, dict) else None
    return source.get("db_unique_name") if isinstance(source, dict) else None


def _stages(run: Run) -> list[dict[str, Any]]:
    """Times of each task with all its tries: `seconds` in which at least one of its instances was at work,
    `busy` those of all of them together."""
    before: dict[str, list[Try]] = {}
    for each in run.former:
        before.setdefault(each.task_id, []).append(each)
    documents = []
    for task, tries in run.by_task.items():
        spans = [span for each in (*before.get(task, ()), *tries) if (span := each.span(run.now))]
        documents.append(
            {
                "task": task,
                "group": group_of(task),
                "name": task.rpartition(".")[2],
                "mapped": task in run.shape.mapped,
                "total": sum(each.map_index >= 0 or task not in run.shape.mapped for each in tries),
                "states": dict(Counter(each.state or "waiting" for each in tries)),
                "begun": bool(spans),
                "over": bool(tries) and all(each.state in ENDED for each in tries),
                "seconds": round(run.clock.covered(spans), 2),
                "busy": round(sum((end - start).total_seconds() for start, end in spans), 2),
            }
        )
    return documents


def _rows(run: Run, item_sizes: Sizes) -> list[dict[str, Any]]:
    """The timeline: one row for each task that is not mapped, and for each item of a mapped group."""
    stage = {task: index for index, task in enumerate(run.by_task)}
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for each in sorted(
        (*run.former, *run.tries), key=lambda each: (stage.get(each.task_id, 0), each.map_index)
    ):
        if each.task_id not in stage or each.stands_for_many(run.shape):
            continue
        item = run.items.get(each.key)
        kind = (group_of(each.task_id) or each.task_id) if each.map_index >= 0 else "task"
        row = rows.setdefault(
            (kind, item or each.task_id),
            {"kind": kind, "item": item or each.task_id, "bytes": item_sizes.of(item), "spans": []},
        )
        about = _about(item_sizes.tables(item), item or "")
        if about:
            row["about"] = about
        start, end = (run.clock.at(each.start), run.clock.at(each.end)) if each.begun else (None, None)
        row["spans"].append(
            [stage[each.task_id], each.map_index, each.number, each.state or "waiting", start, end]
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
    documents = [
        {
            "task": each.task_id,
            "map_index": each.map_index,
            "item": run.items.get(each.key),
            "state": each.state,
            "try": each.number,
            "start": run.clock.at(each.start),
            "seconds": round(each.seconds(run.now), 1),
            "progress": run.progress.get(each.key),
        }
        for each in run.tries
        if each.state in ACTIVE
    ]
    return sorted(documents, key=lambda each: -float(str(each["seconds"])))
