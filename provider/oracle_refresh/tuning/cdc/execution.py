"""Statements of the change capture room, and what the database says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import TuningError, from_oracle

if TYPE_CHECKING:
    import oracledb


def execute(
    connection: oracledb.Connection, step: str, text: str, about: str | None = None, **binds: Any
) -> None:
    """:raises TuningError: with the ORA code, the step, and what it was about."""
    import oracledb

    with connection.cursor() as cursor:
        try:
            cursor.execute(text, binds)
        except oracledb.DatabaseError as error:
            raise from_oracle(error, step, about, TuningError) from error


def fetch(connection: oracledb.Connection, step: str, query: str, **binds: Any) -> list[tuple[Any, ...]]:
    """:raises TuningError: with the ORA code and the step."""
    import oracledb

    with connection.cursor() as cursor:
        try:
            cursor.execute(query, binds)
            return list(cursor)
        except oracledb.DatabaseError as error:
            raise from_oracle(error, step, kind=TuningError) from error
