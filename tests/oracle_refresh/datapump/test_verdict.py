"""Verdicts on jobs, and the decision by row counts."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.datapump.logfile import DataPumpLog, LoggedError, LoggedRows
from oracle_refresh.datapump.verdict import judge, presence

T = ("APP", "T")
ROWS = LoggedRows("APP", "T", None, None, 5, 100, None, None)


def test_success_needs_the_last_line_and_every_table() -> None:
    done = DataPumpLog(rows=(ROWS,), ending="completed", elapsed_seconds=3)
    found = judge(done, None, {T})
    assert (found.outcome, found.rows, found.seconds) == ("succeeded", {T: 5}, 3)
    missing = judge(done, None, {T, ("APP", "U")})
    assert (missing.outcome, missing.missing) == ("failed", (("APP", "U"),))
    assert judge(DataPumpLog(rows=(ROWS,)), None, {T}).outcome == "unknown"


def test_completed_with_errors_depends_on_the_codes() -> None:
    def ended(code: str) -> DataPumpLog:
        return DataPumpLog((ROWS,), (LoggedError(code, "text"),), (), "completed_with_errors", 1)

    assert judge(ended("ORA-31684"), None, {T}).outcome == "succeeded"
    lost = judge(ended("ORA-39181"), None, {T})
    assert (lost.outcome, lost.codes) == ("failed", ("ORA-39181",))
    assert lost.messages == ("ORA-39181: text",)
    assert judge(ended("ORA-39151"), None, {T}).outcome == "failed"


def test_state_and_silence() -> None:
    assert judge(None, "EXECUTING", {T}).outcome == "running"
    assert judge(None, "NOT RUNNING", {T}).restartable
    assert judge(DataPumpLog(ending="stopped"), "STOPPED", {T}).restartable
    assert judge(DataPumpLog(rows=(ROWS,), ending="completed"), "NOT RUNNING", {T}).outcome == "succeeded"
    assert judge(None, None, {T}).outcome == "unknown"
    assert judge(DataPumpLog(rows=(ROWS,), ending="stopped"), None, {T}).outcome == "failed"


def test_presence_of_one_shard() -> None:
    assert presence(count=30, settled=30, mine=10, unsettled=[]) == "absent"
    assert presence(count=40, settled=30, mine=10, unsettled=[]) == "present"
    assert presence(count=35, settled=30, mine=10, unsettled=[]) == "unclear"
    assert presence(count=40, settled=30, mine=10, unsettled=[10]) == "unclear"
    assert presence(count=42, settled=30, mine=10, unsettled=[12]) == "absent"
    assert presence(count=52, settled=30, mine=10, unsettled=[12]) == "present"
    assert presence(count=10, settled=10, mine=0, unsettled=[]) == "absent"


shards = st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=6)


@given(st.integers(1, 40), st.booleans(), st.lists(st.integers(0, 40), max_size=4), shards)
def test_presence_is_never_wrong(
    mine: int, loaded: bool, settled: list[int], others: list[tuple[int, bool]]
) -> None:
    count = sum(settled) + mine * loaded + sum(rows for rows, there in others if there)
    answer = presence(count, sum(settled), mine, [rows for rows, _ in others])
    assert answer in ("unclear", "present" if loaded else "absent")


@given(st.integers(1, 40), st.integers(0, 120), st.lists(st.integers(1, 40), max_size=5))
def test_presence_is_unclear_only_when_it_is(mine: int, extra: int, others: list[int]) -> None:
    subsets = chain.from_iterable(combinations(others, size) for size in range(len(others) + 1))
    sums = {sum(subset) for subset in subsets}
    possible = {"absent"} if extra in sums else set()
    possible |= {"present"} if extra - mine in sums else set()
    answer = presence(extra, 0, mine, others)
    assert answer == (possible.pop() if len(possible) == 1 else "unclear")
