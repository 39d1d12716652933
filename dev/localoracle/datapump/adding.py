"""ADD_FILE: which files a job may get, and where they lie."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from localoracle.datapump import container, definition, files
from localoracle.datapump.definition import DUMP_FILE, LOG_FILE, SQL_FILE, file_size, invalid
from localoracle.datapump.errors import below, stack
from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.datapump.job import Job
    from localoracle.session.session import Session


@dataclass(frozen=True)
class File:
    """As it is asked for; without a directory it is one of DATA_PUMP_DIR."""

    name: str | None
    directory: str | None
    kind: int
    size: str | None
    reuse: bool


async def folder(session: Session, directory: str, privilege: str) -> Path | None:
    """The path of a directory object that the user may use that way; None otherwise."""
    rows = await session.pg_system(
        "SELECT localoracle.directory_path(%s, %s, %s)", [session.role, directory, privilege]
    )
    return Path(rows[0][0]) if rows and rows[0][0] else None


async def add_file(session: Session, job: Job, wanted: File) -> None:
    """Raises ORA-39001 over the reason, ORA-39002, ORA-39004, ORA-39005."""
    exporting = wanted.kind == DUMP_FILE and job.definition.operation == "EXPORT"
    _check(job, wanted, exporting)
    directory, name = wanted.directory or "DATA_PUMP_DIR", str(wanted.name)
    place = await folder(session, directory, "WRITE" if exporting or wanted.kind != DUMP_FILE else "READ")
    if place is None:
        raise invalid(_about(wanted.kind), (39087, directory))
    if exporting:
        name = files.with_date(name, date.today())
    if wanted.kind == DUMP_FILE and "." not in name:
        name += ".dmp"
    path = place / name
    counted = wanted.kind == DUMP_FILE and files.wildcard(name) is not None
    added = definition.File(directory, name, str(path), wanted.kind, file_size(wanted.size), wanted.reuse)
    if wanted.kind == DUMP_FILE and not exporting:
        await _add_dump_files(job, directory, path)
        return
    if exporting and not place.is_dir():
        raise invalid((39000,), (31641, path), (27040, "No such file or directory"))
    if exporting and not counted:
        try:
            container.create(path, reuse=wanted.reuse)
        except OracleError as error:
            raise below(error, (39001,)) from None
    job.definition.files.append(added)


async def _add_dump_files(job: Job, directory: str, path: Path) -> None:
    for each in files.existing(str(path)):
        try:
            await asyncio.to_thread(container.open_dump, each)
        except OracleError as error:
            raise below(error, (39001,)) from None
        job.definition.files.append(definition.File(directory, each.name, str(each)))


def _about(kind: int) -> tuple[int]:
    return (39000,) if kind == DUMP_FILE else (39070,)


def _check(job: Job, wanted: File, exporting: bool) -> None:
    """What can be told without the file system."""
    if job.state != "DEFINING" and not (exporting and job.state in ("IDLING", "EXECUTING")):
        raise stack((39004,))
    if wanted.kind not in (DUMP_FILE, LOG_FILE, SQL_FILE) or (
        wanted.kind == SQL_FILE and job.definition.operation != "SQL_FILE"
    ):
        raise invalid()
    if not wanted.name or not wanted.name.isprintable() or "/" in wanted.name:
        raise invalid(_about(wanted.kind))
    if not exporting and (wanted.size is not None or wanted.reuse):
        raise stack((39005,))
    if wanted.kind != DUMP_FILE and job.definition.file(wanted.kind) is not None:
        raise stack((39002,))
    if wanted.kind == DUMP_FILE and job.definition.remote_link is not None:
        raise stack((39005,))
