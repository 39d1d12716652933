"""Queries for the rows that break a promise, as Great Expectations keeps them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation.computed import COMPUTED

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column

ROWS_QUERY = "unexpected_rows_expectation"

#: What stands around the columns of a query; Great Expectations may put in a query with an alias for the
#: table.
_SELECT, _FROM = "SELECT 1 AS MISFIT FROM (SELECT ", " FROM (SELECT "
_BATCH = " FROM {batch}) T) T WHERE "


@dataclass
class RowsQuery:
    """A test over the rows of one column as a query, with literals: a suite has no binds."""

    column: Column
    computed: list[str] = field(default_factory=list)

    def bind(self, value: str | int | float) -> str:
        return quoted(value) if isinstance(value, str) else repr(value)

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


def with_rowids(query: str) -> str:
    """A generated query for rows that are wrong, so that it returns their ROWIDs; `{batch}` is a table."""
    selecting = query.replace(_SELECT, "SELECT T.MISFIT FROM (SELECT T.ROWID AS MISFIT, ", 1)
    if _BATCH not in selecting:
        return selecting
    before, wrong = selecting.split(_BATCH, 1)
    return f"{before[: before.rindex(_FROM)]} FROM {{batch}} T) T WHERE {wrong}"


def quoted(value: str) -> str:
    """SQL: a text as a literal."""
    return "'" + value.replace("'", "''") + "'"


def plain(name: str) -> str:
    """Return the name as SQLAlchemy has it: in lower case if it needs no quotation marks."""
    return name.lower() if Identifier(name).written == name else name
