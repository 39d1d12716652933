"""Buttons on a task: the run's report, its plan, the Data Pump log of its job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow.sdk import BaseOperatorLink

from oracle_refresh.links.addresses import file_address

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator
    from airflow.sdk.types import TaskInstanceKey


class ReportLink(BaseOperatorLink):
    """The report of the run; there as soon as it was written."""

    name = "Report"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        return file_address(ti_key.dag_id, ti_key.run_id, "report.html")


class PlanLink(BaseOperatorLink):
    """The plan of the run in words, with what each table is treated as and why."""

    name = "Plan"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        return file_address(ti_key.dag_id, ti_key.run_id, "plan.txt")


class LogFileLink(BaseOperatorLink):
    """The log file that Data Pump wrote for the task's job, as it was when the task ended."""

    name = "Data Pump log"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        return file_address(ti_key.dag_id, ti_key.run_id, operator.log_copy)  # type: ignore[attr-defined]
