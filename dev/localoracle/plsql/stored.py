"""Stored procedures and functions: kept as text, interpreted on call. Triggers are compiled, see `triggers`.

A unit runs with the privileges of the session, so only its owner may call it (ORA-03001 for others):
definer's rights across users are not there. A unit that does not compile is stored as invalid, with its
first error.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.arguments import forget_arguments, keep_arguments
from localoracle.plsql.block_rules import BlockRules
from localoracle.plsql.check import Checked, Checker
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.parser import Parser
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.plsql.static_sql import check_tables
from localoracle.plsql.unit_checks import check_calls, require_execute
from localoracle.plsql.units import (
    compilation_failure,
    compiling,
    is_compiling,
    keep_outcome,
    require_privilege,
    store_unit,
)

if TYPE_CHECKING:
    from localoracle.session.session import Session

_HEAD = re.compile(
    r"\s*CREATE\s+(?P<replace>OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?(?P<kind>TRIGGER|PROCEDURE|FUNCTION|PACKAGE|TYPE|LIBRARY|JAVA)\b",
    re.IGNORECASE,
)
_COMMENTS = re.compile(r"^(\s*(--[^\n]*\n|/\*.*?\*/))+", re.DOTALL)
_CHANGE = re.compile(r"\s*(DROP|ALTER)\b", re.IGNORECASE)
_BODY = re.compile(r"PACKAGE\s+BODY\b", re.IGNORECASE)
_NAME = re.compile(r"""\s*(?:("[^"]+"|[A-Za-z][\w$#]*)\s*\.\s*)?("[^"]+"|[A-Za-z][\w$#]*)""")


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


async def create_unit(session: Session, text: str) -> str:
    """See `localoracle.plsql.create`."""
    text = _COMMENTS.sub("", text)
    head = _HEAD.match(text)
    if head is None and _CHANGE.match(text):
        from localoracle.plsql.unit_changes import change_unit

        return await change_unit(session, text)
    if head is None:
        raise OracleError(900, "invalid SQL statement")
    kind = head["kind"].upper()
    start = text.upper().index(kind, text.upper().index("CREATE"))
    if kind == "TRIGGER":
        from localoracle.plsql.triggers import create_trigger

        return await create_trigger(session, text[start:], replace=head["replace"] is not None)
    if kind not in ("PROCEDURE", "FUNCTION", "TYPE", "PACKAGE"):
        raise not_supported(f"CREATE {kind}")
    source = text[start:].rstrip().rstrip("/").rstrip()
    body = _BODY.match(source) if kind == "PACKAGE" else None
    match = _NAME.match(source, len(kind) if body is None else body.end())
    if body is not None:
        kind = "PACKAGE BODY"
    if match is None:
        raise OracleError(4050, "invalid or missing procedure, function, or package name")
    owner = _folded(match[1]) if match[1] else session.current_schema
    name = _folded(match[2])
    if kind == "TYPE":
        from localoracle.plsql.type_creation import create_type

        valid = await create_type(session, owner, name, source, replace=head["replace"] is not None)
    elif kind in ("PACKAGE", "PACKAGE BODY"):
        from localoracle.plsql.package_creation import create_package

        await require_privilege(session, "CREATE PROCEDURE", "CREATE ANY PROCEDURE", owner)
        valid = await create_package(session, owner, name, kind, source, replace=head["replace"] is not None)
    else:
        _failure(source)
        await require_privilege(session, "CREATE PROCEDURE", "CREATE ANY PROCEDURE", owner)
        await store_unit(session, owner, name, kind, source, replace=head["replace"] is not None)
        valid = await compile_unit(session, owner, name, kind, source)
    from localoracle.plsql.triggers import compile_invalid_triggers

    await compile_invalid_triggers(session, name)
    session.backend.compiled_with_errors = not valid
    return f"CREATE {kind}"


async def compile_unit(session: Session, owner: str, name: str, kind: str, source: str) -> bool:
    """Compile a stored procedure or function; False when it is invalid."""
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.plsql.routine_body import check_signature, compile_routine, drop_compiled

    failure = _failure(source)
    if failure is None:
        try:
            await check_signature(session, owner, source)
            with compiling(owner, name):
                declared, checked = _checked(source)
                async with rights_of(session, owner):
                    await require_execute(session, checked.packages, source)
                    await check_calls(session, source, checked)
                    interpreter = Interpreter(session, source, {})
                    await keep_arguments(interpreter, Scope(Scope()), owner, name, kind, [declared])
                    await check_tables(session, source, owner, checked.statements)
                await compile_routine(session, owner, name, source)
        except OracleError as error:
            failure = compilation_failure(error)
    if failure is not None:
        await drop_compiled(session, owner, name)
        await forget_arguments(session, owner, name, kind)
    await keep_outcome(session, owner, name, kind, failure)
    return failure is None


def _failure(source: str) -> OracleError | None:
    try:
        subprogram(source)
    except OracleError as error:
        return compilation_failure(error)
    return None


def subprogram(source: str) -> tree.SubprogramDeclaration:
    """The tree of a stored procedure or function. Raises ORA-06550 when it does not compile."""
    return _checked(source)[0]


@lru_cache(maxsize=200)
def _checked(source: str) -> tuple[tree.SubprogramDeclaration, Checked]:
    parser = Parser(source)
    declaration = parser.subprogram()
    if parser.token.kind != "end":
        parser.fail("end-of-file")
    BlockRules(source).subprogram(declaration)
    checker = Checker(source)
    checker.scopes.append({})
    checker.labels.append(None)
    checker.subprogram(declaration)
    return declaration, checker.result


class InvalidUnit(Exception):
    """The unit is there, and did not compile."""


async def find_unit(session: Session, owner: str, name: str) -> LocalSubprogram | None:
    """The stored procedure or function OWNER.NAME, ready to be called; None when there is none."""
    rows = await session.pg_system(
        "SELECT source, status, type FROM localoracle.routines WHERE owner = %s AND name = %s"
        " AND type IN ('PROCEDURE', 'FUNCTION')",
        (owner, name),
    )
    if not rows:
        return None
    if owner != session.user:
        raise not_supported(f"call of another user's stored {owner}.{name}")
    source, status, kind = (str(value) for value in rows[0])
    again = status == "INVALID" and not is_compiling(owner, name)
    # What it lacked may be there by now: an invalid unit is compiled again when it is used.
    if again and not await compile_unit(session, owner, name, kind, source):
        raise InvalidUnit
    return LocalSubprogram(subprogram(source), Scope(), source, f"{owner}.{name}")
