"""A translated statement as PostgreSQL has it prepared, with its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import psycopg

from localoracle.postgres.backend import Backend, Prepared
from localoracle.postgres.parameters import encode, materialize
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement


async def bound(
    session: Session, backend: Backend, statement: Statement, values: Sequence[Value]
) -> tuple[Prepared, list[bytes | None], list[int]]:
    prepared = await prepare(session, backend, statement, values)
    parameters: list[bytes | None] = []
    formats: list[int] = []
    for index, oid in zip(statement.parameters, prepared.parameter_types, strict=True):
        data, form = encode(await materialize(values[index].value), oid, session.database.types)
        parameters.append(data)
        formats.append(form)
    return prepared, parameters, formats


async def prepare(
    session: Session, backend: Backend, statement: Statement, values: Sequence[Value]
) -> Prepared:
    """Parse and describe; binds whose type PostgreSQL cannot infer get the one the client declared."""
    try:
        return await backend.prepare(statement.sql[0])
    except (psycopg.errors.IndeterminateDatatype, psycopg.errors.AmbiguousFunction):
        if session.backend.in_transaction and backend is session.backend:
            await session.transaction.undo_statement(keep=True)
        types = tuple(session.database.types.parameter_type(values[i].datatype) for i in statement.parameters)
        return await backend.prepare(statement.sql[0], types)
