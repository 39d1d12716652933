"""The exchange of redo groups, played through on a made-up database whose states move as Oracle's."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.tuning import statements
from oracle_refresh.tuning.instance import RedoGroup
from oracle_refresh.tuning.redo import given_members, next_statement

FORMER = tuple(RedoGroup(number, 1, 50 << 20, (f"/u/{number}.log",)) for number in (1, 2, 3))
OWN = tuple(RedoGroup(number, 1, 1 << 30, (f"/u/own{number}.log",)) for number in (4, 5, 6))


class Logs:
    """What a database does with its groups, and refuses."""

    def __init__(self, groups: tuple[RedoGroup, ...], current: int) -> None:
        self.groups = {
            group.number: replace(group, status="CURRENT" if place == current else "UNUSED")
            for place, group in enumerate(groups)
        }

    def execute(self, statement: str) -> None:
        if added := re.search(r"ADD LOGFILE THREAD 1 GROUP (\d+)", statement):
            number = int(added[1])
            assert number not in self.groups, "ORA-01184"
            self.groups[number] = next(group for group in (*FORMER, *OWN) if group.number == number)
        elif dropped := re.search(r"DROP LOGFILE GROUP (\d+)", statement):
            number = int(dropped[1])
            assert len(self.groups) > 2, "ORA-01567"
            assert self.groups[number].status in ("UNUSED", "INACTIVE"), "ORA-01623, ORA-01624"
            del self.groups[number]
        elif statement == statements.SWITCH_LOG:
            numbers = sorted(self.groups)
            current = next(number for number in numbers if self.groups[number].status == "CURRENT")
            following = numbers[(numbers.index(current) + 1) % len(numbers)]
            self._state(current, "ACTIVE")
            self._state(following, "CURRENT")
        else:
            assert statement == statements.CHECKPOINT
            for number, group in self.groups.items():
                if group.status == "ACTIVE":
                    self._state(number, "INACTIVE")

    def _state(self, number: int, status: str) -> None:
        self.groups[number] = replace(self.groups[number], status=status)

    def exchange(
        self, wanted: tuple[RedoGroup, ...], unwanted: tuple[RedoGroup, ...], most: int = 100
    ) -> int:
        """Statements until there is nothing to do, or `most`."""
        for done in range(most):
            statement = next_statement(tuple(self.groups.values()), wanted, unwanted, own_thread=1)
            if statement is None:
                return done
            self.execute(statement)
        return most


@given(st.integers(0, 2), st.integers(0, 40), st.integers(0, 40))
def test_killed_forth_and_killed_back_everything_is_as_before(current: int, forth: int, back: int) -> None:
    logs = Logs(FORMER, current)
    logs.exchange(OWN, FORMER, forth)
    logs.exchange(FORMER, OWN, back)
    assert logs.exchange(FORMER, OWN) < 100
    assert sorted(logs.groups) == [1, 2, 3]
    assert [logs.groups[number].bytes for number in (1, 2, 3)] == [50 << 20] * 3


@given(st.integers(0, 2))
def test_the_exchange_ends(current: int) -> None:
    logs = Logs(FORMER, current)
    assert 6 <= logs.exchange(OWN, FORMER) < 30
    assert sorted(logs.groups) == [4, 5, 6]


def test_the_log_of_another_instance_is_switched_as_well() -> None:
    theirs = replace(FORMER[0], thread=2, status="CURRENT")
    assert next_statement((theirs, *OWN), OWN, (theirs,), own_thread=1) == statements.SWITCH_ALL_THREADS
    assert next_statement((theirs, *OWN), OWN, (theirs,), own_thread=2) == statements.SWITCH_LOG


def test_names_that_oracle_gave_are_not_given_again() -> None:
    named = FORMER[0]
    assert given_members(named) == named.members
    for name in ("/u01/ONE/onlinelog/o1_mf_1_abc_.log", "+DATA/ONE/ONLINELOG/group_1.261.117"):
        assert given_members(replace(named, members=(name,))) == ()
    assert statements.add_redo(1, 4, (), 5) == "ALTER DATABASE ADD LOGFILE THREAD 1 GROUP 4 SIZE 5"
