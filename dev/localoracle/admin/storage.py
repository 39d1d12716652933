"""Directories and tablespaces, and PURGE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.parsing.sizes import size

if TYPE_CHECKING:
    from localoracle.session.session import Session

DEFAULT_FILE_BYTES = 100 << 20
SMALLFILE_MAXIMUM = 34359721984
BIGFILE_MAXIMUM = 35184372064256


async def directory(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE [OR REPLACE] DIRECTORY, DROP DIRECTORY. Its creator may read and write it."""
    name = cursor.name()
    if action == "DROP":
        cursor.finish()
        await privileges.demand(session, "DROP ANY DIRECTORY")
        gone = await session.pg_system(
            "DELETE FROM localoracle.directories WHERE name = %s RETURNING 1", [name], write=True
        )
        if not gone:
            raise OracleError(4043, f"object {name} does not exist")
        return "DROP DIRECTORY"
    if action == "ALTER":
        raise cursor.error(940, "invalid ALTER command")
    await privileges.demand(session, "CREATE ANY DIRECTORY")
    cursor.expect("AS", 905, "missing keyword")
    path = cursor.string()
    cursor.finish()
    if not path:
        raise cursor.error(922, "missing or invalid option")
    if action == "CREATE" and await session.pg_system(
        "SELECT 1 FROM localoracle.directories WHERE name = %s", [name]
    ):
        raise OracleError(955, "name is already used by an existing object")
    await session.pg_system(
        "INSERT INTO localoracle.directories (name, path) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET"
        " path = excluded.path",
        [name, path],
        write=True,
    )
    for privilege in ("READ", "WRITE", "EXECUTE"):
        await session.pg_system(
            "INSERT INTO localoracle.directory_privileges VALUES (%s, %s, %s, true, 'SYS') ON CONFLICT DO"
            " NOTHING",
            [session.user, name, privilege],
            write=True,
        )
    return "CREATE DIRECTORY"


@dataclass
class DataFile:
    """One file specification."""

    name: str | None
    bytes: int = DEFAULT_FILE_BYTES
    autoextend: bool = False
    next_bytes: int = 8192 * 12800
    max_bytes: int = SMALLFILE_MAXIMUM


def file_specification(cursor: Cursor, *, bigfile: bool = False) -> DataFile:
    """['file'] [SIZE n] [REUSE] [AUTOEXTEND OFF | ON [NEXT n] [MAXSIZE n | UNLIMITED]]"""
    name = None
    if not cursor.at("SIZE", "REUSE", "AUTOEXTEND", ",") and not cursor.done and not cursor.word():
        name = cursor.string()
    file = DataFile(
        name, autoextend=name is None, max_bytes=BIGFILE_MAXIMUM if bigfile else SMALLFILE_MAXIMUM
    )
    while True:
        if cursor.take("SIZE"):
            file.bytes = file_size(cursor, bigfile=bigfile)
        elif cursor.take("REUSE"):
            continue
        elif cursor.at("AUTOEXTEND"):
            autoextend_clause(cursor, file)
        else:
            return file


def autoextend_clause(cursor: Cursor, file: DataFile) -> None:
    cursor.expect("AUTOEXTEND")
    if cursor.take("OFF"):
        file.autoextend = False
        return
    cursor.expect("ON")
    file.autoextend = True
    if cursor.take("NEXT"):
        file.next_bytes = size(cursor)
    if cursor.take("MAXSIZE") and not cursor.take("UNLIMITED"):
        file.max_bytes = size(cursor)


BLOCK_BYTES = 8192
SMALLFILE_BLOCKS = 4194303


def file_size(cursor: Cursor, *, bigfile: bool) -> int:
    """SIZE or RESIZE of a file: ORA-02237 for what is no number, ORA-01144 for too many blocks."""
    if not cursor.word()[:1].isdigit():
        raise cursor.error(2237, "invalid file size")
    wanted = size(cursor)
    if not bigfile and wanted > SMALLFILE_BLOCKS * BLOCK_BYTES:
        raise OracleError(
            1144,
            f"File size ({wanted // BLOCK_BYTES} blocks) exceeds maximum of {SMALLFILE_BLOCKS} blocks",
        )
    return wanted


async def _check_file_name(session: Session, file: DataFile) -> None:
    """A file is named, unless Oracle names it (DB_CREATE_FILE_DEST): then nobody else does."""
    if file.name is None:
        ((place,),) = await session.pg_system(
            "SELECT value FROM localoracle.parameters WHERE name = 'db_create_file_dest'"
        )
        if not place:
            raise OracleError(2199, "missing DATAFILE/TEMPFILE clause")
    elif re.search(r"(?:^|/)o1_mf_[^/]*_\.dbf$", file.name):
        raise OracleError(1276, f"Cannot add file {file.name}. File has an Oracle Managed Files file name.")


_EXTENT = 64 * 1024
"""Bytes of the smallest extent of a locally managed tablespace: a file has room for one at least."""


async def _add_file(session: Session, tablespace: str, file: DataFile) -> None:
    await _check_file_name(session, file)
    if file.bytes < _EXTENT:
        raise OracleError(3214, "File Size specified is smaller than minimum required")
    name = file.name
    if name is None:
        rows = await session.pg_system(
            "SELECT count(*) FROM localoracle.data_files WHERE tablespace = %s", [tablespace]
        )
        name = f"/u01/oradata/{tablespace.lower()}{rows[0][0] + 1:02d}.dbf"
    if await session.pg_system("SELECT 1 FROM localoracle.data_files WHERE file_name = %s", [name]):
        raise OracleError(1537, f"cannot add file '{name}' - file already part of database")
    await session.pg_system(
        "INSERT INTO localoracle.data_files (tablespace, file_name, bytes, autoextend, next_bytes, max_bytes)"
        " VALUES (%s, %s, %s, %s, %s, %s)",
        [tablespace, name, file.bytes, file.autoextend, file.next_bytes, file.max_bytes],
        write=True,
    )


async def tablespace(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE, ALTER and DROP TABLESPACE. Files are only accounted for: PostgreSQL keeps the data."""
    bigfile = (cursor.take("BIGFILE", "SMALLFILE") or created_with().tablespaces) == "BIGFILE"
    contents = {"UNDO": "UNDO", "TEMPORARY": "TEMPORARY"}.get(
        cursor.take("UNDO", "TEMPORARY") or "", "PERMANENT"
    )
    if cursor.at("PFILE", "SPFILE"):
        raise not_supported(f"{action} {cursor.word()}")
    cursor.expect("TABLESPACE", 901, "invalid CREATE command")
    if action == "CREATE":
        await privileges.demand(session, "CREATE TABLESPACE")
        await _create(session, cursor, contents, bigfile)
        return "CREATE TABLESPACE"
    name = cursor.name()
    rows = await session.pg_system(
        "SELECT contents, bigfile FROM localoracle.tablespaces WHERE name = %s", [name]
    )
    if action == "DROP":
        await privileges.demand(session, "DROP TABLESPACE")
        if not rows:
            await _refuse_group(session, name)
            raise OracleError(959, f"tablespace '{name}' does not exist")
        await _drop(session, cursor, name)
        return "DROP TABLESPACE"
    await privileges.demand(session, "ALTER TABLESPACE")
    if not rows:
        await _refuse_group(session, name)
        raise OracleError(959, f"tablespace '{name}' does not exist")
    await _alter(session, cursor, name, rows[0][0], rows[0][1])
    return "ALTER TABLESPACE"


async def _create(session: Session, cursor: Cursor, contents: str, bigfile: bool) -> None:
    name = cursor.name()
    if await session.pg_system("SELECT 1 FROM localoracle.tablespaces WHERE name = %s", [name]):
        raise OracleError(1543, f"tablespace '{name}' already exists")
    await _refuse_group(session, name)
    files: list[DataFile] = []
    retention = "NOGUARANTEE" if contents == "UNDO" else "NOT APPLY"
    logging = contents != "TEMPORARY"
    group: str | None = None
    while not cursor.done:
        if cursor.take("DATAFILE", "TEMPFILE"):
            files.append(file_specification(cursor, bigfile=bigfile))
            while cursor.take(","):
                files.append(file_specification(cursor, bigfile=bigfile))
        elif cursor.at("RETENTION GUARANTEE", "RETENTION NOGUARANTEE"):
            if contents != "UNDO":
                raise OracleError(30044, "'Retention' can only specified for undo tablespace")
            cursor.take("RETENTION")
            retention = cursor.name()
        elif cursor.take("NOLOGGING"):
            logging = False
        elif cursor.take("TABLESPACE GROUP"):
            if group is not None:
                raise OracleError(10916, "TABLESPACE GROUP already specified")
            group = await _group(session, cursor, name, contents)
        elif contents == "TEMPORARY" and cursor.at("EXTENT MANAGEMENT LOCAL AUTOALLOCATE"):
            raise OracleError(25139, "invalid option for CREATE TEMPORARY TABLESPACE")
        elif not _without_effect(cursor):
            raise cursor.error(2180, "invalid option for CREATE TABLESPACE")
    if bigfile and len(files) > 1:
        raise OracleError(32774, f"more than one file was specified for bigfile tablespace {name}")
    await session.pg_system(
        "INSERT INTO localoracle.tablespaces"
        " (name, number, contents, bigfile, logging, retention, temp_group)"
        " SELECT %s, max(number) + 1, %s, %s, %s, %s, %s FROM localoracle.tablespaces",
        [name, contents, bigfile, logging, retention, group or None],
        write=True,
    )
    for file in files or [DataFile(None, autoextend=True)]:
        await _add_file(session, name, file)


async def _group(session: Session, cursor: Cursor, tablespace: str, contents: str) -> str:
    """The name behind TABLESPACE GROUP, '' for none (Administrator's Guide, Temporary Tablespace Groups).

    Groups share the namespace of tablespaces.
    """
    if contents != "TEMPORARY":
        raise OracleError(10915, "TABLESPACE GROUP cannot be specified for this type of tablespace")
    invalid = OracleError(10914, "invalid TABLESPACE GROUP clause")
    if cursor.done:
        raise invalid
    if not cursor.at_name:
        if cursor.string():
            raise invalid
        return ""
    group = cursor.name()
    if group == tablespace or await session.pg_system(
        "SELECT 1 FROM localoracle.tablespaces WHERE name = %s", [group]
    ):
        raise OracleError(10918, "TABLESPACE GROUP name cannot be the same as tablespace name")
    return group


async def _refuse_group(session: Session, name: str) -> None:
    """ORA-10917: the name of a tablespace is that of a group."""
    if await session.pg_system("SELECT 1 FROM localoracle.tablespaces WHERE temp_group = %s", [name]):
        raise OracleError(10917, "TABLESPACE GROUP cannot be specified")


def _without_effect(cursor: Cursor) -> bool:
    """Clauses about the layout of blocks, which is PostgreSQL's."""
    if cursor.take("EXTENT MANAGEMENT LOCAL"):
        if cursor.take("UNIFORM"):
            if cursor.take("SIZE"):
                size(cursor)
        else:
            cursor.take("AUTOALLOCATE")
        return True
    if cursor.take("BLOCKSIZE"):
        if size(cursor) != 8192:
            raise not_supported("block sizes other than 8K")
        return True
    return bool(
        cursor.take(
            "LOGGING",
            "ONLINE",
            "SEGMENT SPACE MANAGEMENT AUTO",
            "SEGMENT SPACE MANAGEMENT MANUAL",
            "FLASHBACK ON",
        )
    )


async def _alter(session: Session, cursor: Cursor, name: str, contents: str, bigfile: bool) -> None:
    changed: dict[str, object] = {}
    if cursor.take("RETENTION"):
        value = cursor.name()
        if value not in ("GUARANTEE", "NOGUARANTEE"):
            raise cursor.error(2142, "missing or invalid ALTER TABLESPACE option")
        if contents != "UNDO":
            raise OracleError(30044, "'Retention' can only specified for undo tablespace")
        changed = {"retention": value}
    elif cursor.take("ADD"):
        if not cursor.take("DATAFILE", "TEMPFILE"):
            raise cursor.error(2142, "missing or invalid ALTER TABLESPACE option")
        if bigfile:
            raise OracleError(32771, "cannot add file to bigfile tablespace")
        await _add_file(session, name, file_specification(cursor))
    elif cursor.take("RESIZE"):
        if not bigfile:
            raise OracleError(32773, f"operation not supported for smallfile tablespace {name}")
        await session.pg_system(
            "UPDATE localoracle.data_files SET bytes = %s WHERE tablespace = %s",
            [size(cursor), name],
            write=True,
        )
    elif cursor.at("AUTOEXTEND"):
        if not bigfile:
            raise OracleError(32773, f"operation not supported for smallfile tablespace {name}")
        file = DataFile(None, max_bytes=BIGFILE_MAXIMUM)
        autoextend_clause(cursor, file)
        await session.pg_system(
            "UPDATE localoracle.data_files SET autoextend = %s, next_bytes = %s, max_bytes = %s WHERE"
            " tablespace = %s",
            [file.autoextend, file.next_bytes, file.max_bytes, name],
            write=True,
        )
    elif cursor.take("RENAME TO"):
        changed = {"name": cursor.name()}
        await session.pg_system(
            "UPDATE localoracle.users SET default_tablespace = %s WHERE default_tablespace = %s",
            [changed["name"], name],
            write=True,
        )
        await session.pg_system(
            "UPDATE localoracle.object_attributes SET value = %s WHERE attribute = 'tablespace' AND value"
            " = %s",
            [changed["name"], name],
            write=True,
        )
    elif cursor.take("TABLESPACE GROUP"):
        changed = {"temp_group": await _group(session, cursor, name, contents) or None}
    elif cursor.take("LOGGING"):
        changed = {"logging": True}
    elif cursor.take("NOLOGGING"):
        changed = {"logging": False}
    elif cursor.take("ONLINE", "READ WRITE"):
        changed = {"status": "ONLINE"}
    else:
        raise not_supported(f"ALTER TABLESPACE {cursor.word()}")
    cursor.finish(2142, "missing or invalid ALTER TABLESPACE option")
    for column, new in changed.items():
        await session.pg_system(
            f"UPDATE localoracle.tablespaces SET {column} = %s WHERE name = %s", [new, name], write=True
        )


async def _drop(session: Session, cursor: Cursor, name: str) -> None:
    with_contents = False
    if cursor.take("INCLUDING CONTENTS"):
        with_contents = True
        cursor.take("AND DATAFILES", "KEEP DATAFILES")
        cursor.take("CASCADE CONSTRAINTS")
    cursor.finish()
    if name in ("SYSTEM", "SYSAUX"):
        raise OracleError(1550, "cannot drop system tablespace")
    rows = await session.pg_system(
        "SELECT 1 FROM localoracle.parameters WHERE name = 'undo_tablespace' AND value = %s", [name]
    )
    if rows:
        raise OracleError(30013, f"undo tablespace '{name}' is currently in use")
    if name == "USERS":
        raise OracleError(12919, "Can not drop the default permanent tablespace")
    if name == "TEMP":
        raise OracleError(12906, "cannot drop default temporary tablespace")
    used = await session.pg_system(
        "SELECT segment_name FROM dictionary.segments WHERE tablespace_name = %s LIMIT 1", [name]
    )
    if used and not with_contents:
        raise OracleError(1549, "tablespace not empty, use INCLUDING CONTENTS option")
    if used:
        raise not_supported("DROP TABLESPACE INCLUDING CONTENTS of one that holds segments")
    await session.pg_system("DELETE FROM localoracle.tablespaces WHERE name = %s", [name], write=True)


async def purge(session: Session, cursor: Cursor) -> str:
    """PURGE: the recycle bin is off, so it is always empty."""
    if cursor.take("RECYCLEBIN"):
        cursor.finish()
    elif cursor.take("DBA_RECYCLEBIN"):
        cursor.finish()
        await privileges.demand(session, "PURGE DBA_RECYCLEBIN")
    elif cursor.take("TABLE", "INDEX"):
        raise OracleError(38307, "object not in RECYCLE BIN")
    else:
        raise not_supported(f"PURGE {cursor.word()}")
    return "PURGE"
