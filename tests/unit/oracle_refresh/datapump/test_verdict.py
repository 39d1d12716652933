"""Verdicts on jobs, and the decision by row counts."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.datapump.logfile import DataPumpLog, LoggedError, LoggedRows, parse_log
from oracle_refresh.datapump.verdict import HARMLESS, presence, verdict_of
from oracle_refresh.oracle.error_codes import CODES
from oracle_refresh.oracle.identifiers import TableName

T = TableName("APP", "T")
ROWS = LoggedRows("APP", "T", None, None, 5, 100, None, None)


def test_success_needs_the_last_line_and_every_table() -> None:
    done = DataPumpLog(rows=(ROWS,), ending="completed", elapsed_seconds=3)
    found = verdict_of(done, {T})
    assert (found.outcome, found.rows, found.seconds) == ("succeeded", {T: 5}, 3)
    missing = verdict_of(done, {T, TableName("APP", "U")})
    assert (missing.outcome, missing.missing) == ("failed", (TableName("APP", "U"),))
    assert verdict_of(DataPumpLog(rows=(ROWS,)), {T}).outcome == "unknown"


def test_completed_with_errors_depends_on_the_codes() -> None:
    def ended(code: str) -> DataPumpLog:
        return DataPumpLog((ROWS,), (LoggedError(code, "text"),), (), "completed_with_errors", 1)

    assert verdict_of(ended("ORA-31684"), {T}).outcome == "succeeded"
    lost = verdict_of(ended("ORA-39181"), {T})
    assert (lost.outcome, lost.codes) == ("failed", ("ORA-39181",))
    assert lost.messages == ("ORA-39181: text",)
    assert verdict_of(ended("ORA-39151"), {T}).outcome == "failed"


def test_a_lost_object_is_named_with_the_reason() -> None:
    log = parse_log(
        '. . exported "APP"."T"   1 KB   5 rows\n'
        'ORA-31693: Table data object "APP"."T":"P2" failed to load and is being skipped due to error:\n'
        "ORA-02354: error in exporting/importing data\nORA-01555: snapshot too old: too small\n"
        'Job "A"."B" completed with 1 error(s) at Tue Apr 29 13:01:37 2025 elapsed 0 00:00:05\n'
    )
    found = verdict_of(log, {T})
    assert found.outcome == "failed"
    assert found.lost == ("APP.T:P2",)
    assert found.codes == ("ORA-31693", "ORA-02354", "ORA-01555")
    assert '"APP"."T":"P2"' in found.messages[0]
    assert "snapshot too old" in found.messages[0]


def test_a_restart_heals_the_death_of_processes_and_nothing_else() -> None:
    died = (
        "ORA-39014: One or more workers have prematurely exited.\n"
        'ORA-39029: worker 1 with process name "DW00" prematurely terminated\n'
        'Job "A"."B" stopped due to fatal error at Tue Apr 29 13:01:37 2025 elapsed 0 00:00:05\n'
    )
    again = 'Job B has been reopened at Tue Apr 29 13:02:00 2025\n. . exported "APP"."T"   1 KB   5 rows\n'
    end = 'Job "A"."B" successfully completed at Tue Apr 29 13:03:00 2025 elapsed 0 00:01:00\n'
    assert verdict_of(parse_log(died + again + end), {T}).outcome == "succeeded"
    assert verdict_of(parse_log(died + again + end), {T, TableName("APP", "U")}).outcome == "failed"
    assert verdict_of(parse_log(died), {T}).outcome == "failed"
    lost = 'ORA-31693: Table data object "APP"."U" failed to load/unload and is being skipped due to error:\n'
    assert verdict_of(parse_log(died + lost + again + end), {T}).outcome == "failed"


def test_errors_that_are_counted_have_to_be_seen() -> None:
    """Three errors, two harmless ones shown: the third may be a lost table."""
    shown = (LoggedError("ORA-31684", "exists"), LoggedError("ORA-39152", "appended"))
    log = DataPumpLog((ROWS,), shown, (), "completed_with_errors", 3)
    found = verdict_of(log, {T})
    assert found.outcome == "failed"
    assert found.messages == ("the job counts 1 more error(s) than its log shows",)
    assert verdict_of(replace(log, error_count=2), {T}).outcome == "succeeded"


def test_rows_left_out_are_no_success() -> None:
    log = DataPumpLog((replace(ROWS, total=8),), (), (), "completed")
    found = verdict_of(log, {T})
    assert (found.outcome, found.messages) == ("failed", ("5 of 8 rows of APP.T were moved",))


def test_a_wait_for_space_that_passed_is_no_failure() -> None:
    waited = LoggedError("ORA-39171", "Job is experiencing a resumable wait.", ("ORA-01653",), "APP.T")
    found = verdict_of(DataPumpLog((ROWS,), (waited,), (), "completed_with_errors", 1), {T})
    assert found.outcome == "succeeded"


@given(st.sampled_from(sorted(CODES)), st.integers(0, 3))
def test_only_harmless_messages_pass(code: str, count: int) -> None:
    log = DataPumpLog((ROWS,), (LoggedError(code, "text"),), (), "completed_with_errors", count)
    assert (verdict_of(log, {T}).outcome == "succeeded") is (code in HARMLESS and count <= 1)


def test_silence() -> None:
    assert verdict_of(None, {T}).outcome == "unknown"
    assert verdict_of(None, {T}).missing == (T,)
    assert verdict_of(DataPumpLog(rows=(ROWS,), ending="stopped"), {T}).outcome == "failed"


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
