"""The order of the trials: every setting as often as asked, the baseline around them, drift cancels out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.labs.masking.definition import Step
from oracle_refresh.labs.masking.design import merged, settings, trials
from oracle_refresh.labs.masking.model import ALL, BASELINE, WARM_UP
from support.masking_trials import benchmark, measurement

names = st.lists(st.sampled_from(["redo", "commit", "undo", "noarchivelog", ALL]), min_size=1, unique=True)


@given(names, st.integers(1, 6))
def test_every_setting_is_tried_as_often_as_asked(switches: list[str], repetitions: int) -> None:
    found = trials(switches, repetitions)
    assert [one.number for one in found] == list(range(len(found)))
    assert len({one.id for one in found}) == len(found)
    for name in switches:
        assert sum(one.setting == name for one in found) == repetitions
    assert (found[0].setting, found[0].repetition) == (BASELINE, WARM_UP)
    order = [one.setting for one in found[1:]]
    assert order[0] == order[-1] == BASELINE
    assert order.count(BASELINE) == repetitions + 1
    assert not any(one == two == BASELINE for one, two in itertools.pairwise(order))


@given(names, st.integers(1, 3))
def test_a_steady_drift_weighs_on_all_switches_alike(switches: list[str], pairs: int) -> None:
    found = trials(switches, 2 * pairs)
    middle = {
        name: sum(one.number for one in found if one.setting == name) / (2 * pairs) for name in switches
    }
    assert len(set(middle.values())) == 1


@pytest.mark.parametrize(("switches", "repetitions"), [([], 1), (["redo"], 0)])
def test_nothing_to_compare_is_refused(switches: list[str], repetitions: int) -> None:
    with pytest.raises(ValueError, match="one switch or step and one repetition"):
        trials(switches, repetitions)


def test_switches_are_laid_over_the_baseline() -> None:
    baseline = {"log_mode": "archivelog", "parameters": {"commit_wait": "WAIT", "undo_retention": 900}}
    found = settings(
        baseline,
        {"commit": {"parameters": {"commit_wait": "NOWAIT"}}, "redo": {"redo": {"size": "1G"}}},
        {"commit": "no waiting"},
    )
    assert [one.name for one in found] == [BASELINE, "commit", "redo", ALL]
    assert found[0].phase == baseline
    assert found[1].title == "no waiting"
    assert found[1].phase["parameters"] == {"commit_wait": "NOWAIT", "undo_retention": 900}
    assert found[3].phase == merged(found[1].phase, {"redo": {"size": "1G"}})
    assert baseline["parameters"] == {"commit_wait": "WAIT", "undo_retention": 900}, "left as it was"


def test_steps_of_a_series_are_settings_of_their_own_and_in_no_other() -> None:
    baseline = {"parameters": {"commit_wait": "WAIT"}}
    steps = {
        "1 GB": Step(phase={"redo": {"size": "1G"}}),
        "all rows": Step(commit_rows=10_000),
    }
    switches = {"commit": {"parameters": {"commit_wait": "NOWAIT"}}, "undo": {"undo": {"size": "64M"}}}
    found = settings(baseline, switches, {"sizes": "how large"}, {"sizes": steps})
    assert [one.name for one in found] == [BASELINE, "commit", "undo", ALL, "sizes 1 GB", "sizes all rows"]
    large, batch = found[-2:]
    assert (large.title, large.series, large.step) == ("how large: 1 GB", "sizes", "1 GB")
    assert large.phase == baseline | {"redo": {"size": "1G"}}
    assert (batch.phase, batch.commit_rows) == (baseline, 10_000)
    assert "redo" not in found[3].phase


def test_one_switch_alone_has_no_setting_with_all() -> None:
    assert [one.name for one in settings({}, {"redo": {"redo": {}}}, {})] == [BASELINE, "redo"]


def test_measurements_of_a_former_plan_do_not_count() -> None:
    """A DBA has made another switch possible, and the run was cleared: trials have moved on by one."""
    former = [measurement(number, name, 1.0) for number, name in enumerate([BASELINE, "redo", BASELINE])]
    plan = benchmark([], trials=(Trial(0, 1, BASELINE), Trial(1, 1, "undo"), Trial(2, 1, "redo")))
    measured = [*former, measurement(1, "undo", 2.0), measurement(2, "redo", 2.0)]
    assert [(one.trial.number, one.trial.setting) for one in plan.own(measured)] == [
        (0, BASELINE),
        (1, "undo"),
        (2, "redo"),
    ]
