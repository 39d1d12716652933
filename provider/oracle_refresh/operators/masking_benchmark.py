"""What masking gains from the instance's settings: plan trials, make tables, measure, restore, report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.definition.load import read_model
from oracle_refresh.hooks.connections import read_key
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.harness.charts import require_charts
from oracle_refresh.labs.masking.definition import BenchmarkDefinition
from oracle_refresh.labs.masking.model import Workload
from oracle_refresh.labs.masking.page import Report, page, table
from oracle_refresh.labs.masking.run import BenchmarkRun
from oracle_refresh.operators.base import run_id
from oracle_refresh.operators.laboratory import LaboratoryOperator, write_report
from oracle_refresh.oracle.identifiers import Identifier

if TYPE_CHECKING:
    from airflow.sdk import Context


class BenchmarkOperator(LaboratoryOperator):
    """Base of the benchmark's operators; works on the definition's target only.

    :param definition: name of a definition in `[oracle_refresh] benchmarks_directory`. The author of a DAG
        may write a path that ends in .yaml; a template renders a name. Templated.
    """

    def read_definition(self) -> BenchmarkDefinition:
        return read_model(self.definition_path(), BenchmarkDefinition)

    def benchmark_run(self, context: Context) -> BenchmarkRun:
        definition = self.read_definition()
        return BenchmarkRun(partial(self.target, definition.target.conn_id), definition, run_id(context))


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
    :param switches: names of the definition's switches and series; none means all switches. Templated.
    :raises PreflightError: without the extra `charts`, or if the schema is somebody else's.
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
        require_charts()
        work = Workload(
            Identifier.parse(str(self.schema)).name,
            *(int(number) for number in (self.jobs, self.tables, self.rows, self.commit_rows)),
        )
        wanted = self.switches if isinstance(self.switches, str) else " ".join(self.switches)
        names = re.findall(r"[\w-]+", wanted)
        benchmark = self.benchmark_run(context).plan(work, names, int(self.repetitions))
        return [trial.id for trial in benchmark.trials]


class MakeTables(BenchmarkOperator):
    """Makes the benchmark's schema and fills the table that every trial's tables are copied from.

    What a killed try has left is dropped first.
    """

    def execute(self, context: Context) -> None:
        self.benchmark_run(context).make_tables()


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
        run = self.benchmark_run(context)
        hook = OracleRefreshHook(oracle_conn_id=run.definition.target.conn_id)
        hook.require_role("target")
        key = read_key(run.definition.key_conn_id)
        measured = run.measure(self.trial, hook.opener(self.task_id), key, self.progress(context))
        self.log.info(
            "%s: %s rows in %.2f s, %.0f rows/s",
            *(self.trial, measured.rows, measured.seconds, measured.rows_per_second),
        )
        for text in measured.findings:
            self.log.info("%s", text)
        return {"seconds": measured.seconds, "rows_per_second": measured.rows_per_second}


class RestoreInstance(BenchmarkOperator):
    """Teardown: the instance as it was before the benchmark, its schema dropped. May be repeated at will."""

    def execute(self, context: Context) -> list[str]:
        left = self.benchmark_run(context).restore()
        for text in left:
            self.log.warning("left as it is: %s", text)
        return list(left)


class ReportBenchmark(BenchmarkOperator):
    """Compares the trials with the baseline and writes table, plot and page to the report folder.

    With the trigger rule `all_done` it works with the trials that went through, and names the others.

    :raises PlanError: if no trial of the baseline went through.
    """

    def execute(self, context: Context) -> dict[str, float]:
        report = Report(*self.benchmark_run(context).results())
        self.log.info("%s", table(report))
        write_report(self, run_id(context), page(report), report.document())
        return {gain.setting: gain.saved for gain in report.gains}
