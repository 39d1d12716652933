"""A series stands in sections of its own, the undo recipe follows from what was measured."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.masking.model import BASELINE, Benchmark, Series, Setting
from oracle_refresh.labs.masking.page import Report, page
from oracle_refresh.labs.masking.undo import UNDO_WRITTEN, UndoRecipe, undo_recipe
from support.masking_trials import benchmark, measurement, measurements

SETTINGS = (
    Setting(BASELINE, "all switches off", {}),
    Setting("commit", "no waiting", {}),
    Setting("redo_sizes 500 MB", "sizes: 500 MB", {}, series="redo_sizes", step="500 MB"),
    Setting("redo_sizes 1 GB", "sizes: 1 GB", {}, series="redo_sizes", step="1 GB"),
)
SERIES = (Series("redo_sizes", "size of the redo logs", "50 MB"), Series("never", "not measured", "-"))
FOUND = measurements(
    *(
        (BASELINE, 10.0),
        ("commit", 9.0),
        ("redo_sizes 500 MB", 8.5),
        ("redo_sizes 1 GB", 8.0),
        (BASELINE, 10.0),
    )
)


def planned() -> Benchmark:
    return benchmark(FOUND, settings=SETTINGS, series=SERIES)


def test_a_series_has_its_own_curve_beside_the_study() -> None:
    text = page(Report(planned(), FOUND)).html()
    assert text.count("<svg") == 2
    assert "Series: size of the redo logs" in text
    assert "not measured" not in text
    first = text.index("Series: size of the redo logs")
    steps = [text.index(f"<td>{step}</td>", first) for step in ("50 MB", "500 MB", "1 GB")]
    assert steps == sorted(steps)
    assert "20 %" in text[steps[-1] : steps[-1] + 400], "the study's figure for 1 GB"
    assert "sizes: 1 GB" not in text[:first], "no step stands among the switches"


def test_a_plan_with_series_is_read_back() -> None:
    assert Benchmark.from_json(planned().to_json()) == planned()


def test_undo_is_kept_for_twice_the_longest_job() -> None:
    found = [
        measurement(1, BASELINE, 600.0, job_seconds=(500.0, 600.0), statistics={UNDO_WRITTEN: 6e9}),
        measurement(2, "commit", 400.0, job_seconds=(400.0, 390.5), statistics={UNDO_WRITTEN: 6e9}),
    ]
    recipe = undo_recipe(found)
    assert recipe == UndoRecipe(600.0, 15e6)
    assert (recipe.retention_seconds, recipe.bytes) == (1200, 18_000_000_000)
    create, *settings = recipe.statements
    assert create.startswith('CREATE BIGFILE UNDO TABLESPACE "MASKING_UNDO" DATAFILE')
    assert create.endswith("RETENTION GUARANTEE")
    size = int(create.split(" SIZE ")[1].split()[0])
    assert 18_000_000_000 <= size < 18_000_000_000 + 2**20
    assert settings == [
        "ALTER SYSTEM SET UNDO_RETENTION = 1200 SCOPE = BOTH",
        "ALTER SYSTEM SET UNDO_TABLESPACE = MASKING_UNDO SCOPE = BOTH",
    ]
    text = page(Report(benchmark(found), found)).html()
    assert "The longest job took 600.0 s" in text


@pytest.mark.parametrize("statistics", [{}, {UNDO_WRITTEN: 0.0}])
def test_without_a_figure_only_the_retention_is_told(statistics: dict[str, float]) -> None:
    found = [measurement(1, BASELINE, 600.0, statistics=statistics)]
    assert undo_recipe(found).statements == ("ALTER SYSTEM SET UNDO_RETENTION = 1200 SCOPE = BOTH",)
    text = page(Report(benchmark(found), found)).html()
    assert "this database does not count" in text
    assert "CREATE BIGFILE" not in text


def test_short_jobs_have_the_retention_that_databases_have_by_default() -> None:
    recipe = undo_recipe([measurement(1, BASELINE, 2.0, statistics={UNDO_WRITTEN: 4e6})])
    assert (recipe.retention_seconds, recipe.bytes) == (900, 1_800_000_000)


def test_each_trial_has_its_longest_waits() -> None:
    waits = {"log file sync": 3.0, "db file sequential read": 1.0, "buffer busy waits": 0.5, "other": 0.1}
    found = [measurement(1, BASELINE, 10.0, waits=waits)]
    text = page(Report(benchmark(found), found)).html()
    assert "log file sync 3.00 s; db file sequential read 1.00 s; buffer busy waits 0.50 s" in text
    assert "other 0.10 s" not in text
