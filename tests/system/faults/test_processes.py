"""Processes that are killed, and packets that are swallowed, while a refresh of a real Airflow is under way.

However it goes, it is published in the end and leaves nothing (`support.what_must_hold`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.chaos.plan import Fault, Kind, Moment, faults, last_moments
from support.chaos.rig import Rig, a_rig
from support.chaos.trial import Outcome, Trial

#: Whose refreshes are those of the random run.
SEED, RANDOM = 36, 2
#: Each refresh is struck several times, one after the other.
SCENARIOS = {
    "databases and a worker": (
        Fault(Kind.KILL_DATABASE, Moment("task shard.export", 3), "source", 3.0),
        Fault(Kind.KILL_DATABASE, Moment("task unit.mask", 2), "target", 3.0),
        Fault(Kind.KILL_TASK, Moment("task unit.verify_masked", 2), choice=0.0),
    ),
    "components of Airflow": (
        Fault(Kind.KILL_COMPONENT, Moment("task shard.load", 2), "scheduler", 1.0),
        Fault(Kind.KILL_COMPONENT, Moment("task unit.await_loaded", 4), "triggerer", 1.0),
        Fault(Kind.KILL_COMPONENT, Moment("task unit.mask", 3), "api-server", 5.0),
    ),
    "packets": (
        Fault(Kind.SWALLOW, Moment("task unit.await_loaded", 3), "target", 5.0, choice=0.0),
        Fault(Kind.SWALLOW, Moment("task unit.verify_copy", 2), "source", 15.0, choice=0.0),
        Fault(Kind.SWALLOW, Moment("task unit.mask", 3), "target", 15.0, choice=0.9),
    ),
}


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    with a_rig() as made:
        yield made


def judged(rig: Rig, number: int, struck_by: tuple[Fault, ...]) -> Outcome:
    outcome = Trial(rig.home, rig.injector, number, struck_by).outcome()
    assert not outcome.violation, f"{outcome}\n{rig.logs()}"
    assert all(outcome.struck), f"the refresh was over before all had struck: {outcome}"
    return outcome


@pytest.mark.parametrize("name", SCENARIOS)
def test_it_is_published_in_the_end(rig: Rig, name: str) -> None:
    counted = judged(rig, 1001 + list(SCENARIOS).index(name), SCENARIOS[name]).counted
    never = [str(moment) for moment in last_moments() if counted.get(moment.event, 0) < moment.number]
    assert not never, f"what is drawn for a random run may never come: {never} of {counted}"


@pytest.mark.parametrize("number", range(1, RANDOM + 1))
def test_whatever_strikes(rig: Rig, number: int) -> None:
    judged(rig, number, faults(SEED, number))
