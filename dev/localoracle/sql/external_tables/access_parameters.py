"""ACCESS PARAMETERS of ORACLE_LOADER for delimited files, as values, and the log file's head that lists them.

Source: "The ORACLE_LOADER Access Driver" in Oracle Database Utilities. What is not known of them is refused
with ORA-03001 naming it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from localoracle.errors import OracleError, not_supported

READ_SIZE = 524_288
"""Bytes of READSIZE where it is not given; no record may be longer."""
FIELD_LIMIT = 255
"""Bytes of a field whose CHAR has no length."""
_TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|\"([^\"]*)\"|([A-Za-z_][\w$#]*)|(\d+)|(\S))")
_TRIMS = ("NOTRIM", "LRTRIM", "LTRIM", "RTRIM", "LDRTRIM")
_NUMBERS = ("INTEGER", "DECIMAL", "FLOAT", "ZONED")


@dataclass(frozen=True)
class FileName:
    """A bad, discard or log file; `directory` None: the table's default directory."""

    directory: str | None
    name: str


@dataclass(frozen=True)
class Field:
    """A field of a record: at most `limit` bytes; `mask` of its date or timestamp."""

    name: str
    limit: int = FIELD_LIMIT
    mask: str | None = None


@dataclass
class AccessParameters:
    """How the records of a file are read. `bad` and `log` are None with NOBADFILE and NOLOGFILE."""

    separator: str = "\n"
    read_size: int = READ_SIZE
    skip: int = 0
    bad: FileName | None = None
    log: FileName | None = None
    terminator: str = ","
    enclosure: str | None = None
    optional: bool = False
    trim: str = "LDRTRIM"
    missing_null: bool = False
    reject_null: bool = False
    fields: tuple[Field, ...] = ()


class _Reader:
    """The words, numbers, strings and signs of the text."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        for match in _TOKEN.finditer(text):
            kinds = ("string", "string", "word", "number", "sign")
            kind, value = next(
                (kind, value) for kind, value in zip(kinds, match.groups(), strict=True) if value is not None
            )
            self._tokens.append((kind, value.replace("''", "'") if match[1] is not None else value))
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at >= len(self._tokens)

    def take(self, phrase: str) -> bool:
        words = phrase.split()
        following = self._tokens[self._at : self._at + len(words)]
        if [value.upper() if kind != "string" else "" for kind, value in following] != words:
            return False
        self._at += len(words)
        return True

    def any_of(self, *phrases: str) -> str | None:
        return next((phrase for phrase in phrases if self.take(phrase)), None)

    def expect(self, phrase: str) -> None:
        if not self.take(phrase):
            raise self.wrong(f"expecting: {phrase.lower()}")

    def wrong(self, expecting: str) -> OracleError:
        following = "end" if self.done else self._tokens[self._at][1]
        return OracleError(
            29913,
            "error in executing ODCIEXTTABLEOPEN callout\nORA-29400: data cartridge error\n"
            "KUP-00554: error encountered while parsing access parameters\n"
            f'KUP-01005: syntax error: found "{following}": {expecting}',
        )

    def unknown(self) -> OracleError:
        word = "" if self.done else self._tokens[self._at][1]
        return not_supported(f"{word.upper()} in ACCESS PARAMETERS")

    def _value(self, kind: str, expecting: str) -> str:
        if self.done or self._tokens[self._at][0] != kind:
            raise self.wrong(f"expecting: {expecting}")
        self._at += 1
        return self._tokens[self._at - 1][1]

    def string(self) -> str:
        if not self.done and self._tokens[self._at][0] in ("word", "number"):
            raise self.unknown()  # WHITESPACE, 0x'0A'
        value = self._value("string", "a string")
        if not value:
            raise self.wrong("expecting: a string that is not empty")
        return value

    def number(self) -> int:
        return int(self._value("number", "a number"))

    def name(self) -> str:
        kind = "" if self.done else self._tokens[self._at][0]
        value = self._value("string" if kind == "string" else "word", "an identifier")
        return value if kind == "string" else value.upper()

    def file(self) -> FileName:
        if self._at + 1 < len(self._tokens) and self._tokens[self._at + 1][1] == ":":
            directory = self.name()
            self.expect(":")
            return FileName(directory, self.string())
        return FileName(None, self.string())


def parse(text: str, table: str, columns: Sequence[str]) -> AccessParameters:
    """Read the text between the parentheses.

    Raises ORA-29913 over KUP-01005 for what is wrong, ORA-03001 for what is not known.
    """
    reader = _Reader(text)
    parameters = AccessParameters(
        bad=FileName(None, f"{table}_%p.bad"), log=FileName(None, f"{table}_%p.log")
    )
    if reader.take("RECORDS"):
        _records(reader, parameters)
    if reader.take("FIELDS"):
        _fields(reader, parameters)
    if not reader.done:
        raise reader.unknown()
    if not parameters.fields:
        parameters.fields = tuple(Field(name) for name in columns)
    return parameters


def _records(reader: _Reader, parameters: AccessParameters) -> None:
    if reader.any_of("FIXED", "VARIABLE", "XMLTAG"):
        raise not_supported("RECORDS that are not DELIMITED BY")
    if reader.take("DELIMITED BY") and not reader.take("NEWLINE"):
        parameters.separator = reader.string()
    while True:
        if reader.take("NOBADFILE"):
            parameters.bad = None
        elif reader.take("BADFILE"):
            parameters.bad = reader.file()
        elif reader.take("NOLOGFILE"):
            parameters.log = None
        elif reader.take("LOGFILE"):
            parameters.log = reader.file()
        elif reader.take("DISCARDFILE"):
            reader.file()  # without LOAD WHEN no record is discarded
        elif reader.take("SKIP"):
            parameters.skip = reader.number()
        elif reader.take("READSIZE"):
            parameters.read_size = reader.number()
        elif reader.take("CHARACTERSET"):
            character_set = reader.name()
            if character_set.upper() not in ("AL32UTF8", "UTF8", "US7ASCII"):
                raise not_supported(f"CHARACTERSET {character_set}")
        elif not reader.take("NODISCARDFILE"):
            return


def _fields(reader: _Reader, parameters: AccessParameters) -> None:
    if not reader.take("TERMINATED BY"):
        raise not_supported("FIELDS without TERMINATED BY")
    parameters.terminator = reader.string()
    parameters.optional = reader.take("OPTIONALLY")
    if parameters.optional or reader.take("ENCLOSED"):
        if parameters.optional:
            reader.expect("ENCLOSED")
        reader.expect("BY")
        parameters.enclosure = reader.string()
        if reader.take("AND") and reader.string() != parameters.enclosure:
            raise not_supported("ENCLOSED BY two different strings")
        if len(parameters.enclosure) != 1:
            raise not_supported("ENCLOSED BY more than one character")
    while True:
        trim = reader.any_of(*_TRIMS)
        if trim:
            parameters.trim = trim
        elif reader.take("MISSING FIELD VALUES ARE NULL"):
            parameters.missing_null = True
        elif reader.take("REJECT ROWS WITH ALL NULL FIELDS"):
            parameters.reject_null = True
        else:
            break
    if reader.take("("):
        fields = [_field(reader)]
        while reader.take(","):
            fields.append(_field(reader))
        reader.expect(")")
        parameters.fields = tuple(fields)


def _field(reader: _Reader) -> Field:
    name, limit, mask = reader.name(), FIELD_LIMIT, None
    if reader.any_of(*_NUMBERS):
        reader.expect("EXTERNAL")
    else:
        reader.take("CHAR")
    if reader.take("("):
        limit = reader.number()
        reader.expect(")")
    if reader.take("DATE_FORMAT"):
        if reader.any_of("DATE", "TIMESTAMP") is None:
            raise reader.wrong("expecting one of: date, timestamp")
        reader.expect("MASK")
        mask = reader.string()
    return Field(name, limit, mask)


_TRIMMED = {
    "LDRTRIM": "Trim whitespace same as SQL Loader",
    "NOTRIM": "Do not trim whitespace",
    "LRTRIM": "Trim whitespace from left and right",
    "LTRIM": "Trim whitespace from left",
    "RTRIM": "Trim whitespace from right",
}


def log_head(table: str, parameters: AccessParameters) -> str:
    """What stands between the moment of opening and the messages about records."""
    delimited = "NEWLINE" if parameters.separator == "\n" else f'"{parameters.separator}"'
    nulls = "not accepted" if parameters.reject_null else "accepted"
    lines = [
        f"Field Definitions for table {table}",
        f"  Record format DELIMITED BY {delimited}",
        "  Data in file has same endianness as the platform",
        f"  Rows with all null fields are {nulls}",
        "",
        "  Fields in Data Source: ",
        "",
    ]
    for field in parameters.fields:
        lines += _field_lines(field, parameters)
    return "\n".join(lines)


def _field_lines(field: Field, parameters: AccessParameters) -> list[str]:
    lines = [f"    {field.name:<31} CHAR ({field.limit})"]
    if field.mask is not None:
        lines.append(f"      Date datatype DATE, date mask {field.mask}")
    lines.append(f'      Terminated by "{parameters.terminator}"')
    if parameters.enclosure is not None:
        lines.append(f'      Enclosed by "{parameters.enclosure}" and "{parameters.enclosure}"')
    return [*lines, f"      {_TRIMMED[parameters.trim]}"]
