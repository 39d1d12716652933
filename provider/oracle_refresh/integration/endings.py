"""Why Airflow ends a task: because somebody wants it to end, or because Airflow lost sight of it.

A task is told to end by the same signal when somebody marks, clears or deletes it and when its supervisor
could not send heartbeats to the API server for a while, or the worker is shut down. The states of the run
tell them apart: only what a person does makes a task that is running `failed`, `success`, `skipped` or
`restarting` (cleared), or deletes its run, of which Airflow counts none then. A task that was lost is
`running` still, or waits for its next try. Of one that its run does not name nothing is known.

The scheduler fails a task without heartbeats for good when it has no tries left. Nobody can tell that from a
person's mark; its supervisor ends it long before that, after `[workers] max_failed_heartbeats`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)

#: States that only a deliberate ending gives to a task that was at work.
ENDED = frozenset({"failed", "success", "skipped", "removed", "restarting"})
#: In which Airflow has to say so: it kills a task five seconds after it has asked it to end.
ASK_SECONDS = 2.0
#: The same for a trigger, which has `[triggerer] on_kill_timeout`, by default 30 seconds.
TRIGGER_ASK_SECONDS = 15.0


@dataclass(frozen=True)
class Instance:
    """A task instance as Airflow names it in a run."""

    dag_id: str
    run_id: str
    task_id: str
    map_index: int = -1

    @classmethod
    def of(cls, instance: Any) -> Instance | None:
        """That of a context's `ti`, or of a trigger; None outside of Airflow."""
        dag_id, run_id, task_id = (getattr(instance, name, None) for name in ("dag_id", "run_id", "task_id"))
        if dag_id is None or run_id is None or task_id is None:
            return None
        return cls(str(dag_id), str(run_id), str(task_id), int(getattr(instance, "map_index", -1)))

    @property
    def key(self) -> str:
        return self.task_id if self.map_index < 0 else f"{self.task_id}_{self.map_index}"


def deliberate(instance: Instance, states: Mapping[str, str | None]) -> bool:
    """Whether somebody has ended the task, by the states of its run's tasks."""
    return states.get(instance.key) in ENDED


def ended_deliberately(instance: Instance | None, seconds: float = ASK_SECONDS) -> bool:
    """Whether Airflow says in this time that somebody has ended the task; otherwise nobody did.

    Asked from a thread: a signal handler may have come into the middle of another request of the task, whose
    answer this one would wait for.
    """
    if instance is None:
        return False
    answers: list[bool] = []
    asking = threading.Thread(target=lambda: answers.append(_ask(instance)), daemon=True)
    asking.start()
    asking.join(seconds)
    return bool(answers and answers[0])


async def aended_deliberately(instance: Instance | None) -> bool:
    """The same in a triggerer, whose event loop continues meanwhile."""
    if instance is None:
        return False
    from asgiref.sync import sync_to_async

    try:
        return await asyncio.wait_for(sync_to_async(_ask)(instance), TRIGGER_ASK_SECONDS)
    except TimeoutError:
        return False


def _ask(instance: Instance) -> bool:
    try:
        states = _task_states(instance)
        # Without any task it may not have understood the question: it has to say that the run is gone.
        return deliberate(instance, states) if states else _runs(instance) == 0
    except Exception as error:
        log.warning("Airflow does not tell why the task has to end: %s", error)
        return False


def _task_states(instance: Instance) -> dict[str, str | None]:
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

    by_run: dict[str, dict[str, str | None]] = RuntimeTaskInstance.get_task_states(
        dag_id=instance.dag_id, task_ids=[instance.task_id], run_ids=[instance.run_id]
    )
    return by_run.get(instance.run_id, {})


def _runs(instance: Instance) -> int:
    """How many runs of this id Airflow has: one, or none when it was deleted."""
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

    return int(RuntimeTaskInstance.get_dr_count(dag_id=instance.dag_id, run_ids=[instance.run_id]))
