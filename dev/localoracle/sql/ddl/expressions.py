"""Expressions inside DDL: what those of each place may not hold, and their texts.

SQL Language Reference, constraint, "Check Constraints"; CREATE INDEX, column_expression; CREATE TABLE,
virtual_column_definition, DEFAULT. DBA_IND_EXPRESSIONS has the text of an expression without spaces, names in
double quotes, functions and words in upper case: `lower(name) || 'x'` is `LOWER("NAME")||'x'` there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError
from localoracle.sql.context import Context
from localoracle.sql.expressions.expression import PSEUDO_FUNCTIONS, Expressions
from localoracle.sql.parsing.lexer import Cursor, is_string, literal, nesting, quote
from localoracle.sql.parsing.nodes import identifier_name
from localoracle.sql.parsing.trees import parse_expression
from localoracle.sql.query.query import Query

_OF_THE_MOMENT = (
    "CURRENT_DATE", "CURRENT_TIMESTAMP", "DBTIMEZONE", "LOCALTIMESTAMP", "SESSIONTIMEZONE", "SYSDATE",
    "SYSTIMESTAMP", "UID", "USER", "USERENV",
)  # fmt: skip
_NOT_HERE = (976, "Specified pseudocolumn or operator not allowed here.")
_OF_THE_QUERY = ("ROWNUM", "LEVEL", "PRIOR", "CONNECT_BY_ROOT", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE")


def check_condition(tokens: Sequence[Token], sql: str, column: str | None) -> None:
    """Refuse a condition that a CHECK may not have. `column`: the one beside which it stands."""
    _refuse(
        tokens,
        sql,
        {
            ("SELECT",): (2251, "subquery not allowed here"),
            ("NEXTVAL", "CURRVAL"): (2287, "sequence number not allowed here"),
            _OF_THE_QUERY: _NOT_HERE,
            _OF_THE_MOMENT: (2436, "date or system variable wrongly specified in CHECK constraint"),
        },
    )
    if column is not None:
        for node in parse_expression(tokens, sql).find_all(exp.Column):
            if identifier_name(node.this) != column:
                raise OracleError(
                    2438, "Column check constraint cannot reference other columns", tokens[0].start
                )


def check_default(tokens: Sequence[Token], sql: str) -> None:
    """Refuse a default that is no value of its own; its columns are refused by PostgreSQL."""
    _refuse(
        tokens, sql, {("SELECT",): (22818, "subquery expressions not allowed here"), _OF_THE_QUERY: _NOT_HERE}
    )


def check_pure(tokens: Sequence[Token], sql: str, code: int, text: str) -> None:
    """Refuse an expression whose value changes with time or session, with the caller's code."""
    _refuse(tokens, sql, {_OF_THE_MOMENT: (code, text)})


def check_no_sequence(tokens: Sequence[Token], sql: str) -> None:
    """A view draws no numbers (SQL Language Reference, "Sequence Pseudocolumns")."""
    _refuse(tokens, sql, {("NEXTVAL", "CURRVAL"): (2287, "sequence number not allowed here")})


def _refuse(tokens: Sequence[Token], sql: str, refusals: dict[tuple[str, ...], tuple[int, str]]) -> None:
    cursor = Cursor(tokens, sql)
    while not cursor.done:
        for words, refusal in refusals.items():
            if cursor.at(*words):
                raise OracleError(*refusal, cursor.position)
        cursor.next()


def source_text(tokens: Sequence[Token], sql: str) -> str:
    """Oracle's own text of a part of the statement."""
    return sql[tokens[0].start : tokens[-1].end + 1] if tokens else ""


def expression(tokens: Sequence[Token], sql: str) -> str:
    """An expression inside DDL, where no bind variables are."""
    context = Context((), ())
    return Expressions(context, Query(context)).scalar(parse_expression(tokens, sql)).text


def condition(tokens: Sequence[Token], sql: str) -> str:
    context = Context((), ())
    return Expressions(context, Query(context)).condition(parse_expression(tokens, sql))


#: Words of expressions that are no names; behind and before each there is a space.
_WORDS = {
    "AND", "AS", "BETWEEN", "CASE", "DATE", "DAY", "ELSE", "END", "ESCAPE", "FROM", "IN", "IS", "LIKE",
    "MONTH", "NOT", "NULL", "OR", "SECOND", "THEN", "TIMESTAMP", "TO", "WHEN", "YEAR",
}  # fmt: skip


def decompiled(tokens: Sequence[Token]) -> str:
    parts = list(tokens)
    while _in_parentheses(parts):
        parts = parts[1:-1]
    text = ""
    for index, token in enumerate(parts):
        following = parts[index + 1] if index + 1 < len(parts) else None
        word = _text(token, following)
        if text and (_is_word(token, following) or _ends_in_word(parts[index - 1], token)):
            text += " "
        text += word
    return text


def _text(token: Token, following: Token | None) -> str:
    if is_string(token):
        return literal(token.text)
    if token.token_type == TokenType.IDENTIFIER:
        return quote(token.text)
    if not token.text[:1].isalpha() or _is_word(token, following):
        return token.text.upper()
    called = following is not None and following.token_type == TokenType.L_PAREN
    name = token.text.upper()
    return name if called or name in PSEUDO_FUNCTIONS else quote(name)


def _is_word(token: Token, following: Token | None) -> bool:
    """Whether it is one of the words; DATE and the like are where no parenthesis follows."""
    if token.token_type == TokenType.IDENTIFIER or is_string(token) or token.text.upper() not in _WORDS:
        return False
    called = following is not None and following.token_type == TokenType.L_PAREN
    return not called or token.text.upper() not in ("DATE", "DAY", "MONTH", "SECOND", "TIMESTAMP", "YEAR")


def _ends_in_word(token: Token, following: Token) -> bool:
    if following.token_type in (TokenType.R_PAREN, TokenType.COMMA):
        return False
    return _is_word(token, following)


def _in_parentheses(tokens: Sequence[Token]) -> bool:
    """Whether one pair of parentheses is around all of it."""
    if len(tokens) < 2 or tokens[0].token_type != TokenType.L_PAREN:
        return False
    depth = 0
    for index, token in enumerate(tokens):
        depth += nesting(token)
        if depth == 0:
            return index == len(tokens) - 1
    return False
