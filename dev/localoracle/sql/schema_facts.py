"""What a translation has to know of the schemas beside the text of a statement.

DDL makes contexts of its own in the middle of a statement, so the facts are a context variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple


class TableFacts(NamedTuple):
    """A table of which a translation has to know more than the statement says."""

    name: str
    """As the statement has it, quoted; of a synonym its own."""
    columns: tuple[str, ...] | None
    """Those that are shown, if not every column in the order of creation."""
    archival: str | None
    """TABLE or SYNONYM where it has row archival."""
    key: tuple[str, ...]
    """The primary key of an index-organized table."""


@dataclass(frozen=True)
class SchemaFacts:
    """Those of tables are found by the quoted names that the statement has for each."""

    packages: frozenset[str] = frozenset()
    """The packages of schemas as statements write them: PACKAGE, OWNER.PACKAGE."""
    called_by_name: frozenset[str] = frozenset()
    """Stored functions that the statement calls without parentheses."""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The shown columns of tables that do not show every column in the order of creation."""
    archived: Mapping[str, bool] = field(default_factory=dict)
    """Tables with row archival (True) and synonyms for them (False)."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The columns of the primary key of index-organized tables."""

    @classmethod
    def of(
        cls, tables: Iterable[TableFacts], packages: frozenset[str], called_by_name: frozenset[str]
    ) -> SchemaFacts:
        return cls(
            packages,
            called_by_name,
            {table.name: table.columns for table in tables if table.columns is not None},
            {table.name: table.archival == "TABLE" for table in tables if table.archival},
            {table.name: table.key for table in tables if table.key},
        )


schema_facts: ContextVar[SchemaFacts] = ContextVar("schema_facts", default=SchemaFacts())  # noqa: B039
