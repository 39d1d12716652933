"""PL/SQL as plpgsql: statements one by one, expressions and SQL through the SQL translator.

Every variable and every column of a trigger's row becomes a bind of the translated expression, and the bind's
place then takes the plpgsql variable. What has no counterpart is ORA-03001 with the line in the unit's text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_collections import CollectionCompiler
from localoracle.plsql.compiled_expressions import PG_TYPES, ExpressionCompiler, pg_type
from localoracle.plsql.compiled_forms import compiled_name, compiled_procedure
from localoracle.plsql.scope import Scope, Variable
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.supplied.types import ScalarType

if TYPE_CHECKING:
    from localoracle.plsql.compiled_unit import CompiledUnit

_CONDITIONS = {
    "NO_DATA_FOUND": "no_data_found",
    "TOO_MANY_ROWS": "too_many_rows",
    "DUP_VAL_ON_INDEX": "unique_violation",
    "ZERO_DIVIDE": "division_by_zero",
}


class BodyCompiler:
    """Compiles the statements of one unit."""

    def __init__(self, unit: CompiledUnit) -> None:
        self.unit = unit
        self.session = unit.session
        self.text = unit.text
        self.expressions = ExpressionCompiler(unit)
        self.collections = CollectionCompiler(self) if unit.has_collections else None
        self.counter = 0

    # --- blocks ---

    async def block(self, block: tree.Block, parent: Scope) -> list[str]:
        scope = Scope(parent)
        lines = ["DECLARE"] if block.declarations else []
        for declaration in block.declarations:
            lines.append(await self._declaration(declaration, scope))
        lines.append("BEGIN")
        lines += await self.statements(block.statements, scope)
        if block.handlers:
            lines.append("EXCEPTION")
            for handler in block.handlers:
                names = [_CONDITIONS.get(name[-1], "") for name in handler.names]
                if not all(names):
                    raise self.unit.refuse(
                        f"exception {'.'.join(handler.names[names.index('')])}", handler.place
                    )
                lines.append(f"WHEN {' OR '.join(names) or 'OTHERS'} THEN")
                lines += await self.statements(handler.statements, scope)
        return [*lines, "END;"]

    async def _declaration(self, declaration: tree.Declaration, scope: Scope) -> str:
        if self.collections is not None:
            declared = await self.collections.declaration(declaration, scope)
            if declared is not None:
                return declared
        if not isinstance(declaration, tree.VariableDeclaration):
            raise self.unit.refuse("this declaration", declaration.place)
        kind = await self.unit.interpreter.types.resolve_type(declaration.type, scope)
        if not isinstance(kind, ScalarType) or kind.family not in PG_TYPES:
            raise self.unit.refuse(
                f"a variable of type {'.'.join(declaration.type.parts)}", declaration.place
            )
        scope.names[declaration.name] = Variable(kind, self.fresh(declaration.name), declaration.constant)
        name = scope.names[declaration.name]
        assert isinstance(name, Variable)
        initial = (
            f" := {await self.expressions.expression(declaration.default, scope)}"
            if declaration.default is not None
            else ""
        )
        return f"{name.value} {pg_type(kind)}{initial};"

    def fresh(self, name: str) -> str:
        self.counter += 1
        return quote(f"{name}${self.counter}")

    async def statements(self, statements: Sequence[tree.Statement], scope: Scope) -> list[str]:
        lines: list[str] = []
        for statement in statements:
            compiled = await self._statement(statement, scope)
            names, self.expressions.tables = dict.fromkeys(self.expressions.tables), []
            if names:
                compiled[:0] = self.unit.before_sql(f"ARRAY[{', '.join(map(literal, names))}]")
            lines += compiled
        return lines

    async def _statement(self, statement: tree.Statement, scope: Scope) -> list[str]:
        compiled = self.unit.statement(statement)
        if compiled is None and self.collections is not None:
            compiled = await self.collections.statement(statement, scope)
        if compiled is not None:
            return compiled
        match statement:
            case tree.Nothing():
                return ["NULL;"]
            case tree.Block():
                return await self.block(statement, scope)
            case tree.Assignment():
                value = await self.expressions.expression(statement.value, scope)
                return [f"{self.target(statement.target, scope)} := {value};"]
            case tree.If():
                return await self._if(statement, scope)
            case tree.Loop() if statement.condition is not None:
                head = f"WHILE {await self.expressions.condition(statement.condition, scope)} LOOP"
                return [head, *await self.statements(statement.statements, scope), "END LOOP;"]
            case tree.Loop():
                return ["LOOP", *await self.statements(statement.statements, scope), "END LOOP;"]
            case tree.NumericFor():
                return await self._for(statement, scope)
            case tree.ExitLoop() if statement.label is None:
                when = (
                    f" WHEN {await self.expressions.condition(statement.condition, scope)}"
                    if statement.condition is not None
                    else ""
                )
                return [f"{statement.kind}{when};"]
            case tree.Return() if statement.value is None:
                return [self.unit.returns]
            case tree.Return() if self.unit.kind == "function" and statement.value is not None:
                return [f"RETURN {await self.expressions.expression(statement.value, scope)};"]
            case tree.Raise() if statement.name is None:
                return ["RAISE;"]
            case tree.CallStatement() if statement.call.parts[-1].name == "RAISE_APPLICATION_ERROR":
                return await self._raise(statement, scope)
            case tree.SqlStatement() if (
                statement.verb in ("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE") and not statement.bulk
            ):
                return await self._sql(statement, scope)
            case tree.CallStatement():
                return [await self._call(statement, scope)]
            case tree.SqlStatement():
                raise self.unit.refuse(f"the statement {statement.verb}", statement.place)
            case _:
                raise self.unit.refuse(f"the statement {type(statement).__name__}", statement.place)

    async def _if(self, statement: tree.If, scope: Scope) -> list[str]:
        lines: list[str] = []
        for number, (condition, branch) in enumerate(statement.branches):
            lines.append(
                f"{'ELSIF' if number else 'IF'} {await self.expressions.condition(condition, scope)} THEN"
            )
            lines += await self.statements(branch, scope)
        if statement.otherwise:
            lines += ["ELSE", *await self.statements(statement.otherwise, scope)]
        return [*lines, "END IF;"]

    async def _for(self, statement: tree.NumericFor, scope: Scope) -> list[str]:
        low, high = (
            await self.expressions.expression(statement.low, scope),
            await self.expressions.expression(statement.high, scope),
        )
        inner = Scope(scope)
        name = self.fresh(statement.variable)
        inner.names[statement.variable] = Variable(ScalarType("PLS_INTEGER"), name, constant=True)
        bounds = (
            f"REVERSE ({high})::int..({low})::int" if statement.reverse else f"({low})::int..({high})::int"
        )
        return [
            f"FOR {name} IN {bounds} LOOP",
            *await self.statements(statement.statements, inner),
            "END LOOP;",
        ]

    async def _raise(self, statement: tree.CallStatement, scope: Scope) -> list[str]:
        arguments = statement.call.parts[-1].arguments or ()
        if len(arguments) < 2:
            raise self.unit.wrong(statement.place, "PLS-00306", "RAISE_APPLICATION_ERROR")
        code = await self.expressions.expression(arguments[0].value, scope)
        message = await self.expressions.expression(arguments[1].value, scope)
        stack = self.unit.stack(statement.place).replace("'", "''")
        return [
            f"RAISE EXCEPTION USING ERRCODE = 'ORA00', MESSAGE = 'ORA-' || abs(({code})::int) || ': ' || "
            f"coalesce(({message})::text, '')"
            f" || E'{stack}';"
        ]

    async def _call(self, statement: tree.CallStatement, scope: Scope) -> str:
        """A call of a stored procedure, by its compiled form (see `routine_body`)."""
        parts = statement.call.parts
        names = [part.name for part in parts]
        if any(part.arguments is not None for part in parts[:-1]):
            raise self.unit.refuse(f"a call of {'.'.join(names)}", statement.place)
        packaged = await compiled_procedure(self.session, self.unit.owner, names)
        owner, name = packaged or ((names[0], names[1]) if len(names) == 2 else (self.unit.owner, names[0]))
        if packaged is None and (len(names) > 2 or not await self.unit.has_routine(owner, name, "PROCEDURE")):
            raise self.unit.refuse(f"a call of {'.'.join(names)}", statement.place)
        arguments = await self.expressions.arguments(parts[-1].arguments or (), scope)
        return f"PERFORM {compiled_name(owner, name)}({arguments});"

    async def _sql(self, statement: tree.SqlStatement, scope: Scope) -> list[str]:
        return await self.unit.around_sql(statement, await self._compiled_sql(statement, scope), scope)

    async def _compiled_sql(self, statement: tree.SqlStatement, scope: Scope) -> list[str]:
        translated = await self.expressions.query(statement.sql, scope)
        if not statement.into:
            return [f"{translated};"]
        if statement.verb != "SELECT":
            raise self.unit.refuse("RETURNING INTO", statement.place)
        targets = ", ".join(self.target(target, scope) for target in statement.into)
        return [f"SELECT q.* INTO STRICT {targets} FROM ({translated}) AS q;"]

    def target(self, target: tree.Target, scope: Scope) -> str:
        if isinstance(target, tree.Reference) and target.parts[0].name.startswith(":"):
            return self.unit.correlated_target(target)
        if (
            isinstance(target, tree.Reference)
            and len(target.parts) == 1
            and target.parts[0].arguments is None
        ):
            meaning = scope.lookup(target.parts[0].name)
            if isinstance(meaning, Variable) and not meaning.constant:
                return str(meaning.value)
            if meaning is None:
                name = target.parts[0].name
                raise self.unit.wrong(target.place, "PLS-00201", name)
        raise self.unit.refuse("this assignment target", target.place)
