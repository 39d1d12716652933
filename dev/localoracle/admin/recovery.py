"""What the database keeps for recovery: force logging, supplemental logging, flashback, restore points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.admin.facts import set_fact
from localoracle.errors import OracleError, not_supported
from localoracle.instance import settings
from localoracle.postgres import privileges
from localoracle.sql.ddl.supplemental_logging import column_kinds
from localoracle.sql.parsing.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.session.session import Session

MAXIMUM_RESTORE_POINTS = 2048


async def force_logging(session: Session, wanted: bool) -> None:
    """ALTER DATABASE [NO] FORCE LOGGING. ORA-12920, ORA-12921: it is so already."""
    rows = await session.pg_system("SELECT coalesce(localoracle.fact('force_logging'), 'NO') = 'YES'")
    if bool(rows[0][0]) == wanted:
        mode = "force" if wanted else "no force"
        raise OracleError(12920 if wanted else 12921, f"database is already in {mode} logging mode")
    await set_fact(session, "force_logging", "YES" if wanted else "NO")
    await settings.apply(session.database)


async def supplemental_logging(session: Session, cursor: Cursor, wanted: bool) -> None:
    """ALTER DATABASE ADD | DROP SUPPLEMENTAL LOG DATA [(kind, ...) COLUMNS]; without kinds the minimal one.

    The minimal one stays as long as another one does (ORA-32589).
    """
    if cursor.take("FOR PROCEDURAL REPLICATION", "SUBSET DATABASE REPLICATION"):
        raise not_supported("supplemental logging for replication")
    kinds = column_kinds(cursor) if cursor.at("(") else ["MINIMAL"]
    rows = await session.pg_system(
        "SELECT name FROM localoracle.instance_facts WHERE name ^@ 'supplemental_log ' AND value = 'YES'"
    )
    present = {row[0].removeprefix("supplemental_log ") for row in rows}
    if not wanted and kinds == ["MINIMAL"] and present - {"MINIMAL"}:
        raise OracleError(32589, "unable to drop minimal supplemental logging")
    for kind in kinds:
        await set_fact(session, f"supplemental_log {kind}", "YES" if wanted else "NO")


async def flashback(session: Session, wanted: bool) -> None:
    """ALTER DATABASE FLASHBACK ON | OFF. Turning it on needs archived redo and a recovery area."""
    if not wanted:
        await set_fact(session, "flashback_on", "NO")
        return
    cause = await _no_recovery(session)
    if cause:
        raise OracleError(38706, f"Cannot turn on FLASHBACK DATABASE logging.\n{cause}")
    rows = await session.pg_system("SELECT localoracle.fact('flashback_on') = 'YES'")
    if rows[0][0]:
        raise OracleError(
            38706,
            "Cannot turn on FLASHBACK DATABASE logging.\n"
            "ORA-38713: Flashback Database logging is already turned on.",
        )
    await set_fact(session, "flashback_on", "YES")


async def _no_recovery(session: Session) -> str | None:
    """Why flashback logs cannot be written."""
    ((mode, area),) = await session.pg_system(
        "SELECT localoracle.log_mode(),"
        " (SELECT value FROM localoracle.parameters WHERE name = 'db_recovery_file_dest')"
    )
    if mode != "ARCHIVELOG":
        return "ORA-38707: Media recovery is not enabled."
    return None if area else "ORA-38709: Recovery Area is not enabled."


async def restore_point(session: Session, action: str, cursor: Cursor) -> str:
    """CREATE RESTORE POINT name [AS OF SCN n] [PRESERVE | GUARANTEE FLASHBACK DATABASE], and DROP."""
    name = cursor.name()
    exists = bool(await session.pg_system("SELECT 1 FROM localoracle.restore_points WHERE name = %s", [name]))
    if action == "DROP":
        cursor.finish()
        await _may_use(session)
        if not exists:
            raise OracleError(38780, f"Restore point '{name}' does not exist.")
        await session.pg_system("DELETE FROM localoracle.restore_points WHERE name = %s", [name], write=True)
        return "DROP RESTORE POINT"
    if action != "CREATE":
        raise cursor.error(940, "invalid ALTER command")
    scn = await session.database.snapshots.take()
    if cursor.take("AS OF"):
        cursor.expect("SCN")
        scn = cursor.number()
    guaranteed = bool(cursor.take("GUARANTEE FLASHBACK DATABASE"))
    preserved = guaranteed or bool(cursor.take("PRESERVE"))
    cursor.finish()
    await _may_use(session)
    if guaranteed and session.user != "SYS":
        raise OracleError(1031, "insufficient privileges")
    if exists:
        raise OracleError(38778, f"Restore point '{name}' already exists.")
    cause = await _no_recovery(session) if guaranteed else None
    if cause:
        reason = (
            cause
            if "38709" in cause
            else ("ORA-38785: Media recovery must be enabled for guaranteed restore point.")
        )
        raise OracleError(38784, f"Cannot create restore point '{name}'.\n{reason}")
    ((count,),) = await session.pg_system("SELECT count(*) FROM localoracle.restore_points")
    if count >= MAXIMUM_RESTORE_POINTS:
        raise OracleError(38779, "cannot create restore point - too many restore points.")
    await session.pg_system(
        "INSERT INTO localoracle.restore_points (name, scn, guaranteed, preserved) VALUES (%s, %s, %s, %s)",
        [name, scn, guaranteed, preserved],
        write=True,
    )
    return "CREATE RESTORE POINT"


async def _may_use(session: Session) -> None:
    """A restore point needs SELECT ANY DICTIONARY or FLASHBACK ANY TABLE."""
    if not await privileges.has(session, "FLASHBACK ANY TABLE"):
        await privileges.demand(session, "SELECT ANY DICTIONARY")
