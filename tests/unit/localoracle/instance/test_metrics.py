"""Intervals of V$SYSMETRIC: when they begin and end, and what they tell."""

from __future__ import annotations

from localoracle.instance.metrics import Counted, Intervals


def counted(at: float, **values: float) -> Counted:
    return Counted(at, values)


def test_an_interval_is_told_once_it_is_over() -> None:
    intervals = Intervals()
    assert intervals.due(100.0)
    intervals.take(counted(100.0, reads=10))
    assert intervals.rows() == []
    assert not intervals.due(114.9)
    intervals.take(counted(114.9, reads=20))
    assert intervals.rows() == []
    assert intervals.due(115.0)
    intervals.take(counted(116.0, reads=42))
    assert intervals.rows() == [{"group": 3, "begin": 100.0, "end": 116.0, "grown": {"reads": 32}}]


def test_the_next_one_begins_where_the_last_one_ended() -> None:
    intervals = Intervals()
    for second in range(100, 162, 2):
        if intervals.due(second):
            intervals.take(counted(float(second), reads=second))
    told = {row["group"]: (row["begin"], row["end"], row["grown"]["reads"]) for row in intervals.rows()}
    assert told == {3: (132.0, 148.0, 16), 2: (100.0, 160.0, 60)}


def test_a_counter_that_came_meanwhile_is_not_told() -> None:
    intervals = Intervals()
    intervals.take(counted(0.0, reads=1))
    intervals.take(counted(15.0, reads=2, writes=9))
    assert [row["grown"] for row in intervals.rows()] == [{"reads": 1}]


def test_a_clock_that_was_set_back_closes_nothing() -> None:
    intervals = Intervals()
    intervals.take(counted(100.0, reads=1))
    intervals.take(counted(40.0, reads=2))
    assert not intervals.due(100.0)
    assert intervals.rows() == []
