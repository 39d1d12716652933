"""From the catalogue's table and the rules to one pass per table. Pure: nothing here talks to a database.

Two forms of the pass:

* `UPDATE` with every masked value computed in place, when no rule needs a join;
* `MERGE` by ROWID over a query that joins lookups and maps. A *map* holds each distinct value of a column
  once with its masked value: fewer hashes for columns that repeat themselves, and the only affordable form
  for algorithms that permute.

Which algorithm a rule has decides nothing here but through what `Algorithm` declares. Keys appear as binds
only: a compiled statement names the parts of subkeys that it needs (`KeyBind`), the run fills them in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from oracle_refresh.masking import statements
from oracle_refresh.masking.algorithms.base import Pads, capacity, text_sql
from oracle_refresh.masking.algorithms.common_tables import CommonTables
from oracle_refresh.masking.algorithms.permutation import Secrets
from oracle_refresh.masking.algorithms.protocol import LookupTable
from oracle_refresh.masking.control import run_stem, stem
from oracle_refresh.masking.fit import check_table, column_of, is_key, redaction_of
from oracle_refresh.masking.keys import KeyPart
from oracle_refresh.masking.plan import (
    Bind,
    Conformity,
    KeyBind,
    Lookup,
    Map,
    MaskPlan,
    Proof,
    SharedMap,
    Statement,
)
from oracle_refresh.masking.rules import ColumnRule, by_column
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table

__all__ = ["check_table", "compile_table", "declared", "may_repeat"]

#: Above this share of distinct values a map costs more than it saves: building it reads, hashes and joins
#: every value.
MAP_BELOW = 0.6


def compile_table(
    table: Table, rules: tuple[ColumnRule, ...], run_id: str, distinct: Mapping[str, float] | None = None
) -> MaskPlan:
    """The plan that masks a table.

    :param distinct: per column the share of distinct values among its values, 0 to 1; unknown counts as 1.
    :raises MaskingError: when a rule does not fit its column, or the table has no rule.
    """
    check_table(table, rules)
    return _Compilation(table, rules, run_id, distinct or {}).plan()


def may_repeat(rule: ColumnRule) -> bool:
    """Whether the share of distinct values decides if the rule gets a map."""
    return rule.algorithm.mapped == "when_repeated" and not rule.algorithm.reads


class _Compilation:
    def __init__(
        self, table: Table, rules: tuple[ColumnRule, ...], run_id: str, distinct: Mapping[str, float]
    ) -> None:
        self.table = table
        self.rules = by_column(rules)
        self.run_id = run_id
        self.distinct = distinct
        self.stem = stem(run_id, table.key)
        self.lookups: dict[str, Lookup] = {}
        self.shared: dict[str, SharedMap] = {}
        self.maps: list[Map] = []
        self.conformity: list[Conformity] = []
        self.joins: list[str] = []
        self.values: dict[str, str | None] = {}
        self.binds = _Binds()

    def plan(self) -> MaskPlan:
        values = [(Identifier(column).sql, self.value(column)) for column in self.rules]
        names = [name for name, _ in values]
        if self.joins:
            sql = statements.merge(self.table.sql, values, self.joins, names)
        else:
            sql = statements.update(self.table.sql, [f"{name} = {value}" for name, value in values], names)
        return MaskPlan(
            self.table.owner,
            self.table.name,
            tuple(self.rules),
            tuple(self.lookups.values()),
            # In one order for all tables: each is locked until the transaction ends.
            tuple(self.shared[name] for name in sorted(self.shared)),
            tuple(self.maps),
            tuple(self.conformity),
            statements.lock(self.table.sql),
            Statement(sql, self.binds.values),
            self._proofs(),
            tuple(values),
            tuple(self.joins),
            self.stem,
        )

    def value(self, name: str) -> str:
        """The masked value of a column over the row T; compiled once, whoever asks first."""
        if name not in self.rules:
            raise MaskingError(
                f"the column {name} has no rule, but another rule is made of its masked value",
                object_name=self.table.key,
                step="masking plan",
            )
        if name not in self.values:
            self.values[name] = None
            self.values[name] = self._value(name)
        known = self.values[name]
        if known is None:
            raise MaskingError(
                f"the rule of {name} is made of its own masked value",
                object_name=self.table.key,
                step="masking plan",
            )
        return known

    def _value(self, name: str) -> str:
        rules, column = self.rules[name], column_of(self.table, name)
        parts = [self._branch(rule, column, number) for number, rule in enumerate(rules, 1)]
        conditions = [rule.where.sql() if rule.where else None for rule in rules]
        if conditions == [None]:
            return parts[0]
        cases = " ".join(
            f"WHEN {condition} THEN {part}"
            for condition, part in zip(conditions, parts, strict=True)
            if condition
        )
        rest = parts[-1] if conditions[-1] is None else f"T.{Identifier(name).sql}"
        return f"CASE {cases} ELSE {rest} END"

    def _branch(self, rule: ColumnRule, column: Column, number: int) -> str:
        """The masked value where the rule holds.

        A text for a national column is converted here: beside the column's own value in a CASE it would be
        refused (ORA-12704). NULL and a value that stays stand for themselves: in an expression NULL would be
        a text, which columns of objects do not take (ORA-00932).
        """
        reference = f"T.{Identifier(column.name).sql}"
        if rule.algorithm.empties:
            return "NULL"
        if not rule.algorithm.masks:
            return reference
        condition = self._condition(rule, number)
        if self._has_map(rule):
            value = f"{self._mapped(rule, column, condition)}.MASKED"
            if rule.policy == "redact":
                value = f"NVL({value}, {self.binds.add(redaction_of(column))})"
        else:
            context = _Context(self, rule, self.binds, self.joins, row=True)
            value = rule.algorithm.expression(context, column, reference)
            value = self._guarded(rule, column, reference, condition, value)
            if column.is_national:
                value = f"TO_NCHAR({value})"
        return f"CASE WHEN {reference} IS NOT NULL THEN {value} END"

    def _condition(self, rule: ColumnRule, number: int) -> str | None:
        """What holds for the rows that the so-manyth rule of a column masks; None: all."""
        rules = self.rules[rule.column]
        if len(rules) == 1 and rule.where is None:
            return None
        cases = " ".join(
            f"WHEN {each.where.sql()} THEN {place}" for place, each in enumerate(rules, 1) if each.where
        )
        rest = f" ELSE {len(rules)}" if rules[-1].where is None else ""
        return f"CASE {cases}{rest} END = {number}"

    def _guarded(
        self, rule: ColumnRule, column: Column, reference: str, condition: str | None, value: str
    ) -> str:
        """A value without a map, kept from rows whose value does not conform."""
        context = _Context(self, rule, self.binds, self.joins, row=True)
        conforms = rule.algorithm.conforms(context, column, reference)
        if conforms is None:
            return value
        alone = _Binds()
        test, pattern = rule.algorithm.conforms(
            _Context(self, rule, alone, [], row=True), column, reference
        ) or ("", "")
        where = f"{reference} IS NOT NULL AND NOT ({test})" + (f" AND {condition}" if condition else "")
        sql = statements.misfits(self.table.sql, pattern, where)
        tells = rule.algorithm.tells_misfits
        in_pass = tells and rule.policy == "fail" and condition is None
        self.conformity.append(
            Conformity(column.name, Statement(sql, alone.values), rule.policy, in_pass, column.is_national)
        )
        if rule.policy == "fail" or (tells and rule.policy == "null"):
            return value  # the pass fails, or does not run, where one value does not conform
        other = self.binds.add(redaction_of(column)) if rule.policy == "redact" else "NULL"
        return f"NVL({value}, {other})" if tells else f"CASE WHEN {conforms[0]} THEN {value} ELSE {other} END"

    def _has_map(self, rule: ColumnRule) -> bool:
        if rule.algorithm.mapped == "when_repeated":
            proof = rule.algorithm.guarantees.unique == "checked" and is_key(self.table, rule.column)
            repeated = self.distinct.get(rule.column, 1.0) < MAP_BELOW
            return not rule.algorithm.reads and (proof or repeated)
        return rule.algorithm.mapped != "never"

    def _mapped(self, rule: ColumnRule, column: Column, condition: str | None) -> str:
        name, binds, joins = f"REFRESH$M_{self.stem}_{len(self.maps) + 1}", _Binds(), list[str]()
        algorithm, by_row = rule.algorithm, rule.algorithm.mapped == "by_row"
        reference = Identifier(column.name).sql
        context = _Context(self, rule, binds, joins, row=by_row)
        if by_row:
            others = [context.other(each) for each in algorithm.reads]
            values = statements.rows(self.table.sql, reference, others, condition)
        else:
            values = statements.distinct_values(self.table.sql, reference, condition)
        if algorithm.mapped == "when_repeated":
            expression = algorithm.expression(context, column, "D.V")
            conforms = None if algorithm.tells_misfits else algorithm.conforms(context, column, "D.V")
            if conforms:
                expression = f"CASE WHEN {conforms[0]} THEN {expression} END"
            query = f"SELECT D.V, {expression} AS MASKED FROM ({values}) D " + " ".join(joins)
        else:
            shared = self._shared(rule, column, values)
            query = shared or algorithm.query(context, column, values)
        unique = algorithm.guarantees.unique
        self.maps.append(
            Map(
                name,
                column.name,
                statements.create_map(name, "ROWID" if by_row else declared(column), declared(column)),
                Statement(context.tables.over(query), binds.values),
                statements.check_map(name, by_row),
                statements.map_patterns(
                    name, self.table.sql, "ROWID" if by_row else reference, text_sql(column, f"T.{reference}")
                ),
                unique == "always" or (unique != "no" and is_key(self.table, column.name)),
                algorithm.guarantees.changes,
                rule.policy,
            )
        )
        alias = f"X{len(self.maps)}"
        joined = "T.ROWID" if by_row else f"T.{reference}"
        self.joins.append(f'LEFT JOIN "{name}" {alias} ON {alias}.ORIGINAL = {joined}')
        return alias

    def _shared(self, rule: ColumnRule, column: Column, values: str) -> str | None:
        """The map's query where the domain has a map of its own, which the statement extends before."""
        stem = hashlib.sha256(f"{rule.domain}".encode()).hexdigest()[:12].upper()
        kept = getattr(rule.algorithm, "keep", False)
        name = f"REFRESH$K_{stem}" if kept else f"REFRESH$S_{stem}_{run_stem(self.run_id)}"
        binds = _Binds()
        text = f"SELECT DISTINCT {text_sql(column, 'V')} AS V FROM ({values})"
        extend = rule.algorithm.shared_map(_Context(self, rule, binds, [], row=False), text, f'"{name}"')
        if extend is None:
            return None
        create = statements.create_map(name, "VARCHAR2(1000 CHAR)", "VARCHAR2(1000 CHAR)")
        key = f"{name} {column.name}"
        self.shared[key] = SharedMap(
            name,
            create,
            statements.lock(f'"{name}"'),
            Statement(statements.unmonitored(extend), binds.values),
        )
        own = text_sql(column, "D.V")
        return f'SELECT D.V, K.MASKED FROM ({values}) D LEFT JOIN "{name}" K ON K.ORIGINAL = {own}'

    def lookup(self, wanted: LookupTable) -> str:
        """The name of the control table, created once per plan."""
        if wanted.key not in self.lookups:
            name = f"REFRESH$L_{self.stem}_{len(self.lookups) + 1}"
            self.lookups[wanted.key] = Lookup(
                name,
                statements.create_lookup(name, wanted.columns),
                statements.insert_lookup(name, [column for column, _ in wanted.columns]),
                wanted.columns,
                wanted.rows,
            )
        return f'"{self.lookups[wanted.key].name}"'

    def _proofs(self) -> tuple[Proof, ...]:
        """Keys of several columns have to be looked at: what is unique in one column need not be in all."""
        return tuple(
            Proof(constraint.name, statements.repeated(self.table.sql, constraint.columns))
            for constraint in self.table.constraints
            if constraint.type in ("P", "U") and len(constraint.columns) > 1
            if any(
                rule.algorithm.guarantees.unique != "always"
                for name in constraint.columns
                for rule in self.rules.get(name, ())
            )
        )


class _Context:
    """The `SqlContext` of one rule within one statement."""

    def __init__(
        self, compilation: _Compilation, rule: ColumnRule, binds: _Binds, joins: list[str], *, row: bool
    ) -> None:
        self.compilation, self.rule, self.binds, self.joins = compilation, rule, binds, joins
        self.tables = CommonTables()
        self.row = row
        """Whether the statement has the row as T, or distinct values only."""
        self.domain, self.alias = rule.domain or "", "L"

    def part(self, domain: str) -> _Context:
        part = _Context(self.compilation, self.rule, self.binds, [], row=False)
        part.domain, part.alias, part.tables = domain, "J", self.tables
        return part

    def pads(self, part: str = "") -> Pads:
        return self.pads_of(f"{self.domain}.{part}" if part else self.domain)

    def pads_of(self, domain: str) -> Pads:
        inner, outer = (self.binds.add(KeyBind(domain, part)) for part in (KeyPart.INNER, KeyPart.OUTER))
        return Pads(inner, outer, self.binds.add)

    def permutation(self) -> Secrets:
        return Secrets(lambda part: self.binds.add(KeyBind(self.domain, part)))

    def bind(self, value: str | int | float) -> str:
        return self.binds.add(value)

    def lookup(self, table: LookupTable) -> str:
        return self.compilation.lookup(table)

    def table(self, name: str, query: str) -> str:
        return self.tables.add(name, query)

    def join(self, table: str, condition: str) -> str:
        alias = f"{self.alias}{len(self.joins) + 1}"
        on = condition.replace("{alias}", alias)
        self.joins.append(f"LEFT JOIN {table} {alias} ON {on}")
        return alias

    def other(self, column: str) -> str:
        self._need_row()
        described = column_of(self.compilation.table, column)
        return text_sql(described, f"T.{Identifier(described.name).sql}")

    def masked(self, column: str) -> str:
        self._need_row()
        return self.compilation.value(column)

    def _need_row(self) -> None:
        assert self.row, f"{self.rule.kind} declares that it reads no other column"


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


def declared(column: Column) -> str:
    """The column's type as DDL writes it."""
    if not column.is_character:
        if column.data_type == "NUMBER" and column.precision:
            return f"NUMBER({column.precision},{column.scale or 0})"
        return column.data_type
    if column.data_type.startswith("N"):
        return f"{column.data_type}({column.char_length})"
    size, unit = capacity(column)
    return f"{column.data_type}({size} {'CHAR' if unit == 'characters' else 'BYTE'})"
