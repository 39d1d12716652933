"""Assignment to variables, fields, elements and binds, with the conversions that it makes."""

from __future__ import annotations

from typing import Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import convert, scalar_of
from localoracle.plsql.errors import unplaced_error
from localoracle.plsql.references import selectors
from localoracle.plsql.scope import Cursor, Scope, Variable
from localoracle.supplied.types import (
    Collection,
    CollectionType,
    CursorType,
    PlsqlType,
    Record,
    RecordType,
    ScalarType,
    default_value,
)
from localoracle.values import DataType, OracleType, Value


class Targets(Component):
    """Targets of := and INTO."""

    async def assign(self, target: tree.Target, value: Any, scope: Scope) -> None:
        if isinstance(target, tree.BindReference):
            await self._assign_bind(self.bound(target.name, target.place), value)
            return
        variable, parts = self.variable(await self.interpreter.names.located(target, scope), scope)
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

    def variable(self, target: tree.Reference, scope: Scope) -> tuple[Variable, tuple[tree.Part, ...]]:
        """The variable that a target starts at, and the steps into it. PLS-00363 for a constant."""
        meaning, first, rest = scope.resolve(target)
        if meaning is None and first is not target.parts[0]:
            raise self.wrong(first.place, "PLS-00302", first.name)
        if meaning is None:
            raise self.wrong(target.place, "PLS-00201", first.name)
        if not isinstance(meaning, Variable) or meaning.constant:
            raise self.wrong(target.place, "PLS-00363", first.name)
        steps: list[tree.Part] = []
        for part in selectors(first, rest):
            if part.name and part.arguments is not None:
                steps += [tree.Part(part.name, None, part.place), tree.Part("", part.arguments, part.place)]
            else:
                steps.append(part)
        return meaning, tuple(steps)

    async def target_type(self, target: tree.Target, scope: Scope) -> PlsqlType:
        if isinstance(target, tree.BindReference):
            held = self.bound(target.name, target.place)
            element = scalar_of(held.datatype, bound=True)
            return CollectionType.bound(element) if held.datatype.is_array else element
        variable, parts = self.variable(await self.interpreter.names.located(target, scope), scope)
        kind = variable.type
        for part in parts:
            inner = kind.element if part.name == "" and isinstance(kind, CollectionType) else None
            if isinstance(kind, RecordType):
                inner = kind.field_type(part.name.lower())
            if inner is None:
                raise self.wrong(part.place, "PLS-00302", part.name)
            kind = inner
        return kind

    def is_variable(self, reference: tree.Reference, scope: Scope) -> bool:
        meaning, _, _ = scope.resolve(reference)
        return isinstance(meaning, Variable) and not meaning.constant

    async def _step(
        self, container: Any, kind: PlsqlType, part: tree.Part, scope: Scope
    ) -> tuple[Any, PlsqlType]:
        key, element = await self._key(container, kind, part, scope)
        if isinstance(kind, CollectionType):
            if kind.kind == "ASSOCIATIVE" and not container.exists(key):
                container.set(key, default_value(element))  # rows(i).name := ... makes the element
            return container.get(key), element
        return container[key], element

    async def _store(
        self, container: Any, kind: PlsqlType, part: tree.Part, value: Any, scope: Scope
    ) -> None:
        key, element = await self._key(container, kind, part, scope)
        converted = await convert(self.session, value, element)
        if isinstance(kind, CollectionType):
            container.set(key, converted)
        else:
            container[key] = converted

    async def _key(
        self, container: Any, kind: PlsqlType, part: tree.Part, scope: Scope
    ) -> tuple[Any, PlsqlType]:
        """The subscript or field that a step names, and the type of what is there."""
        if part.name == "" and isinstance(kind, CollectionType):
            if container is None:
                raise OracleError(6531, "Reference to uninitialized collection")
            key = await self.evaluate(part.arguments[0].value, scope) if part.arguments else None
            return key, kind.element
        field_type = kind.field_type(part.name.lower()) if isinstance(kind, RecordType) else None
        if field_type is None:
            raise self.wrong(part.place, "PLS-00302", part.name)
        if container is None:
            raise OracleError(6530, "Reference to uninitialized composite")
        return part.name, field_type

    async def _assign_bind(self, held: Value, value: Any) -> None:
        if isinstance(value, Cursor):
            value = value.result
        if held.datatype.is_array:
            if not isinstance(value, Collection):
                raise unplaced_error("PLS-00382")
            held.value = list(value)
            return
        if isinstance(value, Record | Collection):
            raise unplaced_error("PLS-00382")
        if held.datatype.type is OracleType.CURSOR:
            held.value = value
            return
        held.value = await convert(self.session, value, bind_type(held.datatype))


def bind_type(datatype: DataType) -> PlsqlType:
    kind = scalar_of(datatype, bound=True)
    if kind.family == "VARCHAR2":
        # The driver states bytes; a value that does not fit is ORA-06502, as in Oracle.
        return ScalarType("VARCHAR2", size=datatype.size or None, in_bytes=kind.in_bytes)
    if kind.family == "NUMBER":
        return ScalarType("NUMBER")
    return kind
