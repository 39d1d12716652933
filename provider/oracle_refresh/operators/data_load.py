"""Concurrent data loading: plan, make the seed, find the degree, load batch by batch, report, drop."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperator

from oracle_refresh.catalog import identify
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.labs.data_load import trials
from oracle_refresh.labs.data_load.definition import LoadDefinition, load_definition
from oracle_refresh.labs.data_load.degree import batches
from oracle_refresh.labs.data_load.evidence import of_degree, summarise
from oracle_refresh.labs.data_load.load import SCHEMAS, STEP, Sessions, drop_schemas, load_batch
from oracle_refresh.labs.data_load.model import BATCH, DEGREE, PLAN, SEED, Chosen, Plan, Trial
from oracle_refresh.labs.data_load.page import files, table
from oracle_refresh.labs.data_load.people import require_people
from oracle_refresh.labs.data_load.plan import plan_work, require_loadable
from oracle_refresh.labs.data_load.room import estimate, measured, require_room
from oracle_refresh.labs.data_load.seed import make_seed
from oracle_refresh.operators.base import TaskProgress, run_id
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.run.progress import LogProgress

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

log = logging.getLogger(__name__)


class LoadOperator(BaseOperator):
    """Base of the loader's operators; works on the definition's target only.

    :param definition: name of a definition in `[oracle_refresh] benchmarks_directory`, or a path that ends
        in .yaml. Templated.
    """

    template_fields: Sequence[str] = ("definition",)
    ui_color = "#e8f0fb"

    def __init__(self, *, definition: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.definition = definition
        self._sessions: Sessions | None = None

    def read_definition(self) -> LoadDefinition:
        return load_definition(settings.benchmark_path(str(self.definition)))

    def target(self, definition: LoadDefinition) -> AbstractContextManager[oracledb.Connection]:
        return OracleRefreshHook(oracle_conn_id=definition.target.conn_id).session("target", self.task_id)

    def sessions(self, definition: LoadDefinition) -> Sessions:
        """For what takes its time, also in threads; `on_kill` ends what they do."""
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        hook.require_role("target")
        self._sessions = Sessions(hook.opener(self.task_id))
        return self._sessions

    def on_kill(self) -> None:
        if self._sessions is not None:
            self._sessions.stop()


class PlanLoad(LoadOperator):
    """Checks the target and what is to be loaded; changes nothing but the run store.

    :param prefix: of the names of all schemas: with `SLOB_` they are SLOB_1, SLOB_2 and so on, SLOB_SEED and
        SLOB_TRIAL_1. One that exists and that the loader did not make is refused. Templated.
    :param schemas: how many. Templated.
    :param rows: of each schema. Templated.
    :param degree: schemas that are loaded at the same time; 0 finds it by trial. Templated.
    :param profile: of the LOBs, a name in `oracle_refresh.labs.data_load.profiles`. Templated.
    :param blocks: `sparse` puts one row into a block, `filled` as many as fit. Templated.
    :param afterwards: `keep` the schemas or `drop` them. Templated.
    :raises PreflightError: if this database may not be loaded, a schema is somebody else's, or the tablespace
        has not the room.
    :raises PlanError: if the numbers make no load.
    """

    template_fields: Sequence[str] = (
        *LoadOperator.template_fields,
        *("prefix", "schemas", "rows", "degree", "profile", "blocks", "afterwards"),
    )

    def __init__(
        self,
        *,
        prefix: str = "SLOB_",
        schemas: int | str = 16,
        rows: int | str = 1000,
        degree: int | str = 0,
        profile: str = "none",
        blocks: str = "sparse",
        afterwards: str = "keep",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.prefix = prefix
        self.schemas = schemas
        self.rows = rows
        self.degree = degree
        self.profile = profile
        self.blocks = blocks
        self.afterwards = afterwards

    def execute(self, context: Context) -> None:
        definition, run = self.read_definition(), run_id(context)
        work = plan_work(
            definition,
            prefix=str(self.prefix),
            schemas=int(self.schemas),
            rows=int(self.rows),
            degree=int(self.degree),
            profile=self.profile,
            sparse=self.blocks == "sparse",
        )
        require_people(definition.people.locales)
        with self.target(definition) as target:
            identity = identify(target)
            block = require_loadable(target, identity, definition)
            documents = Documents(target, run)
            documents.ensure()
            ensure_ledger(target)
            for schema in (work.seed_schema, *work.all_schemas, *work.trial_schemas):
                SCHEMAS.require_own(target, documents, schema)
            needed, given = require_room(target, work, estimate(work, definition, block))
            plan = Plan(
                run_id=run,
                conn_id=definition.target.conn_id,
                database=f"{identity.db_unique_name} {identity.version}",
                work=work,
                drop_afterwards=self.afterwards == "drop",
            )
            documents.put(PLAN, WHOLE, plan)
        self.log.info(
            "about %.0f of the %.0f MB that %s takes are needed", needed / 1e6, given / 1e6, work.tablespace
        )


class MakeSeed(LoadOperator):
    """Makes the schema that all others are copied from; what a killed try has left is dropped first."""

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.sessions(definition).session() as target:
            documents = Documents(target, run)
            plan = read_plan(documents)
            seed = make_seed(target, documents, plan.work, definition)
            documents.put(SEED, WHOLE, seed)
        self.log.info("seed: %s rows, %.1f MB in %.2f s", seed.rows, seed.bytes / 1e6, seed.seconds)
        return seed.to_json()


class FindDegree(LoadOperator):
    """Finds out how many schemas at the same time are worth it, unless the plan says it.

    :raises PreflightError: if the tablespace has not the room, going by the seed that is there now.
    :raises PlanError: if there are more batches than Airflow maps tasks over.
    :returns: the numbers of the batches, to map `LoadBatch` over.
    """

    def execute(self, context: Context) -> list[int]:
        definition, run = self.read_definition(), run_id(context)
        sessions = self.sessions(definition)
        with self.target(definition) as target:
            documents = Documents(target, run)
            work = read_plan(documents).work
            require_room(target, work, measured(work, documents.get(SEED, WHOLE)))
        if work.degree:
            chosen = Chosen(work.degree, "as the form says")
        else:
            progress = TaskProgress(LogProgress(log), context.get("task_state_store"))
            chosen = trials.find_degree(sessions, work, run, progress, self._note)
        with self.target(definition) as target:
            Documents(target, run).put(DEGREE, WHOLE, chosen)
        self.log.info("%d schemas at the same time: %s", chosen.degree, chosen.reason)
        return require_mappable(len(batches(work.all_schemas, chosen.degree)))

    def _note(self, trial: Trial) -> None:
        self.log.info(
            "%d at the same time: %.1f MB in %.2f s, %.1f MB/s",
            trial.degree,
            trial.bytes / 1e6,
            trial.seconds,
            trial.bytes_per_second / 1e6,
        )


class LoadBatch(LoadOperator):
    """Loads the schemas of one batch at the same time: rows, unique index, statistics.

    Map it over what `FindDegree` returns with `max_active_tis_per_dagrun=1`: the degree is that of a batch. A
    repeated task leaves finished schemas as they are and makes the others anew.

    :param batch: number of the batch, from 1. Templated.
    """

    template_fields: Sequence[str] = (*LoadOperator.template_fields, "batch")

    def __init__(self, *, batch: int | str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.batch = batch

    def execute(self, context: Context) -> dict[str, float]:
        definition, run, number = self.read_definition(), run_id(context), int(self.batch)
        sessions = self.sessions(definition)
        with self.target(definition) as target:
            documents = Documents(target, run)
            work = read_plan(documents).work
            degree = documents.get(DEGREE, WHOLE).degree
        progress = TaskProgress(LogProgress(log), context.get("task_state_store"))
        schemas = batches(work.all_schemas, degree)[number - 1]
        loaded = load_batch(sessions, work, run, number, schemas, work.rows, progress)
        with self.target(definition) as target:
            Documents(target, run).put(BATCH, f"{number:06}", loaded)
        self.log.info(
            "%d schemas, %.1f MB in %.2f s", len(loaded.schemas), loaded.bytes / 1e6, loaded.seconds
        )
        return {"seconds": loaded.seconds, "bytes": loaded.bytes}


class ReportLoad(LoadOperator):
    """Writes seconds by phase, TB/h, plots and page to the report folder.

    With the trigger rule `all_done` it works with the batches that went through, and says if others did not.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents = Documents(target, run)
            plan = read_plan(documents)
            made = documents.find(SEED, WHOLE)
            degree = documents.find(DEGREE, WHOLE)
            loaded = tuple(documents.all(BATCH))
        loaded = of_degree(plan.work, degree.degree, loaded) if degree else ()
        summary = summarise(plan, made, loaded)
        self.log.info("%s", table(summary, loaded))
        reports = settings.report_directory()
        reports.write(run, files(plan, made, degree, loaded), self.dag_id)
        address = str(reports.address(run, "report.html"))
        self.log.info("report: %s", address)
        return {**summary.to_json(), "degree": degree.degree if degree else None, "report": address}


class DropLoad(LoadOperator):
    """Teardown: drops the seed, what trials left and schemas that were not finished; also the loaded ones
    where the plan says so. A load that found no more space gives back what it took.

    May be repeated at will.
    """

    def execute(self, context: Context) -> list[str]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            plan = read_plan(Documents(target, run))
            trials.forget(target, run, plan.work.trial_schemas)
            states = Ledger(target, run).states(STEP)
            others = [
                schema
                for schema in plan.work.all_schemas
                if plan.drop_afterwards or states.get(schema, DONE) != DONE
            ]
            dropped = drop_schemas(target, run, (plan.work.seed_schema, *others))
        self.log.info("dropped: %s", ", ".join(dropped) or "nothing")
        return dropped


def read_plan(documents: Documents) -> Plan:
    """:raises PlanError: if the run has no plan."""
    return documents.get(PLAN, WHOLE)


def require_mappable(number: int) -> list[int]:
    """Batches are counted from 1.

    :raises PlanError: if there are more of them than `[core] max_map_length`.
    """
    if number > settings.max_map_length():
        raise PlanError(
            f"{number} batches are more than Airflow maps tasks over ({settings.max_map_length()})",
            step="data load",
            remedy="raise the degree, or [core] max_map_length",
        )
    return list(range(1, number + 1))
