"""The grid of trials, what is made of their results, and the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.change_capture.advisor import Advice, advise
from oracle_refresh.labs.change_capture.charts import fit_chart
from oracle_refresh.labs.change_capture.evaluation import Result, evaluate, published
from oracle_refresh.labs.change_capture.grid import MOST_TRIALS, Scale, grid, numbers, scaled
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.page import page, table
from oracle_refresh.labs.change_capture.ratios import Ratio, of_rates, of_times
from oracle_refresh.labs.change_capture.study import COSTS, MEGABYTE, MEMORY, TRIALS, UNRELATED
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.picture import Movement
from oracle_refresh.tuning.cdc.queueing import predict
from oracle_refresh.tuning.cdc.verdict import worth_keeping
from support.modelled_capture import modelled

#: A database twenty times as fast as that of the study, with smaller messages.
FAST = replace(
    COSTS,
    latency=0.8,
    cold_start=0.0,
    reader_spill=1e-5,
    uncached=0.0,
    **{
        name: getattr(COSTS, name) / 20
        for name in ("capture", "queue_spill", "queue_unspill", "apply", "commit")
    },
)
SMALL = Memory(2_000.0, 4.0 * MEGABYTE, 1e9)


def made(scenarios: Sequence[Scenario]) -> list[TriedScenario]:
    """Trials as that database would show them."""
    found = []
    for scenario in scenarios:
        said = predict(scenario, FAST, SMALL)
        spilled = (round(said.queue_spilled), round(said.reader_spilled))
        found.append(TriedScenario(scenario, said.seconds, said.reader_seconds, *spilled, said.busy_servers))
    return found


def advised() -> Advice:
    return advise(modelled(Workload(9_900, 9_900), FAST, SMALL, 2), Settings(2, 10_000, 0), COSTS)


def test_the_published_scenarios_to_a_scale() -> None:
    assert [one.name for one in grid(Scale(), unrelated=())] == ["1", "2", "3", "4", "5", "6", "7"]
    assert grid(Scale()) == tuple(trial.scenario for trial in (*TRIALS, *UNRELATED))
    scale = Scale(0.1, message_bytes=1000.0, single_rows=77)
    second, seventh = grid(scale, scenarios=(2, 7), unrelated=())
    assert second.workload == Workload(9_900, 9_900)
    assert second.settings == Settings(2, 10_000, 2_400_000), "24,000 of 99,000 messages fitted"
    assert seventh.workload == Workload(77, 1)
    assert grid(Scale(0.1), scenarios=(7,))[0].workload == Workload(100_000, 1)


def test_the_published_tests_of_a_table_that_is_not_captured() -> None:
    full = grid(Scale(), scenarios=())
    assert [one.workload.unrelated_rows for one in full] == [100_000, 100_000, 0]
    assert [one.workload.unrelated_rows_per_commit for one in full] == [None, 1, None]
    batch, single, nothing = (one.workload for one in grid(Scale(0.01, single_rows=7), scenarios=()))
    assert batch == Workload(1, 1, 1_000, marker=True)
    assert single == Workload(1, 1, 7, 1, marker=True)
    assert nothing == Workload(1, 1, marker=True)
    assert [one.name for one in grid(Scale(), scenarios=(), unrelated=(3, 1))] == [full[2].name, full[0].name]


@given(st.floats(0.0005, 2), st.integers(0, 6))
def test_every_scale_keeps_what_makes_a_scenario(scale: float, index: int) -> None:
    full, small = TRIALS[index].scenario, scaled(TRIALS[index].scenario, Scale(scale))
    assert (small.workload.rows_per_commit == 1) or small.workload.transactions == full.workload.transactions
    held = MEMORY.held(full.settings)
    assert MEMORY.held(small.settings) / scale == pytest.approx(held, rel=0.01)
    assert full.settings.parallelism == small.settings.parallelism


def test_variations_change_one_thing_each() -> None:
    found = grid(
        Scale(0.1),
        scenarios=(5,),
        batches=(100,),
        thresholds=(500,),
        parallelisms=(8,),
        pools_mb=(64,),
        unrelated=(),
    )
    fifth, batch, threshold, degree, pool = found
    assert batch == Scenario("commit every 100", Workload(9_900, 100), fifth.settings)
    assert threshold.settings == replace(fifth.settings, txn_lcr_spill_threshold=500)
    assert (degree.workload.rows_per_commit, degree.settings.parallelism) == (1, 8)
    assert pool.settings.streams_pool_bytes == 64 * MEGABYTE
    assert pool.settings.txn_lcr_spill_threshold > pool.workload.rows


@pytest.mark.parametrize(
    "wanted",
    [
        {"scenarios": (0, 8)},
        {"scenarios": (), "unrelated": ()},
        {"unrelated": (0,)},
        {"unrelated": (4,)},
        {"thresholds": tuple(range(1, MOST_TRIALS + 1))},
        {"thresholds": (0,)},
        {"parallelisms": (0,)},
        {"batches": (0,)},
    ],
)
def test_grids_that_cannot_be(wanted: dict[str, Any]) -> None:
    with pytest.raises(TuningError):
        grid(Scale(), **wanted)


@pytest.mark.parametrize("scale", [(0.0,), (-1.0,), (101.0,), (1.0, 1.0, 0)])
def test_scales_that_cannot_be(scale: tuple[Any, ...]) -> None:
    with pytest.raises(TuningError, match="makes no trial"):
        Scale(*scale)


@pytest.mark.parametrize(
    ("text", "found"),
    [("[2, 4]", (2, 4)), ("2 4,8", (2, 4, 8)), ("[]", ()), ("", ()), ([1, 2], (1, 2)), ((), ())],
)
def test_numbers_from_a_form(text: Any, found: tuple[int, ...]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize("text", ["two", "1.5", "-3", "1;2", "[1, [2]]"])
def test_no_numbers(text: str) -> None:
    with pytest.raises(TuningError, match="whole numbers"):
        numbers(text)


def test_the_own_model_finds_what_made_the_trials() -> None:
    result = evaluate("run", made(grid(Scale(0.1), parallelisms=(1, 2), batches=(100,))), SMALL, advised())
    assert result.model is not None
    assert result.model.worst < 0.02
    assert result.best_single is not None
    assert result.best_single.scenario.settings.parallelism == 4
    assert result.best_batch is not None
    assert not result.best_batch.queue_spilled
    whole = [one.said.queue_spilled for one in result.what_if]
    assert whole[:4] == sorted(whole[:4], reverse=True)
    assert whole[3] == pytest.approx(0, abs=1), "the last pool holds everything"


def test_few_trials_make_no_model() -> None:
    result = evaluate("run", made(grid(Scale(0.1), scenarios=(1,), unrelated=())), SMALL, None)
    assert result.model is None
    assert [(ratio.here, ratio.study is None) for ratio in result.ratios] == [(None, False)], (
        "5 was not tried"
    )
    assert any("too few" in note for note in result.notes)
    assert page(result).html()
    assert result == Result.from_json(result.to_json())


def test_the_ratios_of_the_study() -> None:
    """Rows and seconds as its text has them; each rate over that of scenario 5."""
    told = {
        "1": (9_500, 66),
        "2": (99_000, 300),
        "3": (99_000, 194),
        "4": (99_000, 178),
        "5": (99_000, 49),
        "6": (800_000, 660),
        "7": (1_000_000, 190),
    }
    fifth = 99_000 / 49
    found = of_rates(TRIALS)
    assert [ratio.scenario for ratio in found] == list(told)
    assert [ratio.study for ratio in found] == pytest.approx([n / s / fifth for n, s in told.values()])
    rounded = [round(ratio.study or 0, 3) for ratio in found]
    assert rounded == [0.071, 0.163, 0.253, 0.275, 1.0, 0.6, 2.605]
    assert [ratio.study for ratio in of_times(UNRELATED)] == [1.0, 1.0, 1.0]


def test_ratios_are_those_to_the_run_s_own_trials() -> None:
    fifth, seventh, other = made(grid(Scale(0.1), scenarios=(5, 7), parallelisms=(1,), unrelated=()))
    found = of_rates([seventh, other, fifth])
    assert [ratio.here for ratio in found] == [seventh.rate / fifth.rate, other.rate / fifth.rate, 1.0]
    assert [ratio.study is None for ratio in found] == [False, True, False]
    assert of_rates([seventh])[0].here is None
    batch, single, nothing = made(grid(Scale(0.1), scenarios=()))
    slow = replace(single, seconds=3 * nothing.seconds)
    assert [ratio.here for ratio in of_times([slow, nothing])] == pytest.approx([3.0, 1.0])
    assert of_times([batch]) == (Ratio(batch.scenario.name, None, 1.0),)


def test_what_is_not_captured_counts_neither_for_the_best_nor_for_the_model() -> None:
    trials = made(grid(Scale(0.1), parallelisms=(1, 2), batches=(100,), unrelated=()))
    alone = evaluate("run", trials, SMALL, advised())
    # As if nothing were faster, and nothing slower.
    fast, slow, nothing = made(grid(Scale(0.1), scenarios=()))
    unrelated = [replace(fast, seconds=1e-9), replace(slow, seconds=1e9), nothing]
    found = evaluate("run", [*unrelated, *trials], SMALL, advised())
    assert found.unrelated == tuple(unrelated)
    assert replace(found, unrelated=(), unrelated_ratios=()) == alone
    assert found == Result.from_json(found.to_json())


def test_trials_of_what_is_not_captured_alone() -> None:
    trials = made(grid(Scale(0.1), scenarios=()))
    result = evaluate("run", trials, SMALL, None)
    assert (result.trials, result.best_batch, result.best_single) == ((), None, None)
    text = page(result).html()
    assert "unrelated, commit each" in text
    assert "unrelated, commit each" in table(result)
    assert "3 trials" in text


def test_the_open_question_of_the_study() -> None:
    model, questions = published()
    automatic, middle, large, reader = (one.said for one in questions)
    assert model.worst < 0.2
    assert automatic.seconds > middle.seconds > large.seconds
    assert large.queue_spilled == 0
    assert large.seconds == pytest.approx(reader.seconds, rel=0.05), "memory buys what the threshold gives"


def test_the_page_is_self_contained_and_shows_both() -> None:
    trials = made(grid(Scale(0.02)))
    result = evaluate("run <1>", trials, SMALL, advised(), ["a note & more"])
    text = page(result).html()
    assert "run &lt;1&gt;" in text
    assert "a note &amp; more" in text
    assert text.count("<svg") == 4
    for title in ("changes per second", "changes per second over those of scenario 5"):
        points = re.findall(rf'aria-label="{title}: [\d.,]+; scenario: (\d)', text)
        assert sorted(points) == sorted("1234567" * 2), "each scenario, and the published one beside it"
    bars = re.findall(r'aria-label="time over that without rows: [^"]*unrelated, [a-z ]+', text)
    assert len(bars) == 2 * len(UNRELATED)
    for ratio in (*result.ratios[: len(TRIALS)], *result.unrelated_ratios):
        assert f">{ratio.here:.3f}<" in text
        assert f">{ratio.study:.3f}<" in text
    assert not re.search(r"<script|src=|https?://(?!www\.w3\.org)", text)
    for trial in trials:
        assert f"{trial.seconds:.2f}" in text
    assert "+12 %" in text, "the model's error at scenario 3 of the study"
    assert "2 trials" in table(result)


def test_the_plot_of_the_published_fit_alone() -> None:
    assert fit_chart(None).startswith("<svg")


CALM = Movement(
    enqueued=1000,
    queue_spilled=0,
    dequeued=1000,
    reader_spilled=0,
    reader_spill_seconds=0.0,
    transactions=10,
    applied=10,
    waited_for_dependencies=0,
    waited_for_commits=0,
    errors=0,
    server_messages=(500, 500),
    server_seconds=(5.0, 5.0),
    paused_seconds=0.0,
    seconds=60.0,
    lag_seconds=10.0,
)


@pytest.mark.parametrize(
    ("before", "after", "kept", "says"),
    [
        ({"queue_spilled": 700}, {}, True, "spills 0 %"),
        ({}, {"queue_spilled": 700}, False, "spills 70 %"),
        ({}, {}, False, "before 200"),
        ({}, {"server_seconds": (2.0, 2.0)}, True, "500 changes"),
        ({}, {"errors": 3, "queue_spilled": 0}, False, "3 transactions have failed"),
        ({"queue_spilled": 700}, {"dequeued": 0}, False, "nothing was applied"),
        ({"lag_seconds": 90.0}, {"lag_seconds": 5.0}, True, "5 s behind"),
    ],
)
def test_what_is_worth_keeping(before: dict[str, Any], after: dict[str, Any], kept: bool, says: str) -> None:
    found, why = worth_keeping(replace(CALM, **before), replace(CALM, **after))
    assert found is kept
    assert says in why
