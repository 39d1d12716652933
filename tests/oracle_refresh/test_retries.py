"""Retries follow the ORA codes."""

from __future__ import annotations

import pytest
from airflow.sdk.definitions.retry_policy import RetryAction

from oracle_refresh.errors import DataPumpError, PlanError, StagingError, from_oracle
from oracle_refresh.retries import OracleRetryPolicy


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (DataPumpError("no grant", codes=("ORA-01031",)), RetryAction.FAIL),
        (DataPumpError("gone", codes=("ORA-03113",)), RetryAction.RETRY),
        (DataPumpError("gone, and no grant", codes=("ORA-03113", "ORA-01031")), RetryAction.FAIL),
        (PlanError("nothing to copy"), RetryAction.FAIL),
        (OSError("disk"), RetryAction.DEFAULT),
        (caused(StagingError("the copy broke off"), ConnectionResetError()), RetryAction.DEFAULT),
        (caused(StagingError("the copy broke off"), TimeoutError()), RetryAction.DEFAULT),
        (caused(PlanError("no such file"), FileNotFoundError()), RetryAction.FAIL),
        (from_oracle(Exception("DPY-4011: the database closed"), "stage"), RetryAction.RETRY),
        (from_oracle(Exception("DPY-6005: cannot connect"), "connect"), RetryAction.RETRY),
        (from_oracle(Exception("DPY-4024: call timeout"), "load"), RetryAction.RETRY),
    ],
)
def test_action(error: Exception, action: RetryAction) -> None:
    assert OracleRetryPolicy().evaluate(error, 1, 3).action is action


def test_later_tries_wait_longer_but_not_for_ever() -> None:
    error = DataPumpError("gone", codes=("ORA-03113",))
    delays = [OracleRetryPolicy().evaluate(error, number, 99).retry_delay for number in range(1, 12)]
    seconds = [delay.total_seconds() for delay in delays if delay]
    assert seconds == sorted(seconds)
    assert len(seconds) == len(delays)
    assert seconds[0] < seconds[-1] <= 300
    assert sum(seconds[:3]) > 180, "the restart of an instance takes minutes"


def test_it_survives_serialization() -> None:
    policy = OracleRetryPolicy.deserialize(OracleRetryPolicy().serialize())
    assert isinstance(policy, OracleRetryPolicy)
