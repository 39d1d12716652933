"""Masking a clone where it is: what is suspended meanwhile, and restored afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh import preflight
from oracle_refresh.catalog import read_catalogue
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.experience.informed_plan import plan_clone
from oracle_refresh.hooks.connections import statistics_salt
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.hooks.sessions import check_sessions, connections_of
from oracle_refresh.integration import settings
from oracle_refresh.masking.masked_before import require_unmasked
from oracle_refresh.masking.rules import INHERITED_RULES
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.masking.run import begun
from oracle_refresh.masking.run_ruleset import require_masked, run_ruleset
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.turns import InTurn
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import PlanError, PreflightError
from oracle_refresh.plan.explain import explain
from oracle_refresh.plan.model import PLAN, UNIT
from oracle_refresh.plan.storage import planned_catalogue, save_plan
from oracle_refresh.preflight.clone import check_clone
from oracle_refresh.preflight.tuning import check_tuning
from oracle_refresh.run.documents import WHOLE, Documents, Fact
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.run.owner import require_owner
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.inventory_before import record_objects, require_as_planned
from oracle_refresh.target.objects.statistics import lock_statistics, record_locks
from oracle_refresh.target.objects.suspended import (
    INDEX_BEFORE,
    SUSPENSION,
    enable_triggers,
    require_usable_keys,
    suspend,
)
from oracle_refresh.target.quarantine import ahead_of, require_held
from oracle_refresh.target.scripts import load_scripts
from oracle_refresh.validation.aftermath import BOUNDS, read_bounds

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition import TargetDefinition


def _clone(definition: TargetDefinition) -> CloneDefinition:
    """:raises PreflightError: where the definition is that of a refresh, which would mask its copies anew."""
    if isinstance(definition, CloneDefinition):
        return definition
    raise PreflightError(
        "the definition has a source: it is that of a refresh, not of a clone that is masked where it is",
        object_name=definition.name,
        step="definition",
        remedy="use the DAG of the refresh, or write a definition without source and staging",
    )


class CheckClone(InTurn):
    """Refuses to mask a clone that cannot or must not be masked, before anything is touched; reads only.

    Waits, deferred, while another run of this Airflow is at work on the database. Checks its connection's
    role, its grants, schemas and accounts, every column that the ruleset names, and what would keep original
    values behind the masking: materialized views and their logs, flashback archives, guaranteed restore
    points, dropped tables, domain indexes, the history of statistics. Fails with all findings at once, each
    with its remedy.
    """

    def execute(self, context: Context) -> list[dict[str, Any]]:
        definition = _clone(self.read_definition())
        ruleset = load_ruleset(definition.masking.ruleset)
        load_scripts((*definition.masking.before, *definition.masking.after))
        findings = check_sessions(connections_of(definition))
        preflight.require(findings)
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        with hook.session(None, self.task_id) as target:
            self.await_turn(context, ahead_of(Documents(target, run_id(context))))
            findings += check_clone(target, definition, hook.refresh_role, ruleset)
            findings += check_tuning(target, definition)
        findings += check_secrets(definition)
        for finding in findings:
            self.log.warning(
                "%s %s: %s (%s)", finding.severity, finding.code, finding.message, finding.remedy
            )
        preflight.require(findings)
        return [finding.to_json() for finding in findings]


class PlanMasking(InTurn):
    """Claims the clone, reads its catalogue, and keeps for all later tasks what is masked in which units.

    A run has one plan: a repeated task returns the one that is kept.

    :raises MaskingError: listing every rule that does not fit the catalogue, or tables that another run has
        masked already; nothing is planned then.
    :returns: how many work units there are.
    """

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            ensure_ledger(run.target)
            run.documents.ensure()
            require_owner(run.documents, self.dag_id)
            self.await_turn(context, ahead_of(run.documents))
            if run.documents.find(PLAN, WHOLE) is None:
                planned = plan_clone(
                    run.target,
                    _clone(run.definition),
                    run.id,
                    settings.max_map_length(),
                    settings.tasks_at_once(),
                )
                ruleset = load_ruleset(run.definition.masking.ruleset).inheriting(planned.fit.inherited.items)
                masked = (table for table in planned.catalogue.tables if ruleset.rules(*table.full_name))
                require_unmasked(run.ledger, masked)
                inherited = Fact(INHERITED_RULES, WHOLE, planned.fit.inherited)
                save_plan(run.documents, planned.plan, planned.catalogue, inherited)
                for note in (*planned.fit.notes, *planned.plan.findings):
                    self.log.warning("%s", note)
                self.log.info("%s", explain(planned.plan))
            return len(run.documents.all(UNIT))


class SuspendObjects(RefreshOperator):
    """Disables triggers and constraints, and drops indexes, that masked columns stand in; records before what
    they were, the whole inventory, and the ends of ranges in the statistics. Locks the statistics of the
    tables that are masked. Refuses keys whose index is unusable: they could not be enabled again. Other
    indexes that are unusable are told in the log, and stay so.

    `BuildIndexes` and `RestoreObjects` bring everything back. A repeated task goes on with what is recorded,
    and does nothing once the SCN is taken: as of it, no table that is altered later can be read (ORA-01466).
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            if run.documents.find(FROZEN, WHOLE) is not None:
                return run.documents.get(SUSPENSION, WHOLE).to_json()
            catalogue, ruleset = planned_catalogue(run.documents), run_ruleset(run)
            definition = run.definition
            if run.documents.find(SUSPENSION, WHOLE) is None:
                present = read_catalogue(run.target, definition.schemas, definition.exclude_tables)
                require_as_planned(catalogue, present)
                require_usable_keys(run.target, catalogue, ruleset)
            record_objects(run.target, catalogue, run.documents)
            tables = [table for table in catalogue.tables if ruleset.rules(*table.full_name)]
            salt = statistics_salt(definition.masking, definition.name, run.id)
            if not any(begun(run.ledger, table.key) for table in tables):
                for owner in sorted({table.owner for table in tables}):
                    run.documents.keep(BOUNDS, owner, read_bounds(run.target, ruleset, owner, salt))
            record_locks(run.target, run.target, tables, run.ledger)
            lock_statistics(run.target, [table.full_name for table in tables])
            suspension = suspend(run.target, catalogue, ruleset, run.documents, run.progress)
            unusable = [each for each in run.documents.all(INDEX_BEFORE) if each.state.broken]
        for each in unusable:
            self.log.warning("index %s was unusable before the masking, and is left so", each.full_name.key)
        self.log.info(
            "Disabled %s and %s, dropped %s until the tables are masked",
            counted(len(suspension.triggers), "trigger"),
            counted(len(suspension.constraints), "constraint"),
            counted(len(suspension.indexes), "index", "indexes"),
        )
        return suspension.to_json()


class RestoreObjects(RefreshOperator):
    """Enables and validates the constraints that were disabled, then the triggers; compiles what is invalid.
    Indexes are there by then.

    Fails while a table with rules is not masked: a trigger would fire, and a key might not hold. Constraints
    that do not hold are named with the number of violations, never with values.
    """

    def execute(self, context: Context) -> dict[str, int]:
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            catalogue, ruleset = planned_catalogue(run.documents), run_ruleset(run)
            require_masked(run, catalogue.tables)
            enabled = enable_constraints(
                run.target,
                catalogue,
                run.progress,
                run.definition.index_sessions,
                run.open_target,
                run.definition.degree,
            )
            if enabled.skipped:
                raise PlanError(
                    f"constraints were not enabled: {'; '.join(enabled.skipped[:10])}",
                    step=self.task_id,
                    remedy="bring back what they refer to, and clear this task",
                )
            triggers = enable_triggers(run.target, catalogue, ruleset)
            compiled = compile_invalid(
                run.target, catalogue.schemas, run.definition.index_sessions, run.open_target
            )
        for what in compiled.invalid:
            self.log.warning("invalid after it was compiled: %s", what)
        return {
            "constraints": enabled.validated,
            "triggers": len(triggers),
            "compiled": len(compiled.compiled),
        }
