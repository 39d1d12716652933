"""What a 19c says of single statements, by its documentation: lists of them are held against the stand-in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import oracledb
import pytest


@dataclass(frozen=True)
class Ruling:
    """One statement, and the code that a 19c refuses it with ("ORA-00979", "PLS-00221"; "": it is taken).

    `source` names the place that says so: a book and section of the documentation, or its message. `before`
    are statements that prepare it; they have to pass.
    """

    statement: str
    code: str
    source: str
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name of the test case."""
        return f"{self.code or 'taken'}: {self.statement[:60]}"

    def hold(self, connection: oracledb.Connection) -> None:
        """Fails unless the database of the connection says the same."""
        # Closed here: closed by the garbage collector amid another call, the driver waits for its own lock.
        with connection.cursor() as cursor:
            for statement in self.before:
                cursor.execute(statement)
            if not self.code:
                self._run(cursor)
                return
            with pytest.raises(oracledb.DatabaseError) as refused:
                self._run(cursor)
        assert self.code in str(refused.value), f"{refused.value} instead of {self.code}"

    def _run(self, cursor: oracledb.Cursor) -> None:
        cursor.execute(self.statement)
        if cursor.description:
            cursor.fetchall()


@dataclass(frozen=True)
class Answer:
    """One query and the rows that a 19c answers it with. `source` and `before` as those of a ruling."""

    query: str
    rows: list[tuple[Any, ...]]
    source: str
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name of the test case."""
        return self.query[:70]

    def hold(self, connection: oracledb.Connection) -> None:
        """Fails unless the database of the connection answers the same."""
        with connection.cursor() as cursor:
            for statement in self.before:
                cursor.execute(statement)
            assert cursor.execute(self.query).fetchall() == self.rows


@dataclass(frozen=True)
class Compilation:
    """The CREATE of a unit that a 19c keeps as invalid, and the code in its line of USER_ERRORS ("PLS-00363",
    "ORA-00942"). `source` and `before` as those of a ruling.
    """

    statement: str
    code: str
    source: str
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name of the test case."""
        return f"{self.code}: {self.statement[:60]}"

    def hold(self, connection: oracledb.Connection) -> None:
        """Fails unless the database of the connection keeps the unit with this error."""
        with connection.cursor() as cursor:
            for statement in self.before:
                cursor.execute(statement)
            cursor.execute(self.statement)
            assert cursor.warning is not None, "the unit is valid"
            errors = cursor.execute("SELECT text FROM user_errors ORDER BY sequence").fetchall()
        assert any(self.code in text for (text,) in errors), f"{errors} instead of {self.code}"
