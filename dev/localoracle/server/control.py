"""Makes a running stand-in fail or slow down on purpose, for tests and demonstrations.

    kill-worker OWNER JOB      end the database connection of a working Data Pump worker
    fill-directory NAME        Data Pump exports into the directory object find no space
    empty-directory NAME       ... and find it again
    fill-tablespace NAME       Data Pump loads into tables of the tablespace wait for space (DBA_RESUMABLE);
                               one for undo: changes of many rows fail (ORA-30036); a temporary one:
                               what spills fails (ORA-01652)
    empty-tablespace NAME      ... and go on
    delay-lobs MILLISECONDS    an unload waits that long per LOB that does not lie in its row; 0: no more
    edition standard|enterprise   play that edition of the database from now on, restarts included
    container pdb|root|none    play a pluggable database, the root of a container database, or neither
    role primary-with-standby|primary   play the primary of a Data Guard configuration, or no longer
    log-mode archivelog|noarchivelog   restart the instance in that mode; sessions end with ORA-01089
    expire-undo                every SCN handed out so far is too old (ORA-01555)

The server listens on a Unix socket beside PostgreSQL's; a request and its answer are one line each.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
from typing import TYPE_CHECKING

from localoracle.datapump import limits
from localoracle.instance import settings
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from localoracle.instance.environment import play_container, play_role
from localoracle.instance.log_mode import set_log_mode

if TYPE_CHECKING:
    from localoracle.datapump.manager import DataPump
    from localoracle.server.database import Database

_SOCKET = "control.sock"
_TIMEOUT = 120.0


class ControlError(Exception):
    """The server does not run, or refused the command."""


class Control:
    """The server's side."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        path = self._database.cluster.socket_directory / _SOCKET
        path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, path)
        path.chmod(0o600)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            words = shlex.split((await reader.readline()).decode())
            answer = "ok " + await self.execute(*words)
        except Exception as error:
            answer = f"error {error}"
        writer.write(answer.replace("\n", " ").encode() + b"\n")
        await writer.drain()
        writer.close()

    async def execute(self, command: str = "", *arguments: str) -> str:
        """Carry out one command; what was done, in words. Raises ControlError."""
        pump: DataPump = self._database.services["datapump"]
        match command, arguments:
            case "kill-worker", (owner, job):
                if not await pump.kill_worker(owner, job):
                    raise ControlError(f"no worker of {owner}.{job} is working")
                return "killed"
            case (("fill-directory" | "empty-directory"), (name,)):
                rows = await self._database.system(
                    "SELECT path FROM localoracle.directories WHERE name = %s", [name]
                )
                if not rows:
                    raise ControlError(f"no directory {name}")
                pump.set_full(rows[0][0], command == "fill-directory")
                return "full" if command == "fill-directory" else "empty"
            case (("fill-tablespace" | "empty-tablespace"), (name,)):
                return await self._set_full(name, full=command == "fill-tablespace")
            case "delay-lobs", (milliseconds,):
                await pump.delay_lobs(int(milliseconds))
                return f"{milliseconds} ms"
            case "edition", (name,):
                await limits.set_edition(self._database, name)
                return name
            case "container", (name,):
                return await play_container(self._database, name)
            case "role", (name,):
                return await play_role(self._database, name)
            case "log-mode", (name,):
                return await set_log_mode(self._database, name)
            case "expire-undo", ():
                return f"{await self._database.snapshots.expire()} snapshots released"
        raise ControlError(f"unknown command: {shlex.join((command, *arguments))}")

    async def _set_full(self, tablespace: str, *, full: bool) -> str:
        database = self._database
        rows = await database.system(
            "SELECT contents FROM localoracle.tablespaces WHERE name = %s", [tablespace]
        )
        if not rows:
            raise ControlError(f"no tablespace {tablespace}")
        if full:
            database.room.fill(tablespace, rows[0][0])
        else:
            database.room.empty(tablespace)
        await settings.apply(database)
        return "full" if full else "has room"


def send(instance: Instance, *words: str) -> str:
    """Send a command to a running server and return its answer. Raises ControlError."""
    path = Cluster(instance).socket_directory / _SOCKET
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_TIMEOUT)
        try:
            client.connect(str(path))
            client.sendall(shlex.join(words).encode() + b"\n")
            answer = b"".join(iter(lambda: client.recv(4096), b"")).decode().strip()
        except OSError as error:
            raise ControlError(f"instance {instance.name} does not answer: {error}") from error
    outcome, _, text = answer.partition(" ")
    if outcome != "ok":
        raise ControlError(text or "no answer")
    return text
