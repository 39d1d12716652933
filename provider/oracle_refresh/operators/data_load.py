"""Concurrent data loading: plan, make the seed, find the degree, load batch by batch, report, drop."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from oracle_refresh.definition.load import read_model
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.kit.contents import Results, write_kit
from oracle_refresh.labs.data_load.kit.recipe import Recipe
from oracle_refresh.labs.data_load.kit.replay import Surroundings, read_surroundings
from oracle_refresh.labs.data_load.load import Sessions
from oracle_refresh.labs.data_load.model import STEP, Work
from oracle_refresh.labs.data_load.page import page, table
from oracle_refresh.labs.data_load.run import LoadRun, drop_load, plan_load, read_load
from oracle_refresh.labs.harness.charts import require_charts
from oracle_refresh.operators.base import run_id
from oracle_refresh.operators.laboratory import LaboratoryOperator, write_report
from oracle_refresh.oracle.errors import PlanError, PreflightError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.documents import Documents

if TYPE_CHECKING:
    from airflow.sdk import Context


KIT = "kit.zip"


class LoadOperator(LaboratoryOperator):
    """Base of the loader's operators; works on the definition's target only.

    :param definition: name of a definition in `[oracle_refresh] benchmarks_directory`. The author of a DAG
        may write a path that ends in .yaml; a template renders a name. Templated.
    """

    def __init__(self, *, definition: str, **kwargs: Any) -> None:
        super().__init__(definition=definition, **kwargs)
        self._sessions: Sessions | None = None

    def read_definition(self) -> LoadDefinition:
        return read_model(self.definition_path(), LoadDefinition)

    def load_run(self, context: Context) -> LoadRun:
        """The run with sessions for what takes its time, also in threads; `on_kill` ends what they do."""
        hook = OracleRefreshHook(oracle_conn_id=self.read_definition().target.conn_id)
        hook.require_role("target")
        self._sessions = Sessions(hook.opener(self.task_id))
        return LoadRun(self._sessions, run_id(context), self.progress(context))

    @contextmanager
    def documents(self, context: Context) -> Iterator[Documents]:
        """What the run has left, on a session of the target."""
        with self.target(self.read_definition().target.conn_id) as target:
            yield Documents(target, run_id(context))

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
    :raises PreflightError: without the extra `charts`, if this database may not be loaded, if the loader did
        not create one of the schemas, or if the tablespace is too small.
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
        require_charts()
        definition = self.read_definition()
        schemas = int(self.schemas)
        work = Work(
            prefix=Identifier.parse(str(self.prefix)).name,
            tablespace=definition.tablespace,
            schemas=schemas,
            rows=int(self.rows),
            degree=min(int(self.degree), schemas),
            profile=self.profile,
            sparse=self.blocks == "sparse",
            trial_rows=definition.trials.rows,
            most_degree=min(definition.trials.most_degree, schemas),
        )
        with self.documents(context) as documents:
            plan_load(documents, definition, work, drop_afterwards=self.afterwards == "drop")


class MakeSeed(LoadOperator):
    """Makes the schema that all others are copied from; what a killed try has left is dropped first."""

    def execute(self, context: Context) -> dict[str, Any]:
        return self.load_run(context).make_seed(self.read_definition()).to_json()


class FindDegree(LoadOperator):
    """Finds out how many schemas at the same time are worth it, unless the plan says it.

    :raises PreflightError: if the tablespace has not the room, going by the seed that is there now.
    :raises PlanError: if there are more batches than Airflow maps tasks over.
    :returns: the numbers of the batches, to map `LoadBatch` over.
    """

    def execute(self, context: Context) -> list[int]:
        return require_mappable(self.load_run(context).find_degree())


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
        loaded = self.load_run(context).load(int(self.batch))
        return {"seconds": loaded.seconds, "bytes": loaded.bytes}


class ReportLoad(LoadOperator):
    """Writes seconds by phase, TB/h, plots, page and, of a whole load, its kit to the report folder.

    With the trigger rule `all_done` it works with the batches that went through, and says if others did not.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.documents(context) as documents:
            load = read_load(documents)
            surroundings = read_surroundings(documents.connection)
        self.log.info("%s", table(load))
        kit = self._kit(load, surroundings) if load.summary.complete else {}
        address = write_report(self, run_id(context), page(load), load.document(), kit)
        degree = load.chosen.degree if load.chosen else None
        return {**load.summary.to_json(), "degree": degree, "report": address}

    def _kit(self, load: Loaded, surroundings: Surroundings) -> dict[str, bytes]:
        """The archive by its name; none of a load that is too large: its report stands all the same."""
        try:
            recipe = Recipe.of(load.plan.work, self.read_definition())
            content = write_kit(surroundings.kit(recipe, Results.of(load)))
        except PreflightError as error:
            self.log.warning("no kit is written: %s", error)
            return {}
        self.log.info("kit: %s, SHA-256 %s", KIT, hashlib.sha256(content).hexdigest())
        return {KIT: content}


class DropLoad(LoadOperator):
    """Teardown: drops the seed, what trials left and schemas that were not finished; also the loaded ones
    where the plan says so. A load that found no more space gives back what it took.

    May be repeated at will.
    """

    def execute(self, context: Context) -> list[str]:
        with self.documents(context) as documents:
            return drop_load(documents)


def require_mappable(number: int) -> list[int]:
    """Batches are counted from 1.

    :raises PlanError: if there are more of them than `[core] max_map_length`.
    """
    if number > settings.max_map_length():
        raise PlanError(
            f"{number} batches are more than Airflow maps tasks over ({settings.max_map_length()})",
            step=STEP,
            remedy="raise the degree, or [core] max_map_length",
        )
    return list(range(1, number + 1))
