"""What a name in an expression means: variables, elements, fields, constants, and calls of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import (
    convert,
    family_of,
    sql_value,
)
from localoracle.plsql.errors import unplaced_error
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.functions import SPECIAL_FUNCTIONS, SQL_FUNCTIONS
from localoracle.plsql.overloads import Overloaded
from localoracle.plsql.scope import LocalSubprogram, Scope, Variable
from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import constant, is_package, overloads_of
from localoracle.supplied.signatures import family as family_of_type
from localoracle.supplied.types import (
    Collection,
    CollectionType,
    PlsqlType,
    Record,
    RecordType,
    ScalarType,
)

# "Collection Methods": how many arguments each may have, and which need one.
_MOST_ARGUMENTS = {
    "COUNT": 0, "FIRST": 0, "LAST": 0, "LIMIT": 0, "EXISTS": 1, "NEXT": 1, "PRIOR": 1,
    "TRIM": 1, "EXTEND": 2, "DELETE": 2,
}  # fmt: skip
_WITH_ARGUMENT = frozenset({"EXISTS", "NEXT", "PRIOR"})


class References(Component):
    """References and calls."""

    async def value(self, reference: tree.Reference, scope: Scope) -> Typed:
        """The value of a variable, element, field, constant or function call."""
        reference = await self.interpreter.names.located(reference, scope)
        meaning, first, rest = scope.resolve(reference)
        if meaning is None and first is not reference.parts[0]:
            raise self.wrong(first.place, "PLS-00302", first.name)
        if isinstance(meaning, Overloaded):
            meaning = await self.interpreter.subprograms.chosen(meaning, first, "FUNCTION", scope)
        if isinstance(meaning, Variable):
            return await self._select(meaning.value, meaning.type, selectors(first, rest), scope)
        if isinstance(meaning, LocalSubprogram):
            value, kind = await self.interpreter.subprograms.call(
                meaning, first.arguments or (), scope, reference.place
            )
            if kind is None:
                raise self.wrong(reference.place, "PLS-00222", first.name)
            return await self._select(value, kind, rest, scope)
        if isinstance(meaning, RecordType | CollectionType):
            return await self._construct(meaning, first.arguments, scope, reference.place), meaning.family
        if meaning is not None:
            raise self.wrong(reference.place, "PLS-00382")
        return await self._global(reference, scope)

    async def _select(self, value: Any, kind: PlsqlType, parts: Sequence[tree.Part], scope: Scope) -> Typed:
        """Follow `.field`, `(subscript)` and collection methods from a value."""
        for part in parts:
            if part.name == "":
                if not isinstance(kind, CollectionType):
                    raise self.wrong(part.place, "PLS-00224", "")
                if value is None:
                    raise OracleError(6531, "Reference to uninitialized collection")
                value, kind = (
                    value.get(await self.evaluate(_only(part.arguments), scope)),
                    kind.element,
                )
                continue
            if isinstance(kind, CollectionType) and part.name in _MOST_ARGUMENTS:
                value, kind = await self._method(value, kind, part, scope)
                continue
            if not isinstance(kind, RecordType):
                raise self.wrong(part.place, "PLS-00487", part.name)
            field_type = kind.field_type(part.name.lower())
            if field_type is None:
                raise self.wrong(part.place, "PLS-00302", part.name)
            value = None if value is None else value[part.name]
            kind = field_type
            if part.arguments is not None:
                subscript = tree.Part("", part.arguments, part.place)
                value, family = await self._select(value, kind, [subscript], scope)
                assert isinstance(kind, CollectionType), family
                kind = kind.element
        return value, kind.family

    async def _method(
        self, value: Any, kind: CollectionType, part: tree.Part, scope: Scope
    ) -> tuple[Any, PlsqlType]:
        arguments = [await self.evaluate(argument.value, scope) for argument in part.arguments or ()]
        most = 0 if part.name == "DELETE" and kind.kind == "VARRAY" else _MOST_ARGUMENTS[part.name]
        if not int(part.name in _WITH_ARGUMENT) <= len(arguments) <= most:
            raise self.wrong(part.place, "PLS-00306", part.name)
        if value is None and part.name == "EXISTS":
            return False, ScalarType("BOOLEAN")
        if value is None:
            raise OracleError(6531, "Reference to uninitialized collection")
        assert isinstance(value, Collection)
        key: PlsqlType = ScalarType("VARCHAR2" if kind.index != "NUMBER" else "PLS_INTEGER")
        number: PlsqlType = ScalarType("PLS_INTEGER")
        if part.name == "COUNT":
            return len(value), number
        if part.name in ("FIRST", "LAST"):
            return (value.keys[0 if part.name == "FIRST" else -1] if value.keys else None), key
        if part.name == "EXISTS":
            return value.exists(*arguments), ScalarType("BOOLEAN")
        if part.name == "NEXT":
            return value.next(*arguments), key
        if part.name == "PRIOR":
            return value.prior(*arguments), key
        if part.name == "LIMIT":
            return kind.limit, number
        if part.name == "DELETE":
            value.delete(*arguments)
        elif kind.kind == "ASSOCIATIVE":
            raise self.wrong(part.place, "PLS-00306", part.name)
        elif part.name == "EXTEND":
            value.extend(
                int(arguments[0]) if arguments else 1, value.get(arguments[1]) if len(arguments) > 1 else None
            )
        else:
            value.trim(*(int(argument) for argument in arguments))
        return None, number

    async def _construct(
        self,
        kind: RecordType | CollectionType,
        arguments: tuple[tree.NamedArgument, ...] | None,
        scope: Scope,
        place: int,
    ) -> Any:
        values = [await self.evaluate(argument.value, scope) for argument in arguments or ()]
        if isinstance(kind, CollectionType):
            if kind.kind == "ASSOCIATIVE" or arguments is None:
                raise self.wrong(place, "PLS-00222", kind.name)
            if kind.limit is not None and kind.kind == "VARRAY" and len(values) > kind.limit:
                raise OracleError(6532, "Subscript outside of limit")
            return Collection.of(kind, [await convert(self.session, value, kind.element) for value in values])
        if not kind.is_object or len(values) != len(kind.fields):
            raise self.wrong(place, "PLS-00306", kind.name)
        made = Record(kind)
        names = [argument.name for argument in arguments or ()]
        for number, (name, field_type) in enumerate(kind.fields):
            place_of = next(
                (index for index, given in enumerate(names) if given and given.lower() == name), number
            )
            made.values[name] = await convert(self.session, values[place_of], field_type)
        return made

    async def _global(self, reference: tree.Reference, scope: Scope) -> Typed:
        parts = (
            reference.parts[1:]
            if reference.parts[0].name in ("SYS", "STANDARD") and len(reference.parts) > 1
            else reference.parts
        )
        name = parts[0].name
        if len(parts) > 1 and parts[0].arguments is None and is_package(name):
            member = parts[1]
            if overloads_of(name, member.name):
                value, returns = await self.interpreter.functions.call_package(
                    name, member, scope, "function"
                )
                kind = object_type(returns) or ScalarType(family_of_type(returns))
                return await self._select(value, kind, parts[2:], scope)
            is_constant, value = constant(name, member.name)
            if is_constant:
                return value, family_of(value)
            kind_of_member = object_type(f"{name}.{member.name}")
            if isinstance(kind_of_member, RecordType | CollectionType):
                return await self._construct(
                    kind_of_member, member.arguments, scope, member.place
                ), kind_of_member.family
            raise self.wrong(member.place, "PLS-00302", member.name)
        if len(parts) == 1:
            if name in SPECIAL_FUNCTIONS:
                return await self.interpreter.functions.special(parts[0], scope)
            if name in SQL_FUNCTIONS:
                return await self.interpreter.functions.sql_function(parts[0], scope)
            kind_of_name = object_type(name)
            if isinstance(kind_of_name, RecordType | CollectionType):
                return await self._construct(
                    kind_of_name, parts[0].arguments, scope, parts[0].place
                ), kind_of_name.family
        if parts[-1].name in ("NEXTVAL", "CURRVAL") and len(parts) in (2, 3):
            sequence = ".".join(f'"{part.name}"' for part in parts[:-1])
            return await sql_value(self.session, f"{sequence}.{parts[-1].name}", []), "NUMBER"
        made = await self.interpreter.names.schema_type(
            [part.name for part in reference.parts], parts[0].place
        )
        if isinstance(made, RecordType | CollectionType):
            return await self._construct(made, parts[-1].arguments, scope, parts[0].place), made.family
        stored = await self.interpreter.names.stored(parts)
        if stored is not None:
            value, returned = await self.interpreter.subprograms.call(
                stored, parts[-1].arguments or (), scope, reference.place
            )
            if returned is None:
                raise self.wrong(reference.place, "PLS-00222", parts[-1].name)
            return value, returned.family
        raise self.wrong(reference.place, "PLS-00201", ".".join(part.name for part in parts))


def _only(arguments: tuple[tree.NamedArgument, ...] | None) -> tree.Expression:
    if arguments is None or len(arguments) != 1:
        raise unplaced_error("PLS-00306", "")
    return arguments[0].value


def selectors(first: tree.Part, rest: tuple[tree.Part, ...]) -> tuple[tree.Part, ...]:
    """The steps that lead on from what a name means."""
    return rest if first.arguments is None else (tree.Part("", first.arguments, first.place), *rest)
