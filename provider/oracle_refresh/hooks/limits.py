"""How long a session waits for a database that says nothing.

python-oracledb waits for ever where it is not told otherwise: its `tcp_connect_timeout` ends with the TCP
connection, before the listener has answered, and a call may take as long as it takes. So

- a session that is not open within `connect_seconds` is given up;
- an open one sends keep-alive probes. In thin mode `expire_time` sets SO_KEEPALIVE and TCP_KEEPIDLE to that
  many minutes, TCP_KEEPINTVL to 6 seconds, TCP_KEEPCNT to 10. Where nobody acknowledges them, the session
  ends a minute after that, also in the middle of a call that takes hours;
- a call that is known to be short is given up after `call_seconds` (`oracle.session.short_call`).

Source: python-oracledb's documentation, "ConnectParams" and "Connection.call_timeout".
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.session import SHORT_CALL_SECONDS, close

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class SessionLimits:
    """Of the sessions of one Airflow connection; its extra may set them, 0 is no limit.

    :ivar keep_alive: `expire_time`: minutes of silence after which keep-alive probes begin.
    :ivar connect_seconds: `connect_timeout`: in which a session has to be open.
    :ivar call_seconds: `call_timeout`: in which a call that is known to be short has to return.
    """

    keep_alive: int = 2
    connect_seconds: float = 60.0
    call_seconds: float = SHORT_CALL_SECONDS

    @classmethod
    def of(cls, database: str, extra: Mapping[str, Any]) -> SessionLimits:
        """:raises PreflightError: where the extra sets one to something that is no such limit."""
        given = {
            field: _number(database, name, kind, extra[name])
            for field, name, kind in (
                ("keep_alive", "expire_time", int),
                ("connect_seconds", "connect_timeout", float),
                ("call_seconds", "call_timeout", float),
            )
            if extra.get(name) is not None
        }
        return cls(**given)


def _number(database: str, name: str, kind: type[int] | type[float], given: Any) -> Any:
    try:
        number = kind(given)
    except (TypeError, ValueError, OverflowError):
        number = -1
    if not 0 <= number < float("inf"):
        raise PreflightError(
            f"{name} in the connection's extra is {given!r}",
            object_name=database,
            step="connect",
            remedy=f"set {name} to {'minutes' if kind is int else 'seconds'}, or to 0 for no limit",
        )
    return number


def open_within(
    seconds: float, database: str, open_session: Callable[[], oracledb.Connection]
) -> oracledb.Connection:
    """The session that `open_session` opens, in a thread that is left alone when it takes too long.

    :param seconds: 0: however long it takes.
    :raises PreflightError: if it is not there by then. If it ever is, it is closed.
    """
    opened: Future[oracledb.Connection] = Future()

    def work() -> None:
        try:
            connection = open_session()
        except BaseException as error:
            _tell(partial(opened.set_exception, error))
        else:
            if not _tell(partial(opened.set_result, connection)):
                close(connection)

    threading.Thread(target=work, name=f"open {database}", daemon=True).start()
    try:
        return opened.result(seconds or None)
    except TimeoutError as error:
        if not opened.cancel():  # it is there at this very moment, or has failed by a time limit of its own
            return opened.result()
        raise PreflightError(
            f"no session was opened within {seconds:g} seconds",
            object_name=database,
            step="connect",
            remedy="see whether the host of the Airflow connection can be reached and its listener answers;"
            " connect_timeout in the connection's extra says how long it may take",
        ) from error
    finally:
        opened.cancel()


def _tell(outcome: Callable[[], object]) -> bool:
    """Whether somebody still waits for it."""
    try:
        outcome()
    except InvalidStateError:
        return False
    return True
