"""Restrictions on queries that hang on the types of their columns, which only the database knows.

Sources: SQL Language Reference 19c, "LONG Data Type", "The UNION [ALL], INTERSECT, MINUS Operators"; Error
Messages, ORA-00997, ORA-12704, ORA-25155.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.postgres.types import TEXT
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.postgres.backend import Backend, Field
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement
    from localoracle.values import Column, Value

_LONG = (OracleType.LONG, OracleType.LONG_RAW)
_CHARACTER = (OracleType.VARCHAR2, OracleType.CHAR)


def refuse_long_expressions(columns: Sequence[Column], fields: Sequence[Field]) -> None:
    """ORA-00997: a LONG in a select list is a column of a table, no result of an expression.

    UNION ALL, which makes the columns of several tables one, is no matter: it compares nothing.
    """
    for column, field in zip(columns, fields, strict=True):
        if column.datatype.type in _LONG and not field.table:
            raise OracleError(997, "illegal use of LONG datatype")


async def check(session: Session, backend: Backend, statement: Statement, values: Sequence[Value]) -> None:
    """ORA-12704 between the branches of set operators, ORA-00997 in INSERT ... SELECT, ORA-25155."""
    await check_natural_joins(session, backend, statement, values)
    if statement.inserted_query:
        inserted = await _described(session, backend, statement, statement.inserted_query, values)
        if any(datatype.type in _LONG for datatype, _ in inserted):
            raise OracleError(997, "illegal use of LONG datatype")
    for both in statement.branches:
        left = await _described(session, backend, statement, both.left, values)
        right = await _described(session, backend, statement, both.right, values)
        left_sets, right_sets = _character_sets(left, both.left_sets), _character_sets(right, both.right_sets)
        if any(
            {first, second} == {True, False} for first, second in zip(left_sets, right_sets, strict=False)
        ):
            raise OracleError(12704, "character set mismatch")


async def check_natural_joins(
    session: Session, backend: Backend, statement: Statement, values: Sequence[Value]
) -> None:
    """ORA-25155: a column that both sides of a NATURAL join have is named with a qualifier."""
    types = session.database.types
    given = tuple(types.parameter_type(values[index].datatype) for index in statement.parameters)
    for join in statement.natural_joins:
        left, right = [await backend.prepare(query, given) for query in (join.left, join.right)]
        common = {field.name for field in left.fields} & {field.name for field in right.fields}
        if common & join.qualified:
            raise OracleError(25155, "column used in NATURAL join cannot have qualifier")


def _character_sets(
    columns: Sequence[tuple[DataType, bool]], plain: Sequence[bool | None]
) -> list[bool | None]:
    """Of columns whether they are of the national character set, None where that is not certain."""
    plain = plain if len(plain) == len(columns) else [None] * len(columns)
    return [
        written if written is not None else datatype.national if certain else None
        for (datatype, certain), written in zip(columns, plain, strict=True)
    ]


async def _described(
    session: Session, backend: Backend, statement: Statement, query: str, values: Sequence[Value]
) -> list[tuple[DataType, bool]]:
    """The types of a query's columns, and whether they are strings of a certain character set.

    The result of a function is text here, of whatever character set its arguments are.
    """
    types = session.database.types
    given = tuple(types.parameter_type(values[index].datatype) for index in statement.parameters)
    prepared = await backend.prepare(query, given)
    datatypes = [types.datatype(field.type, field.modifier) for field in prepared.fields]
    return [
        (datatype, datatype.type in _CHARACTER and field.type != TEXT)
        for datatype, field in zip(datatypes, prepared.fields, strict=True)
    ]
