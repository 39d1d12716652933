"""Expressions and SQL of PL/SQL as plpgsql, through the SQL translator.

Every variable and every column of a trigger's row becomes a bind of the translated expression, and the bind's
place then takes the plpgsql variable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_elements import Elements
from localoracle.plsql.embedded import plan
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS
from localoracle.plsql.scope import Scope, Variable
from localoracle.sql.translate import bind_names, translate
from localoracle.supplied.types import DATA_TYPES, ScalarType
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.plsql.compiled_unit import CompiledUnit

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
PREDICATES = {"INSERTING": "INSERT", "UPDATING": "UPDATE", "DELETING": "DELETE"}
_UNSEEN = "a table with row archival, or * with invisible columns,"
_PARTS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\d+)")


class ExpressionCompiler:
    """Compiles what stands in the statements of one unit."""

    def __init__(self, unit: CompiledUnit) -> None:
        self.unit = unit
        self.session = unit.session
        self.text = unit.text
        self.elements = Elements(self)
        self.tables: list[str] = []
        """What the SQL of the statement that is being compiled names, quoted."""

    async def query(self, sql: tree.SqlText, scope: Scope) -> str:
        """A statement of SQL."""
        values: dict[str, tuple[str, DataType]] = {}
        text = [
            self.unit.correlated(piece.text, values, sql.place)
            if piece.expression is None
            else self.bound(piece.expression, scope, values)
            for piece in (await plan(self.session, self.text, sql, scope)).pieces
        ]
        return self.translated("".join(text), values)

    async def arguments(self, arguments: Sequence[tree.NamedArgument], scope: Scope) -> str:
        """Those of a call of a compiled form."""
        return ", ".join(
            [
                (f'"{argument.name}" => ' if argument.name else "")
                + await self.expression(argument.value, scope)
                for argument in arguments
            ]
        )

    def bind(self, name: str, datatype: DataType, values: dict[str, tuple[str, DataType]]) -> str:
        key = f"B{len(values) + 1}"
        values[key] = (name, DataType(OracleType.VARCHAR2) if datatype.type is OracleType.CHAR else datatype)
        return f":{key}"

    def bound(self, reference: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]) -> str:
        assert isinstance(reference, tree.Reference)
        if self.elements.holder(reference, scope) is not None:
            return self.elements.bound(reference, scope, values)
        meaning = scope.lookup(reference.parts[0].name)
        if (
            not isinstance(meaning, Variable)
            or len(reference.parts) > 1
            or not isinstance(meaning.type, ScalarType)
        ):
            raise self.unit.refuse(reference.parts[0].name, reference.place)
        if meaning.type.family == "BOOLEAN":
            raise self.unit.refuse(f"the BOOLEAN {reference.parts[0].name} in an expression", reference.place)
        return self.bind(str(meaning.value), DATA_TYPES[meaning.type.family], values)

    def _plsql_query(self, sql: str, values: dict[str, tuple[str, DataType]]) -> str:
        """The query of one expression of PL/SQL."""
        return self.translated(f"SELECT {sql} FROM DUAL", values, in_plsql=True)

    def translated(self, sql: str, values: dict[str, tuple[str, DataType]], *, in_plsql: bool = False) -> str:
        names = list(dict.fromkeys(bind_names(sql)))
        types = tuple(values[name][1] for name in names)
        statement = translate(
            sql, types, binds_by_name=True, packages=self.unit.packages(), in_plsql=in_plsql
        )
        if len(statement.sql) != 1 or statement.kind not in ("query", "dml"):
            raise OracleError(3001, f"unimplemented feature: {statement.verb} in a {self.unit.kind}")
        if self.session.database.temporary_tables.named_in(statement, self.unit.owner):
            raise OracleError(3001, f"unimplemented feature: a temporary table in a {self.unit.kind}")
        if shown := self.session.database.invisible_columns.seen_from(self.unit.owner):
            # What * is would be kept when a column changes.
            expanded = translate(
                sql, types, binds_by_name=True, packages=self.unit.packages(), in_plsql=in_plsql, shown=shown
            )
            if expanded.sql != statement.sql:
                raise OracleError(3001, f"unimplemented feature: {_UNSEEN} in a {self.unit.kind}")

        self.tables += statement.tables

        def place(match: re.Match[str]) -> str:
            if match.group(1) is None:
                return match.group()
            return values[names[statement.parameters[int(match.group(1)) - 1]]][0]

        return _PARTS.sub(place, statement.sql[0])

    async def expression(self, expression: tree.Expression, scope: Scope) -> str:
        """A plpgsql expression with the value of a PL/SQL expression."""
        if self.is_condition(expression, scope):
            return f"({await self.condition(expression, scope)})"
        if isinstance(expression, tree.Literal) and expression.value is None:
            return "NULL"
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.render(expression, scope, values)
        return f"({self._plsql_query(sql, values)})"

    def is_condition(self, expression: tree.Expression, scope: Scope) -> bool:
        match expression:
            case tree.Reference() if self.elements.holder(expression, scope) is not None:
                return expression.parts[-1].name == "EXISTS"
            case tree.Literal():
                return expression.family == "BOOLEAN"
            case tree.Unary():
                return expression.operator == "NOT"
            case tree.Binary():
                return expression.operator in ("AND", "OR", "=", "<>", "<", ">", "<=", ">=")
            case tree.Reference() if len(expression.parts) == 1:
                meaning = scope.lookup(expression.parts[0].name)
                if isinstance(meaning, Variable):
                    return meaning.type.family == "BOOLEAN"
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
            case tree.Reference() if self.is_condition(expression, scope):
                return self.flag(expression, scope)
            case _ if not self.is_condition(expression, scope):
                raise self.unit.wrong(expression.place, "PLS-00382")
        values: dict[str, tuple[str, DataType]] = {}
        sql = self.render(expression, scope, values)
        case = f"CASE WHEN {sql} THEN 1 WHEN NOT ({sql}) THEN 0 END"
        return f"(({self._plsql_query(case, values)}) = 1)"

    def flag(self, reference: tree.Reference, scope: Scope) -> str:
        if self.elements.holder(reference, scope) is not None:
            return self.elements.exists(reference, scope)
        part = reference.parts[0]
        meaning = scope.lookup(part.name)
        if isinstance(meaning, Variable):
            return str(meaning.value)
        if part.arguments is not None:
            raise self.unit.refuse(f"{part.name}('column')", reference.place)
        return f"(TG_OP = '{PREDICATES[part.name]}')"

    def _bound_flag(
        self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """A BOOLEAN as a bind of SQL, which has none: the number 1 or 0."""
        return self.bind(f"({self.flag(reference, scope)})::int::numeric", DATA_TYPES["NUMBER"], values)

    def render(
        self, expression: tree.Expression, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        """The expression as Oracle SQL in which variables are binds."""

        def inner(part: tree.Expression) -> str:
            return self.render(part, scope, values)

        match expression:
            case tree.Literal():
                return literal_text(expression)
            case tree.Reference():
                return self._reference(expression, scope, values)
            case tree.Unary():
                return f"({expression.operator} {inner(expression.operand)})"
            case tree.Binary() if expression.operator == "**":
                return f"POWER({inner(expression.left)}, {inner(expression.right)})"
            case tree.Binary() if expression.operator in ("MOD", "REM"):
                return f"MOD({inner(expression.left)}, {inner(expression.right)})"
            case tree.Binary():
                return f"({inner(expression.left)} {expression.operator} {inner(expression.right)})"
            case tree.IsNull():
                tested = expression.operand
                if isinstance(tested, tree.Reference) and self.is_condition(tested, scope):
                    text = self._bound_flag(tested, scope, values)
                else:
                    text = inner(tested)
                return f"({text} IS {'NOT ' if expression.negated else ''}NULL)"
            case tree.Between():
                negated = "NOT " if expression.negated else ""
                bounds = f"{inner(expression.low)} AND {inner(expression.high)}"
                return f"({inner(expression.operand)} {negated}BETWEEN {bounds})"
            case tree.InList():
                negated = "NOT " if expression.negated else ""
                return (
                    f"({inner(expression.operand)} {negated}IN ({', '.join(map(inner, expression.items))}))"
                )
            case tree.Like():
                negated = "NOT " if expression.negated else ""
                escape = f" ESCAPE {inner(expression.escape)}" if expression.escape is not None else ""
                return f"({inner(expression.operand)} {negated}LIKE {inner(expression.pattern)}{escape})"
            case tree.Case():
                head = f" {inner(expression.operand)}" if expression.operand is not None else ""
                searched = expression.operand is None
                tests = [
                    self._test(test, scope, values) if searched else inner(test)
                    for test, _ in expression.branches
                ]
                results = [inner(result) for _, result in expression.branches]
                branches = " ".join(map("WHEN {} THEN {}".format, tests, results))
                otherwise = f" ELSE {inner(expression.otherwise)}" if expression.otherwise is not None else ""
                return f"(CASE{head} {branches}{otherwise} END)"
            case tree.SqlExpression():
                return self._sql_expression(expression, scope, values)
            case _:
                raise self.unit.refuse("this expression", expression.place)

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
            case tree.Reference() if self.is_condition(expression, scope):
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
            meaning = scope.lookup(token.value) if token.kind == "word" else None
            if token.kind == "bind":
                next(tokens)
                column = next(tokens)
                row = self.unit.row(token.value, token.start)
                result.append(self.bind(*self.unit.column(row, column.value, token.start), values))
            elif isinstance(meaning, Variable) and isinstance(meaning.type, ScalarType):
                result.append(self.bind(str(meaning.value), DATA_TYPES[meaning.type.family], values))
            else:
                result.append(self.text[token.start : token.end])
        return " ".join(result)

    def _reference(
        self, reference: tree.Reference, scope: Scope, values: dict[str, tuple[str, DataType]]
    ) -> str:
        reference = self.unit.reference(reference, scope)
        parts = reference.parts
        first = parts[0]
        if first.name.startswith(":") and len(parts) == 2:
            row = self.unit.row(first.name[1:], reference.place)
            return self.bind(*self.unit.column(row, parts[1].name, reference.place), values)
        if isinstance(scope.lookup(first.name), Variable):
            return self.bound(reference, scope, values)
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
            raise self.unit.refuse(first.name, reference.place)
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
