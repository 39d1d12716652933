"""The report of a run, written whether it was published or not."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from oracle_refresh.experience.degree_advice import RECOMMENDATION
from oracle_refresh.experience.rates import keep_rates
from oracle_refresh.hooks.oracle import database_uri
from oracle_refresh.integration import metrics, run_files, settings
from oracle_refresh.integration.assets import announce, published_facts
from oracle_refresh.integration.lineage import operator_lineage
from oracle_refresh.links.addresses import file_address
from oracle_refresh.links.files import ReportLink
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.oracle.errors import PlanError, QuarantineError
from oracle_refresh.plan.course import TaskTime, by_stage, totals
from oracle_refresh.plan.model import PLAN
from oracle_refresh.plan.storage import planned_catalogue
from oracle_refresh.report import files
from oracle_refresh.report.gather import Gathered, gather, is_published
from oracle_refresh.report.history import History, history, report_before
from oracle_refresh.report.lineage import RefreshLineage, lineage_of
from oracle_refresh.report.passes import Pass
from oracle_refresh.report.run_record import keep_summary
from oracle_refresh.report.summary import summary
from oracle_refresh.run.approval import APPROVAL
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.target.former.state import unsettled_runs
from oracle_refresh.target.quarantine import held_by, never_released, open_accounts
from oracle_refresh.transport.former_dumps import runs_with_dumps

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.plan.course import Key
    from oracle_refresh.run.refresh_run import RefreshRun

log = logging.getLogger(__name__)


class PublishReport(RefreshOperator):
    """Writes report.json, details.json and report.html to `[oracle_refresh] report_directory` from the run's
    results.

    Make it a teardown that fails the run, without a setup (`as_teardown(on_failure_fail_dagrun=True)`).
    Airflow judges a run by its leaves; when somebody marks a run as failed, it skips all tasks that have not
    begun, except teardowns: a run whose last task was skipped would pass as a success. For the same reason it
    fails when the target was not released, after the report is written: the run would be a success because a
    report could be written; a task that succeeds emits its outlets' asset events, and DAGs that wait for a
    published refresh would start; and who clears the failed tasks of a run would leave the report as it was.
    Its error only refers to those of other tasks. Of a published refresh it tells Airflow: an asset event for
    the DAGs that wait for it (`oracle_refresh.integration.assets`), and lineage where the OpenLineage
    provider is installed.
    """

    operator_extra_links = (ReportLink(),)
    _lineage: RefreshLineage | None = None

    def execute(self, context: Context) -> str:
        reports, began = settings.report_directory(), time.monotonic()
        with self.refresh_run(context) as run:
            run.documents.ensure()
            _require_plan(run)
            present = _present_pass(context)
            flow = run.documents.get(PLAN, WHOLE).flow
            own = TaskTime(self.task_id, type(self).__name__, -1, time.monotonic() - began)
            times = [*run_files.read_times(reports, self.dag_id, run.id), own]
            took = by_stage(times, flow)
            gathered = gather(run, self._history(context, run, present), present, took)
            report, published = gathered.report, gathered.report.status == "published"
            accounts, holds = open_accounts(run.target, run.ledger), held_by(run.target) in (None, run.id)
            ends = (run.definition.origin, run.definition.target)
            source, copied_to = (database_uri(end.conn_id) for end in ends)
            keep_summary(run.documents, report)
            written = files(report, gathered.details)
            written[run_files.SUMMARY] = json.dumps({"summary": summary(report), "stages": totals(times)})
            folder = reports.write(run.id, written, self.dag_id)
            reports.point_latest(run.id, self.dag_id)
            if gathered.plan.jobs:
                self._keep_rates(run, gathered, took)
            if published:
                if holds and gathered.ruleset:
                    counted = {(table.owner, table.name): table.rows_target for table in report.tables}
                    tables = planned_catalogue(run.documents).tables
                    self._lineage = lineage_of(source, copied_to, tables, gathered.ruleset, counted)
                held = {
                    *never_released(run.target),
                    *runs_with_dumps(run.target),
                    *unsettled_runs(run.target),
                }
                forgotten = run.documents.forget(settings.keep_days(), RECOMMENDATION, held)
                self.log.info("%s old runs were forgotten", forgotten)
        page = reports.address(run.id, "report.html", self.dag_id)
        self.log.info("report: %s", page)
        rows = sum(table.rows_target for table in report.tables)
        metrics.run_done(report.refresh, report.status, report.seconds, rows)
        if not published:
            raise QuarantineError(
                f"the refresh was not published; {accounts}",
                step="report",
                remedy=f"see the failed tasks of this run and {page}",
            )
        if not holds:
            self.log.warning("no asset event: another run has taken the target over since")
            return folder
        address = file_address(self.dag_id, run.id, "report.html")
        schemas = run.definition.schemas
        facts = published_facts(report, source=source, target=copied_to, schemas=schemas, address=address)
        announce(context, self.outlets, run.definition.name, facts)
        return folder

    @staticmethod
    def _keep_rates(run: RefreshRun, gathered: Gathered, took: Mapping[Key, float]) -> None:
        """Also of a run that has failed later on: its exports and loads were timed all the same."""
        report = gathered.report
        undisturbed = report.status == "published" and not report.failed_tries and not _asked(run)
        keep_rates(
            run.documents,
            gathered.plan,
            str(run.refresh_definition.datapump.transport),
            took if undisturbed and report.course else {},
            report.seconds,
        )

    def _history(self, context: Context, run: RefreshRun, present: Pass) -> History:
        reports = settings.report_directory()
        states = _states(context, self.dag_id, run.id)
        # Earlier failures of this task are settled once the report is about a published run.
        states |= {self.task_id: "success" if is_published(run) else None}
        last = report_before(reports.read(self.dag_id, run.id, "report.json"))
        notes = run_files.read_failures(reports, self.dag_id, run.id)
        return history(last, notes, present, states, run.documents.all(APPROVAL))

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> Any:
        """Called by the OpenLineage provider, where it is installed, in the process that ran the task."""
        return None if self._lineage is None else operator_lineage(self._lineage)


def _require_plan(run: RefreshRun) -> None:
    if run.documents.find(PLAN, WHOLE) is None:
        raise PlanError(
            "there is nothing to report: the run ended before it had a plan, and nothing was changed",
            object_name=run.id,
            step="report",
            remedy="see the tasks that failed first",
        )


def _present_pass(context: Context) -> Pass:
    """From the run's start, or from when it was last cleared, until now."""
    now = datetime.now(UTC)
    return Pass(min(context["dag_run"].start_date or now, now), now)


def _asked(run: RefreshRun) -> bool:
    """Whether a person was waited for."""
    return any(approval.asked for approval in run.documents.all(APPROVAL))


def _states(context: Context, dag_id: str, run: str) -> dict[str, str | None]:
    """Of the run's tasks, as Airflow names them; none where it cannot be asked."""
    try:
        by_run = context["ti"].get_task_states(dag_id=dag_id, run_ids=[run])
    except Exception as error:  # a report without the tasks that were killed is better than none
        log.warning("the report lacks the final states of this run's tasks: %s", error)
        return {}
    return dict(by_run.get(run, {}))
