"""What the operators of all laboratories share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import settings

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator

    from oracle_refresh.labs.harness.page import Page


def write_report(task: BaseOperator, run_id: str, page: Page, document: Mapping[str, Any]) -> str:
    """Write the page, and the figures that it shows, to the run's folder of reports; the page's address."""
    reports = settings.report_directory()
    reports.write(run_id, page.files(document), task.dag_id)
    address = str(reports.address(run_id, "report.html"))
    task.log.info("report: %s", address)
    return address
