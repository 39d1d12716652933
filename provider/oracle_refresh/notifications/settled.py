"""Who is told by the provider's own DAG, as `[oracle_refresh]` says: nobody, unless a connection is named."""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk.definitions.callback import AsyncCallback
from airflow.sdk.definitions.deadline import DeadlineAlert, DeadlineReference

from oracle_refresh.integration import settings
from oracle_refresh.notifications.webhook import RefreshNotifier

LATE = "{{ dag_id or 'The refresh' }} is late ({{ run_id }}): it has not ended by its deadline"


def notifiers() -> list[RefreshNotifier]:
    """What tells people that a refresh was published or has failed: a callback of the DAG, or none."""
    conn_id = settings.notify_conn_id()
    return [RefreshNotifier(conn_id=conn_id)] if conn_id else []


def deadline() -> DeadlineAlert | None:
    """An alert for runs that take too long, counted from when they are queued; None where none is wanted.

    The run goes on: a deadline is for people, and nothing half done is ever visible.
    """
    minutes, conn_id = settings.deadline_minutes(), settings.notify_conn_id()
    if not minutes or not conn_id:
        return None
    return DeadlineAlert(
        reference=DeadlineReference.DAGRUN_QUEUED_AT,
        interval=timedelta(minutes=minutes),
        callback=AsyncCallback(RefreshNotifier, {"conn_id": conn_id, "text": LATE}),
    )
