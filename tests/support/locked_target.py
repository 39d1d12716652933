"""A target with a refresh user and application accounts of its own, for tests of the quarantine."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.quarantine import accounts as module
from oracle_refresh.target.quarantine import lock, release, take

PASSWORD = "an_app_password"
_numbers = itertools.count(1)


class Target:
    def __init__(self, server: Any) -> None:
        self.server = server
        number = next(_numbers)
        self.admin, self.app, self.closed = (f"Q_{name}_{number}" for name in ("ADMIN", "APP", "CLOSED"))
        with server.connect() as system:
            cursor = system.cursor()
            for name in (self.admin, self.app, self.closed):
                cursor.execute(f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}"')
                cursor.execute(f"GRANT CREATE SESSION TO {name}")
            cursor.execute(
                "GRANT CREATE TABLE, UNLIMITED TABLESPACE, ALTER USER, ALTER SYSTEM, SELECT_CATALOG_ROLE,"
                f" SELECT ANY TABLE TO {self.admin}"
            )
            cursor.execute(f"ALTER USER {self.closed} ACCOUNT LOCK")
        self.connection = server.connect(self.admin, PASSWORD)

    def drop(self) -> None:
        self.connection.close()
        with self.server.connect() as system:
            for name in (self.admin, self.app, self.closed):
                system.cursor().execute(f"DROP USER {name} CASCADE")

    def connection_with_ledger(self) -> oracledb.Connection:
        ensure_ledger(self.connection)
        return self.connection

    def ledger(self, run_id: str) -> Ledger:
        return Ledger(self.connection, run_id)

    def lock(self, *names: str, run_id: str = "run") -> module.Quarantine:
        return lock(self.connection, names or (self.app, self.closed), self.ledger(run_id))

    def release(self, run_id: str = "run") -> module.Quarantine:
        return release(self.connection, self.ledger(run_id))

    def login(self, name: str) -> oracledb.Connection:
        return self.server.connect(name, PASSWORD)

    def status(self, name: str) -> str:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME = :1", [name])
            (status,) = cursor.fetchone()
        return str(status)


@pytest.fixture
def target(oracle: Any) -> Iterator[Target]:
    target = Target(oracle)
    yield target
    target.drop()


def taken(target: Target, run_id: str = "run") -> None:
    take(target.connection, target.ledger(run_id))
    target.lock(run_id=run_id)


class AnswerLost(oracledb.OperationalError):
    """DPY-4011 after a statement that the database has executed."""


class Losing:
    """A connection whose answer to one of the statements that change something is lost, and which is dead
    from then on: what it has not committed is rolled back.

    :param at: the number of that statement, from 1, commits included; or its text.
    :param meanwhile: called when the statement is due, before it is executed.
    """

    def __init__(
        self,
        connection: oracledb.Connection,
        at: int | str,
        meanwhile: Callable[[], Any] = lambda: None,
    ) -> None:
        self._connection, self._at, self._meanwhile = connection, at, meanwhile
        self._spent = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def cursor(self) -> Any:
        return CursorThrough(self._connection.cursor(), self._execute)

    def commit(self) -> None:
        self.spend("COMMIT", self._connection.commit)

    def end(self) -> None:
        """Close it, unless it was lost."""
        with contextlib.suppress(oracledb.Error):
            self._connection.close()

    def _execute(self, statement: str, call: Callable[[], Any], *values: Any) -> Any:
        return call() if statement.startswith("SELECT") else self.spend(statement, call, *values)

    def spend(self, statement: str, call: Callable[[], Any], *_: Any) -> Any:
        self._spent += 1
        if self._at not in (self._spent, statement):
            return call()
        self._meanwhile()
        call()
        self._connection.close()
        raise AnswerLost("DPY-4011: the database or network closed the connection")


class Refusing(Losing):
    """A connection to whose statements the database answers with an error.

    :param codes: of the errors, by the statements.
    :param about: what the values of such a statement have to name to be refused.
    """

    def __init__(self, connection: oracledb.Connection, codes: dict[str, str], about: str = "") -> None:
        super().__init__(connection, 0)
        self._codes, self._about = codes, about

    def spend(self, statement: str, call: Callable[[], Any], *values: Any) -> Any:
        if statement in self._codes and self._about in str(values):
            raise oracledb.DatabaseError(f"{self._codes[statement]}: refused")
        return call()


class CursorThrough:
    """Passes everything on to a cursor, and what it executes by a function of its connection.

    :param spend: takes the statement, what executes it, and its values.
    """

    def __init__(self, cursor: oracledb.Cursor, spend: Callable[..., Any]) -> None:
        vars(self).update(_cursor=cursor, _spend=spend)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._cursor, name, value)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self._cursor.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)

    def execute(self, statement: str, *arguments: Any, **options: Any) -> Any:
        def call() -> Any:
            return self._cursor.execute(statement, *arguments, **options)

        return self._spend(statement, call, *arguments)
