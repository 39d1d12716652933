"""PL/SQL: an interpreter of the subset that refreshes, administration and applications' triggers use.

The rest of the server calls these functions; the modules behind them are loaded on first use, because
packages and interpreter know each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.values import Value

IN, OUT, IN_OUT = 32, 16, 48


def bind_names(text: str) -> list[str]:
    """The distinct bind names of a block, upper case, in order of first appearance."""
    from localoracle.plsql.lexer import bind_names as names

    return names(text)


async def execute(
    session: Session, text: str, binds: list[Value], names: list[str] | None = None
) -> list[int]:
    """Compile and run one anonymous block or CALL statement.

    `binds` holds one value for each distinct bind name (`names`, by default `bind_names(text)`). Values of
    OUT and IN OUT binds are replaced in place. Returns the direction of each bind (IN, OUT, IN_OUT), which
    Oracle derives from the text. Raises OracleError: 6550 with PLS codes for compilation, else what the
    block raised, with its ORA-06512 stack. A failed block leaves nothing behind (the caller's savepoint).
    """
    from localoracle.plsql.execution import execute_block

    return await execute_block(session, text, binds, names or bind_names(text))


async def create(session: Session, text: str) -> str:
    """Run CREATE, ALTER or DROP of a TRIGGER, PROCEDURE, FUNCTION, PACKAGE or TYPE; returns the verb.

    Raises ORA-03001 for methods of types and what a trigger's body may not contain here.
    """
    from localoracle.plsql.stored import create_unit

    return await create_unit(session, text)


def directions(text: str) -> list[int]:
    """The directions of a block's binds without running it (for cursor.parse)."""
    from localoracle.plsql.execution import directions_of

    return directions_of(text)
