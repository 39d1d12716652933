"""Stored procedures and functions: kept as text, interpreted on call. Triggers are compiled, see `triggers`.

A unit runs with the privileges of the session, so only its owner may call it (ORA-03001 for others):
definer's rights across users are not there. A unit that does not compile is stored as invalid, with its
first error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql.arguments import forget_arguments, keep_arguments
from localoracle.plsql.compiled_forms import drop_compiled
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.routine_body import check_signature, compile_routine
from localoracle.plsql.scope import Scope
from localoracle.plsql.static_sql import check_tables
from localoracle.plsql.stored import checked_subprogram, subprogram
from localoracle.plsql.unit_checks import check_calls, require_execute
from localoracle.plsql.units import (
    compilation_failure,
    compiling,
    keep_outcome,
    keep_references,
    references,
    refers_by_text,
    require_privilege,
    store_unit,
)

if TYPE_CHECKING:
    from localoracle.session.session import Session


async def create_routine(
    session: Session, owner: str, name: str, kind: str, source: str, *, replace: bool
) -> bool:
    """Make or replace it; False when it did not compile, and is there as invalid.

    Raises ORA-03001 for what it cannot contain here, ORA-00955, ORA-01031.
    """
    _syntax_failure(source)
    await require_privilege(session, "CREATE PROCEDURE", "CREATE ANY PROCEDURE", owner)
    await store_unit(session, owner, name, kind, source, replace=replace)
    return await compile_unit(session, owner, name, kind, source)


async def compile_unit(session: Session, owner: str, name: str, kind: str, source: str) -> bool:
    """Compile a stored procedure or function; False when it is invalid."""
    failure = _syntax_failure(source)
    with references(owner) as found:
        if failure is None:
            try:
                await _compile(session, owner, name, kind, source)
            except OracleError as error:
                failure = compilation_failure(error)
    await keep_references(session, owner, name, kind, found)
    if failure is not None:
        await drop_compiled(session, owner, name)
        await forget_arguments(session, owner, name, kind)
    await keep_outcome(session, owner, name, kind, failure)
    return failure is None


async def _compile(session: Session, owner: str, name: str, kind: str, source: str) -> None:
    refers_by_text(source)
    await check_signature(session, owner, source)
    with compiling(owner, name):
        declared, checked = checked_subprogram(source)
        async with rights_of(session, owner):
            await require_execute(session, checked.packages, source)
            await check_calls(session, source, checked)
            interpreter = Interpreter(session, source)
            await keep_arguments(interpreter, Scope(Scope()), owner, name, kind, [declared])
            await check_tables(session, source, owner, checked.statements)
        await compile_routine(session, owner, name, source)


def _syntax_failure(source: str) -> OracleError | None:
    try:
        subprogram(source)
    except OracleError as error:
        return compilation_failure(error)
    return None
