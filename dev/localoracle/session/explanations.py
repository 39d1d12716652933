"""What a failure means beyond the text of its error: an invalid view, a synonym over a link, a type ..."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError, not_supported
from localoracle.plsql.lexer import tokenize
from localoracle.plsql.schema_types import InvalidType, find_type
from localoracle.session import function_calls

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_INVALID_DATATYPE = 902
_NO_TABLE = 942
_NO_RELATION = re.compile(r'relation "(?:(?P<owner>.*)\.)?(?P<name>.*)" does not exist')
_RAISED = re.compile(r"ORA-(\d{5}): (.*)")


async def of_execution(session: Session, statement: Statement, error: OracleError) -> OracleError | None:
    """The error that a failed statement is answered with instead; None where there is nothing to add."""
    if error.code == 2149 and await _unpartitioned(session, error):
        return OracleError(14501, "object is not partitioned")
    refused = await function_calls.refusal(session, statement, error)
    if refused is not None:
        return refused
    if _names_a_column(error, statement):
        return OracleError(984, "column not allowed here")
    if error.code == 942 and _unknown_sequence(error, statement):
        return OracleError(2289, "sequence does not exist")
    if error.code == 942:
        await _refuse_remote_synonym(session, error, statement)
    return await _invalid_object(session, error)


async def of_translation(session: Session, sql: str, error: OracleError) -> OracleError:
    """ORA-03001 with the type's name instead of "invalid datatype" where the name is a type's."""
    if error.code != _INVALID_DATATYPE or error.position is None:
        return error
    first, *rest = tokenize(sql[error.position :])
    names = [first.value]
    if len(rest) > 1 and rest[0].value == ".":
        names.append(rest[1].value)
    owner = names[0] if len(names) == 2 else session.current_schema
    try:
        datatype = await find_type(session, owner, names[-1])
    except InvalidType:
        return error
    return error if datatype is None else not_supported(f"the type {'.'.join(names)} in SQL")


def is_stale_plan(error: OracleError) -> bool:
    """Whether a table was altered since the statement was prepared."""
    cause = error.__cause__
    return isinstance(cause, psycopg.errors.FeatureNotSupported) and "cached plan" in str(cause)


async def _unpartitioned(session: Session, error: OracleError) -> bool:
    """Whether the table of a partition that is not there has no partitions at all."""
    missing = re.search(r'relation "(.*)\$P\$', str(error.__cause__))
    if missing is None:
        return False
    rows = await session.pg_system(
        "SELECT 1 FROM pg_class WHERE oid = to_regclass(%s) AND relkind <> 'p'",
        [".".join(f'"{part}"' for part in missing[1].replace('"', "").split("."))],
    )
    return bool(rows)


async def _refuse_remote_synonym(session: Session, error: OracleError, statement: Statement) -> None:
    """ORA-03001 if the relation that PostgreSQL misses is behind a database link."""
    missing = re.search(r'relation "(?:(.*)\.)?(.*)" does not exist', str(error.__cause__))
    if missing and await session.database.remote_synonyms.find(session, missing[1], missing[2]):
        raise not_supported(f"{statement.verb} with {missing[2]}, which is behind a database link") from error


def _names_a_column(error: OracleError, statement: Statement) -> bool:
    """Whether INSERT ... VALUES gives a column as a value. Those of a multitable INSERT may be columns."""
    cause = error.__cause__
    return (
        statement.verb == "INSERT"
        and not statement.insert_from_query
        and not statement.counts_rows
        and isinstance(cause, psycopg.errors.UndefinedColumn)
        and "of relation" not in str(cause)
    )


def _unknown_sequence(error: OracleError, statement: Statement) -> bool:
    """Whether the relation that PostgreSQL misses is the object of NEXTVAL or CURRVAL."""
    missing = re.search(r'relation "(.*)" does not exist', str(error.__cause__))
    if missing is None:
        return False
    name = missing[1].split(".")[-1]
    return re.search(rf"""(?:next|curr)val\('[^']*"?{re.escape(name)}"?'""", statement.sql[0]) is not None


async def _invalid_object(session: Session, error: OracleError) -> OracleError | None:
    """ORA-04063, ORA-00980 or ORA-01775 in the place of ORA-00942; None where no such object has the name."""
    missing = _NO_RELATION.search(str(error.__cause__)) if error.code == _NO_TABLE else None
    if missing is None:
        return None
    rows = await session.pg_system(
        "SELECT ora.missing_relation(%s, %s, %s, %s)",
        [session.role, session.current_schema, missing["owner"], missing["name"]],
    )
    raised = _RAISED.fullmatch(rows[0][0]) if rows[0][0] else None
    return OracleError(int(raised[1]), raised[2], error.position) if raised else None
