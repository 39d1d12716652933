"""Files of directory objects on their way: within one database, or between two.

Between two databases the calls go over the database link, as its user; the bytes go over a loopback socket of
their own that the other end opens for one transfer and one ticket. Blocks are moved by threads, a piece at a
time, so memory does not depend on the file. What was written when a transfer fails stays.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import select
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from localoracle import tasks
from localoracle.errors import OracleError
from localoracle.instance.access import share

if TYPE_CHECKING:
    from localoracle.datapump.manager import DataPump
    from localoracle.session.session import Session

LOGICAL_BLOCK = 512
MAXIMUM_BYTES = 2 << 40
_PIECE = 4 << 20
_BUFFER = 1 << 20
_CONNECT_SECONDS = 60.0
_IDLE_SECONDS = 60.0
_TOKEN = 32
_STATE = "file transfers"
_THREADS = ThreadPoolExecutor(max_workers=64, thread_name_prefix="file transfer")
_Result = TypeVar("_Result")


class Progress:
    """How far a transfer is; `stop` ends it at the next piece."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self._stopped = threading.Event()
        self._connection: socket.socket | None = None

    def add(self, count: int) -> None:
        """Raises ORA-01013 for a transfer that was stopped."""
        self.done += count
        if self._stopped.is_set():
            raise OracleError(1013, "user requested cancel of current operation")

    def through(self, connection: socket.socket) -> None:
        """The connection that the transfer waits at. Raises as `add`."""
        self._connection = connection
        self.add(0)

    def stop(self) -> None:
        """Any thread may call; the one that waits at the connection wakes up."""
        self._stopped.set()
        if self._connection is not None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)


async def in_thread(work: Callable[[], _Result], progress: Progress | None = None) -> _Result:
    """Run blocking work beside the event loop.

    It ends no later than a cancelled call: a client that has its error may remove the file or reuse its name.
    """
    return await tasks.in_thread(work, interrupt=progress.stop if progress else None, threads=_THREADS)


async def locate(session: Session, directory: str, name: str, privilege: str) -> Path:
    """The path of a file of a DIRECTORY that the session's user may READ or WRITE. Raises ORA-06564."""
    folded = directory[1:-1] if directory.startswith('"') else directory.upper()
    rows = await session.database.system(
        "SELECT localoracle.directory_path(%s, %s, %s)", [session.role, folded, privilege]
    )
    if rows[0][0] is None:
        raise OracleError(6564, f"object {folded} does not exist")
    if not name or "/" in name or "\0" in name or name in (".", ".."):
        code, what = (19504, "create") if privilege == "WRITE" else (19505, "identify")
        raise OracleError(code, f'failed to {what} file "{name}"')
    return Path(str(rows[0][0])) / name


def identify(path: Path) -> int:
    """The size of a file that may be transferred.

    Raises ORA-19505: there is no such file (ORA-27037), its size is not a multiple of 512 (ORA-27046), or it
    has more than 2 TB.
    """
    first = f'failed to identify file "{path}"'
    try:
        size = path.stat().st_size
    except OSError as error:
        raise OracleError(
            19505, f"{first}\nORA-27037: unable to obtain file status\n{_system(error)}"
        ) from None
    if size % LOGICAL_BLOCK:
        raise OracleError(19505, f"{first}\nORA-27046: file size is not a multiple of logical block size")
    if size > MAXIMUM_BYTES:
        raise OracleError(19505, f"{first}\nthe file is larger than 2 terabytes")
    return size


def create(path: Path) -> int:
    """A descriptor of a new file. Raises ORA-19504: it exists (ORA-27038), or cannot be made (ORA-27040)."""
    first = f'failed to create file "{path}"'
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise OracleError(19504, f"{first}\nORA-27038: created file already exists") from None
    except OSError as error:
        text = f"{first}\nORA-27040: file create error, unable to create file\n{_system(error)}"
        raise OracleError(19504, text) from None
    share(descriptor)
    return descriptor


def open_to_read(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        text = f'failed to identify file "{path}"\nORA-27041: unable to open file\n{_system(error)}'
        raise OracleError(19505, text) from None


def _system(error: OSError) -> str:
    return f"Linux-x86_64 Error: {error.errno}: {error.strerror}"


def _write_error(path: Path, done: int, error: OSError) -> OracleError:
    block = done // LOGICAL_BLOCK + 1
    first = f'write error on file "{path}", block number {block} (block size={LOGICAL_BLOCK})'
    return OracleError(19502, f"{first}\nORA-27072: File I/O error\n{_system(error)}")


def _read_error(path: Path, done: int, error: OSError) -> OracleError:
    block = done // LOGICAL_BLOCK + 1
    first = f'read error on file "{path}", block number {block} (block size={LOGICAL_BLOCK})'
    return OracleError(19501, f"{first}\nORA-27072: File I/O error\n{_system(error)}")


def require_room(session: Session, path: Path) -> None:
    """The control command fill-directory. Raises ORA-19502 as a full disk does."""
    pump: DataPump = session.database.services["datapump"]
    if pump.is_full(path.parent):
        raise _write_error(path, 0, OSError(28, os.strerror(28)))


def copy(session: Session, source: Path, destination: Path, progress: Progress) -> None:
    """Copy within this host; blocks."""
    progress.add(0)
    incoming = open_to_read(source)
    try:
        outgoing = create(destination)
        try:
            require_room(session, destination)
            while progress.done < progress.total:
                try:
                    count = os.sendfile(outgoing, incoming, None, _PIECE)
                except OSError as error:
                    raise _write_error(destination, progress.done, error) from None
                if not count:
                    break
                progress.add(count)
        finally:
            os.close(outgoing)
    finally:
        os.close(incoming)


def send(descriptor: int, path: Path, connection: socket.socket, progress: Progress) -> None:
    """The whole file into a socket; blocks."""
    while progress.done < progress.total:
        try:
            count = os.sendfile(connection.fileno(), descriptor, None, _PIECE)
        except BlockingIOError:
            _await_room(connection)
            continue
        except ConnectionError:
            raise
        except OSError as error:
            raise _read_error(path, progress.done, error) from None
        if not count:
            break
        progress.add(count)


def _await_room(connection: socket.socket) -> None:
    if not select.select([], [connection], [], _IDLE_SECONDS)[1]:
        raise TimeoutError("the other end takes nothing")


def receive(descriptor: int, path: Path, connection: socket.socket, progress: Progress) -> None:
    """A whole file out of a socket; blocks. Raises ORA-03113 when it ends early, ORA-19502 without space."""
    buffer = memoryview(bytearray(_BUFFER))
    while progress.done < progress.total:
        count = connection.recv_into(buffer)
        if not count:
            raise OracleError(3113, "end-of-file on communication channel")
        try:
            written = 0
            while written < count:
                written += os.write(descriptor, buffer[written:count])
        except OSError as error:
            raise _write_error(path, progress.done, error) from None
        progress.add(count)


# --- the other end: it offers a socket for one transfer ---


@dataclass(frozen=True)
class Ticket:
    """Where and with which token the other end waits for one transfer of `size` bytes."""

    port: int
    token: str
    size: int

    @property
    def text(self) -> str:
        return f"{self.port} {self.token} {self.size}"

    @classmethod
    def parse(cls, text: str) -> Ticket:
        port, token, size = text.split()
        return cls(int(port), token, int(size))

    def connect(self) -> socket.socket:
        """The connection of the transfer. Stand-ins listen on the loopback address only."""
        connection = socket.create_connection(("127.0.0.1", self.port), _CONNECT_SECONDS)
        connection.settimeout(_IDLE_SECONDS)
        connection.sendall(self.token.encode())
        return connection


@dataclass
class Offers:
    """The sockets that a session has offered; they end with it."""

    sockets: set[socket.socket] = field(default_factory=set)

    def session_closed(self) -> None:
        for one in list(self.sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


def _offers(session: Session) -> Offers:
    state: Offers = session.package_state.setdefault(_STATE, Offers())
    return state


def offer(
    session: Session, descriptor: int, size: int, serve: Callable[[socket.socket, Progress], None]
) -> Ticket:
    """Wait on a new socket, in a thread, for the ticket's holder; then `serve` it and close `descriptor`."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(_CONNECT_SECONDS)
    ticket = Ticket(int(listener.getsockname()[1]), secrets.token_hex(_TOKEN // 2), size)
    offers, progress = _offers(session), Progress()
    progress.total = size
    offers.sockets.add(listener)

    def work() -> None:
        try:
            with listener:
                connection = _expected(listener, ticket.token)
            offers.sockets.add(connection)
            try:
                with connection:
                    serve(connection, progress)
            finally:
                offers.sockets.discard(connection)
        except OSError:
            pass  # the other end sees the same: its connection is gone
        finally:
            offers.sockets.discard(listener)
            os.close(descriptor)

    _THREADS.submit(work)
    return ticket


def _expected(listener: socket.socket, token: str) -> socket.socket:
    """The connection that shows the token; others are turned away. Raises TimeoutError."""
    while True:
        connection, _ = listener.accept()
        connection.settimeout(_IDLE_SECONDS)
        shown = b""
        while len(shown) < _TOKEN and (more := connection.recv(_TOKEN - len(shown))):
            shown += more
        if hmac.compare_digest(shown, token.encode()):
            return connection
        connection.close()


def offer_to_send(session: Session, path: Path) -> Ticket:
    """Let the holder of the ticket fetch a file."""
    size = identify(path)
    descriptor = open_to_read(path)
    return offer(
        session, descriptor, size, lambda connection, progress: send(descriptor, path, connection, progress)
    )


def offer_to_receive(session: Session, path: Path, size: int) -> Ticket:
    """Let the holder of the ticket send a new file; the outcome goes back over the same connection."""
    descriptor = create(path)

    def serve(connection: socket.socket, progress: Progress) -> None:
        answer: tuple[int, str] | None = None
        try:
            require_room(session, path)
            receive(descriptor, path, connection, progress)
        except OracleError as error:
            answer = error.code, error.text
        connection.sendall(json.dumps(answer).encode())
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(_BUFFER):
            pass  # a reset would overtake the answer

    return offer(session, descriptor, size, serve)


# --- this end ---


def fetch(session: Session, ticket: Ticket, path: Path, progress: Progress) -> None:
    """GET_FILE's bytes; blocks."""
    descriptor = create(path)
    try:
        require_room(session, path)
        with ticket.connect() as connection:
            progress.through(connection)
            receive(descriptor, path, connection, progress)
    except OSError as error:
        raise OracleError(3113, f"end-of-file on communication channel\n{error}") from error
    finally:
        os.close(descriptor)


def bring(ticket: Ticket, path: Path, progress: Progress) -> OracleError | None:
    """PUT_FILE's bytes; blocks. Returns the other end's error, if it had one."""
    descriptor = open_to_read(path)
    try:
        with ticket.connect() as connection:
            progress.through(connection)
            with suppress(ConnectionError):  # the other end has given up, and says why
                send(descriptor, path, connection, progress)
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            while more := connection.recv(_BUFFER):
                answer += more
    except OSError as error:
        raise OracleError(3113, f"end-of-file on communication channel\n{error}") from error
    finally:
        os.close(descriptor)
    if not answer:
        raise OracleError(3113, "end-of-file on communication channel")
    reply = json.loads(answer)
    return None if reply is None else OracleError(int(reply[0]), str(reply[1]))
