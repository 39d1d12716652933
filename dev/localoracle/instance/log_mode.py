"""ARCHIVELOG and NOARCHIVELOG: what a DBA does with SHUTDOWN IMMEDIATE, STARTUP MOUNT, ALTER DATABASE, OPEN.

Without the SYSDBA connections of SQL*Plus it is one command: `control NAME log-mode archivelog|noarchivelog`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.instance.control_file import ARCHIVELOG, NOARCHIVELOG, ControlFile

if TYPE_CHECKING:
    from localoracle.server.database import Database


async def set_log_mode(database: Database, name: str) -> str:
    """Switch the mode and restart the instance; what was done, in words.

    Raises ValueError for another mode; ORA-38774, ORA-38781 when flashback needs the archived redo. Change
    captures, which lose their place in the redo, abort.
    """
    wanted = name.upper()
    if wanted not in (ARCHIVELOG, NOARCHIVELOG):
        raise ValueError(f"no log mode {name}; there are: archivelog, noarchivelog")
    current = ControlFile.read(database.instance.root)
    if current.log_mode == wanted:
        return f"{wanted} already"
    if wanted == NOARCHIVELOG:
        await _may_lose_redo(database)
        # PostgreSQL does not start without a logical WAL while something wants to read on in it.
        await database.system("SELECT localoracle.lose_redo()")
    await database.restart(replace(current, log_mode=wanted))
    return wanted


async def _may_lose_redo(database: Database) -> None:
    ((flashback, guaranteed),) = await database.system(
        "SELECT localoracle.fact('flashback_on') = 'YES',"
        " EXISTS (SELECT FROM localoracle.restore_points WHERE guaranteed)"
    )
    if flashback:
        raise OracleError(38774, "cannot disable media recovery - flashback database is enabled")
    if guaranteed:
        raise OracleError(38781, "cannot disable media recovery - have guaranteed restore points")
