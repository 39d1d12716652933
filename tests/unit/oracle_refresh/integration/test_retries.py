"""Retries follow the ORA codes."""

from __future__ import annotations

import errno
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from oracle_refresh.integration import run_files
from oracle_refresh.integration.compat import HAS_RETRY_POLICY, AirflowFailException
from oracle_refresh.integration.report_store import ReportStore
from oracle_refresh.integration.retries import OracleRetryPolicy, decide, fail_at_once
from oracle_refresh.oracle.errors import DataPumpError, PlanError, StagingError, TablesFailed, from_oracle
from oracle_refresh.run.failures import LONGEST, LOST

if TYPE_CHECKING:
    pass


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (DataPumpError("no grant", codes=("ORA-01031",)), "fail"),
        (DataPumpError("gone", codes=("ORA-03113",)), "retry"),
        (DataPumpError("gone, and no grant", codes=("ORA-03113", "ORA-01031")), "fail"),
        (PlanError("nothing to copy"), "fail"),
        (OSError("disk"), "default"),
        (caused(StagingError("the copy broke off"), ConnectionResetError()), "default"),
        (caused(StagingError("the copy broke off"), TimeoutError()), "default"),
        (caused(PlanError("no such file"), FileNotFoundError()), "fail"),
        (from_oracle(Exception("DPY-4011: the database closed"), "stage"), "retry"),
        (from_oracle(Exception("DPY-6005: cannot connect"), "connect"), "retry"),
        (from_oracle(Exception("DPY-4024: call timeout"), "load"), "retry"),
    ],
)
def test_action(error: Exception, action: str) -> None:
    assert decide(error, 1).action == action


FATAL, PASSING = DataPumpError("no grant", codes=("ORA-01031",)), DataPumpError("gone", codes=("ORA-03113",))


@pytest.mark.parametrize(
    ("errors", "action"),
    [
        ([FATAL, PlanError("differs")], "fail"),
        ([FATAL, PASSING], "retry"),
        ([PlanError("differs"), OSError("disk")], "default"),
    ],
)
def test_a_unit_is_tried_again_if_that_may_help_one_of_its_tables(
    errors: list[Exception], action: str
) -> None:
    failed = TablesFailed.of(
        {f"APP.T{number}": one for number, one in enumerate(errors)}, 9, "U001: 9 tables"
    )
    assert decide(failed, 1).action == action


def test_a_full_file_system_of_the_worker_is_waited_for() -> None:
    full = caused(StagingError("cannot be written"), OSError(errno.ENOSPC, "No space left on device"))
    delays = [decide(full, number).delay for number in (1, 2, 3)]
    assert [delay.total_seconds() for delay in delays if delay] == [300, 900, 1800]
    assert decide(OSError(errno.EDQUOT, "quota"), 1).action == "retry"


def test_later_tries_wait_longer_but_not_for_ever() -> None:
    error = DataPumpError("gone", codes=("ORA-03113",))
    delays = [decide(error, number).delay for number in range(1, 12)]
    seconds = [delay.total_seconds() for delay in delays if delay]
    assert seconds == sorted(seconds)
    assert len(seconds) == len(delays)
    assert seconds[0] < seconds[-1] <= 300
    assert sum(seconds[:3]) > 180, "the restart of an instance takes minutes"


@pytest.mark.parametrize(
    ("codes", "seconds"),
    [
        (("ORA-31633", "ORA-00955"), 5),
        (("ORA-31634",), 5),
        (("ORA-39014", "ORA-39029"), 5),
        (("ORA-31693", "ORA-29913", "ORA-01653"), 300),
        (("ORA-39171",), 300),
        (("ORA-12801", "ORA-00054"), 10),
    ],
)
def test_the_delay_fits_the_trouble(codes: tuple[str, ...], seconds: int) -> None:
    decision = decide(DataPumpError("failed", codes=codes), 1)
    assert decision.action == "retry"
    assert decision.delay is not None
    assert decision.delay.total_seconds() == seconds


@pytest.mark.parametrize(
    "codes",
    [
        ("ORA-31693", "ORA-02354", "ORA-01555"),
        ("ORA-31633", "ORA-01653"),
        ("ORA-39181",),
        ("ORA-39002", "ORA-39070", "ORA-29283"),
        ("ORA-99999",),
    ],
)
def test_what_does_not_heal_fails_at_once(codes: tuple[str, ...]) -> None:
    assert decide(DataPumpError("x", codes=codes), 1).action == "fail"


@pytest.mark.parametrize(
    "codes", [("ORA-39126", "ORA-06502", "ORA-06512"), ("ORA-02399",), ("ORA-12545",), ("ORA-08103",)]
)
def test_what_may_come_again_for_good_is_tried_once_more(codes: tuple[str, ...]) -> None:
    error = DataPumpError("failed", codes=codes)
    actions = [decide(error, number).action for number in (1, 2)]
    assert actions == ["retry", "fail"]


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ReportStore:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    return ReportStore.at(str(tmp_path))


def test_long_errors_are_cut_and_get_the_remedy_of_their_code(reports: ReportStore) -> None:
    lost = Exception("ORA-01555: snapshot too old" + " and more" * 200)
    with pytest.raises(AirflowFailException):
        fail_at_once(attempt(2), lost)
    (note,) = run_files.read_failures(reports, "a_dag", "a_run")
    assert (note.number, note.codes, len(note.message)) == (2, ("ORA-01555",), LONGEST + 2)
    assert "raise UNDO_RETENTION" in str(note.remedy)


def attempt(number: int, max_tries: int = 3, retries: int = 3) -> Any:
    """The context of a try of a mapped task, as far as it is asked."""
    moment = datetime(2026, 1, 2, 3, 4, number, tzinfo=UTC)
    task = SimpleNamespace(retries=retries)
    instance = SimpleNamespace(
        **{"dag_id": "a_dag", "run_id": "a_run", "task_id": "shard.export", "map_index": 2},
        **{"rendered_map_index": "S003", "try_number": number, "max_tries": max_tries, "task": task},
        start_date=moment,
    )
    began = SimpleNamespace(start_date=datetime(2026, 1, 2, 3, 0, tzinfo=UTC))
    return {"ti": instance, "dag_run": began, "run_id": "a_run"}


def test_each_failed_try_is_kept_for_the_report(reports: ReportStore) -> None:
    for number, text in ((1, "the link broke"), (2, "it broke again")):
        error = StagingError(text, codes=("ORA-03113",), remedy="look at the network")
        fail_at_once(attempt(number), error)
    first, second = run_files.read_failures(reports, "a_dag", "a_run")
    assert (first.task, first.map_index, first.item, first.number) == ("shard.export", 2, "S003", 1)
    assert (first.message, first.codes, first.remedy) == (
        "the link broke",
        ("ORA-03113",),
        "look at the network",
    )
    assert first.run_began == datetime(2026, 1, 2, 3, 0, tzinfo=UTC)
    assert second.began == datetime(2026, 1, 2, 3, 4, 2, tzinfo=UTC)
    assert (second.number, second.message) == (2, "it broke again")
    assert run_files.read_failures(reports, "another", "a_run") == ()


def test_a_try_that_was_killed_is_told_of_by_the_next_one_and_only_once(reports: ReportStore) -> None:
    for _ in range(2):  # it begins, and goes on after it was deferred
        run_files.keep_lost_attempt(attempt(2))
    (note,) = run_files.read_failures(reports, "a_dag", "a_run")
    assert (note.number, note.message, note.codes) == (1, LOST, ())


@pytest.mark.parametrize(
    ("number", "max_tries"),
    [
        (1, 3),
        (2, 4),  # cleared after its first try, which may have succeeded
        (5, 7),
    ],
)
def test_the_first_try_of_a_task_tells_of_none_before(
    number: int, max_tries: int, reports: ReportStore
) -> None:
    run_files.keep_lost_attempt(attempt(number, max_tries))
    assert run_files.read_failures(reports, "a_dag", "a_run") == ()


def test_a_try_that_has_told_its_error_was_not_killed(reports: ReportStore) -> None:
    fail_at_once(attempt(1), StagingError("x", codes=("ORA-03113",)))
    run_files.keep_lost_attempt(attempt(2))
    (note,) = run_files.read_failures(reports, "a_dag", "a_run")
    assert note.message == "x"


def test_a_folder_that_cannot_be_written_changes_no_decision(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", "nosuch://x")
    lost = DataPumpError("gone", codes=("ORA-03113",))
    fail_at_once(attempt(1), lost)
    assert "will lack the failure of this attempt" in caplog.text


def test_fatal_error_without_retry_policy_fails_the_task_for_good(reports: ReportStore) -> None:
    with pytest.raises(AirflowFailException, match="no grant") as caught:
        fail_at_once(attempt(1), FATAL)
    assert caught.value.__cause__ is FATAL
    (note,) = run_files.read_failures(reports, "a_dag", "a_run")
    assert note.codes == ("ORA-01031",)


@pytest.mark.skipif(not HAS_RETRY_POLICY, reason="this Airflow has no retry policies")
def test_policy_decides_keeps_the_failure_and_survives_serialization(reports: ReportStore) -> None:
    from airflow.sdk.definitions.retry_policy import RetryAction

    policy = OracleRetryPolicy.deserialize(OracleRetryPolicy().serialize())
    decision = policy.evaluate(PASSING, 1, 3, attempt(1))
    assert (decision.action, decision.retry_delay) == (RetryAction.RETRY, decide(PASSING, 1).delay)
    assert len(run_files.read_failures(reports, "a_dag", "a_run")) == 1
