"""Static SQL inside PL/SQL: which of its names are PL/SQL variables, and the statement with binds in their
place.

A name in SQL is first a column, then a PL/SQL variable (Language Reference, "Name Resolution in SQL").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import statement_error
from localoracle.plsql.expressions import ExpressionParser
from localoracle.plsql.lexer import Token
from localoracle.plsql.overloads import Overloaded
from localoracle.plsql.packages import Package
from localoracle.plsql.scope import Cursor, LocalSubprogram, Scope, SqlName, Variable
from localoracle.supplied.signatures import constant, is_package
from localoracle.supplied.types import CollectionType, RecordType

if TYPE_CHECKING:
    from localoracle.plsql.package_names import Names
    from localoracle.session.session import Session

# Words after which an expression starts; after any other word a name is an alias or part of a clause.
_BEFORE_EXPRESSION_WORDS = """
SELECT DISTINCT UNIQUE ALL WHERE AND OR NOT ON SET BETWEEN LIKE IN THEN ELSE WHEN CASE BY HAVING VALUES
RETURNING RETURN ESCAPE PRIOR WITH SCN TIMESTAMP OFFSET FIRST NEXT ANY SOME USING IS MOD
"""
_BEFORE_EXPRESSION = frozenset(_BEFORE_EXPRESSION_WORDS.split())
_BEFORE_TABLE = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "TABLE"})
_CLAUSE_ENDS_WORDS = """
WHERE GROUP ORDER HAVING CONNECT START UNION INTERSECT MINUS SET VALUES ON USING RETURNING FOR FETCH
"""
_CLAUSE_ENDS = frozenset(_CLAUSE_ENDS_WORDS.split())


@dataclass(frozen=True)
class Piece:
    """Text as it stands, or an expression whose value is bound; `spread` turns a record into its fields."""

    text: str = ""
    expression: tree.Expression | None = None
    spread: bool = False


@dataclass(frozen=True)
class Plan:
    pieces: tuple[Piece, ...]


class _Scanner:
    def __init__(self, text: str, tokens: Sequence[Token], scope: Scope) -> None:
        self.text = text
        self.tokens = tokens
        self.scope = scope
        self.tables: set[tuple[str | None, str]] = set()
        self.aliases: set[str] = set()
        self._in_from = [False]
        self._functions = [""]  # the word before each open parenthesis
        self._column_lists = [False]
        self._insert_into: int | None = None  # the last token of the table that INSERT INTO names
        self.target: tuple[str | None, str] | None = None
        self.returning = len(tokens)

    def _value(self, index: int) -> str:
        return (
            self.tokens[index].value
            if 0 <= index < len(self.tokens) and self.tokens[index].kind != "string"
            else ""
        )

    def expression_places(self) -> list[int]:
        """Indices of names that stand where an expression may; tables and aliases are collected on the
        way.
        """
        places: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.kind == "op":
                if token.value == "(":
                    self._in_from.append(False)
                    self._functions.append(self._value(index - 1))
                    self._column_lists.append(
                        self._insert_into == index - 1 or self._value(index - 1) == "INSERT"
                    )
                elif token.value == ")" and len(self._in_from) > 1:
                    self._in_from.pop()
                    self._functions.pop()
                    self._column_lists.pop()
                continue
            if token.kind not in ("word", "quoted"):
                continue
            previous = self.tokens[index - 1] if index else None
            if token.kind == "word" and token.value in _CLAUSE_ENDS:
                self._in_from[-1] = False
            inside = self._functions[-1] in ("EXTRACT", "TRIM")
            if token.kind == "word" and token.value == "FROM" and not inside:
                self._in_from[-1] = True
            if token.kind == "word" and token.value in ("RETURNING", "RETURN"):
                self.returning = index
            qualified = previous is not None and previous.kind == "op" and previous.value == "."
            if previous is None or qualified or self._column_lists[-1]:
                continue
            if inside and previous.value == "FROM":
                places.append(index)
            elif self._stands_for_table(previous):
                self._table(index)
            elif self._is_alias(previous):
                self.aliases.add(token.value)
            else:
                places.append(index)
        return places

    def is_qualified(self, index: int) -> bool:
        """Whether the name qualifies one that is not called."""
        return self._value(index + 1) == "." and self._value(index + 3) != "("

    @staticmethod
    def _is_alias(previous: Token) -> bool:
        """A name right behind an operand names it."""
        if previous.kind == "op":
            return previous.value == ")"
        return previous.kind != "word" or previous.value not in _BEFORE_EXPRESSION

    def _stands_for_table(self, previous: Token) -> bool:
        if previous.kind == "word" and previous.value in _BEFORE_TABLE:
            return True
        return previous.kind == "op" and previous.value == "," and self._in_from[-1]

    def _table(self, index: int) -> None:
        qualified = self._value(index + 1) == "." and index + 2 < len(self.tokens)
        last = index + 2 if qualified else index
        table = (self._value(index) if qualified else None, self.tokens[last].value)
        if self._value(0) == "INSERT" and self._value(index - 1) == "INTO":
            # Its columns can be named in the column list and after RETURNING only.
            self._insert_into, self.target = last, table
        else:
            self.tables.add(table)


def tables_named(text: str, sql: tree.SqlText, scope: Scope) -> set[tuple[str | None, str]]:
    """Schema, if it is written, and name of each table and view that the statement reads or changes."""
    scanner = _Scanner(text, sql.tokens, scope)
    scanner.expression_places()
    return scanner.tables | ({scanner.target} if scanner.target is not None else set())


async def plan(
    session: Session, text: str, sql: tree.SqlText, scope: Scope, packages: Names | None = None
) -> Plan:
    """Find the PL/SQL names in the statement. Asks the catalogue for columns only when a name could be
    either. `packages` finds those whose variables it may name.
    """
    tokens = sql.tokens
    scanner = _Scanner(text, tokens, scope)
    places = scanner.expression_places()
    if packages is not None:
        tables = scanner.aliases | {name for _, name in scanner.tables}
        for index in places:
            if scanner.is_qualified(index) and tokens[index].value not in tables:
                await packages.bring(
                    [tokens[index].value, tokens[index + 2].value], tokens[index].start, scope
                )
    candidates = [
        index
        for index in places
        if _is_candidate(tokens, index, scope) or _function(text, tokens, index, scope) is not None
    ]
    columns: set[str] = set(scanner.aliases)
    returned: set[str] = set()
    plain = {index for index in candidates if scope.lookup(tokens[index].value) is not None}
    if plain and scanner.tables:
        columns |= await _columns(session, scanner.tables)
    if scanner.target is not None and any(index > scanner.returning for index in plain):
        returned = await _columns(session, {scanner.target})
    await _refuse_error_functions(session, text, [tokens[index] for index in places], scanner, columns)
    pieces: list[Piece] = []
    place = tokens[0].start if tokens else 0
    skip_until = 0
    for index in candidates:
        if index < skip_until or tokens[index].value in columns:
            continue
        if index > scanner.returning and tokens[index].value in returned:
            continue
        function = _function(text, tokens, index, scope)
        if function is not None:
            pieces += [Piece(_between(text, tokens, place, tokens[index].start)), Piece(function)]
            place, skip_until = tokens[index].end, index + 1
            continue
        parser = ExpressionParser(text, (*tokens[index:], Token("end", "", tokens[-1].end, tokens[-1].end)))
        reference = parser.reference()
        pieces.append(Piece(_between(text, tokens, place, tokens[index].start)))
        spread = index > 0 and tokens[index - 1].value == "VALUES" and len(reference.parts) == 1
        pieces.append(Piece(expression=reference, spread=spread))
        last = tokens[index + parser.index - 1]
        place = last.end
        skip_until = index + parser.index
    end = tokens[-1].end if tokens else 0
    pieces.append(Piece(_between(text, tokens, place, end)))
    return Plan(tuple(pieces))


async def _refuse_error_functions(
    session: Session, text: str, names: Sequence[Token], scanner: _Scanner, columns: set[str]
) -> None:
    """PLS-00231: a SQL statement cannot invoke SQLCODE and SQLERRM ("SQLERRM Function")."""
    called = [
        token
        for token in names
        if token.kind == "word"
        and token.value in ("SQLCODE", "SQLERRM")
        and token.value not in columns
        and scanner.scope.lookup(token.value) is None
    ]
    if not called:
        return
    if scanner.tables:
        columns = columns | await _columns(session, scanner.tables)
    for token in called:
        if token.value not in columns:
            raise statement_error(text, token.start, "PLS-00231", token.value)


def _between(text: str, tokens: Sequence[Token], start: int, end: int) -> str:
    """The source from start to end without what was cut out of the token list (an INTO clause)."""
    inside = [token for token in tokens if token.start >= start and token.end <= end]
    if not inside:
        return " "
    result: list[str] = []
    last = start
    for token in inside:
        gap = text[last : token.start]
        # Tokens were removed here when more than blanks and comments lies between two neighbours.
        result.append(" " if gap.strip() else gap)
        result.append(text[token.start : token.end])
        last = token.end
    return "".join(result) + " "


def _is_candidate(tokens: Sequence[Token], index: int, scope: Scope) -> bool:
    token = tokens[index]
    following = tokens[index + 1].value if index + 1 < len(tokens) and tokens[index + 1].kind == "op" else ""
    meaning = scope.lookup(token.value, qualifier=following == ".")
    if isinstance(meaning, Variable):
        if following == "(":
            return isinstance(meaning.type, CollectionType)
        if following == ".":
            return isinstance(meaning.type, RecordType | CollectionType)
        return True
    if isinstance(meaning, Scope):
        return following == "." and isinstance(meaning.names.get(tokens[index + 2].value), Variable)
    if isinstance(meaning, LocalSubprogram | Cursor):
        return False
    if following == "." and index + 2 < len(tokens) and is_package(token.value):
        after = tokens[index + 3].value if index + 3 < len(tokens) and tokens[index + 3].kind == "op" else ""
        return after != "(" and constant(token.value, tokens[index + 2].value)[0]
    return False


def _function(text: str, tokens: Sequence[Token], index: int, scope: Scope) -> str | None:
    """How SQL calls a function that a package's text calls by its own name. PLS-00231 for a private one."""
    if index + 1 >= len(tokens) or tokens[index + 1].value != "(":
        return None
    meaning = scope.lookup(tokens[index].value)
    if isinstance(meaning, SqlName):
        return meaning.text
    if not isinstance(meaning, LocalSubprogram | Overloaded):
        return None
    name = tokens[index].value
    for each in scope.chain():
        if isinstance(each, Package) and name in each.names:
            return f'"{each.owner}"."{each.label}"."{name}"'
    raise statement_error(text, tokens[index].start, "PLS-00231", name)


async def _columns(session: Session, tables: set[tuple[str | None, str]]) -> set[str]:
    schemas = [schema or session.current_schema for schema, _ in tables]
    names = [name for _, name in tables]
    rows = await session.pg_system(
        "SELECT DISTINCT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " JOIN unnest(%s::text[], %s::text[]) AS wanted(schema_name, table_name)"
        " ON c.relname = wanted.table_name AND n.nspname IN (wanted.schema_name, 'SYS')"
        " WHERE a.attnum > 0 AND NOT a.attisdropped",
        (schemas, names),
    )
    return {str(row[0]) for row in rows}
