"""Administration: users, roles, grants, directories, tablespaces, the instance and the session.

Statements of the SQL Language Reference that do not touch data. What is documented but not known here is
refused with ORA-03001 naming it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import database, grants, instance, links, recovery, storage, users
from localoracle.sql.parsing.lexer import Cursor, tokenize

if TYPE_CHECKING:
    from localoracle.session.session import Session


async def execute(session: Session, sql: str) -> str:
    """Run one administrative statement; returns its verb ("CREATE USER"). Raises OracleError."""
    cursor = Cursor(tokenize(sql).tokens, sql)
    if cursor.take("GRANT"):
        return await grants.grant(session, cursor)
    if cursor.take("REVOKE"):
        return await grants.revoke(session, cursor)
    if cursor.take("PURGE"):
        return await storage.purge(session, cursor)
    if cursor.take("SET ROLE"):
        return await instance.set_role(session, cursor)
    if cursor.take("ALTER SESSION"):
        return await instance.alter_session(session, cursor)
    if cursor.take("ALTER SYSTEM"):
        return await instance.alter_system(session, cursor)
    if links.at(cursor):
        return await links.execute(session, cursor)
    if cursor.at("ALTER DATABASE", "CREATE DATABASE", "DROP DATABASE"):
        return await database.execute(session, cursor)
    action = cursor.take("CREATE OR REPLACE", "CREATE", "ALTER", "DROP") or ""
    if cursor.take("USER"):
        return await users.user(session, action, cursor)
    if cursor.take("ROLE"):
        return await users.role(session, action, cursor)
    if cursor.take("PROFILE"):
        return await users.profile(session, action, cursor)
    if cursor.take("RESTORE POINT"):
        return await recovery.restore_point(session, action, cursor)
    if cursor.take("DIRECTORY"):
        return await storage.directory(session, action, cursor)
    return await storage.tablespace(session, action, cursor)
