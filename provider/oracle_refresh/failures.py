"""What a failed try leaves for the run's page: its ORA codes, its message and the remedy. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from oracle_refresh.errors import RefreshError, oracle_codes

#: Entry of the task's state store that holds the failures of its tries, oldest first.
KEY = "errors"
#: Characters of a message that are kept: the log has the rest.
LONGEST = 1000
#: Failures that are kept of one task.
MOST = 20


def failure(error: BaseException, number: int, at: datetime | None = None) -> dict[str, Any]:
    """One failure as JSON values.

    :param number: of the try that failed.
    """
    if isinstance(error, RefreshError):
        text, about, remedy = error.message, error.object_name, error.remedy
    else:
        text, about, remedy = f"{type(error).__name__}: {error}", None, None
    return {
        "try": number,
        "at": (at or datetime.now(UTC)).isoformat(),
        "codes": list(codes(error)),
        "message": text if len(text) <= LONGEST else f"{text[:LONGEST]} …",
        "object": about,
        "remedy": remedy,
    }


def codes(error: BaseException) -> tuple[str, ...]:
    """The ORA codes that an exception stands for."""
    return error.codes if isinstance(error, RefreshError) else oracle_codes(error)


def with_failure(known: Any, latest: dict[str, Any]) -> list[Any]:
    """The failures of a task with the latest one; the oldest ones are forgotten.

    :param known: what is kept of the task so far, None where there is nothing.
    """
    return [*(known or ()), latest][-MOST:]
