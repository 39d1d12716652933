"""Numbers that Great Expectations asks of a masked table: counted by its proof, or by one query. Pure.

Great Expectations asks for each number by the name of a metric and its arguments. What the proof of the
masking has counted over every row of the target, by the same test, is not counted again as long as nothing
can have written to the table since. All other numbers of a table come of one SELECT.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.algorithms.proofs import Scope
from oracle_refresh.validation.computed import Computed
from oracle_refresh.validation.statements import origin

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table

ROW_COUNT = "table.row_count"
ROWS_FOUND = "unexpected_rows_query.row_count"
DISTINCT = "column.distinct_values.count"
UNIQUE = "column_values.unique.unexpected_count"
#: Columns of a SELECT list; a view may have 1,000 (Database Reference 19c, Logical Database Limits).
MOST_COUNTED = 900

Asked = tuple[str, str]
"""The name of a metric, and its arguments as JSON."""


def asked(metric: str, arguments: Mapping[str, Any]) -> Asked:
    """What a number is asked for by; arguments that are None are left out."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return metric, json.dumps(given, sort_keys=True, default=str)


def unexpected(kind: str) -> str:
    """The metric of how many values of a column are not as expected."""
    return f"column_values.{kind}.unexpected_count"


def rows_where(wrong: str) -> str:
    """SQL: how many rows are wrong."""
    return f"COUNT(CASE WHEN {wrong} THEN 1 END)"


@dataclass
class Facts:
    """What is known, or can be counted, of one table."""

    table: Table
    masked: frozenset[str]
    """Its masked columns."""
    proven: dict[Asked, int] = field(default_factory=dict)
    counted: dict[Asked, Callable[[Scope], str]] = field(default_factory=dict)
    """Aggregates over the row T, in SQL."""

    def add(
        self, metric: str, arguments: Mapping[str, Any], sql: Callable[[Scope], str], proven: int | None
    ) -> None:
        """:param proven: the number, where the proof has counted it."""
        if proven is None:
            self.counted[asked(metric, arguments)] = sql
        else:
            self.proven[asked(metric, arguments)] = proven

    def queries(self) -> Iterator[tuple[str, dict[str, Any], tuple[Asked, ...]]]:
        """Statements with their binds, each with a row of the numbers that are named with it: one, unless a
        table has more than MOST_COUNTED numbers."""
        counted = list(self.counted.items())
        for part in (counted[place : place + MOST_COUNTED] for place in range(0, len(counted), MOST_COUNTED)):
            scope = Computed()
            numbers = ",\n".join(sql(scope) for _, sql in part)
            rows = scope.over(self.table, origin(self.table, at_scn=False), self.masked)
            statement = f"SELECT {numbers}\nFROM {rows}"
            yield statement, scope.binds, tuple(key for key, _ in part)
