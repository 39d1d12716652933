"""The columns of all tables of a suite, read together: SQLAlchemy needs three queries for each table by
itself, and as many for all tables of a schema. Great Expectations asks for them before it evaluates anything.

Great Expectations gets names as the dictionary stores them, each marked to be quoted. In SQLAlchemy's own
lower case they would be other names where an identifier needs quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from oracle_refresh.oracle.identifiers import TableName


def exact(name: str) -> Any:
    """The name for SQLAlchemy, which writes it in quotation marks."""
    import sqlalchemy

    return sqlalchemy.sql.quoted_name(name, quote=True)


class ReadColumns:
    """What Great Expectations asks of SQLAlchemy's inspector, answered from what was read.

    Source: get_sqlalchemy_column_metadata of great_expectations 1.x.
    """

    def __init__(self, engine: Engine, tables: Iterable[TableName]) -> None:
        import sqlalchemy

        self.dialect: Any = engine.dialect
        self._columns: dict[tuple[str, str], list[Any]] = {}
        self._keys: dict[tuple[str, str], Any] = {}
        by_owner: dict[str, list[str]] = {}
        for table in tables:
            by_owner.setdefault(table.owner, []).append(self.dialect.normalize_name(table.name))
        inspector = sqlalchemy.inspect(engine)
        for owner, names in by_owner.items():
            chosen: dict[str, Any] = {"schema": self.dialect.normalize_name(owner), "filter_names": names}
            chosen["kind"] = sqlalchemy.engine.reflection.ObjectKind.ANY
            columns = inspector.get_multi_columns(**chosen)
            keys = inspector.get_multi_pk_constraint(**chosen)
            for (_, name), found in columns.items():
                stored = [{**column, "name": self._stored(column["name"])} for column in found]
                self._columns[owner, self._stored(name)] = stored
            for (_, name), key in keys.items():
                listed = [self._stored(column) for column in key.get("constrained_columns") or ()]
                self._keys[owner, self._stored(name)] = {**key, "constrained_columns": listed}

    def _stored(self, name: str) -> Any:
        """A name of SQLAlchemy's as the dictionary has it."""
        return exact(str(self.dialect.denormalize_name(name)))

    def get_columns(self, table_name: str, schema: str) -> list[Any]:
        """:raises NoSuchTableError: where there is no such table."""
        import sqlalchemy

        if (schema, table_name) not in self._columns:
            raise sqlalchemy.exc.NoSuchTableError(table_name)
        return self._columns[schema, table_name]

    def get_pk_constraint(self, table_name: str, schema: str) -> Any:
        return self._keys.get((schema, table_name), {})
