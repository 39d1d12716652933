"""The columns of all tables of a suite, read together: SQLAlchemy needs three queries for each table by
itself, and as many for all tables of a schema. Great Expectations asks for them before it evaluates anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from oracle_refresh.validation.suite_queries import plain

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from oracle_refresh.oracle.identifiers import TableName


class ReadColumns:
    """What Great Expectations asks of SQLAlchemy's inspector, answered from what was read.

    Source: get_sqlalchemy_column_metadata of great_expectations 1.x.
    """

    def __init__(self, engine: Engine, tables: Iterable[TableName]) -> None:
        import sqlalchemy

        self.dialect = engine.dialect
        self._columns: dict[Any, list[Any]] = {}
        self._keys: dict[Any, Any] = {}
        by_owner: dict[str, list[str]] = {}
        for table in tables:
            by_owner.setdefault(plain(table.owner), []).append(plain(table.name))
        inspector = sqlalchemy.inspect(engine)
        for owner, names in by_owner.items():
            chosen: dict[str, Any] = {"schema": owner, "filter_names": names}
            chosen["kind"] = sqlalchemy.engine.reflection.ObjectKind.ANY
            self._columns |= inspector.get_multi_columns(**chosen)
            self._keys |= inspector.get_multi_pk_constraint(**chosen)

    def get_columns(self, table_name: str, schema: str) -> list[Any]:
        """:raises NoSuchTableError: where there is no such table."""
        import sqlalchemy

        if (schema, table_name) not in self._columns:
            raise sqlalchemy.exc.NoSuchTableError(table_name)
        return self._columns[schema, table_name]

    def get_pk_constraint(self, table_name: str, schema: str) -> Any:
        return self._keys.get((schema, table_name), {})
