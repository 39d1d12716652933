"""The texts of stored procedures and functions, as they are looked up by name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from localoracle.errors import not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.block_rules import BlockRules
from localoracle.plsql.check import Checker
from localoracle.plsql.checked import Checked
from localoracle.plsql.parser import Parser
from localoracle.plsql.scope import LocalSubprogram, Scope
from localoracle.plsql.units import is_compiled_for, is_compiling

if TYPE_CHECKING:
    from localoracle.session.session import Session


def subprogram(source: str) -> tree.SubprogramDeclaration:
    """The tree of a stored procedure or function. Raises ORA-06550 when it does not compile."""
    return checked_subprogram(source)[0]


@lru_cache(maxsize=200)
def checked_subprogram(source: str) -> tuple[tree.SubprogramDeclaration, Checked]:
    """The same with what was found in it that only the database can tell."""
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
    if owner != session.user and not is_compiled_for(owner):
        raise not_supported(f"call of another user's stored {owner}.{name}")
    source, status, kind = (str(value) for value in rows[0])
    again = status == "INVALID" and not is_compiling(owner, name)
    # What it lacked may be there by now: an invalid unit is compiled again when it is used.
    if again and not await session.recompile(owner, name, kind):
        raise InvalidUnit
    return LocalSubprogram(subprogram(source), Scope(), source, f"{owner}.{name}")
