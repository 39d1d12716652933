"""Rules that a statement's tokens decide: names, binds, literals, clauses of DDL.

Source: SQL Language Reference 19c, "Oracle SQL Reserved Words", "Database Object Names", "Placeholder
Expressions", CREATE INDEX, ALTER TABLE, constraint, GRANT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from localoracle.sql.words import PSEUDOCOLUMNS, reserved_words

_TOKEN = re.compile(
    r"(?P<text>[Nn]?'(?:[^']|'')*')|(?P<name>\"[^\"]*\")|(?P<comment>/\*.*?\*/|--[^\n]*)"
    r"|:(?P<bind>\w+)|(?P<word>[A-Za-z][\w$#]*)|(?P<sign>\S)",
    re.DOTALL,
)
_DDL = frozenset(["CREATE", "ALTER", "DROP", "TRUNCATE", "GRANT", "REVOKE", "COMMENT", "LOCK", "RENAME"])
_CLAUSES = ("PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING")
MOST_BYTES, MOST_TEXT = 128, 4000


def complaints(sql: str, binds: frozenset[str] | None = None) -> list[str]:
    """What is wrong with the words of a statement; `binds` are the names that it is sent with."""
    tokens = [(str(match.lastgroup), match[str(match.lastgroup)]) for match in _TOKEN.finditer(sql)]
    tokens = [(kind, text) for kind, text in tokens if kind != "comment"]
    return list(dict.fromkeys([*_names(tokens), *_bound(tokens, binds), *_defined(tokens)]))


def _names(tokens: list[tuple[str, str]]) -> Iterator[str]:
    for place, (kind, text) in enumerate(tokens):
        size = len(text.encode())
        if kind == "name" and not 1 <= size - 2 <= MOST_BYTES:
            yield f"ORA-00972: a name of {size - 2} bytes"
        elif kind == "text" and size - 2 > MOST_TEXT:
            yield f"ORA-01704: a literal of {size - 2} bytes"
        elif kind == "word" and place:
            before = tokens[place - 1][1].upper()
            reserved = text.upper() in reserved_words() - PSEUDOCOLUMNS
            if before in (".", "AS") and reserved and not (before == "AS" and text.upper() in _AFTER_AS):
                yield f"ORA-00923, ORA-00904: {text} is reserved"


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


def _bound(tokens: list[tuple[str, str]], binds: frozenset[str] | None) -> Iterator[str]:
    found = {text for kind, text in tokens if kind == "bind"}
    for name in sorted(found):
        if name.upper() in reserved_words():
            yield f"ORA-01745: the bind :{name}"
    if found and tokens[0][1].upper() in _DDL:
        yield "ORA-01027: a bind in DDL"
    if binds is not None and (missing := found - {name.lower() for name in binds}):
        yield f"ORA-01008: {', '.join(sorted(missing))} is not bound"


def _defined(tokens: list[tuple[str, str]]) -> Iterator[str]:
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
