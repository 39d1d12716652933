"""What a masked target has to hold: the source's rows at an SCN, as the algorithms' references mask them.

Nothing of what masks in the database takes part: a row that was lost, doubled, left unmasked or masked twice
makes a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import oracledb

from oracle_refresh.catalog import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset
from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier

Row = tuple[Any, ...]
#: How often each row comes.
Rows = Counter[Row]


@dataclass(frozen=True)
class SourceTable:
    """The rows of a table as they were at the SCN.

    `held` has for each condition of a rule, as SQL, whether it holds, row by row.
    """

    table: Table
    rows: tuple[Row, ...]
    held: dict[str, tuple[bool, ...]]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.table.columns]


def read_source(
    connection: oracledb.Connection, definition: RefreshDefinition, ruleset: Ruleset, scn: int
) -> tuple[SourceTable, ...]:
    """All tables of the definition, as the source had them at the SCN."""
    catalogue = read_catalogue(connection, definition.schemas, definition.exclude_tables)
    return tuple(
        _read(connection, table, ruleset.rules(table.owner, table.name), scn) for table in catalogue.tables
    )


def read_rows(connection: oracledb.Connection, table: Table) -> Rows:
    """The rows that a table has now, its columns in the order of the catalogue's table."""
    listed = ", ".join(Identifier(column.name).sql for column in table.columns)
    return Counter(_fetched(connection, f"SELECT {listed} FROM {table.full_name.sql}"))


def masked(source: SourceTable, rules: tuple[ColumnRule, ...], master: MasterKey) -> Rows:
    """The rows as the rules mask them."""
    return Counter(_Masking(source, rules, master).rows())


def _read(
    connection: oracledb.Connection, table: Table, rules: Iterable[ColumnRule], scn: int
) -> SourceTable:
    listed = [f"T.{Identifier(column.name).sql}" for column in table.columns]
    conditions = list(dict.fromkeys(rule.where.sql() for rule in rules if rule.where))
    told = [f"CASE WHEN {condition} THEN 1 ELSE 0 END" for condition in conditions]
    query = f"SELECT {', '.join([*listed, *told])} FROM {table.full_name.sql} AS OF SCN {int(scn)} T"
    found = _fetched(connection, query)
    width = len(listed)
    return SourceTable(
        table,
        tuple(row[:width] for row in found),
        {each: tuple(bool(row[width + n]) for row in found) for n, each in enumerate(conditions)},
    )


def _fetched(connection: oracledb.Connection, query: str) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.arraysize = 1000
        cursor.execute(query, fetch_lobs=False, fetch_decimals=True)
        return [tuple(row) for row in cursor]


class _Masking:
    """One table being masked, column by column: a rule may want what another column has become."""

    def __init__(self, source: SourceTable, rules: tuple[ColumnRule, ...], master: MasterKey) -> None:
        self._source, self._rules, self._master = source, by_column(rules), master
        self._done: dict[str, list[Any]] = {}

    def rows(self) -> Iterable[Row]:
        return zip(*(self._column(name) for name in self._source.names), strict=True)

    def _original(self, name: str) -> list[Any]:
        place = self._source.names.index(name)
        return [row[place] for row in self._source.rows]

    def _column(self, name: str) -> list[Any]:
        if name not in self._done:
            values = self._original(name)
            for rule in reversed(self._rules.get(name, ())):  # the first rule whose condition holds decides
                held = self._source.held[rule.where.sql()] if rule.where else (True,) * len(values)
                places = [n for n, each in enumerate(held) if each]
                for place, value in zip(places, self._masked(rule, places), strict=True):
                    values[place] = value
            self._done[name] = values
        return self._done[name]

    def _masked(self, rule: ColumnRule, places: list[int]) -> list[Any]:
        column = self._source.table.column(rule.column)
        assert column is not None
        others = [self._other(rule, name) for name in rule.algorithm.reads]
        values = self._original(rule.column)
        stored = [
            (_without_blanks(values[n], column.data_type), *(other[n] for other in others)) for n in places
        ]
        key: Any = self._master.domain(rule.domain) if rule.domain else None
        found = self._kept_null(rule, key, stored)
        if column.data_type in ("CHAR", "NCHAR"):
            return [None if each is None else str(each).ljust(column.char_length) for each in found]
        return [_as_stored(each) for each in found]

    def _kept_null(self, rule: ColumnRule, key: Any, stored: list[Row]) -> list[Any]:
        """The masked values of a column; NULL stays NULL, whatever the rule."""
        column = self._source.table.column(rule.column)
        assert column is not None
        present = [n for n, row in enumerate(stored) if row[0] is not None]

        def one(row: Row) -> Any:
            try:
                (value,) = rule.algorithm.mask_column(key, [row], column)
            except MaskingError:
                assert rule.policy != "fail", "the data does not fit the rules"
                return redaction_of(column) if rule.policy == "redact" else None
            return value

        rows = [stored[n] for n in present]
        if rule.algorithm.whole_column:
            values = rule.algorithm.mask_column(key, rows, column)
        else:
            values = [one(row) for row in rows]
        result: list[Any] = [None] * len(stored)
        for place, value in zip(present, values, strict=True):
            result[place] = value
        return result

    def _other(self, rule: ColumnRule, name: str) -> list[Any]:
        """Another column as the algorithm reads it: as canonical text."""
        column = self._source.table.column(name)
        assert column is not None
        values = self._column(name) if rule.algorithm.takes_masked else self._original(name)
        return [_canonical(_without_blanks(value, column.data_type)) for value in values]


def _without_blanks(value: Any, data_type: str) -> Any:
    return value.rstrip(" ") or None if isinstance(value, str) and data_type in ("CHAR", "NCHAR") else value


def _as_stored(value: Any) -> Any:
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value


def _tm9(value: Decimal) -> str:
    """As TO_CHAR(value, 'TM9') writes it: without a zero before the point."""
    text = format(value.normalize(), "f")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


_TEXTS: dict[type, Callable[[Any], str]] = {
    Decimal: _tm9,
    int: str,
    datetime: lambda value: f"{value:%Y-%m-%d %H:%M:%S}",
    bytes: lambda value: value.hex().upper(),
}


def _canonical(value: Any) -> str | None:
    return value if value is None else _TEXTS.get(type(value), str)(value)
