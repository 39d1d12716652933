"""Processes that are killed, and packets that are swallowed, while a refresh of a real Airflow is under way.

However it goes, it is published in the end and leaves nothing (`support.what_must_hold`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from support.chaos.faults import Injector, NotYet, Over, Struck
from support.chaos.plan import Fault, Kind, Moment, faults, last_moments
from support.chaos.rig import LIMITS, Rig, a_rig
from support.chaos.trial import Outcome, Trial

#: Whose refreshes are those of the random run.
SEED, RANDOM = 149134, 2
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
        Fault(Kind.SWALLOW, Moment("task unit.mask", 3), "target", LIMITS["call_timeout"] * 3.0, choice=0.9),
    ),
}


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    with a_rig() as made:
        yield made


def judged(rig: Rig, number: int, struck_by: tuple[Fault, ...], injector: Injector | None = None) -> Outcome:
    outcome = Trial(rig.home, injector or rig.injector, number, struck_by).outcome()
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


#: Longer than a supervisor tries to send heartbeats, and than the rig's scheduler waits for one.
AWAY = 70.0
ENDLESS = "600000"
"""Milliseconds per LOB of an export that is not to reach its end before it is let."""
#: Jobs that export a part of one table: the rig cuts none but those with LOBs.
SHARD = re.compile(r"_S\d+$")


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


def test_an_api_server_that_stays_away_destroys_no_exports(rig: Rig) -> None:
    """Nobody can be asked why the tasks have to end: their jobs go on, and the next tries take them over."""
    injector = ExportsAtWork(rig.home, rig.injector.components, rig.injector.networks)
    injector.slow(ENDLESS)
    try:
        fault = Fault(Kind.KILL_COMPONENT, Moment("task shard.export", 3), "api-server", AWAY)
        judged(rig, 2001, (fault,), injector)
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
