"""Suites of Great Expectations from the rules of masked tables and what their proof has counted. Pure.

One suite for each table: what each rule promises of the values that it masks, as far as the target alone can
tell. What Great Expectations has an expectation for is that one; everything else, such as check digits, is a
query for the rows that break the promise (`UnexpectedRowsExpectation`). Every expectation is evaluated in the
database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements
from oracle_refresh.validation.column_suites import ColumnSuite, Expected
from oracle_refresh.validation.facts import ROW_COUNT, Facts
from oracle_refresh.validation.suite_queries import plain

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.rules import ColumnRule
    from oracle_refresh.validation.model import TableCheck

_BESIDE = ("type", "meta", "description")


@dataclass(frozen=True)
class Suite:
    """What is expected of one table, and the numbers that tell whether it is so."""

    expectations: tuple[Expected, ...]
    facts: Facts


def suite_of(
    table: Table, rules: Sequence[ColumnRule], check: TableCheck, *, as_proven: bool = False
) -> Suite | None:
    """What is expected of one masked table; None where it has no rules.

    :param check: the proof of the table's masking: what was not NULL, unique, or valid before.
    :param as_proven: whether nothing can have written to the table since, so that what the proof has counted
        need not be counted again.
    """
    counted = {each.column: each for each in check.masked}
    masked = frozenset(rule.column for rule in rules)
    facts = Facts(table, masked)
    expectations: list[Expected] = []
    for name, own in sorted(by_column(rules).items()):
        column = statements.column_of(table, name)
        if name in counted:
            made = ColumnSuite(table, column, own, counted[name], facts, as_proven)
            expectations += made.expected(masked, check.rows_target)
    if not expectations:
        return None
    expectations.insert(0, {"type": "expect_table_row_count_to_equal", "value": check.rows_source})
    facts.add(ROW_COUNT, {}, lambda _: "COUNT(*)", check.rows_target if as_proven else None)
    return Suite(tuple(expectations), facts)


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
