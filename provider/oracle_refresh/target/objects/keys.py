"""The text of primary and unique keys, and which of them a table of the target has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Constraint
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.objects import statements

if TYPE_CHECKING:
    import oracledb


def column_list(names: Iterable[str]) -> str:
    return ", ".join(Identifier(name).sql for name in names)


def named(constraint: Constraint) -> str:
    """`CONSTRAINT "X" `; nothing for a generated name, which the target generates itself."""
    return "" if constraint.generated else f"CONSTRAINT {Identifier(constraint.name).sql} "


def deferral(constraint: Constraint) -> str:
    if not constraint.deferrable:
        return ""
    return " DEFERRABLE" + (" INITIALLY DEFERRED" if constraint.deferred else "")


def key_clause(constraint: Constraint) -> str:
    """A primary or unique key without its index and its state."""
    word = "PRIMARY KEY" if constraint.type == "P" else "UNIQUE"
    return f"{named(constraint)}{word} ({column_list(constraint.columns)}){deferral(constraint)}"


def columns_of_keys(target: oracledb.Connection, table: TableName) -> set[tuple[str, ...]]:
    """The columns of each enabled primary or unique key that a table has on the target."""
    columns: dict[str, list[str]] = defaultdict(list)
    for key, column in rows(target, statements.KEYS_OF, owner=table.owner, name=table.name):
        columns[key].append(column)
    return {tuple(each) for each in columns.values()}
