"""What follows from a source's counters and LOBs."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import Catalogue
from oracle_refresh.catalog.lob_profile import LobProfile
from oracle_refresh.oracle.session import SHORT_CALL_SECONDS
from oracle_refresh.tuning import counter_statements, exporting
from oracle_refresh.tuning.counters import Counters, Event
from oracle_refresh.tuning.exporting import (
    EXPORT_WAITS,
    LARGE,
    LOB_SECONDS,
    advise_on_exports,
    happened,
    profile_lobs,
    read_source_counters,
)
from oracle_refresh.tuning.findings import STUDY_LOAD, Delta, RedoLogs
from support.generated.recording import Recording
from support.planner_tables import MB, table

NOW = datetime(2026, 1, 2, 3, 4, 5)
#: The table of the study: mean 7,389 bytes, 31,459 up to 4,000, 327,232 above.
STUDY = LobProfile(
    owner="TEST",
    table="TESTTABLE",
    column="LOB_CONTENT",
    securefile=False,
    in_row=True,
    chunk=8192,
    percent=100,
    rows=1_000_000,
    not_null=358_691,
    histogram=(31_459, 327_232, 0, 0, 0, 0, 0),
    out_of_row=327_232,
    chunks=327_232,
    bytes=2_650_000_000,
    longest=8000,
    segment_bytes=2_700_000_000,
    segment_extents=400,
    table_extents=90,
)


def reading(seconds: float, reads: float, **changes: Any) -> Counters:
    counters = Counters(
        NOW + timedelta(seconds=seconds),
        {"ONE": NOW},
        {"physical reads": reads},
        {"db file sequential read": Event(int(reads), reads / 100)},
        {},
        RedoLogs(3, 50 << 20),
        7,
        0,
        0,
        0,
    )
    return replace(counters, **changes)


def codes(counted: Delta | None, *lobs: LobProfile, jobs: int = 1) -> list[str]:
    return [each.code for each in advise_on_exports(counted, lobs, {("TEST", "TESTTABLE"): jobs})]


def test_exports_at_the_same_time_are_counted_once() -> None:
    assert happened([]) is None
    within = [(reading(0, 0), reading(10, 1000)), (reading(2, 200), reading(8, 800))]
    for pairs in (within, within[::-1]):
        counted = happened(pairs)
        assert counted is not None
        assert (counted.seconds, counted.statistics) == (10, {"physical reads": 1000})
    overlapping = happened([(reading(5, 500), reading(20, 2000)), (reading(0, 0), reading(6, 600))])
    assert overlapping is not None
    assert (overlapping.seconds, overlapping.events) == (20, {"db file sequential read": 20.0})


def test_what_lies_between_two_stretches_is_not_counted() -> None:
    later = 100_000
    pairs = [(reading(0, 0), reading(10, 1000)), (reading(later, 9e6), reading(later + 5, 9e6 + 500))]
    counted = happened(pairs)
    assert counted is not None
    assert (counted.seconds, counted.statistics) == (15, {"physical reads": 1500})
    assert not counted.restarted
    anew = {"started": {"ONE": NOW + timedelta(seconds=later - 1)}}
    between = [pairs[0], (reading(later, 0, **anew), reading(later + 5, 500, **anew))]
    counted = happened(between)
    assert counted is not None
    assert not counted.restarted, "an instance that was restarted between exports took none of them"
    counted = happened([(reading(0, 0), reading(later, 500, **anew))])
    assert codes(counted) == ["RESTARTED"]


@pytest.mark.parametrize("wait", EXPORT_WAITS, ids=lambda wait: wait.code)
def test_every_wait_has_its_finding_with_its_source(wait: Any) -> None:
    for event in wait.events:
        (finding,) = advise_on_exports(Delta(100, False, events={event: 20.0}), (), {})
        assert (finding.code, finding.seconds) == (wait.code, 20.0)
        assert event in finding.found
        assert finding.source in finding.text
    assert codes(Delta(100, False, events={wait.events[0]: 0.9})) == []


def test_findings_of_a_target_are_none_of_a_source() -> None:
    assert codes(Delta(100, False, events={"log file sync": 90.0}, statistics={"sorts (disk)": 9.0})) == []


def test_the_table_of_the_study() -> None:
    first, second = advise_on_exports(None, [STUDY], {("TEST", "TESTTABLE"): 1})
    assert first.code == "LOB_ONE_WORKER"
    assert first.found == (
        "TEST.TESTTABLE.LOB_CONTENT: 91% of the LOBs that are not NULL lie out of row, in 1.0 chunks of 8,192"
        " bytes each (BasicFile, 2,575 MB in 400 extents)"
    )
    assert "one worker" in first.advice
    assert second.code == "LOB_READ_PER_ROW"
    assert {first.source, second.source} == {STUDY_LOAD}


@pytest.mark.parametrize(
    ("changes", "jobs", "expected"),
    [
        ({}, 32, ["LOB_READ_PER_ROW"]),
        ({"segment_bytes": LARGE - 1}, 1, ["LOB_READ_PER_ROW"]),
        ({"securefile": True}, 1, []),
        ({"out_of_row": 0, "chunks": 0}, 1, []),
        ({"not_null": 0, "out_of_row": 0, "chunks": 0}, 1, []),
        ({"chunks": 8 * 327_232}, 32, ["LOB_SMALL_CHUNKS"]),
        ({"chunks": 3 * 327_232}, 32, []),
        ({"out_of_row": 1000, "chunks": 1000}, 32, []),
    ],
)
def test_only_what_can_be_changed_is_told(changes: dict[str, Any], jobs: int, expected: list[str]) -> None:
    assert codes(None, replace(STUDY, **changes), jobs=jobs) == expected


def test_rows_that_come_from_undo() -> None:
    undo = "data blocks consistent reads - undo records applied"
    assert codes(Delta(100, False, statistics={undo: 500.0, "consistent gets": 400.0})) == ["UNDO_APPLIED"]
    assert codes(Delta(100, False, statistics={undo: 300.0, "consistent gets": 400.0})) == []
    assert codes(Delta(100, False, statistics={undo: 300.0})) == []
    assert codes(Delta(100, False, undo_too_old=1)) == ["SOURCE_SNAPSHOT_TOO_OLD"]


def test_of_a_source_is_read_only_what_tells_of_its_exports() -> None:
    answers: dict[str, list[tuple[Any, ...]]] = {
        counter_statements.NOW: [(NOW,)],
        counter_statements.STARTED: [("ONE", NOW)],
        counter_statements.STATISTICS: [("lob reads", 5), ("redo size", 7)],
        counter_statements.EVENTS: [("db file sequential read", 3, 4_000_000)],
        counter_statements.UNDO_TROUBLE: [(1, None, None)],
    }
    source = Recording(Catalogue((), ()), answers=answers)
    found = read_source_counters(partial(nullcontext, source))  # type: ignore[arg-type]
    assert sorted(sql for sql, _ in source.sent) == sorted(answers)
    assert found == Counters(
        NOW,
        {"ONE": NOW},
        {"lob reads": 5},
        {"db file sequential read": Event(3, 4.0)},
        undo_too_old=1,
    )


@dataclass(eq=False)
class Stuck(Recording):
    """A source whose queries are given up when their time is over; without a limit they would not end."""

    clock: list[float] = field(default_factory=list)

    def cursor(self) -> Any:
        assert self.call_timeout == SHORT_CALL_SECONDS * 1000, "it would wait for ever"
        self.clock.append(SHORT_CALL_SECONDS)
        raise oracledb.OperationalError("DPY-4024: call timeout of 60000 ms exceeded")


def test_a_source_that_hangs_holds_the_plan_for_some_minutes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Stuck(Catalogue((), ()))
    monkeypatch.setattr(exporting, "time", SimpleNamespace(monotonic=lambda: sum(source.clock)))
    lobs = profile_lobs(
        partial(nullcontext, source),  # type: ignore[arg-type]
        [table(f"T{number:02}", MB, MB * (100 - number)) for number in range(12)],
    )
    assert lobs.columns == ()
    assert sum(source.clock) <= LOB_SECONDS + SHORT_CALL_SECONDS
    *given_up, rest = lobs.missing
    assert len(given_up) == len(source.clock) < 12
    assert all("DPY-4024" in why for why in given_up)
    assert rest.startswith(f"APP.T{len(given_up):02}.")
    assert "and smaller LOBs" in rest
