"""What a 19c says of single statements, by its documentation: lists of them are held against the stand-in."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import oracledb
import pytest

from support.stand_in import Server, new_schema

_ROWS = ("SELECT", "(", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "LOCK")
_BLOCKS = ("BEGIN", "DECLARE", "CALL", "<<")


class Case:
    """A statement and what a 19c says of it."""

    before: tuple[str, ...]

    def hold(self, connection: oracledb.Connection) -> None:
        """Prepare the schema of the connection and judge the case there."""
        self.prepare(connection)
        self.judge(connection)

    def prepare(self, connection: oracledb.Connection) -> None:
        """Run the statements that the case needs."""
        # Closed here: closed by the garbage collector amid another call, the driver waits for its own lock.
        with connection.cursor() as cursor:
            for statement in self.before:
                cursor.execute(statement)

    def judge(self, connection: oracledb.Connection) -> None:
        """Fail unless the database says what a 19c does."""
        raise NotImplementedError

    @property
    def leaves_nothing(self) -> bool:
        """Whether a prepared schema and its session are as before after the case and a rollback."""
        return False


@dataclass(frozen=True)
class Ruling(Case):
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

    def judge(self, connection: oracledb.Connection) -> None:
        with connection.cursor() as cursor:
            if not self.code:
                self._run(cursor)
                return
            with pytest.raises(oracledb.DatabaseError) as refused:
                self._run(cursor)
        assert self.code in str(refused.value), f"{refused.value} instead of {self.code}"

    @property
    def leaves_nothing(self) -> bool:
        statement = self.statement.upper()
        if "NEXTVAL" in statement:
            return False
        if statement.startswith(_ROWS):
            return True
        if statement.startswith(_BLOCKS):
            # Refused when it was compiled, so nothing in it has run.
            return self.code.startswith("PLS-") or self.code == "ORA-06550"
        # DDL commits, also where it is refused.
        return bool(self.code) and not any(made.upper().startswith(_ROWS) for made in self.before)

    def _run(self, cursor: oracledb.Cursor) -> None:
        cursor.execute(self.statement)
        if cursor.description:
            cursor.fetchall()


@dataclass(frozen=True)
class Answer(Case):
    """One query and the rows that a 19c answers it with. `source` and `before` as those of a ruling."""

    query: str
    rows: list[tuple[Any, ...]]
    source: str
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name of the test case."""
        return self.query[:70]

    def judge(self, connection: oracledb.Connection) -> None:
        with connection.cursor() as cursor:
            assert cursor.execute(self.query).fetchall() == self.rows

    @property
    def leaves_nothing(self) -> bool:
        return "NEXTVAL" not in self.query.upper()


@dataclass(frozen=True)
class Compilation(Case):
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

    def judge(self, connection: oracledb.Connection) -> None:
        with connection.cursor() as cursor:
            cursor.execute(self.statement)
            assert cursor.warning is not None, "the unit is valid"
            errors = cursor.execute("SELECT text FROM user_errors ORDER BY sequence").fetchall()
        assert any(self.code in text for (text,) in errors), f"{errors} instead of {self.code}"


class Bench:
    """Judge cases in schemas of their own, which the next case prepared alike gets where nothing was left.

    A savepoint after the preparation keeps its uncommitted rows.
    """

    KEPT = 4

    def __init__(self, oracle: Server) -> None:
        self._oracle = oracle
        self._prepared: dict[tuple[str, ...], tuple[oracledb.Connection, ExitStack]] = {}

    def hold(self, case: Case) -> None:
        """Fail unless the stand-in says what a 19c does."""
        connection, ending = self._prepared.pop(case.before, None) or self._new(case)
        with ExitStack() as unless_kept:
            unless_kept.push(ending)
            with connection.cursor() as cursor:
                cursor.execute("SAVEPOINT prepared")
                case.judge(connection)
                if not case.leaves_nothing:
                    return
                if connection.transaction_in_progress:
                    cursor.execute("ROLLBACK TO SAVEPOINT prepared")
            unless_kept.pop_all()
            self._prepared[case.before] = connection, ending
        if len(self._prepared) > self.KEPT:
            self._prepared.pop(next(iter(self._prepared)))[1].close()

    def _new(self, case: Case) -> tuple[oracledb.Connection, ExitStack]:
        with ExitStack() as ending:
            schema = ending.enter_context(contextmanager(new_schema)(self._oracle))
            case.prepare(schema.connection)
            return schema.connection, ending.pop_all()

    def close(self) -> None:
        """Drop the schemas."""
        while self._prepared:
            self._prepared.popitem()[1][1].close()
