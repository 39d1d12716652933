"""`object@link` in tokens: SQL Language Reference, "References to Objects in Remote Databases".

A query over a link is run at its other end (localoracle.session.remote_query) and never gets here; of all
other statements only CREATE SYNONYM may name one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import not_supported

if TYPE_CHECKING:
    from localoracle.sql.parsing.lexer import Cursor

_BEFORE_SYNONYM = ("CREATE", "OR", "REPLACE", "EDITIONABLE", "NONEDITIONABLE", "PUBLIC")


def split(token: Token) -> list[Token]:
    """The name, the sign and the link of what sqlglot takes for one word."""
    if token.token_type != TokenType.VAR or "@" not in token.text:
        return [token]
    name, _, link = token.text.partition("@")
    parts = []
    at = token.start
    for kind, text in ((TokenType.VAR, name), (TokenType.PARAMETER, "@"), (TokenType.VAR, link)):
        if text:
            parts.append(Token(kind, text, token.line, token.col, at, at + len(text) - 1, []))
        at += len(text)
    return parts


def check(tokens: Sequence[Token]) -> None:
    """ORA-03001 where a link stands in anything but CREATE SYNONYM."""
    for index, token in enumerate(tokens):
        if token.token_type == TokenType.PARAMETER and token.text == "@" and not of_synonym(tokens):
            link = tokens[index + 1].text if index + 1 < len(tokens) else ""
            raise not_supported(f"database link {link} in such a statement")


def of_synonym(tokens: Sequence[Token]) -> bool:
    """Whether it is a CREATE SYNONYM."""
    words = " ".join(token.text.upper() for token in tokens[: len(_BEFORE_SYNONYM) + 1]).split()
    before = list(takewhile(lambda word: word in _BEFORE_SYNONYM, words))
    return before[:1] == ["CREATE"] and words[len(before) : len(before) + 1] == ["SYNONYM"]


def read(cursor: Cursor) -> str | None:
    """The link behind the name of an object, with its domain; None where there is no @."""
    if not cursor.take("@"):
        return None
    return ".".join(cursor.dotted())
