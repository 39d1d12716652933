"""Notes of failed tries: in the task's state store for the page of the run, and as files for its report.

A worker may not read what Airflow knows of other tasks, so the report's task finds the failures of a run in
the run's folder, one small file each. No error here stops a task: its work counts, not the note.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import settings
from oracle_refresh.report.tries import TryNote, note
from oracle_refresh.run import failures

if TYPE_CHECKING:
    from oracle_refresh.integration.report_store import ReportStore

log = logging.getLogger(__name__)
FOLDER = "tries"
#: Failures that a report tells of, the latest ones.
MOST = 300


def tell(context: Mapping[str, Any], failure: dict[str, Any]) -> None:
    """Keep a failure of this task.

    :param failure: `failures.failure` or `failures.lost`.
    """
    store = context.get("task_state_store")
    if store is not None:
        try:
            store.set(failures.KEY, failures.with_failure(store.get(failures.KEY), failure))
        except Exception as error:
            log.warning("the failure will be missing on the page of the run: %s", error)
    instance = context.get("ti")
    if instance is not None:
        try:
            _keep(context, instance, failure)
        except Exception as error:
            log.warning("the failure will be missing in the report: %s", error)


def tell_of_lost_try(context: Mapping[str, Any]) -> None:
    """Note that the previous try was stopped before it could leave a note; to be called by each try.

    The number of remaining tries says whether there was one: Airflow counts anew when a task is cleared.
    """
    instance, store = context["ti"], context.get("task_state_store")
    before = instance.try_number - 1
    first = instance.max_tries - (instance.task.retries or 0) + 1
    if store is None or before < first:
        return
    try:
        told = store.get(failures.KEY) or ()
    except Exception as error:
        log.warning("how the previous try ended is unknown: %s", error)
        return
    if all(failure.get("try") != before for failure in told):
        tell(context, failures.lost(before, instance.start_date))


def read(reports: ReportStore, dag_id: str, run_id: str) -> tuple[TryNote, ...]:
    """The notes of a run's failed tries, the latest ones.

    :raises RefreshError: when the store of the reports cannot be reached.
    """
    notes = []
    for name in reports.names(dag_id, run_id, FOLDER)[-MOST:]:
        content = reports.read(dag_id, run_id, name)
        if content is not None:
            notes.append(TryNote.from_json(json.loads(content)))
    return tuple(notes)


def _keep(context: Mapping[str, Any], instance: Any, failure: dict[str, Any]) -> None:
    written = note(
        failure,
        task=instance.task_id,
        map_index=-1 if instance.map_index is None else instance.map_index,
        item=instance.rendered_map_index,
        operator=type(instance.task).__name__,
        began=instance.start_date,
        run_began=context["dag_run"].start_date,
    )
    files = {f"{FOLDER}/{written.name}": json.dumps(written.to_json())}
    settings.report_directory().write(instance.run_id, files, instance.dag_id)
