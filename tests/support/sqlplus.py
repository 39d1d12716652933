"""Runs SQL*Plus scripts through the driver, statement by statement.

Known are the commands that installation scripts use: SET DEFINE, ACCEPT, DEFINE, COLUMN ... NEW_VALUE, @ and
@@, EXIT and SQLcl's LOAD; others, which say how output looks, are passed over. What begins with no command is
SQL, up to a semicolon at the end of a line, or a block of PL/SQL, up to a line that is a slash (SQL*Plus
User's Guide, "Using Scripts in SQL*Plus").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import oracledb

_OF_OUTPUT = (
    "SET",
    "PROMPT",
    "PRO",
    "REM",
    "REMARK",
    "SPOOL",
    "SHOW",
    "WHENEVER",
    "TTITLE",
    "BTITLE",
    "CLEAR",
)
_BLOCK = re.compile(
    r"(DECLARE|BEGIN)\b|CREATE\s+(OR\s+REPLACE\s+)?((NON)?EDITIONABLE\s+)?"
    r"(FUNCTION|PROCEDURE|PACKAGE|TRIGGER|TYPE|LIBRARY|JAVA)\b",
    re.IGNORECASE,
)
_SUBSTITUTION = re.compile(r"&&?(\w+)\.?")


@dataclass(frozen=True)
class Refused:
    """A statement that the database did not take."""

    file: str
    line: int
    text: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message.splitlines()[0]}: {' '.join(self.text.split())[:80]}"


@dataclass
class Outcome:
    taken: int = 0
    refused: list[Refused] = field(default_factory=list)

    @property
    def statements(self) -> int:
        return self.taken + len(self.refused)


@dataclass
class Script:
    """One run: the answers to its ACCEPTs, and what loads a file that SQLcl's LOAD names into a table."""

    connection: oracledb.Connection
    answers: Mapping[str, str] = field(default_factory=dict)
    load: Callable[[oracledb.Connection, str, Path], None] | None = None
    outcome: Outcome = field(default_factory=Outcome)
    _variables: dict[str, str] = field(default_factory=dict)
    _new_values: dict[str, str] = field(default_factory=dict)
    """By the name of a column the variable that a query leaves its value in."""
    _substitutes: bool = True

    def run(self, path: Path) -> Outcome:
        lines = iter(enumerate(path.read_text().splitlines(), 1))
        for number, line in lines:
            text = line.strip()
            command = text.split()[0].upper().rstrip(";") if text else ""
            if not text or text.startswith("--") or command in _OF_OUTPUT:
                continue
            if text.startswith("/*"):
                while "*/" not in text:
                    text = next(lines)[1]
            elif text.startswith("@"):
                self.run(path.parent / text.lstrip("@").rstrip(";").strip())
            elif command in ("EXIT", "QUIT"):
                break
            elif not self._command(command, self._substituted(text), path):
                statement = self._substituted("\n".join(_statement(line, lines)))
                self._execute(statement, path.name, number)
        return self.outcome

    def _command(self, command: str, text: str, path: Path) -> bool:
        """Obey it; False when it is no command of SQL*Plus."""
        words = text.rstrip(";").split()
        if command == "SET" and words[1].upper() == "DEFINE":
            self._substitutes = words[2].upper() != "OFF"
        elif command == "DEFINE":
            name, _, value = text.removeprefix(words[0]).partition("=")
            self._variables[name.strip().upper()] = value.strip().strip("'\"")
        elif command == "ACCEPT":
            default = re.search(r"DEFAULT\s+'([^']*)'", text, re.IGNORECASE)
            self._variables[words[1].upper()] = self.answers.get(words[1], default[1] if default else "")
        elif command in ("COLUMN", "COL"):
            options = [word.upper() for word in words]
            if "NEW_VALUE" in options:
                self._new_values[words[1].upper()] = words[options.index("NEW_VALUE") + 1].upper()
        elif command == "LOAD":
            assert self.load is not None, f"{text}: nothing was given that loads files"
            self.load(self.connection, words[1], path.parent / words[2])
        else:
            return command == "SET" and words[1].upper() not in ("ROLE", "TRANSACTION", "CONSTRAINTS")
        return True

    def _substituted(self, text: str) -> str:
        if not self._substitutes:
            return text
        return _SUBSTITUTION.sub(lambda found: self._variables[found[1].upper()], text)

    def _execute(self, statement: str, file: str, line: int) -> None:
        try:
            with self.connection.cursor() as cursor:
                # The driver would take the colons of a trigger's :OLD and :NEW for binds, but for CREATE.
                cursor.execute(statement)
                if cursor.description:
                    columns, rows = [column[0] for column in cursor.description], cursor.fetchall()
                    for column, value in zip(columns, rows[-1] if rows else (), strict=False):
                        if column in self._new_values:
                            self._variables[self._new_values[column]] = str(value)
        except oracledb.Error as error:
            self.outcome.refused.append(Refused(file, line, statement, str(error)))
        else:
            self.outcome.taken += 1


def _statement(first: str, lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    """The lines of a statement, without what ends it."""
    block = _BLOCK.match(first.strip())
    line = first
    while True:
        text = line.rstrip()
        if text.strip() == "/":
            return
        if not block and text.endswith(";"):
            yield text.removesuffix(";")
            return
        yield line
        following = next(lines, None)
        if following is None:
            return
        line = following[1]
