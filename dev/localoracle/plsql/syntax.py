"""The syntax tree of PL/SQL. `place` is always an offset into the source text."""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.plsql.expression_syntax import (
    Between as Between,
)
from localoracle.plsql.expression_syntax import (
    Binary as Binary,
)
from localoracle.plsql.expression_syntax import (
    BindReference as BindReference,
)
from localoracle.plsql.expression_syntax import (
    Case as Case,
)
from localoracle.plsql.expression_syntax import (
    CursorAttribute as CursorAttribute,
)
from localoracle.plsql.expression_syntax import (
    Expression as Expression,
)
from localoracle.plsql.expression_syntax import (
    InList as InList,
)
from localoracle.plsql.expression_syntax import (
    IsNull as IsNull,
)
from localoracle.plsql.expression_syntax import (
    Like as Like,
)
from localoracle.plsql.expression_syntax import (
    Literal as Literal,
)
from localoracle.plsql.expression_syntax import (
    NamedArgument as NamedArgument,
)
from localoracle.plsql.expression_syntax import (
    Part as Part,
)
from localoracle.plsql.expression_syntax import (
    Reference as Reference,
)
from localoracle.plsql.expression_syntax import (
    SqlExpression as SqlExpression,
)
from localoracle.plsql.expression_syntax import (
    Target as Target,
)
from localoracle.plsql.expression_syntax import (
    Unary as Unary,
)
from localoracle.plsql.expression_syntax import (
    operands as operands,
)
from localoracle.plsql.lexer import Token

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
    low: Expression
    high: Expression
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
