"""The WITH clause of a statement.

Oracle has one per statement: none inside a common table expression, none on a branch of UNION (SQL Language
Reference 19c, subquery_factoring_clause; ORA-32034).
"""

from __future__ import annotations


class CommonTables:
    """The common table expressions of one statement, each after those that it reads."""

    def __init__(self) -> None:
        self._queries: dict[str, str] = {}

    def add(self, name: str, query: str) -> str:
        """Add a query and return its name, which is another one where `name` is taken."""
        unique, number = name, 1
        while unique in self._queries:
            number += 1
            unique = f"{name}_{number}"
        self._queries[unique] = query
        return unique

    def over(self, query: str) -> str:
        """SQL: the query with the WITH clause that it reads."""
        if not self._queries:
            return query
        tables = ",\n".join(f"{name} AS ({text})" for name, text in self._queries.items())
        return f"WITH {tables}\n{query}"
