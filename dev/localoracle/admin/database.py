"""ALTER DATABASE: log groups, file sizes, logging modes, defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin import parameters, recovery, redo_logs
from localoracle.admin.storage import DataFile, autoextend_clause, file_size
from localoracle.errors import OracleError, not_supported
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.session.session import Session


# What belongs to the container database as a whole.
_OF_THE_ROOT = (
    "ADD LOGFILE",
    "DROP LOGFILE",
    "ADD STANDBY LOGFILE",
    "DROP STANDBY LOGFILE",
    "FORCE LOGGING",
    "NO FORCE LOGGING",
    "FLASHBACK",
    "ARCHIVELOG",
    "NOARCHIVELOG",
)


async def execute(session: Session, cursor: Cursor) -> str:
    """ALTER DATABASE; CREATE and DROP DATABASE are refused."""
    if not cursor.take("ALTER DATABASE"):
        raise not_supported(f"{cursor.word()} DATABASE")
    await privileges.demand(session, "ALTER DATABASE")
    if cursor.at(*_OF_THE_ROOT) and await parameters.in_pdb(session):
        raise OracleError(65040, "operation not allowed from within a pluggable database")
    if cursor.take("ADD LOGFILE"):
        await redo_logs.add(session, cursor)
    elif cursor.take("DROP LOGFILE"):
        await redo_logs.drop(session, cursor)
    elif cursor.take("ADD STANDBY LOGFILE"):
        await redo_logs.add_standby(session, cursor)
    elif cursor.take("DROP STANDBY LOGFILE"):
        await redo_logs.drop_standby(session, cursor)
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
    elif cursor.at("DATAFILE", "TEMPFILE"):
        await _file(session, cursor, temporary=cursor.take("DATAFILE", "TEMPFILE") == "TEMPFILE")
    else:
        raise not_supported(f"ALTER DATABASE {cursor.word()}")
    cursor.finish()
    return "ALTER DATABASE"


async def _file(session: Session, cursor: Cursor, *, temporary: bool) -> None:
    """DATAFILE | TEMPFILE 'name' | number: RESIZE n, AUTOEXTEND ..., DROP (of tempfiles)"""
    column, value = (
        ("file_id", cursor.number()) if cursor.word().isdigit() else ("file_name", cursor.string())
    )
    rows = await session.pg_system(
        "SELECT f.file_id, t.bigfile FROM localoracle.data_files f"
        " JOIN localoracle.tablespaces t ON t.name = f.tablespace"
        f" WHERE f.{column} = %s AND (t.contents = 'TEMPORARY') = %s",
        [value, temporary],
    )
    if not rows:
        raise OracleError(
            1516, f'nonexistent log file, data file, or temporary file "{value}" in the current container'
        )
    if cursor.take("RESIZE"):
        await session.pg_system(
            "UPDATE localoracle.data_files SET bytes = %s WHERE file_id = %s",
            [file_size(cursor, bigfile=rows[0][1]), rows[0][0]],
            write=True,
        )
        return
    if temporary and cursor.take("DROP"):
        cursor.take("INCLUDING DATAFILES")
        await _drop_temporary_file(session, rows[0][0])
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


async def _drop_temporary_file(session: Session, number: int) -> None:
    ((tablespace, left),) = await session.pg_system(
        "SELECT f.tablespace,"
        " (SELECT count(*) FROM localoracle.data_files o WHERE o.tablespace = f.tablespace)"
        " FROM localoracle.data_files f WHERE f.file_id = %s",
        [number],
    )
    if left == 1:
        raise OracleError(3261, f"the tablespace {tablespace} has only one file")
    await session.pg_system("DELETE FROM localoracle.data_files WHERE file_id = %s", [number], write=True)
