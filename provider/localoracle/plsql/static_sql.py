"""Tables and views in a unit's static SQL: there, and the unit's owner may use them so.

Found while the unit is compiled. Of the owner's privileges those count that were granted directly, or to
PUBLIC (Database Security Guide, "How Roles Work in PL/SQL Blocks"; CREATE PROCEDURE, "Prerequisites").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import compilation_error
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_CHANGES = {
    "INSERT": ["INSERT"],
    "UPDATE": ["UPDATE"],
    "DELETE": ["DELETE"],
    "MERGE": ["INSERT", "UPDATE"],
}
_TEXTS = {942: "table or view does not exist", 1031: "insufficient privileges"}


async def check_tables(session: Session, source: str, owner: str, checked: Iterable[tree.StaticSql]) -> None:
    """Raise ORA-06550 over ORA-00942 or ORA-01031 for the first that fails.

    The session looks from the owner's schema. What the translator refuses is found when it runs.
    """
    for found in checked:
        text = _text(source, found.sql)
        try:
            statement = _translated(session, owner, text, found.outputs)
        except OracleError:
            continue
        for number, (name, position) in enumerate(
            zip(statement.tables, statement.table_positions, strict=True)
        ):
            wanted = _CHANGES.get(statement.verb, ["SELECT"]) if number == 0 else ["SELECT"]
            rows = await session.pg_system("SELECT ora.table_refusal(%s, %s, %s)", [owner, name, wanted])
            if rows[0][0]:
                code = int(rows[0][0])
                place = found.sql.tokens[0].start + position
                message = f"ORA-{code:05d}: {_TEXTS[code]}"
                raise compilation_error(source, place, "PL/SQL", message, statement=True)


def _text(source: str, sql: tree.SqlText) -> str:
    """The statement as it stands, without what was cut out of it and without the colons of binds."""
    text: list[str] = []
    place = sql.tokens[0].start
    for token in sql.tokens:
        gap = source[place : token.start]
        text.append(gap if not gap.strip() else " " * len(gap))
        written = source[token.start : token.end]
        text.append(" " + written[1:] if token.kind == "bind" else written)
        place = token.end
    return "".join(text)


def _translated(session: Session, owner: str, text: str, outputs: int) -> Statement:
    from localoracle.sql import translate

    into = ", ".join(f":OUT_{number}" for number in range(outputs))
    types = (DataType(OracleType.VARCHAR2),) * outputs
    packages = session.database.user_packages.seen_from(owner)
    return translate(f"{text} INTO {into}" if into else text, types, binds_by_name=True, packages=packages)
