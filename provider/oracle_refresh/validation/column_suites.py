"""What is expected of one masked column, and what counts the values that are not so. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.algorithms import proofs
from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements
from oracle_refresh.validation.expected import which_rule
from oracle_refresh.validation.facts import (
    DISTINCT,
    ROWS_FOUND,
    UNIQUE,
    Facts,
    rows_where,
    unexpected,
)
from oracle_refresh.validation.suite_queries import ROWS_QUERY, RowsQuery, quoted

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table
    from oracle_refresh.masking.algorithms.proofs import Proof, Scope
    from oracle_refresh.masking.rules import ColumnRule
    from oracle_refresh.validation.model import MaskedCheck

#: Entries of an IN list that every version of Oracle takes are 1,000 (ORA-01795).
MOST_LISTED = 900

Expected = dict[str, Any]
"""`type`, the expectation's arguments, and `meta`."""


@dataclass(frozen=True)
class ColumnSuite:
    """One masked column. Its expectations, each with what counts the values that are not as expected."""

    table: Table
    column: Column
    rules: tuple[ColumnRule, ...]
    check: MaskedCheck
    facts: Facts
    as_proven: bool

    def expected(self, masked: frozenset[str], rows: int) -> list[Expected]:
        check, rules = self.check, self.rules
        meta = {
            "rule": ", ".join(dict.fromkeys(rule.kind for rule in rules)),
            "changed_share": check.changed_share,
            "rows_compared": check.compared,
        }
        always = len(rules) == 1 and rules[0].where is None
        expectations: list[Expected] = []
        if all(rule.algorithm.empties for rule in rules) and rules[-1].where is None:
            expectations.append({"type": "expect_column_values_to_be_null"})
            self._count("null", f"{self._name} IS NOT NULL", check.count)
            self._count("nonnull", f"{self._name} IS NULL", rows - check.count)
        elif check.count:
            share = (
                {} if check.count == rows else {"mostly": math.floor(check.count / rows * 10_000) / 10_000}
            )
            expectations.append({"type": "expect_column_values_to_not_be_null", **share})
            self._count("nonnull", f"{self._name} IS NULL", rows - check.count)
            expectations += self._distinct(always)
            if always:
                expectations += self._format(rules[0])
            else:
                conditions = {name for rule in rules if rule.where for name in rule.where.columns}
                # Where conditions look at masked columns, the target does not show which rule it was.
                if not conditions & masked:
                    for place, rule in enumerate(rules, 1):
                        expectations += self._query(rule, f"{which_rule(rules)} = {place}", conditions)
        named = {"column": Identifier(self.column.name).written}
        return [
            {
                **(each if each["type"] == ROWS_QUERY else {"type": each["type"], **named, **each}),
                "meta": meta,
            }
            for each in expectations
        ]

    @property
    def _name(self) -> str:
        return proofs.name(self.column)

    def _count(self, kind: str, wrong: str, proven: int | None, **arguments: Any) -> None:
        self._add(unexpected(kind), lambda _: rows_where(wrong), proven, **arguments)

    def _add(self, metric: str, sql: Callable[[Scope], str], proven: int | None, **arguments: Any) -> None:
        column = {"column": self.column.name}
        self.facts.add(metric, column | arguments, sql, proven if self.as_proven else None)

    def _distinct(self, always: bool) -> list[Expected]:
        check, name = self.check, self._name
        key = any(c.type in ("P", "U") and c.columns == (self.column.name,) for c in self.table.constraints)
        if key or check.distinct == check.count:
            # How many rows share a value is asked only where any do.
            repeated = 0 if check.distinct == check.count else None
            self._add(UNIQUE, lambda _: f"COUNT({name}) - COUNT(DISTINCT {name})", repeated)
            return [{"type": "expect_column_values_to_be_unique"}]
        if check.distinct is None or not always:
            return []
        self._add(DISTINCT, lambda _: f"COUNT(DISTINCT {name})", check.distinct)
        count = {"min_value": check.distinct, "max_value": check.distinct}
        return [{"type": "expect_column_unique_value_count_to_be_between", **count}]

    def _format(self, rule: ColumnRule) -> list[Expected]:
        """What holds for all values of a column."""
        column, check = self.column, self.check
        proof = rule.algorithm.proof(column, RowsQuery(column))
        simple = column.data_type == "VARCHAR2" and rule.policy != "redact"
        if proof.pattern and simple:
            self._values("match_regex", rule, {"regex": proof.pattern})
            return [{"type": "expect_column_values_to_match_regex", "regex": proof.pattern}]
        if proof.bounds and column.data_type == "NUMBER":
            bounds = dict(zip(("min_value", "max_value"), proof.bounds, strict=True))
            self._values("between", rule, bounds)
            return [{"type": "expect_column_values_to_be_between", **bounds}]
        if proof.as_written and simple and 0 < len(proof.entries) <= MOST_LISTED:
            entries = sorted(set(proof.entries))

            def others(_: Scope) -> str:
                return rows_where(f"{self._name} NOT IN ({', '.join(map(quoted, entries))})")

            # The proof looks for entries without their letter case, which promises less.
            self._add(unexpected("in_set"), others, None, value_set=entries)
            return [{"type": "expect_column_values_to_be_in_set", "value_set": entries}]
        expectations = self._query(rule)
        if check.years is not None:
            year, first, last = f"TO_NUMBER(TO_CHAR({self._name}, 'YYYY'))", *check.years
            expectations += self._rows(
                f"{column.name}: no date outside the years it can have moved to",
                lambda _: f"{self._name} IS NOT NULL AND {year} NOT BETWEEN {first} AND {last}",
            )
        if proof.valid and check.valid == check.count:
            expectations += self._rows(
                f"{column.name}: check digits are right, as they all were",
                lambda scope: (
                    f"{self._name} IS NOT NULL AND NOT ({rule.algorithm.proof(column, scope).valid})"
                ),
                proven=0,
            )
        return expectations

    def _values(self, kind: str, rule: ColumnRule, arguments: dict[str, Any]) -> None:
        """What Great Expectations tests by the same test as the proof."""

        def wrong(scope: Scope) -> str:
            return rows_where(
                f"{self._name} IS NOT NULL AND NOT ({rule.algorithm.proof(self.column, scope).always})"
            )

        self._add(unexpected(kind), wrong, self.check.misfits, **arguments)

    def _query(
        self, rule: ColumnRule, condition: str | None = None, others: Collection[str] = ()
    ) -> list[Expected]:
        """The values of a rule that have not its format, or are not in its list."""
        column = self.column
        proof = rule.algorithm.proof(column, RowsQuery(column))
        if not proof.always and not proof.entries:
            return []

        def wrong(scope: Scope) -> str:
            proof = rule.algorithm.proof(column, scope)
            right = proof.always or _among(proof, column)
            if column.is_character and rule.policy == "redact":
                right = f"{right} OR {self._name} = {scope.bind(redaction_of(column))}"
            tests = [f"{self._name} IS NOT NULL", *([condition] if condition else [])]
            # A test that is neither true nor false is not passed.
            return f"{' AND '.join(tests)} AND CASE WHEN {right} THEN 0 ELSE 1 END = 1"

        told = f"{column.name}: values are what {rule.kind} makes"
        return self._rows(
            f"{told}, where {rule.where}" if rule.where else told,
            wrong,
            sorted(others),
            proven=None if condition else self.check.misfits,
        )

    def _rows(
        self,
        description: str,
        wrong: Callable[[Scope], str],
        others: Sequence[str] = (),
        proven: int | None = None,
    ) -> list[Expected]:
        query = RowsQuery(self.column)
        text = query.rows(wrong(query), others)
        self.facts.add(
            ROWS_FOUND,
            {"unexpected_rows_query": text},
            lambda scope: rows_where(wrong(scope)),
            proven if self.as_proven else None,
        )
        return [{"type": ROWS_QUERY, "description": description, "unexpected_rows_query": text}]


def _among(proof: Proof, column: Column) -> str:
    """SQL: whether a value is an entry of the rule's list.

    Entries are literals: databases prepare for a list of these, and compare with binds one after the other.
    """
    text = proof.entry or f"UPPER(TRIM({statements.canonical(column)}))"
    entries = [quoted(entry) if proof.entry else _upper(entry.strip(" ")) for entry in proof.entries]
    parts = [entries[place : place + MOST_LISTED] for place in range(0, len(entries), MOST_LISTED)]
    tests = [f"{text} IN ({', '.join(part)})" for part in parts]
    return " OR ".join([*tests, *([proof.excused] if proof.excused else [])])


def _upper(entry: str) -> str:
    """SQL: an entry in capitals; only of ASCII are Python's sure to be the database's."""
    return quoted(entry.upper()) if entry.isascii() else f"UPPER({quoted(entry)})"
