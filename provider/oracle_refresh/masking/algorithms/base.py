"""What the algorithms share: the keyed hash as SQL, canonical texts, and what a column can hold.

HMAC-SHA-256 is written with two plain STANDARD_HASH calls over precomputed pads, so it needs no grant on
DBMS_CRYPTO and no PL/SQL (SQL Language Reference 19c, STANDARD_HASH, RAWTOHEX, HEXTORAW). The database
character set is expected to be AL32UTF8; the result is then the one of the Python reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import MaskingError

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column

CHARACTER_TYPES = ("VARCHAR2", "CHAR", "NVARCHAR2", "NCHAR")
NUMERIC_TYPES = ("NUMBER", "FLOAT", "BINARY_FLOAT", "BINARY_DOUBLE")
#: For an algorithm that masks columns of any type.
EVERY_TYPE = ()
#: Longest value, in bytes, that still fits with its pads into one RAW of 2000 bytes in SQL.
HASHABLE_BYTES = 1500


@dataclass(frozen=True)
class Pads:
    """How a statement names the two key binds of one domain, and how it binds any other value."""

    inner: str
    outer: str
    bind: Callable[[str | int | float], str]

    def hash_hex(self, text: str) -> str:
        """SQL: the HMAC of a text expression as 64 hex digits. A NULL text hashes like the empty one."""
        inner = f"STANDARD_HASH(HEXTORAW({self.inner} || RAWTOHEX({text})), 'SHA256')"
        return f"RAWTOHEX(STANDARD_HASH(HEXTORAW({self.outer} || RAWTOHEX({inner})), 'SHA256'))"

    def number(self, text: str, hex_digits: int = 14) -> str:
        """SQL: the leading hex digits of the HMAC as a number; what `DomainKey.number` computes."""
        return f"TO_NUMBER(SUBSTR({self.hash_hex(text)}, 1, {hex_digits}), '{'X' * hex_digits}')"


def text_sql(column: Column, reference: str) -> str:
    """SQL: the value as VARCHAR2 without the blanks that pad a CHAR; numbers and dates in one fixed
    format."""
    kind = column.data_type.partition("(")[0]
    if kind == "VARCHAR2":
        return reference
    if kind == "CHAR":
        return f"RTRIM({reference})"
    if kind == "NVARCHAR2":
        return f"TO_CHAR({reference})"
    if kind == "NCHAR":
        return f"RTRIM(TO_CHAR({reference}))"
    if kind == "NUMBER":
        return f"TO_CHAR({reference}, 'TM9')"
    if kind == "DATE":
        return f"TO_CHAR({reference}, 'YYYY-MM-DD HH24:MI:SS')"
    if kind == "RAW":
        return f"RAWTOHEX({reference})"
    raise MaskingError(f"a column of type {column.data_type} cannot be hashed", object_name=column.name)


def folded(text: str, how: str) -> str:
    """Python: blanks at both ends removed and letters folded one by one ("upper", "lower", "none")."""
    trimmed = text.strip(" ")
    if how == "none":
        return trimmed
    if trimmed.isascii():
        return trimmed.upper() if how == "upper" else trimmed.lower()
    return "".join(map(_upper if how == "upper" else _lower, trimmed))


def _upper(char: str) -> str:
    """Unicode's simple mapping: UPPER and LOWER never change the number of characters."""
    for new in (char.upper(), char.title()):
        if len(new) == 1:
            return new
    return char


def _lower(char: str) -> str:
    new = char.lower()
    return new if len(new) == 1 else new[0]


def folded_sql(text: str, how: str) -> str:
    """SQL: what `folded` does."""
    return f"TRIM({text})" if how == "none" else f"{how.upper()}(TRIM({text}))"


def capacity(column: Column) -> tuple[int, str]:
    """How much a character column holds: (n, "characters" or "bytes")."""
    if column.char_used == "C" or column.data_type.startswith("N"):
        return column.char_length, "characters"
    return column.length, "bytes"


def fits(column: Column, text: str) -> bool:
    """Python: whether a character column holds a text."""
    room, unit = capacity(column)
    return (len(text) if unit == "characters" else len(text.encode())) <= room


def fits_sql(column: Column, text: str) -> str:
    """SQL: what `fits` tells."""
    room, unit = capacity(column)
    return f"{'LENGTH' if unit == 'characters' else 'LENGTHB'}({text}) <= {room}"


def require_room(column: Column, texts: Callable[[str], int], what: str) -> None:
    """Raise MaskingError unless the longest text of a masking fits the column.

    :param texts: the longest length in the unit it is asked for, "characters" or "bytes".
    """
    room, unit = capacity(column)
    needed = texts(unit)
    if needed > room:
        raise MaskingError(
            f"{what} needs {needed} {unit}, the column holds {room}",
            object_name=column.name,
            step="masking plan",
            remedy="choose another algorithm or shorter values for this column",
        )


def require_type(column: Column, allowed: tuple[str, ...], algorithm: str) -> None:
    """Raise MaskingError unless the column's type is one the algorithm masks."""
    if allowed and column.data_type.partition("(")[0] not in allowed:
        raise MaskingError(
            f"{algorithm} masks {', '.join(allowed)}, not {column.data_type}",
            object_name=column.name,
            step="masking plan",
        )


def require_hashable(column: Column, algorithm: str) -> None:
    """Raise MaskingError when a value of the column could be too long to be hashed in SQL."""
    if column.text_bytes > HASHABLE_BYTES:
        raise MaskingError(
            f"{algorithm} hashes values of up to {HASHABLE_BYTES} bytes, the column's may have"
            f" {column.text_bytes}",
            object_name=column.name,
            step="masking plan",
            remedy="use redaction for long texts",
        )


def longest(values: Iterable[str]) -> Callable[[str], int]:
    """The longest of some texts in either letter case, as `require_room` asks for it."""
    cased = [how for value in values for how in (value, folded(value, "upper"), folded(value, "lower"))]
    return lambda unit: max(len(value if unit == "characters" else value.encode()) for value in cased)


def require_digits(column: Column, number: int | float) -> None:
    """Raise MaskingError when a number has more digits before the point than the column."""
    room = 10 ** (column.precision - (column.scale or 0)) if column.precision else None
    if room is not None and abs(number) >= room:
        raise MaskingError(
            f"{number} does not fit NUMBER({column.precision},{column.scale or 0})",
            object_name=column.name,
            step="masking plan",
        )


def literal(bind: Callable[[str | int | float], str], column: Column, value: str | float | date) -> str:
    """SQL: a constant in the type of the column; dates without NLS, all else as a bind."""
    if isinstance(value, date):
        if column.data_type.startswith("TIMESTAMP"):
            return f"TIMESTAMP '{value:%Y-%m-%d} 00:00:00'"
        return f"DATE '{value:%Y-%m-%d}'"
    return bind(value)
