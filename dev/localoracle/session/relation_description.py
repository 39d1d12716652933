"""A table or view described by its name alone, for clients that ask so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot.errors import TokenError

from localoracle.errors import OracleError
from localoracle.session import execution
from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.lexer import Cursor, quote_qualified
from localoracle.values import Column

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NO_TABLE, _NO_OBJECT = 942, 4043


async def describe_relation(session: Session, name: str) -> tuple[list[Column], bool]:
    """The columns of what is named as in a statement, without the invisible ones; and whether it is a view.

    Raises ORA-04043 where there is none, also for what no statement could name.
    """
    missing = OracleError(_NO_OBJECT, f"object {name} does not exist")
    try:
        cursor = Cursor(DIALECT.tokenize(name), name)
        schema, relation = cursor.qualified()
    except (OracleError, TokenError):
        raise missing from None
    if not cursor.done:
        raise missing
    try:
        columns = await execution.describe(session, f"SELECT * FROM {quote_qualified(schema, relation)}", 0)
    except OracleError as error:
        raise missing if error.code == _NO_TABLE else error from None
    found = await session.pg_system(
        "SELECT relkind IN ('v', 'm') FROM pg_class WHERE oid = to_regclass(%s)",
        [quote_qualified(schema or session.current_schema, relation)],
    )
    return columns, bool(found and found[0][0])
