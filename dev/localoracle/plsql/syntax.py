"""The syntax tree of PL/SQL. `place` is always an offset into the source text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from localoracle.plsql.lexer import Token

# --- expressions ---------------------------------------------------------------------------------


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

# --- types and declarations ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TypeName:
    """A type as written: dotted `parts`, sizes in parentheses, `attribute` TYPE or ROWTYPE.

    `unit`: BYTE or CHAR behind a size.
    """

    parts: tuple[str, ...]
    sizes: tuple[int, ...]
    attribute: str | None
    place: int
    range: tuple[Expression, Expression] | None = None
    unit: str | None = None


@dataclass(frozen=True, eq=False)
class VariableDeclaration:
    name: str
    type: TypeName
    constant: bool
    not_null: bool
    default: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class ExceptionDeclaration:
    name: str
    place: int


@dataclass(frozen=True, eq=False)
class ExceptionNumber:
    """PRAGMA EXCEPTION_INIT."""

    name: str
    number: int
    place: int


@dataclass(frozen=True, eq=False)
class TypeDeclaration:
    """`kind`: RECORD, NESTED, VARRAY, ASSOCIATIVE, REF CURSOR, SUBTYPE."""

    name: str
    kind: str
    fields: tuple[tuple[str, TypeName, Expression | None], ...]
    element: TypeName | None
    index: TypeName | None
    limit: int | None
    place: int


@dataclass(frozen=True, eq=False)
class Formal:
    name: str
    mode: str
    type: TypeName
    default: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class SqlText:
    """A piece of embedded SQL: its tokens, without INTO clause and final semicolon."""

    tokens: tuple[Token, ...]
    place: int


@dataclass(frozen=True, eq=False)
class StaticSql:
    """A statement of a unit; `outputs`: how many targets its RETURNING has."""

    sql: SqlText
    outputs: int = 0


@dataclass(frozen=True, eq=False)
class CursorDeclaration:
    name: str
    formals: tuple[Formal, ...]
    query: SqlText
    place: int


@dataclass(frozen=True, eq=False)
class SubprogramDeclaration:
    """A local or stored procedure or function; `body` is None for a forward declaration."""

    kind: str
    name: str
    formals: tuple[Formal, ...]
    returns: TypeName | None
    body: Block | None
    place: int
    pipelined: bool = False
    invokers_rights: bool = False
    deterministic: bool = False


Declaration = (
    VariableDeclaration
    | ExceptionDeclaration
    | ExceptionNumber
    | TypeDeclaration
    | CursorDeclaration
    | SubprogramDeclaration
)

# --- statements ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Block:
    label: str | None
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]
    handlers: tuple[Handler, ...]
    place: int


@dataclass(frozen=True, eq=False)
class Handler:
    """`names` empty: WHEN OTHERS."""

    names: tuple[tuple[str, ...], ...]
    statements: tuple[Statement, ...]
    place: int


@dataclass(frozen=True, eq=False)
class Nothing:
    place: int


@dataclass(frozen=True, eq=False)
class Assignment:
    target: Target
    value: Expression
    place: int


@dataclass(frozen=True, eq=False)
class CallStatement:
    call: Reference
    place: int


@dataclass(frozen=True, eq=False)
class If:
    branches: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    place: int


@dataclass(frozen=True, eq=False)
class CaseStatement:
    operand: Expression | None
    branches: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...] | None
    place: int


@dataclass(frozen=True, eq=False)
class Loop:
    """LOOP, or WHILE with a `condition`."""

    label: str | None
    condition: Expression | None
    statements: tuple[Statement, ...]
    place: int


@dataclass(frozen=True, eq=False)
class NumericFor:
    label: str | None
    variable: str
    low: Expression
    high: Expression
    reverse: bool
    statements: tuple[Statement, ...]
    place: int


@dataclass(frozen=True, eq=False)
class CursorFor:
    """FOR r IN (query) or FOR r IN cursor(arguments)."""

    label: str | None
    variable: str
    query: SqlText | None
    cursor: Reference | None
    statements: tuple[Statement, ...]
    place: int


@dataclass(frozen=True, eq=False)
class ForAll:
    variable: str
    low: Expression | None
    high: Expression | None
    indices_of: Reference | None
    save_exceptions: bool
    statement: SqlStatement | ExecuteImmediate
    place: int


@dataclass(frozen=True, eq=False)
class ExitLoop:
    """EXIT or CONTINUE."""

    kind: str
    label: str | None
    condition: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class Return:
    value: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class PipeRow:
    value: Expression
    place: int


@dataclass(frozen=True, eq=False)
class Raise:
    name: tuple[str, ...] | None
    place: int


@dataclass(frozen=True, eq=False)
class SqlStatement:
    """Static SQL. `into` of a query or of RETURNING; `verb` is the first word."""

    verb: str
    sql: SqlText
    into: tuple[Target, ...]
    bulk: bool
    place: int


@dataclass(frozen=True, eq=False)
class ExecuteImmediate:
    text: Expression
    into: tuple[Target, ...]
    bulk: bool
    using: tuple[tuple[str, Expression], ...]
    returning: tuple[Target, ...]
    place: int


@dataclass(frozen=True, eq=False)
class OpenCursor:
    """OPEN c(arguments), OPEN c FOR query, OPEN c FOR text USING ..."""

    cursor: Target
    query: SqlText | None
    text: Expression | None
    using: tuple[tuple[str, Expression], ...]
    place: int


@dataclass(frozen=True, eq=False)
class Fetch:
    cursor: Target
    into: tuple[Target, ...]
    bulk: bool
    limit: Expression | None
    place: int


@dataclass(frozen=True, eq=False)
class CloseCursor:
    cursor: Target
    place: int


Statement = (
    Block
    | Nothing
    | Assignment
    | CallStatement
    | If
    | CaseStatement
    | Loop
    | NumericFor
    | CursorFor
    | ForAll
    | ExitLoop
    | Return
    | PipeRow
    | Raise
    | SqlStatement
    | ExecuteImmediate
    | OpenCursor
    | Fetch
    | CloseCursor
)


@dataclass(frozen=True, eq=False)
class Program:
    """A compiled text: its block and the source that places refer to."""

    text: str
    block: Block
    binds: tuple[str, ...] = field(default=())
