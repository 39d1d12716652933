"""A message to a chat or an alerting system: what was published or failed, and where the report is.

Slack, Mattermost, Rocket.Chat, Teams workflows and most others take a POST of `{"text": ...}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from airflow.sdk.bases.notifier import BaseNotifier

from oracle_refresh.integration.compat import BaseHook, aget_connection
from oracle_refresh.notifications.context import refresh_context
from oracle_refresh.oracle.errors import RefreshError

if TYPE_CHECKING:
    from airflow.sdk import Connection, Context

TIMEOUT = 10.0
ENDED = (
    "{{ refresh.refresh }}: {{ refresh.status }}"
    "{% if refresh.scn %}, {{ refresh.tables }} tables as of SCN {{ refresh.scn }}"
    " in {{ '%.0f' % refresh.seconds }} s{% endif %} ({{ run_id }})"
    "{% if refresh.failed_task %}, {{ refresh.failed_task }}: {{ refresh.error }}{% endif %}"
    "{% if refresh.remedy %}; {{ refresh.remedy }}{% endif %}"
    "{% if report %} {{ report }}{% endif %}"
)


class RefreshNotifier(BaseNotifier):
    """Posts one line of text to a webhook. For callbacks of DAGs and tasks, and for deadline alerts.

    In the template, `refresh` is the result of `notifications.context.refresh_context`; `report`, `dag_id`
    and `run_id` are its entries of these names. Airflow logs a message that cannot be sent.

    :param conn_id: Airflow connection whose `host` is the URL; its `password`, if any, is the end of the URL,
        which such services keep secret. Templated.
    :param text: Jinja template of the message. Templated.
    """

    template_fields: Sequence[str] = ("conn_id", "text")

    def __init__(self, *, conn_id: str, text: str = ENDED, context: Context | None = None) -> None:
        super().__init__(*([context] if context else []))  # without arguments below Airflow 3.1
        self.conn_id = conn_id
        self.text = text

    def _update_context(self, context: Context) -> Context:
        facts = refresh_context(context)
        named = {name: facts[name] for name in ("dag_id", "run_id", "report")}
        context.update({"refresh": facts, **named})  # type: ignore[typeddict-item]
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
