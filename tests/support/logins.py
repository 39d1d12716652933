"""A user who keeps trying to log in, and what came of every try."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType

import oracledb

from oracle_refresh.oracle.errors import oracle_codes

OPEN = "open"


@dataclass(frozen=True)
class Login:
    """One try, by this machine's clock in UTC. `outcome` is `open`, or the code of the refusal."""

    begun: datetime
    ended: datetime
    outcome: str


class Logins:
    """Tries every `pause` seconds while its block runs."""

    def __init__(self, dsn: str, user: str, password: str, pause: float = 0.2) -> None:
        self._arguments = {"dsn": dsn, "user": user, "password": password}
        self._pause = pause
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.tries: list[Login] = []

    def __enter__(self) -> Logins:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stopping.wait(self._pause):
            begun, outcome = _now(), OPEN
            try:
                oracledb.connect(**self._arguments).close()  # type: ignore[arg-type]
            except oracledb.Error as error:
                outcome = oracle_codes(error)[0]
            self.tries.append(Login(begun, _now(), outcome))

    def between(self, first: datetime, last: datetime) -> list[Login]:
        """The tries that began after `first` and ended before `last`."""
        return [login for login in self.tries if first <= login.begun and login.ended <= last]


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
