"""The errors in a Data Pump log: which lines belong to one, what it is about, what may be shown. Pure.

An error is one message of Data Pump and the stack below it. A message that announces an error (it ends with
a colon) takes the next code. Each message takes codes of the database, and those of Data Pump that only
explain. Every other code of Data Pump begins an error.

Lines below are kept if their form has no place for the value of a row: codes with their texts, the beginning
of the statement that failed, call stacks. The others are counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from oracle_refresh.datapump import loglines
from oracle_refresh.oracle.row_values import without_rows

#: A row that is rejected, without a message above it.
_OF_ROWS = frozenset(("ORA-02374", "ORA-02375", "KUP-11007"))
#: Codes that always begin an error: messages about one object or one row.
HEADS = _OF_ROWS | frozenset(
    f"ORA-{number}"
    for number in (
        *(31626, 31655, 31679, 31684, 31685, 31693, 31696, 31697, 39001, 39002, 39006, 39014, 39082, 39083),
        *(39095, 39097, 39111, 39112, 39113, 39118, 39119, 39120, 39121, 39123, 39125, 39126, 39127, 39129),
        *(39130, 39139, 39146, 39148, 39151, 39152, 39153, 39154, 39164, 39165, 39166, 39167, 39168, 39170),
        *(39171, 39172, 39173, 39181, 39342, 39346, 39357, 39360, 39364, 39384, 39396),
    )
)
#: Those among them that are complete: nothing below explains them.
_COMPLETE = frozenset(
    f"ORA-{number}"
    for number in (
        *(31655, 31679, 31684, 39082, 39111, 39112, 39129, 39130, 39139, 39146, 39148, 39151, 39152, 39153),
        *(39154, 39164, 39165, 39166, 39167, 39168, 39170, 39173, 39181, 39342, 39346, 39357, 39384),
    )
)
#: Messages that end with the values of a row, on further lines too.
_DUMPED = frozenset(("ORA-02372", "KUP-11009"))
WAIT = "ORA-39171"
#: Ranges of Data Pump's messages about files, parameters and processes, which explain the one above (Error
#: Messages 19c).
_EXPLAINING = tuple(
    range(int(first), int(last) + 1)
    for first, last in re.findall(
        r"(\d+)-(\d+)",
        "31600-31625 31628-31654 31656-31678 31686-31692 31694-31695 39000-39000 39003-39005 39012-39013"
        " 39015-39081 39086-39092 39099-39110 39116-39116 39124-39124 39128-39128 39134-39138 39140-39145"
        " 39149-39150 39155-39163 39174-39180 39183-39219",
    )
)

VERBS = (
    r"CREATE|ALTER|DROP|GRANT|REVOKE|COMMENT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE|ANALYZE|BEGIN|DECLARE|CALL"
    r"|SELECT"
)
_PAIR = re.compile(r'"([^"]+)"\."([^"]+)"(?::"([^"]+)"(?:\."([^"]+)")?)?')
_SINGLE = re.compile(r'[A-Z]:"([^"]+)"')
_NOT_FOUND = re.compile(
    r"\b(?:Object|Objekt|L'objet|objeto|L'oggetto) ([\w$#]+\.[\w$#]+)|\bschema expression \"(.+)\""
)
#: `Failing sql is:`, in whatever language.
_FAILING_SQL = re.compile(r"(?<!\w)sql\b.*:\s*$", re.IGNORECASE)
_RESUMABLE = re.compile(r"^[^\d\"']{1,60}?: ?(?P<code>ORA-\d{5}): ?(?P<text>.*)$")
_REJECTED = re.compile(r"^Rejected rows with the primary keys are: ?$")
_RESUMED_STATEMENT = re.compile(rf"^[^\d\"':]{{1,60}}: ?((?:{VERBS})\b.*)$", re.IGNORECASE)
#: Errors of workers, which name the statement without announcing it.
_WITH_STATEMENT = frozenset(("ORA-39125", "ORA-39126"))
#: The beginning of a statement: its verb, and the name of the object if only key words come before it.
_STATEMENT = re.compile(
    rf'(?:{VERBS})\b(?:(?:\s+[A-Z]+)*\s+"[^"\']{{1,128}}"(?:\."[^"\']{{1,128}}"){{0,2}})?', re.IGNORECASE
)
_UNQUOTED = re.compile(r"\b(?:table|index|into|view|cluster)\s+([\w$#]+\.[\w$#]+)", re.IGNORECASE)
#: Lines whose form has no place for a value.
_SAFE = re.compile(
    r"-{3,} PL/SQL Call Stack -{3,}|object +line +object|handle +number +name"
    r"|0x[0-9a-f]+ +\d+ +(?:package|procedure|function|anonymous block|type|trigger)(?: body)?[\w$#. ]*"
    r"|(?:Linux|AIX|IBM AIX|HPUX|HP-UX|SVR4|Solaris|Intel SVR4)[\w -]* Error: \d+: \w+(?: [a-z]+){0,6}"
    r"|O/S-Error: \(OS \d+\) [A-Z][a-z]+(?: [a-z]+){0,12}\.?|Additional information: -?\d+"
    r"|Resumable stmt status: [A-Z]+|Resumable stmt start: [\d/: ]+ stmt suspend: [\d/: ]+"
)
#: Messages of clients and the network, which see no rows.
_OF_TOOLS = frozenset(("UDE", "UDI", "LRM", "TNS", "OSD"))
#: Messages that quote names of the database: tablespaces, users, files, identifiers of PL/SQL.
_QUOTES_NAMES = frozenset(
    [
        *(
            f"ORA-{code:05}"
            for code in (959, 1110, 1119, 1536, 1537, 1543, *range(1917, 1922), 1950, 4080, 30036)
        )
    ]
    + [f"PLS-{code:05}" for code in (201, 302, 306, 905)]
)
#: Messages of the database whose last part, behind a colon, is a name, a number or constant.
_ENDS_WITH_NAMES = frozenset(
    f"ORA-{code:05}"
    for code in (600, 604, 904, 1110, 1555, 4045, 4063, 4068, 6508, 6512, 6550, 7445, 12012, 29283)
)
_LAST_PART = re.compile(r" ?[:：]\s+(?![-\d\[]).*\w.*$", re.DOTALL)
_QUOTED = re.compile(r"(?<!\w)'.*'(?!\w)|(?<!\w)'.*")
CONTINUED = " ..."


@dataclass(frozen=True)
class LoggedError:
    """One error: its first code and text, the codes below it, and the object it is about.

    `object` is `OWNER.NAME`, `OWNER.NAME:PARTITION`, or the name alone of what has no owner; names that need
    quotation marks keep them. `details` are lines below the first, as far as they cannot quote a row, and the
    count of the others.
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
        return "; ".join((f"{self.code}: {self.text}", *filter(_has_code, self.details)))


@dataclass
class OpenError:
    """An error whose lines are still being read.

    :ivar text: of the first line, joined where it was broken; `sure` characters of it stood on one line.
    """

    code: str
    text: str
    sure: int
    codes: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    in_statement: bool = False
    """Whether the lines of the failing statement have begun."""
    _rejected: bool = False
    _in_literals: bool = False
    _hidden: int = 0
    _begun: bool = False
    _object: str | None = None
    _below: str | None = None
    """The object by a code below, or by the statement."""

    def __post_init__(self) -> None:
        of_datapump = _of_datapump(self.code)
        self._object = _object(self.text if of_datapump else shown(self.code, self.text, self.sure))
        self.in_statement = self._announces_statement(self.text)

    @property
    def takes_any_line(self) -> bool:
        """Whether a statement or a row follows, whose lines may look like any other line."""
        return self.in_statement or self._rejected

    def _announces_statement(self, text: str) -> bool:
        return _of_datapump(self.code) and self.code not in _OF_ROWS and _FAILING_SQL.search(text) is not None

    def takes(self, code: str, stamped: bool) -> bool:
        """Whether a line with this code belongs to this error instead of beginning the next one."""
        if stamped or code == self.code or code[:3] in ("UDE", "UDI"):
            return False
        if self.code[:3] in ("UDE", "UDI"):  # "operation generated ORACLE error 31626", which comes next
            return code not in HEADS or (not self.codes and self.text.endswith(str(int(code[4:]))))
        if code in HEADS or self.code in _COMPLETE:
            return False
        if not _of_datapump(code):
            return _of_datapump(self.code) or not self._hidden or self._rejected
        announced = self.text.rstrip().endswith((":", "：")) and not self.codes
        return not self.in_statement and not self._rejected and (announced or _explains(code))

    def add_code(self, code: str, text: str, sure: int) -> None:
        """Take a line with a code, unless it is a line of a statement or of a rejected row."""
        if self.takes_any_line:
            self._hidden += 1
            return
        kept = shown(code, text, sure)
        self.codes.append(code)
        self.details.append(f"{code}: {kept}")
        self.in_statement = self._announces_statement(text)
        self._rejected = code in _DUMPED
        if self._below is None and (match := loglines.SEGMENT.search(kept)):
            self._below = match[1]

    def add(self, text: str, sure: int) -> None:
        """Take a line without a code: show it as far as it cannot quote a row, else count it."""
        if self.in_statement:
            self._add_statement(text)
        elif self._rejected:
            self._hidden += 1
        elif self.code == WAIT and (match := _RESUMABLE.match(text)):
            self.add_code(match["code"], match["text"], max(0, sure - match.start("text")))
        elif self.code == WAIT and (match := _RESUMED_STATEMENT.match(text)):
            self._add_statement(match[1])
        elif _REJECTED.match(text):
            self._rejected = True
            self.details.append(text)
        elif self._announces_statement(text):
            self.in_statement = True
            self.details.append("Failing sql is:")
        elif self.code in _WITH_STATEMENT and not self._begun and _STATEMENT.match(text):
            self._add_statement(text)
        elif sure >= len(text) and _SAFE.fullmatch(text):
            self.details.append(text)
        else:
            self._count(text)

    def _add_statement(self, text: str) -> None:
        """Show the beginning of the statement, up to the name of the object; count its further lines."""
        match = None if self._begun else _STATEMENT.match(text)
        self._begun = True
        if match:
            self.details.append(match[0] + (CONTINUED if text[match.end() :].strip(" ;") else ""))
        else:
            self._count(text)
        if self._below is not None or self._in_literals:
            return
        text, literal, _ = text.partition("'")
        self._in_literals = bool(literal)
        if pair := _PAIR.search(text):
            self._below = written(pair[1], pair[2])
        elif named := _UNQUOTED.search(text):
            self._below = named[1].upper()

    def _count(self, text: str) -> None:
        self._hidden += re.search(r"\w", text) is not None

    def closed(self) -> LoggedError:
        lines = f"{self._hidden} more line{'s' if self._hidden > 1 else ''} left out: may quote a row"
        return LoggedError(
            self.code,
            shown(self.code, self.text, self.sure),
            tuple(dict.fromkeys(self.codes)),
            self._object or self._below,
            (*self.details, *([lines] if self._hidden else ())),
        )


def shown(code: str, text: str, sure: int) -> str:
    """Return the text of a code without the parts that may quote a row.

    These are values and literals, the part of a database's message after a further colon unless it is a name,
    and text that was joined from another line.
    """
    kept = without_rows(f"{code}: {text[:sure]}")[len(code) + 2 :].strip()
    if code[:3] not in _OF_TOOLS:
        if code not in _QUOTES_NAMES:
            kept = _QUOTED.sub("'...'", kept)
        if not (_of_datapump(code) or code in _ENDS_WITH_NAMES or kept.startswith(("(", "PL/SQL:"))):
            kept = _LAST_PART.sub(":" + CONTINUED, kept)
    return kept + (CONTINUED if text[sure:].strip() else "")


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


def _of_datapump(code: str) -> bool:
    """Whether Data Pump itself issues the message."""
    return code in HEADS or (
        code.startswith("ORA-") and (31600 <= int(code[4:]) <= 31699 or 39000 <= int(code[4:]) <= 39699)
    )


def _explains(code: str) -> bool:
    return any(int(code[4:]) in numbers for numbers in _EXPLAINING)


def _has_code(line: str) -> bool:
    return re.match(r"^[A-Z]{3}-\d{4,5}\b", line) is not None
