"""Database links: their passwords, and connections over them.

A link is a real connection of Oracle's driver, as the link's user: what that user may do at the other end
counts, and what it runs stands in the other end's statement log. Connections block; threads make them.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import oracledb
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from localoracle.errors import OracleError
from localoracle.tasks import in_thread, undisturbed

if TYPE_CHECKING:
    from localoracle.instance.config import Instance
    from localoracle.server.database import Database
    from localoracle.session.session import Session

_KEY_FILE = "links.key"
_NONCE = 12
_CONNECT_SECONDS = 15.0
_STATE = "database links"
_Result = TypeVar("_Result")
# What the driver says about a connection -> Oracle's code and text.
_DRIVER_ERRORS = {
    "DPY-4000": (12154, "TNS:could not resolve the connect identifier specified"),
    "DPY-4017": (12154, "TNS:could not resolve the connect identifier specified"),
    "DPY-4018": (12154, "TNS:could not resolve the connect identifier specified"),
    "DPY-4026": (12154, "TNS:could not resolve the connect identifier specified"),
    "DPY-4027": (12154, "TNS:could not resolve the connect identifier specified"),
    "DPY-6001": (12514, "TNS:listener does not currently know of service requested in connect descriptor"),
    "DPY-6003": (12505, "TNS:listener does not currently know of SID given in connect descriptor"),
    "DPY-6005": (12541, "TNS:no listener"),
    "DPY-4011": (3113, "end-of-file on communication channel"),
    "DPY-1001": (3114, "not connected to ORACLE"),
    "DPY-4024": (3136, "inbound connection timed out"),
}
LOST = (3113, 3114, 3135, 12541, 12170, 28)
"""Codes after which the connection over the link is of no more use."""


@dataclass(frozen=True)
class Link:
    """A database link as a job or session uses it. The password never shows in its representation."""

    name: str
    user: str
    host: str
    secret: bytes

    def __repr__(self) -> str:
        return f"Link({self.name}, {self.user}@{self.host})"


def seal(instance: Instance, password: str) -> bytes:
    """A password as it is stored: unreadable without the key file of the instance."""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(_key(instance)).encrypt(nonce, password.encode(), None)


def unseal(instance: Instance, sealed: bytes) -> str:
    return AESGCM(_key(instance)).decrypt(sealed[:_NONCE], sealed[_NONCE:], None).decode()


def _key(instance: Instance) -> bytes:
    path = instance.root / _KEY_FILE
    if not path.exists():
        # In one step: a server that is killed leaves no empty key behind, a second thread finds a whole one.
        new = path.with_name(f"{_KEY_FILE}.{os.urandom(8).hex()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(AESGCM.generate_key(256))
        with suppress(FileExistsError):
            os.link(new, path)
        new.unlink()
    return path.read_bytes()


async def find(database: Database, user: str, name: str) -> Link:
    """The user's own link of that name, or the public one. Raises ORA-02019."""
    rows = await database.system(
        "SELECT name, username, host, secret FROM localoracle.database_links"
        " WHERE owner IN (%s, 'PUBLIC') AND name = %s ORDER BY owner = 'PUBLIC' LIMIT 1",
        [user, name.upper()],
    )
    if not rows:
        raise OracleError(2019, "connection description for remote database not found")
    link_name, username, host, secret = rows[0]
    return Link(link_name, username, host, bytes(secret))


def connect(instance: Instance, link: Link) -> oracledb.Connection:
    """Connect as the link's user; blocks.

    Raises ORA-12154 for a connect string that cannot be read, ORA-12541 without a listener, ORA-12514 for an
    unknown service, ORA-01017 over ORA-02063 when the other end does not let the user in.
    """
    with remote_errors(link):
        return oracledb.connect(
            user=f'"{link.user}"',
            password=unseal(instance, link.secret),
            dsn=link.host or "?",
            tcp_connect_timeout=_CONNECT_SECONDS,
            program=f"oracle@{socket.gethostname()}",
        )


@contextmanager
def remote_errors(link: Link) -> Iterator[None]:
    """Errors of the driver as this database reports them."""
    try:
        yield
    except oracledb.Error as error:
        raise _translated(error, link) from None
    except socket.gaierror:
        raise OracleError(12545, "Connect failed because target host or object does not exist") from None
    except OSError as error:
        raise OracleError(12170, f"TNS:Connect timeout occurred\n{error}") from None


def _translated(error: oracledb.Error, link: Link) -> OracleError:
    detail = error.args[0] if error.args else None
    translation = _DRIVER_ERRORS.get(str(getattr(detail, "full_code", "")))
    if translation is not None:
        return OracleError(*translation)
    text = str(getattr(detail, "message", error)).split("\nHelp:")[0].strip()
    match = re.match(r"ORA-(\d{5}): ?", text)
    if match is None:
        return OracleError(3113, f"end-of-file on communication channel\n{text}")
    return from_other_end(OracleError(int(match[1]), text[match.end() :]), link)


def from_other_end(error: OracleError, link: Link) -> OracleError:
    """An error of the other end as it is reported here: over ORA-02063."""
    lines = error.text.count("\n") + 1
    preceding = "preceding line" if lines == 1 else f"preceding {lines} lines"
    return OracleError(error.code, f"{error.text}\nORA-02063: {preceding} from {link.name}")


async def remotely(connection: oracledb.Connection, work: Callable[[], _Result]) -> _Result:
    """Run blocking work at the other end. A cancelled call is cancelled there as well."""
    try:
        return await in_thread(work, interrupt=lambda: _cancel(connection))
    except asyncio.CancelledError:
        await undisturbed(in_thread(lambda: _take_cancel(connection)))
        raise


def _cancel(connection: oracledb.Connection) -> None:
    with suppress(oracledb.Error, OSError):
        connection.cancel()


def _take_cancel(connection: oracledb.Connection) -> None:
    """A cancel that came too late would hit the next call."""
    with suppress(oracledb.Error, OSError):
        connection.ping()


class Opened:
    """The connections that a session has opened over links; they live until they are closed or it ends."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connections: dict[str, tuple[Link, oracledb.Connection]] = {}

    async def acquire(self, user: str, name: str) -> tuple[Link, oracledb.Connection]:
        """The connection over a link of `user`. Raises ORA-02019 and what `connect` raises."""
        link = await find(self._database, user, name)
        opened = self._connections.get(link.name)
        if opened is None or opened[0] != link:
            if opened is not None:
                await self.close(link.name)
            opened = await undisturbed(self._open(link))
        return opened

    async def _open(self, link: Link) -> tuple[Link, oracledb.Connection]:
        connection = await in_thread(lambda: connect(self._database.instance, link))
        opened = self._connections[link.name] = link, connection
        return opened

    async def close(self, name: str) -> bool:
        """Close one; False when it is not open."""
        opened = self._connections.pop(name.upper(), None)
        if opened is not None:
            connection = opened[1]
            await undisturbed(in_thread(lambda: quietly_close(connection)))
        return opened is not None

    async def session_closed(self) -> None:
        for name in list(self._connections):
            await self.close(name)


def opened(session: Session) -> Opened:
    """The session's connections over links."""
    state: Opened | None = session.package_state.get(_STATE)
    if state is None:
        state = session.package_state[_STATE] = Opened(session.database)
    return state


def quietly_close(connection: Any) -> None:
    """Close a connection whose other end may be gone."""
    with suppress(oracledb.Error, OSError):
        connection.close()
