"""What failed tries leave behind: for the run's page in the task's state store, for the report beside it.

A worker may not read what Airflow knows of other tasks, so the report's task finds the failures of a run in
the run's folder, one small file for each. Nothing here stops a task: what it does counts, not what is told.
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
            log.warning("the failure could not be shown: %s", error)
    instance = context.get("ti")
    if instance is not None:
        try:
            _keep(context, instance, failure)
        except Exception as error:
            log.warning("the report will not tell of the failure: %s", error)


def tell_of_lost_try(context: Mapping[str, Any]) -> None:
    """Keep that the try before this one was stopped before it could say anything; to be called by each try.

    Whether there was one is known by the tries that are left: Airflow begins to count them anew when a task
    is cleared.
    """
    instance, store = context["ti"], context.get("task_state_store")
    before = instance.try_number - 1
    first = instance.max_tries - (instance.task.retries or 0) + 1
    if store is None or before < first:
        return
    try:
        told = store.get(failures.KEY) or ()
    except Exception as error:
        log.warning("nobody knows how the try before ended: %s", error)
        return
    if all(failure.get("try") != before for failure in told):
        tell(context, failures.lost(before, instance.start_date))


def read(reports: ReportStore, dag_id: str, run_id: str) -> tuple[TryNote, ...]:
    """What the failed tries of a run have left, the latest ones.

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
