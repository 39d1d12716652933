"""PL/SQL as plpgsql: statements one by one, expressions and SQL through the SQL translator.

Every variable and every column of a trigger's row becomes a bind of the translated expression, and the bind's
place then takes the plpgsql variable. What has no counterpart is ORA-03001 with the line in the unit's text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_forms import compiled_name, compiled_procedure
from localoracle.plsql.embedded import plan
from localoracle.plsql.errors import line_and_column, statement_error
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.scope import Scope, Variable
from localoracle.sql.parsing.lexer import literal
from localoracle.sql.translate import bind_names, translate
from localoracle.supplied.types import DATA_TYPES, ScalarType
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session

PG_TYPES = {
    "NUMBER": "numeric",
    "VARCHAR2": "text",
    "DATE": "ora.oradate",
    "TIMESTAMP": "timestamp",
    "RAW": "ora.raw",
    "TIMESTAMP WITH TIME ZONE": "ora.timestamp_tz",
    "CLOB": "ora.clob",
    "BLOB": "ora.blob",
    "BOOLEAN": "boolean",
    "BINARY_DOUBLE": "float8",
    "INTERVAL DAY TO SECOND": "ora.interval_ds",
    "INTERVAL YEAR TO MONTH": "ora.interval_ym",
}
_CONDITIONS = {
    "NO_DATA_FOUND": "no_data_found",
    "TOO_MANY_ROWS": "too_many_rows",
    "DUP_VAL_ON_INDEX": "unique_violation",
    "ZERO_DIVIDE": "division_by_zero",
}
PREDICATES = {"INSERTING": "INSERT", "UPDATING": "UPDATE", "DELETING": "DELETE"}
_UNSEEN = "a table with row archival, or * with invisible columns,"
_PARTS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\d+)")


class BodyCompiler:
    """Compiles the body of one unit; `kind` is what it is called in refusals."""

    kind = "unit"

    def __init__(self, session: Session, text: str, owner: str) -> None:
        self.session = session
        self.text = text
        self.owner = owner
        self.interpreter = Interpreter(session, text)
        self.counter = 0
        self.returns = "RETURN NULL;"
        self.tables: list[str] = []
        """What the SQL of the statement that is being compiled names, quoted."""

    def refuse(self, what: str, place: int) -> OracleError:
        line, _ = line_and_column(self.text, place)
        return OracleError(3001, f"unimplemented feature: {what} in a {self.kind} (line {line})")

    async def has_routine(self, owner: str, name: str, kind: str) -> bool:
        """Whether there is such a stored unit. Raises the refusal where it has no compiled form."""
        raise NotImplementedError

    def stack(self, place: int) -> str:
        """The lines below the error that RAISE_APPLICATION_ERROR raises at a place."""
        raise NotImplementedError

    def _row(self, name: str, place: int) -> str:
        """What holds the row that a correlation name means."""
        raise statement_error(self.text, place, "PLS-00049", name)

    def _column(self, row: str, column: str, place: int) -> tuple[str, DataType]:
        """A column of such a row."""
        raise NotImplementedError

    def _correlated(self, text: str, values: dict[str, tuple[str, DataType]], place: int) -> str:
        """A piece of SQL with binds in the place of its correlated columns."""
        return text

    def correlated_target(self, target: tree.Reference) -> str:
        """A column of a correlated row that is assigned to."""
        raise self.refuse("this assignment target", target.place)

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
                    raise self.refuse(f"exception {'.'.join(handler.names[names.index('')])}", handler.place)
                lines.append(f"WHEN {' OR '.join(names) or 'OTHERS'} THEN")
                lines += await self.statements(handler.statements, scope)
        return [*lines, "END;"]

    async def _declaration(self, declaration: tree.Declaration, scope: Scope) -> str:
        if not isinstance(declaration, tree.VariableDeclaration):
            raise self.refuse("this declaration", declaration.place)
        kind = await self.interpreter.types.resolve_type(declaration.type, scope)
        if not isinstance(kind, ScalarType) or kind.family not in PG_TYPES:
            raise self.refuse(f"a variable of type {'.'.join(declaration.type.parts)}", declaration.place)
        scope.names[declaration.name] = Variable(kind, self._fresh(declaration.name), declaration.constant)
        name = scope.names[declaration.name]
        assert isinstance(name, Variable)
        initial = (
            f" := {await self.expression(declaration.default, scope)}"
            if declaration.default is not None
            else ""
        )
        return f"{name.value} {pg_type(kind)}{initial};"

    def _fresh(self, name: str) -> str:
        self.counter += 1
        return '"' + f"{name}${self.counter}".replace('"', '""') + '"'

    async def statements(self, statements: Sequence[tree.Statement], scope: Scope) -> list[str]:
        lines: list[str] = []
        for statement in statements:
            compiled = await self._statement(statement, scope)
            names, self.tables = dict.fromkeys(self.tables), []
            if names:
                compiled[:0] = self.before_sql(f"ARRAY[{', '.join(map(literal, names))}]")
            lines += compiled
        return lines

    def before_sql(self, tables: str) -> list[str]:
        """What stands before a statement with SQL. `tables`: those that it names, as an array."""
        return []

    async def _statement(self, statement: tree.Statement, scope: Scope) -> list[str]:
        match statement:
            case tree.Nothing():
                return ["NULL;"]
            case tree.Block():
                return await self.block(statement, scope)
            case tree.Assignment():
                value = await self.expression(statement.value, scope)
                return [f"{self.target(statement.target, scope)} := {value};"]
            case tree.If():
                return await self._if(statement, scope)
            case tree.Loop() if statement.condition is not None:
                head = f"WHILE {await self.condition(statement.condition, scope)} LOOP"
                return [head, *await self.statements(statement.statements, scope), "END LOOP;"]
            case tree.Loop():
                return ["LOOP", *await self.statements(statement.statements, scope), "END LOOP;"]
            case tree.NumericFor():
                return await self._for(statement, scope)
            case tree.ExitLoop() if statement.label is None:
                when = (
                    f" WHEN {await self.condition(statement.condition, scope)}"
                    if statement.condition is not None
                    else ""
                )
                return [f"{statement.kind}{when};"]
            case tree.Return() if statement.value is None:
                return [self.returns]
            case tree.Return() if self.kind == "function" and statement.value is not None:
                return [f"RETURN {await self.expression(statement.value, scope)};"]
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
                raise self.refuse(f"the statement {statement.verb}", statement.place)
            case _:
                raise self.refuse(f"the statement {type(statement).__name__}", statement.place)

    async def _if(self, statement: tree.If, scope: Scope) -> list[str]:
        lines: list[str] = []
        for number, (condition, branch) in enumerate(statement.branches):
            lines.append(f"{'ELSIF' if number else 'IF'} {await self.condition(condition, scope)} THEN")
            lines += await self.statements(branch, scope)
        if statement.otherwise:
            lines += ["ELSE", *await self.statements(statement.otherwise, scope)]
        return [*lines, "END IF;"]

    async def _for(self, statement: tree.NumericFor, scope: Scope) -> list[str]:
        low, high = await self.expression(statement.low, scope), await self.expression(statement.high, scope)
        inner = Scope(scope)
        name = self._fresh(statement.variable)
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
            raise statement_error(self.text, statement.place, "PLS-00306", "RAISE_APPLICATION_ERROR")
        code = await self.expression(arguments[0].value, scope)
        message = await self.expression(arguments[1].value, scope)
        stack = self.stack(statement.place).replace("'", "''")
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
            raise self.refuse(f"a call of {'.'.join(names)}", statement.place)
        packaged = await compiled_procedure(self.session, self.owner, names)
        owner, name = packaged or ((names[0], names[1]) if len(names) == 2 else (self.owner, names[0]))
        if packaged is None and (len(names) > 2 or not await self.has_routine(owner, name, "PROCEDURE")):
            raise self.refuse(f"a call of {'.'.join(names)}", statement.place)
        arguments = [
            (f'"{argument.name}" => ' if argument.name else "") + await self.expression(argument.value, scope)
            for argument in parts[-1].arguments or ()
        ]
        return f"PERFORM {compiled_name(owner, name)}({', '.join(arguments)});"

    async def _sql(self, statement: tree.SqlStatement, scope: Scope) -> list[str]:
        found = await plan(self.session, self.text, statement.sql, scope)
        text: list[str] = []
        values: dict[str, tuple[str, DataType]] = {}
        for piece in found.pieces:
            if piece.expression is None:
                text.append(self._correlated(piece.text, values, statement.place))
            else:
                text.append(self._bound(piece.expression, scope, values))
        translated = self._translated("".join(text), values)
        if not statement.into:
            return [f"{translated};"]
        if statement.verb != "SELECT":
            raise self.refuse("RETURNING INTO", statement.place)
        targets = ", ".join(self.target(target, scope) for target in statement.into)
        return [f"SELECT q.* INTO STRICT {targets} FROM ({translated}) AS q;"]

    # --- names ---

    def _bind(self, name: str, datatype: DataType, values: dict[str, tuple[str, DataType]]) -> str:
        key = f"B{len(values) + 1}"
        values[key] = (name, DataType(OracleType.VARCHAR2) if datatype.type is OracleType.CHAR else datatype)
        return f":{key}"

    def _bound(
        self, reference: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        assert isinstance(reference, tree.Reference)
        found = scope.lookup(reference.parts[0].name)
        if (
            not isinstance(found, Variable)
            or len(reference.parts) > 1
            or not isinstance(found.type, ScalarType)
        ):
            raise self.refuse(reference.parts[0].name, reference.place)
        if found.type.family == "BOOLEAN":
            raise self.refuse(f"the BOOLEAN {reference.parts[0].name} in an expression", reference.place)
        return self._bind(str(found.value), DATA_TYPES[found.type.family], values)

    def target(self, target: tree.Target, scope: Scope) -> str:
        if isinstance(target, tree.Reference) and target.parts[0].name.startswith(":"):
            return self.correlated_target(target)
        if (
            isinstance(target, tree.Reference)
            and len(target.parts) == 1
            and target.parts[0].arguments is None
        ):
            found = scope.lookup(target.parts[0].name)
            if isinstance(found, Variable) and not found.constant:
                return str(found.value)
            if found is None:
                name = target.parts[0].name
                raise statement_error(self.text, target.place, "PLS-00201", name)
        raise self.refuse("this assignment target", target.place)

    # --- expressions ---

    def packages(self) -> frozenset[str]:
        """The packages of schemas that the body may name."""
        return self.session.database.user_packages.seen_from(self.owner)

    def _expression(self, sql: str, values: dict[str, tuple[str, DataType]]) -> str:
        """The query of one expression of PL/SQL."""
        return self._translated(f"SELECT {sql} FROM DUAL", values, in_plsql=True)

    def _translated(
        self, sql: str, values: dict[str, tuple[str, DataType]], *, in_plsql: bool = False
    ) -> str:
        names = list(dict.fromkeys(bind_names(sql)))
        types = tuple(values[name][1] for name in names)
        statement = translate(sql, types, binds_by_name=True, packages=self.packages(), in_plsql=in_plsql)
        if len(statement.sql) != 1 or statement.kind not in ("query", "dml"):
            raise OracleError(3001, f"unimplemented feature: {statement.verb} in a {self.kind}")
        if self.session.database.temporary_tables.named_in(statement, self.owner):
            raise OracleError(3001, f"unimplemented feature: a temporary table in a {self.kind}")
        if shown := self.session.database.invisible_columns.seen_from(self.owner):
            # What * is would be kept when a column changes.
            told = translate(
                sql, types, binds_by_name=True, packages=self.packages(), in_plsql=in_plsql, shown=shown
            )
            if told.sql != statement.sql:
                raise OracleError(3001, f"unimplemented feature: {_UNSEEN} in a {self.kind}")

        self.tables += statement.tables

        def place(match: re.Match[str]) -> str:
            if match.group(1) is None:
                return match.group()
            return values[names[statement.parameters[int(match.group(1)) - 1]]][0]

        return _PARTS.sub(place, statement.sql[0])

    async def expression(self, expression: tree.Expression, scope: Scope) -> str:
        """A plpgsql expression with the value of a PL/SQL expression."""
        if self._is_condition(expression, scope):
            return f"({await self.condition(expression, scope)})"
        if isinstance(expression, tree.Literal) and expression.value is None:
            return "NULL"
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.render(expression, scope, values)
        return f"({self._expression(sql, values)})"

    def _is_condition(self, expression: tree.Expression, scope: Scope) -> bool:
        match expression:
            case tree.Literal():
                return expression.family == "BOOLEAN"
            case tree.Unary():
                return expression.operator == "NOT"
            case tree.Binary():
                return expression.operator in ("AND", "OR", "=", "<>", "<", ">", "<=", ">=")
            case tree.Reference() if len(expression.parts) == 1:
                found = scope.lookup(expression.parts[0].name)
                if isinstance(found, Variable):
                    return found.type.family == "BOOLEAN"
                return expression.parts[0].name in PREDICATES
            case tree.Between() | tree.InList() | tree.Like() | tree.IsNull():
                return True
            case _:
                return False

    async def condition(self, expression: tree.Expression, scope: Scope) -> str:
        """A plpgsql condition; AND, OR and NOT are plpgsql's own, the rest is SQL."""
        match expression:
            case tree.Binary() if expression.operator in ("AND", "OR"):
                left, right = (
                    await self.condition(expression.left, scope),
                    await self.condition(expression.right, scope),
                )
                return f"({left} {expression.operator} {right})"
            case tree.Unary() if expression.operator == "NOT":
                return f"(NOT {await self.condition(expression.operand, scope)})"
            case tree.Literal() if expression.family in ("BOOLEAN", ""):
                return {True: "true", False: "false", None: "NULL::boolean"}[expression.value]
            case tree.Reference() if self._is_condition(expression, scope):
                return self._flag(expression, scope)
            case _ if not self._is_condition(expression, scope):
                raise statement_error(self.text, expression.place, "PLS-00382")
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.render(expression, scope, values)
        case = f"CASE WHEN {sql} THEN 1 WHEN NOT ({sql}) THEN 0 END"
        return f"(({self._expression(case, values)}) = 1)"

    def _flag(self, reference: tree.Reference, scope: Scope) -> str:
        part = reference.parts[0]
        found = scope.lookup(part.name)
        if isinstance(found, Variable):
            return str(found.value)
        if part.arguments is not None:
            raise self.refuse(f"{part.name}('column')", reference.place)
        return f"(TG_OP = '{PREDICATES[part.name]}')"

    def _bound_flag(
        self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """A BOOLEAN as a bind of SQL, which has none: the number 1 or 0."""
        return self._bind(f"({self._flag(reference, scope)})::int::numeric", DATA_TYPES["NUMBER"], values)

    def render(
        self, expression: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """The expression as Oracle SQL in which variables are binds."""

        def one(part: tree.Expression) -> str:
            return self.render(part, scope, values)

        match expression:
            case tree.Literal():
                return literal_text(expression)
            case tree.Reference():
                return self._reference(expression, scope, values)
            case tree.Unary():
                return f"({expression.operator} {one(expression.operand)})"
            case tree.Binary() if expression.operator == "**":
                return f"POWER({one(expression.left)}, {one(expression.right)})"
            case tree.Binary() if expression.operator in ("MOD", "REM"):
                return f"MOD({one(expression.left)}, {one(expression.right)})"
            case tree.Binary():
                return f"({one(expression.left)} {expression.operator} {one(expression.right)})"
            case tree.IsNull():
                tested = expression.operand
                if isinstance(tested, tree.Reference) and self._is_condition(tested, scope):
                    text = self._bound_flag(tested, scope, values)
                else:
                    text = one(tested)
                return f"({text} IS {'NOT ' if expression.negated else ''}NULL)"
            case tree.Between():
                negated = "NOT " if expression.negated else ""
                bounds = f"{one(expression.low)} AND {one(expression.high)}"
                return f"({one(expression.operand)} {negated}BETWEEN {bounds})"
            case tree.InList():
                negated = "NOT " if expression.negated else ""
                return f"({one(expression.operand)} {negated}IN ({', '.join(map(one, expression.items))}))"
            case tree.Like():
                negated = "NOT " if expression.negated else ""
                escape = f" ESCAPE {one(expression.escape)}" if expression.escape is not None else ""
                return f"({one(expression.operand)} {negated}LIKE {one(expression.pattern)}{escape})"
            case tree.Case():
                head = f" {one(expression.operand)}" if expression.operand is not None else ""
                searched = expression.operand is None
                branches = " ".join(
                    f"WHEN {self._test(test, scope, values) if searched else one(test)} THEN {one(result)}"
                    for test, result in expression.branches
                )
                otherwise = f" ELSE {one(expression.otherwise)}" if expression.otherwise is not None else ""
                return f"(CASE{head} {branches}{otherwise} END)"
            case tree.SqlExpression():
                return self._sql_expression(expression, scope, values)
            case _:
                raise self.refuse("this expression", expression.place)

    def _test(
        self, expression: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """A condition of a searched CASE; SQL knows no BOOLEAN, so that it becomes a comparison."""
        match expression:
            case tree.Binary() if expression.operator in ("AND", "OR"):
                left, right = (
                    self._test(side, scope, values) for side in (expression.left, expression.right)
                )
                return f"({left} {expression.operator} {right})"
            case tree.Unary() if expression.operator == "NOT":
                return f"(NOT {self._test(expression.operand, scope, values)})"
            case tree.Literal() if expression.family == "BOOLEAN":
                return f"({int(bool(expression.value))} = 1)"
            case tree.Reference() if self._is_condition(expression, scope):
                return f"({self._bound_flag(expression, scope, values)} = 1)"
            case _:
                return self.render(expression, scope, values)

    def _sql_expression(
        self, expression: tree.SqlExpression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """CAST, EXTRACT and the like: names that are variables become binds, token by token."""
        result: list[str] = []
        tokens = iter(expression.tokens)
        for token in tokens:
            found = scope.lookup(token.value) if token.kind == "word" else None
            if token.kind == "bind":
                next(tokens)
                column = next(tokens)
                row = self._row(token.value, token.start)
                result.append(self._bind(*self._column(row, column.value, token.start), values))
            elif isinstance(found, Variable) and isinstance(found.type, ScalarType):
                result.append(self._bind(str(found.value), DATA_TYPES[found.type.family], values))
            else:
                result.append(self.text[token.start : token.end])
        return " ".join(result)

    def _reference(
        self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        parts = reference.parts
        first = parts[0]
        if first.name.startswith(":") and len(parts) == 2:
            row = self._row(first.name[1:], reference.place)
            return self._bind(*self._column(row, parts[1].name, reference.place), values)
        if isinstance(scope.lookup(first.name), Variable):
            return self._bound(reference, scope, values)
        arguments = ""
        if parts[-1].arguments is not None:
            arguments = (
                "("
                + ", ".join(
                    (f"{argument.name} => " if argument.name else "")
                    + self.render(argument.value, scope, values)
                    for argument in parts[-1].arguments
                )
                + ")"
            )
        if first.name in ("SQLCODE", "SQLERRM"):
            raise self.refuse(first.name, reference.place)
        if len(parts) == 1 and first.name not in SQL_FUNCTIONS and first.name not in SPECIAL_FUNCTIONS:
            # A stored function: that there is one has been checked (`unit_checks`).
            arguments = arguments or "()"
        return ".".join(part.name for part in parts) + arguments


def literal_text(literal: tree.Literal) -> str:
    if literal.value is None:
        return "NULL"
    if isinstance(literal.value, str):
        return "'" + literal.value.replace("'", "''") + "'"
    return repr(literal.value) if isinstance(literal.value, float) else str(literal.value)


def pg_type(kind: ScalarType) -> str:
    """PostgreSQL's type for variables of a PL/SQL type."""
    if kind.family == "VARCHAR2" and kind.size:
        return f"varchar({kind.size})"
    if kind.family == "NUMBER" and kind.precision:
        return f"numeric({kind.precision},{kind.scale or 0})"
    return PG_TYPES[kind.family]
