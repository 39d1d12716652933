"""What has to stay unique in a table: keys, and unique indexes of columns and of expressions. Pure.

Sources: SQL Language Reference 19c, CREATE INDEX (UNIQUE: rows whose keys are all NULL are not indexed);
Database Reference 19c, ALL_IND_EXPRESSIONS: an expression names columns in quotation marks, and a descending
column is an expression that is the column alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table
    from oracle_refresh.catalog.model import Index, IndexColumn
    from oracle_refresh.masking.rules import ColumnRule

_NAME = re.compile(r'"([^"]+)"')
_LITERAL = re.compile(r"'[^']*'")
#: Functions whose result may be a value where the column is NULL.
_FILLS = re.compile(r"\b(NVL2?|COALESCE|DECODE|CASE)\b|\|\|", re.IGNORECASE)


@dataclass(frozen=True)
class UniqueKey:
    """One key or index.

    :ivar columns: all that it is made of, also within expressions.
    :ivar text: its columns and expressions, as the message shows them.
    :ivar fills: whether an expression may have a value where its columns are NULL.
    """

    name: str
    kind: str
    columns: frozenset[str]
    text: str
    plain: bool
    fills: bool


def unique_keys(table: Table) -> Iterator[UniqueKey]:
    """Yield the enforced keys of a table, then its unique indexes that belong to no key."""
    for each in table.constraints:
        if each.type in ("P", "U") and (each.enabled or each.validated):
            text = ", ".join(each.columns)
            yield UniqueKey(each.name, "key", frozenset(each.columns), text, True, False)
    for index in table.indexes:
        if index.unique and index.constraint is None:
            yield _of_index(index)


def _of_index(index: Index) -> UniqueKey:
    parts = [_part(column) for column in index.columns]
    plain = all(expression is None for _, expression in parts)
    return UniqueKey(
        index.name,
        "index",
        frozenset(name for names, _ in parts for name in names),
        ", ".join(expression or next(iter(names)) for names, expression in parts),
        plain,
        any(expression is not None and _FILLS.search(expression) for _, expression in parts),
    )


def _part(column: IndexColumn) -> tuple[frozenset[str], str | None]:
    """The columns of a part of an index, and its expression if it is more than a column."""
    if column.expression is None:
        return frozenset({column.name}), None
    names = frozenset(_NAME.findall(_LITERAL.sub("''", column.expression)))
    alone = _NAME.fullmatch(column.expression.strip())
    return names, None if alone else column.expression


def endangered(table: Table, rule: ColumnRule) -> Iterator[UniqueKey]:
    """Yield the keys that two rows could share after the rule has masked its column.

    A key is safe if what the rule does not change of it contains another key.
    """
    keys = list(unique_keys(table))
    for key in keys:
        if rule.column not in key.columns or not _merges(table, rule, key):
            continue
        kept = key.columns - {rule.column}
        if not any(other.plain and other.columns <= kept for other in keys):
            yield key


def _merges(table: Table, rule: ColumnRule, key: UniqueKey) -> bool:
    """Whether the rule may make parts of the key equal. NULLs collide beside other columns only, or where an
    expression has a value for them. Dates of one subject keep their distances."""
    if rule.algorithm.empties:
        return len(key.columns) > 1 or key.fills
    within = rule.algorithm.distinct_within
    if not within:
        return within is None
    known = {column.name for column in table.columns if not column.nullable} & key.columns
    return not (key.plain and rule.where is None and known.issuperset(within))
