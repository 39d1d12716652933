"""The errors in a Data Pump log: which lines belong to one error, and which object it is about. Pure.

An error is one message of Data Pump with the stack below it: `ORA-31693` names the table, the codes after it
say why, and after `Failing sql is:` comes the statement. The next message begins with a timestamp, where the
job has LOGTIME, and with a code that Data Pump itself puts first, with a timestamp or without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

#: Codes that begin a message of their own; every other code below an error belongs to it.
HEADS = frozenset(
    ("ORA-02374", "ORA-02375", "KUP-11007")  # a row that is rejected, without a message above it
) | frozenset(
    f"ORA-{number}"
    for number in (
        *(31626, 31655, 31679, 31684, 31685, 31693, 31696, 31697, 39001, 39002, 39006, 39014, 39082, 39083),
        *(39095, 39097, 39111, 39112, 39113, 39117, 39118, 39119, 39120, 39123, 39125, 39126, 39127, 39129),
        *(39139, 39146, 39151, 39152, 39153, 39154, 39165, 39166, 39167, 39168, 39170, 39171, 39172, 39173),
        *(39181, 39346, 39357, 39360, 39364, 39396),
    )
)

_PAIR = re.compile(r'"([^"]+)"\."([^"]+)"(?::"([^"]+)"(?:\."([^"]+)")?)?')
_SINGLE = re.compile(r'[A-Z]:"([^"]+)"')
_NOT_FOUND = re.compile(
    r"\b(?:Object|Objekt|L'objet|objeto|L'oggetto) ([\w$#]+\.[\w$#]+)|\bschema expression \"(.+)\""
)
_SEGMENT = re.compile(r"\b(?:table|index|cluster|lobsegment|segment|partition) ([\w$#]+\.[\w$#]+)")
#: `Failing sql is:`, in whatever language.
_FAILING_SQL = re.compile(r"(?<!\w)sql\b.*:\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class LoggedError:
    """One error: its first code and text, the codes below it, and the object it is about.

    `object` is `OWNER.NAME`, `OWNER.NAME:PARTITION`, or the name alone of what has no owner; names that need
    quotation marks keep them. `details` are the lines below the first, as they are, with their codes.
    """

    code: str
    text: str
    codes: tuple[str, ...] = ()
    object: str | None = None
    details: tuple[str, ...] = ()

    @property
    def all_codes(self) -> tuple[str, ...]:
        return (self.code, *self.codes)

    @property
    def cause(self) -> str:
        """The codes with the texts of those below the first, on one line."""
        return "; ".join((f"{self.code}: {self.text}", *(line for line in self.details if _is_code(line))))


@dataclass
class OpenError:
    """An error whose lines are still being read."""

    code: str
    text: str
    codes: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    @property
    def in_statement(self) -> bool:
        """Whether the lines of the failing statement have begun: they may look like anything."""
        return any(_FAILING_SQL.search(line) for line in (self.text, *self.details))

    def takes(self, code: str, stamped: bool) -> bool:
        """Whether a line with this code belongs to this error rather than beginning the next one."""
        if stamped:
            return False
        return self.code[:3] in ("UDE", "UDI") or code not in HEADS

    def closed(self) -> LoggedError:
        return LoggedError(
            self.code,
            self.text,
            tuple(dict.fromkeys(self.codes)),
            _object(self.text) or _object_below((self.text, *self.details)),
            tuple(self.details),
        )


def written(*names: str | None) -> str:
    """Names joined by dots, in quotation marks where they are no plain upper-case names."""
    return ".".join(
        name if re.fullmatch(r"[A-Z][A-Z0-9_$#]*", name) else f'"{name}"' for name in names if name
    )


def _object(text: str) -> str | None:
    if match := _PAIR.search(text):
        owner, name, partition, subpartition = match.groups()
        return written(owner, name) + (f":{written(partition, subpartition)}" if partition else "")
    if match := _SINGLE.search(text):
        return written(match[1])
    match = _NOT_FOUND.search(text)
    return (match[1] or match[2]) if match else None


def _object_below(lines: Iterable[str]) -> str | None:
    """From the text of a code below (ORA-01653), or from the statement that failed."""
    statement = False
    for line in lines:
        match = _SEGMENT.search(line)
        if match and _is_code(line):
            return match[1]
        if statement and (pair := _PAIR.search(line)):
            return written(pair[1], pair[2])
        statement = statement or _FAILING_SQL.search(line) is not None
    return None


def _is_code(line: str) -> bool:
    return re.match(r"^[A-Z]{3}-\d{4,5}\b", line) is not None
