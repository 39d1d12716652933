"""Static and dynamic SQL: binds in, INTO and RETURNING out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import bind, convert, family_of, scalar_of, to_text
from localoracle.plsql.embedded import Plan, plan
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.lexer import Token, bind_names
from localoracle.plsql.scope import Scope
from localoracle.sql.dispatch import Kind, classify
from localoracle.sql.translate import bind_names as sql_bind_names
from localoracle.supplied.types import (
    DATA_TYPES,
    Collection,
    CollectionType,
    PlsqlType,
    Record,
    RecordType,
)
from localoracle.values import Column, Value

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter
    from localoracle.session.result import Result


class SqlStatements(Component):
    """SQL through the session; SQL%ROWCOUNT."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.rowcount: int | None = None
        self.plans: dict[int, Plan] = {}

    async def bound_statement(self, sql: tree.SqlText, scope: Scope) -> tuple[str, dict[str, Value]]:
        """The statement with binds for PL/SQL names, and their values."""
        prepared = self.plans.get(id(sql))
        if prepared is None:
            prepared = self.plans[id(sql)] = await plan(
                self.session, self.text, sql, scope, self.interpreter.names
            )
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
            if isinstance(value, Collection | Record):
                text.append(self._constructor_call(value, values, piece.expression.place))
                continue
            name = f"PLSQL_{len(values) + 1}"
            values[name] = bind(value, family)
            text.append(f":{name}")
        statement = "".join(text)
        for name in bind_names(statement):
            if name not in values:
                values[name] = self.bound(name, 0)
        return statement, values

    def _constructor_call(self, value: Collection | Record, values: dict[str, Value], place: int) -> str:
        """A value of a schema's type as SQL that makes it again. PLS-00642 for a local collection type."""
        if not value.type.owner:
            if isinstance(value, Collection):
                raise self.wrong(place, "PLS-00642")
            raise not_supported(f"PL/SQL value of type {value.type.name} in SQL")
        if isinstance(value, Collection):
            items = [(item, value.type.element) for item in value]
        else:
            items = [(value.values[name], kind) for name, kind in value.type.fields]
        arguments = []
        for item, kind in items:
            if isinstance(item, Collection | Record):
                arguments.append(self._constructor_call(item, values, place))
                continue
            if item is None and isinstance(kind, RecordType):
                arguments.append("NULL")
                continue
            name = f"PLSQL_{len(values) + 1}"
            values[name] = bind(item, kind.family)
            arguments.append(f":{name}")
        return f'"{value.type.owner}"."{value.type.name}"({", ".join(arguments)})'

    async def query(self, sql: tree.SqlText, scope: Scope) -> Result:
        text, values = await self.bound_statement(sql, scope)
        return await self.session.run(text, by_name=values)

    async def expression(self, expression: tree.SqlExpression, scope: Scope) -> Typed:
        tokens = (Token("word", "SELECT", expression.place, expression.place), *expression.tokens)
        text, values = await self._filled(
            await plan(
                self.session, self.text, tree.SqlText(tokens, expression.place), scope, self.interpreter.names
            ),
            scope,
        )
        result = await self.session.run(f"SELECT {text} FROM DUAL", by_name=values)
        row = (await result.all())[0]
        columns = result.columns or []
        return row[0], scalar_of(columns[0].datatype).family if columns else family_of(row[0])

    async def statement(self, statement: tree.SqlStatement, scope: Scope) -> None:
        if statement.verb in ("SELECT", "WITH"):
            await self._into(await self.query(statement.sql, scope), statement.into, statement.bulk, scope)
            return
        text, values = await self.bound_statement(statement.sql, scope)
        outputs: list[str] = []
        targets = await self._flattened(statement.into, statement.bulk, scope)
        for number, kind in enumerate(targets, 1):
            outputs.append(f"PLSQL_OUT_{number}")
            values[outputs[-1]] = Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"]))
        if outputs:
            text += " INTO " + ", ".join(f":{name}" for name in outputs)
        result = await self.session.run(text, by_name=values)
        if statement.verb in ("INSERT", "UPDATE", "DELETE", "MERGE"):
            self.rowcount = result.rowcount
        elif statement.verb in ("COMMIT", "ROLLBACK"):
            self.rowcount = 0
        if statement.into:
            columns = [Column(name, values[name].datatype) for name in outputs]
            rows = list(zip(*result.returned, strict=True))
            if statement.bulk:
                await self.bulk(columns, rows, statement.into, scope)
            elif len(rows) > 1:
                raise OracleError(1422, "exact fetch returns more than requested number of rows")
            elif rows:
                await self.row(columns, rows[0], statement.into, scope)

    async def _flattened(self, targets: Sequence[tree.Target], bulk: bool, scope: Scope) -> list[PlsqlType]:
        """The scalar types that RETURNING gives values for."""
        kinds: list[PlsqlType] = []
        for target in targets:
            kind = await self.interpreter.targets.target_type(target, scope)
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
            self.rowcount = len(rows)
            await self.bulk(columns, rows, targets, scope)
            return
        rows = await result.fetch(2)
        await result.close()
        await self.check_count(columns, targets, scope)
        self.rowcount = len(rows)
        if not rows:
            raise OracleError(1403, "no data found")
        if len(rows) > 1:
            raise OracleError(1422, "exact fetch returns more than requested number of rows")
        await self.row(columns, rows[0], targets, scope)

    async def check_count(
        self, columns: Sequence[Column], targets: Sequence[tree.Target], scope: Scope
    ) -> None:
        """As many values as variables, unless a record takes all of them. ORA-00947, ORA-00913."""
        if len(targets) == len(columns):
            return
        if len(targets) == 1 and isinstance(
            await self.interpreter.targets.target_type(targets[0], scope), RecordType
        ):
            return
        if len(targets) > len(columns):
            raise OracleError(947, "not enough values")
        raise OracleError(913, "too many values")

    async def row(
        self, columns: Sequence[Column], row: tuple[Any, ...], targets: Sequence[tree.Target], scope: Scope
    ) -> None:
        if len(targets) == 1 and isinstance(
            kind := await self.interpreter.targets.target_type(targets[0], scope), RecordType
        ):
            if len(kind.fields) != len(row):
                raise self.wrong(targets[0].place, "PLS-00394")
            await self.interpreter.targets.assign(targets[0], row_record(row_type(columns), row), scope)
            return
        await self.check_count(columns, targets, scope)
        for target, value in zip(targets, row, strict=True):
            await self.interpreter.targets.assign(target, value, scope)

    async def bulk(
        self,
        columns: Sequence[Column],
        rows: Sequence[tuple[Any, ...]],
        targets: Sequence[tree.Target],
        scope: Scope,
    ) -> None:
        kinds = [await self.interpreter.targets.target_type(target, scope) for target in targets]
        for number, (target, kind) in enumerate(zip(targets, kinds, strict=True)):
            if not isinstance(kind, CollectionType):
                raise self.wrong(target.place, "PLS-00497")
            if isinstance(kind.element, RecordType):
                source = row_type(columns)
                elements = [
                    await convert(self.session, row_record(source, row), kind.element) for row in rows
                ]
            elif len(targets) != len(columns):
                raise OracleError(947, "not enough values")
            else:
                elements = [await convert(self.session, row[number], kind.element) for row in rows]
            await self.interpreter.targets.assign(target, Collection.of(kind, elements), scope)

    async def execute_immediate(self, statement: tree.ExecuteImmediate, scope: Scope) -> None:
        text = await to_text(self.session, await self.evaluate(statement.text, scope))
        if text is None:
            raise OracleError(6535, "statement string in EXECUTE IMMEDIATE is NULL or 0 length")
        arguments = [
            (mode, expression, await self.using(mode, expression, scope))
            for mode, expression in statement.using
        ]
        values = [value for _, _, value in arguments]
        returning = await self._flattened(statement.returning, statement.bulk, scope)
        _check_placeholders(text, len(values) + len(returning))
        outputs = [Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"])) for kind in returning]
        result = await self.session.run(text, [*values, *outputs])
        if result.columns is not None and statement.into:
            await self._into(result, statement.into, statement.bulk, scope)
            return
        if statement.into:
            raise OracleError(1403, "no data found")
        self.rowcount = result.rowcount
        await result.close()
        for mode, expression, value in arguments:
            if "OUT" in mode:
                assert isinstance(expression, tree.Reference | tree.BindReference)
                await self.interpreter.targets.assign(expression, value.value, scope)
        if statement.returning:
            columns = [Column(str(number), value.datatype) for number, value in enumerate(outputs)]
            rows = list(zip(*result.returned, strict=True))
            if statement.bulk:
                await self.bulk(columns, rows, statement.returning, scope)
            elif rows:
                await self.row(columns, rows[0], statement.returning, scope)

    async def using(self, mode: str, expression: tree.Expression, scope: Scope) -> Value:
        if mode == "OUT":
            assert isinstance(expression, tree.Reference | tree.BindReference)
            kind = await self.interpreter.targets.target_type(expression, scope)
            return Value(DATA_TYPES.get(kind.family, DATA_TYPES["VARCHAR2"]))
        value, family = await self.typed(expression, scope)
        return bind(value, family)


def _check_placeholders(text: str, given: int) -> None:
    """USING and RETURNING INTO give each placeholder its value: each place of one in SQL, each name of one
    in a block ("EXECUTE IMMEDIATE Statement", bind_argument). ORA-01006, ORA-01008.
    """
    kind = classify(text)
    if kind not in (Kind.SQL, Kind.BLOCK):
        return
    names = sql_bind_names(text) if kind is Kind.SQL else bind_names(text)
    if given < len(names):
        raise OracleError(1008, "not all variables bound")
    if given > len(names):
        raise OracleError(1006, "bind variable does not exist")


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
