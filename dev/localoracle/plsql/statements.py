"""Runs the statements and declarations of a block (Language Reference, chapters 5 to 11)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from localoracle.dictionary.documentation import message
from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import to_number
from localoracle.plsql.errors import (
    PREDEFINED,
    PlsqlError,
    line_and_column,
    package_exceptions,
    statement_error_of,
)
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.packages import Package
from localoracle.plsql.scope import Cursor, Scope, UserException, Variable
from localoracle.plsql.sql_statements import row_record, row_type
from localoracle.supplied.types import (
    ScalarType,
)

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter

    pass

_FETCH = 100
_PASSES_PER_PAUSE = 200


class _Leaving(Exception):
    def __init__(self, kind: str, label: str | None) -> None:
        self.kind = kind
        self.label = label


class Returning(Exception):
    """RETURN, on its way to the subprogram that it ends."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Statements(Component):
    """Statements by their kind, blocks with their exception handlers."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.passes = 0
        self._methods: dict[type, Callable[[Any, Scope], Awaitable[None]]] = {
            tree.Block: self._block,
            tree.Nothing: self._nothing,
            tree.Assignment: self._assignment,
            tree.CallStatement: interpreter.subprograms.statement,
            tree.If: self._if,
            tree.CaseStatement: self._case_statement,
            tree.Loop: self._loop,
            tree.NumericFor: self._numeric_for,
            tree.CursorFor: self._cursor_for,
            tree.ForAll: self._forall,
            tree.ExitLoop: self._exit,
            tree.Return: self._return,
            tree.Raise: self._raise,
            tree.SqlStatement: interpreter.sql.statement,
            tree.ExecuteImmediate: interpreter.sql.execute_immediate,
            tree.OpenCursor: interpreter.cursors.open,
            tree.Fetch: interpreter.cursors.fetch,
            tree.CloseCursor: interpreter.cursors.close,
        }

    # --- blocks ---

    async def run_block(self, block: tree.Block, parent: Scope | None, scope: Scope | None = None) -> None:
        scope = scope or Scope(parent, block.label)
        try:
            await self.interpreter.types.declare(block.declarations, scope)
            await self.run(block.statements, scope)
        except PlsqlError as raised:
            handler = await self._handler(block, raised, scope)
            if handler is None:
                raise
            outer, self.interpreter.handled = self.interpreter.handled, raised
            try:
                await self.run(handler.statements, scope)
            finally:
                self.interpreter.handled = outer

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
        meaning = scope.lookup(name[0], qualifier=len(name) > 1)
        if isinstance(meaning, Scope) and not isinstance(meaning, Package) and len(name) == 2:
            meaning = meaning.names.get(name[1])
        if (meaning is None or isinstance(meaning, Package)) and len(name) > 1:
            meaning = await self.interpreter.names.packaged(name, place, scope)
        if isinstance(meaning, UserException):
            return meaning, meaning.code
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
                raise self.interpreter.raised(error, statement.place) from error

    async def _run_statement(self, statement: tree.Statement, scope: Scope) -> None:
        await self._methods[type(statement)](statement, scope)

    async def _block(self, statement: tree.Block, scope: Scope) -> None:
        await self.run_block(statement, scope)

    async def _nothing(self, statement: tree.Nothing, scope: Scope) -> None:
        return

    async def _assignment(self, statement: tree.Assignment, scope: Scope) -> None:
        await self.interpreter.targets.assign(
            statement.target, await self.evaluate(statement.value, scope), scope
        )

    async def _if(self, statement: tree.If, scope: Scope) -> None:
        for condition, branch in statement.branches:
            if await self.interpreter.expressions.condition(condition, scope):
                await self.run(branch, scope)
                return
        await self.run(statement.otherwise, scope)

    async def _case_statement(self, statement: tree.CaseStatement, scope: Scope) -> None:
        subject: Typed | None = (
            await self.typed(statement.operand, scope) if statement.operand is not None else None
        )
        for condition, branch in statement.branches:
            if subject is None:
                chosen = await self.interpreter.expressions.condition(condition, scope)
            else:
                chosen = (
                    await self.interpreter.expressions.compare(
                        "=", subject, await self.typed(condition, scope)
                    )
                    is True
                )
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
        except _Leaving as leaving:
            if leaving.label is not None and leaving.label != label:
                raise
            return leaving.kind == "CONTINUE"
        return True

    async def _loop(self, statement: tree.Loop, scope: Scope) -> None:
        while statement.condition is None or await self.interpreter.expressions.condition(
            statement.condition, scope
        ):
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
            result = await self.interpreter.sql.query(statement.query, scope)
            cursor = Cursor(result=result)
        else:
            assert statement.cursor is not None
            cursor = self.interpreter.cursors.cursor(
                tree.Reference(statement.cursor.parts[:1], statement.cursor.place), scope
            )
            await self.interpreter.cursors.open_declared(
                cursor, statement.cursor.parts[-1].arguments or (), scope
            )
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
        low, high = await self._bounds(statement.low, statement.high, scope)
        inner = Scope(scope)
        changed = 0
        for number in range(low, high + 1):
            inner.names[statement.variable] = Variable(ScalarType("PLS_INTEGER"), number, constant=True)
            await self._run_statement(statement.statement, inner)
            changed += self.interpreter.sql.rowcount or 0
        self.interpreter.sql.rowcount = changed

    async def _exit(self, statement: tree.ExitLoop, scope: Scope) -> None:
        if statement.condition is None or await self.interpreter.expressions.condition(
            statement.condition, scope
        ):
            raise _Leaving(statement.kind, statement.label)

    # --- subprograms and exceptions ---

    async def _return(self, statement: tree.Return, scope: Scope) -> None:
        raise Returning(await self.evaluate(statement.value, scope) if statement.value is not None else None)

    async def _raise(self, statement: tree.Raise, scope: Scope) -> None:
        if statement.name is None:
            if self.interpreter.handled is None:
                raise self.wrong(statement.place, "PLS-00367")
            raise self.interpreter.handled
        exception, code = await self.exception(statement.name, scope, statement.place)
        if code is None:
            error = OracleError(6510, "PL/SQL: unhandled user-defined exception")
        else:
            error = OracleError(code, (message(f"ORA-{code:05d}") or "").replace("{}", ""))
        raise self.interpreter.raised(error, statement.place, exception)
