"""The folder of an instance's sockets in the temporary directory: its server's as long as that runs.

A server holds a lock on a file in the folder, which the kernel gives back however it ends, and removes the
folder in the end. What a killed one leaves is removed by the next start of any instance of the same user.

Anybody may make a folder of any name there, so one that is not this user's alone is neither used nor removed,
and nothing in it is opened: it may be a link to a file of this user's.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from pathlib import Path

from localoracle.instance.access import is_own_folder, make_own_folder
from localoracle.instance.processes import ServerLock, command_line

PREFIX = "localoracle-"
LOCK = "server.lock"
TAKEN_SECONDS = 30
"""How long somebody who removes the folder, or a server that was killed, may hold it."""


class SocketFolder:
    """The folder of one data directory."""

    def __init__(self, data: Path) -> None:
        digest = hashlib.sha256(str(data).encode()).hexdigest()[:12]
        # A socket path may not be longer than 107 bytes, a checkout's path may.
        self.path = Path(tempfile.gettempdir()) / f"{PREFIX}{digest}"
        self._lock: ServerLock | None = None

    def take(self) -> None:
        """Make the folder, and keep it from those who remove what is left over. Raises NotOurs."""
        end = time.monotonic() + TAKEN_SECONDS
        while self._lock is None:
            try:
                make_own_folder(self.path)
                self._lock = ServerLock.take(self.path / LOCK)
            except FileNotFoundError:
                continue  # removed in this moment
            if self._lock is None:
                if time.monotonic() > end:
                    raise RuntimeError(f"{self.path} belongs to another server")
                time.sleep(0.05)

    def remove(self) -> None:
        """Remove the folder, unless another server has it."""
        lock, self._lock = self._lock or _taken(self.path), None
        if lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            lock.release()


def remove_left_over() -> None:
    """Remove the folders of all servers that were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        lock = _taken(path)
        if lock is None:
            continue
        if not _postgres_runs(path):
            shutil.rmtree(path, ignore_errors=True)
        lock.release()


def _taken(path: Path) -> ServerLock | None:
    """The lock of a folder that is nobody's; None where there is none, or where it is somebody's."""
    try:
        own = is_own_folder(path) and (path / LOCK).exists()
        return ServerLock.take(path / LOCK) if own else None
    except OSError:
        return None


def _postgres_runs(path: Path) -> bool:
    """Whether a PostgreSQL that has lost its server still listens there."""
    for noted in path.glob(".s.PGSQL.*.lock"):
        try:
            if str(path) in command_line(int(noted.read_text().split()[0])):
                return True
        except (OSError, ValueError, IndexError):
            continue
    return False
