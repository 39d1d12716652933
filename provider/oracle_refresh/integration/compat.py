"""Names that some supported versions of Airflow lack. No other module asks for a version of Airflow.

Each branch names the version that made it unnecessary. `docs/reference/compatibility.md` says what is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.providers.standard.exceptions import HITLTimeoutError
    from airflow.providers.standard.operators.hitl import ApprovalOperator, HITLOperator
    from airflow.sdk import BaseHook, Connection
    from airflow.sdk.configuration import conf
    from airflow.sdk.definitions.callback import AsyncCallback
    from airflow.sdk.definitions.deadline import DeadlineAlert, DeadlineReference
    from airflow.sdk.definitions.retry_policy import RetryAction, RetryDecision, RetryPolicy
    from airflow.sdk.exceptions import (
        AirflowException,
        AirflowFailException,
        AirflowNotFoundException,
        AirflowSkipException,
        AirflowTaskTimeout,
        TaskDeferralError,
        TaskDeferralTimeout,
        TaskDeferred,
    )
    from airflow.sdk.observability.stats import Stats
else:
    try:
        from airflow.sdk.configuration import conf
        from airflow.sdk.exceptions import (
            AirflowException,
            AirflowFailException,
            AirflowNotFoundException,
            AirflowSkipException,
            AirflowTaskTimeout,
            TaskDeferralError,
            TaskDeferralTimeout,
            TaskDeferred,
        )
        from airflow.sdk.observability.stats import Stats
    except ImportError:  # Airflow 3.2
        from airflow.configuration import conf
        from airflow.exceptions import (
            AirflowException,
            AirflowFailException,
            AirflowNotFoundException,
            AirflowSkipException,
            AirflowTaskTimeout,
            TaskDeferralError,
            TaskDeferralTimeout,
            TaskDeferred,
        )
        from airflow.stats import Stats
    try:
        from airflow.sdk import BaseHook
    except ImportError:  # Airflow 3.1
        from airflow.hooks.base import BaseHook
    try:
        from airflow.sdk.definitions.retry_policy import RetryAction, RetryDecision, RetryPolicy
    except ImportError:  # Airflow 3.3
        RetryAction, RetryDecision, RetryPolicy = None, None, object
    try:
        from airflow.sdk.definitions.callback import AsyncCallback
        from airflow.sdk.definitions.deadline import DeadlineAlert, DeadlineReference
    except ImportError:
        try:  # Airflow 3.2
            from airflow.sdk.definitions.deadline import AsyncCallback, DeadlineAlert, DeadlineReference
        except ImportError:  # Airflow 3.1
            AsyncCallback = DeadlineAlert = DeadlineReference = None
    try:
        from airflow.providers.standard.exceptions import HITLTimeoutError
        from airflow.providers.standard.operators.hitl import ApprovalOperator, HITLOperator
    except (ImportError, AirflowException):  # Airflow 3.1
        from airflow.sdk import BaseOperator

        class HITLTimeoutError(Exception):
            """Never raised: no approval is asked for."""

        class HITLOperator(BaseOperator):
            """Takes the place of an approval in a DAG; never asks for one."""

            def __init__(self, *, subject: str, **kwargs: Any) -> None:
                super().__init__(**kwargs)
                self.subject = subject

        ApprovalOperator = HITLOperator

__all__ = [
    "HAS_APPROVALS",
    "HAS_DEADLINES",
    "HAS_NULL_CHOICES",
    "HAS_RETRY_POLICY",
    "HAS_TASK_STATE",
    "HAS_TRIGGER_ON_KILL",
    "AirflowException",
    "AirflowFailException",
    "AirflowNotFoundException",
    "AirflowSkipException",
    "AirflowTaskTimeout",
    "ApprovalOperator",
    "AsyncCallback",
    "BaseHook",
    "DeadlineAlert",
    "DeadlineReference",
    "HITLOperator",
    "HITLTimeoutError",
    "RetryAction",
    "RetryDecision",
    "RetryPolicy",
    "Stats",
    "TaskDeferralError",
    "TaskDeferralTimeout",
    "TaskDeferred",
    "aget_connection",
    "conf",
    "unsupported",
]

AIRFLOW = tuple(int(number) for number in re.findall(r"\d+", version("apache-airflow-core"))[:3])
#: Null among the choices of a form: below 3.1.8, such a form does not open (apache/airflow#62049).
HAS_NULL_CHOICES = AIRFLOW >= (3, 1, 8)
#: `retry_policy` of tasks; below 3.3, operators call `retries.fail_at_once`.
HAS_RETRY_POLICY = AIRFLOW >= (3, 3)
#: `BaseTrigger.on_kill`; below 3.3, a cancelled trigger asks Airflow whether its task was ended.
HAS_TRIGGER_ON_KILL = AIRFLOW >= (3, 3)
#: `task_state_store` of a task's context, by which it reports progress.
HAS_TASK_STATE = AIRFLOW >= (3, 3)
#: Both depend on what could be imported: the standard provider may be older than Airflow.
HAS_APPROVALS = ApprovalOperator is not HITLOperator
HAS_DEADLINES = DeadlineAlert is not None


def unsupported(what: str, needed: str) -> str:
    """Return the error text for a feature that this Airflow lacks.

    :param what: the setting that asks for it.
    :param needed: first version of Airflow that has it.
    """
    return f"{what} needs Airflow {needed} or later, but {version('apache-airflow-core')} is installed"


async def aget_connection(conn_id: str) -> Connection:
    """Return an Airflow connection in a trigger.

    :raises AirflowNotFoundException: if there is none of this id.
    """
    if hasattr(BaseHook, "aget_connection"):
        return await BaseHook.aget_connection(conn_id)
    from asgiref.sync import sync_to_async  # Airflow 3.1

    return await sync_to_async(BaseHook.get_connection)(conn_id)


# Runs as the command line sees them. The public interface for these is the REST API with a token, which a
# command on Airflow's host does not have. Workers and the page never call them.


def is_paused(dag_id: str) -> bool | None:
    """Return whether a DAG is paused, None where Airflow does not know it."""
    from airflow.models.dag import DagModel

    model = DagModel.get_current(dag_id)
    return None if model is None else bool(model.is_paused)


def trigger(dag_id: str, run_id: str, conf: dict[str, Any]) -> None:
    """Trigger a run.

    :raises AirflowException: if Airflow refuses it; ValueError for values that its form refuses.
    """
    from airflow.api.client import get_current_api_client

    get_current_api_client().trigger_dag(dag_id, run_id=run_id, conf=conf)


def run_state(dag_id: str, run_id: str) -> str | None:
    """Return the state of a run, None where there is no such run."""
    from airflow.models.dagrun import DagRun

    runs = DagRun.find(dag_id=dag_id, run_id=[run_id])
    return str(runs[0].state) if runs else None


def fail_run(dag_id: str, run_id: str) -> None:
    """Mark a run as failed."""
    from airflow.models.dagrun import DagRun
    from airflow.utils.session import create_session
    from airflow.utils.state import DagRunState

    with create_session() as session:
        for run in DagRun.find(dag_id=dag_id, run_id=[run_id], session=session):
            run.set_state(DagRunState.FAILED)


def dags_of_run(run_id: str) -> list[str]:
    """Return the ids of the DAGs that have a run of this id."""
    from airflow.models.dagrun import DagRun

    return sorted(run.dag_id for run in DagRun.find(run_id=[run_id]))


def clear(dag_id: str, run_id: str, wanted: Collection[tuple[str, int]]) -> None:
    """Clear task instances of a run, as Airflow's page does; a run that has ended is queued again.

    :param wanted: task ids with their map indexes, -1 for tasks that are not mapped.
    """
    from airflow.models.taskinstance import TaskInstance, clear_task_instances
    from airflow.utils.session import create_session
    from sqlalchemy import select

    of_run = select(TaskInstance).where(TaskInstance.dag_id == dag_id, TaskInstance.run_id == run_id)
    with create_session() as session:
        found = [task for task in session.scalars(of_run) if (task.task_id, task.map_index) in wanted]
        clear_task_instances(found, session)


def task_instances(dag_id: str, run_id: str) -> list[Any]:
    """Return the task instances of a run, detached from Airflow's database."""
    from airflow.models.taskinstance import TaskInstance
    from airflow.utils.session import create_session
    from sqlalchemy import select

    wanted = select(TaskInstance).where(TaskInstance.dag_id == dag_id, TaskInstance.run_id == run_id)
    with create_session() as session:
        found = list(session.scalars(wanted))
        session.expunge_all()
    return found
