"""GRANT and REVOKE of system privileges and roles; of those on objects see object_grants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import object_grants
from localoracle.admin.grant_rules import Privilege
from localoracle.admin.object_grants import lose_rights, read_grantees
from localoracle.dictionary.documentation import roles
from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor, quote

if TYPE_CHECKING:
    from localoracle.session.session import Session


_ONE_AT_A_TIME = f"SELECT pg_advisory_xact_lock({0x6772616E7473})"  # "grants"
"""PostgreSQL fails the second of two transactions that grant on one object, or to one user, at once."""


async def grant(session: Session, cursor: Cursor) -> str:
    """GRANT ... TO ...; the verb is Oracle's ("GRANT")."""
    await session.pg_system(_ONE_AT_A_TIME, write=True)
    items = _items(cursor, "TO")
    if cursor.take("ON"):
        await object_grants.grant(session, cursor, items)
        return "GRANT"
    cursor.expect("TO", 905, "missing keyword")
    grantees = await read_grantees(session, cursor, with_password=True)
    option = bool(cursor.take("WITH ADMIN OPTION"))
    if cursor.at("WITH GRANT OPTION"):
        raise cursor.error(1939, "only the ADMIN OPTION can be specified")
    if cursor.take("WITH DELEGATE OPTION"):
        raise not_supported("WITH DELEGATE OPTION")
    if cursor.take("CONTAINER"):
        cursor.expect("=")
        cursor.name()
    cursor.finish()
    names = await _system_items(session, items)
    if "PUBLIC" in grantees:
        await _may_administer(session, names)
        raise not_supported(f"GRANT {names[0]} TO PUBLIC")
    await _may_administer(session, names)
    if any(item.name == "UNLIMITED TABLESPACE" for item in items) and await session.pg_system(
        "SELECT role FROM localoracle.roles WHERE role = ANY (%s)", [grantees]
    ):
        raise OracleError(1931, "cannot grant UNLIMITED TABLESPACE to a role")
    await _grant_roles(session, names, grantees, option)
    await session.pg_system("SELECT localoracle.refresh_session_roles()", write=True)
    await session.pg_system("SELECT ora.revive_views()", write=True)
    return "GRANT"


async def revoke(session: Session, cursor: Cursor) -> str:
    """REVOKE ... FROM ..."""
    await session.pg_system(_ONE_AT_A_TIME, write=True)
    items = _items(cursor, "FROM")
    if cursor.take("ON"):
        await object_grants.revoke(session, cursor, items)
        return "REVOKE"
    cursor.expect("FROM", 905, "missing keyword")
    grantees = await read_grantees(session, cursor)
    cursor.finish()
    names = await _system_items(session, items)
    await _may_administer(session, names)
    for name in names:
        for grantee in grantees:
            await _revoke_role(session, name, grantee)
    await session.pg_system("SELECT localoracle.refresh_session_roles()", write=True)
    await lose_rights(session)
    return "REVOKE"


def _items(cursor: Cursor, end: str) -> list[Privilege]:
    """The privileges and roles before ON, TO or FROM; names of several words are joined."""
    items: list[Privilege] = []
    while True:
        words: list[str] = []
        columns: tuple[str, ...] = ()
        while not cursor.done and not cursor.at(",", "TO", "FROM") and not (cursor.at("ON") and words != []):
            if cursor.at("("):
                inner = cursor.inside()
                names = [inner.name()]
                while inner.take(","):
                    names.append(inner.name())
                inner.finish()
                columns = tuple(names)
                break
            quoted = not cursor.word()
            token = cursor.next()
            words.append(str(token.text) if quoted else str(token.text).upper())
            if cursor.at("COMMIT REFRESH") and words == ["ON"]:
                cursor.take("COMMIT REFRESH")
                words = ["ON COMMIT REFRESH"]
                break
        if not words:
            raise cursor.error(990, "missing or invalid privilege")
        items.append(Privilege(" ".join(words), columns))
        if not cursor.take(","):
            break
    if not cursor.at("ON", end):
        raise cursor.error(905, "missing keyword")
    return items


async def _system_items(session: Session, items: list[Privilege]) -> list[str]:
    """The roles and system privileges; ALL PRIVILEGES is all but those that Oracle leaves out."""
    rows = await session.pg_system(
        "SELECT privilege, privilege <> ALL (%s::text[]) FROM localoracle.privilege_names UNION ALL SELECT"
        " role, false FROM localoracle.roles",
        [roles()["not_in_all_privileges"]],
    )
    names_of_all = {name for name, _ in rows}
    names: list[str] = []
    for item in items:
        if item.name in ("ALL", "ALL PRIVILEGES"):
            names += [name for name, in_all in rows if in_all]
        elif item.name in names_of_all:
            names.append(item.name)
        elif " " in item.name or item.name in object_grants.OF_KIND["TABLE"]:
            raise OracleError(990, "missing or invalid privilege")
        else:
            raise OracleError(1919, f"role '{item.name}' does not exist")
    return names


async def _may_administer(session: Session, names: list[str]) -> None:
    """ORA-01932, ORA-01031: the first of these roles and privileges that the user may not pass on."""
    rows = await session.pg_system(
        "WITH enabled AS MATERIALIZED (SELECT localoracle.enabled_roles(%s) AS role)"
        " SELECT named.name, r.role IS NOT NULL FROM unnest(%s::text[]) WITH ORDINALITY AS named(name, place)"
        " LEFT JOIN localoracle.roles r ON r.role = named.name"
        " WHERE %s <> 'SYS' AND NOT EXISTS (SELECT 1 FROM enabled WHERE role = CASE WHEN r.role IS NULL THEN"
        " 'GRANT ANY PRIVILEGE' ELSE 'GRANT ANY ROLE' END)"
        " AND NOT EXISTS (SELECT 1 FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid JOIN pg_roles u"
        " ON u.oid = m.member WHERE g.rolname = named.name AND m.admin_option AND (u.rolname = %s OR"
        " u.rolname IN (SELECT role FROM enabled))) ORDER BY named.place LIMIT 1",
        [session.role, names, session.user, session.user],
    )
    for name, is_role in rows:
        if is_role:
            raise OracleError(1932, f"ADMIN option not granted for role '{name}'")
        raise OracleError(1031, "insufficient privileges")


async def _grant_roles(session: Session, names: list[str], grantees: list[str], option: bool) -> None:
    circular = await session.pg_system(
        "SELECT 1 FROM unnest(%s::text[]) AS name WHERE name = ANY(%s::text[]) OR EXISTS (SELECT 1 FROM"
        " localoracle.enabled_roles(name) AS role WHERE role = ANY(%s::text[]))",
        [names, grantees, grantees],
    )
    if circular:
        raise OracleError(1934, "circular role grant detected")
    granted, holders = (", ".join(map(quote, dict.fromkeys(listed))) for listed in (names, grantees))
    suffix = " WITH ADMIN OPTION" if option else ""
    await session.pg_system(f"GRANT {granted} TO {holders}{suffix}", write=True)


async def _revoke_role(session: Session, name: str, grantee: str) -> None:
    rows = await session.pg_system(
        "SELECT 1 FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid JOIN pg_roles u ON u.oid ="
        " m.member WHERE g.rolname = %s AND u.rolname = %s",
        [name, grantee],
    )
    if not rows:
        if await session.pg_system("SELECT 1 FROM localoracle.roles WHERE role = %s", [name]):
            raise OracleError(1951, f"ROLE '{name}' not granted to '{grantee}'")
        raise OracleError(1952, f"system privileges not granted to '{grantee}'")
    await session.pg_system(f"REVOKE {quote(name)} FROM {quote(grantee)} CASCADE", write=True)
