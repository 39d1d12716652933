"""What a recommendation is made of."""

from __future__ import annotations

import pytest

from oracle_refresh.experience.degree_advice import Direction, Recommendation, Sample, Shape
from oracle_refresh.labs.datapump_degree.advice import advise, best
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.page import page, table
from oracle_refresh.labs.datapump_degree.plan import trials
from oracle_refresh.oracle.errors import PlanError

SAMPLE = Sample("APP", "T", 1, 100_000_000, 200_000_000, "named")


def took(
    seconds: dict[int, float], shape: Shape = "jobs", direction: Direction = "export"
) -> list[Measurement]:
    return [
        Measurement(time, 100, 1, degree, 1, degree if shape == "jobs" else 1, shape, direction)
        for degree, time in seconds.items()
    ]


def advised(*measurements: list[Measurement]) -> Recommendation:
    return advise("r", "a", "b", SAMPLE, [one for found in measurements for one in found])


EXPORTS = took({1: 80.0, 2: 40.0, 4: 20.0, 8: 10.0})


def test_the_fastest_repeat_counts() -> None:
    runs = [
        Measurement(20.0, 1, 1, 8, 1, 8),
        Measurement(15.0, 1, 1, 8, 2, 8),
        Measurement(30.0, 1, 1, 4, 1, 4),
    ]
    assert best(runs) == {8: 15.0, 4: 30.0}


def test_the_slower_of_export_and_import_decides() -> None:
    assert advised(EXPORTS).degree == 8
    loads = took({1: 90.0, 2: 60.0, 4: 75.0, 8: 120.0}, direction="import")
    both = advised(EXPORTS, loads)
    assert both.degree == 2, "more loads are slower, and exports are faster than they at 2"
    assert "the export is best at 8, the import at 2" in both.reason
    assert [(point.degree, point.seconds) for point in both.points] == [
        (1, 90.0),
        (2, 60.0),
        (4, 75.0),
        (8, 120.0),
    ]
    assert both.bytes_per_second == pytest.approx(100_000_000 / 40 / 2), "of the export"


def test_a_single_import_decides_nothing() -> None:
    assert advised(EXPORTS, took({1: 900.0}, direction="import")).degree == 8


def test_one_job_has_as_many_workers_as_were_faster() -> None:
    scaling = advised(EXPORTS, took({1: 80.0, 2: 40.0, 4: 39.9, 8: 40.0}, "workers"))
    assert (scaling.degree, scaling.workers) == (8, 2)
    assert "export: 39.9 s at best by one job with PARALLEL, 10.0 s by jobs of one worker" in scaling.notes


@pytest.mark.parametrize(
    "seconds",
    [
        {1: 80.0, 2: 80.1, 4: 80.0, 8: 80.2},  # one worker whatever PARALLEL says
        {1: 4.0, 2: 2.0, 4: 1.0, 8: 0.5},  # too short to tell
    ],
)
def test_parallel_that_tells_nothing_bounds_no_plan(seconds: dict[int, float]) -> None:
    flat = advised(EXPORTS, took(seconds, "workers"))
    assert flat.workers is None
    assert "single worker whatever PARALLEL says" in flat.notes[-1]
    assert flat.degree == 8, "of jobs of one worker"


def test_workers_alone_make_no_recommendation() -> None:
    with pytest.raises(PlanError, match="0 degrees were measured"):
        advised(took({1: 80.0, 2: 40.0}, "workers"))


def test_what_is_missing_is_named_by_shape_and_direction() -> None:
    wanted = trials((1, 2, 4, 8, 16), 2, (1, 2))
    advice = advise("r", "a", "b", SAMPLE, [*EXPORTS, *took({1: 9.0, 2: 9.0}, direction="import")], wanted)
    assert "not measured: PARALLEL=1, PARALLEL=2, 16 jobs" in advice.notes
    missing = "not measured: PARALLEL=1, PARALLEL=2, 4 jobs, 8 jobs, 16 jobs (import)"
    assert missing in advice.notes


def test_an_import_of_other_rows_is_no_measurement() -> None:
    loads = [Measurement(9.0, 99, 1, 2, 1, 2, "jobs", "import")]
    with pytest.raises(PlanError, match=r"99 rows at \[2\]"):
        advised(EXPORTS, loads)


def test_what_older_versions_kept_is_read() -> None:
    kept = advised(EXPORTS).to_json()
    for newer in ("workers", "curves"):
        del kept[newer]
    assert Recommendation.from_json(kept).degree == 8


def test_the_page_has_a_chart_for_each_direction_with_both_shapes() -> None:
    found = [
        *EXPORTS,
        *took({1: 80.0, 2: 41.0}, "workers"),
        *took({1: 90.0, 2: 50.0}, direction="import"),
        *took({1: 90.0, 2: 51.0}, "workers", "import"),
    ]
    advice = advise("r", "a", "b", SAMPLE, found)
    sections = {section.title: section for section in page(advice, found).sections}
    for title in ("Export", "Import"):
        for told in ("n jobs of one worker", "one job with PARALLEL=n", "19.4 GB on 5 cores"):
            assert told in sections[title].chart
    both = sections["For comparison: both shapes there"].table
    assert both is not None
    assert ("over 1.5 h", "about 11 min") in {line.cells[1:] for line in both.lines}
    assert "Import by one job with PARALLEL=n:" in table(advice)
    alone = page(advised(EXPORTS), EXPORTS)
    assert [section.title for section in alone.sections][:2] == ["Export", "Export by n jobs of one worker"]
