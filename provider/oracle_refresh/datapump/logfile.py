"""Read the logs of Data Pump jobs: what was moved, which errors occurred, how each job ended.

Written against logs of 10g to 23ai, of server and console, with and without METRICS (`W-1 ` prefixes,
`in n seconds using ...`) and LOGTIME (a timestamp before the first line of a message). Pure: text in,
dataclass out, never an exception. The wording is observed, not documented, so lines that are not understood
are counted in `unparsed`, and the verdict never rests on a line that is missing. `docs/reference/datapump.md`
has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from oracle_refresh.datapump import loglines
from oracle_refresh.datapump.logerrors import LoggedError, OpenError
from oracle_refresh.datapump.logjobs import Line, jobs_of, lines_of
from oracle_refresh.datapump.loglines import Ending
from oracle_refresh.datapump.logmodel import DataPumpLog, LoggedRows, LoggedType, Operation

__all__ = [
    "DataPumpLog",
    "Ending",
    "LoggedError",
    "LoggedRows",
    "LoggedType",
    "Operation",
    "parse_log",
    "parse_logs",
]


def parse_log(text: str) -> DataPumpLog:
    """Return what the text of a log file says about its last job; see `parse_logs`."""
    return parse_logs(text)[-1]


def parse_logs(text: str) -> tuple[DataPumpLog, ...]:
    """Return what a log file says about each of its jobs, at least one, in the order of the file.

    A job that was stopped and restarted continues in the same file: its last `Job` line counts, and of two
    lines about the same table data object the later one.
    """
    return tuple(_log(lines) for lines in jobs_of(lines_of(text)))


def _log(lines: Iterable[Line]) -> DataPumpLog:
    reader = _Reader()
    for line in lines:
        reader.read(line)
    return reader.result()


class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str | None, str | None], LoggedRows] = {}
        self._errors: list[LoggedError] = []
        self._error: OpenError | None = None
        self._dump_files: list[str] = []
        self._listing: list[str] | None = None  # the list that lines with file names go to
        self._notes: list[str] = []
        self._types: dict[str, LoggedType] = {}
        self._worker_paths: dict[int | None, str] = {}
        self._unparsed: list[str] = []
        self._job: tuple[str | None, str] | None = None
        self._ending: Ending | None = None
        self._error_count = 0
        self._elapsed: int | None = None
        self._started: datetime | None = None
        self._ended: datetime | None = None
        self._first_stamp: datetime | None = None
        self._versions: dict[str, str] = {}
        self._operations: dict[str, Operation] = {}
        self._in_command = False
        self._begun = False

    def read(self, whole: Line) -> None:
        line, moment, worker = whole.text.rstrip(), None, None
        end = len(line)
        if stamp := loglines.STAMP.match(line):
            moment = loglines.stamped(stamp)
            self._first_stamp = self._first_stamp or moment
            line = line[stamp.end() :]
        if match := loglines.WORKER.match(line):
            worker = int(match[1])
            line = line[match.end() :]
        text = line.strip()
        sure = max(0, whole.sure - (end - len(text)))
        first = stamp is not None or worker is not None
        if first or not text:
            self._in_command = False
        if not text:
            self._listing = None
        elif len(text) > loglines.MAX_LENGTH:
            if not self._detail(text, sure, first, any_line=True):
                self._skip(whole, text)
        elif text.startswith(";;;"):
            self._note(text[3:].strip())
        elif not (
            self._row(text, worker)
            or self._code(text, sure, first)
            or self._job_line(text, moment)
            or self._object_type(text, worker)
            or self._files(line, text)
            or self._detail(text, sure, first, any_line=True)
            or self._about_job(text)
            or self._noise(text)
            or self._detail(text, sure, first, any_line=False)
        ):
            self._skip(whole, text)

    def _skip(self, whole: Line, text: str) -> None:
        """Count a line that is not understood: its text may be a row's."""
        self._unparsed.append(f"line {whole.number}: {len(text)} characters")

    def result(self) -> DataPumpLog:
        self._close_error()
        started = self._started or self._first_stamp
        elapsed = self._elapsed
        if elapsed is None and started and self._ended and self._ended >= started:
            elapsed = int((self._ended - started).total_seconds())
        return DataPumpLog(
            tuple(self._rows.values()),
            tuple(self._errors),
            tuple(self._dump_files),
            self._ending,
            self._error_count,
            elapsed,
            tuple(self._notes),
            self._operation(),
            self._version(),
            self._job,
            started,
            self._ended,
            tuple(self._types.values()),
            tuple(self._unparsed),
        )

    def _version(self) -> str | None:
        versions = (self._versions.get(key) for key in ("tool", "release", "banner"))
        return next((version for version in versions if version), None)

    def _operation(self) -> Operation | None:
        operations = self._operations
        name = self._job[1] if self._job else ""
        if "sql" in operations or name.startswith("SYS_SQL_FILE_"):
            return "SQL_FILE"
        for key in ("tool", "rows", "files", "master"):
            if key in operations:
                return operations[key]
        if match := re.match(r"SYS_(EXPORT|IMPORT)_", name):
            return "EXPORT" if match[1] == "EXPORT" else "IMPORT"
        return None

    def _understood(self) -> bool:
        """A line of another kind ends an error, a list of files and a long command."""
        self._close_error()
        self._listing = None
        self._in_command = False
        return True

    def _close_error(self) -> None:
        if self._error is not None:
            self._errors.append(self._error.closed())
            self._error = None

    def _note(self, text: str) -> None:
        self._understood()
        self._notes.append(text)
        self._release(text)

    def _row(self, text: str, worker: int | None) -> bool:
        match = loglines.ROWS.match(text)
        if match is None:
            return False
        size, total = match["size"], match["total"]
        amount = None
        if size is not None:
            amount = round(loglines.quantity(size) * loglines.UNITS[match["unit"].upper()])
        spent = loglines.SPENT.search(match["tail"])
        logged = LoggedRows(
            match["owner"],
            match["name"],
            match["partition"],
            match["subpartition"],
            loglines.count(match["rows"]),
            amount,
            int(spent[1]) if spent else None,
            spent[2] if spent else None,
            worker,
            loglines.count(total) if total else None,
        )
        self._rows[logged.owner, logged.name, logged.partition, logged.subpartition] = logged
        words = f"{match['lead']} {match['tail']}".casefold()
        if re.search(r"import|导入|インポート|임포트", words):
            self._operations["rows"] = "IMPORT"
        elif re.search(r"export|esport|导出|エクスポート|엑스포트", words):
            self._operations["rows"] = "EXPORT"
        return self._understood()

    def _code(self, text: str, sure: int, first: bool) -> bool:
        match = loglines.CODE.match(text)
        if match is None:
            return False
        code, message = match["code"], match["text"].strip()
        sure = max(0, sure - match.start("text"))
        if self._error is not None and self._error.takes(code, first):
            self._error.add_code(code, message, sure)
            return True
        self._understood()
        self._error = OpenError(code, message, sure)
        return True

    def _detail(self, text: str, sure: int, first: bool, *, any_line: bool) -> bool:
        """Take a line below an error. Lines of a failing statement or a row may look like any other line."""
        if self._error is None or first or self._error.takes_any_line != any_line:
            return False
        self._error.add(text, sure)
        return True

    def _job_line(self, text: str, moment: datetime | None) -> bool:
        if match := loglines.REOPENED.match(text):
            names = re.findall(r'"([^"]+)"', match["name"]) or match["name"].split(".")
            self._job = self._job or (names[0] if len(names) > 1 else None, names[-1])
            self._ending, self._error_count, self._elapsed, self._ended = None, 0, None, None
            return self._understood()
        if match := loglines.MASTER.match(text):
            self._job = self._job or (match["owner"], match["name"])
            if not self._begun and not self._rows:
                self._operations.setdefault("master", "IMPORT")
            return self._understood()
        match = loglines.JOB_PAIR.match(text)
        if match is None:
            return False
        pair = (match["owner"], match["name"])
        if match["lead"].strip() != "Job" and pair != self._job:
            return False
        what = f"{match['lead']} {match['rest']}"
        spent, ending = loglines.ELAPSED.search(what), loglines.ending(what)
        if ending is None and spent is None:
            if pair == self._job and loglines.dated(what):
                self._ending, self._error_count, self._elapsed, self._ended = None, 0, None, None
            return False
        self._job = pair
        self._ending, self._error_count = ending or (None, 0)
        self._ended = loglines.dated(what) or moment
        if spent is not None:
            days, hours, minutes, seconds = (int(part) for part in spent.groups())
            self._elapsed = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        else:
            self._elapsed = None
        self._understood()
        return ending is not None  # an end in a language that is not known is kept as well

    def _object_type(self, text: str, worker: int | None) -> bool:
        if match := loglines.COMPLETED.match(text):
            if not match["by"]:  # a worker's part is in the sum already
                path = self._path_of(match["what"], worker)
                before = self._types.get(path, LoggedType(path))
                count, seconds = int(match["count"]), int(match["seconds"])
                self._types[path] = LoggedType(
                    path, (before.count or 0) + count, (before.seconds or 0) + seconds
                )
            return self._understood()
        match = loglines.OBJECT_PATH.match(text)
        if match is None:
            return False
        self._types.setdefault(match["path"], LoggedType(match["path"]))
        self._worker_paths[worker] = match["path"]
        return self._understood()

    def _path_of(self, what: str, worker: int | None) -> str:
        """The path that a `Completed` line means by its last step: the worker's latest, or the latest."""
        if what in self._types or what.startswith("[internal]"):
            return what
        latest = self._worker_paths.get(worker, "")
        if latest.endswith(f"/{what}"):
            return latest
        fitting = [path for path in self._types if path.endswith(f"/{what}")]
        waiting = [path for path in fitting if self._types[path].count is None]
        return (waiting or fitting or [what])[-1]

    def _files(self, line: str, text: str) -> bool:
        """Headings of lists of files, and the files below them, which are indented."""
        if self._listing is not None and line.startswith("  "):
            self._listing.append(_base_name(text))
            return True
        job = ".".join(part for part in self._job or () if part)
        if text.startswith("Dump file set for ") or (job and job in text and text.endswith(":")):
            self._understood()
            self._operations.setdefault("files", "EXPORT")
            self._dump_files.clear()
            self._listing = self._dump_files
            return True
        if text.startswith("Datafiles required for transportable tablespace"):
            self._understood()
            self._listing = []
            return True
        return False

    def _about_job(self, text: str) -> bool:
        if self._release(text):
            return self._understood()
        match = loglines.STARTING.match(text)
        if match is not None:
            self._understood()
            self._job = (match["owner"], match["name"])
            self._begun = self._in_command = True
            self._command(match["command"])
            return True
        if self._in_command and re.match(r"^\w+ ?=", text):
            self._command(text)
            return True
        return False

    def _command(self, text: str) -> None:
        if re.search(r"\bsqlfile ?=", text, re.IGNORECASE):
            self._operations["sql"] = "SQL_FILE"

    def _release(self, text: str) -> bool:
        if match := loglines.HEADER.match(text):
            self._operations["tool"] = "EXPORT" if match["tool"] == "Export" else "IMPORT"
            self._versions.setdefault("release", match["release"])
            self._started = self._started or loglines.dated(match["rest"])
        elif match := loglines.VERSION.match(text):
            self._versions.setdefault("tool", match[1])
        elif match := loglines.BANNER.match(text):
            self._versions.setdefault("banner", match[1])
        else:
            return False
        return True

    def _noise(self, text: str) -> bool:
        if any(pattern.search(text) for pattern in loglines.NOISE):
            if match := re.match(r"^Operation: (EXPORT|IMPORT|SQL_FILE)$", text):
                self._operations.setdefault("tool", "EXPORT" if match[1] == "EXPORT" else "IMPORT")
            return self._understood()
        return False


def _base_name(path: str) -> str:
    """The file name of a server path, whichever way its separators lean."""
    return re.split(r"[/\\]", path)[-1]
