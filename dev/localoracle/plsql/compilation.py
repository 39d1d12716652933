"""Static SQL and assignments of an anonymous block are held against the database when it is compiled.

Also that of branches which never run and of subprograms which nobody calls: a table that is not there is
ORA-06550 over "PL/SQL: ORA-00942" before the first statement (PL/SQL Language Reference, "Static SQL";
Error Messages, ORA-06550).
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import COMPILATION, PlsqlError
from localoracle.plsql.implicit_conversions import converts
from localoracle.plsql.scope import Cursor, Scope, Variable
from localoracle.plsql.sql_statements import row_type
from localoracle.plsql.static_sql import refused
from localoracle.plsql.static_types import StaticTypes, Untyped
from localoracle.supplied.types import DATA_TYPES, PlsqlType, ScalarType
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.values import Column

_QUERIES = ("SELECT", "WITH")
_CHANGES = ("INSERT", "UPDATE", "DELETE", "MERGE")


async def check_block(
    session: Session, text: str, block: tree.Block, names: Sequence[str], binds: Sequence[Value]
) -> None:
    """Raise ORA-06550 for the first statement that could not run."""
    interpreter = StaticTypes(session, text, dict(zip(names, binds, strict=True)))
    await _Compilation(interpreter).block(block, Scope(label=block.label))


class _Compilation:
    def __init__(self, interpreter: StaticTypes) -> None:
        self.interpreter = interpreter

    # --- blocks and declarations ---

    async def block(self, block: tree.Block, scope: Scope) -> None:
        for declaration in block.declarations:
            if isinstance(declaration, tree.VariableDeclaration) and declaration.default is not None:
                kind = self.interpreter.types.resolve_type(declaration.type, scope)
                await self._fits(declaration.default, kind, scope)
            if not await self._declare(declaration, scope):
                return
        await self._statements(block.statements, scope)
        for handler in block.handlers:
            await self._statements(handler.statements, scope)

    async def _declare(self, declaration: tree.Declaration, scope: Scope) -> bool:
        """False where what it declares is not known: what follows could name it."""
        try:
            await self.interpreter.types.declare([_without_defaults(declaration)], scope)
            inner = Scope(scope, getattr(declaration, "name", None))
            if isinstance(declaration, tree.CursorDeclaration | tree.SubprogramDeclaration):
                await self._formals(declaration.formals, inner)
        except PlsqlError:
            return False
        except OracleError as error:
            if error.code == COMPILATION:
                raise
            return False
        if isinstance(declaration, tree.CursorDeclaration):
            await self._sql(declaration.query, inner)
        elif isinstance(declaration, tree.SubprogramDeclaration) and declaration.body is not None:
            await self.block(declaration.body, inner)
        return True

    async def _formals(self, formals: Iterable[tree.Formal], scope: Scope) -> None:
        for formal in formals:
            kind = await self.interpreter.types.resolve_type(formal.type, scope, constrained=False)
            scope.names[formal.name] = Variable(kind)

    # --- statements ---

    async def _statements(self, statements: Iterable[tree.Statement], scope: Scope) -> None:
        for statement in statements:
            await self._statement(statement, scope)

    async def _statement(self, statement: tree.Statement, scope: Scope) -> None:
        match statement:
            case tree.Assignment():
                target = self.interpreter.type_of(statement.target, scope)
                await self._fits(statement.value, target, scope)
            case tree.Block():
                await self.block(statement, Scope(scope, statement.label))
            case tree.If() | tree.CaseStatement():
                for _, branch in statement.branches:
                    await self._statements(branch, scope)
                await self._statements(statement.otherwise or (), scope)
            case tree.Loop():
                await self._statements(statement.statements, Scope(scope, statement.label))
            case tree.NumericFor():
                inner = _counting(scope, statement.variable, statement.label)
                await self._statements(statement.statements, inner)
            case tree.ForAll():
                await self._statement(statement.statement, _counting(scope, statement.variable))
            case tree.CursorFor():
                await self._cursor_for(statement, scope)
            case tree.OpenCursor(query=query) if query is not None:
                await self._sql(query, scope)
            case tree.SqlStatement() if statement.verb in _QUERIES:
                await self._sql(statement.sql, scope)
            case tree.SqlStatement() if statement.verb in _CHANGES:
                await self._sql(statement.sql, scope, len(statement.into))

    async def _fits(self, value: tree.Expression, target: Awaitable[PlsqlType | None], scope: Scope) -> None:
        """PLS-00382 for a value that is not converted into the type of where it goes."""
        source, into = await _known(self.interpreter.type_of(value, scope)), await _known(target)
        if source is not None and into is not None and not converts(source, into):
            raise self.interpreter.wrong(value.place, "PLS-00382")

    async def _cursor_for(self, statement: tree.CursorFor, scope: Scope) -> None:
        columns = None
        if statement.query is not None:
            columns = await self._sql(statement.query, scope)
        elif statement.cursor is not None:
            cursor = scope.lookup(statement.cursor.parts[0].name)
            if isinstance(cursor, Cursor) and cursor.declaration is not None and cursor.scope is not None:
                inner = Scope(cursor.scope)
                await self._formals(cursor.declaration.formals, inner)
                columns = await self._sql(cursor.declaration.query, inner)
        if columns is None:
            return  # the body may name what is not known of its row
        inner = Scope(scope, statement.label)
        inner.names[statement.variable] = Variable(row_type(columns))
        await self._statements(statement.statements, inner)

    async def _sql(self, sql: tree.SqlText, scope: Scope, outputs: int = 0) -> list[Column] | None:
        """The columns of a query; None where it is not certain what the statement is."""
        interpreter = self.interpreter
        try:
            text, values = await interpreter.sql.bound_statement(sql, scope)
        except (Untyped, PlsqlError):
            return None
        except OracleError as error:
            if error.code == COMPILATION:
                raise
            return None
        if outputs:
            into = [f"PLSQL_OUT_{number}" for number in range(outputs)]
            values |= {name: Value(DATA_TYPES["VARCHAR2"]) for name in into}
            text += " INTO " + ", ".join(f":{name}" for name in into)
        try:
            return await interpreter.session.parse(text, values)
        except OracleError as error:
            raise refused(interpreter.text, sql, text, error) from error


async def _known(kind: Awaitable[PlsqlType | None]) -> PlsqlType | None:
    """None where the type is not known before the block runs."""
    try:
        return await kind
    except PlsqlError:
        return None
    except OracleError as error:
        if error.code == COMPILATION:
            raise
        return None


def _counting(scope: Scope, variable: str, label: str | None = None) -> Scope:
    inner = Scope(scope, label)
    kind: PlsqlType = ScalarType("PLS_INTEGER")
    inner.names[variable] = Variable(kind, constant=True)
    return inner


def _without_defaults(declaration: tree.Declaration) -> tree.Declaration:
    """Nothing is evaluated at compile."""
    if isinstance(declaration, tree.VariableDeclaration):
        return replace(declaration, default=None)
    if isinstance(declaration, tree.TypeDeclaration):
        return replace(declaration, fields=tuple((name, kind, None) for name, kind, _ in declaration.fields))
    return declaration
