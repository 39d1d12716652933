"""Compiled bodies with variables of object and collection types, cursor FOR loops and PIPE ROW.

PL/SQL Language Reference, "PL/SQL Collections and Records" and "Pipelined Table Functions". A pipelined
function collects its rows and returns them at its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_forms import compiled_name
from localoracle.plsql.conversion import scalar_of
from localoracle.plsql.schema_types import (
    SchemaType,
    composite,
    constructor,
    element_maker,
    representation,
)
from localoracle.plsql.scope import Scope, Variable
from localoracle.supplied.types import CollectionType, PlsqlType, RecordType

if TYPE_CHECKING:
    from localoracle.plsql.compiled_body import BodyCompiler

PIPED = '"localoracle$piped"'
_CHANGES = ("EXTEND", "TRIM", "DELETE")


class CollectionCompiler:
    """Statements about such variables; what they hold is in `Elements`."""

    def __init__(self, body: BodyCompiler) -> None:
        self.body = body
        self.unit = body.unit
        self.expressions = body.expressions

    async def declaration(self, declaration: tree.Declaration, scope: Scope) -> str | None:
        """None for what is no such variable."""
        if isinstance(declaration, tree.VariableDeclaration):
            kind = await self.unit.interpreter.types.resolve_type(declaration.type, scope)
            if is_of_schema(kind):
                variable = Variable(kind, self.body.fresh(declaration.name), declaration.constant)
                initial = ""
                if declaration.default is not None:
                    initial = f" := {await self.composite(declaration.default, kind, scope)}"
                scope.names[declaration.name] = variable
                return f"{variable.value} {representation(kind)}{initial};"
        return None

    async def statement(self, statement: tree.Statement, scope: Scope) -> list[str] | None:
        """None for what is not about them."""
        match statement:
            case tree.Assignment() if self.expressions.elements.holder(statement.target, scope) is not None:
                return await self._assign(statement, scope)
            case tree.CallStatement() if self.expressions.elements.holder(statement.call, scope) is not None:
                return await self._change(statement.call, scope)
            case tree.PipeRow():
                assert isinstance(self.unit.returned, CollectionType)
                row = await self._element(statement.value, self.unit.returned, scope)
                return [f"{PIPED} := array_append({PIPED}, {row});"]
            case tree.Return() if statement.value is not None and is_of_schema(self.unit.returned):
                return [f"RETURN {await self.composite(statement.value, self.unit.returned, scope)};"]
            case tree.CursorFor() if statement.query is not None and statement.label is None:
                return await self._cursor_for(statement, statement.query, scope)
            case tree.SqlStatement() if statement.verb == "SELECT" and statement.bulk:
                return await self._bulk(statement, scope)
            case _:
                return None

    async def _assign(self, statement: tree.Assignment, scope: Scope) -> list[str]:
        assert isinstance(statement.target, tree.Reference)
        variable = self.expressions.elements.holder(statement.target, scope)
        assert variable is not None
        first, *rest = statement.target.parts
        text, kind = str(variable.value), variable.type
        if variable.constant or len(rest) > 1 or any(part.arguments is not None for part in rest):
            raise self.unit.refuse("this assignment target", statement.place)
        collection: CollectionType | None = None
        if first.arguments is not None:
            if not isinstance(kind, CollectionType):
                raise self.unit.refuse("this assignment target", statement.place)
            text, collection, kind = (
                self.expressions.elements.at(text, kind, first, scope),
                kind,
                kind.element,
            )
        if not rest and collection is not None:
            return [f"{text} := {await self._element(statement.value, collection, scope)};"]
        if not rest:
            assert is_of_schema(kind)
            return [f"{text} := {await self.composite(statement.value, kind, scope)};"]
        if not isinstance(kind, RecordType) or kind.field_type(rest[0].name.lower()) is None:
            raise self.unit.wrong(rest[0].place, "PLS-00302", rest[0].name)
        value = await self.expressions.expression(statement.value, scope)
        return [f"PERFORM ora.initialized({text});", f'{text}."{rest[0].name}" := {value};']

    async def _change(self, call: tree.Reference, scope: Scope) -> list[str]:
        """EXTEND, TRIM and DELETE of a whole collection."""
        variable = self.expressions.elements.holder(call, scope)
        method = call.parts[-1]
        if variable is None or not isinstance(variable.type, CollectionType) or method.name not in _CHANGES:
            raise self.unit.refuse(f"a call of {'.'.join(part.name for part in call.parts)}", call.place)
        given = [
            await self.expressions.expression(argument.value, scope) for argument in method.arguments or ()
        ]
        if len(call.parts) != 2 or (method.name == "DELETE" and given) or variable.constant:
            raise self.unit.refuse(f"{method.name} in this form", method.place)
        if method.name == "DELETE":
            return [f"PERFORM ora.count_of({variable.value});", f"{variable.value} := '{{}}';"]
        count = given[0] if given else "1"
        if method.name == "TRIM":
            return [f"{variable.value} := ora.trimmed({variable.value}, {count});"]
        copied = given[1] if len(given) > 1 else "NULL"
        most = variable.type.limit if variable.type.kind == "VARRAY" else None
        return [f"{variable.value} := ora.extended({variable.value}, {count}, {copied}, {most or 'NULL'});"]

    async def _cursor_for(self, statement: tree.CursorFor, query: tree.SqlText, scope: Scope) -> list[str]:
        columns = await self._columns(query, scope)
        record = self.body.fresh(statement.variable)
        inner = Scope(scope)
        inner.names[statement.variable] = Variable(RecordType("ROWTYPE", columns), record, constant=True)
        return [
            f"DECLARE {record} record;",
            "BEGIN",
            f"FOR {record} IN {await self.expressions.query(query, scope)} LOOP",
            *await self.body.statements(statement.statements, inner),
            "END LOOP;",
            "END;",
        ]

    async def _columns(self, query: tree.SqlText, scope: Scope) -> tuple[tuple[str, PlsqlType], ...]:
        """The columns of a query, in which variables are NULL for once."""
        empty = Scope()
        for each in reversed(scope.chain()):
            for name, variable in each.names.items():
                if isinstance(variable, Variable):
                    empty.names[name] = Variable(variable.type)
        columns = await self.unit.interpreter.types.describe(query, (), empty)
        return tuple((column.name.lower(), scalar_of(column.datatype)) for column in columns)

    async def _bulk(self, statement: tree.SqlStatement, scope: Scope) -> list[str]:
        """SELECT one value BULK COLLECT INTO one collection."""
        target = statement.into[0]
        variable = self.expressions.elements.holder(target, scope)
        if len(statement.into) != 1 or variable is None or not isinstance(variable.type, CollectionType):
            raise self.unit.refuse("BULK COLLECT into this", statement.place)
        if variable.constant or len(target.parts) != 1:  # type: ignore[union-attr]
            raise self.unit.refuse("BULK COLLECT into this", statement.place)
        element = (
            "q.v" if isinstance(variable.type.element, RecordType) else f"{element_maker(variable.type)}(q.v)"
        )
        query = await self.expressions.query(statement.sql, scope)
        return [
            f"SELECT coalesce(array_agg({element}), '{{}}') INTO {variable.value} FROM ({query}) AS q(v);"
        ]

    async def _element(self, value: tree.Expression, kind: CollectionType, scope: Scope) -> str:
        if isinstance(kind.element, RecordType):
            return await self.composite(value, kind.element, scope)
        return f"{element_maker(kind)}({await self.expressions.expression(value, scope)})"

    async def composite(self, value: tree.Expression, kind: SchemaType, scope: Scope) -> str:
        """An expression whose value is an object or collection."""
        if isinstance(value, tree.Literal) and value.value is None:
            return "NULL"
        if not isinstance(value, tree.Reference):
            raise self.unit.wrong(value.place, "PLS-00382")
        if isinstance(scope.lookup(value.parts[0].name), Variable):
            text, selected = self.expressions.elements.selected(value, scope)
            if selected != kind:
                raise self.unit.wrong(value.place, "PLS-00382")
            return text
        names = [part.name for part in value.parts]
        arguments = value.parts[-1].arguments
        made = await self.unit.interpreter.names.schema_type(names, value.place)
        if made is not None:
            if made != kind or arguments is None:
                raise self.unit.wrong(value.place, "PLS-00382")
            return await self._constructed(kind, arguments, scope, value.place)
        return await self._called(value, kind, scope)

    async def _constructed(
        self, kind: SchemaType, arguments: tuple[tree.NamedArgument, ...], scope: Scope, place: int
    ) -> str:
        if any(argument.name for argument in arguments):
            raise self.unit.refuse("a constructor with named parameters", place)
        if isinstance(kind, RecordType):
            if len(arguments) != len(kind.fields):
                raise self.unit.wrong(place, "PLS-00306", kind.name)
            kinds = [each for _, each in kind.fields]
        else:
            kinds = [kind.element] * len(arguments)
        values = [
            await self.composite(argument.value, each, scope)
            if is_of_schema(each)
            else await self.expressions.expression(argument.value, scope)
            for argument, each in zip(arguments, kinds, strict=True)
        ]
        if isinstance(kind, CollectionType) and isinstance(kind.element, RecordType):
            values = [f"{each}::{composite(kind)}" if each == "NULL" else each for each in values]
        return f"{constructor(kind, in_plsql=True)}({', '.join(values)})"

    async def _called(self, value: tree.Reference, kind: SchemaType, scope: Scope) -> str:
        names = [part.name for part in value.parts]
        owner, name = (names[0], names[1]) if len(names) == 2 else (self.unit.owner, names[0])
        if len(names) > 2 or not await self.unit.has_routine(owner, name, "FUNCTION"):
            raise self.unit.refuse(f"a call of {'.'.join(names)}", value.place)
        given = await self.expressions.arguments(value.parts[-1].arguments or (), scope)
        return f"({compiled_name(owner, name)}({given}))::{representation(kind)}"


def is_of_schema(kind: object) -> TypeGuard[SchemaType]:
    return isinstance(kind, RecordType | CollectionType) and bool(kind.owner)
