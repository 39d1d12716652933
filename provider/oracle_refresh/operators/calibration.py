"""How many Data Pump jobs at the same time are worth it: choose a sample, unload it by several, recommend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.experience.degree_advice import RECOMMENDATION, pair
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.datapump_degree.advice import advise
from oracle_refresh.labs.datapump_degree.dumps import announce, remove_announced
from oracle_refresh.labs.datapump_degree.measure import Place, measure, specs
from oracle_refresh.labs.datapump_degree.model import MEASUREMENT, SAMPLE
from oracle_refresh.labs.datapump_degree.page import page, table
from oracle_refresh.labs.datapump_degree.plan import Trial, possible_degrees, trials
from oracle_refresh.labs.datapump_degree.sample import take_sample
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.laboratory import starting, write_report
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.documents import WHOLE

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.run.refresh_run import RefreshRun

MEGABYTE = 1024 * 1024


class ChooseSample(RefreshOperator):
    """Chooses the rows that every degree unloads, and takes their SCN; reads only.

    :param degrees: numbers of jobs at the same time, as a list or a text such as `2, 4, 8`. Templated.
    :param table: OWNER.NAME; the largest table without LOBs where it is empty. Templated.
    :param sample_mb: about how much is unloaded each time. Templated.
    :param repeats: how often each degree is measured; the fastest counts. Templated.
    :raises PlanError: if no table can be taken, or fewer than two degrees are possible.
    :returns: what is to be measured, as `degree/repeat`, to map `MeasureDegree` over.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "degrees",
        "table",
        "sample_mb",
        "repeats",
    )

    def __init__(
        self,
        *,
        degrees: Sequence[int] | str,
        table: str | None = None,
        sample_mb: int | str = 256,
        repeats: int | str = 2,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.degrees = degrees
        self.table = table
        self.sample_mb = sample_mb
        self.repeats = repeats

    def execute(self, context: Context) -> list[str]:
        named = TableName.parse(self.table) if self.table else None
        with self.refresh_run(context) as run:
            degrees = possible_degrees(self.degrees, read_limits(run.source).jobs_at_once)
            catalogue = read_catalogue(run.source, run.refresh_definition.schemas)
            sample = take_sample(run.source, catalogue, int(self.sample_mb) * MEGABYTE, named)
            run.documents.ensure()
            run.documents.put(SAMPLE, WHOLE, sample)
        self.log.info(
            "%.1f of %.1f MB of %s.%s, %s, as of SCN %s",
            *(sample.bytes / 1e6, sample.table_bytes / 1e6, sample.owner, sample.name),
            *(sample.reason, sample.scn),
        )
        return [trial.id for trial in trials(degrees, int(self.repeats))]


class MeasureDegree(RefreshOperator):
    """Unloads the sample once by so many Data Pump jobs of one worker each, and removes the dump files.

    Map it over what `ChooseSample` returns with `max_active_tis_per_dagrun=1`: measurements that overlap
    measure each other. A repeated task ends what its former try has left, and measures anew. Dump files are
    encrypted where the definition encrypts those of refreshes.

    :param measurement: `degree/repeat`. Templated.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurement")

    def __init__(self, *, measurement: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurement = measurement

    def execute(self, context: Context) -> dict[str, Any]:
        trial = Trial.parse(self.measurement)
        with self.refresh_run(context) as run:
            connect = OracleRefreshHook(oracle_conn_id=run.refresh_definition.source.conn_id).opener(
                self.task_id
            )
            sample, place = run.documents.get(SAMPLE, WHOLE), _place(run)
            start = starting(run.refresh_definition.datapump)
            announce(run.source, run.target, run.refresh_definition, run.id, specs(sample, trial, place))
            measured = measure(connect, run.source, sample, trial, place, run.progress, start)
            run.documents.put(MEASUREMENT, self.measurement, measured)
        self.log.info(
            "%s jobs unloaded %s rows in %.2f s: %.1f MB/s",
            *(measured.jobs, measured.rows, measured.seconds, sample.bytes / 1e6 / measured.seconds),
        )
        return measured.to_json()


class DropSample(RefreshOperator):
    """Teardown: ends the jobs that measurements have left and removes their dump files; logs stay.

    What it cannot do, since the run was deleted or the source is away, the next refresh of the target does,
    as of every run that has left dump files.

    :raises StagingError: if one cannot be removed: it holds unmasked rows.
    """

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            removed = remove_announced(run.source, run.target, run.refresh_definition, run.id)
        self.log.info("removed %s dump files", len(removed))
        return len(removed)


class RecommendDegree(RefreshOperator):
    """Fits a curve to what was measured and keeps the degree at its knee for the two connections.

    `PlanShards` takes it from then on where neither definition nor trigger form give a degree. Table and
    plot go to the report folder. With the trigger rule `all_done` it works with the measurements that went
    through.

    :param measurements: what was to be measured, as `ChooseSample` returns it.
    :raises PlanError: if fewer than two degrees were measured, or they did not unload the same rows.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurements")

    def __init__(self, *, measurements: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurements = measurements

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            sample = run.documents.get(SAMPLE, WHOLE)
            measurements = run.documents.all(MEASUREMENT)
            planned = map(Trial.parse, self.measurements)
            ends = (run.refresh_definition.source.conn_id, run.refresh_definition.target.conn_id)
            advice = advise(run.id, *ends, sample, measurements, {trial.degree for trial in planned})
            run.documents.put(RECOMMENDATION, pair(*ends), advice)
        self.log.info("%s", table(advice))
        figures = [measured.to_json() for measured in measurements]
        document = {"recommendation": advice.to_json(), "measurements": figures}
        write_report(self, run.id, page(advice, measurements), document)
        return advice.degree


def _place(run: RefreshRun) -> Place:
    definition = run.refresh_definition
    return Place(definition.name, run.id, definition.staging.source_directory, definition.datapump)
