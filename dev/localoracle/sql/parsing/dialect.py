"""Oracle's grammar for queries and expressions: sqlglot's Oracle parser, made to guess less.

sqlglot maps many functions of many dialects to nodes of its own, whose meanings are nearly Oracle's. Here
every function stays a name with arguments (exp.Anonymous), so that the emitter alone decides what it means;
only functions with keywords between their arguments keep a parser.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.oracle import Oracle
from sqlglot.errors import ParseError
from sqlglot.parsers.oracle import OracleParser
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.sql.parsing import json_syntax


class LocatedError(ParseError):
    """sqlglot's error with the token at which it was found."""

    def __init__(self, message: str, token: Token | None) -> None:
        super().__init__(message, [{}])
        self.token = token


def _time_literal(kind: str) -> Any:
    return lambda self, this, _: self.expression(exp.Anonymous(this=f"{kind} LITERAL", expressions=[this]))


def _cast(self: Any) -> exp.Expr:
    """CAST(e AS type): the type stays Oracle's text, which `sql.types.data_types` reads."""
    this = self._parse_disjunction()
    if not self._match(TokenType.ALIAS):
        self.raise_error("Expected AS after CAST")
    first, depth = self._curr, 0
    while self._curr and (depth or self._curr.token_type != TokenType.R_PAREN):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(self._curr.token_type, 0)
        self._advance()
    text = self._find_sql(first, self._prev) if first else ""
    return self.expression(exp.Cast(this=this, to=exp.Var(this=text)))  # type: ignore[no-any-return]


def _translate(self: Any) -> Any:
    """TRANSLATE(text, from, to), or TRANSLATE(text USING CHAR_CS | NCHAR_CS), which converts."""
    arguments = self._parse_csv(self._parse_disjunction)
    if not self._match(TokenType.USING):
        return self.expression(exp.Anonymous(this="TRANSLATE", expressions=arguments))
    if not self._match_texts(("CHAR_CS", "NCHAR_CS")):
        self.raise_error("Expected CHAR_CS or NCHAR_CS")
    name = "TO_NCHAR" if self._prev.text.upper() == "NCHAR_CS" else "TO_CHAR"
    return self.expression(exp.Anonymous(this=name, expressions=arguments))


def _at_bind(self: Any) -> Any:
    return self.expression(exp.Placeholder(this=self._prev.text))


def _listagg(self: Any) -> Any:
    """LISTAGG([DISTINCT] e [, delimiter] [ON OVERFLOW ...]), before its WITHIN GROUP."""
    distinct = self._match(TokenType.DISTINCT)
    self._match_text_seq("ALL")
    arguments = self._parse_csv(self._parse_disjunction)
    if distinct and arguments:
        arguments[0] = exp.Distinct(expressions=[arguments[0]])
    node = exp.Anonymous(this="LISTAGG", expressions=arguments)
    if self._match_text_seq("ON", "OVERFLOW", "TRUNCATE"):
        node.set("filler", self._parse_string() or exp.Literal.string("..."))
        node.set("counted", not self._match_text_seq("WITHOUT", "COUNT"))
        self._match_text_seq("WITH", "COUNT")
    else:
        self._match_text_seq("ON", "OVERFLOW", "ERROR")
    return node


def _fetch(parser: Any) -> exp.Fetch | None:
    """FETCH FIRST with any expression as its count; sqlglot's own takes a number or a name only."""
    if not parser._match(TokenType.FETCH):
        return None
    if not parser._match_set((TokenType.FIRST, TokenType.NEXT)):
        parser.raise_error("missing keyword")
    written = not parser._match_texts(("ROW", "ROWS"), advance=False)
    count = parser._parse_term() if written else None
    percent = bool(written and parser._match(TokenType.PERCENT))
    if not parser._match_texts(("ROW", "ROWS")):
        parser.raise_error("missing keyword")
    ties = bool(parser._match_text_seq("WITH", "TIES"))
    if not ties and not parser._match_text_seq("ONLY"):
        parser.raise_error("missing keyword")
    options = exp.LimitOptions(percent=percent, rows=True, with_ties=ties)
    fetch: exp.Fetch = parser.expression(exp.Fetch(direction="FIRST", count=count, limit_options=options))
    return fetch


class TranslatorParser(OracleParser):
    """The parser of queries, DML and of the expressions inside DDL."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[Any, Any]] = {
        "CAST": _cast,
        "EXTRACT": OracleParser.FUNCTION_PARSERS["EXTRACT"],
        "TRIM": OracleParser.FUNCTION_PARSERS["TRIM"],
        "TRANSLATE": _translate,
        "JSON_EXISTS": json_syntax.call("JSON_EXISTS"),
        "JSON_TABLE": json_syntax.call("JSON_TABLE"),
        "JSON_VALUE": json_syntax.call("JSON_VALUE"),
        "LISTAGG": _listagg,
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[Any, Any]] = {
        "CASE": OracleParser.NO_PAREN_FUNCTION_PARSERS["CASE"],
        "PRIOR": OracleParser.NO_PAREN_FUNCTION_PARSERS["PRIOR"],
        "CONNECT_BY_ROOT": OracleParser.NO_PAREN_FUNCTION_PARSERS["CONNECT_BY_ROOT"],
    }
    NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {}
    TYPE_LITERAL_PARSERS: ClassVar[dict[Any, Any]] = {
        exp.DType.DATE: _time_literal("DATE"),
        exp.DType.TIMESTAMP: _time_literal("TIMESTAMP"),
    }
    PLACEHOLDER_PARSERS: ClassVar[dict[Any, Any]] = {TokenType.PLACEHOLDER: _at_bind}
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {
        TokenType.DOT: None,
        TokenType.DCOLON: OracleParser.COLUMN_OPERATORS[TokenType.DCOLON],
    }

    def _parse_at_time_zone(self, this: exp.Expr | None) -> exp.Expr | None:
        if self._match_text_seq("AT", "LOCAL"):
            local = exp.AtTimeZone(this=this, zone=exp.Literal.string("LOCAL"))
            return self._parse_at_time_zone(self.expression(local))
        return super()._parse_at_time_zone(this)

    def _parse_is(self, this: exp.Expr | None) -> exp.Expr | None:
        index = self._index
        negated = bool(self._match(TokenType.NOT))
        if this is not None and self._match_text_seq("JSON"):
            return json_syntax.parse_is_json(self, this, negated)
        self._retreat(index)
        return super()._parse_is(this)

    def raise_error(self, message: str, token: Any = None) -> None:
        raise LocatedError(message, token or self._curr or None)

    def _parse_limit(
        self, this: exp.Expr | None = None, top: bool = False, skip_limit_token: bool = False
    ) -> exp.Expr | None:
        return _fetch(self) or this

    def _parse_escape(self, this: exp.Expr | None) -> exp.Expr | None:
        """ESCAPE takes any expression."""
        if not self._match(TokenType.ESCAPE):
            return this
        return self.expression(exp.Escape(this=this, expression=self._parse_unary()))

    def _warn_unsupported(self) -> None:
        raise LocatedError("Invalid expression / Unexpected token", self._tokens[0])


# The words that mean something in Oracle's queries; all others of sqlglot's keywords (LIMIT, ILIKE, TEXT ...)
# are plain names in Oracle and may be those of columns and tables.
_WORDS = {
    "ALL", "AND", "ANY", "AS", "ASC", "BETWEEN", "BINARY_DOUBLE", "BINARY_FLOAT", "BLOB", "CASE",
    "CHAR", "CLOB", "CROSS", "CUBE", "DATE", "DEC", "DECIMAL", "DELETE", "DESC", "DISTINCT", "ELSE",
    "END", "ESCAPE", "EXCEPT", "EXISTS", "FETCH", "FIRST", "FLOAT", "FOR", "FROM", "FULL", "HAVING",
    "IN", "INNER", "INSERT", "INT", "INTEGER", "INTERSECT", "INTERVAL", "INTO", "IS", "JOIN", "KEEP",
    "LATERAL", "LEFT", "LIKE", "MERGE", "MINUS", "NATURAL", "NCHAR", "NEXT", "NOT", "NULL", "NUMBER",
    "NUMERIC", "NVARCHAR2", "OFFSET", "ON", "OR", "OUTER", "OVER", "PARTITION", "PERCENT", "PIVOT",
    "RANGE", "REAL", "RETURNING", "RIGHT", "ROLLUP", "ROW", "ROWS", "SAMPLE", "SELECT", "SET",
    "SMALLINT", "SOME", "START", "SUBPARTITION", "TABLE", "THEN", "TIMESTAMP", "UNION", "UNIQUE",
    "UNPIVOT", "UPDATE", "USING", "VALUES", "VARCHAR", "VARCHAR2", "WHEN", "WHERE", "WITH",
    "BULK COLLECT INTO", "CONNECT BY", "DOUBLE PRECISION", "GROUP BY", "GROUPING SETS", "ORDER BY",
    "ORDER SIBLINGS BY", "PARTITION BY",
}  # fmt: skip


#: LIKE in units of complete characters, UCS2 or UCS4 code points: they differ for composed characters only.
_LIKES = ("LIKEC", "LIKE2", "LIKE4")


class TranslatorDialect(Oracle):
    """Oracle as this stand-in reads it."""

    Parser = TranslatorParser

    class Tokenizer(Oracle.Tokenizer):
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            word: kind
            for word, kind in Oracle.Tokenizer.KEYWORDS.items()
            if not word[0].isalpha() or word in _WORDS
        } | dict.fromkeys(_LIKES, TokenType.LIKE)
        NUMERIC_LITERALS: ClassVar[dict[str, str]] = {"D": "BINARY_DOUBLE", "F": "BINARY_FLOAT"}


DIALECT = TranslatorDialect()
