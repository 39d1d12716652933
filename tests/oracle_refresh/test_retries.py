"""Retries follow the ORA codes."""

from __future__ import annotations

import pytest
from airflow.sdk.definitions.retry_policy import RetryAction

from oracle_refresh.errors import DataPumpError, PlanError
from oracle_refresh.retries import OracleRetryPolicy


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (DataPumpError("no grant", codes=("ORA-01031",)), RetryAction.FAIL),
        (DataPumpError("gone", codes=("ORA-03113",)), RetryAction.RETRY),
        (DataPumpError("gone, and no grant", codes=("ORA-03113", "ORA-01031")), RetryAction.FAIL),
        (PlanError("nothing to copy"), RetryAction.FAIL),
        (OSError("disk"), RetryAction.DEFAULT),
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


def test_it_survives_serialization() -> None:
    policy = OracleRetryPolicy.deserialize(OracleRetryPolicy().serialize())
    assert isinstance(policy, OracleRetryPolicy)
