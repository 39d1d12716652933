"""What SQL may not call: procedures, functions with OUT or BOOLEAN, functions that change rows in a query.

Sources: PL/SQL Language Reference 19c, "PL/SQL Functions that SQL Statements Can Invoke"; Error Messages,
ORA-00904, ORA-06552, ORA-06553, ORA-06572, ORA-14551.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.instance.creation import created_with
from localoracle.plsql.package_parser import parse_package
from localoracle.plsql.stored import subprogram
from localoracle.plsql.syntax import VariableDeclaration
from localoracle.postgres.types import BOOL

if TYPE_CHECKING:
    from localoracle.postgres.backend import Field
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement
    from localoracle.values import Column

_VOID = 2278
_UNKNOWN = re.compile(r'(?:"(?P<owner>[^"]+)"\.)?"(?P<name>[^"]+)": invalid identifier')
_CHANGES = re.compile(r"(?:INSERT|UPDATE|DELETE|MERGE) in a function")


class CalledByName(OracleError):
    """What was taken for a column is a function that is called without parentheses."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(3001, f"unimplemented feature: a call of {name} without parentheses here")


def refuse_results(columns: Sequence[Column], fields: Sequence[Field]) -> None:
    """Refuse a select list with a call of a procedure, or of a function that returns BOOLEAN."""
    for column, field in zip(columns, fields, strict=True):
        if field.type == _VOID:
            raise OracleError(904, f'"{column.name.partition("(")[0]}": invalid identifier')
        if field.type == BOOL and created_with().major_version < 23:
            wrong = "ORA-06553: PLS-382: expression is of wrong type"
            raise OracleError(6552, f"PL/SQL: Statement ignored\n{wrong}")


async def refusal(session: Session, statement: Statement, error: OracleError) -> OracleError | None:
    """Why a stored function cannot be called so, where an error comes from that."""
    if statement.verb == "SELECT" and error.code == 3001 and _CHANGES.search(error.text):
        return OracleError(14551, "cannot perform a DML operation inside a query")
    unknown = _UNKNOWN.fullmatch(error.text) if error.code == 904 else None
    if unknown is None:
        return None
    owner, name = unknown["owner"] or session.current_schema, unknown["name"]
    rows = await session.pg_system(
        "SELECT source, status FROM localoracle.routines WHERE (owner, name, type) = (%s, %s, 'FUNCTION')",
        (owner, name),
    )
    if not rows:
        return await _no_function(session, unknown["owner"] or "", name)
    if rows[0][1] != "VALID":
        return None  # it is compiled again: `revalidation`
    formals = subprogram(str(rows[0][0])).formals
    if all(formal.default is not None for formal in formals) and _named_as_column(error):
        return CalledByName(unknown["name"])
    if any(formal.mode != "IN" for formal in formals):
        return OracleError(6572, f"Function {unknown['name']} has out arguments")
    wrong = f"wrong number or types of arguments in call to '{unknown['name']}'"
    return OracleError(6553, f"PLS-306: {wrong}")


async def _no_function(session: Session, package: str, name: str) -> OracleError | None:
    """PACKAGE.NAME where the current schema's package declares a variable or constant of that name."""
    rows = await session.pg_system(
        "SELECT source FROM localoracle.routines"
        " WHERE (owner, name, type, status) = (%s, %s, 'PACKAGE', 'VALID')",
        (session.current_schema, package),
    )
    if not rows:
        return None
    declared = parse_package(str(rows[0][0])).declarations
    if not any(isinstance(each, VariableDeclaration) and each.name == name for each in declared):
        return None
    return OracleError(6553, f"PLS-221: '{name}' is not a procedure or is undefined")


def _named_as_column(error: OracleError) -> bool:
    return isinstance(error.__cause__, psycopg.errors.UndefinedColumn)
