"""INSERT without a column list gives a value to every column; PostgreSQL would fill up what is missing.

Source: SQL Language Reference 19c, INSERT, values_clause; ORA-00947.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.session.prepared import prepare
from localoracle.sql.parsing.lexer import literal

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement
    from localoracle.values import Value


async def check(session: Session, statement: Statement, values: Sequence[Value]) -> None:
    """ORA-00947 where there are fewer values than columns. Runs inside the statement's frame."""
    given = statement.whole_rows
    if given is None:
        return
    if isinstance(given, str):
        query = await prepare(session, session.backend, replace(statement, sql=(given,)), values)
        given = len(query.fields)
    found = await session.backend.script(
        "SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped"
        f" AND attrelid = to_regclass({literal(statement.tables[0])})"
    )
    if given < int(found[0].get_value(0, 0) or b"0"):
        raise OracleError(947, "not enough values")
