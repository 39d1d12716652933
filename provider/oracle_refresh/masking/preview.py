"""The dry run of a masking: how a table would be masked, by which statements, and some masked values.

Nothing is changed: the facts and the first rows are read, and their masked values are those of the
references. Originals are never told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking import statements
from oracle_refresh.masking.algorithms.base import text_sql
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.facts import in_bigfile_tablespace, read_facts
from oracle_refresh.masking.fit import check_table, column_of
from oracle_refresh.masking.rules import ColumnRule, by_column
from oracle_refresh.masking.run import distinct_shares
from oracle_refresh.masking.strategy import Options, Strategy, choose
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.plan import MaskPlan
    from oracle_refresh.masking.rules import Ruleset

WHOLE_COLUMN = "(follows from the whole column)"
UNMASKED = "no rules: the table is left as it is"
MISFIT = "(does not conform)"


@dataclass(frozen=True)
class Preview(Jsonable):
    """What a masking would do. `statements` are in the order of their running, without keys."""

    owner: str
    name: str
    strategy: str
    statements: tuple[str, ...]
    columns: tuple[str, ...]
    sample: tuple[tuple[str | None, ...], ...]
    """Masked values of some rows, in the order of `columns`; None is NULL."""


def preview_table(
    connection: oracledb.Connection,
    table: Table,
    ruleset: Ruleset,
    key: MasterKey,
    run_id: str,
    options: Options | None = None,
    *,
    rows: int = 5,
) -> Preview:
    """The dry run of `mask_table`.

    :param rows: how many rows the sample has at most.
    :raises MaskingError: when a rule does not fit.
    """
    options = options or Options()
    rules = ruleset.rules(table.owner, table.name)
    if not rules:
        return Preview(table.owner, table.name, UNMASKED, (), (), ())
    check_table(table, rules)
    distinct = distinct_shares(connection, table, rules)
    plan = compile_table(table, rules, run_id, distinct)
    strategy = choose(read_facts(connection, table, rules, plan, options), options.strategy)
    sample = _sample(connection, table, rules, key, rows)
    return Preview(
        table.owner,
        table.name,
        str(strategy),
        _statements(plan, table, strategy, bigfile=in_bigfile_tablespace(connection, table)),
        plan.columns,
        sample,
    )


def _statements(plan: MaskPlan, table: Table, strategy: Strategy, *, bigfile: bool) -> tuple[str, ...]:
    whole = tuple(part.strip() for part in plan.explain().split(";\n") if part.strip())
    if strategy.kind == "in_place":
        return whole
    before, after = whole[: whole.index(plan.lock)], whole[whole.index(plan.lock) + 1 :]
    pass_at = after.index(plan.apply.sql)
    if strategy.kind == "chunks":
        listed = plan.rows_table
        first: tuple[str, ...] = (
            statements.create_rows(listed),
            statements.fill_rows(listed, plan.table),
            statements.index_rows(listed),
            statements.listed_chunks(listed),
        )
        chunk = plan.chunk_update
        last: tuple[str, ...] = (statements.drop(plan.rows_table),)
    else:
        first = (
            f"-- CREATE TABLE {plan.copy.sql}: the table's own DDL",
            statements.ranges(plan.table, bigfile),
        )
        chunk = plan.insert_chunk(column.name for column in table.columns)
        last = (
            statements.rename(plan.table, plan.former.name),
            statements.rename(plan.copy.sql, plan.name),
            f"DROP TABLE {plan.former.sql} PURGE",
        )
    return (*before, *after[:pass_at], *first, chunk, *after[pass_at + 1 :], *last)


def masked_sample(
    connection: oracledb.Connection,
    table: Table,
    rules: tuple[ColumnRule, ...],
    key: MasterKey,
    number: int,
    beside: Iterable[str] = (),
) -> list[dict[str, Any]]:
    """Return rows with masked values by column, and the values of the columns `beside` as they are.

    Rows with a value that does not conform are left out. A value that follows from all rows is absent.
    """
    sample = []
    for row in _rows(connection, table, rules, key, number, beside):
        masked = {name: row.row["value", name] for name in beside}
        try:
            for column in row.rules:
                with suppress(_FromWholeColumn):
                    masked[column] = row.masked(column)
        except MaskingError:
            continue
        sample.append(masked)
    return sample


def misfits(
    connection: oracledb.Connection, table: Table, rules: tuple[ColumnRule, ...], key: MasterKey, number: int
) -> list[tuple[ColumnRule, int, int]]:
    """Return the rules that refuse values of a sample, how many, and how many values they were given.

    A value that is made of masked ones is not counted where one of those is refused.
    """
    refused, given = Counter[int](), Counter[int]()
    for row in _rows(connection, table, rules, key, number):
        wrong = {column for column in row.rules if row.is_refused(column)}
        for column in row.rules:
            rule = row.rule(column)
            if rule is None or row.row["value", column] is None:
                continue
            place = next(place for place, each in enumerate(rules) if each is rule)
            given[place] += 1
            made_of = rule.algorithm.reads if rule.algorithm.takes_masked else ()
            refused[place] += column in wrong and wrong.isdisjoint(made_of)
    return [(rules[place], count, given[place]) for place, count in sorted((+refused).items())]


def _sample(
    connection: oracledb.Connection, table: Table, rules: tuple[ColumnRule, ...], key: MasterKey, number: int
) -> tuple[tuple[str | None, ...], ...]:
    found = _rows(connection, table, rules, key, number)
    return tuple(tuple(each.shown(column) for column in each.rules) for each in found)


def _rows(
    connection: oracledb.Connection,
    table: Table,
    rules: tuple[ColumnRule, ...],
    key: MasterKey,
    number: int,
    beside: Iterable[str] = (),
) -> Iterator[_Row]:
    """Rows of a sample: each column, whether each condition holds, what other columns say."""
    selected: dict[tuple[str, Any], str] = {("value", name): f"T.{Identifier(name).sql}" for name in beside}
    for rule in rules:
        selected["value", rule.column] = f"T.{Identifier(rule.column).sql}"
        if rule.where:
            selected["where", str(rule.where)] = f"CASE WHEN {rule.where.sql()} THEN 1 END"
        for name in rule.algorithm.reads:
            selected["text", name] = text_sql(column_of(table, name), f"T.{Identifier(name).sql}")
    query = f"SELECT {', '.join(selected.values())} FROM {table.sql} T WHERE ROWNUM <= {number}"
    grouped = by_column(rules)
    for values in rows(connection, query):
        yield _Row(table, grouped, key, dict(zip(selected, values, strict=True)))


class _FromWholeColumn(Exception):
    """The value follows from rows that are not in the sample."""


@dataclass(frozen=True)
class _Row:
    table: Table
    rules: Mapping[str, tuple[ColumnRule, ...]]
    key: MasterKey
    row: Mapping[tuple[str, Any], Any]

    def shown(self, column: str) -> str | None:
        rule = self.rule(column)
        if rule is None:
            return "(no rule holds for this row)"
        try:
            masked = self.masked(column)
        except MaskingError:
            return MISFIT
        except _FromWholeColumn:
            return WHOLE_COLUMN
        return None if masked is None else str(masked)[:200]

    def is_refused(self, column: str) -> bool:
        """Whether the value of a column does not conform."""
        try:
            with suppress(_FromWholeColumn):
                self.masked(column)
        except MaskingError:
            return True
        return False

    def masked(self, column: str) -> Any:
        rule, value = self.rule(column), self.row["value", column]
        if rule is None or value is None:
            return value
        algorithm = rule.algorithm
        if algorithm.whole_column:
            raise _FromWholeColumn
        others = [
            self.masked(name) if algorithm.takes_masked else self.row["text", name]
            for name in algorithm.reads
        ]
        key: Any = self.key.domain(rule.domain) if rule.domain else None
        described = column_of(self.table, column)
        if isinstance(value, str) and described.data_type in ("CHAR", "NCHAR"):
            value = value.rstrip(" ")
        (masked,) = algorithm.mask_column(key, [(value, *others)], described)
        return masked

    def rule(self, column: str) -> ColumnRule | None:
        for rule in self.rules[column]:
            if rule.where is None or self.row["where", str(rule.where)]:
                return rule
        return None
