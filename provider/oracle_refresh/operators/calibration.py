"""How many Data Pump jobs at the same time are worth it: choose a sample, unload it by several, recommend."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.labs.datapump_degree.advice import advise
from oracle_refresh.labs.datapump_degree.measure import Place, clean, measure, specs
from oracle_refresh.labs.datapump_degree.model import (
    MEASUREMENT,
    RECOMMENDATION,
    SAMPLE,
    Measurement,
    Recommendation,
    pair,
)
from oracle_refresh.labs.datapump_degree.page import page, table
from oracle_refresh.labs.datapump_degree.sample import choose_sample, choose_table
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import parse_qualified
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import freeze

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition import RefreshDefinition

STEP = "calibration"
MEGABYTE = 1024 * 1024
MOST = 256


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
        definition, run = self.read_definition(), run_id(context)
        named = parse_qualified(self.table) if self.table else None
        with self.both(definition) as (source, target):
            degrees = self._possible(read_limits(source).jobs_at_once)
            catalogue = read_catalogue(source, definition.schemas)
            found, reason = choose_table(catalogue, named)
            scn = freeze(source).scn
            sample = choose_sample(source, found, reason, scn, int(self.sample_mb) * MEGABYTE)
            documents = Documents(target, run)
            documents.ensure()
            documents.put(SAMPLE, WHOLE, sample)
        self.log.info(
            "%.1f of %.1f MB of %s, %s, as of SCN %s",
            *(sample.bytes / 1e6, sample.table_bytes / 1e6, found.key, reason, scn),
        )
        # Each repeat after all degrees: what disturbs for a while disturbs them alike.
        return [f"{degree}/{repeat}" for repeat in range(1, int(self.repeats) + 1) for degree in degrees]

    def _possible(self, most: int) -> list[int]:
        text = self.degrees if isinstance(self.degrees, str) else ",".join(map(str, self.degrees))
        if not re.fullmatch(r"[\[(\s]*\d+([,\s]+\d+)*[\])\s]*", text):
            raise PlanError(f"degrees are whole numbers such as 2, 4, 8; not {text!r}", step=STEP)
        wanted = sorted({int(degree) for degree in re.findall(r"\d+", text)})
        degrees = [degree for degree in wanted if 1 <= degree <= min(most, MOST)]
        if degrees != wanted:
            self.log.warning("left out: the instance permits 1 to %s jobs at the same time", min(most, MOST))
        if len(degrees) < 2:
            raise PlanError(
                f"of the degrees {text} only {len(degrees)} can be measured; a curve takes two at least",
                step=STEP,
                remedy="give more degrees, or raise max_datapump_jobs_per_pdb",
            )
        return degrees


class MeasureDegree(RefreshOperator):
    """Unloads the sample once by so many Data Pump jobs of one worker each, and removes the dump files.

    Map it over what `ChooseSample` returns with `max_active_tis_per_dagrun=1`: measurements that overlap
    measure each other. A repeated task ends what its former try has left, and measures anew.

    :param measurement: `degree/repeat`. Templated.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurement")

    def __init__(self, *, measurement: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurement = measurement

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        degree, repeat = map(int, self.measurement.split("/"))
        hook = OracleRefreshHook(oracle_conn_id=definition.source.conn_id)
        connect = hook.opener(self.task_id)
        with self.both(definition) as (source, target):
            documents = Documents(target, run)
            sample = documents.get(SAMPLE, WHOLE)
            found = measure(
                connect, source, sample, degree, repeat, _place(definition, run), self.progress(context)
            )
            documents.put(MEASUREMENT, self.measurement, found)
        self.log.info(
            "%s jobs unloaded %s rows in %.2f s: %.1f MB/s",
            *(found.jobs, found.rows, found.seconds, sample.bytes / 1e6 / found.seconds),
        )
        return found.to_json()


class RecommendDegree(RefreshOperator):
    """Fits a curve to what was measured and keeps the degree at its knee for the two connections.

    `PlanShards` takes it from then on where neither definition nor trigger form give a degree. Table and
    plot go to the report folder. With the trigger rule `all_done` it also ends and removes what killed
    measurements have left, and works with those that went through.

    :param measurements: what was to be measured, as `ChooseSample` returns it.
    :raises PlanError: if fewer than two degrees were measured, or they did not unload the same rows.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "measurements")

    def __init__(self, *, measurements: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.measurements = measurements

    def execute(self, context: Context) -> int:
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            documents = Documents(target, run)
            sample = documents.get(SAMPLE, WHOLE)
            found = tuple(documents.all(MEASUREMENT))
            wanted = {tuple(map(int, one.split("/"))) for one in self.measurements}
            # Also of those that were measured: cleared, a task may have been killed in the middle since.
            for degree, repeat in sorted(wanted):
                clean(source, specs(sample, degree, repeat, _place(definition, run)), logs=False)
            ends = (definition.source.conn_id, definition.target.conn_id)
            advice = advise(run, *ends, sample, found, {degree for degree, _ in wanted})
            documents.put(RECOMMENDATION, pair(*ends), advice)
        self.log.info("%s", table(advice))
        reports = settings.report_directory()
        reports.write(run, _files(advice, found), self.dag_id)
        self.log.info("report: %s", reports.address(run, "report.html"))
        return advice.degree


def _files(advice: Recommendation, found: tuple[Measurement, ...]) -> dict[str, str]:
    document = {"recommendation": advice.to_json(), "measurements": [one.to_json() for one in found]}
    return {"report.json": json.dumps(document, indent=2) + "\n", "report.html": page(advice, found)}


def _place(definition: RefreshDefinition, run: str) -> Place:
    return Place(definition.name, run, definition.staging.source_directory)
