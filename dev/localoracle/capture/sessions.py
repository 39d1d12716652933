"""The sessions of capture and apply processes: rows of V$SESSION by which their waits are found.

XStream Guide 19c, "Monitoring Session Information About XStream Out Components" (PROGRAM and ACTION; Streams
Concepts and Administration 11.2 has the same query with the module Streams) and Database Reference 19c,
"Background Processes" (CPnn, ASnn). The coordinator works without a connection of its own and has no session.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from localoracle.server.database import Database

MODULE = "Streams"
#: What ACTION calls a process, and what its program's name begins with.
KINDS = {"capture": ("Capture", "CP"), "reader": ("Apply Reader", "AS"), "server": ("Apply Server", "AS")}
_BEGIN = """\
INSERT INTO localoracle.sessions (sid, serial, type, status, program, module, action, service_name, pg_pid)
VALUES (%s, %s, 'BACKGROUND', 'ACTIVE',
        'oracle@' || (SELECT host_name FROM dictionary.v$instance) || ' (' || %s::text || ')', %s, %s,
        'SYS$BACKGROUND', %s)"""


@dataclass(frozen=True)
class Working:
    """A process at work, as the capture process reports it: its kind, name and process in PostgreSQL."""

    kind: str
    name: str
    backend: int


@dataclass(frozen=True)
class _Session:
    sid: int
    serial: int
    program: str


class CaptureSessions:
    """The sessions that the processes of a server have."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[Working, _Session] = {}

    async def follow(self, working: list[Working]) -> None:
        """Processes that have begun get a session, those that are gone lose theirs."""
        for process in [known for known in self._known if known not in working]:
            session = self._known.pop(process)
            self._database.activity.forget(session.sid)
            with suppress(psycopg.Error):
                await self._database.system("DELETE FROM localoracle.sessions WHERE sid = %s", [session.sid])
        for process in working:
            if process not in self._known:
                await self._begin(process)

    async def _begin(self, process: Working) -> None:
        action, prefix = KINDS[process.kind]
        taken = {session.program for session in self._known.values()}
        # Numbers of captures begin with 1 (CP01), those of apply readers and servers with 0.
        first = 1 if process.kind == "capture" else 0
        program = next(
            name for number in range(first, 1000) if (name := f"{prefix}{number:02d}") not in taken
        )
        session = self._known[process] = _Session(*self._database.next_session(), program)
        await self._database.system(
            _BEGIN,
            [
                *(session.sid, session.serial, program, MODULE, f"{process.name} - {action}"),
                process.backend,
            ],
        )

    def backends(self) -> dict[int, int]:
        """SIDs by process id in PostgreSQL."""
        return {process.backend: session.sid for process, session in self._known.items()}

    def has(self, sid: int, serial: int) -> bool:
        """Whether these numbers are a process's, which nobody can kill."""
        return any((each.sid, each.serial) == (sid, serial) for each in self._known.values())


def parse(answer: str) -> list[Working]:
    """The processes that an answer of the capture process names, behind the word `done`."""
    return [Working(*each) for each in json.loads(answer.removeprefix("done") or "[]")]
