"""What Oracle says, as it may leave the database's host: without the values of rows.

Most messages are names, counts and codes. These quote rows, or may:

- ORA-02372 and KUP-11009, "data for row: ...", where Data Pump rejects a row (Error Messages 19c);
- the lines below an error that 23ai explains with the row's values, "(ORA-00001 details) ..." (Database
  Reference 23ai, ERROR_MESSAGE_DETAILS; it cannot be set for the sessions of a Data Pump job);
- conversions: their texts have no variable part in 19c, and 23ai puts the value into some of them (ORA-01438,
  ORA-01722, ORA-018xx): of those the text of 19c is given, whatever the release says;
- values of list partitions, which rows make where the list is automatic;
- what parsers of XML and JSON quote from a document (LPX, LSX, JZN, ORA-31011, ORA-19278);
- keys and values of rows that apply processes and analytic views name (ORA-26786, ORA-18266, ...), and free
  texts (ORA-13199, ORA-29532, ...), of which Error Messages 19c prints the variable parts only;
- the primary keys of rows that an import rejects (SKIP_CONSTRAINT_ERRORS), below "Rejected rows with ...";
- ORA-20000 to ORA-20999: the text is whatever a trigger or a procedure wrote.

Their codes stay. Whatever leaves a room goes through here: the message of each `RefreshError`; errors of the
driver by `cleansed`, in place, so that whoever prints them as a cause prints no row either; and files that
are read from a database's host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

Raised = TypeVar("Raised", bound=BaseException)

LEFT_OUT = "(left out: it may quote a row)"

#: Texts without a variable part, as 19c has them.
CONSTANT = {
    "ORA-01401": "inserted value too large for column",
    "ORA-01426": "numeric overflow",
    "ORA-01438": "value larger than specified precision allowed for this column",
    "ORA-01722": "invalid number",
    "ORA-01830": "date format picture ends before converting entire input string",
    "ORA-01839": "date not valid for month specified",
    "ORA-01840": "input value not long enough for date format",
    "ORA-01841": "(full) year must be between -4713 and +9999, and not be 0",
    "ORA-01843": "not a valid month",
    "ORA-01847": "day of month must be between 1 and last day of month",
    "ORA-01850": "hour must be between 0 and 23",
    "ORA-01851": "minutes must be between 0 and 59",
    "ORA-01852": "seconds must be between 0 and 59",
    "ORA-01858": "a non-numeric character was found where a numeric was expected",
    "ORA-01859": "a non-alphabetic character was found where an alphabetic was expected",
    "ORA-01861": "literal does not match format string",
    "ORA-01882": "timezone region not found",
    "ORA-06502": "PL/SQL: numeric or value error",
    "ORA-14400": "inserted partition key does not map to any partition",
    "ORA-14402": "updating partition key column would cause a partition change",
}
_NAME = r'"[^"]{1,128}"(?:\."[^"]{1,128}")?'
_NOT_THERE = r"(?:insufficient privileges or does not exist|does not exist or insufficient privileges)"
#: What Oracle's own packages say by ORA-20000 to 20999, to its end: kinds and quoted names of objects, and no
#: rows. By its beginning alone it cannot be told from what a trigger says.
_PACKAGES = re.compile(
    r"(?:Unable to (?:analyze|gather|set|get|create|delete|lock|unlock)"
    rf" (?i:table|index|cluster|column|schema) {_NAME}(?: [\w$#]{{1,128}})?[,:]? {_NOT_THERE}"
    rf"|Insufficient privileges to analyze an object in (?:Dictionary Schema|Database|Schema(?: {_NAME})?)"
    rf"|(?i:schema|partition|index|table) {_NAME} {_NOT_THERE}"
    r"|object statistics are locked(?: \(stattype = \w+\))?"
    r"|ORU-1002[78]: (?:buffer|line length) overflow, limit of \d+ (?:bytes|chars)(?: per line)?"
    r"|ORU-10003: Unable to find or insert lock into catalog dbms_lock_allocated\.?)"
)
_BUFFER = re.compile(
    r"PL/SQL: (?:numeric or value error|value or conversion error)"
    r"(?:: (?:character string buffer too small|character to number conversion error|NULL index"
    r" table key value|number precision too large|raw variable length too long|Bulk Bind: Truncated Bind))?"
)
_QUOTING = re.compile(
    r"ORA-(?:02372|0330\d|06522|13199|13249|1349[789]|018[3-9]\d|1430[56]|1431[23]|1461[45]|1462[23]"
    r"|1826[5-8]|1827[27]|18347|1840[01]|19204|19278|26096|2678[67]|26799|29532|31011|37156|38500|20\d{3})|KUP-11009"
    r"|(?:LPX|LSX|JZN)-\d{5}"
)
#: Behind a text without a variable part: nothing, or what the provider itself joins to it.
_ENDS = re.compile(r"\s*$|[;,)] ?| \[| Remedy: ")
_REJECTED = re.compile(r"\s*(?:W-\d+ )?Rejected row(?:s with the primary keys are| #\d+): ?\s*$")
_DUMPED = re.compile(r"ORA-02372|KUP-11009")
_DETAILS = re.compile(r"\(ORA-\d{5} details\)")
_MESSAGE = re.compile(r"(?P<code>\b(?:ORA|KUP|PLS|LPX|LSX|JZN)-\d{5}): (?P<text>.*)", re.IGNORECASE)
#: LOGTIME: `29-APR-25 13:01:32.479: `, the month in the session's language, `29-4月 -25 ...` in Asian ones.
_STAMP = r"\d{1,2}[-./ ][^\s-]{1,12} ?[-./ ]\d{2,4} \d{1,2}[:.]\d\d[:.]\d\d[.,]\d{1,9}(?: [AP]M)?: "
#: Lines that cannot be the rest of a text whose beginning is left out. A name or a date may be a row's, so of
#: lines in other languages only those with a stamp and those of moved tables count.
_ANEW = re.compile(
    r"\s*(?:W-\d+ )?(?:(?:ORA|KUP|PLS|LPX|LSX|JZN|UDE|UDI|LRM|TNS|DPY|DPI)-\d{4,5}:|\. \. |Help: http"
    rf'|Remedy: |Processing object|Job "|Traceback \()|\s*{_STAMP}'
)


class RowsLeftOut:
    """Takes the lines of a text one after the other, as they come."""

    def __init__(self) -> None:
        self._hiding = False

    def line(self, line: str) -> str | None:
        """The line without the values of rows; None where it is the rest of a text that is left out."""
        if self._hiding and not _ANEW.match(line):
            return None
        shown, self._hiding = _line(line)
        return shown


def without_rows(text: str) -> str:
    """A message, an error stack or a log with the values of rows left out. What is left out once stays so."""
    safe = RowsLeftOut()
    lines = (safe.line(line) for line in text.split("\n"))
    return "\n".join(line for line in lines if line is not None)


def _line(line: str) -> tuple[str, bool]:
    """The line without values, and whether the lines that follow may still be part of what is left out."""
    match = _MESSAGE.search(line)
    if match is None:
        return line, _REJECTED.match(line) is not None
    code, text = match["code"].upper(), match["text"]
    told = _told(code, text)
    if told is None:
        rest, hiding = _line(text)
        return line[: match.start("text")] + rest, hiding
    whole = _DUMPED.match(code) is not None and text.count("'") % 2 == 0
    return line[: match.start("text")] + told, not whole


def _told(code: str, text: str) -> str | None:
    """What is said instead of the text of a code; None where it quotes no row."""
    if text.startswith(LEFT_OUT):
        return None
    known = _known(code, text)
    if known is not None:
        return None if text.startswith(known) and _ENDS.match(text, len(known)) else known
    return LEFT_OUT if _DETAILS.search(text) or _QUOTING.fullmatch(code) else None


def _known(code: str, text: str) -> str | None:
    """What 19c says by a code without quoting a row, as far as the text has it; None where unknown."""
    pattern = _BUFFER if code == "ORA-06502" else _PACKAGES if code.startswith("ORA-20") else None
    match = pattern.match(text) if pattern else None
    return match[0] if match else CONSTANT.get(code)


def cleansed(error: Raised) -> Raised:
    """The same error, from whose text, and from the texts of all it was raised from or during, the values of
    rows are gone. Its kind, its codes and its traceback stay."""
    for each in _chain(error):
        arguments = []
        for argument in each.args:
            if isinstance(argument, str):
                arguments.append(without_rows(argument))
                continue
            message = getattr(argument, "message", None)  # of the driver's `_Error`
            if isinstance(message, str):
                argument.message = without_rows(message)
            arguments.append(argument)
        if arguments != list(each.args):
            each.args = tuple(arguments)
    return error


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
