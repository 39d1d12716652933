"""CREATE, ALTER and DROP of triggers, procedures, functions, packages and types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql.compiled_forms import drop_compiled
from localoracle.plsql.package_creation import alter_package, create_package, drop_package
from localoracle.plsql.routines import compile_unit, create_routine
from localoracle.plsql.triggers import compile_invalid_triggers, compile_trigger, create_trigger
from localoracle.plsql.type_creation import compile_type, create_type, drop_type
from localoracle.plsql.units import delete_unit, require_privilege, sources
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import quote

if TYPE_CHECKING:
    from localoracle.session.session import Session

_HEAD = re.compile(
    r"\s*CREATE\s+(?P<replace>OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?(?P<kind>TRIGGER|PROCEDURE|FUNCTION|PACKAGE|TYPE|LIBRARY|JAVA)\b",
    re.IGNORECASE,
)
_COMMENTS = re.compile(r"^(\s*(--[^\n]*\n|/\*.*?\*/))+", re.DOTALL)
_CHANGES = re.compile(r"\s*(DROP|ALTER)\b", re.IGNORECASE)
_BODY = re.compile(r"PACKAGE\s+BODY\b", re.IGNORECASE)
_UNIT_NAME = re.compile(r"""\s*(?:("[^"]+"|[A-Za-z][\w$#]*)\s*\.\s*)?("[^"]+"|[A-Za-z][\w$#]*)""")
_NAME = r'("[^"]+"|[A-Za-z][\w$#]*)'
_CHANGE = re.compile(
    r"\s*(?P<verb>DROP|ALTER)\s+(?P<kind>PACKAGE\s+BODY(?=\s+[\w\"])|\w+)\s+"
    rf"(?:(?P<owner>{_NAME})\s*\.\s*)?"
    rf"(?P<name>{_NAME})\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_COMPILE = re.compile(
    r"COMPILE(?: DEBUG)?(?P<part> PACKAGE| SPECIFICATION| BODY)?(?: \w+ ?= ?(?:\w+|'[^']*'))*"
    r"(?: REUSE SETTINGS)?",
    re.IGNORECASE,
)
"""The parameters of a compilation change nothing here: units are interpreted."""
_RENAME = re.compile(rf"RENAME\s+TO\s+{_NAME}", re.IGNORECASE)


async def run_unit_statement(session: Session, text: str) -> str:
    """Run CREATE, ALTER or DROP of a TRIGGER, PROCEDURE, FUNCTION, PACKAGE or TYPE; returns the verb.

    Raises ORA-03001 for methods of types and what a trigger's body may not contain here.
    """
    text = _COMMENTS.sub("", text)
    head = _HEAD.match(text)
    if head is None and _CHANGES.match(text):
        return await _change_unit(session, text)
    if head is None:
        raise OracleError(900, "invalid SQL statement")
    kind = head["kind"].upper()
    start = text.upper().index(kind, text.upper().index("CREATE"))
    if kind == "TRIGGER":
        return await create_trigger(session, text[start:], replace=head["replace"] is not None)
    if kind not in ("PROCEDURE", "FUNCTION", "TYPE", "PACKAGE"):
        raise not_supported(f"CREATE {kind}")
    source = text[start:].rstrip().rstrip("/").rstrip()
    body = _BODY.match(source) if kind == "PACKAGE" else None
    match = _UNIT_NAME.match(source, len(kind) if body is None else body.end())
    if body is not None:
        kind = "PACKAGE BODY"
    if match is None:
        raise OracleError(4050, "invalid or missing procedure, function, or package name")
    owner = _folded(match[1]) if match[1] else session.current_schema
    name = _folded(match[2])
    if kind == "TYPE":
        valid = await create_type(session, owner, name, source, replace=head["replace"] is not None)
    elif kind in ("PACKAGE", "PACKAGE BODY"):
        await require_privilege(session, "CREATE PROCEDURE", "CREATE ANY PROCEDURE", owner)
        valid = await create_package(session, owner, name, kind, source, replace=head["replace"] is not None)
    else:
        valid = await create_routine(session, owner, name, kind, source, replace=head["replace"] is not None)
    await compile_invalid_triggers(session, name)
    session.backend.compiled_with_errors = not valid
    return f"CREATE {kind}"


async def recompile(session: Session, owner: str, name: str, kind: str) -> bool:
    """ALTER ... COMPILE of a procedure, function, package or package body; False when it is invalid."""
    if kind in ("PACKAGE", "PACKAGE BODY"):
        return await alter_package(session, owner, name, f"COMPILE {kind.removeprefix('PACKAGE')}")
    return await compile_unit(session, owner, name, kind, (await sources(session, owner, name))[kind])


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


async def _change_unit(session: Session, text: str) -> str:
    """Run the statement; returns its verb. ORA-04080, ORA-04043 when there is no such unit, ORA-01031."""
    match = _CHANGE.fullmatch(text.strip().rstrip(";"))
    if match is None:
        raise OracleError(900, "invalid SQL statement")
    verb, kind = match["verb"].upper(), " ".join(match["kind"].upper().split())
    only_body = kind == "PACKAGE BODY"
    kind = kind.removesuffix(" BODY")
    if kind not in ("TRIGGER", "PROCEDURE", "FUNCTION", "PACKAGE", "TYPE"):
        raise not_supported(f"{verb} {kind}")
    owner = _folded(match["owner"]) if match["owner"] else session.current_schema
    name = _folded(match["name"])
    rest = " ".join(match["rest"].split())
    if owner != session.user:
        kind_of_privilege = kind if kind in ("TRIGGER", "TYPE") else "PROCEDURE"
        if not await privileges.has(session, f"{verb} ANY {kind_of_privilege}"):
            raise OracleError(1031, "insufficient privileges")
    if kind == "TRIGGER":
        await _change_trigger(session, verb, owner, name, rest)
    elif kind == "PACKAGE":
        await _change_package(session, verb, owner, name, rest.upper(), only_body)
    elif kind == "TYPE" and verb == "ALTER":
        await _compile_type(session, owner, name, rest)
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
        await session.pg_system(f"DROP TRIGGER {quote(name)} ON {table}", write=True)
        return
    renamed = _RENAME.fullmatch(rest)
    if rest.upper() in ("ENABLE", "DISABLE"):
        await session.pg_system(f"ALTER TABLE {table} {rest} TRIGGER {quote(name)}", write=True)
    elif renamed is not None:
        await session.pg_system(
            f"ALTER TRIGGER {quote(name)} ON {table} RENAME TO {quote(_folded(renamed[1]))}", write=True
        )
    else:
        _compiled_part("TRIGGER", rest)
        session.backend.compiled_with_errors = not await compile_trigger(session, owner, name)


async def _change_package(
    session: Session, verb: str, owner: str, name: str, rest: str, only_body: bool
) -> None:
    if verb == "ALTER":
        part = _compiled_part("PACKAGE", rest, "PACKAGE", "SPECIFICATION", "BODY")
        valid = await alter_package(session, owner, name, f"COMPILE {part}")
        session.backend.compiled_with_errors = not valid
        return
    if rest:
        raise OracleError(933, "SQL command not properly ended")
    await drop_package(session, owner, name, only_body=only_body)


async def _compile_type(session: Session, owner: str, name: str, rest: str) -> None:
    part = _compiled_part("TYPE", rest, "SPECIFICATION", "BODY")
    text = (await sources(session, owner, name)).get("TYPE")
    if text is None or part == "BODY":
        raise OracleError(4043, f"object {name} does not exist")
    session.backend.compiled_with_errors = not await compile_type(session, owner, name, text)


def _compiled_part(kind: str, rest: str, *parts: str) -> str:
    """What ALTER ... COMPILE names of the unit, one of `parts` or nothing. ORA-03001 for all else."""
    match = _COMPILE.fullmatch(rest)
    part = (match["part"] or "").strip().upper() if match is not None else None
    if part is None or part not in ("", *parts):
        raise not_supported(f"ALTER {kind} {rest}")
    return part


async def _drop_type(session: Session, owner: str, name: str, rest: str) -> None:
    if rest == "VALIDATE":
        raise not_supported("DROP TYPE ... VALIDATE")
    if name == "BODY" and rest:
        raise not_supported("DROP TYPE BODY")
    if rest not in ("", "FORCE"):
        raise OracleError(933, "SQL command not properly ended")
    await drop_type(session, owner, name, force=rest == "FORCE")


async def _change_routine(session: Session, verb: str, kind: str, owner: str, name: str, rest: str) -> None:
    if verb == "ALTER":
        _compiled_part(kind, rest)
    if verb == "DROP" and rest:
        raise OracleError(933, "SQL command not properly ended")
    if verb == "DROP":
        await delete_unit(session, owner, name, kind)
        await drop_compiled(session, owner, name)
        return
    rows = await session.pg_system(
        "UPDATE localoracle.routines SET last_ddl_time = localtimestamp(0)"
        " WHERE (owner, name, type) = (%s, %s, %s) RETURNING source",
        (owner, name, kind),
        write=True,
    )
    if not rows:
        raise OracleError(4043, f"object {name} does not exist")
    valid = await compile_unit(session, owner, name, kind, str(rows[0][0]))
    session.backend.compiled_with_errors = not valid
