"""The DBFS store that dump files are staged in: set up once, a working directory per job, cleaned at the end.

A database server reads a dump through a DIRECTORY, an operating-system path; so the store has to be mounted
on the target's host (dbfs_client), and the DIRECTORY of the definition points at the mount. Files are written
below `<mount>/<run>/<job>/`, because many files created in one directory queue for each other, and renamed to
`<mount>/<file>` when they are complete: a DIRECTORY sees no subdirectories, and Data Pump no unfinished file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import numbered
from oracle_refresh.dbfs import statements
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import StagingError, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, execute_tolerating, rows, scalar, translated

if TYPE_CHECKING:
    import oracledb

STEP = "stage"
NAME_MAX = 256  # bytes of one path element (DBMS_DBFS_CONTENT.NAME_MAX)
THERE = frozenset({"ORA-64000"})  # specified path already exists
STORE_THERE = frozenset({"ORA-64007"})  # the file system of that store already exists
NO_STORE = frozenset({"ORA-64007"})  # there is no such store
NO_MOUNT = frozenset({"ORA-64007", "ORA-64008"})  # nor such a mount
FILE_SYSTEM, REGISTRATION, MOUNT = "file system", "registration", "mount"
#: Entered with the name of a part while it is made.
Making = Callable[[str], AbstractContextManager[None]]
NOT_THERE = frozenset({"ORA-64001", "ORA-64002"})  # the path, or a directory above it, is not there


@contextmanager
def unrecorded(_part: str) -> Iterator[None]:
    """Nobody wants to know which part of a store is made."""
    yield


def ensure_store(
    connection: oracledb.Connection, definition: RefreshDefinition, making: Making = unrecorded
) -> bool:
    """Create, register and mount the store unless it is there already; True when something was made.

    Commits. Two tasks that come at the same time both succeed.

    :param making: entered with the name of each part (FILE_SYSTEM, REGISTRATION, MOUNT) around its making.
    :raises StagingError: when privileges are missing (DBFS_ROLE, CREATE TABLE, quota) or the mount is taken.
    """
    wanted, mount = definition.staging.store, definition.staging.mount.strip("/")
    store = Identifier(wanted.name).name
    with translated(STEP, store, StagingError):
        owner = _mounts(connection).get(mount)
        if owner not in (None, store):
            raise StagingError(
                f"the mount /{mount} belongs to the store {owner}",
                object_name=store,
                step=STEP,
                remedy="give the definition another staging.mount, or the name of that store",
            )
        made = not _registered(connection, store)
        if made:
            _create(connection, store, wanted.tablespace, making)
        if owner is None:
            with making(MOUNT):
                _mount(connection, store, mount)
            open_mount(connection, definition)
            made = True
        connection.commit()
    return made


def _create(connection: oracledb.Connection, store: str, tablespace: str | None, making: Making) -> None:
    """Create the file system (which commits) and register it; a killed try may have done one half."""
    if not scalar(connection, statements.FILE_SYSTEM, store=store):
        binds = {"store": store, "table_name": f"T_{store}"[:128], "tablespace": tablespace}
        with making(FILE_SYSTEM):
            execute_tolerating(connection, STORE_THERE, statements.CREATE_FILE_SYSTEM, **binds)
    with making(REGISTRATION):
        try:
            execute(connection, statements.REGISTER_STORE, store=store)
        except Exception:
            connection.rollback()
            if not _registered(connection, store):  # else another task was faster
                raise
        connection.commit()


def _mount(connection: oracledb.Connection, store: str, mount: str) -> None:
    try:
        execute(connection, statements.MOUNT_STORE, store=store, mount=mount)
        connection.commit()
    except Exception:
        connection.rollback()
        if _mounts(connection).get(mount) != store:
            raise


def open_mount(connection: oracledb.Connection, definition: RefreshDefinition) -> None:
    """Let the mount's directory be used by whoever sees the mount, and commit. May be repeated.

    :raises StagingError: when the store refuses it.
    """
    path = f"/{definition.staging.mount.strip('/')}"
    with connection.cursor() as cursor:
        errno = cursor.var(int)
        cursor.execute(statements.OPEN_MOUNT_TO_ALL, path=path, errno=errno)
    if errno.getvalue() != 0:
        raise StagingError(
            f"DBMS_FUSE.FS_CHMOD returned error {errno.getvalue()}",
            object_name=path,
            step=STEP,
            remedy="see whether the store is mounted there, and who owns it",
        )
    connection.commit()


def _registered(connection: oracledb.Connection, store: str) -> bool:
    return scalar(connection, statements.STORES, store=store) is not None


def _mounts(connection: oracledb.Connection) -> dict[str, str]:
    """Store per mount, mounts without their slash."""
    return {path.strip("/"): name for name, path in rows(connection, statements.MOUNTS)}


def run_directory(definition: RefreshDefinition, run_id: str) -> str:
    """The working directory of a run; run ids may hold what a path element may not, so they are condensed."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", run_id)[:40]
    return f"{definition.staging.mount}/{plain}_{hashlib.sha256(run_id.encode()).hexdigest()[:8]}"


def job_directory(definition: RefreshDefinition, run_id: str, job_name: str) -> str:
    """The working directory of one job."""
    return f"{run_directory(definition, run_id)}/{path_element(job_name)}"


def path_element(name: str) -> str:
    """A file or directory name, checked.

    :raises StagingError: if it is empty, too long, or could lead somewhere else.
    """
    if not re.fullmatch(r"[A-Za-z0-9_$#.-]+", name) or set(name) == {"."} or len(name.encode()) > NAME_MAX:
        raise StagingError(f"{name!r} cannot be the name of a file in the store", object_name=name, step=STEP)
    return name


def ensure_directory(connection: oracledb.Connection, path: str) -> None:
    """Make a directory and those above it; one that is there already is welcome. Does not commit."""
    execute_tolerating(connection, THERE, statements.CREATE_DIRECTORY, path=path)


def drop_directory(connection: oracledb.Connection, path: str) -> None:
    """Remove a directory with all below it, if it is there, and commit."""
    execute_tolerating(connection, NOT_THERE, statements.DELETE_DIRECTORY, path=path)
    connection.commit()


def drop_file(connection: oracledb.Connection, path: str) -> None:
    """Remove a file, if it is there, and commit."""
    execute_tolerating(connection, NOT_THERE, statements.DELETE_FILE, path=path)
    connection.commit()


def replace_file(connection: oracledb.Connection, old_path: str, new_path: str) -> None:
    """Rename a file, in place of the one of that name if there is one. Does not commit: both or neither."""
    try:
        execute_tolerating(connection, NOT_THERE, statements.DELETE_FILE, path=new_path)
        execute(connection, statements.RENAME, old_path=old_path, new_path=new_path)
    except Exception:
        connection.rollback()
        raise


def file_bytes(connection: oracledb.Connection, path: str) -> int | None:
    """Bytes of a file of the store; None when it is not there."""
    kind, size = _item(connection, path) or (None, 0)
    return size if kind == statements.TYPE_FILE else None


def is_there(connection: oracledb.Connection, definition: RefreshDefinition, path: str) -> bool:
    """Whether the definition's store is mounted and has something of that name, be it a directory."""
    return is_mounted(connection, definition) and _item(connection, path) is not None


def is_mounted(connection: oracledb.Connection, definition: RefreshDefinition) -> bool:
    """Whether the definition's store is there, under its mount, for the connected user."""
    staging = definition.staging
    return _mounts(connection).get(staging.mount.strip("/")) == Identifier(staging.store.name).name


def is_made(connection: oracledb.Connection, definition: RefreshDefinition) -> bool:
    """Whether the connected user has made such a store, mounted or not: it keeps its files."""
    store = Identifier(definition.staging.store.name).name
    return bool(scalar(connection, statements.FILE_SYSTEM, store=store))


def _item(connection: oracledb.Connection, path: str) -> tuple[int, int] | None:
    """Kind and bytes of what has a path; None when there is nothing."""
    with connection.cursor() as cursor:
        kind, size = cursor.var(int), cursor.var(int)
        try:
            cursor.execute(statements.FILE_BYTES, path=path, item_type=kind, bytes=size)
        except Exception as error:
            if NOT_THERE & set(oracle_codes(error)):
                return None
            raise
        return int(kind.getvalue() or 0), int(size.getvalue() or 0)


def clean_run(
    connection: oracledb.Connection, definition: RefreshDefinition, run_id: str, dump_files: Collection[str]
) -> None:
    """Remove what a run has staged: its working directories and its dump files. Commits.

    :param dump_files: names, or the templates with `%L` that the plan's jobs have.

    :raises StagingError: if something is there but cannot be removed.
    """
    with translated(STEP, run_id, StagingError):
        if not is_mounted(connection, definition):
            return  # the run ended before its store was made
        drop_directory(connection, run_directory(definition, run_id))
        for template in dump_files:
            for path in staged_files(connection, definition, template):
                drop_file(connection, path)


def staged_files(
    connection: oracledb.Connection, definition: RefreshDefinition, template: str
) -> Iterator[str]:
    """The paths of a template's files that exist; Data Pump numbers them without gaps. The store has to be
    mounted."""
    for number in count(1):
        path = f"{definition.staging.mount}/{path_element(numbered(template, number))}"
        if file_bytes(connection, path) is None:
            return
        yield path
        if "%" not in template:
            return
