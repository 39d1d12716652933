"""What masking gains from the instance's settings: plan trials, make tables, measure, restore, report."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperator

from oracle_refresh.catalog import identify
from oracle_refresh.hooks.connections import read_key
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.labs.masking import workload
from oracle_refresh.labs.masking.definition import BenchmarkDefinition, load_benchmark
from oracle_refresh.labs.masking.design import trials
from oracle_refresh.labs.masking.feasible import LOG_MODE, choose
from oracle_refresh.labs.masking.model import BASELINE, BENCHMARK, MEASUREMENT, Benchmark, Workload
from oracle_refresh.labs.masking.page import files, table
from oracle_refresh.labs.masking.ratios import counted, gains
from oracle_refresh.labs.masking.trial import Place, measure_trial, restore_instance
from oracle_refresh.operators.base import TaskProgress, run_id
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.progress import LogProgress
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.instance import read_instance

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

log = logging.getLogger(__name__)


class BenchmarkOperator(BaseOperator):
    """Base of the benchmark's operators; works on the definition's target only.

    :param definition: name of a definition in `[oracle_refresh] benchmarks_directory`, or a path that ends
        in .yaml. Templated.
    """

    template_fields: Sequence[str] = ("definition",)
    ui_color = "#e8f0fb"

    def __init__(self, *, definition: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.definition = definition

    def read_definition(self) -> BenchmarkDefinition:
        return load_benchmark(settings.benchmark_path(str(self.definition)))

    def target(self, definition: BenchmarkDefinition) -> AbstractContextManager[oracledb.Connection]:
        return OracleRefreshHook(oracle_conn_id=definition.target.conn_id).session("target", self.task_id)

    def place(self, definition: BenchmarkDefinition, run: str) -> Place:
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        hook.require_role("target")
        return Place(
            session=lambda: hook.session("target", self.task_id),
            connect=hook.opener(self.task_id),
            definition=definition,
            key=read_key(definition.key_conn_id),
            run_id=run,
        )


class PlanTrials(BenchmarkOperator):
    """Finds out which switches can be measured on the target, and in what order; changes no setting.

    Where log modes are to be compared, the definition's command is run once with the mode that the instance
    is in; if it fails, the log mode is not measured, and the report says why.

    :param schema: name of the schema that is made for the benchmark; refused if there is one that it did not
        make. Templated.
    :param jobs: jobs that mask at the same time. Templated.
    :param tables: tables of each job. Templated.
    :param rows: rows of each table. Templated.
    :param commit_rows: rows that one transaction masks. Templated.
    :param repetitions: how often each switch is measured. Templated.
    :param switches: names of the definition's switches; none means all. Templated.
    :raises PreflightError: if the schema is somebody else's.
    :raises TuningError: if this database may not be tuned at all, such as one on the deny list.
    :raises PlanError: if no switch can be measured.
    :returns: the trials, to map `MeasureTrial` over.
    """

    template_fields: Sequence[str] = (
        *BenchmarkOperator.template_fields,
        *("schema", "jobs", "tables", "rows", "commit_rows", "repetitions", "switches"),
    )

    def __init__(
        self,
        *,
        schema: str = "MASKING_BENCHMARK",
        jobs: int | str = 5,
        tables: int | str = 1,
        rows: int | str = 10_000,
        commit_rows: int | str = 250,
        repetitions: int | str = 3,
        switches: Sequence[str] | str = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.schema = schema
        self.jobs = jobs
        self.tables = tables
        self.rows = rows
        self.commit_rows = commit_rows
        self.repetitions = repetitions
        self.switches = switches

    def execute(self, context: Context) -> list[str]:
        definition, run = self.read_definition(), run_id(context)
        work = Workload(
            Identifier.parse(str(self.schema)).name,
            *(int(number) for number in (self.jobs, self.tables, self.rows, self.commit_rows)),
        )
        wanted = self.switches if isinstance(self.switches, str) else " ".join(self.switches)
        names = re.findall(r"[\w-]+", wanted)
        with self.target(definition) as target:
            identity = identify(target)
            documents = Documents(target, run)
            documents.ensure()
            workload.SCHEMAS.require_own(target, documents, work.schema)
            instance = read_instance(target)
        chosen, not_measured = choose(definition, instance, names)
        present = instance.log_mode
        if any(str(setting.phase.get(LOG_MODE, present)).upper() != present for setting in chosen):
            unable = log_mode.obstacle(
                self.place(definition, run).session, definition.log_mode_command, definition.log_mode_seconds
            )
            if unable:
                chosen, not_measured = choose(definition, instance, names, unable)
        with self.target(definition) as target:
            documents = Documents(target, run)
            benchmark = Benchmark(
                run_id=run,
                conn_id=definition.target.conn_id,
                database=f"{identity.db_unique_name} {identity.version}",
                workload=work,
                settings=chosen,
                trials=trials([one.name for one in chosen if one.name != BASELINE], int(self.repetitions)),
                not_measured=not_measured,
                log_mode=log_mode.former(documents, target),
            )
            documents.put(BENCHMARK, WHOLE, benchmark)
        for one in not_measured:
            self.log.warning("not measured: %s: %s\n%s", one.setting, one.reason, "\n".join(one.runbook))
        return [trial.id for trial in benchmark.trials]


class MakeTables(BenchmarkOperator):
    """Makes the benchmark's schema and fills the table that every trial's tables are copied from.

    What a killed try has left is dropped first.
    """

    def execute(self, context: Context) -> None:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents = Documents(target, run)
            work = documents.get(BENCHMARK, WHOLE).workload
            workload.SCHEMAS.make(target, documents, work.schema, definition.tablespace)
            workload.fill_originals(target, work)


class MeasureTrial(BenchmarkOperator):
    """Sets the instance, masks all tables by several jobs at the same time, and puts the instance back.

    Map it over what `PlanTrials` returns with `max_active_tis_per_dagrun=1`: trials that overlap measure each
    other. A repeated task takes back what its former try has left, and measures anew.

    :param trial: number and setting. Templated.
    """

    template_fields: Sequence[str] = (*BenchmarkOperator.template_fields, "trial")

    def __init__(self, *, trial: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.trial = trial

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        place = self.place(definition, run)
        with place.session() as target:
            benchmark = Documents(target, run).get(BENCHMARK, WHOLE)
        progress = TaskProgress(LogProgress(log), context.get("task_state_store"))
        found = measure_trial(place, benchmark, benchmark.trial(self.trial), progress)
        with place.session() as target:
            Documents(target, run).put(MEASUREMENT, self.trial, found)
        self.log.info(
            "%s: %s rows in %.2f s, %.0f rows/s", self.trial, found.rows, found.seconds, found.rows_per_second
        )
        for text in found.findings:
            self.log.info("%s", text)
        return {"seconds": found.seconds, "rows_per_second": found.rows_per_second}


class RestoreInstance(BenchmarkOperator):
    """Teardown: the instance as it was before the benchmark, its schema dropped. May be repeated at will."""

    def execute(self, context: Context) -> list[str]:
        definition, run = self.read_definition(), run_id(context)
        place = self.place(definition, run)
        with place.session() as target:
            benchmark = Documents(target, run).get(BENCHMARK, WHOLE)
        left = restore_instance(place, benchmark)
        for text in left:
            self.log.warning("left as it is: %s", text)
        return list(left)


class ReportBenchmark(BenchmarkOperator):
    """Compares the trials with the baseline and writes table, plot and page to the report folder.

    With the trigger rule `all_done` it works with the trials that went through, and names the others.

    :raises PlanError: if no trial of the baseline went through.
    """

    def execute(self, context: Context) -> dict[str, float]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents = Documents(target, run)
            benchmark = documents.get(BENCHMARK, WHOLE)
            found = benchmark.own(documents.all(MEASUREMENT))
        gained = gains(found)
        baselines = [one.seconds for one in counted(found) if one.trial.setting == BASELINE]
        self.log.info("%s", table(gained, baselines))
        reports = settings.report_directory()
        reports.write(run, files(benchmark, found), self.dag_id)
        self.log.info("report: %s", reports.address(run, "report.html"))
        return {one.setting: one.saved for one in gained}
