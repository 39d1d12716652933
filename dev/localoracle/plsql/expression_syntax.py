"""The syntax tree of PL/SQL's expressions. `place` is always an offset into the source text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from localoracle.plsql.lexer import Token


@dataclass(frozen=True, eq=False)
class Literal:
    value: Any
    family: str
    place: int


@dataclass(frozen=True, eq=False)
class BindReference:
    name: str
    place: int


@dataclass(frozen=True, eq=False)
class NamedArgument:
    name: str | None
    value: Expression


@dataclass(frozen=True, eq=False)
class Part:
    """One step of a reference: `.NAME` or `.NAME(arguments)`; a name of '' is a further `(arguments)`."""

    name: str
    arguments: tuple[NamedArgument, ...] | None
    place: int


@dataclass(frozen=True, eq=False)
class Reference:
    """`a`, `a.b(1).c`, `PKG.F(x, y => 2)`: what it means is decided by what is declared."""

    parts: tuple[Part, ...]
    place: int


@dataclass(frozen=True, eq=False)
class CursorAttribute:
    """`cursor%FOUND`, `SQL%ROWCOUNT`; `cursor` is None for SQL."""

    cursor: Reference | BindReference | None
    attribute: str
    place: int


@dataclass(frozen=True, eq=False)
class Unary:
    operator: str
    operand: Expression
    place: int


@dataclass(frozen=True, eq=False)
class Binary:
    operator: str
    left: Expression
    right: Expression
    place: int


@dataclass(frozen=True, eq=False)
class Between:
    operand: Expression
    low: Expression
    high: Expression
    negated: bool
    place: int


@dataclass(frozen=True, eq=False)
class InList:
    operand: Expression
    items: tuple[Expression, ...]
    negated: bool
    place: int


@dataclass(frozen=True, eq=False)
class Like:
    operand: Expression
    pattern: Expression
    escape: Expression | None
    negated: bool
    place: int


@dataclass(frozen=True, eq=False)
class IsNull:
    operand: Expression
    negated: bool
    place: int


@dataclass(frozen=True, eq=False)
class Case:
    operand: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class SqlExpression:
    """An expression with syntax of its own (CAST, EXTRACT, DATE '...'): evaluated by SQL as it stands."""

    tokens: tuple[Token, ...]
    place: int


Expression = (
    Literal
    | BindReference
    | Reference
    | CursorAttribute
    | Unary
    | Binary
    | Between
    | InList
    | Like
    | IsNull
    | Case
    | SqlExpression
)
Target = Reference | BindReference


def operands(expression: Expression) -> Iterator[Expression]:
    """The expressions that an operator or CASE is made of, in their order."""
    for field in fields(expression):
        yield from _expressions(getattr(expression, field.name))


def _expressions(value: object) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions(item)
