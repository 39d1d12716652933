"""Tables and views in a unit's static SQL: there, and the unit's owner may use them so.

Found while the unit is compiled. Of the owner's privileges those count that were granted directly, or to
PUBLIC (Database Security Guide, "How Roles Work in PL/SQL Blocks"; CREATE PROCEDURE, "Prerequisites").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import COMPILATION, line_and_column
from localoracle.plsql.units import names_before, refers_to, refers_to_path
from localoracle.postgres.privileges import require_tables
from localoracle.sql.translate import translate
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_NAME = re.compile(r'"?([\w$#]+)"?')
_UNKNOWN = re.compile(r'"([^"]+)": invalid identifier')


async def check_tables(session: Session, source: str, owner: str, checked: Iterable[tree.StaticSql]) -> None:
    """Raise ORA-06550 over ORA-00942 or ORA-01031 for the first that fails.

    The session looks from the owner's schema. What the translator refuses is found when it runs.
    """
    for static in checked:
        text = _text(source, static.sql)
        _refers_to_functions(static.sql)
        try:
            statement = _translated(session, owner, text, static.outputs)
        except OracleError:
            continue
        for table in statement.tables:
            written_owner, _, name = table.strip('"').rpartition('"."')
            refers_to(written_owner or None, name)
        await session.database.stale_views.settle(session, statement)
        try:
            await require_tables(session, statement, owner)
        except OracleError as error:
            raise refused(source, static.sql, text, error) from error


def _refers_to_functions(sql: tree.SqlText) -> None:
    """Names with arguments: a function, or one of a package. What is neither means nothing."""
    for index, token in enumerate(sql.tokens):
        if token.value == "(" and token.kind == "op" and index > 0:
            names = names_before(sql.tokens, index)
            refers_to_path(names)
            refers_to_path(names[:-1])


def refused(source: str, sql: tree.SqlText, text: str, error: OracleError) -> OracleError:
    """What is said of a unit or block with a statement that SQL refuses; `text`: as SQL was given it."""
    line, column = line_and_column(source, _place(sql, text, error))
    ignored = "line {}, column {}:\nPL/SQL: SQL Statement ignored".format(*line_and_column(source, sql.place))
    message = f"line {line}, column {column}:\nPL/SQL: ORA-{error.code:05d}: {error.text}"
    return OracleError(COMPILATION, f"{message}\nORA-06550: {ignored}", sql.place)


def _place(sql: tree.SqlText, text: str, error: OracleError) -> int:
    """Where the name stands that the error is about; the statement where it is about none."""
    named = _NAME.match(text, error.position) if error.position else _UNKNOWN.search(error.text)
    if named is not None:
        for token in sql.tokens:
            if token.value.upper() == named[1].upper():
                return token.start
    return sql.place


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
    into = ", ".join(f":OUT_{number}" for number in range(outputs))
    types = (DataType(OracleType.VARCHAR2),) * outputs
    packages = session.database.user_packages.seen_from(owner)
    return translate(f"{text} INTO {into}" if into else text, types, binds_by_name=True, packages=packages)
