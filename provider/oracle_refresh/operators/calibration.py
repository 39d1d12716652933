"""How many Data Pump jobs at the same time are worth it: choose a sample, move it by several, recommend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh import preflight
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.experience.degree_advice import RECOMMENDATION, pair
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.datapump_degree.advice import advise
from oracle_refresh.labs.datapump_degree.dumps import announce
from oracle_refresh.labs.datapump_degree.loading import Landing, remove_all, require_importable
from oracle_refresh.labs.datapump_degree.measure import Place, specs, unloaded
from oracle_refresh.labs.datapump_degree.model import MEASUREMENT, SAMPLE
from oracle_refresh.labs.datapump_degree.page import page, table
from oracle_refresh.labs.datapump_degree.plan import Trial, parallel_degrees, possible_degrees, trials
from oracle_refresh.labs.datapump_degree.sample import take_sample
from oracle_refresh.labs.harness.charts import require_charts
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.laboratory import starting, write_report
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.quarantine import check_sample_readers
from oracle_refresh.run.documents import WHOLE

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.run.refresh_run import RefreshRun

MEGABYTE = 1024 * 1024


class ChooseSample(RefreshOperator):
    """Chooses the rows that every degree unloads, and takes their SCN; reads only.

    :param degrees: numbers of workers, as a list or a text such as `2, 4, 8`. Templated.
    :param table: OWNER.NAME; the largest table without LOBs where it is empty. Templated.
    :param sample_mb: about how much is unloaded each time. Templated.
    :param repeats: how often each degree is measured; the fastest counts. Templated.
    :param parallel: whether each degree is measured by one job with PARALLEL=n, too; not where the edition
        has one worker for a job. Templated.
    :param imports: whether imports are to be measured; see `MeasureDegree`. Templated.
    :raises PlanError: if no table can be taken, fewer than two degrees are possible, or imports are to be
        measured of a definition without dump files.
    :raises PreflightError: without the extra `charts`; if application accounts, or PUBLIC, could read the
        imported sample in the target. The log names other accounts that could.
    :returns: what is to be measured, as `shape/degree/repeat`, to map `MeasureDegree` over.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "degrees",
        "table",
        "sample_mb",
        "repeats",
        "parallel",
        "imports",
    )

    def __init__(
        self,
        *,
        degrees: Sequence[int] | str,
        table: str | None = None,
        sample_mb: int | str = 256,
        repeats: int | str = 2,
        parallel: bool | str = False,
        imports: bool | str = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.degrees = degrees
        self.table = table
        self.sample_mb = sample_mb
        self.repeats = repeats
        self.parallel = parallel
        self.imports = imports

    def execute(self, context: Context) -> list[str]:
        require_charts()
        named = TableName.parse(self.table) if self.table else None
        with self.refresh_run(context) as run:
            limits = read_limits(run.source)
            if _is_true(self.imports):
                require_importable(run.refresh_definition)
                self._require_unread(run)
                limits = limits.combined(read_limits(run.target))
            degrees = possible_degrees(self.degrees, limits.jobs_at_once)
            parallel = parallel_degrees(degrees, limits) if _is_true(self.parallel) else ()
            catalogue = read_catalogue(run.source, run.refresh_definition.schemas)
            sample = take_sample(run.source, catalogue, int(self.sample_mb) * MEGABYTE, named)
            run.documents.ensure()
            run.documents.put(SAMPLE, WHOLE, sample)
        self.log.info(
            "%.1f of %.1f MB of %s.%s, %s, as of SCN %s",
            *(sample.bytes / 1e6, sample.table_bytes / 1e6, sample.owner, sample.name),
            *(sample.reason, sample.scn),
        )
        return [trial.id for trial in trials(degrees, int(self.repeats), parallel)]

    def _require_unread(self, run: RefreshRun) -> None:
        findings = list(check_sample_readers(Databases.of(run.source, run.target, run.definition)))
        for finding in findings:
            self.log.warning("%s", finding)
        preflight.require(findings)


class MeasureDegree(RefreshOperator):
    """Exports the sample once by n Data Pump jobs of one worker each, or by one job with PARALLEL=n; then
    imports the dump files in the same way into a throwaway table of the target, and removes all of it.

    Map it over what `ChooseSample` returns with `max_active_tis_per_dagrun=1`: measurements that overlap
    measure each other. A repeated task ends what its former try has left, and measures anew. Dump files are
    encrypted where the definition encrypts those of refreshes. The table lies in a schema of its own, which
    nobody can log in to; the target's tables stay as they are.

    :param measurement: `shape/degree/repeat`. Templated.
    :param imports: whether the dump files are staged and imported, too. Templated.
    :raises DataPumpError: if a job fails; nothing of it is left but its log.
    :returns: what was measured, exports first.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurement", "imports")

    def __init__(self, *, measurement: str, imports: bool | str = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurement = measurement
        self.imports = imports

    def execute(self, context: Context) -> list[dict[str, Any]]:
        trial, imports = Trial.parse(self.measurement), _is_true(self.imports)
        with self.refresh_run(context) as run:
            definition = run.refresh_definition
            sample, place = run.documents.get(SAMPLE, WHOLE), _place(run)
            start, jobs = starting(definition.datapump), specs(sample, trial, place)
            announce(run.source, run.target, definition, run.id, jobs, staged=imports)
            connect = self._opener(definition.source.conn_id)
            with unloaded(connect, run.source, sample, trial, place, run.progress, start) as found:
                measured = [found.measurement(trial)]
                if imports:
                    landing, connect = Landing(run, sample, place), self._opener(definition.target.conn_id)
                    measured.append(landing.measure(connect, trial, found, start))
            for each in measured:
                run.documents.put(MEASUREMENT, each.key, each)
        for each in measured:
            self.log.info(
                "%s of %s rows by %s in %.2f s: %.1f MB/s",
                *(each.direction, each.rows, trial.label, each.seconds, sample.bytes / 1e6 / each.seconds),
            )
        return [each.to_json() for each in measured]

    def _opener(self, conn_id: str) -> Connect:
        return OracleRefreshHook(oracle_conn_id=conn_id).opener(self.task_id)


class DropSample(RefreshOperator):
    """Teardown: ends the jobs that measurements have left, removes their dump files at both ends and the
    throwaway table at the target; logs stay.

    What it cannot do, since the run was deleted or the source is away, the next refresh of the target does,
    as of every run that has left dump files.

    :raises StagingError: if one cannot be removed: it holds unmasked rows.
    """

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            removed = remove_all(run)
        self.log.info("removed %s dump files", len(removed))
        return len(removed)


class RecommendDegree(RefreshOperator):
    """Fits curves to what was measured and keeps the degree at the knee for the two connections.

    `PlanShards` takes it from then on where neither definition nor trigger form give a degree, and gives one
    job no more workers than were worth it. Tables and plot go to the report folder. With the trigger rule
    `all_done` it works with the measurements that went through.

    :param measurements: what was to be measured, as `ChooseSample` returns it.
    :raises PlanError: if fewer than two degrees were measured, or they did not move the same rows.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurements")

    def __init__(self, *, measurements: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurements = measurements

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            sample = run.documents.get(SAMPLE, WHOLE)
            measurements = run.documents.all(MEASUREMENT)
            planned = [Trial.parse(each) for each in self.measurements]
            ends = (run.refresh_definition.source.conn_id, run.refresh_definition.target.conn_id)
            advice = advise(run.id, *ends, sample, measurements, planned)
            run.documents.put(RECOMMENDATION, pair(*ends), advice)
        self.log.info("%s", table(advice))
        figures = [measured.to_json() for measured in measurements]
        document = {"recommendation": advice.to_json(), "measurements": figures}
        write_report(self, run.id, page(advice, measurements), document)
        return advice.degree


def _is_true(value: bool | str) -> bool:
    """A switch of the trigger form, which a template makes a text of."""
    return str(value).lower() == "true"


def _place(run: RefreshRun) -> Place:
    definition = run.refresh_definition
    return Place(definition.name, run.id, definition.staging.source_directory, definition.datapump)
