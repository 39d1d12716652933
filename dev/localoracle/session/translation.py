"""A session's SQL translated, with what the translation has to know of its schema and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.sql import bind_names, translate
from localoracle.values import DataType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement


def translated(
    session: Session,
    sql: str,
    types: Sequence[DataType | None],
    *,
    binds_by_name: bool = False,
    functions: frozenset[str] = frozenset(),
) -> Statement:
    """See `translate`."""
    database, schema = session.database, session.current_schema
    return translate(
        sql,
        tuple(types),
        binds_by_name=binds_by_name,
        temporary=database.temporary_tables.seen_from(schema),
        packages=database.user_packages.seen_from(schema),
        functions=functions,
        shown=database.invisible_columns.seen_from(schema),
        lengths_in_bytes=session.settings.length_semantics == "BYTE",
    )


def translated_with(
    session: Session,
    sql: str,
    values: Sequence[Value],
    by_name: Mapping[str, Value] | None = None,
    functions: frozenset[str] = frozenset(),
) -> tuple[Statement, Sequence[Value]]:
    """The translated statement and the values in the order that its parameters refer to."""
    if by_name is not None:
        names = list(dict.fromkeys(bind_names(sql)))
        if any(name not in by_name for name in names):
            raise OracleError(1008, "not all variables bound")
        values = [by_name[name] for name in names]
    types = [value.datatype for value in values]
    statement = translated(session, sql, types, binds_by_name=by_name is not None, functions=functions)
    return statement, values
