"""What every room asks an open session: rows, one row, one value, or to execute a statement.

Values are binds, by keyword. Rows come a thousand at a time, LOBs as text or bytes. Nothing commits. What the
driver raises is raised as it is, but for the values of rows in its text (`row_values`).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from oracle_refresh.oracle.errors import DataPumpError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.row_values import cleansed

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

#: Rows of one round trip.
ARRAY_SIZE = 1000
#: After which a call that is known to be short is given up, unless the session has a limit of its own.
SHORT_CALL_SECONDS = 60.0
_short_calls: WeakKeyDictionary[Any, float] = WeakKeyDictionary()


def limit_short_calls(connection: oracledb.Connection, seconds: float) -> None:
    """Set the limit of this session's short calls; 0: none."""
    _short_calls[connection] = seconds


@contextmanager
def short_call(connection: oracledb.Connection) -> Iterator[None]:
    """Calls in this block are known to be short, and given up (DPY-4024) where the database says nothing.

    Such are reads and writes of the provider's own tables and looks at a running job; no call that waits for
    a lock which may be held for long, and none that moves rows. Of a diagnosis, which a refresh can do
    without, all calls are to be short. The driver then asks the database to end the call; where that is not
    answered in the same time either, the session is closed (DPY-4011).
    """
    before = int(connection.call_timeout)
    limit_all_calls(connection)
    try:
        yield
    finally:
        _set_call_timeout(connection, before)


def limit_all_calls(connection: oracledb.Connection) -> None:
    """From now on each call of the session is a short one."""
    limit = int(_short_calls.get(connection, SHORT_CALL_SECONDS) * 1000)
    limits = filter(None, (int(connection.call_timeout), limit))
    _set_call_timeout(connection, min(limits, default=0))


def _set_call_timeout(connection: oracledb.Connection, milliseconds: int) -> None:
    """Unless the session is lost: python-oracledb 26.1 then reads memory that is not its own, and the
    process ends."""
    if connection.is_healthy():
        connection.call_timeout = milliseconds


def close(connection: oracledb.Connection) -> None:
    """Close a session that is needed no more, also one of a database that says nothing any more.

    What it has not committed is rolled back, at the latest when the database notices that it is alone.
    """
    try:
        with short_call(connection):
            connection.close()
    except Exception as error:
        log.debug("the session was gone already: %s", error)


@contextmanager
def without_values() -> Iterator[None]:
    """Errors leave the block as they are, but without the values of rows in their texts and in those of their
    causes (`row_values`)."""
    try:
        yield
    except BaseException as error:
        cleansed(error)
        raise


def rows(
    connection: oracledb.Connection, statement: str, /, *, names: Sequence[str] = (), **binds: Any
) -> list[tuple[Any, ...]]:
    """All rows of a query; `{names}` in it becomes a list of binds, one for each of `names`."""
    with without_values(), connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = ARRAY_SIZE
        cursor.execute(*_bound(statement, names, binds), fetch_lobs=False)
        return list(cursor)


def row(connection: oracledb.Connection, statement: str, /, **binds: Any) -> tuple[Any, ...] | None:
    """The first row of a query; None where it has none."""
    with without_values(), connection.cursor() as cursor:
        cursor.execute(statement, binds, fetch_lobs=False)
        first: tuple[Any, ...] | None = cursor.fetchone()
        return first


def scalar(
    connection: oracledb.Connection, statement: str, /, *, names: Sequence[str] = (), **binds: Any
) -> Any:
    """The first value of a query's first row, `{names}` in it as in `rows`; None where it has no row."""
    statement, binds = _bound(statement, names, binds)
    first = row(connection, statement, **binds)
    return None if first is None else first[0]


def _bound(statement: str, names: Sequence[str], binds: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    listed = {f"name_{number}": name for number, name in enumerate(names)}
    placed = statement.replace("{names}", ", ".join(f":{bind}" for bind in listed)) if names else statement
    return placed, binds | listed


def execute(connection: oracledb.Connection, statement: str, /, **binds: Any) -> int:
    """Execute DML, DDL or a block; the number of rows that DML has changed."""
    with without_values(), connection.cursor() as cursor:
        cursor.execute(statement, binds)
        return int(cursor.rowcount)


def execute_tolerating(
    connection: oracledb.Connection, codes: Collection[str], statement: str, /, **binds: Any
) -> frozenset[str]:
    """Execute what another try, or another task, may have done already.

    :param codes: of the errors that say so.
    :returns: all codes of such an error; none where the statement went through.
    """
    try:
        execute(connection, statement, **binds)
    except Exception as error:
        stack = frozenset(oracle_codes(error))
        if stack.isdisjoint(codes):
            raise
        return stack
    return frozenset()


def named(statement: str, binds: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the binds that a statement names: it takes no other (ORA-01036)."""
    names = set(re.findall(r":([a-z]\w*)", statement))
    return {name: value for name, value in binds.items() if name in names}


@contextmanager
def translated(
    step: str, object_name: str | None = None, kind: type[RefreshError] = DataPumpError
) -> Iterator[None]:
    """Errors with a code of the database or its driver leave the block as the provider's, with code, step,
    object and remedy; all others, and those that are the provider's already, leave it as they are.

    :raises RefreshError: of this kind.
    """
    try:
        yield
    except RefreshError:
        raise
    except Exception as error:
        if not oracle_codes(error):
            raise
        raise from_oracle(error, step, object_name, kind) from error
