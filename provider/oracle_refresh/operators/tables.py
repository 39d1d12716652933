"""Tables of the target: built bare, awaited, indexed, constrained, analysed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.definition import CloneDefinition
from oracle_refresh.integration import settings
from oracle_refresh.masking.run_ruleset import require_masked
from oracle_refresh.operators.base import RefreshOperator, TaskProgress
from oracle_refresh.operators.units import UnitOperator, Work
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.plan.model import TABLE_PLAN
from oracle_refresh.plan.storage import planned_catalogue
from oracle_refresh.run.ledger import DONE
from oracle_refresh.target.former.settle import settle_former_runs
from oracle_refresh.target.former.state import require_not_returned
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents, require_views
from oracle_refresh.target.objects.grants import grant_references
from oracle_refresh.target.objects.index_origins import IndexOrigin, SourceIndexes, SuspendedIndexes
from oracle_refresh.target.objects.indexes import IndexBuilder
from oracle_refresh.target.objects.statistics import gather_statistics, purge_history
from oracle_refresh.target.objects.suspended import INDEX_BEFORE
from oracle_refresh.target.quarantine import Watch, end_tries, require_held
from oracle_refresh.triggers.ledger import JobsLoadedTrigger
from oracle_refresh.triggers.watch import LOAD_STEP

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.catalog import Table
    from oracle_refresh.run.refresh_run import RefreshRun


class BuildTables(RefreshOperator):
    """Drops and rebuilds the tables of the definition in the target, bare: no indexes, no constraints.

    Nothing outside the definition is touched; `prepare` of the definition says what may be dropped, or is set
    aside. What a run that was never ended has set aside is put back first.
    A table that this run has built is never built again in it, because rows may be in it: to begin anew,
    start a new run.
    """

    def execute(self, context: Context) -> None:
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            require_not_returned(run.ledger)
            end_tries(run.target, run.id, self.task_id)
            for settled in settle_former_runs(run.target, run.definition, run.id, run.open_target):
                self.log.warning(
                    "%s former tables of a run that nobody ended: %s; not as it was before: %s",
                    settled.tables,
                    settled.outcome,
                    "; ".join((*settled.differences, *settled.scripts)) or "nothing",
                )
            catalogue = planned_catalogue(run.documents)
            build_tables(
                run.source,
                run.target,
                catalogue,
                run.refresh_definition,
                run.ledger,
                run.progress,
                run.open_both,
            )


class AwaitTable(UnitOperator):
    """Waits, deferred, until the last job that carries rows of the unit's tables is loaded.

    Fails as soon as a task that one of these jobs needs has failed for good. Returns the jobs.
    """

    def execute(self, context: Context) -> list[str]:
        with self.refresh_run(context) as run:
            keys = self.keys(run)
            planned = run.documents.some(TABLE_PLAN, keys)
            tables = (planned.get(key) or run.documents.get(TABLE_PLAN, key) for key in keys)
            jobs = list(dict.fromkeys(job for table in tables for job in table.jobs))
            loads = run.ledger.states(LOAD_STEP)
        if any(loads.get(job) != DONE for job in jobs):
            trigger = JobsLoadedTrigger(
                run.definition.target.conn_id, self.dag_id, run.id, jobs, settings.poll_seconds()
            )
            self.defer(trigger=trigger, method_name=self.resume.__name__)
        return jobs

    def resume(self, context: Context, event: dict[str, list[str]]) -> None:
        """Only for jobs that are lost: a wait that ends well is ended by its trigger."""
        raise DataPumpError(
            f"{self.unit} cannot be completed: {', '.join(event['lost'])} failed for good",
            object_name=self.unit,
            step="await",
            remedy="see the failed tasks of these jobs; remove the cause, then clear them and this task",
        )


class BuildIndexes(UnitOperator):
    """Builds the indexes of the unit's tables from the source's definitions, the largest of a table first; of
    a clone from what `SuspendObjects` has recorded.

    `index_sessions` of the definition are built at a time, each in parallel and unlogged, and set back to the
    degree and logging of the source; those of a small table one after the other, as they are to stay. What is
    there stays; what is unusable is rebuilt.
    """

    def work(self, run: RefreshRun) -> Work:
        quarantine = Watch(run.target, run.id, run.definition.application_accounts)
        tables = tuple(self.tables(run).values())
        origin: IndexOrigin = SourceIndexes(run.source)
        if isinstance(run.definition, CloneDefinition):
            origin = SuspendedIndexes(run.target, run.documents.all(INDEX_BEFORE))
        builder = IndexBuilder(origin, run.target, tables, run.definition, run.open_target)

        def build(table: Table, progress: TaskProgress) -> list[str]:
            quarantine.require_held()
            result = builder.build(table, progress)
            return [*result.ready, *result.built, *result.rebuilt]

        return build


class EnableConstraints(RefreshOperator):
    """Adds keys, checks and foreign keys, then grants, views, comments and triggers, and compiles what of the
    schemas is invalid: Oracle made it so when the tables under it were dropped.

    REFERENCES are granted first: a foreign key's owner needs it on a table of another schema.

    Constraints are added ENABLE NOVALIDATE, to `index_sessions` of the definition at a time, then as many are
    validated at a time, foreign keys last. Those that do not hold are named with the number of violations,
    never with values.
    """

    def execute(self, context: Context) -> None:
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            catalogue = planned_catalogue(run.documents)
            grant_references(run.source, run.target, catalogue)
            added = enable_constraints(
                run.target,
                catalogue,
                run.progress,
                run.definition.index_sessions,
                run.open_target,
                run.definition.degree,
            )
            made = build_dependents(run.source, run.target, catalogue, run.progress)
            compiled = compile_invalid(
                run.target, catalogue.schemas, run.definition.index_sessions, run.open_target
            )
        for what in (*added.skipped, *made.skipped):
            self.log.warning("not made: %s", what)
        self.log.info("Compiled %s", counted(len(compiled.compiled), "invalid object"))
        for what in compiled.invalid:
            self.log.warning("invalid after it was compiled: %s", what)
        require_views(made, run.definition)


class GatherStatistics(RefreshOperator):
    """Gathers statistics of the refreshed tables, `index_sessions` of the definition at a time, and unlocks
    them.

    They are locked since the tables were built, so that none are gathered of unmasked rows: fails, before it
    gathers any, while a table with rules is not masked. Locks that the users have, here or on the source,
    stay. Of a clone only masked tables have new statistics, and then the history of all of them is purged, if
    the definition says so.
    """

    def execute(self, context: Context) -> None:
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            catalogue = planned_catalogue(run.documents)
            masked = require_masked(run, catalogue.tables)
            clone = run.definition if isinstance(run.definition, CloneDefinition) else None
            if clone:
                some = tuple(table for table in catalogue.tables if table.key in masked)
                catalogue = replace(catalogue, tables=some)
            gather_statistics(
                *(run.target, catalogue, run.ledger, run.progress),
                masked=masked,
                sessions=run.definition.index_sessions,
                connect=run.open_target,
            )
            if clone and clone.purge_statistics_history:
                purge_history(run.target)
