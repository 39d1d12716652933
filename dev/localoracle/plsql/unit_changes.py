"""DROP and ALTER of triggers, procedures, functions and packages; DROP of types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NAME = r'("[^"]+"|[A-Za-z][\w$#]*)'
_CHANGE = re.compile(
    r"\s*(?P<verb>DROP|ALTER)\s+(?P<kind>PACKAGE\s+BODY(?=\s+[\w\"])|\w+)\s+"
    rf"(?:(?P<owner>{_NAME})\s*\.\s*)?"
    rf"(?P<name>{_NAME})\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RENAME = re.compile(rf"RENAME\s+TO\s+{_NAME}", re.IGNORECASE)


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


async def change_unit(session: Session, text: str) -> str:
    """Run the statement; returns its verb. ORA-04080, ORA-04043 when there is no such unit, ORA-01031."""
    match = _CHANGE.fullmatch(text.strip().rstrip(";"))
    if match is None:
        raise OracleError(900, "invalid SQL statement")
    verb, kind = match["verb"].upper(), " ".join(match["kind"].upper().split())
    only_body = kind == "PACKAGE BODY"
    kind = kind.removesuffix(" BODY")
    if kind not in ("TRIGGER", "PROCEDURE", "FUNCTION", "PACKAGE") and (verb, kind) != ("DROP", "TYPE"):
        raise not_supported(f"{verb} {kind}")
    owner = _folded(match["owner"]) if match["owner"] else session.current_schema
    name = _folded(match["name"])
    rest = " ".join(match["rest"].split())
    if owner != session.user:
        from localoracle.admin import privileges

        kind_of_privilege = kind if kind in ("TRIGGER", "TYPE") else "PROCEDURE"
        if not await privileges.has(session, f"{verb} ANY {kind_of_privilege}"):
            raise OracleError(1031, "insufficient privileges")
    if kind == "TRIGGER":
        await _change_trigger(session, verb, owner, name, rest)
    elif kind == "PACKAGE":
        await _change_package(session, verb, owner, name, rest.upper(), only_body)
    elif kind == "TYPE":
        await _drop_type(session, owner, name, rest.upper())
    else:
        await _change_routine(session, verb, kind, owner, name, rest)
    return f"{verb} {kind}"


async def _change_trigger(session: Session, verb: str, owner: str, name: str, rest: str) -> None:
    rows = await session.pg_system(
        "SELECT g.tgrelid::regclass::text FROM pg_trigger g"
        " JOIN pg_proc p ON p.oid = g.tgfoid JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE g.tgname = %s AND n.nspname = %s AND NOT g.tgisinternal AND g.tgparentid = 0",
        (name, owner),
    )
    if not rows:
        raise OracleError(4080, f"trigger '{name}' does not exist")
    (table,) = rows[0]
    if verb == "DROP":
        await session.pg_system(f"DROP TRIGGER {_quote(name)} ON {table}", write=True)
        return
    renamed = _RENAME.fullmatch(rest)
    if rest.upper() in ("ENABLE", "DISABLE"):
        await session.pg_system(f"ALTER TABLE {table} {rest} TRIGGER {_quote(name)}", write=True)
    elif renamed is not None:
        await session.pg_system(
            f"ALTER TRIGGER {_quote(name)} ON {table} RENAME TO {_quote(_folded(renamed[1]))}", write=True
        )
    elif not rest.upper().startswith("COMPILE"):
        raise not_supported(f"ALTER TRIGGER {rest}")
    else:
        from localoracle.plsql.triggers import compile_trigger

        session.backend.compiled_with_errors = not await compile_trigger(session, owner, name)


async def _change_package(
    session: Session, verb: str, owner: str, name: str, rest: str, only_body: bool
) -> None:
    from localoracle.plsql.package_creation import alter_package, drop_package

    if verb == "ALTER":
        session.backend.compiled_with_errors = not await alter_package(session, owner, name, rest)
        return
    if rest:
        raise OracleError(933, "SQL command not properly ended")
    await drop_package(session, owner, name, only_body=only_body)


async def _drop_type(session: Session, owner: str, name: str, rest: str) -> None:
    from localoracle.plsql.type_creation import drop_type

    if rest == "VALIDATE":
        raise not_supported("DROP TYPE ... VALIDATE")
    if name == "BODY" and rest:
        raise not_supported("DROP TYPE BODY")
    if rest not in ("", "FORCE"):
        raise OracleError(933, "SQL command not properly ended")
    await drop_type(session, owner, name, force=rest == "FORCE")


async def _change_routine(session: Session, verb: str, kind: str, owner: str, name: str, rest: str) -> None:
    if verb == "ALTER" and not rest.upper().startswith("COMPILE"):
        raise not_supported(f"ALTER {kind} {rest}")
    if verb == "DROP" and rest:
        raise OracleError(933, "SQL command not properly ended")
    action = "DELETE FROM" if verb == "DROP" else "UPDATE"
    change = "" if verb == "DROP" else "SET last_ddl_time = localtimestamp(0)"
    rows = await session.pg_system(
        f"{action} localoracle.routines {change} WHERE owner = %s AND name = %s AND type = %s RETURNING 1",
        (owner, name, kind),
        write=True,
    )
    if not rows:
        raise OracleError(4043, f"object {name} does not exist")
    if verb == "DROP":
        from localoracle.plsql.routine_body import drop_compiled

        await drop_compiled(session, owner, name)
