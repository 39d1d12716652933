"""Explicit cursors and cursor variables: OPEN, FETCH, CLOSE and their attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import convert, to_number, to_text
from localoracle.plsql.scope import Cursor, Scope, Variable
from localoracle.supplied.types import (
    CursorType,
)

if TYPE_CHECKING:
    from localoracle.values import Column


class Cursors(Component):
    """Cursors by name and in variables."""

    def cursor(self, target: tree.Target, scope: Scope, *, create: bool = False) -> Cursor:
        """The cursor that a name or cursor variable stands for. ORA-01001 when the variable holds none."""
        if isinstance(target, tree.BindReference):
            held = self.bound(target.name, target.place)
            if isinstance(held.value, Cursor):
                return held.value
            if create or held.value is not None:
                held.value = Cursor(result=held.value)
                assert isinstance(held.value, Cursor)
                return held.value
            raise OracleError(1001, "invalid cursor")
        meaning = scope.lookup(target.parts[0].name)
        if isinstance(meaning, Cursor):
            return meaning
        if isinstance(meaning, Variable) and isinstance(meaning.type, CursorType) and len(target.parts) == 1:
            if not isinstance(meaning.value, Cursor):
                if not create and meaning.value is None:
                    raise OracleError(1001, "invalid cursor")
                meaning.value = Cursor(result=meaning.value)
            assert isinstance(meaning.value, Cursor)
            return meaning.value
        raise self.wrong(target.place, "PLS-00201", target.parts[0].name)

    def attribute(self, expression: tree.CursorAttribute, scope: Scope) -> Any:
        if expression.cursor is None:
            count = self.interpreter.sql.rowcount
            return {
                "ROWCOUNT": count,
                "FOUND": None if count is None else count > 0,
                "NOTFOUND": None if count is None else count == 0,
                "ISOPEN": False,
            }[expression.attribute]
        if expression.attribute == "ISOPEN":
            try:
                return self.cursor(expression.cursor, scope).result is not None
            except OracleError as error:
                if error.code == 1001:
                    return False
                raise
        cursor = self.cursor(expression.cursor, scope)
        cursor.opened()
        if expression.attribute == "ROWCOUNT":
            return cursor.row_count
        fetched = cursor.found
        return fetched if expression.attribute == "FOUND" or fetched is None else not fetched

    async def open_declared(
        self, cursor: Cursor, arguments: Sequence[tree.NamedArgument], scope: Scope
    ) -> None:
        declaration, home = cursor.declaration, cursor.scope
        if declaration is None or home is None:
            raise OracleError(1001, "invalid cursor")
        if cursor.result is not None:
            raise OracleError(6511, "PL/SQL: cursor already open")
        inner = Scope(home)
        paired = self.interpreter.subprograms.pair_formals(declaration, arguments, declaration.place)
        for formal in declaration.formals:
            kind = await self.interpreter.types.resolve_type(formal.type, home, constrained=False)
            expression = paired.get(formal.name, formal.default)
            assert expression is not None
            where = scope if formal.name in paired else home
            inner.names[formal.name] = Variable(
                kind, await convert(self.session, await self.evaluate(expression, where), kind)
            )
        cursor.result = await self.interpreter.sql.query(declaration.query, inner)
        cursor.row_count = 0
        cursor.found = None

    async def open(self, statement: tree.OpenCursor, scope: Scope) -> None:
        if statement.query is None and statement.text is None:
            assert isinstance(statement.cursor, tree.Reference)
            head = tree.Reference(
                (tree.Part(statement.cursor.parts[0].name, None, statement.place),), statement.place
            )
            await self.open_declared(
                self.cursor(head, scope), statement.cursor.parts[0].arguments or (), scope
            )
            return
        if statement.query is not None:
            result = await self.interpreter.sql.query(statement.query, scope)
        else:
            assert statement.text is not None
            text = await to_text(self.session, await self.evaluate(statement.text, scope))
            values = [
                await self.interpreter.sql.using(mode, expression, scope)
                for mode, expression in statement.using
            ]
            result = await self.session.run(text or "", values)
        cursor = self.cursor(statement.cursor, scope, create=True)
        if cursor.result is not None:
            await cursor.result.close()
        cursor.result, cursor.row_count, cursor.found = result, 0, None

    async def fetch(self, statement: tree.Fetch, scope: Scope) -> None:
        cursor = self.cursor(statement.cursor, scope)
        result = cursor.opened()
        if statement.bulk:
            limit = (
                to_number(await self.evaluate(statement.limit, scope))
                if statement.limit is not None
                else None
            )
            rows = await result.all() if limit is None else await result.fetch(int(limit))
            await self.interpreter.sql.bulk(result.columns or [], rows, statement.into, scope)
            cursor.found = bool(rows) if limit is None else len(rows) == int(limit)
        else:
            if cursor.declaration is not None:
                await self._check_fetch(result.columns or [], statement, scope)
            rows = await result.fetch(1)
            cursor.found = bool(rows)
            if rows:
                await self.interpreter.sql.row(result.columns or [], rows[0], statement.into, scope)
        cursor.row_count += len(rows)

    async def _check_fetch(self, columns: Sequence[Column], statement: tree.Fetch, scope: Scope) -> None:
        """PLS-00394: the columns of a declared cursor are known before it is opened."""
        try:
            await self.interpreter.sql.check_count(columns, statement.into, scope)
        except OracleError:
            raise self.wrong(statement.place, "PLS-00394") from None

    async def close(self, statement: tree.CloseCursor, scope: Scope) -> None:
        cursor = self.cursor(statement.cursor, scope)
        await cursor.opened().close()
        cursor.result = None
