"""Measuring for real: the jobs run side by side, nothing stays, a killed try is taken up."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.labs.datapump_degree.measure import measure, specs
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.datapump_degree.sample import choose_sample, choose_table
from oracle_refresh.operators.calibration import ChooseSample
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.freeze import freeze
from support.degree_samples import DEFINITION, left, place, rows_of, run, sample
from support.demo import DemoDatabase

pytestmark = pytest.mark.slow

__all__ = ["run", "sample"]


def test_the_sample_is_bounded_and_the_same_for_every_degree(
    source: oracledb.Connection, sample: Sample
) -> None:
    heaviest = max(one.weight / one.blocks for one in sample.extents)
    assert sample.bytes <= 200_000 + heaviest, "no more than one block too much"
    counts = {degree: rows_of(source, sample, degree) for degree in (1, 2, 5)}
    assert len({sum(found) for found in counts.values()}) == 1
    assert sum(counts[1]) > 0


def test_a_measurement_unloads_the_sample_and_leaves_nothing(
    demo_source: DemoDatabase, source: oracledb.Connection
) -> None:
    table, reason = choose_table(read_catalogue(source, ["APP"]))
    sample = choose_sample(source, table, reason, freeze(source).scn, 300_000)
    where = place()
    found = [measure(demo_source.connect, source, sample, Trial(degree, 1), where) for degree in (1, 3)]
    assert found[0].rows == found[1].rows == sum(rows_of(source, sample, 1)) > 0
    assert [one.jobs for one in found] == [1, 3]
    assert all(one.seconds > 0 and one.bytes > 0 for one in found)
    for degree in (1, 3):
        assert left(source, specs(sample, Trial(degree, 1), where)) == []


@pytest.mark.parametrize(
    ("degrees", "message"),
    [
        ("", "whole numbers"),
        ("many", "whole numbers"),
        ("8", "only 1 can be measured"),
        ("0, 9999", "only 0"),
    ],
)
def test_degrees_that_make_no_curve_are_refused(run: Any, degrees: str, message: str) -> None:
    task = ChooseSample(task_id="choose", definition=DEFINITION, degrees=degrees)
    with pytest.raises(PlanError, match=message):
        task.execute(run)
