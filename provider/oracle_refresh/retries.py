"""Retries by ORA code: a lost connection is tried again, a missing grant is not."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk.definitions.retry_policy import RetryDecision, RetryPolicy

from oracle_refresh.errors import RefreshError, disposition, oracle_codes

if TYPE_CHECKING:
    from airflow.sdk import Context


class OracleRetryPolicy(RetryPolicy):
    """Decides by the ORA codes that the exception carries.

    One fatal code is enough to give up at once. A passing trouble is given minutes, as a restart of the
    instance takes them. An error of the provider itself without any code (wrong input, a failed verdict) does
    not heal by waiting either, unless the network or a file is behind it. Everything else follows the task's
    own retry settings.
    """

    def evaluate(
        self, exception: BaseException, try_number: int, max_tries: int, context: Context | None = None
    ) -> RetryDecision:
        codes = exception.codes if isinstance(exception, RefreshError) else oracle_codes(exception)
        fatal = [code for code in codes if disposition(code) == "fatal"]
        if fatal:
            return RetryDecision.fail(reason=f"{', '.join(fatal)} does not heal by waiting")
        if codes:
            delay = timedelta(seconds=min(10 * 4 ** (try_number - 1), 300))
            return RetryDecision.retry(delay=delay, reason=f"{', '.join(codes)} may pass")
        if isinstance(exception, RefreshError) and not _caused_outside(exception):
            return RetryDecision.fail(reason="the input or the data have to change first")
        return RetryDecision.default()

    def serialize(self) -> dict[str, Any]:
        return {}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> OracleRetryPolicy:
        return cls()


def _caused_outside(error: BaseException) -> bool:
    """Whether an error of the provider stands for one of the operating system, such as a broken network."""
    cause = error.__cause__
    while isinstance(cause, RefreshError):
        cause = cause.__cause__
    return isinstance(cause, OSError) and not isinstance(cause, (FileNotFoundError, PermissionError))
