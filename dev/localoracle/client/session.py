"""One client's session with Data Pump: OPEN, the calls, and what GET_STATUS says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import oracledb

from localoracle.client.errors import ClientError
from localoracle.client.job import Job

_PACKAGE = "DBMS_DATAPUMP"
_WIP, _STATUS, _ERROR = 1, 4, 8

# Objects are taken apart in PL/SQL, so this needs no types on the client's side. Lines of work in
# progress and of errors come in two lists; their numbers say in which order they were written.
_GET_STATUS = """\
DECLARE
  s KU$_STATUS;
  j KU$_JOBSTATUS;
  st VARCHAR2(30);
  t CLOB;
  ec NUMBER;
BEGIN
  DBMS_DATAPUMP.GET_STATUS(:handle, :mask, :seconds, st, s);
  IF s.wip IS NOT NULL THEN
    FOR i IN 1 .. s.wip.COUNT LOOP
      t := t || TO_CHAR(s.wip(i).LogLineNumber) || ' ' || s.wip(i).LogText || CHR(10);
    END LOOP;
  END IF;
  IF s.error IS NOT NULL THEN
    FOR i IN 1 .. s.error.COUNT LOOP
      t := t || TO_CHAR(s.error(i).LogLineNumber) || ' ' || s.error(i).LogText || CHR(10);
    END LOOP;
  END IF;
  IF s.job_status IS NOT NULL THEN
    j := s.job_status;
    ec := j.error_count;
  END IF;
  :state := st;
  :text := t;
  :errors := ec;
END;"""

_DESCRIBE = """\
DECLARE
  s KU$_STATUS;
  j KU$_JOBSTATUS;
  st VARCHAR2(30);
  t VARCHAR2(32767);
BEGIN
  DBMS_DATAPUMP.GET_STATUS(:handle, 4, 0, st, s);
  j := s.job_status;
  t := 'Job: ' || j.job_name || CHR(10) || '  Operation: ' || j.operation || CHR(10)
    || '  Mode: ' || j.job_mode || CHR(10);
  t := t || '  State: ' || j.state || CHR(10) || '  Bytes Processed: ' || j.bytes_processed || CHR(10)
    || '  Percent Done: ' || j.percent_done || CHR(10) || '  Current Parallelism: ' || j.degree || CHR(10)
    || '  Job Error Count: ' || j.error_count || CHR(10);
  FOR i IN 1 .. j.files.COUNT LOOP
    t := t || '  Dump File: ' || j.files(i).file_name || CHR(10)
      || '    bytes written: ' || j.files(i).file_bytes_written || CHR(10);
  END LOOP;
  FOR i IN 1 .. j.worker_status_list.COUNT LOOP
    t := t || CHR(10) || 'Worker ' || j.worker_status_list(i).worker_number || ' Status:' || CHR(10)
      || '  Process Name: ' || j.worker_status_list(i).process_name || CHR(10)
      || '  State: ' || j.worker_status_list(i).state || CHR(10);
    IF j.worker_status_list(i).name IS NOT NULL THEN
      t := t || '  Object Schema: ' || j.worker_status_list(i).schema || CHR(10)
        || '  Object Name: ' || j.worker_status_list(i).name || CHR(10)
        || '  Object Type: ' || j.worker_status_list(i).object_type || CHR(10)
        || '  Completed Objects: ' || j.worker_status_list(i).completed_objects || CHR(10)
        || '  Total Objects: ' || j.worker_status_list(i).total_objects || CHR(10)
        || '  Completed Rows: ' || j.worker_status_list(i).completed_rows || CHR(10)
        || '  Completed Bytes: ' || j.worker_status_list(i).completed_bytes || CHR(10)
        || '  Percent Done: ' || j.worker_status_list(i).percent_done || CHR(10);
    END IF;
  END LOOP;
  :text := t;
END;"""


@dataclass(frozen=True)
class News:
    """What has happened since the last question: the job's state, its errors so far, new lines of its log."""

    state: str
    errors: int
    lines: tuple[str, ...]

    @property
    def over(self) -> bool:
        return self.state in ("COMPLETED", "STOPPED")


class Session:
    """A connection and the handle on its job."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self._connection = connection
        self._handle: int | None = None

    @property
    def user(self) -> str:
        return str(self._query("SELECT USER FROM DUAL")[0][0])

    def banner(self) -> str:
        rows = self._query("SELECT BANNER FROM V$VERSION")
        return str(rows[0][0]) if rows else ""

    def tables(self, owner: str, pattern: str) -> list[str]:
        """The tables whose names are LIKE the pattern."""
        rows = self._query(
            "SELECT TABLE_NAME FROM ALL_TABLES WHERE OWNER = :owner AND TABLE_NAME LIKE :pattern ORDER BY 1",
            owner=owner,
            pattern=pattern,
        )
        return [str(row[0]) for row in rows]

    def start(self, job: Job) -> None:
        """Define the job and start it.

        :raises ClientError: with the stack of messages; nothing of the job is left then.
        """
        self._handle = self._opened("OPEN", [job.operation, job.mode, job.remote_link, job.name, job.version])
        try:
            for call in job.calls:
                self._call(call.name, call.arguments)
            self._call("START_JOB", (0, 0, int(job.cluster)))
        except ClientError:
            # What was never started goes with its last session.
            self.detach()
            raise

    def news(self, seconds: float) -> News:
        """Wait up to `seconds` for something new."""
        return self._status(_WIP + _STATUS + _ERROR, seconds)

    def _status(self, mask: int, seconds: float) -> News:
        with self._connection.cursor() as cursor:
            state, text = cursor.var(str, 30), cursor.var(oracledb.DB_TYPE_CLOB)
            errors = cursor.var(int)
            binds = {"handle": self._handle, "mask": mask, "seconds": seconds}
            cursor.execute(_GET_STATUS, binds | {"state": state, "text": text, "errors": errors})
            lob = text.getvalue()
            whole = str(lob.read() or "") if lob is not None else ""
        numbered = [line.partition(" ") for line in whole.splitlines()]
        ordered = sorted(numbered, key=lambda parts: int(parts[0]) if parts[0].isdigit() else 0)
        return News(state.getvalue(), int(errors.getvalue() or 0), tuple(line for _, _, line in ordered))

    def description(self) -> str:
        """The job as STATUS shows it."""
        with self._connection.cursor() as cursor:
            text = cursor.var(str, 32767)
            cursor.execute(_DESCRIBE, handle=self._handle, text=text)
            return str(text.getvalue() or "")

    def detach(self) -> None:
        """Give the handle back; the job goes on. One that is over has taken its handle along."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            try:
                with self._connection.cursor() as cursor:
                    cursor.callproc(f"{_PACKAGE}.DETACH", [handle])
            except oracledb.DatabaseError as error:
                if error.args[0].code not in (31623, 31626):
                    raise

    def close(self) -> None:
        self._connection.close()

    def _opened(self, name: str, arguments: list[str | None]) -> int:
        try:
            with self._connection.cursor() as cursor:
                return int(cursor.callfunc(f"{_PACKAGE}.{name}", int, arguments))
        except oracledb.DatabaseError as error:
            raise self._failed(error) from None

    def _call(self, name: str, arguments: Iterable[Any]) -> None:
        try:
            with self._connection.cursor() as cursor:
                cursor.callproc(f"{_PACKAGE}.{name}", [self._handle, *arguments])
        except oracledb.DatabaseError as error:
            raise self._failed(error) from None

    def _failed(self, error: oracledb.DatabaseError) -> ClientError:
        """The whole stack: an exception carries its outermost message only."""
        if not self._connection.is_healthy():
            raise error
        try:
            stack = self._status(_ERROR, 0).lines
        except oracledb.DatabaseError:
            stack = ()
        return ClientError("\n".join(stack) or str(error).split("\nHelp:")[0])

    def _query(self, statement: str, **binds: str) -> list[tuple[Any, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(statement, **binds)
            return list(cursor.fetchall())
