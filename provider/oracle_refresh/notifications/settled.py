"""Who is told of refreshes: as the definition of a DAG says, else as `[oracle_refresh]` does, else nobody."""

from __future__ import annotations

from datetime import timedelta

from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import (
    HAS_DEADLINES,
    AsyncCallback,
    DeadlineAlert,
    DeadlineReference,
    unsupported,
)
from oracle_refresh.notifications.webhook import ENDED, RefreshNotifier

LATE = "{{ dag_id or 'The refresh' }} is late ({{ run_id }}): it has not ended by its deadline"


def notifiers(conn_id: str | None = None, text: str = ENDED) -> list[RefreshNotifier]:
    """Return the notifier that posts a message, or an empty list if no webhook is configured.

    :param conn_id: of the webhook; None: that of `[oracle_refresh]`.
    :param text: Jinja template of the message; by default that a refresh was published or has failed.
    """
    conn_id = conn_id or settings.notify_conn_id()
    return [RefreshNotifier(conn_id=conn_id, text=text)] if conn_id else []


def deadline(conn_id: str | None = None, minutes: float | None = None) -> DeadlineAlert | None:
    """An alert for runs that take too long, counted from when they are queued; None where none is wanted.

    The run goes on: a deadline is for people, and nothing half done is ever visible.

    :param conn_id: of the webhook; None: that of `[oracle_refresh]`. So are the minutes.
    :raises ValueError: if this Airflow has no deadlines.
    """
    conn_id, minutes = conn_id or settings.notify_conn_id(), minutes or settings.deadline_minutes()
    if not minutes or not conn_id:
        return None
    if not HAS_DEADLINES:
        raise ValueError(unsupported("deadline_minutes", "3.1"))
    return DeadlineAlert(
        reference=DeadlineReference.DAGRUN_QUEUED_AT,
        interval=timedelta(minutes=minutes),
        callback=AsyncCallback(RefreshNotifier, {"conn_id": conn_id, "text": LATE}),
    )
