"""The report of a run, written whether it was published or not."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import identify
from oracle_refresh.datapump.dumpset import EXPORT, LOAD, STAGE
from oracle_refresh.dbfs.set_up import STORE
from oracle_refresh.experience import keep_rates
from oracle_refresh.hooks.oracle import database_uri
from oracle_refresh.integration import metrics, settings
from oracle_refresh.integration.assets import announce, published_facts
from oracle_refresh.integration.lineage import operator_lineage
from oracle_refresh.labs.datapump_degree.model import RECOMMENDATION
from oracle_refresh.links.addresses import file_address
from oracle_refresh.links.files import ReportLink
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.masking import ruleset_of
from oracle_refresh.oracle.errors import PlanError, QuarantineError, RefreshError
from oracle_refresh.plan.model import PLAN
from oracle_refresh.plan.storage import planned_catalogue, read_plan
from oracle_refresh.profiler.coverage import COVERAGE
from oracle_refresh.release import OBJECTIONS, read_evidence
from oracle_refresh.report import Details, build, files, summary
from oracle_refresh.report.lineage import RefreshLineage, lineage_of
from oracle_refresh.report.model import rules_used
from oracle_refresh.report.passes import Pass
from oracle_refresh.report.run_record import (
    audit_of,
    former_runs,
    keep_summary,
    kinds_of_rules,
    quarantine_of,
)
from oracle_refresh.report.spans import read_spans
from oracle_refresh.report.tuning import END, LOADED, START, TUNING, tuning_report
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.run_history import read_history
from oracle_refresh.target.quarantine import held_by, never_released, standing
from oracle_refresh.target.quarantine.accounts import RELEASE
from oracle_refresh.target.quarantine.statements import STEP as QUARANTINE
from oracle_refresh.tuning.evidence import COUNTERS, Counters
from oracle_refresh.validation.expectations import EXPECTATIONS
from oracle_refresh.validation.model import LEFTOVERS, TARGET_CHECK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airflow.sdk import Context

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.masking.rules import Ruleset
    from oracle_refresh.masking.run import MaskResult

log = logging.getLogger(__name__)


class PublishReport(RefreshOperator):
    """Writes report.json, details.json and report.html to `[oracle_refresh] report_directory` from the run's
    results.

    Give it the trigger rule `all_done`. When the target was not released it fails, after the report is
    written: Airflow judges a run by its leaves, so that it would pass as a success because its last task
    could still write a report; a task that succeeds emits its outlets' asset events, and DAGs that wait for a
    published refresh would start; and who clears the failed tasks of a run would leave the report as it was.
    Its error only refers to those of other tasks. Of a published refresh it tells Airflow: an asset event for
    the DAGs that wait for it (`oracle_refresh.integration.assets`), and lineage where the OpenLineage
    provider is installed.
    """

    operator_extra_links = (ReportLink(),)
    _lineage: RefreshLineage | None = None

    def execute(self, context: Context) -> str:
        definition, run = self.read_definition(), run_id(context)
        reports = settings.report_directory()
        with self.target(definition) as target:
            documents = Documents(target, run)
            documents.ensure()
            if documents.find(PLAN, WHOLE) is None:
                raise PlanError(
                    "there is nothing to report: the run ended before it had a plan, and nothing was changed",
                    object_name=run,
                    step="report",
                    remedy="see the tasks that failed first",
                )
            evidence = read_evidence(documents, expectations_wanted=definition.expectations is not None)
            against = [text for found in documents.all(OBJECTIONS) for text in found.objections]
            plan = read_plan(documents)
            expectations = documents.find(EXPECTATIONS, WHOLE)
            audit = audit_of(documents, definition, evidence.masks, identify(target))
            published = bool(documents.all(RELEASE)) and not against
            present, states = _present_pass(context), _states(context, self.dag_id, run)
            # What this task had to say of former tries is over when the report tells of a published run.
            states |= {self.task_id: "success" if published else None}
            history = read_history(reports, self.dag_id, run, present, states, audit.approvals)
            held = quarantine_of(Ledger(target, run).rows(QUARANTINE))
            report = build(
                plan,
                "published" if published else "failed",
                (present.ended - present.began).total_seconds(),
                exports=documents.all(EXPORT),
                stages=documents.all(STAGE),
                loads=documents.all(LOAD),
                copies=evidence.copies,
                masks=evidence.masks,
                masked=evidence.masked,
                expectations=expectations,
                held=held,
                tuning=tuning_report(documents.find(TUNING, WHOLE), _readings(documents)),
                audit=audit,
                former=former_runs(documents, plan.refresh),
                worked_seconds=history.worked_seconds,
                passes=history.passes,
                failed_tries=history.failed_tries,
            )
            keep_summary(documents, report)
            ruleset = self._ruleset(documents, definition, evidence.masks)
            details = Details(
                spans=read_spans(documents),
                masked=evidence.masked,
                copies=evidence.copies,
                failures=tuple(against),
                kept_locked=held.kept_locked,
                key_id=evidence.masks[0].key_id if evidence.masks else None,
                ruleset=evidence.masks[0].ruleset if evidence.masks else None,
                coverage=documents.find(COVERAGE, WHOLE),
                plan=plan,
                inventory=evidence.inventory,
                expectations=expectations.tables if expectations else (),
                rules=rules_used(evidence.masked, kinds_of_rules(evidence.masked, ruleset))
                if ruleset
                else (),
                mounting=_mounting(documents),
                verdicts=tuple(
                    verdict
                    for kind in (TARGET_CHECK, LEFTOVERS)
                    for check in documents.all(kind)
                    for verdict in check.verdicts
                ),
            )
            accounts, holds = standing(target, Ledger(target, run)), held_by(target) in (None, run)
            source, copied_to = (database_uri(end.conn_id) for end in (definition.source, definition.target))
            folder = reports.write(run, files(report, details), self.dag_id)
            reports.point_latest(run, self.dag_id)
            context["ti"].xcom_push(summary.KEY, summary.summary(report))
            # Also where the run has failed later on: what it has exported took its time.
            keep_rates(documents, plan, str(definition.datapump.transport))
            if report.status == "published":
                if holds and ruleset:
                    counted = {(table.owner, table.name): table.rows_target for table in report.tables}
                    tables = planned_catalogue(documents).tables
                    self._lineage = lineage_of(source, copied_to, tables, ruleset, counted)
                forgotten = documents.forget(settings.keep_days(), RECOMMENDATION, never_released(target))
                self.log.info("%s old runs were forgotten", forgotten)
        page = reports.address(run, "report.html", self.dag_id)
        self.log.info("report: %s", page)
        rows = sum(table.rows_target for table in report.tables)
        metrics.run_done(report.refresh, report.status, report.seconds, rows)
        if report.status != "published":
            raise QuarantineError(
                f"the refresh was not published; {accounts}",
                step="report",
                remedy=f"see the failed tasks of this run and {page}",
            )
        if not holds:
            self.log.warning("nobody is told: another run has taken the target over since")
            return folder
        address = file_address(self.dag_id, run, "report.html")
        facts = published_facts(
            report, source=source, target=copied_to, schemas=definition.schemas, address=address
        )
        announce(context, self.outlets, definition.name, facts)
        return folder

    def _ruleset(
        self, documents: Documents, definition: RefreshDefinition, masks: Sequence[MaskResult]
    ) -> Ruleset | None:
        """The rules that were applied; None where their file is not what it was then."""
        try:
            ruleset = ruleset_of(documents, definition)
        except RefreshError as error:
            self.log.warning("values by rule and lineage are left out: %s", error)
            return None
        if any(mask.ruleset != ruleset.fingerprint for mask in masks):
            self.log.warning("values by rule and lineage are left out: the ruleset was changed since")
            return None
        return ruleset

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> Any:
        """Called by the OpenLineage provider, where it is installed, in the process that ran the task."""
        return None if self._lineage is None else operator_lineage(self._lineage)


def _mounting(documents: Documents) -> tuple[str, ...]:
    found = documents.find(STORE, WHOLE)
    return found.commands if found else ()


def _readings(documents: Documents) -> dict[str, Counters]:
    found = {name: documents.find(COUNTERS, name) for name in (START, LOADED, END)}
    return {name: counters for name, counters in found.items() if counters}


def _present_pass(context: Context) -> Pass:
    """From the run's start, or from when it was last cleared, until now."""
    now = datetime.now(UTC)
    return Pass(min(context["dag_run"].start_date or now, now), now)


def _states(context: Context, dag_id: str, run: str) -> dict[str, str | None]:
    """Of the run's tasks, as Airflow names them; none where it cannot be asked."""
    try:
        found = context["ti"].get_task_states(dag_id=dag_id, run_ids=[run])
    except Exception as error:  # the report counts, not what it says of tasks that were killed
        log.warning("the report does not know how the tasks of this run have ended: %s", error)
        return {}
    return dict(found.get(run, {}))
