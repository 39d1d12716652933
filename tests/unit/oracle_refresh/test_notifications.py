"""Messages to a webhook: what stands in them, what happens when nobody takes them, and who is told at all."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.smtp.notifications.smtp import SmtpNotifier
from airflow.sdk import DAG

from oracle_refresh.bundle import refresh_by_form
from oracle_refresh.integration import settings
from oracle_refresh.notifications import settled
from oracle_refresh.notifications.context import refresh_context
from oracle_refresh.notifications.settled import deadline, notifiers
from oracle_refresh.notifications.webhook import RefreshNotifier
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.report.audit import Audit
from oracle_refresh.report.model import ExpectationsReport, QuarantineReport, Report, TableReport
from oracle_refresh.report.tries import FailedTry, TryNote
from support.documents import Block, all_blocks
from support.webhook import SECRET, Webhook, a_webhook

REPORT = Report(
    refresh="demo",
    run_id="run 1",
    status="published",
    scn=42,
    seconds=7.4,
    shards=(),
    tables=(TableReport("APP", "T", 3, 3, (), "equal"),),
    masking=(),
    expectations=ExpectationsReport(0, 0),
    quarantine=QuarantineReport((), ()),
)


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Webhook]:
    with a_webhook() as server:
        monkeypatch.setenv("AIRFLOW_CONN_CHAT", server.connection)
        monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
        yield server


def write(report: Report, *notes: TryNote) -> None:
    files = {f"tries/{note.name}": json.dumps(note.to_json()) for note in notes}
    files["report.json"] = json.dumps(report.to_json())
    settings.report_directory().write(report.run_id, files, "test_data_refresh")


def task_context() -> dict[str, Any]:
    return {
        "dag": DAG("test_data_refresh", schedule=None),
        "dag_run": SimpleNamespace(dag_id="test_data_refresh", run_id="run 1"),
        "run_id": "run 1",
    }


def send(context: dict[str, Any], **arguments: Any) -> None:
    RefreshNotifier(conn_id="chat", **arguments)(context)


def test_a_published_refresh_is_told_with_its_figures(webhook: Webhook) -> None:
    write(REPORT)
    send(task_context())
    ((path, body),) = webhook.posts
    assert path == f"/hooks/{SECRET}"
    assert body["text"].startswith("demo: published, 1 tables as of SCN 42 in 7 s (run 1) ")
    assert body["text"].endswith("/oracle-refresh/runs/test_data_refresh/run%201/report.html")


def test_a_run_without_report_and_a_text_of_ones_own(webhook: Webhook) -> None:
    send(task_context())
    write(replace(REPORT, status="failed"))
    send(task_context(), text="{{ refresh.status }} {{ refresh.rows }} {{ run_id }}")
    assert [body["text"] for _, body in webhook.posts] == [
        "test_data_refresh: without report (run 1)",
        "failed 3 run 1",
    ]


@pytest.mark.parametrize(
    ("started", "told"),
    [
        (datetime(2026, 1, 2, 9, 0, 0, 700_000, tzinfo=UTC), "failed"),
        ("2026-01-02T08:59:00Z", "failed"),
        (None, "failed"),
        (datetime(2026, 1, 2, 9, 0, 1, tzinfo=UTC), "without report"),
        ("2026-01-02T09:00:01Z", "without report"),
    ],
)
def test_a_report_from_before_the_run_was_cleared_is_not_told_again(
    webhook: Webhook, started: Any, told: str
) -> None:
    """Cleared, it failed again before it could write another: what is there tells of another end."""
    write(replace(REPORT, status="failed", audit=Audit(reported_at="2026-01-02T09:00:00+00:00")))
    context = task_context()
    context["dag_run"].start_date = started
    send(context, text="{{ refresh.status }}{{ report[:0] }}")
    assert webhook.texts == [told]


def test_a_folder_of_reports_that_cannot_be_read_keeps_no_message_back(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", "nosuch://bucket/reports")
    send(task_context())
    assert webhook.texts == ["test_data_refresh: without report (run 1)"]


def test_a_refused_message_tells_no_secret(webhook: Webhook) -> None:
    webhook.status = 403
    with pytest.raises(RefreshError, match="answers 403") as refused:
        RefreshNotifier(conn_id="chat").notify({})  # type: ignore[typeddict-item]
    assert SECRET not in str(refused.value)


def test_a_late_run_is_told_from_the_triggerer(webhook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__NOTIFY_CONN_ID", "chat")
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEADLINE_MINUTES", "90")
    alert = deadline()
    assert alert is not None
    assert alert.interval == timedelta(minutes=90)
    assert alert.callback.path.endswith("webhook.RefreshNotifier")
    # What the triggerer gives: a mapping in place of the run.
    run = {"dag_id": "test_data_refresh", "dag_run_id": "run 1"}

    async def call() -> None:
        await RefreshNotifier(**alert.callback.kwargs, context={"dag_run": run})  # type: ignore[typeddict-item]

    asyncio.run(call())
    ((_, body),) = webhook.posts
    assert body["text"] == "test_data_refresh is late (run 1): it has not ended by its deadline"


def test_nobody_is_told_unless_a_connection_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEADLINE_MINUTES", "90")
    assert notifiers() == []
    assert deadline() is None
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__NOTIFY_CONN_ID", "chat")
    (notifier,) = notifiers()
    assert notifier.conn_id == "chat"
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEADLINE_MINUTES", "0")
    assert deadline() is None


def test_deadline_that_airflow_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled, "HAS_DEADLINES", False)
    with pytest.raises(ValueError, match=r"deadline_minutes needs Airflow 3\.1 or later"):
        deadline("chat", 90)


MESSAGES = [block for block in all_blocks("python") if "refresh_context(" in block.text]


@pytest.mark.parametrize("block", MESSAGES, ids=str)
def test_documented_template_of_another_notifier_renders_the_figures(
    block: Block, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(REPORT)
    monkeypatch.setattr(SmtpNotifier, "notify", lambda self, context: None)
    # All that Airflow passes to a callback of a run without a last task.
    context: dict[str, Any] = {"dag": refresh_by_form(), "run_id": "run 1"}
    texts = []
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.Constant) and "refresh_context(" in str(node.value):
            notifier = SmtpNotifier(to="crm@example.com", subject=node.value, html_content="-")
            notifier(context)
            texts.append(str(notifier.subject))
    assert "demo" in texts[0]
    assert "SCN 42" in texts[-1]
    assert "/oracle-refresh/runs/test_data_refresh/run%201/report.html" in texts[-1]


def test_refresh_context_escapes_markup_unless_told_otherwise(webhook: Webhook) -> None:
    context = {"dag_run": {"dag_id": '<!channel> & "x"', "dag_run_id": "run 1"}}
    assert refresh_context(context)["refresh"] == '&lt;!channel&gt; &amp; "x"'
    assert refresh_context(context, escape=False)["refresh"] == '<!channel> & "x"'


def test_message_of_a_failed_run_names_the_cause_and_its_remedy(webhook: Webhook) -> None:
    """Not a failure that a retry fixed, nor one that follows from the cause, nor one before a clear."""
    started = datetime(2026, 1, 2, 9, tzinfo=UTC)

    def note(minutes: int, task: str, operator: str) -> TryNote:
        at = started + timedelta(minutes=minutes)
        return TryNote(task, -1, None, operator, 1, None, at, started, (), f"{task} broke", f"repair {task}")

    retried = FailedTry("shard.load", -1, None, 1, "", (), "", None, mended=True)
    write(
        replace(REPORT, status="failed", failed_tries=(retried,)),
        note(1, "mask", "MaskTable"),
        note(2, "shard.load", "LoadShard"),
        note(3, "publish_report", "PublishReport"),
    )
    context = task_context()
    for minutes in (0, 60):
        context["dag_run"].start_date = started + timedelta(minutes=minutes)
        send(context)
    told, cleared = webhook.texts
    assert ", mask: mask broke; repair mask " in told
    assert "broke" not in cleared
