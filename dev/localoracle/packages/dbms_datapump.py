"""DBMS_DATAPUMP: the calls (PL/SQL Packages and Types Reference, chapter DBMS_DATAPUMP).

As in Oracle an exception carries only the outermost message; its reasons are read with
GET_STATUS(mask => KU$_STATUS_JOB_ERROR), with a NULL handle after a failed OPEN or ATTACH.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any

from localoracle.datapump import adding, container, limits, plan
from localoracle.datapump.definition import (
    DUMP_FILE,
    LOG_FILE,
    SQL_FILE,
    Definition,
    invalid,
)
from localoracle.datapump.encryption import (
    DEFAULT_ALGORITHM,
    MAXIMUM_PASSWORD,
    Seal,
    new_seal,
    open_seal,
)
from localoracle.datapump.errors import stack
from localoracle.datapump.job import Job
from localoracle.datapump.manager import NOT_AWAITED, Attachment, DataPump
from localoracle.datapump.selection import Connection
from localoracle.datapump.status import description, entries, failure_entries, job_status
from localoracle.errors import OracleError
from localoracle.lobs.lob import Lob
from localoracle.packages.registry import Call, subprogram
from localoracle.tasks import undisturbed

_PACKAGE = "DBMS_DATAPUMP"
_Subprogram = Callable[[Call], Coroutine[Any, Any, Any]]
WIP, JOB_DESCRIPTION, JOB_STATUS, JOB_ERROR = 1, 2, 4, 8


class Handles(dict[int, Attachment]):
    """A session's handles. The session's end detaches them all."""

    def __init__(self, pump: DataPump) -> None:
        super().__init__()
        self.pump = pump
        self.last = 0
        self.failure: list[str] = []
        """The lines of the last call's exception, for GET_STATUS."""

    def keep(self, attachment: Attachment) -> int:
        self.last += 1
        self[self.last] = attachment
        return self.last

    async def session_closed(self) -> None:
        while self:
            _, attachment = self.popitem()
            await self.pump.detach(attachment)


def _pump(call: Call) -> DataPump:
    pump: DataPump = call.session.database.services["datapump"]
    return pump


def _handles(call: Call) -> Handles:
    handles: Handles | None = call.session.package_state.get(_PACKAGE)
    if handles is None:
        handles = call.session.package_state[_PACKAGE] = Handles(_pump(call))
    return handles


def _attachment(call: Call) -> Attachment:
    handle = call["handle"]
    attachment = _handles(call).get(int(handle)) if handle is not None else None
    if attachment is None:
        raise stack((31623,))
    return attachment


def _details_kept(function: _Subprogram) -> _Subprogram:
    """Raise only the outermost message and keep the whole stack for GET_STATUS."""

    @functools.wraps(function)
    async def wrapped(call: Call) -> Any:
        try:
            return await function(call)
        except OracleError as error:
            lines = f"ORA-{error.code:05d}: {error.text}".split("\n")
            _handles(call).failure = lines
            if error.code not in (39001, 39002, 39004, 39005, 39006, 31623, 31626, 31631, 31634):
                raise
            raise OracleError(error.code, error.text.split("\n")[0]) from error

    return wrapped


def _to_its_end(function: _Subprogram) -> _Subprogram:
    """A client that disconnects does not leave a call half done: a job that is still being defined, with no
    session attached, would block its name for ever."""

    @functools.wraps(function)
    async def wrapped(call: Call) -> Any:
        return await undisturbed(function(call))

    return wrapped


def _api(name: str, *, waits: bool = False) -> Callable[[_Subprogram], Callable[[Call], Awaitable[Any]]]:
    """Register a subprogram. One that `waits` for the job ends with its client; any other takes effect."""

    def register(function: _Subprogram) -> Callable[[Call], Awaitable[Any]]:
        wrapped = _details_kept(function)
        return subprogram(_PACKAGE, name)(wrapped if waits else _to_its_end(wrapped))

    return register


def _defining(call: Call) -> Definition:
    """The definition of a job that is still being defined. Raises ORA-39004."""
    job = _attachment(call).job
    if job.state != "DEFINING":
        raise stack((39004,))
    return job.definition


async def _text(value: Any) -> Any:
    if isinstance(value, Lob):
        return await value.read(1, await value.size())
    return value


@_api("OPEN")
async def open_job(call: Call) -> int:
    pump = _pump(call)
    attachment = await pump.open(
        call.session, call["operation"], call["job_mode"], call["job_name"], call["remote_link"]
    )
    return _handles(call).keep(attachment)


@_api("ATTACH")
async def attach(call: Call) -> int:
    attachment = await _pump(call).attach(call.session, call["job_name"], call["job_owner"])
    return _handles(call).keep(attachment)


@_api("DETACH")
async def detach(call: Call) -> None:
    attachment = _attachment(call)
    del _handles(call)[int(call["handle"])]
    await _pump(call).detach(attachment)


@_api("ADD_FILE")
async def add_file(call: Call) -> None:
    kind = int(call.get("filetype", DUMP_FILE) or DUMP_FILE)
    wanted = adding.File(call["filename"], call["directory"], kind, call["filesize"], bool(call["reusefile"]))
    await adding.add_file(call.session, _attachment(call).job, wanted)


@_api("SET_PARAMETER")
async def set_parameter(call: Call) -> None:
    job, name = _attachment(call).job, str(call["name"] or "").upper()
    await limits.check_parameter(call.session.database, job.definition.operation, name, call["value"])
    if name == "ENCRYPTION_PASSWORD":
        _set_password(job, call["value"])
        return
    _defining(call).set_parameter(call["name"], call["value"])


def _set_password(job: Job, password: Any) -> None:
    """Also of a job that goes on after ATTACH: the password is not kept, so it must be given again."""
    definition = job.definition
    if job.state != "DEFINING" and not (job.state == "IDLING" and definition.password_given):
        raise stack((39004,))
    if not isinstance(password, str) or not 0 < len(password.encode()) <= MAXIMUM_PASSWORD:
        raise invalid()
    if definition.remote_link is not None:
        raise stack((39005,))
    definition.password_given = True
    job.password = password


@_api("SET_PARALLEL")
async def set_parallel(call: Call) -> None:
    job = _attachment(call).job
    degree = call["degree"]
    if degree is None or degree < 1 or degree != int(degree):
        raise invalid()
    job.definition.degree = await limits.degree(call.session.database, int(degree))


@_api("METADATA_FILTER")
async def metadata_filter(call: Call) -> None:
    _defining(call).add_metadata_filter(call["name"], await _text(call["value"]), call["object_path"])


@_api("METADATA_TRANSFORM")
async def metadata_transform(call: Call) -> None:
    _defining(call).add_transform(call["name"], call["value"], call["object_type"])


@_api("METADATA_REMAP")
async def metadata_remap(call: Call) -> None:
    _defining(call).add_remap(call["name"], call["old_value"], call["value"], call["object_type"])


@_api("DATA_FILTER")
async def data_filter(call: Call) -> None:
    _defining(call).add_data_filter(
        call["name"], await _text(call["value"]), call["table_name"], call["schema_name"]
    )


@_api("START_JOB")
async def start_job(call: Call) -> None:
    job = _attachment(call).job
    # Of two sessions that start it at the same moment one does.
    async with job.changing:
        await _start(call, job)


async def _start(call: Call, job: Job) -> None:
    definition, pump = job.definition, _pump(call)
    if job.state not in ("DEFINING", "IDLING"):
        raise stack((39004,))
    if definition.owner != call.session.user:
        raise stack((31631,))
    log = definition.file(LOG_FILE)
    path: Path | None = None
    if log is not None:
        folder = await adding.folder(call.session, log.directory, "WRITE")
        if folder is None:
            raise stack((39002,), (39070,), (39087, log.directory))
        path = folder / log.name
    connection = await pump.connections.borrow()
    try:
        if definition.operation == "EXPORT":
            await connection.execute(NOT_AWAITED)
            await _check_export(call, connection, job)
        else:
            await _check_import(job)
        await job.start(path, connection)
    except BaseException:
        await connection.close()
        raise


async def _check_export(call: Call, connection: Connection, job: Job) -> None:
    """Raises ORA-39002 without a file or with wrong encryption, ORA-01555 and ORA-08181 for the SCN,
    ORA-31631 for the schemas."""
    definition = job.definition
    if not definition.dump_files() and not definition.parameter("ESTIMATE_ONLY", 0):
        raise stack((39002,), (39095, 0))
    definition.check_encryption()
    if definition.seal:
        job.key = await asyncio.to_thread(open_seal, Seal(**definition.seal), job.password)
    elif job.password is not None:
        algorithm = definition.parameter("ENCRYPTION_ALGORITHM", DEFAULT_ALGORITHM)
        seal, job.key = await asyncio.to_thread(new_seal, job.password, algorithm)
        definition.seal = asdict(seal)
    scn = definition.parameter("FLASHBACK_SCN")
    if scn is not None and job.state == "DEFINING":
        await call.session.database.snapshots.snapshot(scn)
    await plan.check_schemas(connection, definition, lambda error: None)


async def _check_import(job: Job) -> None:
    """Raises ORA-39002 for what is no whole dump set, ORA-39005 for an action that needs metadata."""
    definition = job.definition
    if definition.remote_link is None:
        await plan.open_set(definition, job.password)
    if definition.operation == "SQL_FILE" and definition.file(SQL_FILE) is None:
        raise stack((39002,))
    if not definition.include_metadata and definition.table_exists_action not in ("APPEND", "TRUNCATE"):
        raise stack((39005,))


@_api("STOP_JOB")
async def stop_job(call: Call) -> None:
    attachment = _attachment(call)
    job = attachment.job
    if job.finished:
        raise stack((31626,))
    keep = call["keep_master"]
    await job.stop(
        immediate=bool(call["immediate"]),
        keep_master=keep is None or bool(keep),
        delay=float(call.get("delay", 60) or 0),
    )
    if _handles(call).pop(int(call["handle"]), None) is not None:
        await _pump(call).detach(attachment)


@_api("WAIT_FOR_JOB", waits=True)
async def wait_for_job(call: Call) -> None:
    attachment = _attachment(call)
    if attachment.job.state in ("DEFINING", "IDLING"):
        raise stack((39004,))
    call.set("job_state", await attachment.job.wait())
    if _handles(call).pop(int(call["handle"]), None) is not None:
        await _pump(call).detach(attachment)


@_api("GET_STATUS", waits=True)
async def get_status(call: Call) -> None:
    mask = int(call["mask"] or 0)
    if call["handle"] is None:
        lines, _handles(call).failure = _handles(call).failure, []
        call.set("job_state", "UNDEFINED")
        call.set(
            "status",
            call.new("KU$_STATUS", mask=JOB_ERROR if lines else 0, error=failure_entries(call, lines)),
        )
        return
    attachment = _attachment(call)
    job = attachment.job
    timeout = call["timeout"]
    end = None if timeout is None or timeout < 0 else time.monotonic() + float(timeout)
    failure: list[str] = []
    if mask & JOB_ERROR:
        failure, _handles(call).failure = _handles(call).failure, []
    while not failure and not _fresh(attachment, mask) and not job.finished and timeout != 0:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            break
        await job.changed(left)
    result = call.new("KU$_STATUS", mask=0)
    given = 0
    if mask & WIP:
        messages = [item for item in job.messages[attachment.seen_wip :] if not item.error]
        attachment.seen_wip = len(job.messages)
        if messages:
            given |= WIP
            result.values["wip"] = entries(call, messages)
    if mask & JOB_ERROR:
        messages = [item for item in job.messages[attachment.seen_errors :] if item.error]
        attachment.seen_errors = len(job.messages)
        if messages or failure:
            given |= JOB_ERROR
            result.values["error"] = failure_entries(call, failure) if failure else entries(call, messages)
    if mask & JOB_DESCRIPTION:
        given |= JOB_DESCRIPTION
        result.values["job_description"] = description(call, attachment)
    if mask & JOB_STATUS:
        given |= JOB_STATUS
        result.values["job_status"] = await job_status(call, attachment)
    result.values["mask"] = given
    call.set("job_state", job.state)
    call.set("status", result)
    if job.finished:
        # The session has been told; a later call finds no job.
        _handles(call).pop(int(call["handle"]), None)
        await _pump(call).detach(attachment)


def _fresh(attachment: Attachment, mask: int) -> bool:
    messages = attachment.job.messages
    wip = mask & WIP and any(not item.error for item in messages[attachment.seen_wip :])
    errors = mask & JOB_ERROR and any(item.error for item in messages[attachment.seen_errors :])
    return bool(wip or errors)


@_api("GET_DUMPFILE_INFO")
async def get_dumpfile_info(call: Call) -> None:
    """File type 0 for what is no dump file, 1 for a Data Pump dump file. Raises ORA-39211."""
    directory = call["directory"] or "DATA_PUMP_DIR"
    folder = await adding.folder(call.session, directory, "READ")
    if folder is None or not call["filename"]:
        raise stack((39211,), (39087, directory))
    path = folder / call["filename"]
    if not path.is_file():
        raise stack((39211,), (31640, path), (27037,))
    try:
        header = container.read_header(path)
    except OracleError:
        call.set("filetype", 0)
        return
    call.set("filetype", 1)
    items = container.information(header).items()
    lines = [call.new("KU$_DUMPFILE_ITEM", item_code=code, value=value) for code, value in items]
    call.set("info_table", call.collection("KU$_DUMPFILE_INFO", lines))
