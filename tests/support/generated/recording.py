"""A database that answers from a catalogue's dictionary rows and writes down what it is sent.

It stands for one only as far as rooms need one that speaks while they decide: whoever asks for what is not
here gets no rows. What it answers is held against `read_catalogue`, which reads the catalogue again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.catalog import Catalogue, Constraint, Table
from oracle_refresh.catalog import statements as catalog

Row = tuple[Any, ...]
_NAMED = re.compile(r":name_0(?:, :name_\d+)*")


@dataclass(eq=False)
class Recording:
    """A connection to a database with the tables of a catalogue, without constraints until the first change;
    then they are there, and none of them is validated. `sent` are statements and the names of their binds.

    :ivar answers: the rows of further statements, with `{names}` for a list of them.
    :ivar ddl: what DBMS_METADATA.GET_DDL returns of an object of this kind, name and owner.
    """

    catalogue: Catalogue
    constrained: bool = False
    sent: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    answers: Mapping[str, list[Row]] = field(default_factory=dict)
    ddl: Callable[[str, str, str], str] = lambda *_: ""
    username: str = "REFRESH_TARGET"
    dsn: str = "host/service"
    call_timeout: int = 0

    def cursor(self) -> _Cursor:
        return _Cursor(self)

    def commit(self) -> None:
        return None

    rollback = commit

    def is_healthy(self) -> bool:
        return True


@dataclass
class _Cursor:
    connection: Recording
    rows: list[Row] = field(default_factory=list)
    warning: None = None
    arraysize: int = 0
    prefetchrows: int = 0
    rowcount: int = 1

    def __enter__(self) -> _Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def execute(self, sql: str, given: Any = None, **named: Any) -> _Cursor:
        named.pop("fetch_lobs", None)
        self.connection.sent.append((sql, frozenset({**_names(given), **named})))
        rows = dictionary_rows(self.connection.catalogue, self.connection.constrained)
        asked = _NAMED.sub("{names}", sql)
        self.rows = list(self.connection.answers.get(asked, rows.get(asked, [])))
        if sql.startswith("ALTER TABLE"):
            self.connection.constrained = True
        return self

    def executemany(self, sql: str, rows: Sequence[Any], **_: Any) -> None:
        for one in rows[:1]:
            self.connection.sent.append((sql, frozenset(_names(one))))

    def callproc(
        self, name: str, arguments: Sequence[Any] = (), keywords: Mapping[str, Any] | None = None
    ) -> None:
        self._call(f"{name}{_called(arguments, keywords)}")

    def callfunc(
        self, name: str, _: Any, arguments: Sequence[Any] = (), keywords: Mapping[str, Any] | None = None
    ) -> Any:
        self._call(f":result := {name}{_called(arguments, keywords)}")
        return self.connection.ddl(*arguments) if name.endswith("GET_DDL") else 1

    def _call(self, text: str) -> None:
        self.connection.sent.append((f"BEGIN\n  {text};\nEND;", frozenset(re.findall(r":(\w+)", text))))

    def setinputsizes(self, *_: Any, **__: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def fetchone(self) -> Row | None:
        return self.rows[0] if self.rows else None

    def fetchall(self) -> list[Row]:
        return self.rows


def _names(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    return {str(place): value for place, value in enumerate(given or (), 1)}


def _called(arguments: Sequence[Any], keywords: Mapping[str, Any] | None) -> str:
    """The arguments as binds, as the driver writes the call."""
    places = [f":b{place}" for place in range(1, len(arguments) + 1)]
    return f"({', '.join([*places, *(f'{name} => :{name}' for name in keywords or ())])})"


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
        *("NO", "N", "NO", "NO", "C" if table.clustered else None, None, "DISABLED"),
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
