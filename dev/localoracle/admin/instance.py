"""ALTER SESSION, ALTER SYSTEM and SET ROLE: system control statements, which do not end the transaction.

What they change is committed at once on a connection of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.admin import links, parameter_values, parameters
from localoracle.admin.editions import BASE, demand_edition
from localoracle.admin.facts import set_fact
from localoracle.datapump.processes import Process
from localoracle.errors import OracleError, not_supported
from localoracle.instance import nls
from localoracle.instance.settings import synchronous_commit
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import Cursor

if TYPE_CHECKING:
    from localoracle.session.session import Session

_OFFSET = re.compile(r"([+-])(\d{1,2}):(\d{2})")
# The first words of ALTER SYSTEM's clauses (SQL Language Reference, ALTER SYSTEM).
_CLAUSES_OF_SYSTEM = (
    "ARCHIVE", "CANCEL", "CHECK", "CHECKPOINT", "DISABLE", "DISCONNECT", "DUMP", "ENABLE", "FLUSH", "KILL",
    "QUIESCE", "REGISTER", "RELOCATE", "RESET", "RESUME", "SHUTDOWN", "SUSPEND", "SWITCH", "UNQUIESCE",
)  # fmt: skip
_SESSION_ID = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*@\d+\s*)?")
_LOCAL_ZONES = ("LOCAL", "DBTIMEZONE", "OS_TZ")
# Settings of ALTER SESSION that are no initialization parameters.
_SESSION_ONLY = (
    "EVENTS ERROR_ON_OVERLAP_TIME FLAGGER INSTANCE CONSTRAINTS CONTAINER DEFAULT_COLLATION "
    "SQL_TRANSLATION_PROFILE STANDBY_MAX_DATA_DELAY USE_PRIVATE_OUTLINES USE_STORED_OUTLINES"
)


async def set_role(session: Session, cursor: Cursor) -> str:
    """SET ROLE ALL: all granted roles are always enabled here."""
    if not cursor.take("ALL") or not cursor.done:
        raise not_supported("SET ROLE other than ALL")
    return "SET ROLE"


async def alter_session(session: Session, cursor: Cursor) -> str:
    """ALTER SESSION SET ... | ENABLE / DISABLE / FORCE ..."""
    if cursor.take("SET"):
        while not cursor.done:
            await _set_in_session(session, cursor)
        return "ALTER SESSION"
    if cursor.take("CLOSE DATABASE LINK"):
        await links.close(session, cursor)
        return "ALTER SESSION"
    action = cursor.take("ENABLE", "DISABLE", "FORCE")
    if action is None:
        raise not_supported(f"ALTER SESSION {cursor.word()}")
    if cursor.take("PARALLEL"):
        what = cursor.name()
        if what not in ("DML", "DDL", "QUERY"):
            raise cursor.error(2248, "invalid option for ALTER SESSION")
        if cursor.take("PARALLEL"):
            cursor.number()
        if what == "DML" and session.transaction.is_open:
            raise OracleError(12841, "Cannot alter the session parallel DML state within a transaction")
        await session.settings.set(
            f"localoracle.parallel_{what.lower()}",
            {"ENABLE": "ENABLED", "DISABLE": "DISABLED"}.get(action, "FORCED"),
        )
    elif cursor.take("RESUMABLE"):
        if action == "ENABLE":
            await privileges.demand(session, "RESUMABLE")
            if cursor.take("TIMEOUT"):
                cursor.number()
            if cursor.take("NAME"):
                cursor.string()
    elif not cursor.take("COMMIT IN PROCEDURE"):
        raise not_supported(f"ALTER SESSION {action} {cursor.word()}")
    cursor.finish(2248, "invalid option for ALTER SESSION")
    return "ALTER SESSION"


async def _set_in_session(session: Session, cursor: Cursor) -> None:
    if cursor.take("ROW ARCHIVAL VISIBILITY"):
        wanted = cursor.take("ACTIVE", "ALL") if cursor.take("=") else None
        if wanted is None:
            raise cursor.error(2248, "invalid option for ALTER SESSION")
        await session.settings.set("localoracle.row_archival_visibility", wanted)
        return
    name = cursor.name()
    if not cursor.take("="):
        raise cursor.error(927, "missing equal sign")
    if name == "CURRENT_SCHEMA":
        schema = cursor.name()
        if not await session.pg_system("SELECT 1 FROM localoracle.users WHERE username = %s", [schema]):
            raise OracleError(1435, "user does not exist")
        await session.set_current_schema(schema)
        return
    if name == "ISOLATION_LEVEL":
        level = cursor.take("SERIALIZABLE", "READ COMMITTED", "READ UNCOMMITTED")
        if level not in ("SERIALIZABLE", "READ COMMITTED"):
            raise cursor.error(2183, "valid options: ISOLATION_LEVEL { SERIALIZABLE | READ COMMITTED }")
        await session.settings.set(
            "default_transaction_isolation",
            "repeatable read" if level == "SERIALIZABLE" else "read committed",
        )
        return
    value = parameters.value(cursor)
    if name == "TIME_ZONE":
        await session.settings.set("timezone", await _time_zone(session, value))
        await session.settings.set(
            "localoracle.time_zone", "+00:00" if value.upper() in _LOCAL_ZONES else value
        )
        return
    if name == "EDITION":
        demand_edition(value)
        session.set_edition(BASE)
        return
    if name in _SESSION_ONLY.split():
        if name != "EVENTS":
            raise not_supported(f"ALTER SESSION SET {name}")
        return
    parameter = name.lower()
    described = await parameters.find(session, parameter)
    if described is None:
        if parameter.startswith("_"):
            await session.settings.set(f"localoracle.{parameter}", value)
            return
        raise cursor.error(2248, "invalid option for ALTER SESSION")
    ((modifiable,),) = await session.pg_system(
        "SELECT session_modifiable FROM localoracle.parameters WHERE name = %s", [parameter]
    )
    if not modifiable:
        raise OracleError(2096, "specified initialization parameter is not modifiable with this option")
    value = parameter_values.checked(described, value)
    if parameter == "commit_wait":
        await session.settings.set("synchronous_commit", await _commit_waits(session, value))
    if parameter == "nls_numeric_characters" and (len(value) != 2 or value[0] == value[1]):
        raise OracleError(12705, "Cannot access NLS data files or invalid environment specified")
    if parameter in (
        "nls_language",
        "nls_territory",
        "nls_sort",
        "nls_comp",
        "nls_date_language",
        "nls_length_semantics",
    ):
        value = value.upper()
    for name, text in {parameter: value, **nls.implied(parameter, value)}.items():
        await session.settings.set(f"localoracle.{name}", text)


async def _commit_waits(session: Session, value: str) -> str:
    """PostgreSQL's setting for COMMIT_WAIT; FORCE_WAIT of the instance comes before the session's own."""
    ((system,),) = await session.pg_system(
        "SELECT value FROM localoracle.parameters WHERE name = 'commit_wait'"
    )
    return synchronous_commit("WAIT" if system == "FORCE_WAIT" else value)


async def _time_zone(session: Session, value: str) -> str:
    """A PostgreSQL zone; its sign of an offset is the other way round (POSIX)."""
    offset = _OFFSET.fullmatch(value)
    if offset:
        hours, minutes = int(offset[2]), int(offset[3])
        if hours > 15 or minutes > 59:
            raise OracleError(1874, "time zone hour must be between -15 and 15")
        return f"<{value}>{'-' if offset[1] == '+' else '+'}{hours:02d}:{minutes:02d}"
    if value.upper() in _LOCAL_ZONES:
        return "UTC"
    rows = await session.pg_system(
        "SELECT name FROM pg_timezone_names WHERE upper(name) = upper(%s)", [value]
    )
    if not rows:
        raise OracleError(1882, "timezone region not found")
    return str(rows[0][0])


async def alter_system(session: Session, cursor: Cursor) -> str:
    """ALTER SYSTEM: parameters, sessions, log files, checkpoints."""
    await privileges.demand(session, "ALTER SYSTEM")
    if cursor.at("SET", "RESET"):
        await parameters.alter(session, cursor)
        return "ALTER SYSTEM"
    if cursor.at("SWITCH LOGFILE", "ARCHIVE LOG") and await parameters.in_pdb(session):
        raise OracleError(65040, "operation not allowed from within a pluggable database")
    if cursor.take("KILL SESSION"):
        await _kill(session, cursor, options=("IMMEDIATE", "NOREPLAY", "FORCE"))
    elif cursor.take("DISCONNECT SESSION"):
        await _kill(session, cursor, options=("POST_TRANSACTION", "IMMEDIATE", "NOREPLAY"))
    elif cursor.take("CANCEL SQL"):
        target = _find_session(session, cursor.string())
        if isinstance(target, Process):
            raise not_supported("CANCEL SQL of a Data Pump process")
        await target.cancel()
    elif cursor.take("CHECKPOINT"):
        cursor.take("GLOBAL", "LOCAL")
        await session.database.redo.checkpoint()
    elif cursor.take("SWITCH LOGFILE"):
        await session.database.redo.switch()
    elif cursor.take("ARCHIVE LOG CURRENT"):
        if (await session.pg_system("SELECT localoracle.log_mode()"))[0][0] != "ARCHIVELOG":
            raise OracleError(258, "manual archiving in NOARCHIVELOG mode must identify log")
        await session.database.redo.switch()
    elif cursor.take("FLUSH BUFFER_CACHE", "FLUSH SHARED_POOL", "REGISTER"):
        pass  # nothing that a client could notice
    elif cursor.at("ENABLE RESTRICTED SESSION", "DISABLE RESTRICTED SESSION"):
        value = "YES" if cursor.word() == "ENABLE" else "NO"
        cursor.take("ENABLE RESTRICTED SESSION", "DISABLE RESTRICTED SESSION")
        await set_fact(session, "restricted", value)
    else:
        raise (
            not_supported(f"ALTER SYSTEM {cursor.word()}")
            if cursor.word() in _CLAUSES_OF_SYSTEM
            else cursor.error(2065, "illegal option for ALTER SYSTEM")
        )
    cursor.finish(2065, "illegal option for ALTER SYSTEM")
    return "ALTER SYSTEM"


def _find_session(session: Session, text: str) -> Session | Process:
    match = _SESSION_ID.fullmatch(text)
    if match is None:
        raise OracleError(26, "missing or invalid session ID")
    sid, serial = int(match[1]), int(match[2])
    other = session.database.sessions.get(sid)
    if other is not None and other.serial == serial:
        return other
    process = session.database.processes.find(sid, serial)
    if session.database.capture_sessions.has(sid, serial):
        raise OracleError(29, "session is not a user session")
    if process is None:
        raise OracleError(30, "User session ID does not exist.")
    return process


async def _kill(session: Session, cursor: Cursor, *, options: tuple[str, ...]) -> None:
    target = _find_session(session, cursor.string())
    while cursor.take(*options):
        pass
    if target is session:
        raise OracleError(27, "cannot kill current session")
    if isinstance(target, Process):
        await session.database.processes.kill(target)
    else:
        await session.database.end_session(target)
