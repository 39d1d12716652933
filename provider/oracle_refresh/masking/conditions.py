"""Conditions of rules: `where: "COUNTRY_CODE = 'DE' AND CREATED_AT >= DATE '2020-01-01'"`.

A condition is read token by token. Only columns of the row, literals, comparison and the functions below are
let through, so nothing but a condition over the row can come out: no subquery, no call of anybody's code, no
bind, no comment.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from oracle_refresh.oracle.identifiers import Identifier

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>'(?:[^']|'')*')
  | (?P<quoted>"[^"]{1,128}")
  | (?P<number>\d+(?:\.\d+)?)
  | (?P<word>[A-Za-z][A-Za-z0-9_$#]*)
  | (?P<sign><=|>=|<>|!=|\|\||[=<>(),+*/-])
    )""",
    re.VERBOSE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS = _words("AND OR NOT IN IS NULL LIKE ESCAPE BETWEEN CASE WHEN THEN ELSE END DATE TIMESTAMP")
#: Words before a parenthesis that are no functions.
_OPENING = _words("IN AND OR NOT WHEN THEN ELSE CASE LIKE BETWEEN")
_FUNCTIONS = _words(
    "UPPER LOWER SUBSTR LENGTH TRIM LTRIM RTRIM INSTR REGEXP_LIKE NVL COALESCE DECODE GREATEST LEAST TRUNC "
    "MOD ABS TO_CHAR TO_DATE TO_NUMBER"
)
#: Words that Oracle would not read as a column.
_REFUSED = _words(
    "SELECT FROM WHERE EXISTS ANY ALL SOME PRIOR CONNECT_BY_ROOT UNION MINUS ROWNUM ROWID LEVEL USER UID "
    "SYSDATE SYSTIMESTAMP CURRENT_DATE DISTINCT"
)


@dataclass(frozen=True)
class Condition:
    """A condition over one row; `parts` are SQL tokens, columns as Identifier."""

    parts: tuple[str | Identifier, ...]

    @classmethod
    def parse(cls, text: str) -> Condition:
        """:raises ValueError: naming what cannot stand in a condition."""
        parts: list[str | Identifier] = []
        place, depth = 0, 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None or text[match.start() :].lstrip().startswith(("--", "/*")):
                raise ValueError(f"{text[place:].strip()[:20]!r} cannot stand in a condition")
            token = match[0].strip()
            place = match.end()
            following = text[place:].lstrip()
            if match["quoted"]:
                parts.append(Identifier.parse(token))
            elif match["word"]:
                upper = token.upper()
                if following.startswith("("):
                    if upper not in _FUNCTIONS | _OPENING:
                        raise ValueError(f"{token} cannot be called in a condition")
                    parts.append(upper)
                elif upper in _WORDS:
                    parts.append(upper)
                elif upper in _REFUSED:
                    raise ValueError(f"{token} cannot stand in a condition")
                else:
                    parts.append(Identifier.parse(token))
            else:
                depth += (token == "(") - (token == ")")
                if depth < 0:
                    raise ValueError("a parenthesis is closed that was not opened")
                parts.append(token)
        if depth:
            raise ValueError("a parenthesis is not closed")
        if not any(isinstance(part, Identifier) for part in parts):
            raise ValueError("a condition compares at least one column")
        return cls(tuple(parts))

    @property
    def columns(self) -> Collection[str]:
        """The columns that are compared."""
        return {part.name for part in self.parts if isinstance(part, Identifier)}

    def sql(self, alias: str = "T") -> str:
        """The condition over the row of an alias, in parentheses."""
        written = " ".join(
            f"{alias}.{part.sql}" if isinstance(part, Identifier) else part for part in self.parts
        )
        return f"({written})"

    def __str__(self) -> str:
        return " ".join(part.sql if isinstance(part, Identifier) else part for part in self.parts)
