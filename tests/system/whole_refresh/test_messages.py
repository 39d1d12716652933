"""What people are told of a refresh by Airflow's own processes: that it is late, that it was published."""

from __future__ import annotations

import json
import time

from support.webhook import SECRET, Webhook

from .conftest import First, Home

PATIENCE_SECONDS = 300.0


def awaited(webhook: Webhook, *words: str) -> str:
    """The first message with these words; Airflow's processes send in their own time."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        for text in webhook.texts:
            if all(word in text for word in words):
                return text
        assert time.monotonic() < end, webhook.texts
        time.sleep(0.2)


def test_a_late_run_and_its_publication_are_told(home: Home, first: First, webhook: Webhook) -> None:
    assert first.exit_code == 0
    told = awaited(webhook, ": published, ")
    run_id = told.partition(" s (")[2].partition(")")[0]
    report = json.loads((home.reports / run_id / "report.json").read_text())
    assert told.startswith(f"demo: published, {len(report['tables'])} tables as of SCN {report['scn']} in ")
    assert "/oracle-refresh/runs/test_data_refresh/" in told
    assert awaited(webhook, "late", run_id).startswith(f"test_data_refresh is late ({run_id})")
    assert {path for path, _ in webhook.posts} == {f"/hooks/{SECRET}"}


def test_no_log_of_airflow_has_the_secret(home: Home, first: First, webhook: Webhook) -> None:
    assert awaited(webhook, ": published, ")
    logs = [*(home.folder / "log").rglob("*.log"), *(home.folder / "airflow").rglob("*.log")]
    assert len(logs) > 10
    for log in logs:
        assert SECRET not in log.read_text(errors="replace"), log
