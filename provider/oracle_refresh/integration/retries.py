"""Retries by ORA code: a lost connection is tried again, a missing grant is not."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.integration import run_files
from oracle_refresh.integration.compat import (
    AirflowException,
    AirflowFailException,
    RetryAction,
    RetryDecision,
    RetryPolicy,
)
from oracle_refresh.oracle.error_codes import FULL, Disposition, deciding
from oracle_refresh.oracle.errors import RefreshError, TablesFailed
from oracle_refresh.run import failures

if TYPE_CHECKING:
    from airflow.sdk import Context


log = logging.getLogger(__name__)

#: Seconds before the next try by its number: the last one holds for all that follow.
DELAYS: dict[Disposition, tuple[int, ...]] = {
    "retry": (10, 40, 160, 300),  # a restart of the instance takes minutes
    "rename": (5,),
    "attach": (5, 30, 120, 300),
    "space": (300, 900, 1800),  # a DBA has to add it
}


@dataclass(frozen=True)
class Decision:
    """What happens after a failed attempt: `retry` after a delay, `fail` for good, or the task's settings."""

    action: Literal["retry", "fail", "default"] = "default"
    delay: timedelta | None = None
    reason: str | None = None


def decide(exception: BaseException, try_number: int) -> Decision:
    """Decide by the ORA codes that the exception carries (`errors.overall_disposition`).

    Fatal errors fail at once, and so does the second internal error of Data Pump in a row. An error of the
    provider itself without any code (wrong input, a failed verdict) does not heal by waiting either, unless
    the network or a file is behind it. Everything else follows the task's own retry settings. Where several
    tables of a work unit have failed, the task is retried if that may help one of them.
    """
    if isinstance(exception, TablesFailed) and exception.failures:
        decisions = [_decide(failure, try_number) for failure in exception.failures.values()]
        return next((each for each in decisions if each.action != "fail"), decisions[0])
    return _decide(exception, try_number)


class OracleRetryPolicy(RetryPolicy):
    """Retries by `decide`.

    Airflow asks it after every failed attempt, also the last one, so it also keeps the failure for the run's
    page. Airflow below 3.3 ignores it; `fail_at_once` takes its place there.
    """

    def evaluate(
        self, exception: BaseException, try_number: int, max_tries: int, context: Context | None = None
    ) -> RetryDecision:
        _tell(context, exception, try_number)
        decision = decide(exception, try_number)
        return RetryDecision(RetryAction(decision.action), decision.delay, decision.reason)

    def serialize(self) -> dict[str, Any]:
        return {}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> OracleRetryPolicy:
        return cls()


def fail_at_once(context: Context, error: Exception) -> None:
    """Take the place of `retry_policy` where Airflow has none: keep the failure, and raise
    AirflowFailException where `decide` calls the error fatal. Other errors keep the task's own retry delay.
    """
    instance = context.get("ti")
    number = 1 if instance is None else instance.try_number
    _tell(context, error, number)
    if decide(error, number).action == "fail":
        raise AirflowFailException(str(error)) from error


def _decide(exception: BaseException, try_number: int) -> Decision:
    codes = failures.codes(exception)
    if codes:
        return _by_codes(codes, try_number)
    if _full(exception):
        return Decision("retry", _delay("space", try_number), "a file system of the worker is full")
    if isinstance(exception, RefreshError) and not _caused_outside(exception):
        return Decision("fail", reason="the input or the data have to change first")
    return Decision()


def _by_codes(codes: Sequence[str], try_number: int) -> Decision:
    listed, reaction = ", ".join(codes), deciding(codes)
    if reaction is None or reaction.disposition == "fatal":
        return Decision("fail", reason=f"{listed} does not heal by waiting")
    if reaction.once and try_number > 1:
        return Decision("fail", reason=f"{listed} came again")
    delay = _delay(reaction.disposition, try_number)
    return Decision("retry", delay, f"{listed} may pass ({reaction.disposition})")


def _tell(context: Context | None, exception: BaseException, try_number: int) -> None:
    """Keep the failure for the run's page and for its report."""
    if context:
        run_files.keep_failure(context, failures.failure(exception, try_number))


def _delay(disposition: Disposition, try_number: int) -> timedelta:
    delays = DELAYS[disposition]
    return timedelta(seconds=delays[min(max(try_number, 1), len(delays)) - 1])


def _full(error: BaseException) -> bool:
    """Whether an error of the operating system says that there is no room, or a quota is used up."""
    cause = _cause(error)
    return isinstance(cause, OSError) and cause.errno in FULL


def _caused_outside(error: BaseException) -> bool:
    """Whether an error of the provider stands for one of the operating system, such as a broken network, or
    for Airflow's word that the task has to end, in the middle of a call to the database."""
    cause = _cause(error)
    if isinstance(cause, AirflowException):
        return True
    return isinstance(cause, OSError) and not isinstance(cause, (FileNotFoundError, PermissionError))


def _cause(error: BaseException) -> BaseException | None:
    """What the errors of the provider stand for."""
    cause: BaseException | None = error
    while isinstance(cause, RefreshError):
        cause = cause.__cause__
    return cause
