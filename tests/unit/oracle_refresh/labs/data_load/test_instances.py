"""Counters of the instances: read as the views give them, and made into rates."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import oracledb
import pytest

from oracle_refresh.labs.data_load import instances
from oracle_refresh.labs.data_load.instances import (
    InstanceReading,
    InstanceSeries,
    Interval,
    instance_reader,
    instance_series,
    read_instances,
)
from oracle_refresh.labs.data_load.statements import BLOCKS, HOST_TIMES, METRICS

NOON = datetime(2031, 5, 1, 12)
FIRST = InstanceReading(
    100.0,
    {
        (1, "BUSY_TIME"): 50.0,
        (1, "IDLE_TIME"): 50.0,
        (1, "USER_TIME"): 40.0,
        (1, "IOWAIT_TIME"): 10.0,
        (1, "session logical reads"): 1000.0,
        (2, "session logical reads"): 500.0,
        (1, "physical read total bytes"): 8192.0,
    },
)
LATER = InstanceReading(
    104.0,
    {
        (1, "BUSY_TIME"): 150.0,
        (1, "IDLE_TIME"): 350.0,
        (1, "USER_TIME"): 100.0,
        (1, "IOWAIT_TIME"): 50.0,
        (1, "session logical reads"): 1400.0,
        (2, "session logical reads"): 900.0,
        (3, "session logical reads"): 10**9,
        (1, "physical read total bytes"): 8192.0,
    },
)


def interval(ended: float, seconds: float = 15.0, instance: int = 1, **metrics: float) -> Interval:
    return Interval(instance, NOON + timedelta(seconds=round(ended)), ended, seconds, metrics)


def test_rates_are_what_grew_by_the_seconds_in_all_instances() -> None:
    (sample,) = instance_series([FIRST, LATER]).samples
    assert (sample.began, sample.ended) == (0.0, 4.0)
    assert (sample.busy, sample.user, sample.waiting) == (0.25, 0.15, 0.1)
    assert sample.logical_reads == 200.0, "an instance that came meanwhile has no growth"
    assert sample.read_bytes == 0.0
    missing = (sample.system, sample.block_changes, sample.physical_reads, sample.written_bytes)
    assert missing == (None, None, None, None)


def test_a_series_comes_back_from_json() -> None:
    made = instance_series([FIRST, replace(LATER, intervals=(interval(103.0, 2.0, reads=7.0),))])
    assert made.samples
    assert made.intervals
    assert InstanceSeries.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    "readings",
    [
        [],
        [FIRST],
        [FIRST, FIRST],
        [LATER, FIRST],
        [FIRST, replace(LATER, counters={**LATER.counters, (1, "session logical reads"): 3.0})],
        [FIRST, replace(LATER, counters={})],
    ],
    ids=["none", "one", "no time", "backwards", "started again", "gone"],
)
def test_where_nothing_was_counted_there_is_no_sample(readings: list[InstanceReading]) -> None:
    assert instance_series(readings).samples == ()


def test_time_waited_that_is_set_back_is_none() -> None:
    (sample,) = instance_series(
        [FIRST, replace(LATER, counters={**LATER.counters, (1, "IOWAIT_TIME"): 9.0})]
    ).samples
    assert sample.waiting == 0.0


def test_intervals_that_lie_within_are_told_once() -> None:
    before, within, last = interval(110.0), interval(125.0), interval(140.0)
    readings = [
        replace(FIRST, at=105.0, intervals=(before,)),
        replace(FIRST, at=126.0, intervals=(within, interval(126.0, instance=2))),
        replace(FIRST, at=127.0, intervals=(replace(within, ended=125.9),)),
        replace(FIRST, at=138.0, intervals=(last,)),
    ]
    found = instance_series(readings).intervals
    assert [(each.instance, each.end_time, each.ended) for each in found] == [
        (1, within.end_time, 20.0),
        (2, interval(126.0).end_time, 21.0),
    ]


def test_an_interval_that_began_with_the_first_reading_lies_within_to_the_second() -> None:
    readings = [replace(FIRST, at=110.5), replace(FIRST, at=125.0, intervals=(interval(125.0),))]
    assert len(instance_series(readings).intervals) == 1


class Database:
    """Answers the statements of a reading."""

    def __init__(self, answers: dict[str, list[tuple[Any, ...]]]) -> None:
        self.answers = answers

    def rows(self, connection: Any, statement: str) -> list[tuple[Any, ...]]:
        return self.answers[statement]


def test_counters_and_intervals_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        HOST_TIMES: [(1, "BUSY_TIME", 5), (2, "BUSY_TIME", 7)],
        BLOCKS: [(1, "physical reads", 3)],
        METRICS: [
            (1, NOON, 4, 1502, "Logical Reads Per Sec", 2.5),
            (1, NOON, 4, 1502, "Physical Reads Per Sec", 0),
            (2, NOON, 4, 1498, "Logical Reads Per Sec", 1),
        ],
    }
    monkeypatch.setattr(instances, "rows", Database(answers).rows)
    monkeypatch.setattr(instances, "monotonic", lambda: 50.0)
    nothing: Any = None
    found = read_instances(nothing)
    assert found.counters == {(1, "BUSY_TIME"): 5.0, (2, "BUSY_TIME"): 7.0, (1, "physical reads"): 3.0}
    assert found.intervals == (
        Interval(1, NOON, 46.0, 15.02, {"Logical Reads Per Sec": 2.5, "Physical Reads Per Sec": 0.0}),
        Interval(2, NOON, 46.0, 14.98, {"Logical Reads Per Sec": 1.0}),
    )


class Opened:
    """Sessions whose only connection does not matter."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    @contextmanager
    def session(self) -> Iterator[None]:
        yield None


@pytest.mark.parametrize("stopped", [False, True])
def test_an_error_ends_the_reading_and_not_the_load(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, stopped: bool
) -> None:
    asked = []

    def refuse(connection: Any) -> InstanceReading:
        asked.append(connection)
        raise oracledb.DatabaseError("ORA-00942: table or view does not exist")

    monkeypatch.setattr(instances, "read_instances", refuse)
    monkeypatch.setattr(instances, "limit_all_calls", lambda connection: None)
    sessions: Any = Opened()
    if stopped:
        sessions.stopped.set()
    with caplog.at_level(logging.WARNING), instance_reader(sessions) as read:
        assert read() is None
        assert read() is None
    assert len(asked) == 1
    assert ("ORA-00942" in caplog.text) is not stopped
