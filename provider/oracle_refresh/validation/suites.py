"""Suites of Great Expectations from the rules of masked tables and what their proof has counted. Pure.

One suite for each table: what each rule promises of the values that it masks, as far as the target alone can
tell. What Great Expectations has an expectation for is that one; everything else, such as check digits, is a
query for the rows that break the promise (`UnexpectedRowsExpectation`). Every expectation is evaluated in the
database.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements
from oracle_refresh.validation.computed import COMPUTED
from oracle_refresh.validation.expected import which_rule

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table
    from oracle_refresh.masking.algorithms.proofs import Proof
    from oracle_refresh.masking.rules import ColumnRule
    from oracle_refresh.validation.model import MaskedCheck, TableCheck

ROWS_QUERY = "unexpected_rows_expectation"
#: Entries of an IN list that every version of Oracle takes are 1,000 (ORA-01795).
MOST_LISTED = 900

#: What stands around the columns of a query; Great Expectations may put in a query with an alias for the
#: table.
_SELECT, _FROM = "SELECT 1 AS MISFIT FROM (SELECT ", " FROM (SELECT "
_BATCH = " FROM {batch}) T) T WHERE "
_BESIDE = ("type", "meta", "description")

Expected = dict[str, Any]
"""`type`, the expectation's arguments, and `meta`."""


@dataclass
class _Query:
    """A test over the rows of one column as a query, with literals: a suite has no binds."""

    column: Column
    computed: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"T.{Identifier(self.column.name).sql}"

    def bind(self, value: str | int | float) -> str:
        return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)

    def once(self, expression: str) -> str:
        # The query has one level: what others are made of is written out in them.
        whole = COMPUTED.sub(lambda match: f"({self.computed[int(match[1]) - 1]})", expression)
        if whole not in self.computed:
            self.computed.append(whole)
        return f"T.Z${self.computed.index(whole) + 1}"

    def rows(self, wrong: str, others: Sequence[str] = ()) -> str:
        """A query with a row for each row that is wrong.

        Great Expectations puts the table in for `{batch}`, reads doubled braces as one, and takes a word
        after a colon for a bind, unless the colon is escaped (SQLAlchemy's `text`).
        """
        columns = [Identifier(name).sql for name in dict.fromkeys((self.column.name, *others))]
        names = [f"T.{column}" for column in columns]
        names += [f"{expression} AS Z${number}" for number, expression in enumerate(self.computed, 1)]
        inner, own, wrong = (
            part.replace("{", "{{").replace("}", "}}")
            for part in (", ".join(names), ", ".join(columns), wrong)
        )
        sql = f"{_SELECT}{inner}{_FROM}{own}{_BATCH}{wrong}"
        return sql.replace(":", "\\:")


def suite_of(table: Table, rules: Sequence[ColumnRule], check: TableCheck) -> list[Expected]:
    """What is expected of one masked table; nothing where it has no rules.

    :param check: the proof of the table's masking: what was not NULL, unique, or valid before.
    """
    counted = {each.column: each for each in check.masked}
    masked = frozenset(rule.column for rule in rules)
    expectations: list[Expected] = []
    for name, own in sorted(by_column(rules).items()):
        column = statements.column_of(table, name)
        if name in counted:
            expectations += _column(table, column, own, masked, counted[name], check.rows_target)
    if expectations:
        expectations.insert(0, {"type": "expect_table_row_count_to_equal", "value": check.rows_source})
    return expectations


def with_rowids(query: str) -> str:
    """A generated query for rows that are wrong, so that it returns their ROWIDs; `{batch}` is a table."""
    selecting = query.replace(_SELECT, "SELECT T.MISFIT FROM (SELECT T.ROWID AS MISFIT, ", 1)
    if _BATCH not in selecting:
        return selecting
    before, wrong = selecting.split(_BATCH, 1)
    return f"{before[: before.rindex(_FROM)]} FROM {{batch}} T) T WHERE {wrong}"


def suite_json(table: Table, expectations: Sequence[Expected], about: dict[str, Any]) -> dict[str, Any]:
    """The suite as Great Expectations keeps it: `ExpectationSuite(**document)` opens it."""
    return {
        "name": f"{table.key} masked",
        "expectations": [
            {
                "type": each["type"],
                "kwargs": {name: value for name, value in each.items() if name not in _BESIDE}
                | ({"column": plain(Identifier.parse(each["column"]).name)} if "column" in each else {}),
                "description": each.get("description"),
                "meta": each.get("meta", {}),
            }
            for each in expectations
        ],
        "meta": {"table": table.key, **about},
    }


def plain(name: str) -> str:
    """SQLAlchemy writes names that Oracle keeps in upper case in lower case, and keeps all others."""
    return name.lower() if name == name.upper() else name


def _column(
    table: Table,
    column: Column,
    rules: tuple[ColumnRule, ...],
    masked: frozenset[str],
    check: MaskedCheck,
    rows: int,
) -> list[Expected]:
    meta = {
        "rule": ", ".join(dict.fromkeys(rule.kind for rule in rules)),
        "changed_share": check.changed_share,
        "rows_compared": check.compared,
    }
    always = len(rules) == 1 and rules[0].where is None
    expectations: list[Expected] = []
    if all(rule.algorithm.empties for rule in rules) and rules[-1].where is None:
        expectations.append({"type": "expect_column_values_to_be_null"})
    elif check.count:
        share = {} if check.count == rows else {"mostly": math.floor(check.count / rows * 10_000) / 10_000}
        expectations.append({"type": "expect_column_values_to_not_be_null", **share})
        key = any(c.type in ("P", "U") and c.columns == (column.name,) for c in table.constraints)
        if key or check.distinct == check.count:
            expectations.append({"type": "expect_column_values_to_be_unique"})
        elif check.distinct is not None and always:
            count = {"min_value": check.distinct, "max_value": check.distinct}
            expectations.append({"type": "expect_column_unique_value_count_to_be_between", **count})
        if always:
            expectations += _format(rules[0], column, check)
        else:
            conditions = {name for rule in rules if rule.where for name in rule.where.columns}
            # Where conditions look at masked columns, the target does not show which rule it was.
            if not conditions & masked:
                for place, rule in enumerate(rules, 1):
                    expectations += _query(rule, column, f"{which_rule(rules)} = {place}", conditions)
    named = {"column": Identifier(column.name).written}
    return [
        {**(each if each["type"] == ROWS_QUERY else {"type": each["type"], **named, **each}), "meta": meta}
        for each in expectations
    ]


def _format(rule: ColumnRule, column: Column, check: MaskedCheck) -> list[Expected]:
    """What holds for all values of a column."""
    proof = rule.algorithm.proof(column, _Query(column))
    simple = column.data_type == "VARCHAR2" and rule.policy != "redact"
    if proof.pattern and simple:
        return [{"type": "expect_column_values_to_match_regex", "regex": proof.pattern}]
    if proof.bounds and column.data_type == "NUMBER":
        least, most = proof.bounds
        return [{"type": "expect_column_values_to_be_between", "min_value": least, "max_value": most}]
    if proof.as_written and simple and 0 < len(proof.entries) <= MOST_LISTED:
        return [{"type": "expect_column_values_to_be_in_set", "value_set": sorted(set(proof.entries))}]
    expectations = _query(rule, column)
    if check.years is not None:
        query = _Query(column)
        year = f"TO_NUMBER(TO_CHAR({query.name}, 'YYYY'))"
        wrong = f"{query.name} IS NOT NULL AND {year} NOT BETWEEN {check.years[0]} AND {check.years[1]}"
        expectations.append(
            _rows(f"{column.name}: no date outside the years it can have moved to", query.rows(wrong))
        )
    if proof.valid and check.valid == check.count:
        query = _Query(column)
        valid = rule.algorithm.proof(column, query).valid
        wrong = f"{query.name} IS NOT NULL AND NOT ({valid})"
        expectations.append(
            _rows(f"{column.name}: check digits are right, as they all were", query.rows(wrong))
        )
    return expectations


def _query(
    rule: ColumnRule, column: Column, condition: str | None = None, others: Collection[str] = ()
) -> list[Expected]:
    """The values of a rule that have not its format, or are not in its list."""
    query = _Query(column)
    proof = rule.algorithm.proof(column, query)
    right = proof.always or _among(proof, column, query)
    if right is None:
        return []
    if column.is_character and rule.policy == "redact":
        right = f"{right} OR {query.name} = {query.bind(redaction_of(column))}"
    tests = [f"{query.name} IS NOT NULL", *([condition] if condition else [])]
    # A test that is neither true nor false is not passed.
    wrong = f"{' AND '.join(tests)} AND CASE WHEN {right} THEN 0 ELSE 1 END = 1"
    told = f"{column.name}: values are what {rule.kind} makes"
    return [_rows(f"{told}, where {rule.where}" if rule.where else told, query.rows(wrong, sorted(others)))]


def _among(proof: Proof, column: Column, query: _Query) -> str | None:
    """SQL: whether a value is an entry of the rule's list."""
    if not proof.entries:
        return None
    text = proof.entry or f"UPPER(TRIM({statements.canonical(column)}))"
    entries = [
        query.bind(entry) if proof.entry else f"UPPER({query.bind(entry.strip(' '))})"
        for entry in proof.entries
    ]
    parts = [entries[place : place + MOST_LISTED] for place in range(0, len(entries), MOST_LISTED)]
    tests = [f"{text} IN ({', '.join(part)})" for part in parts]
    return " OR ".join([*tests, *([proof.excused] if proof.excused else [])])


def _rows(description: str, query: str) -> Expected:
    return {"type": ROWS_QUERY, "description": description, "unexpected_rows_query": query}
