"""Runs the statements and declarations of a block (Language Reference, chapters 5 to 11)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.packages import registry
from localoracle.plsql import syntax as tree
from localoracle.plsql.conversion import bind, convert, family_of, scalar_of, to_number, to_text
from localoracle.plsql.declarations import Declarations
from localoracle.plsql.embedded import Plan, plan
from localoracle.plsql.errors import (
    PREDEFINED,
    PlsqlError,
    line_and_column,
    package_exceptions,
    with_stack_line,
)
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.lexer import Token, bind_names
from localoracle.plsql.scope import Cursor, LocalSubprogram, Scope, UserException, Variable
from localoracle.plsql.types import (
    DATA_TYPES,
    Collection,
    CollectionType,
    CursorType,
    PlsqlType,
    Record,
    RecordType,
    ScalarType,
    default_value,
)
from localoracle.values import Column, DataType, OracleType, Value

if TYPE_CHECKING:
    from localoracle.session.result import Result

_FETCH = 100
_PASSES_PER_PAUSE = 200


class _Exit(Exception):
    def __init__(self, kind: str, label: str | None) -> None:
        self.kind = kind
        self.label = label


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter(Declarations):
    """Executes one program; a stored subprogram's body is run by an interpreter of its own text."""

    sql_rowcount: int | None = None
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
            handler = self._handler(block, raised, scope)
            if handler is None:
                raise
            outer, self.handled = self.handled, raised
            try:
                await self.run(handler.statements, scope)
            finally:
                self.handled = outer

    def _handler(self, block: tree.Block, raised: PlsqlError, scope: Scope) -> tree.Handler | None:
        for handler in block.handlers:
            if not handler.names or any(
                self._catches(name, raised, scope, handler.place) for name in handler.names
            ):
                return handler
        return None

    def _catches(self, name: tuple[str, ...], raised: PlsqlError, scope: Scope, place: int) -> bool:
        exception, code = self.exception(name, scope, place)
        if exception is not None and raised.name is exception:
            return True
        return code is not None and raised.error.code == code

    def exception(
        self, name: tuple[str, ...], scope: Scope, place: int
    ) -> tuple[UserException | None, int | None]:
        """The declared exception, or the ORA number of a predefined or package exception."""
        found = scope.lookup(name[0], qualifier=len(name) > 1)
        if isinstance(found, Scope) and len(name) == 2:
            found = found.names.get(name[1])
        if isinstance(found, UserException):
            return found, found.code
        if len(name) == 1 and name[0] in PREDEFINED:
            return None, PREDEFINED[name[0]]
        if len(name) >= 2 and name[-1] in package_exceptions(name[-2]):
            return None, package_exceptions(name[-2])[name[-1]]
        raise self.wrong(place, "PLS-00201", f"identifier '{'.'.join(name)}' must be declared")

    async def run(self, statements: Sequence[tree.Statement], scope: Scope) -> None:
        for statement in statements:
            try:
                await self._run_statement(statement, scope)
            except OracleError as error:
                if error.code == 6550 and not error.text.startswith("line "):
                    code, _, message = error.text.partition(": ")
                    raise self.wrong(statement.place, code, message) from error
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
            await self._open_declared(cursor, statement.cursor.parts[-1].arguments or (), scope)
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
                raise self.wrong(
                    statement.place,
                    "PLS-00367",
                    "a RAISE statement with no exception name must be inside an exception handler",
                )
            raise self.handled
        exception, code = self.exception(statement.name, scope, statement.place)
        if code is None:
            error = OracleError(6510, "PL/SQL: unhandled user-defined exception")
        else:
            from localoracle.errors import dictionary

            error = OracleError(
                code,
                _MESSAGES.get(code)
                or dictionary()["errors"].get(f"ORA-{code:05d}", "").replace("string", ""),
            )
        raise self._raised(error, statement.place, exception)

    async def _call(self, statement: tree.CallStatement, scope: Scope) -> None:
        parts = statement.call.parts
        first = parts[0].name
        found = scope.lookup(first, qualifier=len(parts) > 1 and parts[0].arguments is None)
        if isinstance(found, Scope) and len(parts) > 1:
            found = found.names.get(parts[1].name)
        if isinstance(found, LocalSubprogram):
            if found.declaration.kind == "FUNCTION":
                raise self.wrong(
                    statement.place, "PLS-00221", f"'{parts[-1].name}' is not a procedure or is undefined"
                )
            await self.call_local(found, parts[-1].arguments or (), scope, statement.place)
            return
        if isinstance(found, Variable):
            if parts[-1].name not in ("EXTEND", "TRIM", "DELETE") or len(parts) == 1:
                raise self.wrong(
                    statement.place,
                    "PLS-00221",
                    f"'{parts[-1].name or first}' is not a procedure or is undefined",
                )
            await self.reference(statement.call, scope)
            return
        if first in ("SYS", "STANDARD") and len(parts) > 1:
            parts = parts[1:]
            first = parts[0].name
        if len(parts) == 1 and first == "RAISE_APPLICATION_ERROR":
            await self._raise_application_error(parts[0], scope)
        if len(parts) == 2 and parts[0].arguments is None and registry.is_package(first):
            if not registry.overloads(first, parts[1].name):
                raise self.wrong(parts[1].place, "PLS-00302", f"component '{parts[1].name}' must be declared")
            await self.call_package(first, parts[1], scope, function=False)
            return
        stored = await self.stored(parts)
        if stored is None or stored.declaration.kind == "FUNCTION":
            name = ".".join(part.name for part in parts)
            if stored is not None:
                raise self.wrong(statement.place, "PLS-00221", f"'{name}' is not a procedure or is undefined")
            raise self.wrong(statement.place, "PLS-00201", f"identifier '{name}' must be declared")
        await self.call_local(stored, parts[-1].arguments or (), scope, statement.place)

    async def _raise_application_error(self, part: tree.Part, scope: Scope) -> None:
        values = [await self.evaluate(argument.value, scope) for argument in part.arguments or ()]
        if not 2 <= len(values) <= 3:
            raise self.wrong(
                part.place,
                "PLS-00306",
                "wrong number or types of arguments in call to 'RAISE_APPLICATION_ERROR'",
            )
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
        if declaration.body is None:
            raise self.wrong(
                place, "PLS-00323", f"subprogram '{declaration.name}' is declared but its body is not"
            )
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

    # --- SQL ---

    async def sql(self, sql: tree.SqlText, scope: Scope) -> tuple[str, dict[str, Value]]:
        """The statement with binds for PL/SQL names, and their values."""
        prepared = self.plans.get(id(sql))
        if prepared is None:
            prepared = self.plans[id(sql)] = await plan(self.session, self.text, sql, scope)
        return await self._filled(prepared, scope)

    async def _filled(self, prepared: Plan, scope: Scope) -> tuple[str, dict[str, Value]]:
        text: list[str] = []
        values: dict[str, Value] = {}
        for piece in prepared.pieces:
            if piece.expression is None:
                text.append(piece.text)
                continue
            value, family = await self.typed(piece.expression, scope)
            if isinstance(value, Record) and piece.spread:
                names = []
                for (_, field_type), item in zip(value.type.fields, value.values.values(), strict=True):
                    names.append(f"PLSQL_{len(values) + 1}")
                    values[names[-1]] = bind(item, field_type.family)
                text.append("(" + ", ".join(f":{name}" for name in names) + ")")
                continue
            name = f"PLSQL_{len(values) + 1}"
            values[name] = bind(value, family)
            text.append(f":{name}")
        statement = "".join(text)
        for name in bind_names(statement):
            if name not in values:
                values[name] = self.bound(name, 0)
        return statement, values

    async def query(self, sql: tree.SqlText, scope: Scope) -> Result:
        text, values = await self.sql(sql, scope)
        return await self.session.run(text, by_name=values)

    async def sql_expression(self, expression: tree.SqlExpression, scope: Scope) -> Typed:
        tokens = (Token("word", "SELECT", expression.place, expression.place), *expression.tokens)
        text, values = await self._filled(
            await plan(self.session, self.text, tree.SqlText(tokens, expression.place), scope), scope
        )
        result = await self.session.run(f"SELECT {text} FROM DUAL", by_name=values)
        row = (await result.all())[0]
        columns = result.columns or []
        return row[0], scalar_of(columns[0].datatype).family if columns else family_of(row[0])

    async def _sql_statement(self, statement: tree.SqlStatement, scope: Scope) -> None:
        if statement.verb in ("SELECT", "WITH"):
            await self._into(await self.query(statement.sql, scope), statement.into, statement.bulk, scope)
            return
        text, values = await self.sql(statement.sql, scope)
        outputs: list[str] = []
        targets = await self._flattened(statement.into, statement.bulk, scope)
        for number, kind in enumerate(targets, 1):
            outputs.append(f"PLSQL_OUT_{number}")
            values[outputs[-1]] = Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"]))
        if outputs:
            text += " INTO " + ", ".join(f":{name}" for name in outputs)
        result = await self.session.run(text, by_name=values)
        if statement.verb in ("INSERT", "UPDATE", "DELETE", "MERGE"):
            self.sql_rowcount = result.rowcount
        elif statement.verb in ("COMMIT", "ROLLBACK"):
            self.sql_rowcount = 0
        if statement.into:
            columns = [Column(name, values[name].datatype) for name in outputs]
            rows = list(zip(*result.returned, strict=True))
            if statement.bulk:
                await self._bulk(columns, rows, statement.into, scope)
            elif len(rows) > 1:
                raise OracleError(1422, "exact fetch returns more than requested number of rows")
            elif rows:
                await self._row(columns, rows[0], statement.into, scope)

    async def _flattened(self, targets: Sequence[tree.Target], bulk: bool, scope: Scope) -> list[PlsqlType]:
        """The scalar types that RETURNING gives values for."""
        kinds: list[PlsqlType] = []
        for target in targets:
            kind = await self.target_type(target, scope)
            if bulk and isinstance(kind, CollectionType):
                kind = kind.element
            kinds.extend(field_type for _, field_type in kind.fields) if isinstance(
                kind, RecordType
            ) else kinds.append(kind)
        return kinds

    async def _into(self, result: Result, targets: Sequence[tree.Target], bulk: bool, scope: Scope) -> None:
        """SELECT INTO and BULK COLLECT INTO: sets SQL%ROWCOUNT; ORA-01403, ORA-01422."""
        columns = result.columns
        if columns is None:
            raise OracleError(1007, "variable not in select list")
        if bulk:
            rows = await result.all()
            self.sql_rowcount = len(rows)
            await self._bulk(columns, rows, targets, scope)
            return
        rows = await result.fetch(2)
        await result.close()
        self.sql_rowcount = len(rows)
        if not rows:
            raise OracleError(1403, "no data found")
        if len(rows) > 1:
            raise OracleError(1422, "exact fetch returns more than requested number of rows")
        await self._row(columns, rows[0], targets, scope)

    async def _row(
        self, columns: Sequence[Column], row: tuple[Any, ...], targets: Sequence[tree.Target], scope: Scope
    ) -> None:
        if len(targets) == 1 and isinstance(kind := await self.target_type(targets[0], scope), RecordType):
            if len(kind.fields) != len(row):
                raise self.wrong(
                    targets[0].place,
                    "PLS-00394",
                    "wrong number of values in the INTO list of a FETCH statement",
                )
            await self.assign(targets[0], row_record(row_type(columns), row), scope)
            return
        if len(targets) != len(row):
            code = 947 if len(targets) > len(row) else 913
            raise OracleError(code, "not enough values" if code == 947 else "too many values")
        for target, value in zip(targets, row, strict=True):
            await self.assign(target, value, scope)

    async def _bulk(
        self,
        columns: Sequence[Column],
        rows: Sequence[tuple[Any, ...]],
        targets: Sequence[tree.Target],
        scope: Scope,
    ) -> None:
        kinds = [await self.target_type(target, scope) for target in targets]
        for number, (target, kind) in enumerate(zip(targets, kinds, strict=True)):
            if not isinstance(kind, CollectionType):
                raise self.wrong(
                    target.place,
                    "PLS-00497",
                    "cannot mix between single row and multi-row (BULK) in INTO list",
                )
            if isinstance(kind.element, RecordType):
                source = row_type(columns)
                elements = [
                    await convert(self.session, row_record(source, row), kind.element) for row in rows
                ]
            elif len(targets) != len(columns):
                raise OracleError(947, "not enough values")
            else:
                elements = [await convert(self.session, row[number], kind.element) for row in rows]
            await self.assign(target, Collection.of(kind, elements), scope)

    async def _execute_immediate(self, statement: tree.ExecuteImmediate, scope: Scope) -> None:
        text = await to_text(self.session, await self.evaluate(statement.text, scope))
        if text is None:
            raise OracleError(6535, "statement string in EXECUTE IMMEDIATE is NULL or 0 length")
        arguments = [
            (mode, expression, await self._using(mode, expression, scope))
            for mode, expression in statement.using
        ]
        values = [value for _, _, value in arguments]
        returning = await self._flattened(statement.returning, statement.bulk, scope)
        outputs = [Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"])) for kind in returning]
        result = await self.session.run(text, [*values, *outputs])
        if result.columns is not None and statement.into:
            await self._into(result, statement.into, statement.bulk, scope)
            return
        if statement.into:
            raise OracleError(1403, "no data found")
        self.sql_rowcount = result.rowcount
        await result.close()
        for mode, expression, value in arguments:
            if "OUT" in mode:
                assert isinstance(expression, tree.Reference | tree.BindReference)
                await self.assign(expression, value.value, scope)
        if statement.returning:
            columns = [Column(str(number), value.datatype) for number, value in enumerate(outputs)]
            rows = list(zip(*result.returned, strict=True))
            if statement.bulk:
                await self._bulk(columns, rows, statement.returning, scope)
            elif rows:
                await self._row(columns, rows[0], statement.returning, scope)

    async def _using(self, mode: str, expression: tree.Expression, scope: Scope) -> Value:
        if mode == "OUT":
            assert isinstance(expression, tree.Reference | tree.BindReference)
            kind = await self.target_type(expression, scope)
            return Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"]))
        value, family = await self.typed(expression, scope)
        return bind(value, family)

    # --- cursors ---

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
        found = scope.lookup(target.parts[0].name)
        if isinstance(found, Cursor):
            return found
        if isinstance(found, Variable) and isinstance(found.type, CursorType) and len(target.parts) == 1:
            if not isinstance(found.value, Cursor):
                if not create and found.value is None:
                    raise OracleError(1001, "invalid cursor")
                found.value = Cursor(result=found.value)
            assert isinstance(found.value, Cursor)
            return found.value
        raise self.wrong(target.place, "PLS-00201", f"identifier '{target.parts[0].name}' must be declared")

    def cursor_attribute(self, expression: tree.CursorAttribute, scope: Scope) -> Any:
        if expression.cursor is None:
            count = self.sql_rowcount
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
        found = cursor.found
        return found if expression.attribute == "FOUND" or found is None else not found

    async def _open_declared(
        self, cursor: Cursor, arguments: Sequence[tree.NamedArgument], scope: Scope
    ) -> None:
        declaration, home = cursor.declaration, cursor.scope
        if declaration is None or home is None:
            raise OracleError(1001, "invalid cursor")
        if cursor.result is not None:
            raise OracleError(6511, "PL/SQL: cursor already open")
        inner = Scope(home)
        stand_in = tree.SubprogramDeclaration(
            "PROCEDURE", declaration.name, declaration.formals, None, None, declaration.place
        )
        paired = self.pair_formals(stand_in, arguments, declaration.place)
        for formal in declaration.formals:
            kind = await self.resolve_type(formal.type, home, constrained=False)
            expression = paired.get(formal.name, formal.default)
            assert expression is not None
            where = scope if formal.name in paired else home
            inner.names[formal.name] = Variable(
                kind, await convert(self.session, await self.evaluate(expression, where), kind)
            )
        cursor.result = await self.query(declaration.query, inner)
        cursor.row_count = 0
        cursor.found = None

    async def _open(self, statement: tree.OpenCursor, scope: Scope) -> None:
        if statement.query is None and statement.text is None:
            assert isinstance(statement.cursor, tree.Reference)
            head = tree.Reference(
                (tree.Part(statement.cursor.parts[0].name, None, statement.place),), statement.place
            )
            await self._open_declared(
                self.cursor(head, scope), statement.cursor.parts[0].arguments or (), scope
            )
            return
        if statement.query is not None:
            result = await self.query(statement.query, scope)
        else:
            assert statement.text is not None
            text = await to_text(self.session, await self.evaluate(statement.text, scope))
            values = [await self._using(mode, expression, scope) for mode, expression in statement.using]
            result = await self.session.run(text or "", values)
        cursor = self.cursor(statement.cursor, scope, create=True)
        if cursor.result is not None:
            await cursor.result.close()
        cursor.result, cursor.row_count, cursor.found = result, 0, None

    async def _fetch(self, statement: tree.Fetch, scope: Scope) -> None:
        cursor = self.cursor(statement.cursor, scope)
        result = cursor.opened()
        if statement.bulk:
            limit = (
                to_number(await self.evaluate(statement.limit, scope))
                if statement.limit is not None
                else None
            )
            rows = await result.all() if limit is None else await result.fetch(int(limit))
            await self._bulk(result.columns or [], rows, statement.into, scope)
            cursor.found = bool(rows) if limit is None else len(rows) == int(limit)
        else:
            rows = await result.fetch(1)
            cursor.found = bool(rows)
            if rows:
                await self._row(result.columns or [], rows[0], statement.into, scope)
        cursor.row_count += len(rows)

    async def _close(self, statement: tree.CloseCursor, scope: Scope) -> None:
        cursor = self.cursor(statement.cursor, scope)
        await cursor.opened().close()
        cursor.result = None

    # --- assignment ---

    async def assign(self, target: tree.Target, value: Any, scope: Scope) -> None:
        if isinstance(target, tree.BindReference):
            await self._assign_bind(self.bound(target.name, target.place), value)
            return
        variable, parts = self.variable(target, scope)
        if not parts:
            variable.value = (
                value
                if isinstance(variable.type, CursorType)
                else await convert(self.session, value, variable.type)
            )
            return
        container, kind = variable.value, variable.type
        for part in parts[:-1]:
            container, kind = await self._step(container, kind, part, scope)
        await self._store(container, kind, parts[-1], value, scope)

    async def _step(
        self, container: Any, kind: PlsqlType, part: tree.Part, scope: Scope
    ) -> tuple[Any, PlsqlType]:
        if part.name == "" and isinstance(kind, CollectionType):
            if container is None:
                raise OracleError(6531, "Reference to uninitialized collection")
            key = await self.evaluate(part.arguments[0].value, scope) if part.arguments else None
            if kind.kind == "ASSOCIATIVE" and not container.exists(key):
                container.set(key, default_value(kind.element))  # rows(i).name := ... makes the element
            return container.get(key), kind.element
        field_type = kind.field_type(part.name.lower()) if isinstance(kind, RecordType) else None
        if field_type is None:
            raise self.wrong(part.place, "PLS-00302", f"component '{part.name}' must be declared")
        if container is None:
            raise OracleError(6530, "Reference to uninitialized composite")
        return container[part.name], field_type

    async def _store(
        self, container: Any, kind: PlsqlType, part: tree.Part, value: Any, scope: Scope
    ) -> None:
        if part.name == "" and isinstance(kind, CollectionType):
            if container is None:
                raise OracleError(6531, "Reference to uninitialized collection")
            key = await self.evaluate(part.arguments[0].value, scope) if part.arguments else None
            container.set(key, await convert(self.session, value, kind.element))
            return
        field_type = kind.field_type(part.name.lower()) if isinstance(kind, RecordType) else None
        if field_type is None:
            raise self.wrong(part.place, "PLS-00302", f"component '{part.name}' must be declared")
        if container is None:
            raise OracleError(6530, "Reference to uninitialized composite")
        container[part.name] = await convert(self.session, value, field_type)

    async def _assign_bind(self, held: Value, value: Any) -> None:
        if isinstance(value, Cursor):
            value = value.result
        if held.datatype.is_array:
            if not isinstance(value, Collection):
                raise OracleError(6550, "PLS-00382: expression is of wrong type")
            held.value = list(value)
            return
        if isinstance(value, Record | Collection):
            raise OracleError(6550, "PLS-00382: expression is of wrong type")
        if held.datatype.type is OracleType.CURSOR:
            held.value = value
            return
        held.value = await convert(self.session, value, bind_type(held.datatype))


def bind_type(datatype: DataType) -> PlsqlType:
    kind = scalar_of(datatype)
    if kind.family == "VARCHAR2":
        # The driver states bytes; a value that does not fit is ORA-06502, as in Oracle.
        return ScalarType("VARCHAR2", size=datatype.size or None)
    if kind.family == "NUMBER":
        return ScalarType("NUMBER")
    return kind


def row_type(columns: Sequence[Column]) -> RecordType:
    """The record of a query's row, fields named as its columns."""
    return RecordType(
        "ROWTYPE", tuple((column.name.lower(), scalar_of(column.datatype)) for column in columns)
    )


def row_record(kind: RecordType, row: tuple[Any, ...]) -> Record:
    record = Record.__new__(Record)
    record.type = kind
    record.values = {name: value for (name, _), value in zip(kind.fields, row, strict=True)}
    return record


_MESSAGES = {
    1403: "no data found",
    1422: "exact fetch returns more than requested number of rows",
    1476: "divisor is equal to zero",
    6502: "PL/SQL: numeric or value error",
    1722: "invalid number",
    1001: "invalid cursor",
    6511: "PL/SQL: cursor already open",
    1: "unique constraint (.) violated",
    6501: "PL/SQL: program error",
    6592: "CASE not found while executing CASE statement",
    6531: "Reference to uninitialized collection",
    6533: "Subscript beyond count",
    6532: "Subscript outside of limit",
}

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
    tree.SqlStatement: Interpreter._sql_statement,
    tree.ExecuteImmediate: Interpreter._execute_immediate,
    tree.OpenCursor: Interpreter._open,
    tree.Fetch: Interpreter._fetch,
    tree.CloseCursor: Interpreter._close,
}
