"""Oracle's grammar for queries and expressions: sqlglot's Oracle parser, made to guess less.

sqlglot maps many functions of many dialects to nodes of its own, whose meanings are nearly Oracle's. Here
every function stays a name with arguments (exp.Anonymous), so that the emitter alone decides what it means;
only functions with keywords between their arguments keep a parser. Errors say where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.oracle import Oracle
from sqlglot.errors import ParseError
from sqlglot.parsers.oracle import OracleParser
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError


class LocatedError(ParseError):
    """sqlglot's error with the token at which it was found."""

    def __init__(self, message: str, token: Token | None) -> None:
        super().__init__(message, [{}])
        self.token = token


def _time_literal(kind: str) -> Any:
    return lambda self, this, _: self.expression(exp.Anonymous(this=f"{kind} LITERAL", expressions=[this]))


def _at_bind(self: Any) -> Any:
    return self.expression(exp.Placeholder(this=self._prev.text))


class TranslatorParser(OracleParser):
    """The parser of queries, DML and of the expressions inside DDL."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[Any, Any]] = {
        "CAST": OracleParser.FUNCTION_PARSERS["CAST"],
        "EXTRACT": OracleParser.FUNCTION_PARSERS["EXTRACT"],
        "TRIM": OracleParser.FUNCTION_PARSERS["TRIM"],
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

    def raise_error(self, message: str, token: Any = None) -> None:
        raise LocatedError(message, token or self._curr or None)

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


class TranslatorDialect(Oracle):
    """Oracle as this stand-in reads it."""

    Parser = TranslatorParser

    class Tokenizer(Oracle.Tokenizer):
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            word: kind
            for word, kind in Oracle.Tokenizer.KEYWORDS.items()
            if not word[0].isalpha() or word in _WORDS
        }
        NUMERIC_LITERALS: ClassVar[dict[str, str]] = {"D": "BINARY_DOUBLE", "F": "BINARY_FLOAT"}


DIALECT = TranslatorDialect()


def parse_query(tokens: Sequence[Token], sql: str) -> exp.Expr:
    """A SELECT statement's tree. Errors: ORA-00900, 00907, 00933, 00936 with the offset."""
    return _parse(tokens, sql, False)


def parse_expression(tokens: Sequence[Token], sql: str) -> exp.Expr:
    """The tree of an expression or condition."""
    return _parse(tokens, sql, True)


def _parse(tokens: Sequence[Token], sql: str, expression: bool) -> exp.Expr:
    _reject_foreign(tokens, sql)
    end = tokens[-1].end + 1 if tokens else len(sql)
    parser = DIALECT.parser()
    read = type(parser)._parse_disjunction if expression else type(parser)._parse_statement
    try:
        trees = parser._parse(read, list(tokens), sql)
    except LocatedError as error:
        position = error.token.start if error.token is not None and error.token.text else end
        raise _oracle_error(str(error), position) from error
    except ParseError as error:
        raise OracleError(900, "invalid SQL statement", tokens[0].start if tokens else 0) from error
    if len(trees) != 1 or trees[0] is None:
        raise OracleError(936, "missing expression", tokens[0].start if tokens else end)
    tree = trees[0]
    assert isinstance(tree, exp.Expr)
    return tree


def _oracle_error(message: str, position: int) -> OracleError:
    if "Expecting )" in message:
        return OracleError(907, "missing right parenthesis", position)
    if "Expecting (" in message:
        return OracleError(906, "missing left parenthesis", position)
    if message.startswith(("Required keyword", "Expected")) or (
        "xpect" in message and "token" not in message
    ):
        return OracleError(936, "missing expression", position)
    return OracleError(933, "SQL command not properly ended", position)


_FOREIGN = {
    TokenType.DCOLON, TokenType.ARROW, TokenType.DARROW, TokenType.AMP, TokenType.PIPE, TokenType.CARET,
    TokenType.TILDE,
    TokenType.L_BRACKET, TokenType.R_BRACKET, TokenType.L_BRACE, TokenType.R_BRACE,
}  # fmt: skip
_LIST_ENDS = {
    TokenType.FROM,
    TokenType.WHERE,
    TokenType.R_PAREN,
    TokenType.GROUP_BY,
    TokenType.ORDER_BY,
    TokenType.COMMA,
}


def _reject_foreign(tokens: Sequence[Token], sql: str) -> None:
    """Refuse what sqlglot's parser would let pass though Oracle does not have it."""
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.token_type == TokenType.COMMA and (following is None or following.token_type in _LIST_ENDS):
            raise OracleError(936, "missing expression", following.start if following else token.end + 1)
        if token.token_type == TokenType.EQ and token.text == "==":
            raise OracleError(936, "missing expression", token.start + 1)
        # 1.5d is a BINARY_DOUBLE: the tokenizer makes a number, a cast sign that is not in the text, a type.
        written = token.token_type != TokenType.DCOLON or sql[token.start : token.end + 1] == "::"
        if token.token_type in _FOREIGN and written:
            raise OracleError(911, "invalid character", token.start)
