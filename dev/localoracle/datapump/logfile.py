"""The job's log: the lines that Oracle writes, and the file they go to.

The formats were taken from published logs (release 12.2 and later): `. . exported` lines, the
`Job ... completed` line with its elapsed time, LOGTIME's prefix on the first line of a message only,
METRICS' `W-n` prefix.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

from localoracle.datapump.errors import stack
from localoracle.datapump.phrases import PHRASES
from localoracle.instance.access import share

_UNITS = ("KB", "MB", "GB", "TB")


def size(amount: int) -> tuple[str, str]:
    """Bytes as Data Pump prints them: four significant digits and a unit from KB on; `0 KB` for none."""
    if amount <= 0:
        return "0", "KB"
    value = amount / 1024
    unit = 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value /= 1024
        unit += 1
    digits = 3 if value < 10 else 2 if value < 100 else 1 if value < 1000 else 0
    return f"{value:.{digits}f}", _UNITS[unit]


def moved(
    verb: str, name: str, amount: int | None, rows: int, *, rejected: int = 0, metrics: str = ""
) -> str:
    """`. . exported "APP"."T"   4.335 MB    1000 rows`; `verb` is exported or imported.

    Without an amount, as over a database link, the size is left out.
    """
    counted = f"{rows} out of {rows + rejected}" if rejected else f"{rows}"
    if amount is None:
        return f". . {verb} {name:<40} {counted:>10} rows{metrics}"
    number, unit = size(amount)
    return f". . {verb} {name:<40} {number:>8} {unit} {counted:>7} rows{metrics}"


def estimated(name: str, amount: int) -> str:
    number, unit = size(amount)
    return f".  estimated {name:<40} {number:>8} {unit}"


def stamp(moment: datetime) -> str:
    """LOGTIME's prefix, `21-NOV-26 01:07:49.123: `."""
    return f"{moment:%d-%b-%y %H:%M:%S}.{moment.microsecond // 1000:03d}: ".upper()


def ending(
    title: str,
    errors: int,
    finished: datetime,
    elapsed: timedelta,
    reason: str = "",
    language: str = "AMERICAN",
) -> str:
    """The last line. `reason` is empty, or `stopped due to fatal error`, `stopped by user request`."""
    seconds = int(elapsed.total_seconds())
    took = f"{seconds // 86400} {seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    outcome = reason or (f"completed with {errors} error(s)" if errors else "successfully completed")
    words = PHRASES["AMERICAN" if reason or errors else language]
    day, month = words.days[finished.weekday()], words.months[finished.month - 1]
    moment = f"{day} {month} {finished.day:2d} {finished:%H:%M:%S %Y}"
    return words.completed.format(title=title, outcome=outcome, moment=moment, took=took)


class LogFile:
    """The log file on disk; without a path nothing is written. `logtime` prefixes every message."""

    def __init__(self, path: Path | None, *, logtime: bool, append: bool = False) -> None:
        self._logtime = logtime
        self._file: TextIO | None = None
        if path is not None:
            try:
                # A message must be readable by others at once: line buffered.
                self._file = open(path, "a" if append else "w", encoding="utf-8", buffering=1)  # noqa: SIM115
                share(self._file.fileno())
            except OSError as error:
                raise stack((39070,), (29283, f": cannot open file [{error.strerror}]")) from None

    def write(self, message: str) -> None:
        if self._file is not None:
            self._file.write((stamp(datetime.now()) if self._logtime else "") + message + "\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
