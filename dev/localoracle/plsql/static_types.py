"""The type of an expression as its text and the declarations around it tell: nothing is evaluated.

PL/SQL Language Reference, "PL/SQL Data Types", "Expressions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from localoracle.plsql import syntax as tree
from localoracle.plsql.conversion import family_of
from localoracle.plsql.evaluator import Typed
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.references import selectors
from localoracle.plsql.scope import LocalSubprogram, Scope, Variable
from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import constant, is_package, overloads_of
from localoracle.supplied.signatures import family as family_of_type
from localoracle.supplied.types import Collection, CollectionType, PlsqlType, Record, RecordType, ScalarType

_BOOLEAN, _NUMBER, _TEXT = ScalarType("BOOLEAN"), ScalarType("NUMBER"), ScalarType("VARCHAR2")
_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=", "AND", "OR")
_NUMBERS_OF_COLLECTIONS = ("COUNT", "LIMIT")


class Untyped(Exception):
    """The type is known only when the expression is evaluated."""


class StaticTypes(Interpreter):
    """An interpreter to which a value is no more than an example of its type."""

    def of_unit(self, text: str, unit: str | None) -> Interpreter:
        """A package that the text names is made ready as for any other use of it."""
        return Interpreter(self.session, text, {}, unit, self.units)

    async def typed(self, expression: tree.Expression, scope: Scope) -> Typed:
        """An example and the type's family. Raises Untyped."""
        kind = await self.type_of(expression, scope)
        if kind is None:
            raise Untyped
        return _example(kind), kind.family

    async def type_of(self, expression: tree.Expression, scope: Scope) -> PlsqlType | None:
        """None where only evaluation tells."""
        match expression:
            case tree.Literal():
                return ScalarType(expression.family) if expression.family else None
            case tree.BindReference():
                return await self.targets.target_type(expression, scope)
            case tree.Reference():
                return await self._type_of_reference(expression, scope)
            case tree.IsNull() | tree.Between() | tree.InList() | tree.Like():
                return _BOOLEAN
            case tree.CursorAttribute(attribute=attribute):
                return _NUMBER if attribute == "ROWCOUNT" else _BOOLEAN
            case tree.Unary(operator="NOT"):
                return _BOOLEAN
            case tree.Unary():
                return await self.type_of(expression.operand, scope)
            case tree.Binary():
                return await self._type_of_operation(expression, scope)
            case _:
                return None

    async def _type_of_operation(self, expression: tree.Binary, scope: Scope) -> PlsqlType | None:
        if expression.operator in _COMPARISONS:
            return _BOOLEAN
        kinds = [await self.type_of(each, scope) for each in (expression.left, expression.right)]
        families = [kind.family for kind in kinds if kind is not None]
        if expression.operator == "||":
            return _TEXT if families == ["VARCHAR2", "VARCHAR2"] else None
        return _NUMBER if families == ["NUMBER", "NUMBER"] else None

    async def _type_of_reference(self, reference: tree.Reference, scope: Scope) -> PlsqlType | None:
        meaning, first, rest = scope.resolve(reference)
        if isinstance(meaning, Variable):
            return _selected(meaning.type, selectors(first, rest))
        if isinstance(meaning, LocalSubprogram) and meaning.declaration.returns is not None:
            kind = await self.types.resolve_type(
                meaning.declaration.returns, meaning.scope, constrained=False
            )
            return _selected(kind, rest)
        if meaning is None and len(rest) == 1 and first.arguments is None and is_package(first.name):
            return _of_supplied(first.name, rest[0].name)
        return None


def _selected(kind: PlsqlType, parts: Sequence[tree.Part]) -> PlsqlType | None:
    """What `.field`, `(subscript)` and the methods of collections lead to."""
    for part in parts:
        inner: PlsqlType | None = None
        if isinstance(kind, CollectionType):
            if part.name == "":
                inner = kind.element
            elif part.name == "EXISTS":
                inner = _BOOLEAN
            elif part.name in _NUMBERS_OF_COLLECTIONS:
                inner = _NUMBER
        elif isinstance(kind, RecordType):
            inner = kind.field_type(part.name.lower())
            if part.arguments is not None:
                inner = inner.element if isinstance(inner, CollectionType) else None
        if inner is None:
            return None
        kind = inner
    return kind


def _of_supplied(package: str, name: str) -> PlsqlType | None:
    """A constant, or a function whose overloads all return the same type."""
    overloads = overloads_of(package, name)
    if overloads:
        returned = {overload.returns for overload in overloads}
        only = returned.pop()
        if returned or only is None:
            return None
        return object_type(only) or ScalarType(family_of_type(only))
    is_constant, value = constant(package, name)
    return ScalarType(family_of(value)) if is_constant and value is not None else None


def _example(kind: PlsqlType) -> Any:
    if isinstance(kind, RecordType):
        return Record(kind)
    return Collection(kind) if isinstance(kind, CollectionType) else None
