"""Rules on values that were made up: the rows that a trial begins with, and what the references make of them.

Pure. Rules of one table that look at each other's columns are tried together, as a refresh masks them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import Column, Table
from oracle_refresh.first_contact.originals import originals, plain_values
from oracle_refresh.first_contact.samples import Sample
from oracle_refresh.masking.compiler import declared
from oracle_refresh.masking.rules import ColumnRule, by_column
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation.expected import written

if TYPE_CHECKING:
    from oracle_refresh.masking import MasterKey

VALUES = 1000
ID = Column("FIRST_CONTACT_ID", "NUMBER", 22, 0, None, 9, 0, False)
#: Made-up values of which a rule may take some.
CANDIDATES = 20 * VALUES
#: Rows of one group, where a rule keeps totals of groups.
GROUPS = 20


@dataclass(frozen=True)
class Trial:
    """Rules in a table of their own: an id, the columns that are masked and those that are read.

    :ivar rows: id and values, in the order of the columns.
    """

    name: str
    table: Table
    rules: tuple[ColumnRule, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def create(self) -> str:
        listed = ", ".join(f"{Identifier(each.name).sql} {declared(each)}" for each in self.table.columns)
        return f"CREATE TABLE {self.table.sql} ({listed})"

    def expected(self, key: MasterKey) -> dict[str, list[Any]]:
        """Per masked column what the references make of the rows, in their order."""
        return _masked(self.rules, self.table.columns, self.rows, key)


def of_table(table: Table, rules: Sequence[ColumnRule]) -> Iterator[Sample]:
    """A table's rules, those together that look at each other's columns. Of several rules of a column each is
    tried, without its condition: made-up rows are to be masked, all of them."""
    for names in _together(rules):
        grouped = by_column(rule for rule in rules if rule.column in names)
        for number in range(max(map(len, grouped.values()))):
            chosen = tuple(own[min(number, len(own) - 1)] for own in grouped.values())
            wanted = dict.fromkeys(name for rule in chosen for name in (rule.column, *rule.algorithm.reads))
            columns = [column for name in wanted if (column := table.column(name)) is not None]
            kinds = "; ".join(dict.fromkeys(rule.kind for rule in chosen))
            yield Sample(f"{kinds} of {table.key}.{', '.join(grouped)}", tuple(columns), chosen)


def _together(rules: Sequence[ColumnRule]) -> list[set[str]]:
    """Names of masked columns whose rules read each other's, each set once."""
    found: list[set[str]] = []
    masked = {rule.column for rule in rules}
    for rule in rules:
        own = {rule.column, *masked.intersection(rule.algorithm.reads)}
        for other in [each for each in found if each & own]:
            found.remove(other)
            own |= other
        found.append(own)
    return found


def trial_of(schema: str, name: str, sample: Sample, key: MasterKey) -> Trial | str:
    """The trial in a table of a schema, or why there is none."""
    rules = tuple(
        replace(rule, where=None, policy="fail", algorithm=_forgetting(rule)) for rule in sample.rules
    )
    columns = [
        replace(column, nullable=True, virtual=False, identity=False, always_generated=False)
        for column in sample.columns
    ]
    missing = [
        f"{each.name} ({each.data_type})" for each in columns if next(plain_values(each), None) is None
    ]
    if missing:
        return f"no values are made up for the type of {', '.join(missing)}"
    values = {rule.column: _conforming(rule, columns, key) for rule in rules}
    rows = _rows(columns, values, rules)
    while rows:
        try:
            _masked(rules, (ID, *columns), rows, key)
            break
        except MaskingError:  # a pool is short: fewer values may do
            rows = rows[: len(rows) // 2]
    if not rows:
        return "no made-up value conforms to the rule"
    table = Table(schema, name, len(rows), 1, 1, (ID, *columns))
    return Trial(sample.name, table, rules, tuple(rows))


def _forgetting(rule: ColumnRule) -> Any:
    """The algorithm with no map that is kept: made-up values have no business in a refresh's."""
    algorithm: Any = rule.algorithm
    return replace(algorithm, keep=False) if getattr(algorithm, "keep", False) else algorithm


def _conforming(rule: ColumnRule, columns: Sequence[Column], key: MasterKey) -> list[Any]:
    """Up to `VALUES` different values that the rule takes, whatever the other rules do."""
    (column,) = (each for each in columns if each.name == rule.column)
    read = [each for name in rule.algorithm.reads for each in columns if each.name == name]
    beside = [_beside(rule, each) for each in read]
    domain: Any = key.domain(rule.domain) if rule.domain else None
    candidates = itertools.islice(originals(rule.algorithm, column), CANDIDATES)
    if rule.algorithm.whole_column:
        return list(itertools.islice(dict.fromkeys(candidates), VALUES))
    found: dict[Any, None] = {}
    for value in candidates:
        others = [_canonical(each, values[len(found)]) for each, values in zip(read, beside, strict=True)]
        try:
            rule.algorithm.mask_column(domain, [(value, *others)], column)
        except MaskingError:
            continue
        found[value] = None
        if len(found) == VALUES:
            break
    return list(found)


def _beside(rule: ColumnRule, column: Column) -> list[Any]:
    """What a column that a rule reads holds in each row."""
    algorithm: Any = rule.algorithm
    known = list(itertools.islice(plain_values(column), VALUES))
    if column.name == getattr(algorithm, "total", None):
        known = known[:GROUPS]
    if column.name == getattr(algorithm, "type_column", None):
        known = [document.name.rpartition(".")[2] for document in algorithm.documents]
    return [known[number % len(known)] for number in range(VALUES + 1)]


def _rows(
    columns: Sequence[Column], values: Mapping[str, list[Any]], rules: Sequence[ColumnRule]
) -> list[tuple[Any, ...]]:
    """As many rows as every masked column has values for."""
    readers = {name: rule for rule in reversed(rules) for name in rule.algorithm.reads}
    listed = [
        values[each.name] if each.name in values else _beside(readers[each.name], each) for each in columns
    ]
    return [(number, *row) for number, row in enumerate(zip(*listed, strict=False)) if number < VALUES]


def _masked(
    rules: Sequence[ColumnRule],
    columns: Sequence[Column],
    rows: Sequence[tuple[Any, ...]],
    key: MasterKey,
) -> dict[str, list[Any]]:
    places = {column.name: (place, column) for place, column in enumerate(columns)}
    masked: dict[str, list[Any]] = {}
    for rule in sorted(rules, key=lambda rule: rule.algorithm.takes_masked):
        place, column = places[rule.column]
        others = []
        for name in rule.algorithm.reads:
            if rule.algorithm.takes_masked and name in masked:
                others.append(masked[name])
            else:
                own, read = places[name]
                others.append([_canonical(read, row[own]) for row in rows])
        domain: Any = key.domain(rule.domain) if rule.domain else None
        given = [(_read(column, row[place]), *(each[n] for each in others)) for n, row in enumerate(rows)]
        made = rule.algorithm.mask_column(domain, given, column)
        masked[rule.column] = [stored(column, value) for value in made]
    return masked


def _read(column: Column, value: Any) -> Any:
    """A value as the database gives it back."""
    return value.rstrip(" ") if column.data_type in ("CHAR", "NCHAR") else value


def _canonical(column: Column, value: Any) -> str | None:
    """A value as the text that rules hash."""
    return None if value is None else written(_read(column, value))


def stored(column: Column, value: Any) -> Any:
    """A masked value as it is compared: without the blanks that pad it, rounded as the column rounds it."""
    if value is None or value == "":
        return None
    if column.data_type in ("CHAR", "NCHAR"):
        return str(value).rstrip(" ")
    if column.data_type == "NUMBER":
        exact = Decimal(str(value))
        return (
            exact if column.scale is None else exact.quantize(Decimal(1).scaleb(-column.scale), ROUND_HALF_UP)
        )
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time())
    return value
