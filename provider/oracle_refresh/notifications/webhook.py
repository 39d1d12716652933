"""A message to a chat or an alerting system: what was published or failed, and where the report is.

Slack, Mattermost, Rocket.Chat, Teams workflows and most others take a POST of `{"text": ...}`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

from airflow.sdk.bases.notifier import BaseNotifier

from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import BaseHook, aget_connection
from oracle_refresh.links.addresses import file_address
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.report.model import Report
from oracle_refresh.report.summary import summary

if TYPE_CHECKING:
    from airflow.sdk import Connection, Context

log = logging.getLogger(__name__)
TIMEOUT = 10.0
ENDED = (
    "{{ refresh.refresh }}: {{ refresh.status }}"
    "{% if refresh.scn %}, {{ refresh.tables }} tables as of SCN {{ refresh.scn }}"
    " in {{ '%.0f' % refresh.seconds }} s{% endif %} ({{ run_id }})"
    "{% if report %} {{ report }}{% endif %}"
)


class RefreshNotifier(BaseNotifier):
    """Posts one line of text to a webhook. For callbacks of DAGs and tasks, and for deadline alerts.

    In the template, `refresh` has the figures of the run's report (`refresh`, `status`, `scn`, `tables`,
    `rows`, `bytes`, `seconds`, `masked_columns` ...; `status` is `without report` where there is none),
    `report` its address; `dag_id` and `run_id` are there for deadlines too. What cannot be sent is logged.

    :param conn_id: Airflow connection whose `host` is the URL; its `password`, if any, is the end of the URL,
        which such services keep secret. Templated.
    :param text: Jinja template of the message. Templated.
    """

    template_fields: Sequence[str] = ("conn_id", "text")

    def __init__(self, *, conn_id: str, text: str = ENDED, context: Context | None = None) -> None:
        super().__init__(context)
        self.conn_id = conn_id
        self.text = text

    def _update_context(self, context: Context) -> Context:
        context.update(_facts(context))  # type: ignore[typeddict-item]
        return super()._update_context(context)

    def notify(self, context: Context) -> None:
        import httpx

        url = _url(BaseHook.get_connection(self.conn_id))
        _require_taken(httpx.post(url, json={"text": self.text}, timeout=TIMEOUT).status_code)

    async def async_notify(self, context: Context) -> None:
        import httpx

        url = _url(await aget_connection(self.conn_id))
        async with httpx.AsyncClient(timeout=TIMEOUT) as client:
            answer = await client.post(url, json={"text": self.text})
        _require_taken(answer.status_code)


def _url(connection: Connection) -> str:
    return f"{connection.host or ''}{connection.password or ''}"


def _require_taken(status: int) -> None:
    # Without httpx's own error, which names the URL and with it the secret.
    if status >= 400:
        raise RefreshError(
            f"the webhook answers {status}",
            step="notify",
            remedy="check host and password of its connection, which together are the URL",
        )


def _facts(context: Any) -> dict[str, Any]:
    """What the template may name, by whatever the callback was told of the run."""
    dag_id, run_id = _names(context)
    content = _report(dag_id, run_id) if dag_id and run_id else None
    report = Report.from_json(json.loads(content)) if content else None
    figures: dict[str, Any] = {"refresh": dag_id, "status": "without report", "scn": None}
    address = ""
    if report is not None and not _of_former_pass(report, _given(context).get("start_date")):
        figures, address = summary(report), file_address(dag_id, run_id, "report.html")
    facts = {"dag_id": dag_id, "run_id": run_id, "refresh": figures, "report": address}
    return {name: _harmless(fact) for name, fact in facts.items()}


def _harmless(value: Any) -> Any:
    """Texts in which what chats take for markup stands for itself: `<!channel>` and `<address|text>` are
    Slack's, which has these three characters written so."""
    if isinstance(value, dict):
        return {key: _harmless(each) for key, each in value.items()}
    return escape(value, quote=False) if isinstance(value, str) else value


def _report(dag_id: str, run_id: str) -> bytes | None:
    try:
        return settings.report_directory().read(dag_id, run_id, "report.json")
    except RefreshError as error:  # that something has failed has to be told all the same
        log.warning("the message says nothing of the report: %s", error)
        return None


def _of_former_pass(report: Report, started: Any) -> bool:
    """Whether it was written before the run was cleared: what it says of success or failure is over.

    :param started: the run's start, which Airflow moves then; None where it is not known.
    """
    if isinstance(started, str):
        started = datetime.fromisoformat(started)
    written = report.audit.reported_at
    return bool(started and written) and datetime.fromisoformat(written) < started.replace(microsecond=0)


def _names(context: Any) -> tuple[str, str]:
    """DAG and run: a task has both in `dag_run`, a deadline as a mapping; a DAG itself may lack that."""
    given, dag = _given(context), context.get("dag")
    dag_id = given.get("dag_id") or getattr(dag, "dag_id", "")
    return str(dag_id or ""), str(
        given.get("dag_run_id") or given.get("run_id") or context.get("run_id") or ""
    )


def _given(context: Any) -> dict[str, Any]:
    """What is known of the run."""
    run = context.get("dag_run")
    return run if isinstance(run, dict) else vars(run) if hasattr(run, "__dict__") else {}
