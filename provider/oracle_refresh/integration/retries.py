"""Retries by ORA code: a lost connection is tried again, a missing grant is not."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk.definitions.retry_policy import RetryAction, RetryDecision, RetryPolicy
from airflow.sdk.exceptions import AirflowException

from oracle_refresh.integration import try_notes
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


class OracleRetryPolicy(RetryPolicy):
    """Decides by the ORA codes that the exception carries (`errors.overall_disposition`).

    What is fatal fails at once, and so does the second internal error of Data Pump in a row. An error of the
    provider itself without any code (wrong input, a failed verdict) does not heal by waiting either, unless
    the network or a file is behind it. Everything else follows the task's own retry settings. Where several
    tables of a work unit have failed, the task is tried again if that may help one of them.

    It is asked after every failed try, also the last one, so it is also what tells the run's page of it.
    """

    def evaluate(
        self, exception: BaseException, try_number: int, max_tries: int, context: Context | None = None
    ) -> RetryDecision:
        _tell(context, exception, try_number)
        if isinstance(exception, TablesFailed) and exception.failures:
            decisions = [self._decide(failure, try_number) for failure in exception.failures.values()]
            retried = (each for each in decisions if each.action is not RetryAction.FAIL)
            return next(retried, decisions[0])
        return self._decide(exception, try_number)

    def _decide(self, exception: BaseException, try_number: int) -> RetryDecision:
        codes = failures.codes(exception)
        if codes:
            return self._by_codes(codes, try_number)
        if _full(exception):
            return RetryDecision.retry(
                delay=_delay("space", try_number), reason="a file system of the worker is full"
            )
        if isinstance(exception, RefreshError) and not _caused_outside(exception):
            return RetryDecision.fail(reason="the input or the data have to change first")
        return RetryDecision.default()

    def _by_codes(self, codes: Sequence[str], try_number: int) -> RetryDecision:
        listed, reaction = ", ".join(codes), deciding(codes)
        if reaction is None or reaction.disposition == "fatal":
            return RetryDecision.fail(reason=f"{listed} does not heal by waiting")
        if reaction.once and try_number > 1:
            return RetryDecision.fail(reason=f"{listed} came again")
        delay = _delay(reaction.disposition, try_number)
        return RetryDecision.retry(delay=delay, reason=f"{listed} may pass ({reaction.disposition})")

    def serialize(self) -> dict[str, Any]:
        return {}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> OracleRetryPolicy:
        return cls()


def _tell(context: Context | None, exception: BaseException, try_number: int) -> None:
    """Keep the failure for the run's page and for its report."""
    if context:
        try_notes.tell(context, failures.failure(exception, try_number))


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
