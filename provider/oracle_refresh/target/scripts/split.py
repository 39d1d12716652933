"""SQL scripts cut into statements, as SQL*Plus cuts them, and checked without a database.

A statement ends with a semicolon or a line that holds only a slash. A PL/SQL block (BEGIN, DECLARE, and
CREATE of a procedure, function, package, trigger or type) holds semicolons itself: the line with the slash
ends it. Source: SQL*Plus User's Guide 19c, "Running SQL Commands" and "Running PL/SQL Blocks".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from oracle_refresh.oracle.errors import PlanError

STEP = "script"

_DML = frozenset({"DELETE", "INSERT", "MERGE", "UPDATE"})
_OTHERS = frozenset(
    {"ALTER", "ANALYZE", "ASSOCIATE", "AUDIT", "CALL", "COMMENT", "CREATE", "DISASSOCIATE", "DROP"}
    | {"FLASHBACK", "GRANT", "NOAUDIT", "PURGE", "RENAME", "REVOKE", "TRUNCATE"}
)
_BLOCK = re.compile(
    r"(BEGIN|DECLARE|CREATE\s+(OR\s+REPLACE\s+)?((NON)?EDITIONABLE\s+)?"
    r"(FUNCTION|PACKAGE|PROCEDURE|TRIGGER|TYPE))\b",
    re.IGNORECASE,
)
_TRANSACTION = frozenset({"COMMIT", "ROLLBACK", "SAVEPOINT"})
_QUERY = frozenset({"SELECT", "WITH"})
#: Ends of q-quoted literals whose opening sign is another one.
_CLOSING = {"[": "]", "{": "}", "(": ")", "<": ">"}
_TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)
  | (?P<text>n?q'(?P<open>.)|n?'(?:[^']|'')*'|"[^"\n]*")
  | (?P<slash>(?<![^\n])[ \t]*/[ \t]*(?=\n|\Z))
  | (?P<end>;)
  | (?P<bind>:[A-Za-z0-9_]+)
  | (?P<bad>/\*|n?'|")
  | [A-Za-z_][\w$\#]*|.""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class ScriptStatement:
    """One statement; `line` is the line of the file that its text begins on, from 1."""

    text: str
    line: int
    block: bool

    @property
    def verb(self) -> str:
        return _verb(self.text)

    @property
    def transactional(self) -> bool:
        """Whether the statement and a row of the ledger are committed together, or not at all."""
        return not self.block and self.verb in _DML

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Script:
    """One file."""

    path: Path
    statements: tuple[ScriptStatement, ...]


def load_scripts(paths: Iterable[Path]) -> tuple[Script, ...]:
    """Read and check scripts.

    :raises PlanError: naming file and line of the first thing that is wrong.
    """
    scripts = []
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise PlanError(f"cannot be read: {error}", object_name=str(path), step=STEP) from error
        scripts.append(Script(path, split(text, str(path))))
    return tuple(scripts)


def split(text: str, name: str = "script") -> tuple[ScriptStatement, ...]:
    """The statements of a script, without their terminators.

    :raises PlanError: for what is not a statement that changes something, and for what does not end.
    """
    statements = []
    source = text.replace("\r\n", "\n")
    for start, end, binds in _pieces(source, name):
        body, line = source[start:end].rstrip(), _line(source, start)
        block = _BLOCK.match(body) is not None
        statement = ScriptStatement(body, line, block)
        problem = _problem(statement, binds)
        if problem:
            raise refused(name, line, problem)
        statements.append(statement)
    return tuple(statements)


def refused(name: str, line: int, why: str) -> PlanError:
    """The error that names file and line."""
    return PlanError(f"line {line}: {why}", object_name=name, step=STEP)


def _pieces(text: str, name: str) -> Iterator[tuple[int, int, list[str]]]:
    """Start and end of each statement, and its bind variables."""
    place, start, block, depth = 0, None, False, 0
    binds: list[str] = []
    while place < len(text):
        token = _TOKEN.match(text, place)
        assert token, "every character is a token"
        began, place = place, token.end()
        if token["open"]:
            close = _CLOSING.get(token["open"], token["open"]) + "'"
            closed_at = text.find(close, place)
            if closed_at < 0:
                raise refused(name, _line(text, began), "a quoted text does not end")
            place = closed_at + len(close)
        if token["bad"]:
            what = "comment" if token["bad"].startswith("/") else "quoted text"
            raise refused(name, _line(text, began), f"a {what} does not end")
        if token["slash"] is not None or (token["end"] and not block):
            if start is not None:
                if depth:
                    raise refused(name, _line(text, start), "parentheses do not match")
                yield start, began, binds
            start, block, depth, binds = None, False, 0, []
            continue
        if start is None:
            if token["comment"] or token[0].isspace():
                continue
            start = began
            block = _BLOCK.match(text, began) is not None
        if token["bind"]:
            binds.append(token["bind"])
        if not block:
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth < 0:
                raise refused(name, _line(text, began), "parentheses do not match")
    if start is None:
        return
    if block:
        raise refused(name, _line(text, start), "the PL/SQL block is not ended by a line with a slash")
    raise refused(name, _line(text, start), "the statement is not ended by a semicolon")


def _problem(statement: ScriptStatement, binds: list[str]) -> str | None:
    verb = statement.verb
    if statement.block:
        definition = verb == "CREATE"
        return None if definition or not binds else f"there is no value for {binds[0]}"
    if verb in _TRANSACTION:
        return f"{verb}: each statement is committed by itself"
    if verb in _QUERY:
        return f"{verb}: a query changes nothing"
    if verb not in _DML | _OTHERS:
        return f"{verb or statement.text[:20]} is no SQL statement that changes something"
    return f"there is no value for {binds[0]}" if binds else None


def _verb(text: str) -> str:
    match = re.match(r"[A-Za-z]+", text)
    return match[0].upper() if match else ""


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
