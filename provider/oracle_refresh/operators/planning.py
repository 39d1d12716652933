"""From the definition to the plan: check both ends, freeze the source, cut the work into jobs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from airflow.providers.standard.utils.skipmixin import SkipMixin

from oracle_refresh import preflight
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.experience.informed_plan import plan_refresh
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.hooks.sessions import check_sessions, connections_of, refused
from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import TaskDeferralError, TaskDeferralTimeout, TaskDeferred
from oracle_refresh.links.files import PlanLink
from oracle_refresh.masking.rules import INHERITED_RULES
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.jobs import DataPumpTask
from oracle_refresh.operators.tables import AwaitTable
from oracle_refresh.operators.tuning import MODEL
from oracle_refresh.operators.turns import InTurn
from oracle_refresh.oracle.errors import PreflightError, overall_disposition
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.plan.explain import explain, overview
from oracle_refresh.plan.model import JOB, UNIT
from oracle_refresh.plan.storage import read_plan, save_plan
from oracle_refresh.preflight.transport import check_clients
from oracle_refresh.preflight.tuning import check_tuning
from oracle_refresh.run.approval import REQUEST, Request
from oracle_refresh.run.documents import WHOLE, Documents, Fact
from oracle_refresh.run.freeze import FROZEN, freeze
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.run.owner import require_owner
from oracle_refresh.target.quarantine import ahead_of, held_by
from oracle_refresh.target.scripts import load_scripts
from oracle_refresh.triggers.sessions import SessionsTrigger
from oracle_refresh.tuning.cdc.around_work import watched_before
from oracle_refresh.tuning.exporting import LOB_PROFILES, profile_lobs

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition.model import TargetDefinition

#: For the triggerer to open the sessions of the preflight.
TRIGGERER_PATIENCE = timedelta(minutes=2)
#: The parameter files of a plan with more jobs would bury the plan in the log.
BY_HAND = 64


class CheckPreflight(InTurn):
    """Refuses a refresh that cannot or must not run, before anything is touched; reads only.

    Waits, deferred, while another run of this Airflow is at work on the target. Checks roles and identities
    of both databases, schemas, grants, directories, accounts and every column that the ruleset names, and
    reads the scripts. Opens a session of each kind that the run uses: of a task, of a thread, and in the
    triggerer if tasks of the DAG wait there. Fails with all findings at once, each with its remedy.
    """

    def execute(self, context: Context) -> list[dict[str, Any]]:
        findings = self._check(context)
        if hasattr(context.get("ti"), "get_dr_count") and any(map(_waits, getattr(self.dag, "tasks", ()))):
            self.defer(
                trigger=SessionsTrigger(connections_of(self.read_refresh())),
                method_name=self.execute_complete.__name__,
                kwargs={"found": [finding.to_json() for finding in findings]},
                timeout=TRIGGERER_PATIENCE,
            )
        return self._require(findings)

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        try:
            return super().resume_execution(next_method, next_kwargs, context)
        except (TaskDeferralError, TaskDeferralTimeout) as problem:
            return self.execute_complete(context, {"silence": problem})

    def execute_complete(
        self, context: Context, event: dict[str, Any], found: list[dict[str, Any]] | None = None
    ) -> list[dict[str, Any]]:
        """Report the findings of the worker, and which sessions the triggerer could not open.

        :param event: failures of `SessionsTrigger`, or the silence that Airflow reports in place of them.
        :param found: findings of the worker; Airflow does not return them after a silence.
        """
        if silence := event.get("silence"):
            return self._unanswered(context, silence)
        findings = [Finding.from_json(each) for each in found or ()]
        for database, message, codes, remedy in event["failures"]:
            step = "open a trigger session"
            problem = PreflightError(message, codes=codes, object_name=database, step=step, remedy=remedy)
            if overall_disposition(codes) != "fatal":
                raise problem
            findings.append(refused(problem, "trigger"))
        return self._require(findings)

    def _unanswered(self, context: Context, silence: Exception) -> list[dict[str, Any]]:
        finding = error(
            "NO_TRIGGERER",
            f"no triggerer opened the sessions within {TRIGGERER_PATIENCE}: {silence}",
            "start a triggerer that has this provider installed, and read its log",
        )
        try:
            return self._require([*self._check(context), finding])
        except TaskDeferred:  # what timed out is the wait for the run's turn
            raise silence from None
        except PreflightError as refusal:
            raise refusal from silence

    def _check(self, context: Context) -> list[Finding]:
        definition = self.read_refresh()
        ruleset = load_ruleset(definition.masking.ruleset)
        load_scripts((*definition.masking.before, *definition.masking.after))
        findings = check_sessions(connections_of(definition))
        preflight.require(findings)
        source_hook = OracleRefreshHook(oracle_conn_id=definition.source.conn_id)
        target_hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        with (
            source_hook.session(None, self.task_id) as source,
            target_hook.session(None, self.task_id) as target,
        ):
            self.await_turn(context, ahead_of(Documents(target, run_id(context))))
            findings += preflight.check(
                source,
                target,
                definition,
                source_hook.refresh_role,
                target_hook.refresh_role,
                ruleset,
            )
            findings += check_tuning(target, definition)
        findings += check_secrets(definition)
        findings += check_clients(definition, settings.client_directory())
        return findings

    def _require(self, findings: list[Finding]) -> list[dict[str, Any]]:
        for finding in findings:
            self.log.warning(
                "%s %s: %s (%s)", finding.severity, finding.code, finding.message, finding.remedy
            )
        preflight.require(findings)
        return [finding.to_json() for finding in findings]


def _waits(task: Any) -> bool:
    """Whether a task, which may be mapped, waits in the triggerer with a session of a trigger."""
    kind = getattr(task, "operator_class", type(task))
    return issubclass(kind, AwaitTable) or (
        issubclass(kind, DataPumpTask) and getattr(task, "deferrable", True)
    )


class FreezeSource(InTurn):
    """Takes the one SCN that all exports and all checks of the run read the source at.

    Claims the target first, and waits, deferred, while a run of this Airflow that has claimed it before is at
    work: an SCN that waits grows old. A repeated task keeps the SCN that was stored first: it returns what
    the run's store holds.

    :raises PlanError: where a run of another DAG has the same id and the same target.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.refresh_run(context) as run:
            ensure_ledger(run.target)
            run.documents.ensure()
            require_owner(run.documents, self.dag_id)
            self.await_turn(context, ahead_of(run.documents))
            frozen = run.documents.find(FROZEN, WHOLE)
            frozen = frozen or run.documents.keep(FROZEN, WHOLE, freeze(run.source))
        self.log.info("source frozen at SCN %s (%s)", frozen.scn, frozen.taken_at)
        return frozen.to_json()


class PlanShards(RefreshOperator):
    """Reads the source's catalogue, plans shards and bulk jobs, keeps the plan for all later tasks.

    The degree is that of the trigger form or the definition, else what a calibration of the two connections
    recommends, else four for each CPU. Seconds are expected by the rates of the last refreshes. A sample of
    the largest LOBs is taken for the report, which shows how long they are.

    A run has one plan, as it has one SCN: a repeated task returns the plan that is kept, because what was
    exported and loaded by it is known by the names of its jobs. Another plan takes another run.

    :param degree: workers at the same time, in place of the definition's unless empty. Templated.
    :raises MaskingError: listing every rule that does not fit the catalogue; nothing is planned then.
    :returns: the ids of the jobs, longest first, to map tasks over.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "degree")

    def __init__(self, *, degree: int | str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.degree = degree

    def read_definition(self) -> TargetDefinition:
        definition = super().read_definition()
        return definition.model_copy(update={"degree": int(self.degree)}) if self.degree else definition

    def execute(self, context: Context) -> list[str]:
        with self.refresh_run(context) as run:
            jobs = run.documents.all(JOB)
            if jobs:
                self.log.info("this run has a plan already; it is kept")
                return [job.id for job in jobs]
            frozen = run.documents.get(FROZEN, WHOLE)
            planned = plan_refresh(
                run.source,
                run.target,
                run.refresh_definition,
                frozen,
                run.id,
                settings.max_map_length(),
                settings.tasks_at_once(),
            )
            plan = planned.plan
            lobs = profile_lobs(run.open_source, planned.catalogue.tables)
            run.documents.put(LOB_PROFILES, WHOLE, lobs)
            inherited = Fact(INHERITED_RULES, WHOLE, planned.fit.inherited)
            if not save_plan(run.documents, plan, planned.catalogue, inherited):
                self.log.info("another try has planned meanwhile; its plan is kept")
                return [job.id for job in run.documents.all(JOB)]
        for note in (*planned.fit.notes, *plan.findings):
            self.log.warning("%s", note)
        by_hand = partial(parameter_files, frozen=frozen, definition=run.refresh_definition)
        self.log.info("%s", explain(plan, by_hand if len(plan.jobs) <= BY_HAND else None))
        return [job.id for job in plan.jobs]


class ExplainPlan(RefreshOperator, SkipMixin):
    """Says what the run is going to do: `plan.txt` and `plan.json` beside the report. Keeps who asked for it
    and why.

    It also watches the processes of the definition's section `capture`, for as long as that says, since
    nothing usual moves once the target is locked; where that fails, the log says so, and the run goes on.

    In a dry run, which the trigger form asks for, this is the end: all tasks after it are skipped, and the
    target holds nothing new but the plan, in tables of the refresh's own user.
    """

    operator_extra_links = (PlanLink(),)

    def execute(self, context: Context) -> str:
        form = self.read_form()
        with self.refresh_run(context) as run:
            plan, by_hand = read_plan(run.documents), None
            if plan.jobs:
                frozen = run.documents.get(FROZEN, WHOLE)
                by_hand = partial(parameter_files, frozen=frozen, definition=run.refresh_definition)
            asked_by = getattr(context["dag_run"], "triggering_user_name", None) or ""
            request = Request(asked_by, form.reason, form.changes, form.dry_run)
            run.documents.put(REQUEST, WHOLE, request)
            text = explain(plan, by_hand)
            files = {"plan.txt": text + "\n", "plan.json": json.dumps(plan.to_json())}
            address = settings.report_directory().write(run.id, files, self.dag_id)
            self.log.info("%s\n\nThe whole plan: %s/plan.txt", overview(plan), address)
            watched = run.definition.capture is not None and not form.dry_run
            if watched and held_by(run.target) != run.id:
                watched_before(run, MODEL)
        if form.dry_run:
            self.log.info("a dry run: nothing follows")
            self.skip(ti=context["ti"], tasks=self.rest_of_the_run())
        return address


class ListUnits(RefreshOperator):
    """The work units of the run's plan, those with the most work first, to map tasks over: `U003: APP.ORDERS`
    or `U004: 9 tables`.

    Of mapped tasks that are ready at the same time, Airflow starts those that come first in the list: the
    indexes of the largest table are then begun before those of the small ones.
    """

    def execute(self, context: Context) -> list[str]:
        with self.refresh_run(context) as run:
            return [unit.label for unit in run.documents.all(UNIT)]
