"""Rules that a statement's tokens decide: names, binds, literals, clauses of DDL.

Source: SQL Language Reference 19c, "Oracle SQL Reserved Words", "Database Object Names", "Placeholder
Expressions", CREATE INDEX, ALTER TABLE, constraint, GRANT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from localoracle.sql.parsing.words import PSEUDOCOLUMNS, reserved_words

_TOKEN = re.compile(
    r"(?P<text>[Nn]?'(?:[^']|'')*')|(?P<name>\"[^\"]*\")|(?P<comment>/\*.*?\*/|--[^\n]*)"
    r"|:(?P<bind>\w+)|(?P<word>[^\W\d][\w$#]*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>\S)",
    re.DOTALL,
)
_DDL = frozenset(["CREATE", "ALTER", "DROP", "TRUNCATE", "GRANT", "REVOKE", "COMMENT", "LOCK", "RENAME"])
_CLAUSES = ("PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING")
MOST_BYTES, MOST_TEXT = 128, 4000


class Token(NamedTuple):
    """`kind`: text, name (with its quotation marks), bind, word or sign."""

    kind: str
    text: str


def tokens(sql: str) -> list[Token]:
    """The tokens of a statement, without comments."""
    found = (Token(str(match.lastgroup), match[str(match.lastgroup)]) for match in _TOKEN.finditer(sql))
    return [token for token in found if token.kind != "comment"]


def complaints(sql: str, binds: frozenset[str] | None = None) -> list[str]:
    """What is wrong with the words of a statement; `binds` are the names that it is sent with."""
    found = tokens(sql)
    return list(dict.fromkeys([*_names(found), *_aliased(found), *_bound(found, binds), *_defined(found)]))


def _names(tokens: list[Token]) -> Iterator[str]:
    refused = reserved_words() - PSEUDOCOLUMNS
    for place, (kind, text) in enumerate(tokens):
        size = len(text.encode())
        if kind == "name" and not 1 <= size - 2 <= MOST_BYTES:
            yield f"ORA-00972: a name of {size - 2} bytes"
        elif kind == "text" and size - 2 > MOST_TEXT:
            yield f"ORA-01704: a literal of {size - 2} bytes"
        elif kind == "word" and place:
            before = tokens[place - 1][1].upper()
            reserved = before in (".", "AS") and text.upper() in refused
            if reserved and not (before == "AS" and text.upper() in _AFTER_AS):
                yield f"ORA-00923, ORA-00904: {text} is reserved"


def _aliased(tokens: list[Token]) -> Iterator[str]:
    """A table's alias stands without AS, and a share of rows is less than all of them."""
    words = [token.text.upper() for token in tokens]
    for place, word in enumerate(words):
        if (
            word in ("FROM", "JOIN")
            and place + 1 < len(tokens)
            and tokens[place + 1].kind in ("name", "word")
        ):
            behind = place + 4 if words[place + 2 : place + 3] == ["."] else place + 2
            if words[behind : behind + 1] == ["AS"] and words[behind + 1 : behind + 2] != ["OF"]:
                yield "ORA-00933: AS before the alias of a table"
        if word == "SAMPLE" and "(" in words[place : place + 3]:
            share = tokens[words.index("(", place) + 1]
            if share.kind == "number" and not 0.000001 <= float(share.text) < 100:
                yield f"ORA-30562: SAMPLE ({share.text})"


#: What follows AS without being an alias: AS OF SCN, CAST(x AS type), CREATE TABLE AS, identity.
_AFTER_AS = frozenset(
    [
        "OF",
        "SELECT",
        "WITH",
        "DATE",
        "NUMBER",
        "VARCHAR2",
        "CHAR",
        "RAW",
        "LONG",
        "FLOAT",
        "INTEGER",
        "DECIMAL",
        "IDENTITY",
    ]
)


def _bound(tokens: list[Token], binds: frozenset[str] | None) -> Iterator[str]:
    found = {text for kind, text in tokens if kind == "bind"}
    for name in sorted(found):
        if name.upper() in reserved_words():
            yield f"ORA-01745: the bind :{name}"
    if found and tokens[0][1].upper() in _DDL:
        yield "ORA-01027: a bind in DDL"
    if binds is not None and (missing := found - {name.lower() for name in binds}):
        yield f"ORA-01008: {', '.join(sorted(missing))} is not bound"


def _defined(tokens: list[Token]) -> Iterator[str]:
    words = [text.upper() if kind == "word" else '"' if kind == "name" else text for kind, text in tokens]
    text = " ".join(words)
    if words[:1] == ["GRANT"]:
        granted = words[1 : words.index("ON")] if "ON" in words else []
        plain = [word for word in granted if re.fullmatch("[A-Z]+", word)]
        if len(plain) != len(set(plain)) and "(" in granted:
            yield "ORA-01711: a privilege is listed twice"
    if words[:2] == ["ALTER", "TABLE"] and re.search(r"USING INDEX[^)]*\bPARALLEL\b", text):
        yield "ORA-02158, ORA-00922: PARALLEL in USING INDEX"
    if words[:2] == ["ALTER", "TABLE"] and "ADD" in words:
        states = [w for w in words if w in ("RELY", "USING", "ENABLE", "DISABLE", "VALIDATE", "NOVALIDATE")]
        order = ["RELY", "USING", "ENABLE", "DISABLE", "VALIDATE", "NOVALIDATE"]
        if states != sorted(states, key=order.index):
            yield "ORA-00922: the constraint's state is in another order"
    if words[:2] == ["CREATE", "INDEX"] and "INDEXTYPE" in words and {*_CLAUSES} & {*words[-4:]}:
        yield "ORA-29850: a domain index"
