"""A target that answers from a catalogue's dictionary rows and writes down what it is sent.

It stands for a database only as far as rooms need one that speak while they decide: whoever asks for what is
not here gets no rows. What it answers is held against `read_catalogue`, which reads the catalogue again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.catalog import Catalogue, Constraint, Table
from oracle_refresh.catalog import statements as catalog

Row = tuple[Any, ...]
_SCHEMAS = re.compile(r":s0(?:, :s\d+)*")


@dataclass
class Recording:
    """A connection to a database with the tables of a catalogue, without constraints until the first change;
    then they are there, and none of them is validated. `sent` are statements and the names of their binds."""

    catalogue: Catalogue
    constrained: bool = False
    sent: list[tuple[str, frozenset[str]]] = field(default_factory=list)

    def cursor(self) -> _Cursor:
        return _Cursor(self)


@dataclass
class _Cursor:
    connection: Recording
    rows: list[Row] = field(default_factory=list)
    warning: None = None
    arraysize: int = 0
    prefetchrows: int = 0

    def __enter__(self) -> _Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def execute(self, sql: str, given: Mapping[str, Any] | None = None, **named: Any) -> None:
        self.connection.sent.append((sql, frozenset({**(given or {}), **named})))
        rows = dictionary_rows(self.connection.catalogue, self.connection.constrained)
        self.rows = rows.get(_SCHEMAS.sub("{schemas}", sql), [])
        if sql.startswith("ALTER TABLE"):
            self.connection.constrained = True

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def fetchone(self) -> Row | None:
        return self.rows[0] if self.rows else None


def dictionary_rows(catalogue: Catalogue, constrained: bool, validated: bool = False) -> dict[str, list[Row]]:
    """The rows of the dictionary by the statement that asks for them, of tables, columns and constraints."""
    own = [
        (table, constraint)
        for table in catalogue.tables
        for constraint in (table.constraints if constrained else ())
    ]
    return {
        catalog.TABLES: [_table(table) for table in catalogue.tables],
        catalog.COLUMNS: [row for table in catalogue.tables for row in _columns(table)],
        catalog.CONSTRAINTS: [_constraint(catalogue, *each, validated) for each in own],
        catalog.CONSTRAINT_COLUMNS: [
            (table.owner, each.name, column) for table, each in own for column in each.columns
        ],
        catalog.REFERENCED_KEYS: [
            (table.owner, each.name, table.name, column)
            for table, each in own
            if each.type in ("P", "U")
            for column in each.columns
        ],
    }


def _table(table: Table) -> Row:
    kind, temporary = "IOT" if table.iot else None, "Y" if table.temporary else "N"
    return (
        *(table.owner, table.name, table.rows, table.blocks, kind, temporary),
        *("NO", "N", "NO", "NO", None, None, "DISABLED"),
    )


def _columns(table: Table) -> Iterator[Row]:
    for each in table.columns:
        yield (
            *(table.owner, table.name, each.name, each.data_type, each.length, each.char_length),
            *(each.char_used, each.precision, each.scale, _flag(each.nullable, "Y", "N")),
            *(_flag(each.virtual), _flag(each.identity), each.type_owner),
        )


def _constraint(catalogue: Catalogue, table: Table, each: Constraint, validated: bool) -> Row:
    key = each.references
    parent = catalogue.table(key.owner, key.table) if key else None
    referred = parent.primary_key.name if parent and parent.primary_key else None
    return (
        *(table.owner, table.name, each.name, each.type, key.owner if key else None, referred),
        *(each.delete_rule, _flag(each.enabled, "ENABLED", "DISABLED")),
        _flag(each.validated and validated, "VALIDATED", "NOT VALIDATED"),
        _flag(each.deferrable, "DEFERRABLE", "NOT DEFERRABLE"),
        *(each.search_condition, _flag(each.generated, "GENERATED NAME", "USER NAME"), each.index_owner),
        *(each.index_name, _flag(each.deferred, "DEFERRED", "IMMEDIATE"), _flag(each.rely, "RELY", "")),
    )


def _flag(value: bool, true: str = "YES", false: str = "NO") -> str:
    return true if value else false
