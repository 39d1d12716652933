"""Trees of queries and expressions: held against Oracle's grammar, then read by sqlglot's parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql import grammar, restrictions
from localoracle.sql.parsing.dialect import DIALECT, TranslatorParser


def parse_query(tokens: Sequence[Token], sql: str) -> exp.Expr:
    """A SELECT statement's tree. Errors as `localoracle.sql.grammar` has them, with the offset."""
    with _checked(tokens, sql):
        grammar.check_query(tokens, sql)
        tree = _tree(tokens, sql, TranslatorParser._parse_statement)
        restrictions.check_query(tree)
    return tree


def parse_expression(tokens: Sequence[Token], sql: str) -> exp.Expr:
    """The tree of an expression or condition."""
    with _checked(tokens, sql):
        grammar.check_expression(tokens, sql)
        tree = _tree(tokens, sql, TranslatorParser._parse_disjunction)
        restrictions.check_expression(tree)
    return tree


@contextmanager
def _checked(tokens: Sequence[Token], sql: str) -> Iterator[None]:
    _reject_foreign(tokens, sql)
    try:
        yield
    except RecursionError as error:
        raise not_supported("a statement nested so deeply") from error


def _tree(tokens: Sequence[Token], sql: str, read: Callable[..., Any]) -> exp.Expr:
    try:
        trees = DIALECT.parser()._parse(read, list(tokens), sql)
    except ParseError as error:
        raise not_supported(_place(tokens, getattr(error, "token", None), sql)) from error
    if len(trees) != 1 or trees[0] is None:
        raise not_supported(_place(tokens, None, sql))
    assert isinstance(trees[0], exp.Expr)
    return trees[0]


def _place(tokens: Sequence[Token], token: Token | None, sql: str) -> str:
    """The statement's text from where the tree cannot be built."""
    begin = token.start if token is not None and token.text else tokens[0].start
    return " ".join(sql[begin : tokens[-1].end + 1].split())[:60]


_FOREIGN = {
    TokenType.DCOLON, TokenType.ARROW, TokenType.DARROW, TokenType.AMP, TokenType.PIPE, TokenType.CARET,
    TokenType.TILDE,
    TokenType.L_BRACKET, TokenType.R_BRACKET, TokenType.L_BRACE, TokenType.R_BRACE,
}  # fmt: skip


def _reject_foreign(tokens: Sequence[Token], sql: str) -> None:
    """Characters that are nothing in Oracle's SQL."""
    for token in tokens:
        # 1.5d is a BINARY_DOUBLE: the tokenizer makes a number, a cast sign that is not in the text, a type.
        written = token.token_type != TokenType.DCOLON or sql[token.start : token.end + 1] == "::"
        if (token.token_type in _FOREIGN and written) or (
            token.token_type == TokenType.PLACEHOLDER and not token.text.isdigit()
        ):
            raise OracleError(911, "invalid character", token.start)
