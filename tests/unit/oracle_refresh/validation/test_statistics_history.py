"""When the history of statistics may hold originals."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from oracle_refresh.validation.statistics_history import Period, doubts, periods_of, since_created

DAY = datetime(2026, 11, 25)
LONG_AGO = DAY - timedelta(days=31)


def at(hour: int) -> datetime:
    return DAY + timedelta(hours=hour)


@pytest.mark.parametrize(
    ("periods", "changes", "purged", "told"),
    [
        ([Period(at(1), at(3))], [], LONG_AGO, None),
        ([Period(at(1), at(3))], [at(0), at(4)], LONG_AGO, None),
        ([Period(at(1), at(3))], [at(3)], LONG_AGO, None),
        ([Period(at(1), at(3))], [at(1)], LONG_AGO, "were changed at 2026-11-25 01:00:00"),
        ([Period(at(1), at(3))], [at(4), at(2)], LONG_AGO, "were changed at 2026-11-25 02:00:00"),
        ([Period(at(1), None)], [at(9)], LONG_AGO, "were changed at 2026-11-25 09:00:00"),
        ([Period(at(1), at(3)), Period(at(5), at(7))], [at(4)], LONG_AGO, None),
        ([Period(at(1), at(3)), Period(at(5), at(7))], [at(6)], LONG_AGO, "were changed"),
        # Whoever purges the time between hides when statistics were changed, not what was saved afterwards.
        ([Period(at(1), at(3))], [at(4)], at(2), "purged until 2026-11-25 02:00:00, and holds later entries"),
        ([Period(at(1), at(3))], [], at(5), None),
        ([Period(at(1), at(3))], [at(4)], at(0), None),
        ([], [at(4)], at(5), None),
    ],
)
def test_doubts(periods: list[Period], changes: list[datetime], purged: datetime, told: str | None) -> None:
    found = doubts(periods, changes, purged)
    assert (found is None) is (told is None), found
    assert (told or "") in (found or "")


def test_periods_end_when_statistics_are_gathered_or_the_table_is_built_anew() -> None:
    builds = [(at(5), at(6)), (at(1), None), (at(8), None)]
    assert periods_of(builds) == (Period(at(1), at(5)), Period(at(5), at(6)), Period(at(8), None))
    assert periods_of([]) == ()


def test_the_history_of_a_table_is_no_older_than_the_table() -> None:
    """A run was given up before what the history tells of, and the next one has built the table anew."""
    given_up, built, gathered = DAY - timedelta(days=40), at(1), at(2)
    changes = [gathered + timedelta(seconds=5)]
    periods = periods_of([(given_up, None), (built, gathered)])
    told = doubts(periods, changes, LONG_AGO)
    assert told is not None, "it may be so, where the table was only emptied"
    assert "holds later entries" in told
    assert told == doubts(since_created(periods, None), changes, LONG_AGO)
    assert told == doubts(since_created(periods, given_up), changes, LONG_AGO)
    assert doubts(since_created(periods, built), changes, LONG_AGO) is None


@pytest.mark.parametrize(
    ("created", "left"),
    [
        (at(0), [Period(at(1), at(3)), Period(at(5), None)]),
        (at(2), [Period(at(2), at(3)), Period(at(5), None)]),
        (at(3), [Period(at(5), None)]),
        (at(6), [Period(at(6), None)]),
    ],
)
def test_periods_since_the_table_was_created(created: datetime, left: list[Period]) -> None:
    assert since_created([Period(at(1), at(3)), Period(at(5), None)], created) == tuple(left)
