"""What the values that a rule has masked must look like, as SQL over the row T. Pure.

Each algorithm declares it beside what masks: in `Algorithm.proof`, which does not use the expressions that
mask, so that an error there is not repeated here. `always` holds for every masked value; `kept` is an
expression that has the same value for a row before and after: the shape of a text, whether Luhn's test
passes, the time of day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from oracle_refresh.masking.algorithms import base
from oracle_refresh.oracle.identifiers import Identifier

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column

#: Characters or bytes of a LOB that are compared with the original, and the longest entry of a list.
HEAD = 900
DIGITS, CAPITALS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_USUAL = " -+./()"


class Scope(Protocol):
    """What a proof can ask the statement that it becomes a part of."""

    def bind(self, value: str | int | float) -> str:
        """The placeholder of a value."""

    def once(self, expression: str) -> str:
        """A reference to an expression over the row that is computed once per row; it may hold others."""


@dataclass(frozen=True)
class Proof:
    """What an algorithm promises of the values of one column; SQL over the row T."""

    always: str | None = None
    kept: str | None = None
    entries: tuple[str, ...] = ()
    """The only values there may be, compared without letter case and outer blanks."""
    entry: str | None = None
    """What is compared with them, where it is not the text itself."""
    excused: str | None = None
    """Values that need not be among them."""
    as_written: bool = False
    """Whether the entries come out in the letter case in which they are listed."""
    pattern: str | None = None
    """A regular expression that every value matches."""
    bounds: tuple[int | float, int | float] | None = None
    """The least and the largest number."""
    days: tuple[int, int] | None = None
    """The least and the most days that a date moves."""
    subject: str | None = None
    """The column whose rows of one value have their dates moved by the same days."""
    totals: bool = False
    """Whether the sums of the groups are kept."""
    group: str | None = None
    """The column that makes these groups; None: all rows are one."""
    changes: str | None = None
    """Which originals have to change, for an algorithm that need not change every value."""
    valid: str | None = None
    """A test that masked values pass where the originals passed it."""


def name(column: Column) -> str:
    """SQL: the column of the row."""
    return f"T.{Identifier(column.name).sql}"


def text(column: Column) -> str:
    """SQL: its value as canonical text."""
    return base.text_sql(column, name(column))


def shape(text: str) -> str:
    """SQL: a text with 9 for digits and A or a for letters, all else as it is."""
    # What usually separates digits is named before the letters, though it stays: a character is looked for in
    # the list up to where it is found. Digits alone need no list.
    listed = DIGITS + _USUAL + CAPITALS + CAPITALS.lower()
    translated = f"TRANSLATE({text}, '{listed}', '{'9' * 10}{_USUAL}{'A' * 26}{'a' * 26}')"
    digits = f"RPAD('9', LENGTH({text}), '9')"
    return f"CASE WHEN LTRIM({text}, '{DIGITS}') IS NULL THEN {digits} ELSE {translated} END"


def of_shape(column: Column) -> Proof:
    """The shape of texts is kept; nothing is promised of other values."""
    return Proof(kept=shape(text(column))) if column.is_character else Proof()


def only_digits(text: str, least: int, most: int) -> str:
    """SQL: whether a text is so many digits. A regular expression that counts costs several times as much."""
    return f"LTRIM({text}, '{DIGITS}') IS NULL AND LENGTH({text}) BETWEEN {least} AND {most}"


def without(text: str, separators: str) -> str:
    """SQL: a text in capitals without its separators."""
    compact = f"UPPER({text})"
    for separator in separators:
        quoted = separator.replace("'", "''")
        compact = f"REPLACE({compact}, '{quoted}')"
    return compact


def listed(values: tuple[str, ...], *, as_written: bool = False) -> Proof:
    """Every value is an entry; entries that are too long to be compared promise nothing."""
    return Proof(entries=values, as_written=as_written) if max(map(len, values)) <= HEAD else Proof()


def constants(values: Sequence[str | int | float], column: Column, scope: Scope) -> Proof:
    """Every value is one of a few."""
    if column.data_type == "CLOB":
        if any(len(str(value)) > HEAD for value in values):
            return Proof()
        value_sql = f"DBMS_LOB.SUBSTR({name(column)}, {HEAD + 1}, 1)"
    else:
        value_sql = text(column) if column.is_character else name(column)
    texts = isinstance(values[0], str)
    placed = ", ".join(scope.bind(value.rstrip(" ") if isinstance(value, str) else value) for value in values)
    return Proof(always=f"{f'RTRIM({value_sql})' if texts else value_sql} IN ({placed})")
