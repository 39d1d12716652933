"""The sessions of a job's processes: V$SESSION, V$LOCK, DBA_DATAPUMP_SESSIONS, KILL SESSION.

Database Reference 19c, DBA_DATAPUMP_SESSIONS (session types, SADDR) and "Background Processes" (DMnn, DWnn).
That MODULE names the kind of process and ACTION the job is in none of the books.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import not_supported

if TYPE_CHECKING:
    from localoracle.datapump.definition import Definition
    from localoracle.datapump.selection import Connection
    from localoracle.server.database import Database

_MODULES = {"MASTER": "Data Pump Master", "WORKER": "Data Pump Worker"}
# One transaction: no session is to be seen without its job.
_BEGIN = """\
WITH session AS (
  INSERT INTO localoracle.sessions (sid, serial, username, schema_name, status, program, module, action,
                                    service_name, pg_pid)
  VALUES (%s, %s, %s, %s, 'ACTIVE',
          'oracle@' || (SELECT host_name FROM dictionary.v$instance) || ' (' || %s::text || ')', %s, %s,
          'SYS$USERS', %s)
  RETURNING sid)
INSERT INTO localoracle.datapump_sessions (owner_name, job_name, sid, session_type, process_name)
SELECT %s, %s, session.sid, %s, %s FROM session"""


@dataclass(frozen=True)
class Process:
    """A process of a job that is at work."""

    sid: int
    serial: int
    kind: str
    backend: int


class Processes:
    """The processes of all jobs of a server that have a session."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, Process] = {}

    async def begin(self, definition: Definition, kind: str, name: str, connection: Connection) -> int:
        """A process begins to work with a connection.

        :param kind: MASTER or WORKER, as DBA_DATAPUMP_SESSIONS says.
        :param name: as the background process is named.
        :returns: the session's SID.
        """
        sid, serial = self._database.next_session()
        process = Process(sid, serial, kind, connection.info.backend_pid)
        self._known[sid] = process
        try:
            await self._database.system(
                _BEGIN,
                [
                    process.sid,
                    process.serial,
                    definition.user,
                    definition.user,
                    name,
                    _MODULES[kind],
                    definition.name,
                    process.backend,
                    definition.owner,
                    definition.name,
                    kind,
                    name,
                ],
            )
        except BaseException:  # a job that is stopped at this moment: the row may be there or not
            await self.end(sid)
            raise
        return sid

    async def end(self, sid: int) -> None:
        """The process works no longer; nothing where it never began."""
        if self._known.pop(sid, None) is None:
            return
        self._database.activity.forget(sid)
        with suppress(psycopg.Error):
            await self._database.system(
                "WITH gone AS (DELETE FROM localoracle.datapump_sessions WHERE sid = %s AND session_type <>"
                " 'DBMS_DATAPUMP') DELETE FROM localoracle.sessions WHERE sid = %s",
                [sid, sid],
            )

    def backends(self) -> dict[int, int]:
        """SIDs by process id in PostgreSQL."""
        return {process.backend: process.sid for process in self._known.values()}

    def find(self, sid: int, serial: int) -> Process | None:
        process = self._known.get(sid)
        return process if process is not None and process.serial == serial else None

    async def kill(self, process: Process) -> None:
        """ALTER SYSTEM KILL SESSION: the job stops as it does when the process dies.

        Raises ORA-03001 for a master.
        """
        if process.kind != "WORKER":
            raise not_supported("KILL SESSION of a Data Pump master")
        await self._database.system("SELECT pg_terminate_backend(%s)", [process.backend])
