"""DBMS_FILE_TRANSFER (PL/SQL Packages and Types Reference): binary copies of the files of directory objects.

Files have a multiple of 512 bytes, at most 2 TB; an existing one is not replaced; nothing is undone by a
rollback. V$SESSION_LONGOPS shows how far a transfer is, in bytes.

Over a link the other end is asked through two functions of its own, LOCALORACLE$FILES.SEND and RECEIVE, which
check what the link's user may do. They are no part of Oracle.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import oracledb

from localoracle.errors import OracleError
from localoracle.instance import links
from localoracle.packages import file_transfer
from localoracle.packages.file_transfer import Progress, Ticket, in_thread
from localoracle.packages.registry import Call, subprogram

PACKAGE = "DBMS_FILE_TRANSFER"
OTHER_END = "LOCALORACLE$FILES"
_SHOW_SECONDS = 0.5
_SEND = f"BEGIN :ticket := {OTHER_END}.SEND(:directory, :name); END;"
_RECEIVE = f"BEGIN :ticket := {OTHER_END}.RECEIVE(:directory, :name, :bytes); END;"


def _text(call: Call, name: str) -> str:
    value = call[name]
    if value is None:
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return str(value)


async def _here(call: Call, end: str, privilege: str) -> Path:
    directory, name = _text(call, f"{end}_directory_object"), _text(call, f"{end}_file_name")
    return await file_transfer.locate(call.session, directory, name, privilege)


@subprogram(PACKAGE, "COPY_FILE")
async def copy_file(call: Call) -> None:
    """Raises ORA-19504 for the new file, ORA-19505 for the old one, ORA-06564 for the directories."""
    source = await _here(call, "source", "READ")
    destination = await _here(call, "destination", "WRITE")
    size = await in_thread(lambda: file_transfer.identify(source))
    async with _shown(call, source, size) as progress:
        await in_thread(lambda: file_transfer.copy(call.session, source, destination, progress), progress)


@subprogram(PACKAGE, "GET_FILE")
async def get_file(call: Call) -> None:
    """The same; errors of the other end stand over ORA-02063."""
    destination = await _here(call, "destination", "WRITE")
    directory, name = _text(call, "source_directory_object"), _text(call, "source_file_name")
    ticket, _ = await _ask(call, "source_database", _SEND, directory=directory, name=name)
    async with _shown(call, Path(name), ticket.size) as progress:
        await in_thread(lambda: file_transfer.fetch(call.session, ticket, destination, progress), progress)


@subprogram(PACKAGE, "PUT_FILE")
async def put_file(call: Call) -> None:
    """The same, in the other direction."""
    source = await _here(call, "source", "READ")
    size = await in_thread(lambda: file_transfer.identify(source))
    directory, name = _text(call, "destination_directory_object"), _text(call, "destination_file_name")
    ticket, link = await _ask(
        call, "destination_database", _RECEIVE, directory=directory, name=name, bytes=size
    )
    async with _shown(call, source, size) as progress:
        failed = await in_thread(lambda: file_transfer.bring(ticket, source, progress), progress)
    if failed is not None:
        raise links.from_other_end(failed, link)


async def _ask(call: Call, formal: str, block: str, **binds: str | int) -> tuple[Ticket, links.Link]:
    """The ticket that the other end gives out. Raises ORA-02019 without such a link."""
    session = call.session
    connections = links.opened(session)
    link, connection = await connections.acquire(session.user, _text(call, formal))

    def ask() -> Ticket:
        with links.remote_errors(link), connection.cursor() as cursor:
            ticket = cursor.var(oracledb.DB_TYPE_VARCHAR, 200)
            cursor.execute(block, ticket=ticket, **binds)
            return Ticket.parse(str(ticket.getvalue()))

    try:
        return await links.remotely(connection, ask), link
    except OracleError as error:
        if error.code in links.LOST:
            await connections.close(link.name)
        raise


@asynccontextmanager
async def _shown(call: Call, source: Path, size: int) -> AsyncIterator[Progress]:
    """A row of V$SESSION_LONGOPS while and after the work inside."""
    session, progress = call.session, Progress()
    progress.total = size
    operation = f"{PACKAGE}.{call.name}"
    ((number,),) = await session.database.system(
        "INSERT INTO localoracle.session_longops"
        " (sid, serial, username, opname, target_desc, totalwork, units)"
        " VALUES (%s, %s, %s, %s, %s, %s, 'Bytes') RETURNING id",
        [session.sid, session.serial, session.user, operation, source.name, size],
    )

    async def show() -> None:
        message = f"{operation}: {source.name} : {progress.done} out of {size} Bytes done"
        await session.database.system(
            "UPDATE localoracle.session_longops SET sofar = %s, message = %s,"
            " last_update_time = localoracle.now() WHERE id = %s",
            [progress.done, message, number],
        )

    async def keep_showing() -> None:
        while True:
            await show()
            await asyncio.sleep(_SHOW_SECONDS)

    showing = asyncio.ensure_future(keep_showing())
    try:
        yield progress
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)
        await show()


@subprogram(OTHER_END, "SEND")
async def send(call: Call) -> str:
    """Offers a file to the holder of the returned ticket."""
    path = await file_transfer.locate(call.session, _text(call, "directory"), _text(call, "name"), "READ")
    return (await in_thread(lambda: file_transfer.offer_to_send(call.session, path))).text


@subprogram(OTHER_END, "RECEIVE")
async def receive(call: Call) -> str:
    """Makes a new file for the holder of the returned ticket."""
    path = await file_transfer.locate(call.session, _text(call, "directory"), _text(call, "name"), "WRITE")
    size = int(call["bytes"])
    return (await in_thread(lambda: file_transfer.offer_to_receive(call.session, path, size))).text
