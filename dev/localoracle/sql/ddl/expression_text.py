"""The text of an expression as the dictionary keeps it, which is not as it was written.

DBA_IND_EXPRESSIONS has it without spaces, names in double quotes, functions and words in upper case:
`lower(name) || 'x'` is `LOWER("NAME")||'x'` there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.sql.expressions.expression import PSEUDO_FUNCTIONS
from localoracle.sql.parsing.lexer import is_string, literal, quote

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
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth == 0:
            return index == len(tokens) - 1
    return False
