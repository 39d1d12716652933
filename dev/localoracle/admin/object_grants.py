"""GRANT and REVOKE of privileges on tables, views, sequences, program units, packages and directories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import grant_rules
from localoracle.admin.grant_rules import Privilege, Target
from localoracle.errors import OracleError, not_supported
from localoracle.plsql.units import recompile_users
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor, quote, quote_qualified
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NATIVE = ("SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES")
"""Those that PostgreSQL has as well."""
_VIEW = (*_NATIVE, "READ", "DEBUG", "FLASHBACK", "ON COMMIT REFRESH", "QUERY REWRITE")
_PROGRAM = ("EXECUTE", "DEBUG")
OF_KIND = {
    "TABLE": (*_VIEW, "ALTER", "INDEX"),
    "VIEW": _VIEW,
    "SEQUENCE": ("SELECT", "ALTER"),
    "DIRECTORY": ("READ", "WRITE", "EXECUTE"),
    "PACKAGE": _PROGRAM,
    "ROUTINE": _PROGRAM,
}
"""The privileges on an object of each kind."""


async def grant(session: Session, cursor: Cursor, items: list[Privilege]) -> None:
    """GRANT items ON ...; what follows ON."""
    target = await _target(session, cursor)
    cursor.expect("TO", 905, "missing keyword")
    grantees = await read_grantees(session, cursor)
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
    granted = await grant_rules.for_grantees(session, grantees, wanted, named=not everything, option=option)
    await grant_rules.check_columns(session, target, wanted)
    await grant_rules.check_base_tables(session, target, wanted)
    for grantee, item in granted:
        await _change(session, target, item, grantee, option)
    await session.pg_system("SELECT ora.revive_views()", write=True)


async def revoke(session: Session, cursor: Cursor, items: list[Privilege]) -> None:
    """REVOKE items ON ...; what follows ON."""
    target = await _target(session, cursor)
    cursor.expect("FROM", 905, "missing keyword")
    grantees = await read_grantees(session, cursor)
    cascade = cursor.take("CASCADE CONSTRAINTS", "FORCE") == "CASCADE CONSTRAINTS"
    cursor.finish()
    if any(item.columns for item in items):
        raise OracleError(1750, "UPDATE/REFERENCES may only be REVOKEd from the whole table, not by column")
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
                await _change(session, target, item, grantee, None)
    await lose_rights(session)
    await recompile_users(session, target.owner, target.name)


async def read_grantees(session: Session, cursor: Cursor, *, with_password: bool = False) -> list[str]:
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


async def lose_rights(session: Session) -> None:
    """Views whose owners may not read any more what they read become invalid."""
    await session.pg_system("SELECT ora.lose_refused_views()", write=True)


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
    allowed = OF_KIND[target.kind]
    expanded: list[Privilege] = []
    for item in items:
        if item.name in ("ALL", "ALL PRIVILEGES"):
            expanded += [Privilege(name) for name in allowed]
        elif item.name not in allowed:
            of_any_kind = [name for names in OF_KIND.values() for name in names]
            raise grant_rules.invalid_privilege(item.name, target.kind, of_any_kind)
        else:
            expanded.append(item)
    return expanded


async def _change(
    session: Session, target: Target, item: Privilege, grantee: str, option: bool | None
) -> None:
    """GRANT a privilege, with the grant option or without it; REVOKE it where `option` is None."""
    if target.kind == "PACKAGE":
        if item.name == "EXECUTE":
            # EXECUTE on a supplied package is USAGE of the schema of its name.
            await _change_native(session, f"USAGE ON SCHEMA {quote(target.name)}", grantee, option)
        return
    if target.kind == "DIRECTORY" or item.name not in _NATIVE:
        await _change_row(session, target, item, grantee, option)
        if target.kind == "ROUTINE":
            await session.pg_system(
                "SELECT ora.share_compiled(%s, %s)", [target.owner, target.name], write=True
            )
        if target.kind == "DIRECTORY" or item.name != "READ":
            return
    if target.kind == "SEQUENCE":
        every = "ALL" if option is None else "USAGE, SELECT"
        await _change_native(session, f"{every} ON SEQUENCE {target.relation}", grantee, option)
        return
    columns = f" ({', '.join(quote(column) for column in item.columns)})" if item.columns else ""
    name = "SELECT" if item.name == "READ" else item.name
    for relation in (target.relation, *target.also):
        await _change_native(session, f"{name}{columns} ON {relation}", grantee, option)


async def _change_native(session: Session, what: str, grantee: str, option: bool | None) -> None:
    role = "PUBLIC" if grantee == "PUBLIC" else quote(grantee)
    if option is None:
        await session.pg_system(f"REVOKE {what} FROM {role} CASCADE", write=True)
    else:
        suffix = " WITH GRANT OPTION" if option and grantee != "PUBLIC" else ""
        await session.pg_system(f"GRANT {what} TO {role}{suffix}", write=True)


async def _change_row(
    session: Session, target: Target, item: Privilege, grantee: str, option: bool | None
) -> None:
    """The same of a privilege that PostgreSQL does not have."""
    if target.kind == "DIRECTORY":
        table, column, value = "directory_privileges", "directory", target.name
    else:
        table, column, value = "object_privileges", "relation", str(target.object_number)
    if option is None:
        await session.pg_system(
            f"DELETE FROM localoracle.{table} WHERE grantee = %s AND {column}::text = %s AND privilege = %s",
            [grantee, value, item.name],
            write=True,
        )
        return
    cast = "::oid" if column == "relation" else ""
    await session.pg_system(
        f"INSERT INTO localoracle.{table} VALUES (%s, %s{cast}, %s, %s, %s)"
        f" ON CONFLICT (grantee, {column}, privilege)"
        f" DO UPDATE SET grantable = {table}.grantable OR excluded.grantable",
        [grantee, value, item.name, option, session.user],
        write=True,
    )


async def _held(session: Session, target: Target, grantee: str) -> set[str]:
    rows = await session.pg_system(
        "SELECT privilege FROM dictionary.object_grants WHERE grantee = %s AND owner = %s AND table_name"
        " = %s UNION SELECT privilege FROM dictionary.col_privs WHERE grantee = %s AND owner = %s AND"
        " table_name = %s",
        [grantee, target.owner, target.name] * 2,
    )
    return {row[0] for row in rows}
