"""Records of an external table that PostgreSQL's COPY reads as ORACLE_LOADER does, found by one look at many.

COPY is lenient where Oracle is not ('0x1F' is a number, 'yesterday' a date), and knows quotes and carriage
returns that mean nothing to Oracle. So a piece of a file goes through COPY only if it matches, as a whole, a
regular expression of records that both read alike; all other pieces are read record by record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from localoracle.sql.external_tables.access_parameters import AccessParameters, Field
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.types.data_types import ColumnType

#: The character that COPY takes for a quote; no record that it reads has it.
QUOTE = "\x01"
_NUMBER = r"(?:-?[0-9]{1,30}(?:[.][0-9]{0,20})?)?"
_NUMBER_BYTES = 52
#: What no day is (2024-02-30) COPY refuses itself.
_DATE = "(?:[1-9][0-9]{3}-[0-9]{2}-[0-9]{2})?"
_DATE_BYTES = 10
DATE_MASK = "YYYY-MM-DD"


@dataclass(frozen=True)
class PlainRecords:
    """How such records look and where COPY puts them.

    `pattern`: regular expression of a record up to its last field; `columns`: of the temporary table, one for
    each field; `values`: those of the external table, out of the temporary one.
    """

    pattern: str
    columns: str
    values: str


def plain_records(parameters: AccessParameters, columns: Mapping[str, ColumnType]) -> PlainRecords | None:
    """What COPY may read of an external table; None where nothing.

    :param columns: of the table, by the names of their fields, in order.
    """
    terminator, blank = (
        parameters.terminator,
        parameters.trim == "LDRTRIM" and parameters.enclosure is not None,
    )
    if (
        parameters.separator != "\n"
        or len(terminator) != 1
        or not " " < terminator < "\x7f"
        or (parameters.enclosure is not None and not parameters.optional)
        or parameters.trim not in ("LDRTRIM", "NOTRIM")
        or parameters.reject_null
        # Else a record could be longer than READSIZE allows.
        or sum(field.limit + 1 for field in parameters.fields) > parameters.read_size
    ):
        return None
    excluded = "".join(
        escaped(sign) for sign in {"\n", "\r", QUOTE, terminator, parameters.enclosure or "\n"}
    )
    text = f"[^{excluded}]*" if not blank else f"(?:[^{excluded} ][^{excluded}]*)?"
    patterns, definitions = [], []
    for number, field in enumerate(parameters.fields):
        column = _column(number, field, columns.get(field.name), text)
        if column is None:
            return None
        patterns.append(column[0])
        definitions.append(column[1])
    names = [field.name for field in parameters.fields]
    values = [f"CAST(c{names.index(name)} AS {kind.name})" for name, kind in columns.items()]
    return PlainRecords(escaped(terminator).join(patterns), ", ".join(definitions), ", ".join(values))


def _column(number: int, field: Field, kind: ColumnType | None, text: str) -> tuple[str, str] | None:
    """Pattern of a field and definition of its column; None where COPY may read it otherwise than Oracle."""
    name = quote(f"c{number}")
    if kind is None or kind.family == "S" or kind.name == "ora.clob":
        limits = [f"octet_length({name}) <= {field.limit}"]
        if kind is not None and kind.family == "S":
            size = kind.length or 32767
            limits.append(
                f"length({name}) <= {size}" if kind.bytes is None else f"octet_length({name}) <= {kind.bytes}"
            )
        return text, f"{name} text CHECK ({' AND '.join(limits)})"
    if kind.family == "N" and field.limit >= _NUMBER_BYTES:
        return _NUMBER, f"{name} {kind.name}"
    if kind.family == "D" and field.mask == DATE_MASK and field.limit >= _DATE_BYTES:
        return _DATE, f"{name} {kind.name}"
    return None


def escaped(text: str) -> str:
    """A regular expression that matches the text and nothing else."""
    return "".join(rf"\U{ord(sign):08x}" for sign in text)
