"""Hashes and other short values of a row as the bytes of one value. Pure.

Millions of rows are kept in a control table, some of them sent from the source, and it is the number of
values that costs: so each row's are put together where they are made, and taken apart where they are
compared. Every field has its fixed number of hexadecimal digits; NULL is all zeros, which a hash is as likely
as that it meets another one.

Sources: SQL Language Reference 19c, HEXTORAW, RAWTOHEX; in SQL a RAW has at most 2000 bytes, a VARCHAR2 4000.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms.proofs import HEAD
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column

#: Hex digits that tell rows and values apart: 10^9 of them meet by chance with a probability of 10^-6.
DIGITS = 20
#: Hex digits of the number of a rule, and of what a rule keeps.
RULE_DIGITS, SHORT_DIGITS = 4, 8
#: Digits of one value; the rest stands in another one.
MOST_DIGITS = 3800


def digest(hashed: str, digits: int) -> str:
    """SQL: the first bytes of a hash."""
    return f"HEXTORAW(SUBSTR(RAWTOHEX({hashed}), 1, {digits}))"


def keyed(text: str) -> str:
    """SQL: the hash of a text under the key that is drawn for the comparison."""
    return f"STANDARD_HASH(:salt || {text}, 'SHA256')"


def unkeyed(text: str, column: Column) -> str:
    """SQL: the hash of what a rule keeps of a column's value."""
    if not column.is_lob and statements.width(column) > statements.GROUP_BYTES:
        text = f"RAWTOHEX(STANDARD_HASH({text}, 'SHA256'))"
    return f"STANDARD_HASH('.' || {text}, 'SHA256')"


def content(column: Column) -> str:
    """SQL: what is hashed of a masked column. Of LOBs it is the length and the first characters or bytes, so
    that the source need not read them whole once more: whether all of a document is a replacement, the
    target shows by itself (see `Algorithm.proof`)."""
    name = f"T.{Identifier(column.name).sql}"
    if column.is_lob:
        head = f"DBMS_LOB.SUBSTR({name}, {HEAD}, 1)"
        head = f"RAWTOHEX({head})" if column.data_type == "BLOB" else head
        return f"TO_CHAR(DBMS_LOB.GETLENGTH({name})) || ':' || {head}"
    text = statements.canonical(column)
    if text is None:  # LONG, BFILE, objects: they are emptied or stay, and cannot be hashed
        return "'.'"
    if statements.width(column) > statements.GROUP_BYTES:
        return f"RAWTOHEX(STANDARD_HASH({text}, 'SHA256'))"
    return text


@dataclass(frozen=True)
class Field:
    """A value: its hexadecimal digits on the source's side, and how it is read from a piece of them."""

    name: str
    digits: int
    sql: str
    reading: str
    start: int = 1

    @classmethod
    def hashed(cls, name: str, digits: int, value: str) -> Field:
        """The first bytes of a hash, which may be NULL."""
        zeros = "0" * digits
        first = f"SUBSTR(RAWTOHEX({value}), 1, {digits})"
        return cls(name, digits, f"NVL({first}, '{zeros}')", f"HEXTORAW(NULLIF({{}}, '{zeros}'))")

    @classmethod
    def zeros(cls, name: str, digits: int) -> Field:
        """The place of a hash that is filled in on the way."""
        return replace(cls.hashed(name, digits, "NULL"), sql=f"'{'0' * digits}'")

    @classmethod
    def text(cls, name: str, digits: int, value: str) -> Field:
        """Digits as they are, never NULL."""
        return cls(name, digits, value, "{}")

    @classmethod
    def number(cls, name: str, digits: int, value: str) -> Field:
        """A whole number that is never NULL nor negative."""
        return cls(name, digits, f"LPAD(TO_CHAR({value}), {digits}, '0')", "TO_NUMBER({})")

    def read(self, pack: str) -> str:
        """SQL over what was sent: the value, NULL where it was."""
        return self.reading.format(f"SUBSTR(RAWTOHEX({pack}), {self.start}, {self.digits})")


@dataclass(frozen=True)
class Pack:
    """Fields that are one RAW."""

    name: str
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        return sum(field.digits for field in self.fields) // 2

    @property
    def sql(self) -> str:
        """SQL: the bytes of a row."""
        return f"HEXTORAW({' || '.join(field.sql for field in self.fields)})"


def packed(fields: Iterable[Field]) -> tuple[Pack, ...]:
    """Fields in as few values as hold them, in their order."""
    packs = []
    for number, group in enumerate(_groups(fields), 1):
        starts = accumulate((field.digits for field in group), initial=1)
        placed = (replace(field, start=start) for field, start in zip(group, starts, strict=False))
        packs.append(Pack(f"P{number}", tuple(placed)))
    return tuple(packs)


def _groups(fields: Iterable[Field]) -> Iterator[list[Field]]:
    group: list[Field] = []
    used = 0
    for field in fields:
        if used + field.digits > MOST_DIGITS:
            yield group
            group, used = [], 0
        group.append(field)
        used += field.digits
    yield group
