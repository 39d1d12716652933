"""Runs the statements and declarations of a block (Language Reference, chapters 5 to 11)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.dictionary.documentation import message
from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.conversion import convert, to_number, to_text
from localoracle.plsql.cursors import Cursors
from localoracle.plsql.errors import (
    PREDEFINED,
    PlsqlError,
    line_and_column,
    package_exceptions,
    statement_error_of,
    with_stack_line,
)
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.overloads import Overloaded
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.packages import Package, without_body
from localoracle.plsql.scope import Cursor, LocalSubprogram, Scope, UserException, Variable
from localoracle.plsql.sql_statements import row_record, row_type
from localoracle.supplied.signatures import is_package, overloads_of
from localoracle.supplied.types import (
    Collection,
    PlsqlType,
    ScalarType,
    default_value,
)

if TYPE_CHECKING:
    pass

_FETCH = 100
_PASSES_PER_PAUSE = 200


class _Exit(Exception):
    def __init__(self, kind: str, label: str | None) -> None:
        self.kind = kind
        self.label = label


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter(Cursors):
    """Executes one program; a stored subprogram's body is run by an interpreter of its own text."""

    bulk_rowcounts: list[int] | None = None
    depth = 0
    passes = 0

    # --- blocks ---

    async def run_block(self, block: tree.Block, parent: Scope | None, scope: Scope | None = None) -> None:
        scope = scope or Scope(parent, block.label)
        try:
            await self.declare(block.declarations, scope)
            await self.run(block.statements, scope)
        except PlsqlError as raised:
            handler = await self._handler(block, raised, scope)
            if handler is None:
                raise
            outer, self.handled = self.handled, raised
            try:
                await self.run(handler.statements, scope)
            finally:
                self.handled = outer

    async def _handler(self, block: tree.Block, raised: PlsqlError, scope: Scope) -> tree.Handler | None:
        for handler in block.handlers:
            if not handler.names:
                return handler
            for name in handler.names:
                if await self._catches(name, raised, scope, handler.place):
                    return handler
        return None

    async def _catches(self, name: tuple[str, ...], raised: PlsqlError, scope: Scope, place: int) -> bool:
        exception, code = await self.exception(name, scope, place)
        if exception is not None and raised.name is exception:
            return True
        return code is not None and raised.error.code == code

    async def exception(
        self, name: tuple[str, ...], scope: Scope, place: int
    ) -> tuple[UserException | None, int | None]:
        """The declared exception, or the ORA number of a predefined or package exception."""
        found = scope.lookup(name[0], qualifier=len(name) > 1)
        if isinstance(found, Scope) and not isinstance(found, Package) and len(name) == 2:
            found = found.names.get(name[1])
        if (found is None or isinstance(found, Package)) and len(name) > 1:
            found = await self.packaged(name, place, scope)
        if isinstance(found, UserException):
            return found, found.code
        if len(name) == 1 and name[0] in PREDEFINED:
            return None, PREDEFINED[name[0]]
        if len(name) >= 2 and name[-1] in package_exceptions(name[-2]):
            return None, package_exceptions(name[-2])[name[-1]]
        raise self.wrong(place, "PLS-00201", ".".join(name))

    async def run(self, statements: Sequence[tree.Statement], scope: Scope) -> None:
        for statement in statements:
            try:
                await self._run_statement(statement, scope)
            except OracleError as error:
                if error.code == 6550 and not error.text.startswith("line "):
                    raise statement_error_of(self.text, statement.place, error) from error
                if error.code == 6550 or (error.code == 3001 and "(line " in error.text):
                    raise
                if error.code == 3001:
                    line, _ = line_and_column(self.text, statement.place)
                    raise OracleError(3001, f"{error.text} (line {line})") from error
                raise self._raised(error, statement.place) from error

    def _raised(self, error: OracleError, place: int, name: object = None) -> PlsqlError:
        line, _ = line_and_column(self.text, place)
        return PlsqlError(with_stack_line(error, self.where(line)), name)

    def where(self, line: int) -> str:
        return f'"{self.unit}", line {line}' if self.unit else f"line {line}"

    async def _run_statement(self, statement: tree.Statement, scope: Scope) -> None:
        method = _METHODS[type(statement)]
        await method(self, statement, scope)

    async def _block(self, statement: tree.Block, scope: Scope) -> None:
        await self.run_block(statement, scope)

    async def _nothing(self, statement: tree.Nothing, scope: Scope) -> None:
        return

    async def _assignment(self, statement: tree.Assignment, scope: Scope) -> None:
        await self.assign(statement.target, await self.evaluate(statement.value, scope), scope)

    async def _if(self, statement: tree.If, scope: Scope) -> None:
        for condition, branch in statement.branches:
            if await self.condition(condition, scope):
                await self.run(branch, scope)
                return
        await self.run(statement.otherwise, scope)

    async def _case_statement(self, statement: tree.CaseStatement, scope: Scope) -> None:
        subject: Typed | None = (
            await self.typed(statement.operand, scope) if statement.operand is not None else None
        )
        for condition, branch in statement.branches:
            if subject is None:
                chosen = await self.condition(condition, scope)
            else:
                chosen = await self.compare("=", subject, await self.typed(condition, scope)) is True
            if chosen:
                await self.run(branch, scope)
                return
        if statement.otherwise is None:
            raise OracleError(6592, "CASE not found while executing CASE statement")
        await self.run(statement.otherwise, scope)

    # --- loops ---

    async def _once(self, statements: Sequence[tree.Statement], scope: Scope, label: str | None) -> bool:
        """One pass of a loop; False when the loop is to end."""
        self.passes += 1
        if self.passes % _PASSES_PER_PAUSE == 0:
            await asyncio.sleep(0)  # an endless loop must not keep the server from its other sessions
        try:
            await self.run(statements, scope)
        except _Exit as leaving:
            if leaving.label is not None and leaving.label != label:
                raise
            return leaving.kind == "CONTINUE"
        return True

    async def _loop(self, statement: tree.Loop, scope: Scope) -> None:
        while statement.condition is None or await self.condition(statement.condition, scope):
            if not await self._once(statement.statements, Scope(scope, statement.label), statement.label):
                return

    async def _numeric_for(self, statement: tree.NumericFor, scope: Scope) -> None:
        low, high = await self._bounds(statement.low, statement.high, scope)
        steps = range(high, low - 1, -1) if statement.reverse else range(low, high + 1)
        inner = Scope(scope, statement.label)
        for number in steps:
            inner.names[statement.variable] = Variable(ScalarType("PLS_INTEGER"), number, constant=True)
            if not await self._once(statement.statements, inner, statement.label):
                return

    async def _bounds(self, low: tree.Expression, high: tree.Expression, scope: Scope) -> tuple[int, int]:
        bounds = [to_number(await self.evaluate(expression, scope)) for expression in (low, high)]
        if None in bounds:
            raise OracleError(6502, "PL/SQL: numeric or value error")
        first, last = (round(bound) for bound in bounds if bound is not None)
        return first, last

    async def _cursor_for(self, statement: tree.CursorFor, scope: Scope) -> None:
        if statement.query is not None:
            result = await self.query(statement.query, scope)
            cursor = Cursor(result=result)
        else:
            assert statement.cursor is not None
            cursor = self.cursor(tree.Reference(statement.cursor.parts[:1], statement.cursor.place), scope)
            await self.open_declared(cursor, statement.cursor.parts[-1].arguments or (), scope)
            result = cursor.opened()
        kind = row_type(result.columns or [])
        inner = Scope(scope, statement.label)
        try:
            while rows := await result.fetch(_FETCH):
                for row in rows:
                    cursor.row_count += 1
                    cursor.found = True
                    inner.names[statement.variable] = Variable(kind, row_record(kind, row))
                    if not await self._once(statement.statements, inner, statement.label):
                        return
        finally:
            cursor.result = None
            await result.close()

    async def _forall(self, statement: tree.ForAll, scope: Scope) -> None:
        if statement.save_exceptions:
            raise not_supported("PL/SQL FORALL ... SAVE EXCEPTIONS")
        if statement.indices_of is not None:
            collection = await self.evaluate(statement.indices_of, scope)
            steps: Sequence[int] = list(collection.keys) if isinstance(collection, Collection) else []
        else:
            assert statement.low is not None
            assert statement.high is not None
            low, high = await self._bounds(statement.low, statement.high, scope)
            steps = range(low, high + 1)
        inner = Scope(scope)
        counts: list[int] = []
        for number in steps:
            inner.names[statement.variable] = Variable(ScalarType("PLS_INTEGER"), number, constant=True)
            await self._run_statement(statement.statement, inner)
            counts.append(self.sql_rowcount or 0)
        self.bulk_rowcounts = counts
        self.sql_rowcount = sum(counts)

    async def _exit(self, statement: tree.ExitLoop, scope: Scope) -> None:
        if statement.condition is None or await self.condition(statement.condition, scope):
            raise _Exit(statement.kind, statement.label)

    # --- subprograms and exceptions ---

    async def _return(self, statement: tree.Return, scope: Scope) -> None:
        raise _Return(await self.evaluate(statement.value, scope) if statement.value is not None else None)

    async def _raise(self, statement: tree.Raise, scope: Scope) -> None:
        if statement.name is None:
            if self.handled is None:
                raise self.wrong(statement.place, "PLS-00367")
            raise self.handled
        exception, code = await self.exception(statement.name, scope, statement.place)
        if code is None:
            error = OracleError(6510, "PL/SQL: unhandled user-defined exception")
        else:
            error = OracleError(code, (message(f"ORA-{code:05d}") or "").replace("{}", ""))
        raise self._raised(error, statement.place, exception)

    async def _call(self, statement: tree.CallStatement, scope: Scope) -> None:
        called = await self.located(statement.call, scope)
        parts = called.parts
        first = parts[0].name
        found = scope.lookup(first, qualifier=len(parts) > 1 and parts[0].arguments is None)
        if isinstance(found, Scope) and len(parts) > 1:
            found = found.names.get(parts[1].name)
        if isinstance(found, Overloaded):
            found = await self.chosen(found, parts[-1], "PROCEDURE", scope)
        if isinstance(found, LocalSubprogram):
            if found.declaration.kind == "FUNCTION":
                raise self.wrong(statement.place, "PLS-00221", parts[-1].name)
            await self.call_local(found, parts[-1].arguments or (), scope, statement.place)
            return
        if isinstance(found, Variable):
            if parts[-1].name not in ("EXTEND", "TRIM", "DELETE") or len(parts) == 1:
                raise self.wrong(statement.place, "PLS-00221", parts[-1].name or first)
            await self.reference(called, scope)
            return
        if first in ("SYS", "STANDARD") and len(parts) > 1:
            parts = parts[1:]
            first = parts[0].name
        if len(parts) == 1 and first == "RAISE_APPLICATION_ERROR":
            await self._raise_application_error(parts[0], scope)
        if len(parts) == 2 and parts[0].arguments is None and is_package(first):
            if not overloads_of(first, parts[1].name):
                raise self.wrong(parts[1].place, "PLS-00302", parts[1].name)
            await self.call_package(first, parts[1], scope, "procedure")
            return
        stored = await self.stored(parts)
        if stored is None or stored.declaration.kind == "FUNCTION":
            name = ".".join(part.name for part in parts)
            if stored is not None:
                raise self.wrong(statement.place, "PLS-00221", name)
            raise self.wrong(statement.place, "PLS-00201", name)
        await self.call_local(stored, parts[-1].arguments or (), scope, statement.place)

    async def _raise_application_error(self, part: tree.Part, scope: Scope) -> None:
        values = [await self.evaluate(argument.value, scope) for argument in part.arguments or ()]
        if not 2 <= len(values) <= 3:
            raise self.wrong(part.place, "PLS-00306", "RAISE_APPLICATION_ERROR")
        code = int(to_number(values[0]) or 0)
        if not -20999 <= code <= -20000:
            raise OracleError(
                21000, f"error number argument to raise_application_error of {code} is out of range"
            )
        message = (await to_text(self.session, values[1]) or "")[:2048]
        if len(values) == 3 and values[2] and self.handled is not None:
            message += f"\n{self.handled.error}"
        raise self._raised(OracleError(-code, message), part.place)

    async def call_local(
        self, subprogram: LocalSubprogram, arguments: Sequence[tree.NamedArgument], scope: Scope, place: int
    ) -> tuple[Any, PlsqlType | None]:
        """Call a local or stored subprogram; copies OUT arguments back unless it raises."""
        declaration = subprogram.declaration
        if declaration.body is None and isinstance(subprogram.scope, Package):
            raise without_body(subprogram.scope)
        if declaration.body is None:
            raise self.wrong(place, "PLS-00328", declaration.name)
        runner = self if subprogram.source is self.text else self.for_source(subprogram)
        paired = self.pair_formals(declaration, arguments, place)
        inner = Scope(subprogram.scope, declaration.name)
        for formal in declaration.formals:
            kind = await runner.resolve_type(formal.type, subprogram.scope, constrained=False)
            actual = paired.get(formal.name)
            if actual is not None and formal.mode != "OUT":
                value = await convert(self.session, await self.evaluate(actual, scope), kind)
            elif actual is None and formal.default is not None:
                value = await convert(
                    self.session, await runner.evaluate(formal.default, subprogram.scope), kind
                )
            else:
                value = default_value(kind)
            inner.names[formal.name] = Variable(kind, value, constant=formal.mode == "IN")
        returns = (
            await runner.resolve_type(declaration.returns, subprogram.scope, constrained=False)
            if declaration.returns
            else None
        )
        try:
            if subprogram.schema is None:
                returned = await runner._run_body(declaration, inner, returns)
            else:
                definers = not declaration.invokers_rights
                async with rights_of(self.session, subprogram.schema, definers=definers):
                    returned = await runner._run_body(declaration, inner, returns)
        except PlsqlError as raised:
            line, _ = line_and_column(self.text, place)
            raise PlsqlError(with_stack_line(raised.error, self.where(line)), raised.name) from raised
        for formal in declaration.formals:
            actual = paired.get(formal.name)
            if "OUT" in formal.mode and actual is not None:
                assert isinstance(actual, tree.Reference | tree.BindReference)
                variable = inner.names[formal.name]
                assert isinstance(variable, Variable)
                await self.assign(actual, variable.value, scope)
        return returned, returns

    async def _run_body(
        self, declaration: tree.SubprogramDeclaration, inner: Scope, returns: PlsqlType | None
    ) -> Any:
        assert declaration.body is not None
        self.depth += 1
        if self.depth > 50:
            self.depth -= 1
            raise OracleError(36, "maximum number of recursive SQL levels (50) exceeded")
        try:
            await self.run_block(declaration.body, inner.parent, inner)
        except _Return as returning:
            return await convert(self.session, returning.value, returns) if returns is not None else None
        finally:
            self.depth -= 1
        if returns is not None:
            raise OracleError(6503, "PL/SQL: Function returned without value")
        return None


_METHODS: dict[type, Any] = {
    tree.Block: Interpreter._block,
    tree.Nothing: Interpreter._nothing,
    tree.Assignment: Interpreter._assignment,
    tree.CallStatement: Interpreter._call,
    tree.If: Interpreter._if,
    tree.CaseStatement: Interpreter._case_statement,
    tree.Loop: Interpreter._loop,
    tree.NumericFor: Interpreter._numeric_for,
    tree.CursorFor: Interpreter._cursor_for,
    tree.ForAll: Interpreter._forall,
    tree.ExitLoop: Interpreter._exit,
    tree.Return: Interpreter._return,
    tree.Raise: Interpreter._raise,
    tree.SqlStatement: Interpreter.sql_statement,
    tree.ExecuteImmediate: Interpreter.execute_immediate,
    tree.OpenCursor: Interpreter.open_cursor,
    tree.Fetch: Interpreter.fetch_cursor,
    tree.CloseCursor: Interpreter.close_cursor,
}
