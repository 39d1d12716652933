"""What the masked values of a row have to be, by the Python references of the algorithms. Pure.

A table whose keys are masked has nothing left by which a row of the source is found again in the target. So
the reference masks the key's values once more, and the row is looked for under what comes out: a row that was
left as it was, lost, or masked by anything but its rule is not found. The reference is another program than
the SQL that masked. The originals it reads are in the memory of the task only while their batch of rows is
on its way; what goes to the target is a keyed hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.algorithms.base import text_sql
from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule

#: Types whose values Python writes as the database does.
_TYPES = ("VARCHAR2", "CHAR", "NVARCHAR2", "NUMBER", "DATE")
SEPARATOR = "\x1f"


@dataclass(frozen=True)
class Part:
    """A column of what tells rows apart; no rules: its value is the same on both sides."""

    column: Column
    rules: tuple[ColumnRule, ...] = ()

    @property
    def sql(self) -> str:
        """SQL: the text that tells the rows of the target apart, in a format that Python writes, too."""
        if not self.rules:
            return str(statements.canonical(self.column))
        return text_sql(self.column, f"T.{Identifier(self.column.name).sql}")

    def source(self, table: Table) -> list[str]:
        """SQL: what the source sends of it. Unmasked, its canonical text; masked, its value, which rule
        masks it, and the other columns that its rules read."""
        if not self.rules:
            return [self.sql]
        name = f"T.{Identifier(self.column.name).sql}"
        parts = [self.sql if self.column.is_character else name, which_rule(self.rules)]
        for rule in self.rules:
            for read in rule.algorithm.reads:
                other = statements.column_of(table, read)
                parts.append(text_sql(other, f"T.{Identifier(read).sql}"))
        return parts

    def expected(self, sent: Sequence[Any], key: MasterKey) -> tuple[str, int]:
        """The text of the masked value, empty for NULL, and how many of `sent` it was made of."""
        if not self.rules:
            return sent[0] or "", 1
        value, number, *others = sent
        place, masked = 0, value
        for each, rule in enumerate(self.rules, 1):
            reads = others[place : place + len(rule.algorithm.reads)]
            place += len(rule.algorithm.reads)
            if each == number and value is not None:
                masked = _masked(rule, self.column, value, reads, key)
        return written(masked), 2 + place


def recomputable(column: Column, rules: tuple[ColumnRule, ...]) -> bool:
    """Whether the reference gives the masked values of a column from the row alone."""
    return column.data_type in _TYPES and not any(
        rule.algorithm.whole_column or rule.algorithm.takes_masked for rule in rules
    )


def masked_key(table: Table, rules: Sequence[ColumnRule]) -> tuple[Part, ...]:
    """The primary or a unique key with masked columns, all of which can be computed again; else nothing."""
    grouped = by_column(rules)
    keys = sorted(
        (c for c in table.constraints if c.type in ("P", "U")), key=lambda c: (c.type != "P", c.name)
    )
    for constraint in keys:
        parts = tuple(_part(table, name, grouped) for name in constraint.columns)
        nullable = constraint.type == "U" and any(part.column.nullable for part in parts)
        if not nullable and all(_possible(part) for part in parts) and _short(parts):
            return parts
    return ()


def masked_columns(table: Table, rules: Sequence[ColumnRule]) -> tuple[Part, ...]:
    """The masked columns that can be computed again, for a table without any key."""
    grouped = by_column(rules)
    parts: list[Part] = []
    for name in sorted(grouped):
        part = _part(table, name, grouped)
        if _possible(part) and _short([*parts, part]):
            parts.append(part)
    return tuple(parts)


def which_rule(rules: tuple[ColumnRule, ...]) -> str:
    """SQL: the place of the rule that masks a row's value, from 1; 0 where none does."""
    cases = [f"WHEN {rule.where.sql()} THEN {n}" for n, rule in enumerate(rules, 1) if rule.where]
    rest = len(rules) if rules[-1].where is None else 0
    return f"CASE {' '.join(cases)} ELSE {rest} END" if cases else str(rest)


def key_hash(salt: str, texts: Sequence[str]) -> str:
    """What `STANDARD_HASH(:salt || text, 'SHA256')` gives in a database of AL32UTF8, in hex."""
    return hashlib.sha256((salt + SEPARATOR.join(texts)).encode()).hexdigest().upper()


def written(value: Any) -> str:
    """What `text_sql` makes of a value in the database; empty for NULL.

    Source: SQL Language Reference 19c, number format TM9.
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value.year:04d}-{value:%m-%d %H:%M:%S}"
    if isinstance(value, int | float | Decimal):
        text = f"{Decimal(str(value)):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
        return sign + (digits.removeprefix("0") or "0")
    return str(value)


def _part(table: Table, name: str, grouped: dict[str, tuple[ColumnRule, ...]]) -> Part:
    return Part(statements.column_of(table, name), grouped.get(name, ()))


def _possible(part: Part) -> bool:
    if not part.rules:
        return statements.canonical(part.column) is not None
    return recomputable(part.column, part.rules)


def _short(parts: Sequence[Part]) -> bool:
    return sum(statements.width(part.column) for part in parts) <= statements.GROUP_BYTES


def _masked(rule: ColumnRule, column: Column, value: Any, others: Sequence[Any], key: MasterKey) -> Any:
    try:
        (masked,) = rule.algorithm.mask_column(key.domain(rule.domain or ""), [(value, *others)], column)
        return masked
    except MaskingError:  # does not conform; what says `fail` would not have come here
        return redaction_of(column) if rule.policy == "redact" else None
