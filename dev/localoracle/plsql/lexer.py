"""Tokens of PL/SQL and of the SQL embedded in it (Language Reference, "Lexical Units")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from localoracle.plsql.errors import compilation_error


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: word, quoted, string, number, bind, op or end. `value`: upper-case word, string content,
    operator.
    """

    kind: str
    value: str
    start: int
    end: int


_TOKEN = re.compile(
    r"""
      (?P<space>\s+|--[^\n]*|/\*.*?\*/)
    | (?P<string>n?'(?:[^']|'')*')
    | (?P<quoting>n?q'(?P<open>.))
    | (?P<word>[^\W\d_][\w$#]*)
    | (?P<quoted>"[^"]*")
    | (?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:e[+-]?\d+)?[fd]?)
    | (?P<bind>:\s*(?:[^\W\d_][\w$#]*|\d+|"[^"]*"))
    | (?P<op>:=|=>|\.\.|\|\||\*\*|<>|!=|\^=|~=|<=|>=|<<|>>|[-+*/=<>(),.;%@\[\]?&|!^~$])
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)

_CLOSING = {"[": "]", "(": ")", "{": "}", "<": ">"}


@lru_cache(maxsize=500)
def tokenize(text: str) -> tuple[Token, ...]:
    """All tokens, a last one of kind `end`. Raises ORA-06550/PLS-00103 for a character that starts none."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise compilation_error(text, place, "PLS-00103", f'Encountered the symbol "{text[place]}"')
        end = match.end()
        if match["quoting"]:
            mark = match["open"]
            close = text.find(_CLOSING.get(mark, mark) + "'", end)
            if close < 0:
                raise compilation_error(text, place, "PLS-00103", 'Encountered the symbol "q\'"')
            tokens.append(Token("string", text[end:close], place, close + 2))
            end = close + 2
        elif match["string"]:
            literal = match["string"]
            content = literal[literal.index("'") + 1 : -1].replace("''", "'")
            tokens.append(Token("string", content, place, end))
        elif match["word"]:
            tokens.append(Token("word", match["word"].upper(), place, end))
        elif match["quoted"]:
            tokens.append(Token("quoted", match["quoted"][1:-1], place, end))
        elif match["number"]:
            tokens.append(Token("number", match["number"], place, end))
        elif match["bind"]:
            name = match["bind"][1:].strip()
            tokens.append(Token("bind", name[1:-1] if name.startswith('"') else name.upper(), place, end))
        elif match["op"]:
            value = match["op"]
            tokens.append(Token("op", "<>" if value in ("!=", "^=", "~=") else value, place, end))
        place = end
    tokens.append(Token("end", "", len(text), len(text)))
    return tuple(tokens)


def bind_names(text: str) -> list[str]:
    """The distinct bind names in order of first appearance."""
    return list(dict.fromkeys(token.value for token in tokenize(text) if token.kind == "bind"))
