"""Types that CREATE TYPE made, where a statement names one as a data type: refused, no column has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql.lexer import tokenize
from localoracle.plsql.schema_types import InvalidType, find_type

if TYPE_CHECKING:
    from localoracle.session.session import Session

_INVALID_DATATYPE = 902


async def explained(session: Session, sql: str, error: OracleError) -> OracleError:
    """ORA-03001 with the type's name instead of "invalid datatype" where the name is a type's."""
    if error.code != _INVALID_DATATYPE or error.position is None:
        return error
    first, *rest = tokenize(sql[error.position :])
    names = [first.value]
    if len(rest) > 1 and rest[0].value == ".":
        names.append(rest[1].value)
    owner = names[0] if len(names) == 2 else session.current_schema
    try:
        found = await find_type(session, owner, names[-1])
    except InvalidType:
        return error
    return error if found is None else not_supported(f"the type {'.'.join(names)} in SQL")
