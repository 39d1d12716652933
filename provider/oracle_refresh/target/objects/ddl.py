"""Reads just enough of DDL text to execute it safely: splits it, checks what it touches, adds clauses.

DDL comes from the source's dictionary (DBMS_METADATA) and is executed on the target with ANY privileges. So a
statement passes only when its leading words name one permitted kind of object in one of the definition's
schemas, and when it is one statement. Lexical rules: SQL Language Reference 19c, "Literals" and "Comments".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from oracle_refresh.catalog.model import Sequence as SequenceOf
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier

Kind = Literal["word", "name", "string", "symbol"]

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*|/\*.*?\*/)
  | (?P<quoted>n?q'(?:\[.*?\]'|\{.*?\}'|\(.*?\)'|<.*?>'|(?P<mark>[^\s\[{(<]).*?(?P=mark)'))
  | (?P<string>n?'(?:[^']|'')*')
  | (?P<name>"[^"\0]+")
  | (?P<word>[^\W\d][\w$#]*|\d[\w.$#]*)
  | (?P<symbol>.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# Between CREATE and the kind of the object.
_ADJECTIVES = frozenset(
    {"OR", "REPLACE", "FORCE", "NOFORCE", "EDITIONABLE", "NONEDITIONABLE", "EDITIONING", "GLOBAL", "PRIVATE"}
    | {"TEMPORARY", "UNIQUE", "BITMAP", "SHARDED", "DUPLICATED", "IMMUTABLE"}
)
_PLSQL = frozenset({"TRIGGER", "PROCEDURE", "FUNCTION", "PACKAGE", "TYPE"})


@dataclass(frozen=True)
class Token:
    """A piece of a statement; `text` is upper case for words and without quotation marks for names."""

    kind: Kind
    text: str
    start: int
    end: int


def tokens(sql: str) -> Iterator[Token]:
    """The tokens of a text; blanks and comments (and hints) are passed over.

    :raises PlanError: for a quotation mark or a comment that is not closed.
    """
    for match in _TOKEN.finditer(sql):
        kind = match.lastgroup if match.lastgroup != "mark" else "quoted"
        text = match.group()
        if kind == "space":
            continue
        if kind == "symbol" and (text in "'\"" or sql.startswith("/*", match.start())):
            raise _refused(sql, "a quotation mark or a comment is not closed")
        if kind == "name":
            yield Token("name", text[1:-1], *match.span())
        elif kind == "word":
            yield Token("word", text.upper(), *match.span())
        else:
            yield Token("symbol" if kind == "symbol" else "string", text, *match.span())


def split(text: str) -> list[str]:
    """The statements of a text written with terminators: `;` for SQL, a line with only `/` after PL/SQL."""
    statements: list[str] = []
    rest = text
    while rest.strip().strip("/").strip():
        statement, rest = _first(rest)
        if statement:
            statements.append(statement)
    return statements


def _first(text: str) -> tuple[str, str]:
    leading = [token for _, token in zip(range(8), tokens(text), strict=False)]
    if leading and leading[0].text == "/":
        return "", text[leading[0].end :]
    if _is_plsql(leading):
        end = re.search(r"^\s*/\s*$", text, re.MULTILINE)
        cut = end.span() if end else (len(text), len(text))
        return text[: cut[0]].strip(), text[cut[1] :]
    for token in tokens(text):
        if token.kind == "symbol" and token.text == ";":
            return text[: token.start].strip(), text[token.end :]
    return re.sub(r"\s*^\s*/\s*\Z", "", text, flags=re.MULTILINE).strip(), ""


def _is_plsql(leading: Sequence[Token]) -> bool:
    if not leading or leading[0].text != "CREATE":
        return False
    return next((token.text for token in leading[1:] if token.text not in _ADJECTIVES), "") in _PLSQL


@dataclass(frozen=True)
class Target:
    """What a statement is about: `kind` is e.g. `CREATE TABLE`, `ALTER TABLE`, `COMMENT ON COLUMN`."""

    kind: str
    owner: str
    name: str


def target(sql: str) -> Target:
    """The object that a DDL statement creates or changes, which it must name with its schema.

    :raises PlanError: if the statement is not understood that far.
    """
    parts = list(tokens(sql))
    words = [token.text if token.kind == "word" else "" for token in parts]
    if not words:
        raise _refused(sql, "it is empty")
    verb, position = words[0], 1
    if verb == "COMMENT":
        if words[1:2] != ["ON"]:
            raise _refused(sql, "COMMENT ON is expected")
        return Target(f"COMMENT ON {words[2]}", *_qualified(sql, parts[3:6]))
    if verb == "GRANT":
        if "ON" not in words:
            raise _refused(sql, "only object privileges are granted")
        on = words.index("ON") + 1
        return Target("GRANT", *_qualified(sql, parts[on : on + 3]))
    if verb not in ("CREATE", "ALTER"):
        raise _refused(sql, f"{verb or 'it'} is not expected here")
    while position < len(words) and words[position] in _ADJECTIVES:
        position += 1
    if position >= len(words) or not words[position]:
        raise _refused(sql, "the kind of object is missing")
    kind = words[position]
    if kind in ("PACKAGE", "TYPE") and words[position + 1 : position + 2] == ["BODY"]:
        kind, position = f"{kind} BODY", position + 1
    return Target(f"{verb} {kind}", *_qualified(sql, parts[position + 1 : position + 4]))


def _qualified(sql: str, name: Sequence[Token]) -> tuple[str, str]:
    if [token.kind in ("word", "name") for token in name] != [True, False, True] or name[1].text != ".":
        raise _refused(sql, "the object is not named with its schema")
    return Identifier(name[0].text).name, Identifier(name[2].text).name


def guard(sql: str, kinds: Collection[str], schemas: Collection[str], name: str | None = None) -> Target:
    """Let a statement pass that is one statement of a permitted kind about an object of the schemas.

    :param name: when given, the very object that the statement has to be about.
    :raises PlanError: for every other statement; it must not be executed.
    """
    about = target(sql)
    if about.kind not in kinds:
        raise _refused(sql, f"{about.kind} is not expected here")
    if about.owner not in schemas:
        raise _refused(sql, f"schema {about.owner} is not part of the refresh")
    if name is not None and about.name != name:
        raise _refused(sql, f"it is about {about.name} instead of {name}")
    verb, _, kind = about.kind.partition(" ")
    if verb != "CREATE" or kind.removesuffix(" BODY") not in _PLSQL:
        for token in tokens(sql):
            if token.kind == "symbol" and token.text == ";":
                raise _refused(sql, "it holds a second statement")
    return about


def in_schema(sql: str, schema: str) -> str:
    """A CREATE TABLE that has passed `guard`, of the same table in another schema."""
    parts = list(tokens(sql))
    owner = parts[[token.text for token in parts].index("TABLE") + 1]
    return f"{sql[: owner.start]}{Identifier(schema).sql}{sql[owner.end :]}"


def condition(text: str) -> str:
    """A check condition from the dictionary, safe to stand between parentheses.

    :raises PlanError: if it would end the parentheses or the statement.
    """
    depth = end = 0
    for token in tokens(text):
        end = token.end
        if token.kind == "symbol":
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if depth < 0 or token.text == ";":
                break
    else:
        if depth == 0 and not re.search(r"--[^\n]*\Z", text[end:]):
            return text
    raise _refused(text, "it is not one condition")


def end_of_columns(sql: str, start: int = 0) -> int:
    """Where the first parentheses of a statement end, that begin at `start` or behind it.

    :raises PlanError: if there are none.
    """
    depth = 0
    for token in tokens(sql):
        if token.kind == "symbol" and token.text in "()" and token.start >= start:
            depth += 1 if token.text == "(" else -1
            if depth == 0:
                return token.end
    raise _refused(sql, "parentheses are missing or not closed")


def starting_at(sql: str, number: int) -> str:
    """A CREATE SEQUENCE that begins with another number.

    :raises PlanError: if it does not say where it begins.
    """
    parts = list(tokens(sql))
    for place, (first, second) in enumerate(pairwise(parts)):
        if (first.text, second.text) == ("START", "WITH"):
            _, _, end = _number(parts[place + 2 : place + 4])
            return f"{sql[: second.end]} {number}{sql[end:]}"
    raise _refused(sql, "START WITH is missing")


def without_clauses(sql: str, words: Collection[str]) -> str:
    """The statement without the clauses of these words (and PARALLEL's number) behind its first parentheses.

    What stands in further parentheses stays, and so does what follows a clause, as INVISIBLE does.
    """
    end, depth, left, start = end_of_columns(sql), 0, "", 0
    parts = [token for token in tokens(sql) if token.start >= end]
    for number, token in enumerate(parts):
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "symbol" else 0
        if depth or token.kind != "word" or token.text not in words:
            continue
        following = parts[number + 1] if number + 1 < len(parts) else token
        counted = token.text == "PARALLEL" and following.kind == "word" and following.text.isdigit()
        left += sql[start : token.start].rstrip()
        start = following.end if counted else token.end
    return (left + sql[start:]).rstrip()


_IDENTITY_OPTIONS = frozenset({"MINVALUE", "MAXVALUE", "BY", "WITH"})


def identities_within_bounds(sql: str) -> str:
    """A CREATE TABLE whose identities begin within their bounds: one that is exhausted could not (ORA-04008).

    They are sequences, so they begin where a copy of such a sequence would.
    """
    parts = list(tokens(sql))
    for place in range(len(parts) - 1, 0, -1):  # from behind: what is before keeps its place
        if (parts[place - 1].text, parts[place].text) != ("AS", "IDENTITY"):
            continue
        numbers: dict[str, tuple[int, int, int]] = {}
        cycles = False
        for number, token in enumerate(parts[place + 1 :], place + 1):
            if token.text in (",", ")") or token.kind == "name":
                break
            cycles = cycles or token.text == "CYCLE"
            if token.text in _IDENTITY_OPTIONS:
                numbers[token.text] = _number(parts[number + 1 : number + 3])
        if "WITH" not in numbers or "BY" not in numbers:
            continue
        begun, start, end = numbers["WITH"]
        low, high = (numbers[word][0] if word in numbers else None for word in ("MINVALUE", "MAXVALUE"))
        copied = SequenceOf("", "", numbers["BY"][0], begun, low, high, cycles)
        sql = f"{sql[:start]}{copied.start}{sql[end:]}"
    return sql


def _number(parts: Sequence[Token]) -> tuple[int, int, int]:
    """A whole number, with its sign, and where it begins and ends."""
    negative = parts[0].text == "-"
    last = parts[-1] if negative else parts[0]
    return int(last.text) * (-1 if negative else 1), parts[0].start, last.end


def _refused(sql: str, why: str) -> PlanError:
    shown = " ".join(sql.split())[:200]
    return PlanError(
        f"a statement from the source's dictionary is not executed: {why}: {shown}",
        step="objects",
        remedy="exclude the object from the refresh, or report it if the statement is harmless",
    )
