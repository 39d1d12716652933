"""ALTER DATABASE: log groups, file sizes, logging modes, defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import privileges, recovery
from localoracle.admin.sizes import size
from localoracle.admin.storage import DataFile, autoextend_clause
from localoracle.errors import OracleError, not_supported
from localoracle.sql.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.session.session import Session

MINIMUM_GROUPS = 2


async def execute(session: Session, cursor: Cursor) -> str:
    """ALTER DATABASE; CREATE and DROP DATABASE are refused."""
    if not cursor.take("ALTER DATABASE"):
        raise not_supported(f"{cursor.word()} DATABASE")
    await privileges.demand(session, "ALTER DATABASE")
    if cursor.take("ADD LOGFILE"):
        await _add_group(session, cursor)
    elif cursor.take("DROP LOGFILE GROUP"):
        await _drop_group(session, cursor.number())
    elif cursor.at("FORCE LOGGING", "NO FORCE LOGGING"):
        await recovery.force_logging(
            session, cursor.take("FORCE LOGGING", "NO FORCE LOGGING") == "FORCE LOGGING"
        )
    elif cursor.at("FLASHBACK ON", "FLASHBACK OFF"):
        await recovery.flashback(session, cursor.take("FLASHBACK ON", "FLASHBACK OFF") == "FLASHBACK ON")
    elif cursor.at("ADD SUPPLEMENTAL LOG", "DROP SUPPLEMENTAL LOG"):
        adding = cursor.take("ADD SUPPLEMENTAL LOG", "DROP SUPPLEMENTAL LOG") == "ADD SUPPLEMENTAL LOG"
        cursor.expect("DATA", 905, "missing keyword")
        await recovery.supplemental_logging(session, cursor, adding)
    elif cursor.take("ARCHIVELOG", "NOARCHIVELOG"):
        raise OracleError(1126, "database must be mounted in this instance and not open in any instance")
    elif cursor.take("OPEN", "MOUNT"):
        raise OracleError(1531, "a database already open by the instance")
    elif cursor.take("DATAFILE", "TEMPFILE"):
        await _file(session, cursor)
    else:
        raise not_supported(f"ALTER DATABASE {cursor.word()}")
    cursor.finish()
    return "ALTER DATABASE"


async def _add_group(session: Session, cursor: Cursor) -> None:
    if cursor.take("THREAD") and cursor.number() != 1:
        raise not_supported("redo threads other than 1")
    rows = await session.pg_system("SELECT max(group_number) FROM localoracle.redo_logs")
    group = cursor.number() if cursor.take("GROUP") else rows[0][0] + 1
    member = f"/u01/oradata/redo{group:02d}.log"
    if cursor.at("("):
        inner = cursor.sub(cursor.parenthesised())
        member = inner.string()
        if not inner.done:
            raise not_supported("log groups with several members")
    elif not cursor.at("SIZE", "BLOCKSIZE", "REUSE") and not cursor.done:
        member = cursor.string()
    bytes_ = 104857600
    while not cursor.done:
        if cursor.take("SIZE"):
            bytes_ = size(cursor)
        elif cursor.take("BLOCKSIZE"):
            size(cursor)
        else:
            cursor.expect("REUSE")
    if await session.pg_system("SELECT 1 FROM localoracle.redo_logs WHERE group_number = %s", [group]):
        raise OracleError(1184, f"logfile group {group} already exists")
    if await session.pg_system("SELECT 1 FROM localoracle.redo_logs WHERE member = %s", [member]):
        raise OracleError(1577, f"cannot add log file '{member}' - file already part of database")
    if bytes_ < 4 << 20:
        raise OracleError(336, f"log file size {bytes_ // 512} blocks is less than minimum 8192 blocks")
    await session.pg_system(
        "INSERT INTO localoracle.redo_logs (group_number, sequence, bytes, status, member) VALUES (%s, 0, %s,"
        " 'UNUSED', %s)",
        [group, bytes_, member],
        write=True,
    )


async def _drop_group(session: Session, group: int) -> None:
    rows = await session.pg_system(
        "SELECT status FROM localoracle.redo_logs WHERE group_number = %s", [group]
    )
    count = await session.pg_system("SELECT count(*) FROM localoracle.redo_logs")
    name = session.instance.service_name
    if not rows:
        raise OracleError(1514, "error in log specification: no such log")
    if count[0][0] <= MINIMUM_GROUPS:
        raise OracleError(
            1567, f"dropping log {group} would leave less than 2 log files for instance {name} (thread 1)"
        )
    if rows[0][0] == "CURRENT":
        raise OracleError(1623, f"log {group} is current log for instance {name} (thread 1) - cannot drop")
    if rows[0][0] == "ACTIVE":
        raise OracleError(1624, f"log {group} needed for crash recovery of instance {name} (thread 1)")
    await session.pg_system("DELETE FROM localoracle.redo_logs WHERE group_number = %s", [group], write=True)


async def _file(session: Session, cursor: Cursor) -> None:
    """DATAFILE 'name' | number RESIZE n | AUTOEXTEND ..."""
    column, value = (
        ("file_id", cursor.number()) if cursor.word().isdigit() else ("file_name", cursor.string())
    )
    rows = await session.pg_system(f"SELECT file_id FROM localoracle.data_files WHERE {column} = %s", [value])
    if not rows:
        raise OracleError(
            1516, f'nonexistent log file, data file, or temporary file "{value}" in the current container'
        )
    if cursor.take("RESIZE"):
        await session.pg_system(
            "UPDATE localoracle.data_files SET bytes = %s WHERE file_id = %s",
            [size(cursor), rows[0][0]],
            write=True,
        )
        return
    if not cursor.at("AUTOEXTEND"):
        raise not_supported(f"ALTER DATABASE DATAFILE {cursor.word()}")
    file = DataFile(None)
    autoextend_clause(cursor, file)
    await session.pg_system(
        "UPDATE localoracle.data_files SET autoextend = %s, next_bytes = %s, max_bytes = %s WHERE file_id"
        " = %s",
        [file.autoextend, file.next_bytes, file.max_bytes, rows[0][0]],
        write=True,
    )
