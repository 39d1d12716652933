"""The functions of PostgreSQL that stored units have beside their texts: their names, and how they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.sql.functions.stored_functions import COMPILED
from localoracle.sql.parsing.lexer import quote

if TYPE_CHECKING:
    from localoracle.session.session import Session


def compiled_name(owner: str, name: str) -> str:
    return f"{quote(owner)}.{quote(COMPILED + name)}"


def dollar_quoted(body: str) -> str:
    mark = "$localoracle$"
    assert mark not in body
    return f"{mark}{body}{mark}"


async def drop_compiled(session: Session, owner: str, name: str) -> None:
    """That of a procedure or function."""
    await _drop(session, owner, "p.proname = %s AND p.prorettype <> 'trigger'::regtype", COMPILED + name)


async def drop_public(session: Session, owner: str, package: str) -> None:
    """Those of a package's public subprograms."""
    await _drop(session, owner, "p.proname ^@ %s", f"{COMPILED}{package}.")


async def _drop(session: Session, owner: str, condition: str, name: str) -> None:
    rows = await session.pg_system(
        "SELECT p.oid::regprocedure::text, ora.lose_views_on('pg_proc'::regclass, p.oid)"
        " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        f" WHERE n.nspname = %s AND {condition}",
        (owner, name),
        write=True,
    )
    for signature, _ in rows:
        await session.pg_system(f"DROP FUNCTION {signature}", write=True)


async def compiled_procedure(session: Session, owner: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Owner and name of the compiled form of [OWNER.]PACKAGE.PROCEDURE, if there is one."""
    parts = [owner, *names] if len(names) == 2 else list(names)
    if len(parts) != 3:
        return None
    name = f"{parts[1]}.{parts[2]}"
    rows = await session.pg_system(
        "SELECT 1 FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE n.nspname = %s AND p.proname = %s AND p.prorettype = 'void'::regtype",
        (parts[0], COMPILED + name),
    )
    return (parts[0], name) if rows else None
