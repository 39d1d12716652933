"""Calls of stored functions, and of functions of packages, in SQL.

SQL Language Reference, "User-Defined Functions", Function Expressions, table_collection_expression; overloads
as in PL/SQL (Subprogram Invocation Resolution); ORA-06553, ORA-06572 in Error Messages. A stored function has
a compiled form, localoracle$NAME in its owner's schema (plsql/routine_body.py). Whether it is there, is found
when the statement is prepared: a name that is none is ORA-00904 then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.rowids import package_function
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.parsing.nodes import identifier_name, sources_of
from localoracle.sql.schema_facts import schema_facts
from localoracle.supplied.overloads import Argument, NoMatch, resolve
from localoracle.supplied.signatures import Form, Overload, constant, documented, family, is_package
from localoracle.supplied.types import FAMILIES

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
    texts = ", ".join(_written_argument(emit, argument) for argument in arguments)
    return Sql(f"{home(owner)}.{written}({texts})" if owner else f"{written}({texts})")


def _written_argument(emit: Expressions, argument: exp.Expr) -> str:
    name = ""
    if isinstance(argument, exp.Kwarg):
        name, argument = f"{quote(argument.this.name.upper())} => ", argument.expression
    if isinstance(argument, exp.Distinct | exp.Star | exp.Alias):
        raise OracleError(907, "missing right parenthesis")
    value = emit.scalar(argument)
    return name + ("NULL" if value is NULL else value.text)


# The type of an argument as PL/SQL names it; LOBs and what is not here may be of several types.
_TYPES = {
    "S": "VARCHAR2",
    "N": "NUMBER",
    "F": "BINARY_DOUBLE",
    "D": "DATE",
    "T": "TIMESTAMP",
    "Z": "TIMESTAMP WITH TIME ZONE",
    "R": "RAW",
    "X": FAMILIES["ROWID"],
}
_FAMILIES = {"NUMBER": "N", "VARCHAR2": "S", "RAW": "R", "DATE": "D", "TIMESTAMP": "T"}


def member(emit: Expressions, node: exp.Column, owner: list[str], name: str) -> Sql | None:
    """PACKAGE.NAME without parentheses: a function, or what Oracle refuses; None where it is no package.

    A table of the statement comes first, as columns do.
    """
    owner = owner[1:] if len(owner) == 2 and owner[0] == "SYS" else owner
    if ".".join(owner) in schema_facts.get().packages and not _names_a_source(node, owner[-1]):
        return call(emit, owner, name, [])
    if len(owner) != 1 or not is_package(owner[0]):
        return None
    return call(emit, owner, name, [])


def call(emit: Expressions, owner: list[str], name: str, arguments: Arguments) -> Sql:
    """PACKAGE.FUNCTION(...): the function of the PostgreSQL schema of that name."""
    owner = owner[1:] if len(owner) == 2 and owner[0] == "SYS" else owner
    if ".".join(owner) in schema_facts.get().packages:
        schema = owner[0] if len(owner) == 2 else None
        return call_user_function(emit, schema, f"{owner[-1]}.{name}", arguments)
    if len(owner) != 1:
        raise OracleError(904, f'"{".".join(owner)}"."{name}": invalid identifier')
    package = owner[0]
    if not is_package(package):
        return call_user_function(emit, package, name, arguments)
    if package == "DBMS_ROWID":
        fast = package_function(emit, name, arguments)
        if fast is not None:
            return fast
    overload, texts = _resolved(emit, package, name, arguments, "function")
    if package == "DBMS_FLASHBACK":
        emit.context.uses_current_scn = True
    return Sql(_written(package, name, texts), _FAMILIES.get(family(overload.returns or ""), ""))


def table(emit: Expressions, package: str, name: str, arguments: Arguments) -> str:
    """TABLE(PACKAGE.FUNCTION(...)) of a FROM clause: pipelined functions only."""
    return _written(package, name, _resolved(emit, package, name, arguments, "pipelined")[1])


def qualifiers(node: exp.Dot) -> list[str]:
    """What stands before the last dot: PACKAGE, or SYS and PACKAGE."""
    parts: list[str] = []
    owner = node.this
    while isinstance(owner, exp.Dot):
        parts.insert(0, identifier_name(owner.expression))
        owner = owner.this
    return [identifier_name(owner), *parts]


def _names_a_source(node: exp.Column, name: str) -> bool:
    """Whether a table, view or subquery of the queries around a column is called so."""
    around: exp.Expr | None = node.parent
    while around is not None:
        named = sources_of(around) if isinstance(around, exp.Select) else []
        if any(each.alias_or_name.upper() == name for each in named):
            return True
        around = around.parent
    return False


def _written(schema: str, name: str, texts: list[str]) -> str:
    return f"{quote(schema)}.{quote(name)}({', '.join(texts)})"


def _resolved(
    emit: Expressions, package: str, name: str, arguments: Arguments, form: Form
) -> tuple[Overload, list[str]]:
    """The overload that a call selects, and its arguments as PostgreSQL takes them."""
    overloads = documented(package).get(name)
    if overloads is None:
        if constant(package, name)[0]:
            raise _refused("PLS-221", f"'{name}' is not a procedure or is undefined")
        raise OracleError(904, f'"{package}"."{name}": invalid identifier')
    forms = {overload.form for overload in overloads}
    if forms == {"procedure"}:
        raise _refused("PLS-222", f"no function with name '{name}' exists in this scope")
    if form not in forms:
        where = "outside TABLE( )" if "pipelined" in forms else "in TABLE( )"
        raise not_supported(f"{package}.{name} {where}")
    actuals, texts = [], []
    for argument in arguments:
        named = isinstance(argument, exp.Kwarg)
        value = emit.scalar(argument.expression if named else argument)
        key = argument.this.name.lower() if named else None
        actuals.append(Argument(None, _TYPES.get(value.family, ""), key, True))
        texts.append(f"{key} => {value.text}" if named else value.text)
    try:
        overload, _ = resolve(package, name, actuals, (form,))
    except NoMatch as mismatch:
        if not mismatch.ambiguous:
            raise _refused("PLS-306", f"wrong number or types of arguments in call to '{name}'") from None
        if all(actual.family for actual in actuals):
            raise _refused("PLS-307", f"too many declarations of '{name}' match this call") from None
        overload = next(each for each in overloads if each.form == form)
    if any("OUT" in parameter.mode for parameter in overload.parameters):
        raise OracleError(6572, f"Function {name} has out arguments")
    if family(overload.returns or "") == "BOOLEAN":
        raise OracleError(6552, "PL/SQL: Statement ignored\nORA-06553: PLS-382: expression is of wrong type")
    if not overload.documented:
        raise not_supported(f"{package}.{name} with these parameters, which 19c does not document")
    return overload, texts


def _refused(code: str, message: str) -> OracleError:
    return OracleError(6553, f"{code}: {message}")
