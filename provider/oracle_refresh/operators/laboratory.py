"""What the operators of all laboratories share."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump import job
from oracle_refresh.hooks.connections import read_password
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.operators.base import ProviderOperator, TaskProgress, is_template
from oracle_refresh.run.progress import LogProgress

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.definition import DataPump
    from oracle_refresh.labs.harness.page import Page

log = logging.getLogger(__name__)


class LaboratoryOperator(ProviderOperator):
    """Base of operators that work on the target of a laboratory's own definition.

    :param definition: name of a definition in `[oracle_refresh] benchmarks_directory`. The author of a DAG
        may write a path that ends in .yaml; a template renders a name. Templated.
    """

    template_fields: Sequence[str] = ("definition",)
    ui_color = "#e8f0fb"

    def __init__(self, *, definition: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.definition = definition
        self._named = is_template(definition)

    def definition_path(self) -> Path:
        """Return the file of the definition.

        :raises PreflightError: if it does not exist, or a template renders a path.
        """
        name = str(self.definition)
        return settings.benchmark_by_name(name) if self._named else settings.benchmark_path(name)

    def target(self, conn_id: str) -> AbstractContextManager[oracledb.Connection]:
        return OracleRefreshHook(oracle_conn_id=conn_id).session("target", self.task_id)

    def progress(self, context: Context) -> TaskProgress:
        return TaskProgress(LogProgress(log), context.get("task_state_store"))


def starting(options: DataPump) -> job.Start:
    """What starts Data Pump jobs with the password of the definition, from any thread.

    :raises PreflightError: if it is to encrypt dump files, and is not there.
    """
    conn_id = options.encryption_conn_id
    return partial(job.start, password=read_password(conn_id) if conn_id else None)


def write_report(
    task: ProviderOperator,
    run_id: str,
    page: Page,
    document: Mapping[str, Any],
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> str:
    """Write the page, and the figures that it shows, to the run's folder of reports; the page's address.

    :param more: files that stand beside them, by name.
    """
    reports = settings.report_directory()
    reports.write(run_id, {**more, **page.files(document)}, task.dag_id)
    address = str(reports.address(run_id, "report.html"))
    task.log.info("report: %s", address)
    return address
