"""Invalid functions, packages and triggers are compiled again when a statement uses them.

PL/SQL Language Reference, "Recompiling Stored PL/SQL Units"; Development Guide, "Schema Object Dependency".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql.package_creation import alter_package
from localoracle.plsql.routines import compile_unit
from localoracle.plsql.triggers import compile_trigger

if TYPE_CHECKING:
    from localoracle.session.session import Session

_TRIGGER = re.compile(r"trigger '(?P<owner>[^.']+)\.(?P<name>[^']+)' is invalid and failed re-validation")
_FUNCTION = re.compile(r'(?:"(?P<owner>[^"]+)"\.)?"(?P<name>[^"]+)": invalid identifier')


async def revalidated(session: Session, error: OracleError) -> bool:
    """Whether the statement failed for an invalid unit that is valid now. ORA-06575 for a function
    or package that is not."""
    trigger = _TRIGGER.match(error.text) if error.code == 4098 else None
    if trigger is not None:
        return await _trigger_again(session, trigger["owner"], trigger["name"])
    function = _FUNCTION.fullmatch(error.text) if error.code == 904 else None
    if function is None:
        return False
    if function["owner"] and await _again(session, session.current_schema, function["owner"], "PACKAGE%"):
        return True
    return await _again(session, function["owner"] or session.current_schema, function["name"], "FUNCTION")


async def _trigger_again(session: Session, owner: str, name: str) -> bool:
    rows = await session.pg_system(
        "SELECT 1 FROM dictionary.triggers t WHERE (t.owner, t.trigger_name) = (%s, %s)"
        " AND coalesce(localoracle.source('trigger_error', 'pg_trigger', t.trigger_oid),"
        " localoracle.source('trigger_stale', 'pg_trigger', t.trigger_oid)) IS NOT NULL",
        (owner, name),
    )
    return bool(rows) and await compile_trigger(session, owner, name)


async def _again(session: Session, owner: str, name: str, type_pattern: str) -> bool:
    """Whether a unit was invalid and is valid now. Raises ORA-06575 where it still is not."""
    rows = await session.pg_system(
        "SELECT source, type FROM localoracle.routines WHERE (owner, name, status) = (%s, %s, 'INVALID')"
        " AND type LIKE %s",
        (owner, name, type_pattern),
    )
    if not rows:
        return False
    source, kind = rows[0]
    if kind == "FUNCTION":
        valid = await compile_unit(session, owner, name, "FUNCTION", str(source))
    else:
        valid = await alter_package(session, owner, name, "COMPILE")
    if not valid:
        raise OracleError(6575, f"Package or function {name} is in an invalid state")
    return True
