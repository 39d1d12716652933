"""What a failed try leaves for page and report of its run: its ORA codes, its message, the remedy. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from oracle_refresh.oracle.error_codes import reaction
from oracle_refresh.oracle.errors import RefreshError, oracle_codes, remedy_of
from oracle_refresh.oracle.row_values import without_rows

#: Characters of a message that are kept: the log has the rest.
LONGEST = 1000
#: Characters of the telling line; the whole message stands behind it.
LONGEST_LINE = 240
#: What is said of a try that has ended and left no error.
LOST = "it left no error: its process or its worker was stopped"
_CODE = re.compile(r"((?:ORA|PLS|DPY|DPI|TNS|LPX|KUP|UDE|UDI)-\d{4,5}): *")


def failure(error: BaseException, number: int, at: datetime | None = None) -> dict[str, Any]:
    """One failure as JSON values.

    :param number: of the try that failed.
    """
    if isinstance(error, RefreshError):
        text, about, remedy = error.message, error.object_name, error.remedy
    else:
        text, about = f"{type(error).__name__}: {error}", None
        remedy = remedy_of(codes(error))
    text = without_rows(text)
    return {
        "try": number,
        "at": (at or datetime.now(UTC)).isoformat(),
        "codes": list(codes(error)),
        "message": text if len(text) <= LONGEST else f"{text[:LONGEST]} …",
        "object": about,
        "remedy": remedy,
    }


def lost(number: int, at: datetime) -> dict[str, Any]:
    """The failure of a try that could not say anything.

    :param at: when that was found out.
    """
    return {
        "try": number,
        "at": at.isoformat(),
        "codes": [],
        "message": LOST,
        "object": None,
        "remedy": None,
    }


def codes(error: BaseException) -> tuple[str, ...]:
    """The ORA codes that an exception stands for."""
    return error.codes if isinstance(error, RefreshError) else oracle_codes(error)


def telling_line(message: str) -> str:
    """The line that says most: of an error stack the innermost one that is more than a pointer to the next,
    of anything else the first."""
    lines: list[str] = []
    for line in (line.strip() for line in message.splitlines() if line.strip()):
        if lines and _CODE.match(lines[-1]) and not _CODE.match(line):
            lines[-1] += f" {line}"  # what the operating system said to a code
        else:
            lines.append(line)
    line = lines[0] if lines else ""
    if _CODE.match(line):
        coded = [(match[1], line) for line in lines if (match := _CODE.match(line))]
        line = next((line for code, line in reversed(coded) if not _only_points(code)), line)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE].rstrip()} …"


def _only_points(code: str) -> bool:
    reacted = reaction(code)
    return reacted is not None and reacted.wrapper
