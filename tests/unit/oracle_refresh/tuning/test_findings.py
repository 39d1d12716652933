from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from oracle_refresh.tuning.counters import Counters, Event, findings
from oracle_refresh.tuning.findings import RULES, WAITS, Delta, RedoLogs, advise

NOW = datetime(2026, 1, 2, 3, 4, 5)


def reading(seconds: float = 0, **changes: object) -> Counters:
    fields: dict[str, object] = {
        "taken_at": NOW + timedelta(seconds=seconds),
        "started": {"ONE": NOW},
        "statistics": {},
        "events": {},
        "pga": {},
        "redo": RedoLogs(3, 50 << 20),
        "sequence": 10,
        "undo_too_old": 0,
        "undo_no_space": 0,
        "undo_stolen": 0,
    }
    return Counters(**(fields | changes))  # type: ignore[arg-type]


def test_small_redo_logs() -> None:
    waits = {"log file switch (checkpoint incomplete)": Event(900, 412.4)}
    (finding,) = findings(reading(), reading(3600, events=waits, sequence=200))
    assert finding.code == "REDO_TOO_SMALL"
    assert finding.text.startswith(
        "log file switch (checkpoint incomplete) 412 s: redo logs 50 MB in 3 groups, 190 switches"
    )
    assert "study of in-place masking" in finding.source


def test_many_switches_without_waits() -> None:
    (finding,) = findings(reading(), reading(3600, sequence=60))
    assert finding.code == "REDO_SWITCHES"
    assert findings(reading(), reading(3600, sequence=13)) == ()
    assert findings(reading(), reading(30, sequence=60)) == (), "half a minute says nothing about a rate"


@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.code)
def test_every_wait_has_its_finding_and_little_of_it_has_none(wait: object) -> None:
    event = wait.events[0]  # type: ignore[attr-defined]
    (finding,) = advise(Delta(100, False, events={event: 20.0}))
    assert (finding.code, finding.seconds) == (wait.code, 20.0)  # type: ignore[attr-defined]
    assert event in finding.text
    assert finding.source in finding.text
    assert advise(Delta(100, False, events={event: 0.9})) == ()
    assert advise(Delta(10_000, False, events={event: 20.0})) == ()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"statistics": {"sorts (disk)": 171.0}}, "SORTS_ON_DISK"),
        ({"statistics": {"workarea executions - multipass": 1.0}}, "SORTS_ON_DISK"),
        ({"pga": {"over allocation count": 3.0}}, "PGA_OVER_ALLOCATED"),
        ({"undo_too_old": 2}, "SNAPSHOT_TOO_OLD"),
        ({"undo_no_space": 1}, "NO_UNDO_SPACE"),
        ({"statistics": {"Parallel operations downgraded to serial": 5.0}}, "DOWNGRADED"),
    ],
)
def test_counters_that_should_not_have_grown(changes: dict[str, object], code: str) -> None:
    assert [finding.code for finding in findings(reading(), reading(100, **changes))] == [code]
    assert findings(reading(**changes), reading(100, **changes)) == ()


def test_the_costliest_comes_first() -> None:
    events = {"log file sync": Event(1, 30.0), "db file sequential read": Event(1, 90.0)}
    found = findings(reading(), reading(100, events=events, undo_too_old=1))
    assert [finding.code for finding in found] == ["SINGLE_BLOCKS", "LOG_SYNC", "SNAPSHOT_TOO_OLD"]


def test_a_restart_says_that_nothing_can_be_said() -> None:
    after = reading(100, started={"ONE": NOW + timedelta(seconds=50)}, undo_too_old=5)
    assert [finding.code for finding in findings(reading(), after)] == ["RESTARTED"]


def test_rules_are_all_reached() -> None:
    assert len({wait.code for wait in WAITS}) == len(WAITS)
    assert len(RULES) == 6, "and the waits for log switches are one of WAITS"
