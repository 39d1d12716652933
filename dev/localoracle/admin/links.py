"""CREATE, ALTER and DROP DATABASE LINK; ALTER SESSION CLOSE DATABASE LINK (SQL Language Reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin.users import password
from localoracle.errors import OracleError, not_supported
from localoracle.instance import links
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.session.session import Session

_VERBS = ("CREATE", "ALTER", "DROP")
_KINDS = ("DATABASE LINK", "PUBLIC DATABASE LINK", "SHARED DATABASE LINK", "SHARED PUBLIC DATABASE LINK")


def at(cursor: Cursor) -> bool:
    """Whether a statement about a database link starts here."""
    return cursor.at(*(f"{verb} {kind}" for verb in _VERBS for kind in _KINDS)) is not None


async def execute(session: Session, cursor: Cursor) -> str:
    """Run the statement. Raises ORA-02011 for a duplicate, ORA-02024 for a link that is not there."""
    action = cursor.take(*_VERBS) or ""
    if cursor.take("SHARED"):
        raise not_supported("SHARED DATABASE LINK")
    public = bool(cursor.take("PUBLIC"))
    cursor.expect("DATABASE LINK")
    name = _name(cursor)
    scope = "PUBLIC " if public else ""
    owner = "PUBLIC" if public else session.user
    if action == "DROP":
        cursor.finish()
        if public:
            await privileges.demand(session, "DROP PUBLIC DATABASE LINK")
        gone = await session.pg_system(
            "DELETE FROM localoracle.database_links WHERE owner = %s AND name = %s RETURNING 1",
            [owner, name],
            write=True,
        )
        if not gone:
            raise OracleError(2024, "database link not found")
        return f"DROP {scope}DATABASE LINK"
    if public or action == "CREATE":
        await privileges.demand(session, f"{action} {scope}DATABASE LINK")
    user, secret = _connect_to(cursor)
    sealed = links.seal(session.database.instance, secret)
    if action == "ALTER":
        cursor.finish()
        changed = await session.pg_system(
            "UPDATE localoracle.database_links SET username = %s, secret = %s WHERE owner = %s AND name = %s"
            " RETURNING 1",
            [user, sealed, owner, name],
            write=True,
        )
        if not changed:
            raise OracleError(2024, "database link not found")
        return f"ALTER {scope}DATABASE LINK"
    cursor.expect("USING", 2010, "missing host connect string")
    host = cursor.string()
    cursor.finish(933, "SQL command not properly ended")
    made = await session.pg_system(
        "INSERT INTO localoracle.database_links (owner, name, username, host, secret)"
        " VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING 1",
        [owner, name, user, host, sealed],
        write=True,
    )
    if not made:
        raise OracleError(2011, "duplicate database link name")
    return f"CREATE {scope}DATABASE LINK"


async def close(session: Session, cursor: Cursor) -> None:
    """CLOSE DATABASE LINK. Raises ORA-02081 when the session has no connection over it."""
    name = _name(cursor)
    cursor.finish()
    if not await links.opened(session).close(name):
        raise OracleError(2081, "database link is not open")


def _name(cursor: Cursor) -> str:
    """`link` or `link.domain`."""
    parts = [cursor.name()]
    while cursor.take("."):
        parts.append(cursor.name())
    return ".".join(parts)


def _connect_to(cursor: Cursor) -> tuple[str, str]:
    if not cursor.take("CONNECT TO"):
        raise not_supported("a database link without CONNECT TO user IDENTIFIED BY password")
    if cursor.at("CURRENT_USER"):
        raise not_supported("CONNECT TO CURRENT_USER")
    user = cursor.name()
    cursor.expect("IDENTIFIED BY", 924, "missing BY keyword")
    if cursor.at("VALUES"):
        raise not_supported("IDENTIFIED BY VALUES in a database link")
    secret = password(cursor)
    if cursor.at("AUTHENTICATED BY"):
        raise not_supported("AUTHENTICATED BY")
    return user, secret
