"""GRANT and REVOKE of system privileges, roles and privileges on objects, packages and directories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import grant_rules
from localoracle.admin.grant_rules import Privilege, Target
from localoracle.dictionary.documentation import roles
from localoracle.errors import OracleError, not_supported
from localoracle.plsql.units import recompile_users
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor, quote, quote_qualified
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NATIVE = ("SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES")
_TABLE = (*_NATIVE, "READ", "ALTER", "INDEX", "DEBUG", "FLASHBACK", "ON COMMIT REFRESH", "QUERY REWRITE")
_VIEW = (*_NATIVE, "READ", "DEBUG", "FLASHBACK", "ON COMMIT REFRESH", "QUERY REWRITE")
_SEQUENCE = ("SELECT", "ALTER")
_DIRECTORY = ("READ", "WRITE", "EXECUTE")
_ROUTINE = ("EXECUTE", "DEBUG")
_OF_KIND = {
    "TABLE": _TABLE,
    "VIEW": _VIEW,
    "SEQUENCE": _SEQUENCE,
    "DIRECTORY": _DIRECTORY,
    "PACKAGE": _ROUTINE,
    "ROUTINE": _ROUTINE,
}


async def grant(session: Session, cursor: Cursor) -> str:
    """GRANT ... TO ...; the verb is Oracle's ("GRANT")."""
    items = _items(cursor, "TO")
    if cursor.take("ON"):
        target = await _target(session, cursor)
        cursor.expect("TO", 905, "missing keyword")
        grantees = await _grantees(session, cursor)
        option = bool(cursor.take("WITH GRANT OPTION"))
        if cursor.take("WITH HIERARCHY OPTION"):
            raise not_supported("WITH HIERARCHY OPTION")
        if cursor.at("WITH"):
            raise cursor.error(993, "missing GRANT keyword")
        cursor.finish()
        grant_rules.check_items(items)
        await _may_grant(session, target)
        grant_rules.check_grantees(grantees, session, target)
        wanted = _expand(items, target)
        everything = any(item.name in ("ALL", "ALL PRIVILEGES") for item in items)
        granted = await grant_rules.for_grantees(
            session, grantees, wanted, named=not everything, option=option
        )
        await grant_rules.check_columns(session, target, wanted)
        await grant_rules.check_base_tables(session, target, wanted)
        for grantee, item in granted:
            await _grant_on(session, target, item, grantee, option)
        await session.pg_system("SELECT ora.revive_views()", write=True)
        return "GRANT"
    cursor.expect("TO", 905, "missing keyword")
    grantees = await _grantees(session, cursor, with_password=True)
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
    items = _items(cursor, "FROM")
    if cursor.take("ON"):
        target = await _target(session, cursor)
        cursor.expect("FROM", 905, "missing keyword")
        grantees = await _grantees(session, cursor)
        cascade = cursor.take("CASCADE CONSTRAINTS", "FORCE") == "CASCADE CONSTRAINTS"
        cursor.finish()
        if any(item.columns for item in items):
            raise OracleError(
                1750, "UPDATE/REFERENCES may only be REVOKEd from the whole table, not by column"
            )
        grant_rules.check_items(items)
        await _may_grant(session, target)
        grant_rules.check_grantees(grantees, session, target)
        if any(item.name in ("REFERENCES", "ALL", "ALL PRIVILEGES") for item in items):
            await grant_rules.revoke_references(session, target, grantees, cascade=cascade)
        everything = [item.name for item in items] in (["ALL"], ["ALL PRIVILEGES"])
        for grantee in grantees:
            held = await _held(session, target, grantee)
            wanted = _expand(items, target)
            if not everything and any(item.name not in held and not item.columns for item in wanted):
                raise OracleError(1927, "cannot REVOKE privileges you did not grant")
            for item in wanted:
                if item.name in held or item.columns:
                    await _revoke_on(session, target, item, grantee)
        await _lose_rights(session)
        await recompile_users(session, target.owner, target.name)
        return "REVOKE"
    cursor.expect("FROM", 905, "missing keyword")
    grantees = await _grantees(session, cursor)
    cursor.finish()
    names = await _system_items(session, items)
    await _may_administer(session, names)
    for name in names:
        for grantee in grantees:
            await _revoke_role(session, name, grantee)
    await session.pg_system("SELECT localoracle.refresh_session_roles()", write=True)
    await _lose_rights(session)
    return "REVOKE"


async def _lose_rights(session: Session) -> None:
    """Views whose owners may not read any more what they read become invalid."""
    await session.pg_system("SELECT ora.lose_refused_views()", write=True)


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


async def _grantees(session: Session, cursor: Cursor, *, with_password: bool = False) -> list[str]:
    names = [cursor.name()]
    while cursor.take(","):
        names.append(cursor.name())
    if with_password and cursor.at("IDENTIFIED"):
        raise not_supported("GRANT ... IDENTIFIED BY")
    for name in names:
        rows = await session.pg_system(
            "SELECT 1 FROM localoracle.users WHERE username = %s UNION ALL SELECT 1 FROM localoracle.roles"
            " WHERE role = %s",
            [name, name],
        )
        if not rows and name != "PUBLIC":
            raise OracleError(1917, f"user or role '{name}' does not exist")
    return names


async def _system_items(session: Session, items: list[Privilege]) -> list[str]:
    """The roles and system privileges; ALL PRIVILEGES is all but those that Oracle leaves out."""
    rows = await session.pg_system(
        "SELECT privilege, privilege <> ALL (%s::text[]) FROM localoracle.privilege_names UNION ALL SELECT"
        " role, false FROM localoracle.roles",
        [roles()["not_in_all_privileges"]],
    )
    known = {name for name, _ in rows}
    names: list[str] = []
    for item in items:
        if item.name in ("ALL", "ALL PRIVILEGES"):
            names += [name for name, in_all in rows if in_all]
        elif item.name in known:
            names.append(item.name)
        elif " " in item.name or item.name in _TABLE:
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
    granted, holders = (", ".join(map(quote, dict.fromkeys(one))) for one in (names, grantees))
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


async def _target(session: Session, cursor: Cursor) -> Target:
    """The object behind ON. ORA-00942 / ORA-04042 / ORA-22930 when there is none that the user knows."""
    if cursor.take("DIRECTORY"):
        owner, name = cursor.qualified()
        if owner not in (None, "SYS") or not await session.pg_system(
            "SELECT 1 FROM localoracle.directories WHERE name = %s", [name]
        ):
            raise OracleError(22930, "directory does not exist")
        return Target("DIRECTORY", "SYS", name)
    if cursor.at("EDITION", "MINING MODEL", "JAVA", "SQL TRANSLATION PROFILE", "USER"):
        raise not_supported(f"GRANT ON {cursor.word()}")
    schema, name = cursor.qualified()
    owner = schema or session.current_schema
    target = await _find(session, owner, name)
    if target is None and schema is None:
        rows = await session.pg_system(
            "SELECT table_owner, table_name FROM localoracle.synonyms WHERE owner IN (%s, 'PUBLIC') AND"
            " synonym_name = %s ORDER BY owner = 'PUBLIC'",
            [owner, name],
        )
        if rows and rows[0][0]:
            target = await _find(session, rows[0][0], rows[0][1])
        target = target or await _find(session, "SYS", name)
    if target is None and schema in (None, "SYS") and is_package(name):
        raise not_supported(f"grants on the package {name}")
    if target is None:
        raise OracleError(942, "table or view does not exist")
    return target


async def _find(session: Session, owner: str, name: str) -> Target | None:
    if owner == "SYS" and name.startswith(("V$", "GV$")):
        raise OracleError(2030, "can only select from fixed tables/views")
    rows = await session.pg_system(
        "SELECT c.relkind::text, c.oid::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'S')",
        [owner, name],
    )
    if rows:
        kind = {"v": "VIEW", "S": "SEQUENCE"}.get(rows[0][0], "TABLE")
        target = Target(kind, owner, name, quote_qualified(owner, name), rows[0][1])
        if owner == "SYS" and name.startswith(("V_$", "GV_$")):
            target.also.append(quote_qualified(owner, name.replace("V_$", "V$", 1)))
        return target
    if owner == "SYS" and await session.pg_system(
        "SELECT 1 FROM localoracle.supplied_packages WHERE name = %s", [name]
    ):
        return Target("PACKAGE", "SYS", name)
    rows = await session.pg_system(
        "SELECT id::bigint FROM localoracle.routines WHERE owner = %s AND name = %s", [owner, name]
    )
    if rows:
        return Target("ROUTINE", owner, name, object_number=rows[0][0])
    return None


async def _may_grant(session: Session, target: Target) -> None:
    """ORA-01031, ORA-00942: who does not own the object, nor has it with the grant option.

    No privilege on ANY object reaches the schema of SYS: Security Guide 19c, "About the Importance of
    Restricting System Privileges". A DIRECTORY belongs to SYS and to no schema.
    """
    if target.owner == session.user:
        return
    of_any = await privileges.has(session, "GRANT ANY OBJECT PRIVILEGE")
    if of_any and (target.owner != "SYS" or target.kind == "DIRECTORY"):
        return
    rows = await session.pg_system(
        "SELECT 1 FROM dictionary.object_grants WHERE grantee = %s AND owner = %s AND table_name = %s AND"
        " grantable",
        [session.user, target.owner, target.name],
    )
    if rows:
        return
    seen = await session.pg_system(
        "SELECT 1 FROM dictionary.object_grants WHERE grantee IN (%s, 'PUBLIC') AND owner = %s AND table_name"
        " = %s",
        [session.user, target.owner, target.name],
    )
    if seen or of_any or target.kind == "DIRECTORY":
        raise OracleError(1031, "insufficient privileges")
    raise OracleError(942, "table or view does not exist")


def _expand(items: list[Privilege], target: Target) -> list[Privilege]:
    allowed = _OF_KIND[target.kind]
    expanded: list[Privilege] = []
    for item in items:
        if item.name in ("ALL", "ALL PRIVILEGES"):
            expanded += [Privilege(name) for name in allowed]
        elif item.name not in allowed:
            known = [name for names in _OF_KIND.values() for name in names]
            raise grant_rules.invalid_privilege(item.name, target.kind, known)
        else:
            expanded.append(item)
    return expanded


def _role(grantee: str) -> str:
    return "PUBLIC" if grantee == "PUBLIC" else quote(grantee)


async def _grant_on(session: Session, target: Target, item: Privilege, grantee: str, option: bool) -> None:
    suffix = " WITH GRANT OPTION" if option and grantee != "PUBLIC" else ""
    role = _role(grantee)
    if target.kind == "DIRECTORY":
        await session.pg_system(
            "INSERT INTO localoracle.directory_privileges VALUES (%s, %s, %s, %s, %s) ON CONFLICT (grantee,"
            " directory, privilege) DO UPDATE SET grantable = directory_privileges.grantable OR"
            " excluded.grantable",
            [grantee, target.name, item.name, option, session.user],
            write=True,
        )
        return
    if target.kind == "PACKAGE":
        if item.name == "EXECUTE":
            await _package_right(session, target, f"GRANT {{}} TO {role}{suffix}")
        return
    if item.name not in _NATIVE:
        await session.pg_system(
            "INSERT INTO localoracle.object_privileges VALUES (%s, %s::oid, %s, %s, %s) ON CONFLICT"
            " (grantee, relation, privilege) DO UPDATE SET grantable = object_privileges.grantable OR"
            " excluded.grantable",
            [grantee, target.object_number, item.name, option, session.user],
            write=True,
        )
        if target.kind == "ROUTINE":
            await _share_compiled(session, target)
        if item.name != "READ":
            return
    name = "SELECT" if item.name == "READ" else item.name
    if target.kind == "SEQUENCE":
        await session.pg_system(
            f"GRANT USAGE, SELECT ON SEQUENCE {target.relation} TO {role}{suffix}", write=True
        )
        return
    columns = f" ({', '.join(quote(column) for column in item.columns)})" if item.columns else ""
    for relation in (target.relation, *target.also):
        await session.pg_system(f"GRANT {name}{columns} ON {relation} TO {role}{suffix}", write=True)


async def _revoke_on(session: Session, target: Target, item: Privilege, grantee: str) -> None:
    role = _role(grantee)
    if target.kind == "DIRECTORY":
        await session.pg_system(
            "DELETE FROM localoracle.directory_privileges WHERE grantee = %s AND directory = %s AND privilege"
            " = %s",
            [grantee, target.name, item.name],
            write=True,
        )
        return
    if target.kind == "PACKAGE":
        if item.name == "EXECUTE":
            await _package_right(session, target, f"REVOKE {{}} FROM {role} CASCADE")
        return
    if item.name not in _NATIVE:
        await session.pg_system(
            "DELETE FROM localoracle.object_privileges WHERE grantee = %s AND relation = %s::oid AND"
            " privilege = %s",
            [grantee, target.object_number, item.name],
            write=True,
        )
        if target.kind == "ROUTINE":
            await _share_compiled(session, target)
        if item.name != "READ":
            return
    if target.kind == "SEQUENCE":
        await session.pg_system(f"REVOKE ALL ON SEQUENCE {target.relation} FROM {role} CASCADE", write=True)
        return
    columns = f" ({', '.join(quote(column) for column in item.columns)})" if item.columns else ""
    name = "SELECT" if item.name == "READ" else item.name
    for relation in (target.relation, *target.also):
        await session.pg_system(f"REVOKE {name}{columns} ON {relation} FROM {role} CASCADE", write=True)


async def _share_compiled(session: Session, target: Target) -> None:
    await session.pg_system("SELECT ora.share_compiled(%s, %s)", [target.owner, target.name], write=True)


async def _package_right(session: Session, target: Target, template: str) -> None:
    """EXECUTE on a supplied package is USAGE of the schema of its name."""
    await session.pg_system(template.format(f"USAGE ON SCHEMA {quote(target.name)}"), write=True)


async def _held(session: Session, target: Target, grantee: str) -> set[str]:
    rows = await session.pg_system(
        "SELECT privilege FROM dictionary.object_grants WHERE grantee = %s AND owner = %s AND table_name"
        " = %s UNION SELECT privilege FROM dictionary.col_privs WHERE grantee = %s AND owner = %s AND"
        " table_name = %s",
        [grantee, target.owner, target.name] * 2,
    )
    return {row[0] for row in rows}
