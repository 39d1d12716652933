"""Calls of stored functions in SQL (SQL Language Reference, "User-Defined Functions").

A stored function has a compiled form, localoracle$NAME in its owner's schema (plsql/routine_body.py). Whether
it is there, PostgreSQL finds when the statement is prepared: a name that is none is ORA-00904 then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, Sql
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.parsing.lexer import quote

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions

COMPILED = "localoracle$"
_SUPPLIED = "localoracle$supplied"


def home(owner: str) -> str:
    """The PostgreSQL schema of an owner's compiled forms. Those of SYS are apart: every name is looked up in
    SYS as well, and what has no public synonym is known by its owner only.
    """
    return quote(_SUPPLIED if owner == "SYS" else owner)


def call_user_function(emit: Expressions, owner: str | None, name: str, arguments: Arguments) -> Sql:
    written = quote(COMPILED + name)
    texts = ", ".join(_argument(emit, argument) for argument in arguments)
    return Sql(f"{home(owner)}.{written}({texts})" if owner else f"{written}({texts})")


def _argument(emit: Expressions, argument: exp.Expr) -> str:
    name = ""
    if isinstance(argument, exp.Kwarg):
        name, argument = f"{quote(argument.this.name.upper())} => ", argument.expression
    if isinstance(argument, exp.Distinct | exp.Star | exp.Alias):
        raise OracleError(907, "missing right parenthesis")
    value = emit.scalar(argument)
    return name + ("NULL" if value is NULL else value.text)
