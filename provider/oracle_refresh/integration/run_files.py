"""Files that the tasks of a run leave for its page and its report, in the run's folder.

A worker may not read what Airflow knows of other tasks, and Airflow's REST API has no request for the results
of a thousand tasks. So each task writes one small file when it has succeeded, and one for each failed
attempt. No error here stops a task: its work counts, not the file.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import settings
from oracle_refresh.plan.course import TaskTime
from oracle_refresh.report.tries import TryNote, note
from oracle_refresh.run import failures

if TYPE_CHECKING:
    from oracle_refresh.integration.report_store import ReportStore

log = logging.getLogger(__name__)

#: Written by the first task: the shape of the DAG, and the definition that the run refreshes by.
DAG = "run.json"
#: Written with the report: `report.summary`, and what the tasks took.
SUMMARY = "summary.json"
RESULTS, TRIES = "results", "tries"
#: Failures that a report lists, the latest ones.
MOST = 300


def result_name(task_id: str, map_index: int, number: int) -> str:
    """Return the name of the file that attempt `number` of a task leaves when it succeeds."""
    return f"{RESULTS}/{task_id}.{map_index}.{number}.json"


def _never_failing(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a function log its errors instead of raising them, and do nothing outside of a task.

    :param what: what the page of the run lacks then.
    """

    def decorated(write: Callable[..., None]) -> Callable[..., None]:
        @wraps(write)
        def attempted(context: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
            if context.get("ti") is None:
                return
            try:
                write(context, *args, **kwargs)
            except Exception as error:
                log.warning("The page of the run will lack %s: %s", what, error)

        return attempted

    return decorated


@_never_failing("the order of its tasks")
def keep_dag(context: Mapping[str, Any]) -> None:
    """Write the shape of the run's DAG: what each task needs, and which tasks are mapped."""
    tasks = context["dag"].tasks
    document = {
        "definition": context["params"].get("definition"),
        "upstream": {task.task_id: sorted(task.upstream_task_ids) for task in tasks},
        "mapped": [task.task_id for task in tasks if task.is_mapped or task.get_closest_mapped_task_group()],
    }
    _write(context, DAG, document)


@_never_failing("the result of this task")
def keep_result(context: Mapping[str, Any], result: Any, failed: bool = False) -> None:
    """Write what this task returned, where it is a dict or a list, and how long it took in seconds.

    :param failed: the result is a part, and the task fails.
    """
    instance = context["ti"]
    document = {
        "task": instance.task_id,
        "map_index": _index(instance),
        "operator": type(instance.task).__name__,
        "seconds": None if failed else _seconds(instance),
        "returned": result if isinstance(result, (dict, list)) else None,
    }
    name = result_name(instance.task_id, _index(instance), instance.try_number)
    _write(context, name, document)


@_never_failing("the failure of this attempt")
def keep_failure(context: Mapping[str, Any], failure: dict[str, Any]) -> None:
    """Write how an attempt of this task failed.

    :param failure: `failures.failure` or `failures.lost`.
    """
    instance = context["ti"]
    written = note(
        failure,
        task=instance.task_id,
        map_index=_index(instance),
        item=instance.rendered_map_index,
        operator=type(instance.task).__name__,
        began=instance.start_date,
        run_began=context["dag_run"].start_date,
    )
    _write(context, f"{TRIES}/{written.name}", written.to_json())


@_never_failing("the failure of the previous attempt")
def keep_lost_attempt(context: Mapping[str, Any]) -> None:
    """Write that the previous attempt was stopped before it could leave a file; to be called by each attempt.

    The number of remaining attempts says whether there was one: Airflow counts anew when a task is cleared.
    """
    instance = context["ti"]
    before = instance.try_number - 1
    first = instance.max_tries - (instance.task.retries or 0) + 1
    if before < first:
        return
    names = settings.report_directory().names(instance.dag_id, instance.run_id, TRIES)
    if not any(name.endswith(f".{instance.task_id}.{_index(instance)}.{before}.json") for name in names):
        keep_failure(context, failures.lost(before, instance.start_date))


def read_failures(reports: ReportStore, dag_id: str, run_id: str) -> tuple[TryNote, ...]:
    """Return the latest failures of a run.

    :raises RefreshError: when the store of the reports cannot be reached.
    """
    files = reports.read_folder(dag_id, run_id, TRIES)
    return tuple(TryNote.from_json(json.loads(files[name])) for name in sorted(files)[-MOST:])


def read_times(reports: ReportStore, dag_id: str, run_id: str) -> list[TaskTime]:
    """Return what each task took that has succeeded, of its latest attempt.

    :raises RefreshError: when the store of the reports cannot be reached.
    """
    files = reports.read_folder(dag_id, run_id, RESULTS)
    latest: dict[tuple[str, int], tuple[int, TaskTime]] = {}
    for name, content in files.items():
        told, number = json.loads(content), int(name.split(".")[-2])
        key = (told["task"], told["map_index"])
        if told["seconds"] is not None and number > latest.get(key, (0, None))[0]:
            latest[key] = number, TaskTime(told["task"], told["operator"], told["map_index"], told["seconds"])
    return [time for _, time in latest.values()]


def _seconds(instance: Any) -> float:
    return float(round((datetime.now(UTC) - instance.start_date).total_seconds(), 3))


def _index(instance: Any) -> int:
    return -1 if instance.map_index is None else int(instance.map_index)


def _write(context: Mapping[str, Any], name: str, document: Any) -> None:
    instance = context["ti"]
    settings.report_directory().write(instance.run_id, {name: json.dumps(document)}, instance.dag_id)
