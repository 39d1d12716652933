"""From the definition to the plan: check both ends, freeze the source, cut the work into jobs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from airflow.providers.standard.utils.skipmixin import SkipMixin

from oracle_refresh import preflight
from oracle_refresh.approval import REQUEST
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.freeze import Frozen, freeze
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.integration import settings
from oracle_refresh.ledger import Ledger
from oracle_refresh.links.files import PlanLink
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan.explain import explain, overview
from oracle_refresh.planning import plan_refresh
from oracle_refresh.preflight.transport import check_clients
from oracle_refresh.preflight.tuning import check_tuning
from oracle_refresh.run_store import WHOLE, RunStore
from oracle_refresh.target.scripts import load_scripts

if TYPE_CHECKING:
    from airflow.sdk import Context


#: The parameter files of a plan with more jobs would bury the plan in the log.
BY_HAND = 64


class CheckPreflight(RefreshOperator):
    """Refuses a refresh that cannot or must not run, before anything is touched; reads only.

    Checks roles and identities of both databases, schemas, grants, directories, accounts and every column
    that the ruleset names, and reads the scripts. Fails with all findings at once, each with its remedy.
    """

    def execute(self, context: Context) -> list[dict[str, Any]]:
        definition = self.read_definition()
        ruleset = load_ruleset(definition.masking.ruleset)
        load_scripts((*definition.masking.before, *definition.masking.after))
        source_hook = OracleRefreshHook(oracle_conn_id=definition.source.conn_id)
        target_hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        with (
            source_hook.session(None, self.task_id) as source,
            target_hook.session(None, self.task_id) as target,
        ):
            findings = preflight.check(
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
        for finding in findings:
            self.log.warning(
                "%s %s: %s (%s)", finding.severity, finding.code, finding.message, finding.remedy
            )
        preflight.require(findings)
        return [finding.to_json() for finding in findings]


class FreezeSource(RefreshOperator):
    """Takes the one SCN that all exports and all checks of the run read the source at.

    A repeated task keeps the SCN that was stored first: it returns what the run's store holds.

    :raises PlanError: where a run of another DAG has the same id and the same target.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition = self.read_definition()
        with self.both(definition) as (source, target):
            Ledger(target).ensure()
            store = RunStore(target)
            store.ensure()
            run = run_id(context)
            self._require_own(store, run)
            kept = store.find(run, "frozen", WHOLE)
            frozen = Frozen.from_json(kept or store.keep(run, "frozen", WHOLE, freeze(source).to_json()))
        self.log.info("source frozen at SCN %s (%s)", frozen.scn, frozen.taken_at)
        return frozen.to_json()

    def _require_own(self, store: RunStore, run: str) -> None:
        """Airflow names the runs of each DAG by itself: two DAGs of one schedule have runs of one id, and all
        that a run leaves in the target is named after that."""
        dag = store.keep(run, "owner", WHOLE, {"dag": self.dag_id})["dag"]
        if dag != self.dag_id:
            raise PlanError(
                f"the DAG {dag} has a run of the same id in this target",
                object_name=run,
                step="freeze",
                remedy="trigger the DAG with a run id of its own, or give the two DAGs different schedules",
            )


class PlanShards(RefreshOperator):
    """Reads the source's catalogue, plans shards and bulk jobs, keeps the plan for all later tasks.

    The degree is that of the trigger form or the definition, else what a calibration of the two connections
    recommends, else four for each CPU. Seconds are expected by the rates of the last refreshes.

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

    def execute(self, context: Context) -> list[str]:
        definition = self.read_definition()
        if self.degree:
            definition = definition.model_copy(update={"degree": int(self.degree)})
        run = run_id(context)
        with self.both(definition) as (source, target):
            store = RunStore(target)
            kept = store.jobs(run)
            if kept:
                self.log.info("this run has a plan already; it is kept")
                return [job.id for job in kept]
            frozen = store.frozen(run)
            planned = plan_refresh(source, target, definition, frozen, run, settings.max_map_length())
            plan, fit = planned.plan, planned.fit
            if not store.save_plan(run, plan, planned.catalogue, fit.inherited.to_json()):
                self.log.info("another try has planned meanwhile; its plan is kept")
                return [job.id for job in store.jobs(run)]
        for note in fit.notes:
            self.log.warning("%s", note)
        for finding in plan.findings:
            self.log.warning("%s", finding)
        by_hand = (
            (lambda job: parameter_files(job, frozen, definition)) if len(plan.jobs) <= BY_HAND else None
        )
        self.log.info("%s", explain(plan, by_hand))
        return [job.id for job in plan.jobs]


class ExplainPlan(RefreshOperator, SkipMixin):
    """Says what the run is going to do: `plan.txt` and `plan.json` beside the report. Keeps who asked for it
    and why.

    In a dry run, which the trigger form asks for, this is the end: all tasks after it are skipped, and the
    target holds nothing new but the plan, in tables of the refresh's own user.
    """

    operator_extra_links = (PlanLink(),)

    def execute(self, context: Context) -> str:
        definition, form, run = self.read_definition(), self.read_form(), run_id(context)
        with self.target(definition) as target:
            store = RunStore(target)
            plan, frozen = store.plan(run), store.frozen(run)
            asked_by = getattr(context["dag_run"], "triggering_user_name", None) or ""
            request = {"triggered_by": asked_by, "reason": form.reason, "changes": form.changes}
            store.put(run, REQUEST, "-", request | {"dry_run": form.dry_run})
        text = explain(plan, lambda job: parameter_files(job, frozen, definition))
        files = {"plan.txt": text + "\n", "plan.json": json.dumps(plan.to_json())}
        address = settings.report_directory().write(run, files, self.dag_id)
        self.log.info("%s\n\nThe whole plan: %s/plan.txt", overview(plan), address)
        if form.dry_run:
            self.log.info("a dry run: nothing follows")
            after = [task for task in self.get_flat_relatives(upstream=False) if not task.is_teardown]
            self.skip(ti=context["ti"], tasks=after)
        return address


class ListUnits(RefreshOperator):
    """The work units of the run's plan, those with the most work first, to map tasks over: `U003: APP.ORDERS`
    or `U004: 9 tables`.

    Of mapped tasks that are ready at the same time, Airflow starts those that come first in the list: the
    indexes of the largest table are then begun before those of the small ones.
    """

    def execute(self, context: Context) -> list[str]:
        with self.target(self.read_definition()) as target:
            return [unit.label for unit in RunStore(target).units(run_id(context))]
