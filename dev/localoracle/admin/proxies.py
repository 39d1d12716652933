"""Proxy users: who may connect as somebody else (Database Security Guide, "Proxy Authentication").

ALTER USER client GRANT | REVOKE CONNECT THROUGH proxy (SQL Language Reference, ALTER USER, proxy_clause).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session


async def proxy_clause(session: Session, client: str, cursor: Cursor) -> None:
    """GRANT or REVOKE CONNECT THROUGH, with all of the client's roles and no further authentication."""
    grant = cursor.take("GRANT", "REVOKE") == "GRANT"
    cursor.expect("CONNECT THROUGH", 905, "missing keyword")
    if cursor.at("ENTERPRISE USERS"):
        raise not_supported("CONNECT THROUGH ENTERPRISE USERS")
    proxy = cursor.name()
    if grant and cursor.at("WITH", "AUTHENTICATION", "AUTHENTICATED"):
        raise not_supported(f"{cursor.word()} in GRANT CONNECT THROUGH")
    if not await session.pg_system("SELECT 1 FROM localoracle.users WHERE username = %s", [proxy]):
        raise OracleError(1918, f"user '{proxy}' does not exist")
    if proxy == client and grant:
        raise OracleError(28151, "more than one user name specified for command")
    if grant:
        await session.pg_system(
            "INSERT INTO localoracle.proxies (client, proxy) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            [client, proxy],
            write=True,
        )
        return
    granted = await session.pg_system(
        "DELETE FROM localoracle.proxies WHERE client = %s AND proxy = %s RETURNING client",
        [client, proxy],
        write=True,
    )
    if not granted:
        raise OracleError(28154, f"Proxy user may not act as client '{client}'")


async def may_connect_as(database: Database, proxy: str, client: str) -> bool:
    """Whether a user may open sessions of another."""
    return bool(
        await database.system(
            "SELECT 1 FROM localoracle.proxies WHERE client = %s AND proxy = %s", [client, proxy]
        )
    )
