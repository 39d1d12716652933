"""Processes that are killed, and packets that are swallowed, while a refresh of a real Airflow is under way.

However it goes, it is published in the end and leaves nothing (`support.what_must_hold`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from support.chaos.faults import Injector, NotYet, Over, Struck
from support.chaos.plan import Fault, Kind, Moment, last_moments
from support.chaos.rig import LIMITS, Rig, a_rig
from support.chaos.trial import Trial

#: Longer than a supervisor retries heartbeats, and than the rig's scheduler waits for one.
AWAY = 70.0
#: Each refresh is struck several times, one after the other.
AWAY_AND_FROZEN = (
    Fault(Kind.KILL_COMPONENT, Moment("task shard.export", 3), "api-server", AWAY),
    Fault(Kind.FREEZE_TASK, Moment("task shard.load", 3), seconds=71.0),
    Fault(Kind.SWALLOW, Moment("task unit.await_loaded", 3), "target", 5.0, choice=0.0),
    Fault(Kind.KILL_COMPONENT, Moment("task unit.await_loaded", 4), "triggerer", 1.0),
    Fault(Kind.SWALLOW, Moment("task unit.mask", 3), "target", LIMITS["call_timeout"] * 3.0, choice=0.9),
    Fault(Kind.KILL_TASK, Moment("task unit.verify_masked", 2)),
)
KILLED = (
    Fault(Kind.KILL_DATABASE, Moment("task shard.export", 3), "source", 3.0),
    Fault(Kind.KILL_SUPERVISOR, Moment("task shard.export", 7)),
    Fault(Kind.KILL_COMPONENT, Moment("task shard.load", 2), "scheduler", 1.0),
    Fault(Kind.FREEZE, Moment("task unit.await_loaded", 2), "triggerer", 22.0),
    Fault(Kind.SWALLOW, Moment("task unit.verify_copy", 2), "source", 15.0, choice=0.0),
    Fault(Kind.KILL_DATABASE, Moment("task unit.mask", 2), "target", 3.0),
    Fault(Kind.KILL_COMPONENT, Moment("task unit.mask", 3), "api-server", 5.0),
)
#: Milliseconds per LOB of an export that must not end before it is released.
ENDLESS = "600000"
#: Jobs that export a part of one table: the rig cuts none but those with LOBs.
SHARD = re.compile(r"_S\d+$")


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    with a_rig() as made:
        yield made


def publish(rig: Rig, number: int, struck_by: tuple[Fault, ...], injector: Injector) -> None:
    """Publish a refresh that all faults strike."""
    outcome = Trial(rig.home, injector, number, struck_by).outcome()
    assert not outcome.violation, f"{outcome}\n{rig.logs()}"
    assert all(outcome.struck), f"the refresh was over before all had struck: {outcome}"
    counted = outcome.counted
    never = [str(moment) for moment in last_moments() if counted.get(moment.event, 0) < moment.number]
    assert not never, f"what is drawn for a random run may never come: {never} of {counted}"


@dataclass
class ExportsAtWork(Injector):
    """Strikes while exports are at work, and lets them go on to their end when it is over."""

    struck: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)

    def at_work(self) -> set[str]:
        query = "SELECT JOB_NAME FROM DBA_DATAPUMP_JOBS WHERE STATE = 'EXECUTING'"
        return {str(name) for (name,) in self.ends.source.rows(query)}

    def slow(self, milliseconds: str) -> None:
        self._control("source", "delay-lobs", milliseconds)

    def _kill_component(self, fault: Fault, run: Struck) -> Over:
        if fault.subject != "api-server":
            return super()._kill_component(fault, run)
        self.struck = self.at_work()
        if not self.struck:
            raise NotYet
        start = super()._kill_component(fault, run)

        def over() -> None:
            self.kept = self.struck & self.at_work()
            if start is not None:
                start()
            self.slow("0")

        return over


def test_refresh_struck_by_long_silences_is_published_and_exports_nothing_twice(rig: Rig) -> None:
    """Export jobs outlive an API server that no task can ask why it ends; the next tries take them over."""
    injector = ExportsAtWork(rig.home, rig.injector.components, rig.injector.networks)
    injector.slow(ENDLESS)
    try:
        publish(rig, 1001, AWAY_AND_FROZEN, injector)
    finally:
        injector.slow("0")
    endless = {name for name in injector.struck if SHARD.search(name)}
    assert endless, f"of {injector.struck} none exports LOBs"
    assert endless <= injector.kept, f"{endless - injector.kept} were gone when Airflow came back"
    logs = [path.name for path in rig.home.folder.joinpath("source", "dumps").rglob("*.log")]
    starts = {job: [name for name in logs if name.startswith(f"{job.lower()}_")] for job in endless}
    assert all(len(names) == 1 for names in starts.values()), f"each was to be started once: {starts}"
    told = (path.read_text(errors="replace") for path in rig.home.folder.glob("airflow/logs/**/*.log"))
    assert any("goes on: nobody has ended this try on purpose" in text for text in told)


def test_refresh_struck_by_kills_is_published(rig: Rig) -> None:
    publish(rig, 1002, KILLED, rig.injector)
