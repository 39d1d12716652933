"""Runs of the refresh's DAG, triggered and watched from the command line."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from oracle_refresh.first_contact.runs import ENDED, STEP, TaskRun
from oracle_refresh.integration import compat
from oracle_refresh.oracle.errors import PreflightError

POLL_SECONDS = 2.0
#: How long a run may wait for a scheduler; it is failed then, so that it does not begin when nobody looks.
BEGIN_SECONDS = 300.0
QUEUED = "queued"


@dataclass(frozen=True)
class DagRuns:
    """The `oracle_refresh.first_contact.runs.Runs` of a DAG."""

    dag_id: str

    def trigger(self, run_id: str, conf: dict[str, Any]) -> None:
        paused = compat.is_paused(self.dag_id)
        if paused is None:
            raise _refused(
                f"Airflow knows no DAG {self.dag_id}",
                f"copy dags/{self.dag_id}.py into a DAG bundle, and let the DAG processor read it",
            )
        if paused:
            raise _refused(f"the DAG {self.dag_id} is paused", f"airflow dags unpause {self.dag_id}")
        try:
            compat.trigger(self.dag_id, run_id, conf)
        except (compat.AirflowException, ValueError) as error:
            raise _refused(f"Airflow does not take the run: {error}", "see the form of the DAG") from error

    def require_ended(self, run_id: str) -> None:
        if compat.run_state(self.dag_id, run_id) not in (None, *ENDED):
            raise _refused(
                f"the run {run_id} of a former climb has not ended",
                "let it end, or mark it as failed in Airflow",
            )

    def await_end(self, run_id: str, longest: float, look: Callable[[tuple[TaskRun, ...]], None]) -> str:
        began = time.monotonic()
        while True:
            state = compat.run_state(self.dag_id, run_id)
            look(self.tasks(run_id))
            if state is None:
                raise _refused(f"the run {run_id} is gone", "somebody has deleted it: climb again")
            waited = time.monotonic() - began
            if state in ENDED:
                return state
            if state == QUEUED and waited > BEGIN_SECONDS:
                compat.fail_run(self.dag_id, run_id)
                raise _refused(
                    f"no scheduler has begun the run {run_id} in {BEGIN_SECONDS:.0f} s:"
                    " it is marked as failed",
                    "start Airflow's scheduler, or let the DAG's run before it end",
                )
            if waited > longest:
                return state
            time.sleep(POLL_SECONDS)

    def tasks(self, run_id: str) -> tuple[TaskRun, ...]:
        runs = [
            TaskRun(task.task_id, task.rendered_map_index, str(task.state), task.start_date, task.end_date)
            for task in compat.task_instances(self.dag_id, run_id)
        ]
        late = datetime.max.replace(tzinfo=UTC)
        return tuple(sorted(runs, key=lambda task: (task.began or late, task.task)))


def _refused(problem: str, remedy: str) -> PreflightError:
    return PreflightError(problem, step=STEP, remedy=remedy)
