"""One Data Pump job: the calls that start it, attach to it and end it.

Handles belong to the session that opened them, and a job outlives its session once it is started; so `start`
detaches at the end, and everything afterwards goes by the job's name, from whatever session.
Source: "The Data Pump API" in Oracle Database Utilities 19c.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.calls import calls, opening, password_call
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.status import status, worked_on
from oracle_refresh.datapump.verdict import LIVE_STATES
from oracle_refresh.oracle.error_codes import reaction
from oracle_refresh.oracle.errors import DataPumpError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute_tolerating, rows, scalar, translated

if TYPE_CHECKING:
    import oracledb

#: Asked when the job's name is taken: from then on whoever looks for the job finds one that is being defined,
#: and nobody else can start one. What it raises gives that up, before a file is touched.
Confirm = Callable[[], object]

log = logging.getLogger(__name__)

STEP = "data pump"
MAX_VARCHAR2 = 4000
AT_ONCE = {"immediate": 1, "keep_master": 0, "delay": 0}  # of STOP_JOB
END_SECONDS, END_PAUSE = 60.0, 0.1  # for the processes of a job that is killed
GONE = frozenset({"ORA-31623", "ORA-31626"})  # the job ended before or during the call
#: The instance has no memory or place for one more job: a DBA mends that, or another job's end does.
SHORT = frozenset({"ORA-00832", "ORA-04031", "ORA-39391"})


def unasked() -> None:
    """Of a start for which nothing has to hold."""


class Start(Protocol):
    """Starts a described job on a session's database and leaves it running: the API as `start`, a client."""

    def __call__(
        self, connection: oracledb.Connection, spec: JobSpec, /, *, confirm: Confirm = unasked
    ) -> None: ...


def start(
    connection: oracledb.Connection, spec: JobSpec, password: str | None = None, *, confirm: Confirm = unasked
) -> None:
    """Define the job, start it and detach. Nothing of it is left when a call fails.

    :param password: of the dump files, where the description says that they are encrypted. It reaches the
        database as a bind and nothing else.
    :raises DataPumpError: with the codes and texts of the job's own error stack; or before anything is done,
        when a password is missing or there is no documented way to do what the description wants.
    """
    if spec.trace:
        raise DataPumpError(
            "the API has no documented parameter TRACE",
            object_name=spec.job_name,
            step=STEP,
            remedy="use the runner client",
        )
    secret = require_password(spec, password)
    with connection.cursor() as cursor:
        try:
            handle = int(cursor.callfunc(statements.OPEN, int, list(opening(spec))))
        except Exception as error:
            raise _failed(cursor, None, spec.job_name, error) from error
        try:
            confirm()
            for call in (*calls(spec), *([password_call(secret)] if secret else [])):
                arguments = [_long(cursor, argument) for argument in call.arguments]
                cursor.callproc(call.name, [handle, *arguments], dict(call.keywords))
            # The directory need not be shared between the instances of a cluster.
            cursor.callproc(statements.START_JOB, [handle], {"cluster_ok": 0})
        except RefreshError:
            _abandon(cursor, handle)
            raise
        except Exception as error:
            failure = _failed(cursor, handle, spec.job_name, error)
            _abandon(cursor, handle)
            raise failure from error
        detach(connection, handle)


def require_password(spec: JobSpec, password: str | None) -> str | None:
    """The password that the job needs, None where it needs none.

    :raises DataPumpError: when it needs one that is not there.
    """
    if not spec.encryption:
        return None
    if not password:
        raise DataPumpError(
            "the dump files are encrypted, and no password is given",
            object_name=spec.job_name,
            step=STEP,
            remedy="name an Airflow connection with the password as encryption_conn_id",
        )
    return password


def attach(connection: oracledb.Connection, job_name: str) -> int:
    """A handle of this session on the user's own job.

    :raises DataPumpError: with ORA-31626 when the job is gone.
    """
    with connection.cursor() as cursor:
        try:
            return int(cursor.callfunc(statements.ATTACH, int, [job_name]))
        except Exception as error:
            raise _failed(cursor, None, job_name, error) from error


def detach(connection: oracledb.Connection, handle: int) -> None:
    """Give the handle back; the job goes on. A job that has ended meanwhile has taken the handle with it."""
    with connection.cursor() as cursor:
        try:
            cursor.callproc(statements.DETACH, [handle])
        except Exception as error:
            if not GONE & set(oracle_codes(error)):
                raise from_oracle(error, STEP) from error


def log_file(connection: oracledb.Connection, job_name: str) -> str | None:
    """The name of the log that a job which nobody works on writes, empty where it writes none; None where it
    is gone or cannot be attached to, so that nobody can go on with it.

    Attaching brings its master process back, which waits and moves nothing, and ends with the last session.

    :raises DataPumpError: where something may have kept it from coming back that passes or can be mended.
    """
    try:
        handle = attach(connection, job_name)
    except DataPumpError as error:
        if not error.codes or any(_of_the_instance(code) for code in error.codes):
            raise
        log.warning("job %s cannot be looked at: %s", job_name, error)
        return None
    with connection.cursor() as cursor:
        path = cursor.var(str, MAX_VARCHAR2)
        try:
            with translated(STEP, job_name):
                cursor.execute(statements.GET_LOG_FILE, handle=handle, log_file=path)
        finally:
            detach(connection, handle)
    return re.split(r"[/\\]", str(path.getvalue() or ""))[-1]


def _of_the_instance(code: str) -> bool:
    """Whether the code says that the instance or the session failed, and nothing of the job. ORA-31626, which
    heads most answers of ATTACH, is a wrapper."""
    known = reaction(code)
    waits = known is not None and not known.wrapper and known.disposition in ("retry", "space")
    return waits or code in SHORT


def restart(connection: oracledb.Connection, job_name: str) -> None:
    """Let a stopped or crashed job go on from its master table.

    :raises DataPumpError: when the master table or the dump files do not permit it.
    """
    handle = attach(connection, job_name)
    with connection.cursor() as cursor:
        try:
            cursor.callproc(statements.START_JOB, [handle], {"cluster_ok": 0})
        except Exception as error:
            failure = _failed(cursor, handle, job_name, error)
            detach(connection, handle)
            raise failure from error
    detach(connection, handle)


def discard(connection: oracledb.Connection, job_name: str) -> None:
    """Kill the user's own job if it is there; its master table goes, and an export's dump files with it.

    Comes back when the job has ended, which its processes may take a moment for. What ATTACH says of a job
    that nobody works on is not documented for every case, such as one that has completed and kept its master
    table; so its answer does not matter there: what is left of such a job is an ordinary table.
    """
    with connection.cursor() as cursor:
        handle = _attached(connection, cursor, job_name)
        if handle is not None:
            try:
                cursor.callproc(statements.STOP_JOB, [handle], AT_ONCE)
                _await_end(connection, job_name)
            except Exception as error:
                if not GONE & set(oracle_codes(error)):
                    raise from_oracle(error, STEP, job_name) from error
    if scalar(connection, statements.MASTER_TABLE, job_name=job_name):
        drop = statements.DROP_MASTER_TABLE.format(table=Identifier(job_name).sql)
        with translated(STEP, job_name):
            execute_tolerating(connection, {"ORA-00942"}, drop)  # the end of the job may be faster


def _attached(connection: oracledb.Connection, cursor: oracledb.Cursor, job_name: str) -> int | None:
    """A handle of the job; None where nobody works on it and it cannot be attached to."""
    try:
        return int(cursor.callfunc(statements.ATTACH, int, [job_name]))
    except Exception as error:
        codes = set(oracle_codes(error))
        try:
            matters = not codes or (not codes & GONE and worked_on(connection, job_name))
        except Exception:  # the session is lost: what ATTACH has said tells why
            matters = True
        if matters:
            raise from_oracle(error, STEP, job_name) from error
        return None


def _await_end(connection: oracledb.Connection, job_name: str) -> None:
    """Wait until a job that is being ended has no process left, at most for END_SECONDS.

    The master process of an idling job is there as well (Utilities 19c, "The Data Pump API").
    """
    end = time.monotonic() + END_SECONDS
    while (job := status(connection, job_name)) is not None and time.monotonic() < end:
        if not job.live and job.state != "IDLING":
            break
        time.sleep(END_PAUSE)


def own_jobs(connection: oracledb.Connection) -> dict[str, tuple[str, bool]]:
    """Operation, and whether anybody works on it, of every job of the user, by name."""
    return {
        str(name): (str(operation).strip(), str(state).strip() in LIVE_STATES)
        for name, operation, state in rows(connection, statements.OWN_JOBS)
    }


def discard_all(
    connection: oracledb.Connection, job_names: Iterable[str], *, only_live: bool = False
) -> list[str]:
    """Kill those of the user's own jobs that are still there; their names.

    :param only_live: master tables of jobs that nobody works on stay.
    """
    present = own_jobs(connection)
    names = [name for name in job_names if name in present and (present[name][1] or not only_live)]
    for name in names:
        discard(connection, name)
    return names


def _abandon(cursor: oracledb.Cursor, handle: int) -> None:
    """Remove a job that is still being defined; START_JOB may have failed after its processes came up."""
    try:
        cursor.callproc(statements.STOP_JOB, [handle], AT_ONCE)
    except Exception as error:
        if not GONE & set(oracle_codes(error)):
            detach(cursor.connection, handle)


def _failed(cursor: oracledb.Cursor, handle: int | None, job_name: str, error: Exception) -> DataPumpError:
    """The error with what GET_STATUS knows about it, which is gone with the next call."""
    first = from_oracle(error, STEP, job_name)
    details = _error_stack(cursor, handle)
    codes = tuple(dict.fromkeys((*first.codes, *oracle_codes(Exception(details)))))
    advice = from_oracle(Exception(" ".join(codes)), step="data pump")
    message = f"{first.message}\n{details}".strip() if details not in first.message else first.message
    return DataPumpError(message, codes=codes, object_name=job_name, step=STEP, remedy=advice.remedy)


def _error_stack(cursor: oracledb.Cursor, handle: int | None) -> str:
    import oracledb

    errors = cursor.var(str, 32767)
    number = cursor.var(oracledb.DB_TYPE_NUMBER)
    number.setvalue(0, handle)
    try:
        cursor.execute(statements.GET_ERRORS, handle=number, errors=errors)
    except oracledb.Error:
        return ""  # the first error is the one to report
    value: Any = errors.getvalue()
    return str(value or "").strip()


def _long(cursor: oracledb.Cursor, value: int | str | None) -> Any:
    """A text beyond VARCHAR2 binds as CLOB, which METADATA_FILTER and DATA_FILTER accept as well."""
    if isinstance(value, str) and len(value.encode()) > MAX_VARCHAR2:
        import oracledb

        return cursor.connection.createlob(oracledb.DB_TYPE_CLOB, value)
    return value
