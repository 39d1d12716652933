"""Which degrees are measured in which shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.labs.datapump_degree.plan import Trial, parallel_degrees, possible_degrees, trials
from oracle_refresh.oracle.errors import PlanError

SERIES = (1, 2, 4, 8, 16, 32, 64)
LIMITS = Limits(4, max_parallel_per_job=64)


def test_both_shapes_of_a_degree_follow_each_other() -> None:
    assert [trial.id for trial in trials((1, 2, 64), 2, (1, 2))] == [
        "jobs/1/1",
        "workers/1/1",
        "jobs/2/1",
        "workers/2/1",
        "jobs/64/1",
        "jobs/1/2",
        "workers/1/2",
        "jobs/2/2",
        "workers/2/2",
        "jobs/64/2",
    ]


@pytest.mark.parametrize("trial", [Trial(64, 2), Trial(8, 1, "workers")])
def test_a_trial_is_read_back_from_its_id(trial: Trial) -> None:
    assert Trial.parse(trial.id) == trial


def test_the_studys_series_is_possible() -> None:
    assert possible_degrees(SERIES, LIMITS.jobs_at_once) == SERIES
    assert parallel_degrees(SERIES, LIMITS) == SERIES


@pytest.mark.parametrize(
    ("limits", "possible"),
    [
        (replace(LIMITS, max_parallel_per_job=50), (1, 2, 4, 8, 16, 32)),
        (replace(LIMITS, parallel_jobs=False), ()),  # Standard Edition
        (replace(LIMITS, max_parallel_per_job=1), ()),
    ],
)
def test_parallel_is_measured_as_far_as_one_job_may_have_it(
    limits: Limits, possible: tuple[int, ...]
) -> None:
    assert parallel_degrees(SERIES, limits) == possible


def test_more_files_than_a_template_counts_are_not_asked_for() -> None:
    assert parallel_degrees((1, 64, 128), Limits(4, max_parallel_per_job=1024)) == (1, 64)


@pytest.mark.parametrize("chosen", ["2", "2, 2", "", "a, b", "0, 2"])
def test_what_makes_no_curve_is_refused(chosen: str) -> None:
    with pytest.raises(PlanError):
        possible_degrees(chosen, 100)
