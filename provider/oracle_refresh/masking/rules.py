"""The rules of a ruleset, checked and ready to be compiled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.exemptions import Exemption
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.kind import Kind

#: What becomes of a value that does not fit its rule's format. It is never left as it is.
Policy = Literal["fail", "null", "redact"]


@dataclass(frozen=True)
class ColumnRule:
    """One rule of one column. Of several rules of a column the first whose condition holds decides."""

    column: str
    kind: str
    domain: str | None
    algorithm: Algorithm
    where: Condition | None = None
    policy: Policy = "fail"
    inherited: str | None = None
    """`OWNER.TABLE.COLUMN` of the key whose rule this is, when it came along a reference."""

    @property
    def settings(self) -> tuple[Any, ...]:
        """What decides the masked value besides the row: equal for all rules of one domain."""
        parameters = tuple(
            (field.name, getattr(self.algorithm, field.name))
            for field in fields(self.algorithm)  # type: ignore[arg-type]
            if field.name not in (*self.algorithm.column_fields, *self.algorithm.own_fields)
        )
        return (self.kind, self.algorithm.version, parameters)

    @property
    def columns(self) -> frozenset[str]:
        """Every column that the rule names."""
        compared = self.where.columns if self.where else ()
        return frozenset((self.column, *self.algorithm.reads, *compared))


@dataclass(frozen=True)
class Reference:
    """Columns that refer to other columns: declared in the ruleset, or a foreign key."""

    child: TableName
    columns: tuple[str, ...]
    parent: TableName
    parent_columns: tuple[str, ...]
    name: str = "declared reference"


@dataclass(frozen=True)
class Inherited(Jsonable):
    """A column that takes over the rule of the column it refers to."""

    owner: str
    name: str
    column: str
    parent_owner: str
    parent_name: str
    parent_column: str


@dataclass(frozen=True)
class InheritedRules(Jsonable):
    """What a plan found; a parent stands before its children."""

    items: tuple[Inherited, ...] = ()


INHERITED_RULES: Kind[InheritedRules] = Kind("inherited rules", InheritedRules)


@dataclass(frozen=True)
class Ruleset:
    """A checked ruleset. `tables` maps (owner, name) to the rules of the table's masked columns."""

    name: str
    tables: dict[TableName, tuple[ColumnRule, ...]]
    fingerprint: str
    """Twelve hex digits over all rules, the versions of their algorithms and the contents of all lookups."""
    references: tuple[Reference, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    """Columns that stay as they are, signed; they change no masked value and so no fingerprint."""

    def rules(self, owner: str, name: str) -> tuple[ColumnRule, ...]:
        """The rules of a table; none where it is not masked."""
        return self.tables.get(TableName(owner, name), ())

    def masked_columns(self) -> dict[TableName, int]:
        """How many columns of each table are masked."""
        return {table: len(by_column(rules)) for table, rules in self.tables.items()}

    def columns(self) -> tuple[tuple[str, str, str], ...]:
        """Every column a rule names, as (owner, table, column)."""
        names = {
            (owner, name, column)
            for (owner, name), rules in self.tables.items()
            for rule in rules
            for column in rule.columns
        }
        names |= {
            (*table, column)
            for reference in self.references
            for table, listed in (
                (reference.child, reference.columns),
                (reference.parent, reference.parent_columns),
            )
            for column in listed
        }
        return tuple(sorted(names))

    def inheriting(self, items: Iterable[Inherited]) -> Ruleset:
        """The ruleset with the rules that come along references; its fingerprint stays that of the file."""
        tables = dict(self.tables)
        for item in items:
            parent = TableName(item.parent_owner, item.parent_name)
            child = TableName(item.owner, item.name)
            source = column_key(parent, item.parent_column)
            rules = by_column(tables.get(parent, ())).get(item.parent_column, ())
            copies = (replace(rule, column=item.column, inherited=source) for rule in rules)
            tables[child] = (*tables.get(child, ()), *copies)
        return replace(self, tables=tables)


def by_column(rules: Iterable[ColumnRule]) -> dict[str, tuple[ColumnRule, ...]]:
    """The rules of a table per column, in the order of the file."""
    grouped: dict[str, tuple[ColumnRule, ...]] = {}
    for rule in rules:
        grouped[rule.column] = (*grouped.get(rule.column, ()), rule)
    return grouped


def column_key(table: TableName, column: str) -> str:
    """`OWNER.TABLE.COLUMN`."""
    return f"{table.key}.{column}"
