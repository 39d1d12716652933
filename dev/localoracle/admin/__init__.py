"""Administration: users, roles, grants, directories, tablespaces, the instance and the session.

Statements of the SQL Language Reference that do not touch data. What is documented but not known here is
refused with ORA-03001 naming it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from localoracle.admin import database, grants, instance, links, recovery, storage, users
from localoracle.sql.parsing.lexer import Cursor, tokenize

if TYPE_CHECKING:
    from localoracle.session.session import Session


_WHOLE: dict[str, Callable[[Session, Cursor], Awaitable[str]]] = {
    "GRANT": grants.grant,
    "REVOKE": grants.revoke,
    "PURGE": storage.purge,
    "SET ROLE": instance.set_role,
    "ALTER SESSION": instance.alter_session,
    "ALTER SYSTEM": instance.alter_system,
}
_OBJECTS: dict[str, Callable[[Session, str, Cursor], Awaitable[str]]] = {
    "USER": users.user,
    "ROLE": users.role,
    "PROFILE": users.profile,
    "RESTORE POINT": recovery.restore_point,
    "DIRECTORY": storage.directory,
}


async def execute(session: Session, sql: str) -> str:
    """Run one administrative statement; returns its verb ("CREATE USER"). Raises OracleError."""
    cursor = Cursor(tokenize(sql).tokens, sql)
    if words := cursor.take(*_WHOLE):
        return await _WHOLE[words](session, cursor)
    if links.at(cursor):
        return await links.execute(session, cursor)
    if cursor.at("ALTER DATABASE", "CREATE DATABASE", "DROP DATABASE"):
        return await database.execute(session, cursor)
    action = cursor.take("CREATE OR REPLACE", "CREATE", "ALTER", "DROP") or ""
    kind = cursor.take(*_OBJECTS)
    return await (_OBJECTS[kind] if kind else storage.tablespace)(session, action, cursor)
