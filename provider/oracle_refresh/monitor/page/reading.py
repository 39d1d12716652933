"""Reads runs for the page: from Airflow's REST API, and from the files that the runs write.

The REST API gives runs, task instances and their attempts. Tasks leave what they returned, how their attempts
failed and the shape of the DAG in the run's folder (`integration.run_files`): the API has no request that
returns the results of a thousand shards. Nothing here reads Airflow's tables.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from oracle_refresh.integration import run_files, settings
from oracle_refresh.integration.compat import HAS_TASK_STATE
from oracle_refresh.monitor.comparison import Former, StageTime
from oracle_refresh.monitor.page.rest import AirflowApi
from oracle_refresh.monitor.records import ACTIVE, Key, Run, Shape, Try, not_begun_again
from oracle_refresh.oracle.errors import RefreshError

log = logging.getLogger(__name__)

#: DAGs with both tags are listed as refreshes.
TAGS = ("oracle", "refresh")
#: Previous runs among which those of the same definition are searched.
SEARCHED = 100
#: States of a task instance that keeps number and times of its last attempt until the next one starts.
WAITING = frozenset({None, "scheduled", "queued", "up_for_retry", "up_for_reschedule", "restarting"})
#: By how much the clocks of Airflow's hosts may differ.
CLOCKS = timedelta(seconds=30)
#: Tasks at work whose progress is shown, those that have worked for longest: each takes a request.
MOST_PROGRESS = 48
#: Runs whose task instances and files are kept in memory.
MOST_KEPT = 32

Kept = TypeVar("Kept")


class _Recent(OrderedDict[Any, Kept], Generic[Kept]):
    """The entries that were stored last."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Any, value: Kept) -> Kept:
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
        return value


@dataclass
class _Instances:
    """The task instances of a run as they were read last."""

    read: datetime
    present: dict[Key, dict[str, Any]] = field(default_factory=dict)
    previous: dict[tuple[Key, int, bool], tuple[Try, ...]] = field(default_factory=dict)


_instances: _Recent[_Instances] = _Recent()
_read_files: _Recent[dict[str, Any]] = _Recent()
_last_success: _Recent[Mapping[str, StageTime]] = _Recent()
_counts: _Recent[tuple[int, ...]] = _Recent(10 * MOST_KEPT)
_documents: _Recent[tuple[dict[str, Any], dict[str, Any]]] = _Recent(10 * MOST_KEPT)


async def read_run(api: AirflowApi, dag_id: str, run_id: str) -> Run:
    """Return the run with everything that its page shows.

    :raises HTTPException: 404 where there is no such run.
    """
    dag_run = await api.run(dag_id, run_id)
    present, previous = await _tries(api, dag_id, run_id)
    about, closing = await asyncio.to_thread(_about, dag_id, run_id, dag_run["end_date"])
    files = await asyncio.to_thread(_files, dag_id, run_id)
    named = {each.key: run_files.result_name(each.task_id, each.map_index, each.number) for each in present}
    errors: dict[Key, list[dict[str, Any]]] = {}
    for name in sorted(files):
        if name.startswith(f"{run_files.TRIES}/"):
            note = files[name]
            errors.setdefault((note["task"], note["map_index"]), []).append({**note, "try": note["number"]})
    return Run(
        dag_id=dag_id,
        run_id=run_id,
        state=dag_run["state"],
        started=_moment(dag_run["start_date"]),
        ended=_moment(dag_run["end_date"]),
        now=datetime.now(UTC),
        conf={**(dag_run["conf"] or {}), "definition": _definition(dag_run, about)},
        triggered_by=dag_run["triggering_user_name"],
        note=dag_run["note"],
        shape=_shape(about, present),
        tries=not_begun_again(present, previous),
        former=previous,
        results={key: files[name]["returned"] for key, name in named.items() if name in files},
        progress=await _progress(api, dag_id, run_id, present),
        errors=errors,
        summary=closing.get("summary"),
    )


async def read_list(api: AirflowApi, most: int) -> list[dict[str, Any]]:
    """Return the latest runs of the refreshes that the user may read, the latest first."""
    dags = await api.collect("dags", "dags", tags=TAGS, tags_match_mode="all", exclude_stale=False)
    if not dags:
        return []
    runs = await api.latest_runs([dag["dag_id"] for dag in dags], most)
    return await api.all(_listed(api, run) for run in runs)


async def read_former(api: AirflowApi, run: Run, most: int) -> list[Former]:
    """Return the run and the latest ones before it with the same definition, the latest first."""
    found = [
        Former(
            run.run_id,
            run.state,
            run.started,
            _seconds(run.started, run.ended),
            run.conf["definition"],
            _stage_times(run.tries),
            run.summary,
        )
    ]
    for before, facts in await _comparable(api, run):
        if len(found) == most:
            break
        started, ended = _moment(before["start_date"]), _moment(before["end_date"])
        found.append(
            Former(
                before["dag_run_id"],
                before["state"],
                started,
                _seconds(started, ended),
                facts.definition,
                facts.stages,
                facts.summary,
            )
        )
    return found


async def read_last_success(api: AirflowApi, run: Run) -> Mapping[str, StageTime]:
    """Return what each task took in the latest successful run before this one, of the same definition."""
    key = (run.dag_id, run.run_id)
    if key not in _last_success:
        before = await _comparable(api, run)
        stages = next((facts.stages for each, facts in before if each["state"] == "success"), {})
        return _last_success.keep(key, stages) if stages else {}
    return _last_success[key]


@dataclass(frozen=True)
class _Facts:
    """What a run's own files say of it."""

    definition: str | None = None
    summary: Mapping[str, Any] | None = None
    stages: Mapping[str, StageTime] = field(default_factory=dict)


async def _comparable(api: AirflowApi, run: Run) -> list[tuple[dict[str, Any], _Facts]]:
    """Return the runs before this one with the same definition, the latest first, without dry runs."""
    this = await api.run(run.dag_id, run.run_id)
    runs = await api.latest_runs([run.dag_id], SEARCHED, run_after_lte=this["run_after"])
    before = [each for each in runs if each["dag_run_id"] != run.run_id]
    before = [each for each in before if not (each["conf"] or {}).get("dry_run")]
    facts = await api.all(_facts(each) for each in before)
    return [
        (each, known)
        for each, known in zip(before, facts, strict=True)
        if known.definition == run.conf["definition"]
    ]


async def _listed(api: AirflowApi, run: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of the list for a run."""
    started, ended = _moment(run["start_date"]), _moment(run["end_date"])
    facts, (tasks, done, before) = await _facts(run), await _counted(api, run)
    return {
        "dag_id": run["dag_id"],
        "run_id": run["dag_run_id"],
        "state": run["state"],
        "started": started.isoformat() if started else None,
        "seconds": _seconds(started, ended),
        # Airflow moves the start of a run that is cleared.
        "resumed": before > 0,
        "definition": facts.definition,
        "triggered_by": run["triggering_user_name"],
        "tasks": tasks,
        "done": done,
        "summary": facts.summary,
    }


async def _counted(api: AirflowApi, run: dict[str, Any]) -> tuple[int, ...]:
    """Return how many task instances a run has, have succeeded, and started before the run's start.

    Kept once the run has ended, until it is cleared.
    """
    key = (run["dag_id"], run["dag_run_id"], run["end_date"])
    if key in _counts:
        return _counts[key]
    instances = ("dags", run["dag_id"], "dagRuns", run["dag_run_id"], "taskInstances")
    # By filters, not by sorting: Airflow 3.2 mixes up the sort orders of requests at the same time.
    wanted = [
        {},
        {"state": "success"},
        *([{"start_date_lt": run["start_date"]}] if run["start_date"] else []),
    ]
    answers = await api.all(api.get(*instances, limit=1, **filters) for filters in wanted)
    counts = (*(answer["total_entries"] for answer in answers), 0)[:3]
    return _counts.keep(key, counts) if run["end_date"] else counts


async def _tries(api: AirflowApi, dag_id: str, run_id: str) -> tuple[tuple[Try, ...], tuple[Try, ...]]:
    """Return the present attempts of a run's task instances, and those before.

    Only instances that Airflow has changed since the last look are read again.
    """
    path = ("dags", dag_id, "dagRuns", run_id, "taskInstances")
    known, now = _instances.get((dag_id, run_id)), datetime.now(UTC)
    changed: list[dict[str, Any]] = []
    if known is not None:
        since = (known.read - CLOCKS).isoformat()
        changed = await api.collect("task_instances", *path, updated_at_gte=since)
        known.read = now
        known.present.update(_by_key(changed))
        total = (await api.get(*path, limit=1))["total_entries"]
    if known is None or total != len(known.present):
        known = _Instances(now, _by_key(await api.collect("task_instances", *path)))
        _instances.keep((dag_id, run_id), known)
    present = tuple(_try(known.present[key]) for key in sorted(known.present))
    repeated = [each for each in present if each.number > 1 or (each.number and each.state in WAITING)]
    previous = await api.all(_previous(api, path, known, each) for each in repeated)
    return present, tuple(each for attempts in previous for each in attempts)


async def _previous(
    api: AirflowApi, path: tuple[str, ...], known: _Instances, present: Try
) -> tuple[Try, ...]:
    """Return the attempts of a task instance before its present one, which do not change any more."""
    waits = present.state in WAITING
    key = (present.key, present.number, waits)
    if key not in known.previous:
        answer = await api.get(*path, present.task_id, "tries", map_index=present.map_index)
        tries = [_try({**each, "rendered_map_index": present.item}) for each in answer["task_instances"]]
        known.previous[key] = tuple(
            each
            for each in sorted(tries, key=lambda each: each.number)
            if each.number < present.number
            or (waits and each.number == present.number and each.state not in WAITING)
        )
    return known.previous[key]


async def _progress(
    api: AirflowApi, dag_id: str, run_id: str, present: tuple[Try, ...]
) -> dict[Key, Mapping[str, Any]]:
    """Return what the tasks at work report, from their state stores."""
    if not HAS_TASK_STATE:
        return {}
    active = [each for each in present if each.state in ACTIVE and each.start]
    working = sorted(active, key=lambda each: each.start or datetime.max)[:MOST_PROGRESS]
    path = ("dags", dag_id, "dagRuns", run_id, "taskInstances")
    found = await api.all(
        api.find(*path, each.task_id, "state-store", "progress", map_index=each.map_index) for each in working
    )
    return {each.key: entry["value"] for each, entry in zip(working, found, strict=True) if entry}


async def _facts(run: dict[str, Any]) -> _Facts:
    about, summary = await asyncio.to_thread(_about, run["dag_id"], run["dag_run_id"], run["end_date"])
    stages = {task: StageTime(**time) for task, time in summary.get("stages", {}).items()}
    return _Facts(_definition(run, about), summary.get("summary"), stages)


def _about(dag_id: str, run_id: str, ended: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a run wrote at its start and at its end; kept once it has ended, until it is cleared."""
    key = (dag_id, run_id, ended)
    if key in _documents:
        return _documents[key]
    found = tuple(document(dag_id, run_id, name) or {} for name in (run_files.DAG, run_files.SUMMARY))
    # Without run.json the folder may have been unreachable: read it again next time.
    return _documents.keep(key, (found[0], found[1])) if ended and found[0] else (found[0], found[1])


def _files(dag_id: str, run_id: str) -> Mapping[str, Any]:
    """Return the results and failures of a run's tasks by file name. Each file is read once."""
    known = _read_files.get((dag_id, run_id)) or _read_files.keep((dag_id, run_id), {})
    try:
        reports = settings.report_directory()
        for folder in (run_files.RESULTS, run_files.TRIES):
            known.update(
                (name, json.loads(content))
                for name, content in reports.read_folder(dag_id, run_id, folder, known).items()
            )
    except RefreshError as error:
        log.warning("Showing %s without the results of its tasks: %s", run_id, error)
    return dict(known)


def document(dag_id: str, run_id: str, name: str) -> Any:
    """Return a JSON file of the run, None where there is none."""
    content = file(dag_id, run_id, name)
    return None if content is None else json.loads(content)


def file(dag_id: str, run_id: str, name: str) -> bytes | None:
    """Return a file of the run, None where there is none or the store cannot be reached."""
    try:
        return settings.report_directory().read(dag_id, run_id, name)
    except RefreshError as error:
        log.warning("Showing %s without %s: %s", run_id, name, error)
        return None


def _definition(dag_run: Mapping[str, Any], about: Mapping[str, Any]) -> Any:
    """Return what a run refreshes by: as its form says, else the default of its DAG."""
    return (dag_run["conf"] or {}).get("definition") or about.get("definition")


def _shape(about: Mapping[str, Any], present: Iterable[Try]) -> Shape:
    """Return the shape that the run's first task wrote; before that, its tasks without an order."""
    if about:
        return Shape.of(about["upstream"], about["mapped"])
    return Shape.of(
        {each.task_id: () for each in present}, {each.task_id for each in present if each.map_index >= 0}
    )


def _by_key(instances: Iterable[dict[str, Any]]) -> dict[Key, dict[str, Any]]:
    return {(each["task_id"], each["map_index"]): each for each in instances}


def _try(instance: Mapping[str, Any]) -> Try:
    index, item = instance["map_index"], instance["rendered_map_index"]
    return Try(
        instance["task_id"],
        index,
        None if item == str(index) else item,  # Airflow's stand-in for a name that is not rendered yet
        instance["operator"] or "",
        instance["state"],
        instance["try_number"],
        _moment(instance["queued_when"]),
        _moment(instance["start_date"]),
        _moment(instance["end_date"]),
    )


def _stage_times(tries: Iterable[Try]) -> dict[str, StageTime]:
    times: dict[str, list[float]] = {}
    for each in tries:
        if each.state == "success" and each.start and each.end:
            times.setdefault(each.task_id, []).append((each.end - each.start).total_seconds())
    return {task: StageTime(len(seconds), round(sum(seconds), 2)) for task, seconds in times.items()}


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 2) if start and end else None
