"""The same seed strikes the same refreshes with the same faults at the same points."""

from __future__ import annotations

import pytest

from oracle_refresh.plan.stages import STAGES as STAGES_OF_A_REFRESH
from support.chaos.plan import STAGES, STATEMENTS, Fault, Kind, Moment, faults, last_moments
from support.chaos.rig import NOTICED

SEEDS = range(5)
NUMBERS = range(1, 60)


def everything() -> list[Fault]:
    return [fault for seed in SEEDS for number in NUMBERS for fault in faults(seed, number)]


def test_a_seed_reproduces_its_faults() -> None:
    told = [str(fault) for fault in faults(42, 6)]
    assert told == [
        "triggerer stands still for 23 s at task shard.load #2",
        "somebody starts a second refresh of the target at task prepare_stage #1",
    ]


def test_seeds_and_refreshes_differ() -> None:
    drawn = [faults(seed, number) for seed in SEEDS for number in NUMBERS]
    assert len(set(drawn)) > len(drawn) * 0.95


def test_every_kind_comes() -> None:
    assert {fault.kind for fault in everything()} == set(Kind)


def test_no_refresh_is_struck_by_one_kind_twice() -> None:
    for number in NUMBERS:
        kinds = [fault.kind for fault in faults(1, number)]
        assert 1 <= len(kinds) == len(set(kinds)) <= 3


def test_moments_are_drawn_up_to_the_last_ones() -> None:
    """That each of them comes is seen in refreshes, in `tests/system/faults/test_processes.py`."""
    last = {moment.event: moment.number for moment in last_moments()}
    assert {fault.moment.event for fault in everything()} <= last.keys()
    for moment in {fault.moment for fault in everything()}:
        kind, _, name = moment.event.partition(" ")
        assert 1 <= moment.number <= (STAGES if kind == "task" else STATEMENTS)[name] == last[moment.event]


def test_a_task_stands_still_until_airflow_has_given_it_up() -> None:
    heartbeat = int(NOTICED["SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT"])
    frozen = [fault.seconds for fault in everything() if fault.kind is Kind.FREEZE_TASK]
    assert min(frozen) >= heartbeat + 15
    assert max(frozen) <= 2 * heartbeat


def test_stages_are_those_of_a_refresh() -> None:
    assert STAGES.keys() <= {stage.id for stage in STAGES_OF_A_REFRESH}


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (0.0, "source network swallows all packets, then resets, for 5 s at statement source #9"),
        (0.9, "source network swallows all packets for 5 s at statement source #9"),
    ],
)
def test_a_fault_says_what_it_does(choice: float, told: str) -> None:
    assert str(Fault(Kind.SWALLOW, Moment("statement source", 9), "source", 5.0, choice)) == told
