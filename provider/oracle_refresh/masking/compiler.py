"""From the catalogue's table and the rules to one pass per table. Pure: nothing here talks to a database.

Two forms of the pass:

* `UPDATE` with every masked value computed in place, when no rule needs a join;
* `MERGE` by ROWID over a query that joins lookups and maps. A *map* holds each distinct value of a column
once with
  its masked value: fewer hashes for columns that repeat themselves, and the only affordable form for
  character mapping.

Keys appear as binds only: a compiled statement names the pads it needs (`KeyPad`), the run fills them in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from oracle_refresh.errors import MaskingError
from oracle_refresh.identifiers import Identifier, table_key
from oracle_refresh.masking import statements
from oracle_refresh.masking.algorithms import CharacterMapping, DateShift, Email, Redaction, SecureLookup
from oracle_refresh.masking.algorithms.base import Pads, capacity, text_sql

if TYPE_CHECKING:
    from oracle_refresh.catalog import Catalogue, Column, Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.ruleset import ColumnRule, Ruleset

#: Above this share of distinct values a map costs more than it saves: building it reads, hashes and joins
#: every value.
MAP_BELOW = 0.6
UNIQUE_KINDS = frozenset({"email", "character_mapping"})


@dataclass(frozen=True)
class KeyPad:
    """A bind that the run fills with a pad of the domain's subkey."""

    domain: str
    side: Literal["inner", "outer"]


Bind = str | int | float | KeyPad


@dataclass(frozen=True)
class Statement:
    """One statement with its binds; the key's are placeholders until `resolve`."""

    sql: str
    binds: Mapping[str, Bind] = field(default_factory=dict)

    def resolve(self, key: MasterKey) -> dict[str, str | int | float]:
        """The binds with the pads of a key."""
        resolved: dict[str, str | int | float] = {}
        for name, value in self.binds.items():
            if isinstance(value, KeyPad):
                domain = key.domain(value.domain)
                resolved[name] = domain.inner() if value.side == "inner" else domain.outer()
            else:
                resolved[name] = value
        return resolved


@dataclass(frozen=True)
class Lookup:
    """A control table with the entries of one lookup: (index, entry, next entry)."""

    name: str
    create: str
    insert: str
    rows: tuple[tuple[int, str, str], ...] = field(repr=False)


@dataclass(frozen=True)
class Map:
    """A control table with the distinct values of one column and their masked values."""

    name: str
    column: str
    create: str
    fill: Statement
    check: str
    unique: bool
    """Whether the algorithm promises that two values never meet."""


@dataclass(frozen=True)
class MaskPlan:
    """All statements that mask one table, in the order of their running: lookups, maps, the pass, drops."""

    owner: str
    name: str
    columns: tuple[str, ...]
    lookups: tuple[Lookup, ...]
    maps: tuple[Map, ...]
    lock: str
    apply: Statement

    @property
    def control_tables(self) -> tuple[Lookup | Map, ...]:
        """The tables that exist while the masking runs."""
        return (*self.lookups, *self.maps)

    @property
    def drops(self) -> tuple[str, ...]:
        """The statements that remove the control tables."""
        return tuple(statements.drop(table.name) for table in self.control_tables)

    def explain(self) -> str:
        """Every statement, as text without keys."""
        parts = [table.create for table in self.control_tables]
        parts += [self.lock, *(part for table in self.maps for part in (table.fill.sql, table.check))]
        return ";\n\n".join([*parts, self.apply.sql, *self.drops]) + ";\n"


def compile_table(
    table: Table, rules: tuple[ColumnRule, ...], run_id: str, distinct: Mapping[str, float] | None = None
) -> MaskPlan:
    """The plan that masks a table.

    :param distinct: per column the share of distinct values among its values, 0 to 1; unknown counts as 1.
    :raises MaskingError: when a rule does not fit its column, or the table has no rule.
    """
    check_table(table, rules)
    compilation = _Compilation(table, run_id, distinct or {})
    for rule in rules:
        compilation.add(rule)
    return compilation.plan(tuple(rule.column for rule in rules))


def check_table(table: Table, rules: tuple[ColumnRule, ...]) -> None:
    """Raise MaskingError when a rule does not fit the table: unknown column, type, width, keys."""
    if not rules:
        raise MaskingError(
            "the ruleset has no rule for this table", object_name=table.key, step="masking plan"
        )
    for rule in rules:
        column = _column(table, rule.column)
        if column.virtual:
            raise _misfit(table, rule, "the column is virtual and follows from others: mask those")
        rule.algorithm.check(column)
        if rule.subject is not None:
            text_sql(_column(table, rule.subject), rule.subject)
        for constraint in table.constraints:
            keyed = constraint.type in ("P", "U") and constraint.columns == (rule.column,)
            if keyed and rule.kind not in UNIQUE_KINDS:
                raise _misfit(
                    table, rule, f"{rule.kind} is not unique, but {constraint.name} is a unique key"
                )


def check_catalogue(
    ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[tuple[str, str]] = ()
) -> list[str]:
    """All that keeps a ruleset from being applied to the catalogue, one sentence each; empty when it fits.

    Besides every table's own rules, the two ends of an enabled foreign key must be masked by the same domain.

    :param excluded: (owner, name) of tables that are not copied by intention; their rules have no effect.
    """
    problems: list[str] = []
    for (owner, name), rules in ruleset.tables.items():
        table = catalogue.table(owner, name)
        if (owner, name) in excluded:
            continue
        if table is None:
            problems.append(f"{table_key(owner, name)}: the refresh has no such table")
            continue
        for rule in rules:
            try:
                check_table(table, (rule,))
            except MaskingError as error:
                problems.append(f"{table.key}.{rule.column}: {error}")
    for table, constraint in catalogue.foreign_keys():
        if not constraint.enabled:
            continue
        parent, key = _referenced(catalogue, constraint.ref_owner, constraint.ref_constraint)
        for child_column, parent_column in zip(constraint.columns, key, strict=False):
            domains = [_domain(ruleset, table, child_column), _domain(ruleset, parent, parent_column)]
            if domains[0] != domains[1]:
                problems.append(
                    f"{table.key}.{child_column}: its foreign key {constraint.name} would break: it and "
                    "the column it refers to are not masked by the same domain"
                )
    return problems


def require_fit(ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[tuple[str, str]] = ()) -> None:
    """:raises MaskingError: listing everything that `check_catalogue` finds."""
    problems = check_catalogue(ruleset, catalogue, excluded)
    if problems:
        raise MaskingError(
            f"the ruleset does not fit, nothing was changed: {'; '.join(problems)}",
            object_name=ruleset.name,
            step="masking plan",
            remedy="correct the ruleset, then clear this task",
        )


class _Compilation:
    def __init__(self, table: Table, run_id: str, distinct: Mapping[str, float]) -> None:
        self.table = table
        self.distinct = distinct
        self.stem = hashlib.sha256(f"{run_id}\0{table.key}".encode()).hexdigest()[:12].upper()
        self.lookups: dict[str, Lookup] = {}
        self.maps: list[Map] = []
        self.joins: list[str] = []
        self.values: list[tuple[str, str]] = []
        self.binds = _Binds()

    def add(self, rule: ColumnRule) -> None:
        column = _column(self.table, rule.column)
        name = Identifier(rule.column).sql
        reference = f"T.{name}"
        if isinstance(rule.algorithm, CharacterMapping) or self._worth_a_map(rule):
            value = self._mapped(rule, column)
        else:
            expression, joins = self._expression(rule, column, reference, self.binds)
            self.joins += joins
            value = f"CASE WHEN {reference} IS NOT NULL THEN {expression} END"
        self.values.append((name, value))

    def _worth_a_map(self, rule: ColumnRule) -> bool:
        repeated = self.distinct.get(rule.column, 1.0) < MAP_BELOW
        return repeated and isinstance(rule.algorithm, SecureLookup | Email)

    def _expression(
        self, rule: ColumnRule, column: Column, reference: str, binds: _Binds
    ) -> tuple[str, list[str]]:
        pads = binds.pads(rule.domain)
        match rule.algorithm:
            case SecureLookup() as algorithm:
                alias = f"L{len(self.values) + 1}"
                index = algorithm.index_sql(pads, column, reference)
                join = f'LEFT JOIN "{self._lookup(rule, algorithm)}" {alias} ON {alias}.IDX = {index}'
                return algorithm.value_sql(column, reference, alias), [join]
            case DateShift() as algorithm:
                subject = _column(self.table, rule.subject or "")
                text = text_sql(subject, f"T.{Identifier(subject.name).sql}")
                return algorithm.sql(pads, column, reference, text), []
            case Email() | Redaction() as algorithm:
                return algorithm.sql(pads, column, reference), []
            case _:
                raise AssertionError(rule.kind)

    def _mapped(self, rule: ColumnRule, column: Column) -> str:
        name, binds = f"REFRESH$M_{self.stem}_{len(self.maps) + 1}", _Binds()
        values = statements.distinct_values(self.table.sql, Identifier(column.name).sql)
        if isinstance(rule.algorithm, CharacterMapping):
            query = rule.algorithm.query(binds.pads(rule.domain), column, values)
        else:
            expression, joins = self._expression(rule, column, "D.V", binds)
            query = f"SELECT D.V, {expression} FROM ({values}) D " + " ".join(joins)
        self.maps.append(
            Map(
                name,
                column.name,
                statements.create_map(name, _declared(column)),
                Statement(statements.fill_map(name, query), binds.values),
                statements.check_map(name),
                rule.kind in UNIQUE_KINDS and getattr(rule.algorithm, "fold", "none") == "none",
            )
        )
        alias = f"X{len(self.maps)}"
        self.joins.append(f'LEFT JOIN "{name}" {alias} ON {alias}.ORIGINAL = T.{Identifier(column.name).sql}')
        return f"{alias}.MASKED"

    def _lookup(self, rule: ColumnRule, algorithm: SecureLookup) -> str:
        key = rule.lookup or ""
        if key not in self.lookups:
            name = f"REFRESH$L_{self.stem}_{len(self.lookups) + 1}"
            longest = max(map(len, algorithm.values))
            create = statements.create_lookup(name, longest)
            rows = tuple(algorithm.rows())
            self.lookups[key] = Lookup(name, create, statements.insert_lookup(name), rows)
        return self.lookups[key].name

    def plan(self, columns: tuple[str, ...]) -> MaskPlan:
        names = [name for name, _ in self.values]
        if self.joins:
            sql = statements.merge(self.table.sql, self.values, self.joins, names)
        else:
            assignments = [f"{name} = {value}" for name, value in self.values]
            sql = statements.update(self.table.sql, assignments, names)
        return MaskPlan(
            self.table.owner,
            self.table.name,
            columns,
            tuple(self.lookups.values()),
            tuple(self.maps),
            statements.lock(self.table.sql),
            Statement(sql, self.binds.values),
        )


class _Binds:
    """The named binds of one statement."""

    def __init__(self) -> None:
        self.values: dict[str, Bind] = {}

    def add(self, value: Bind) -> str:
        """The placeholder of a value; equal values share one."""
        for name, known in self.values.items():
            if known == value and type(known) is type(value):
                return f":{name}"
        name = f"b{len(self.values) + 1}"
        self.values[name] = value
        return f":{name}"

    def pads(self, domain: str | None) -> Pads:
        if domain is None:
            return Pads("", "", self.add)
        return Pads(self.add(KeyPad(domain, "inner")), self.add(KeyPad(domain, "outer")), self.add)


def _column(table: Table, name: str) -> Column:
    column = table.column(name)
    if column is None:
        raise MaskingError(
            f"there is no column {name}",
            object_name=table.key,
            step="masking plan",
            remedy="correct the ruleset; names are upper case unless they were created in quotation marks",
        )
    return column


def _misfit(table: Table, rule: ColumnRule, why: str) -> MaskingError:
    return MaskingError(why, object_name=f"{table.key}.{rule.column}", step="masking plan")


def _declared(column: Column) -> str:
    """The column's type as DDL writes it."""
    if column.data_type.startswith("N"):
        return f"{column.data_type}({column.char_length})"
    size, unit = capacity(column)
    return f"{column.data_type}({size} {'CHAR' if unit == 'characters' else 'BYTE'})"


def _referenced(
    catalogue: Catalogue, owner: str | None, constraint: str | None
) -> tuple[Table | None, tuple[str, ...]]:
    for table in catalogue.tables:
        if table.owner == owner:
            for candidate in table.constraints:
                if candidate.name == constraint:
                    return table, candidate.columns
    return None, ()


def _domain(ruleset: Ruleset, table: Table | None, column: str) -> str | None:
    if table is None:
        return None
    return next(
        (
            f"{rule.kind}/{rule.domain}"
            for rule in ruleset.rules(table.owner, table.name)
            if rule.column == column
        ),
        None,
    )
