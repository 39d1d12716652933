"""The shapes of a Data Pump log's lines: moments, sizes, prefixes, and the phrases of some languages. Pure.

Collected from published logs of 10g to 23ai, console and server side; Oracle documents the parameters that
change a log (LOGTIME, METRICS, STATUS: Oracle Database Utilities, "Data Pump Export"), not its wording.
The names of tables, jobs and object types are not translated, so most lines are known by what surrounds
these; only how a job ended needs the words themselves.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

Ending = Literal["completed", "completed_with_errors", "stopped"]

UNITS = {"BYTES": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4, "PB": 1024**5}

#: LOGTIME: `29-APR-25 13:01:32.479: `, the month in the session's language, `29-4月 -25 ...` in Asian ones.
STAMP_PATTERN = (
    r"(?<!\d)(?P<day>\d{1,2})[-./ ](?P<month>[^\s-]{1,12}) ?[-./ ](?P<year>\d{4}|\d{2}) "
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})[:.](?P<second>\d{2})[.,](?P<fraction>\d{1,9})"
    r"(?: (?P<half>[AP]M))?(?:: ?|$)"
)
STAMP = re.compile(rf"^\s*{STAMP_PATTERN}")
WORKER = re.compile(r"^\s*W-(\d{1,6}) ?")

PAIR = r'"(?P<owner>[^"]+)"\."(?P<name>[^"]+)"'
ROWS = re.compile(
    rf'^\. \. (?P<lead>[^"]*){PAIR}(?::"(?P<partition>[^"]+)"(?:\."(?P<subpartition>[^"]+)")?)?'
    r"\s+(?:(?P<size>\d[\d.,]*) ?(?P<unit>bytes|[KMGTP]B)\s+)?"
    r"(?P<rows>\d[\d.,']*)(?: out of (?P<total>\d[\d.,']*))?(?![\d.,'])(?! ?(?:bytes|[KMGTP]B)\b)"
    r"(?P<tail>.*)$"
)
#: A row line that nothing is missing from, in the languages of Data Pump.
ALL_OF_ROWS = re.compile(
    r'\. \. [^"]*"[^"]+"\."[^"]+"(?::"[^"]+"(?:\."[^"]+")?)?\s+(?:\d[\d.,]* ?(?:bytes|[KMGTP]B)\s+)?'
    r"\d[\d.,']*(?: out of \d[\d.,']*)? ?(?:rows|Zeilen|lignes|filas|linhas|righe|行|행)[^\d\"]*"
    r"(?:in \d+ seconds(?: using (?:direct_path|external_table|conventional(?:_path)?|network_link"
    r"|insert_as_select|transportable|automatic))?)?(?<! in)(?<! i)$"
)
SPENT = re.compile(r"in (\d{1,12}) seconds(?: using (\w+))?")
ELAPSED = re.compile(r"elapsed\s+(\d{1,9}) (\d{1,2}):(\d{2}):(\d{2})")
JOB_PAIR = re.compile(rf"^(?P<lead>[^\"]*){PAIR}(?P<rest>.*)$")
#: The segment that a message about space names without quotation marks.
SEGMENT = re.compile(r"\b(?:table|index|cluster|lobsegment|segment|partition) ([\w$#]+\.[\w$#]+)")
STARTING = re.compile(rf'^(?P<lead>[^":.]*){PAIR}(?P<rest>[^":]*):(?P<command>(?:\s.*)?)$')
REOPENED = re.compile(r"^Job (?P<name>[\w$#.]+|\"[^\"]+\"(?:\.\"[^\"]+\")?) has been reopened\b")
MASTER = re.compile(
    r"^(?:(?:Master|Control) table|Mastertabelle|Table ma\S{1,3}tre|La tabla maestra|"
    r"Tabela[- ]mestre|Tabella (?:master|principale)|已成功加载/卸载了主表|マスター表|마스터 테이블)"
    rf"\s*{PAIR}",
    re.IGNORECASE,
)
HEADER = re.compile(r"^(?P<tool>Export|Import): Release (?P<release>[\d.]+)(?P<rest>.*)$")
VERSION = re.compile(r"^Version (\d[\d.]*)\s*$")
BANNER = re.compile(r"^\S.*\bOracle\b.*\bRelease (\d[\d.]*)")
#: Paths begin with the mode of the export (Utilities 19c, DATABASE_EXPORT_OBJECTS and its like).
OBJECT_PATH = re.compile(
    r"^[^\d\":;=@/]{0,60}(?<![A-Z0-9_$/])"
    r"(?P<path>(?:DATABASE|SCHEMA|TABLE|TABLESPACE|TRANSPORTABLE)_EXPORT(?:/[A-Z0-9_$]+)+)[^\d\":;=@/]{0,60}$"
)
COMPLETED = re.compile(
    r"^Completed (?P<by>by worker \d+ )?(?P<count>\d{1,12}) (?P<what>(?:\[internal\] )?\S+) objects?"
    r" in (?P<seconds>\d{1,12}) seconds"
)
COMPONENTS = "ORA|UDE|UDI|LRM|KUP|PLS|LPX|LSX|JZN|DRG|TNS|OSD|IMP|EXP"
CODE = re.compile(rf"^(?P<code>(?:{COMPONENTS})-\d{{4,5}}):? ?(?P<text>.*)$")

#: Longer lines are those of a statement, or of no log at all.
MAX_LENGTH = 10_000

#: Lines that say nothing for which there is a place in the result.
NOISE = tuple(
    re.compile(pattern)
    for pattern in (
        r"^\*{5,}$",
        r"^Copyright \(c\)",
        r"^(?:With|and) the .*$|^.* options?$|^With the ",
        r"^Estimate in progress|^Total estimation|^Estimation (?:en cours|totale) ",
        r"^正在使用 .* 方法|^使用 .* 方法|^BLOCKSメソッドを使用した?",
        r'^\.\s+\w+\s*".*"\s+[\d.,]+ ?(?:bytes|[KMGTP]B)$',
        r"^Estimated \d+ .* objects? in \d+ seconds",
        r"^Startup (?:on instance \d+ )?took \d+ seconds",
        r"^(?:Username|Password|Import> ?|Export> ?):?(?: .*)?$|^(?:Import|Export)>",
        r"^FLASHBACK automatically enabled",
        r"^Legacy Mode ",
        r"^\d+ row\(s\) were rejected with the following error",
        r"^Are you sure you wish to ",
        r"^Warning: ",
        r"^(?:import|export) done in \S+ character set",
        r'^Table ".*" exists\b.*',
        r"^(?:Job|Operation|Mode|State|Bytes Processed|Percent Done|Current Parallelism|Job Error Count"
        r"|Job heartbeat|Dump File|Worker \d+ Status|Instance ID|Instance name|Host name|Object start time"
        r"|Object status at|Process Name|Object Schema|Object Name|Object Type|Completed Objects"
        r"|Total Objects|Completed Rows|Completed Bytes|Percent Done|Worker Parallelism|Access method"
        r"|Worker Object Percent Done|Job Version|Log File|bytes written|size|wait time) ?: ?",
        r"^DATAPUMP_|^Oracle (?:Label|Database Vault)\b.*,$",
    )
)

_MONTHS = {
    1: "jan january januar janvier janv ene enero janeiro gen gennaio jän янв",
    2: "feb february februar février févr fev fevr fevereiro febrero febbraio фев",
    3: "mar march märz mär mrz mars marzo março mrt maart мар",
    4: "apr april avr avril abr abril aprile апр",
    5: "may mai mayo maio mag maggio mei май",
    6: "jun june juni juin junio junho giu giugno июн",
    7: "jul july juli juil juillet julio julho lug luglio июл",
    8: "aug august août aout ago agosto augustus авг",
    9: "sep sept september septembre septiembre setembro set settembre сен",
    10: "oct october okt oktober octobre octubre out outubro ott ottobre окт",
    11: "nov november novembre noviembre novembro ноя",
    12: "dec december dez dezember déc décembre dic diciembre dezembro dicembre дек",
}
MONTHS = {name: number for number, names in _MONTHS.items() for name in names.split()}

_DATES = (  # `Tue Apr 29 13:01:37 2025`; 10g: `Thursday, 10 September, 2020 23:25:16`
    re.compile(r"(?P<month>\S+) +(?P<day>\d{1,2}) (?P<clock>\d{2}:\d{2}:\d{2}) (?P<year>\d{4})"),
    re.compile(r"(?P<day>\d{1,2}) (?P<month>[^\s,]+),? (?P<year>\d{4}) (?P<clock>\d{2}:\d{2}:\d{2})"),
)

#: How the words around a job's name tell its end; accents may have been lost on the way to the reader. From
#: published logs, but for Korean and Italian, success in Portuguese, and errors in German.
_WITH_ERRORS = re.compile(
    r"(\d{1,9}) (?:error|fehler|erreur|erro)|但是有 (\d{1,9}) 个错误|(\d{1,9}) ?(?:エラー|오류)",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    r"\bstopped\b|\bterminated\b|\bfatal|致命错误|停止"
    r"|gestoppt|angehalten|abgebrochen|schwerwiegend|arr\S{1,3}t\S{1,3} |interromp|interrott|irreversibil"
    r"|detenido",
    re.IGNORECASE,
)
_SUCCESSFUL = re.compile(
    r"successfully completed|成功完成|正常に完了しました|성공적으로 완료됨"
    r"|erfolgreich (?:um|abgeschlossen)|a abouti|conclu\S{1,3}do com sucesso|completato"
    r"|ha terminado correctamente",
    re.IGNORECASE,
)
_LOADED = re.compile(
    r"[^\W\d_]{3,}/[^\W\d_]{3,}"
)  # "loaded/unloaded": about the master table, not about the job


def ending(what: str) -> tuple[Ending, int] | None:
    """How a job ended, and its count of errors, by the words around its name; None for words not known."""
    if _LOADED.search(what):
        return None
    if match := _WITH_ERRORS.search(what):
        return "completed_with_errors", int(next(group for group in match.groups() if group))
    if _STOPPED.search(what):
        return "stopped", 0
    return ("completed", 0) if _SUCCESSFUL.search(what) else None


def month(name: str) -> int | None:
    """The number of a month by its (abbreviated) name in some languages, `4月`, `4월` or `04`."""
    text = name.casefold().strip(".")
    if match := re.fullmatch(r"(\d{1,2})\s?[月월]?", text):
        return int(match[1]) if 1 <= int(match[1]) <= 12 else None
    return MONTHS.get(text)


def stamped(match: re.Match[str]) -> datetime | None:
    """The moment of a LOGTIME prefix; None where the month's name is not known or the day does not exist."""
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    year = int(match["year"])
    fraction = int(match["fraction"][:6].ljust(6, "0"))
    clock = (hour, int(match["minute"]), int(match["second"]), fraction)
    return _moment(year if year > 99 else 2000 + year, match["month"], match["day"], clock)


def dated(text: str) -> datetime | None:
    """The moment that a line names with its date; a clock without a date is none."""
    for pattern in _DATES:
        if match := pattern.search(text):
            hour, minute, second = (int(part) for part in match["clock"].split(":"))
            return _moment(int(match["year"]), match["month"], match["day"], (hour, minute, second, 0))
    return None


def quantity(text: str) -> float:
    """`4.335`, `4,335` and `1.234,5`: the last of two different separators, or a single one, is decimal."""
    marks = [mark for mark in text if mark in ".,"]
    if len(set(marks)) == 1 and len(marks) > 1:
        return float(re.sub(r"[.,]", "", text))
    whole, _, rest = text.replace(",", ".").rpartition(".")
    return float(f"{whole.replace('.', '') or 0}.{rest}" if marks else text)


def count(text: str) -> int:
    """A number of rows, with or without separators of thousands."""
    return int(re.sub(r"\D", "", text))


def _moment(year: int, name: str, day: str, clock: tuple[int, int, int, int]) -> datetime | None:
    number = month(name)
    if number is None:
        return None
    try:
        return datetime(year, number, int(day), *clock)
    except ValueError:
        return None
