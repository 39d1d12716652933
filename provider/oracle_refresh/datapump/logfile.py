"""Reads the log file of a Data Pump job: what was moved, which errors came, how it ended.

Written against logs of 10g to 23ai, with and without METRICS (`W-1 ` prefixes, `in n seconds using ...`)
and LOGTIME (a timestamp before the first line of a message). Pure: text in, dataclass out. The chapter is
"Oracle Data Pump Export/Import" of Oracle Database Utilities; the exact wording is observed, not documented,
so a line that is not understood is passed over and the verdict never rests on a line that is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Ending = Literal["completed", "completed_with_errors", "stopped"]

UNITS = {"BYTES": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}

_TIMESTAMP = re.compile(r"^\d{1,2}-\S{2,12}-\d{2,4} \d{2}:\d{2}:\d{2}[.,]\d+: ?")
_WORKER = re.compile(r"^W-\d+ ")
_ROWS = re.compile(
    r'^\. \. (?P<verb>exported|imported) "(?P<owner>[^"]+)"\."(?P<name>[^"]+)"'
    r'(?::"(?P<partition>[^"]+)"(?:\."(?P<subpartition>[^"]+)")?)?'
    r"\s+(?P<size>[\d.,]+) (?P<unit>bytes|[KMGT]B)\s+(?P<rows>\d+) rows"
    r"(?: in (?P<seconds>\d+) seconds(?: using (?P<method>\w+))?)?"
)
_JOB = re.compile(r'^Job "(?P<owner>[^"]+)"\."(?P<name>[^"]+)" (?P<what>.+)$')
_WITH_ERRORS = re.compile(r"^completed with (\d+) error\(s\)")
_ELAPSED = re.compile(r"elapsed (\d+) (\d{2}):(\d{2}):(\d{2})")
_ERROR = re.compile(r"^(ORA-\d{5}): ?(.*)$")
_DUMP_SET = re.compile(r"^Dump file set for .+ is:$")


@dataclass(frozen=True)
class LoggedRows:
    """One row line: what was moved of a table, partition or subpartition; bytes as the log rounds them."""

    owner: str
    name: str
    partition: str | None
    subpartition: str | None
    rows: int
    bytes: int
    seconds: int | None
    method: str | None


@dataclass(frozen=True)
class LoggedError:
    """An ORA- line with the text that follows it on the same line."""

    code: str
    text: str


@dataclass(frozen=True)
class DataPumpLog:
    """What a log file says. `ending` is None when the job has not written its last line (yet, or ever)."""

    rows: tuple[LoggedRows, ...] = ()
    errors: tuple[LoggedError, ...] = ()
    dump_files: tuple[str, ...] = ()
    ending: Ending | None = None
    error_count: int = 0
    elapsed_seconds: int | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def codes(self) -> tuple[str, ...]:
        """The ORA codes in the order they appeared, each once."""
        return tuple(dict.fromkeys(error.code for error in self.errors))

    def table_rows(self) -> dict[tuple[str, str], int]:
        """Rows per (owner, table), partitions added up."""
        return self._sums("rows")

    def table_bytes(self) -> dict[tuple[str, str], int]:
        """Bytes per (owner, table) as the log rounds them, partitions added up."""
        return self._sums("bytes")

    def _sums(self, attribute: str) -> dict[tuple[str, str], int]:
        sums: dict[tuple[str, str], int] = {}
        for line in self.rows:
            key = (line.owner, line.name)
            sums[key] = sums.get(key, 0) + int(getattr(line, attribute))
        return sums


def parse_log(text: str) -> DataPumpLog:
    """The meaning of a log file's text.

    A job that was stopped and restarted writes on in the same file: its last `Job` line counts, and of two
    lines about the same table data object the later one.
    """
    rows: dict[tuple[str, str, str | None, str | None], LoggedRows] = {}
    errors: list[LoggedError] = []
    dump_files: list[str] = []
    notes: list[str] = []
    ending: Ending | None = None
    error_count = 0
    elapsed: int | None = None
    in_dump_set = False
    for raw in text.splitlines():
        line = _WORKER.sub("", _TIMESTAMP.sub("", raw.rstrip()))
        if in_dump_set:
            if line.startswith("  ") and line.strip():
                dump_files.append(_base_name(line.strip()))
                continue
            in_dump_set = line == ""
        if line.startswith(";;; "):
            notes.append(line[4:].strip())
        elif match := _ROWS.match(line):
            logged = _logged_rows(match)
            rows[logged.owner, logged.name, logged.partition, logged.subpartition] = logged
        elif match := _ERROR.match(line):
            errors.append(LoggedError(match[1], match[2].strip()))
        elif _DUMP_SET.match(line):
            dump_files.clear()
            in_dump_set = True
        elif match := _JOB.match(line):
            ending, error_count = _ending(match["what"])
            spent = _ELAPSED.search(match["what"])
            elapsed = None
            if spent:
                days, hours, minutes, seconds = (int(part) for part in spent.groups())
                elapsed = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return DataPumpLog(
        tuple(rows.values()), tuple(errors), tuple(dump_files), ending, error_count, elapsed, tuple(notes)
    )


def _logged_rows(match: re.Match[str]) -> LoggedRows:
    size = float(match["size"].replace(",", ".")) * UNITS[match["unit"].upper()]
    seconds = match["seconds"]
    return LoggedRows(
        match["owner"],
        match["name"],
        match["partition"],
        match["subpartition"],
        int(match["rows"]),
        round(size),
        None if seconds is None else int(seconds),
        match["method"],
    )


def _ending(what: str) -> tuple[Ending | None, int]:
    """How the rest of a `Job "O"."N" ...` line says that the job ended; None for one that goes on."""
    if what.startswith("successfully completed"):
        return "completed", 0
    if match := _WITH_ERRORS.match(what):
        return "completed_with_errors", int(match[1])
    if what.startswith("stopped"):
        return "stopped", 0
    return None, 0  # "has been reopened at ...": the job goes on


def _base_name(path: str) -> str:
    """The file name of a server path, whichever way its separators lean."""
    return re.split(r"[/\\]", path)[-1]
