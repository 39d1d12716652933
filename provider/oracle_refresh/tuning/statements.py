"""Every statement of the tuning. Sources: SQL Language Reference 19c, ALTER SYSTEM, ALTER DATABASE, CREATE,
ALTER and DROP TABLESPACE; Database Reference 19c, the view named in each.

Neither names nor values of parameters can be binds: names are checked against V$SYSTEM_PARAMETER before,
values are literals.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.oracle.identifiers import Identifier

DATABASE = """\
SELECT LOG_MODE, FLASHBACK_ON, FORCE_LOGGING, DATAGUARD_BROKER, CDB, SYS_CONTEXT('USERENV', 'CON_NAME')
FROM V$DATABASE"""
STANDBY_DESTINATIONS = """\
SELECT DEST_NAME FROM V$ARCHIVE_DEST WHERE TARGET = 'STANDBY' AND STATUS <> 'INACTIVE' ORDER BY DEST_ID"""
STANDBY_LOGS = "SELECT COUNT(*) FROM V$STANDBY_LOG"
GUARANTEED_RESTORE_POINTS = """\
SELECT NAME FROM V$RESTORE_POINT WHERE GUARANTEE_FLASHBACK_DATABASE = 'YES' ORDER BY NAME"""
INSTANCES = "SELECT INST_ID, INSTANCE_NAME, THREAD# FROM GV$INSTANCE ORDER BY INST_ID"
HOST = "SELECT STAT_NAME, VALUE FROM V$OSSTAT WHERE STAT_NAME IN ('NUM_CPUS', 'PHYSICAL_MEMORY_BYTES')"
SGA = "SELECT NAME, BYTES FROM V$SGAINFO WHERE NAME IN ('Maximum SGA Size', 'Granule Size')"
# A container's own value stands beside that of the whole CDB (CON_ID 0), and the root sees those of all: of
# rows with one name the last one holds for this session (Database Reference 19c, V$SYSTEM_PARAMETER).
_OF_CONTAINER = "CON_ID IN (0, TO_NUMBER(SYS_CONTEXT('USERENV', 'CON_ID')))"
PARAMETERS = f"""\
SELECT NAME, TYPE, VALUE, ISDEFAULT, ISSYS_MODIFIABLE, ISPDB_MODIFIABLE
FROM V$SYSTEM_PARAMETER WHERE {_OF_CONTAINER} ORDER BY CON_ID"""
MEMORY_VALUES = f"""\
SELECT INST_ID, NAME, VALUE FROM GV$SYSTEM_PARAMETER WHERE {_OF_CONTAINER} ORDER BY CON_ID"""
MEMORY_VALUE = f"""\
SELECT P.VALUE FROM GV$SYSTEM_PARAMETER P JOIN GV$INSTANCE I ON I.INST_ID = P.INST_ID
WHERE P.NAME = :name AND (:sid = '*' OR I.INSTANCE_NAME = :sid) AND P.{_OF_CONTAINER}
ORDER BY P.INST_ID, P.CON_ID DESC"""
SPFILE_VALUES = "SELECT NAME, SID, VALUE FROM V$SPPARAMETER WHERE ISSPECIFIED = 'TRUE' ORDER BY NAME, SID"
SPFILE_VALUE = """\
SELECT VALUE FROM V$SPPARAMETER WHERE NAME = :name AND SID = :sid AND ISSPECIFIED = 'TRUE'"""
VALID_VALUES = "SELECT NAME, VALUE FROM V$PARAMETER_VALID_VALUES ORDER BY NAME, ORDINAL"
REDO_GROUPS = """\
SELECT L.GROUP#, L.THREAD#, L.BYTES, L.STATUS, L.ARCHIVED, F.MEMBER
FROM V$LOG L JOIN V$LOGFILE F ON F.GROUP# = L.GROUP# AND F.TYPE = 'ONLINE'
ORDER BY L.GROUP#, F.MEMBER"""
OWN_THREAD = "SELECT THREAD# FROM V$INSTANCE"
UNDO_TABLESPACES = """\
SELECT T.TABLESPACE_NAME, T.RETENTION, SUM(F.BYTES),
       SUM(CASE WHEN F.AUTOEXTENSIBLE = 'YES' THEN F.MAXBYTES ELSE F.BYTES END), MIN(F.FILE_NAME)
FROM DBA_TABLESPACES T JOIN DBA_DATA_FILES F ON F.TABLESPACE_NAME = T.TABLESPACE_NAME
WHERE T.CONTENTS = 'UNDO' GROUP BY T.TABLESPACE_NAME, T.RETENTION ORDER BY T.TABLESPACE_NAME"""
# The name is that of a tablespace or of a group of them (Database Reference 19c, DBA_USERS). Those that take
# a further file come first.
TEMP_TABLESPACES = """\
SELECT T.TABLESPACE_NAME, T.BIGFILE FROM DBA_USERS U
LEFT JOIN DBA_TABLESPACE_GROUPS G ON G.GROUP_NAME = U.TEMPORARY_TABLESPACE
JOIN DBA_TABLESPACES T ON T.TABLESPACE_NAME = NVL(G.TABLESPACE_NAME, U.TEMPORARY_TABLESPACE)
WHERE U.USERNAME = SYS_CONTEXT('USERENV', 'SESSION_USER') ORDER BY T.BIGFILE, T.TABLESPACE_NAME"""
TEMP_FILES = """\
SELECT FILE_NAME, BYTES, CASE WHEN AUTOEXTENSIBLE = 'YES' THEN MAXBYTES ELSE BYTES END
FROM DBA_TEMP_FILES WHERE TABLESPACE_NAME = :name ORDER BY FILE_NAME"""
TABLESPACE = "SELECT COUNT(*) FROM DBA_TABLESPACES WHERE TABLESPACE_NAME = :name"
LOCAL_UNDO = "SELECT PROPERTY_VALUE FROM DATABASE_PROPERTIES WHERE PROPERTY_NAME = 'LOCAL_UNDO_ENABLED'"
PRIVILEGES = "SELECT PRIVILEGE FROM SESSION_PRIVS"
MODES = "SELECT FLASHBACK_ON, FORCE_LOGGING FROM V$DATABASE"

#: What is recorded has to be on disk before anything is changed, also while COMMIT_WAIT is NOWAIT here.
DURABLE_COMMITS = "ALTER SESSION SET COMMIT_WAIT = 'WAIT'"
SWITCH_LOG = "ALTER SYSTEM SWITCH LOGFILE"
CHECKPOINT = "ALTER SYSTEM CHECKPOINT GLOBAL"
#: A log switch in all enabled threads; only in ARCHIVELOG mode (ORA-00258).
SWITCH_ALL_THREADS = "ALTER SYSTEM ARCHIVE LOG CURRENT"


def set_parameter(name: str, value: str, scope: str, sid: str, deferred: bool = False) -> str:
    """`scope`: MEMORY, SPFILE or BOTH; `sid`: an instance, or * for all."""
    later = " DEFERRED" if deferred and scope != "SPFILE" else ""
    return f"ALTER SYSTEM SET {name} = {literal(value)}{later} SCOPE = {scope} SID = {literal(sid)}"


def reset_parameter(name: str, scope: str, sid: str) -> str:
    return f"ALTER SYSTEM RESET {name} SCOPE = {scope} SID = {literal(sid)}"


def add_redo(thread: int, group: int, members: Sequence[str], size: int) -> str:
    """REUSE: a group that was dropped has left its files. Without members Oracle names the files."""
    files = f" ({', '.join(map(literal, members))})" if members else ""
    reuse = " REUSE" if members else ""
    return f"ALTER DATABASE ADD LOGFILE THREAD {thread:d} GROUP {group:d}{files} SIZE {size:d}{reuse}"


def drop_redo(group: int) -> str:
    return f"ALTER DATABASE DROP LOGFILE GROUP {group:d}"


def create_undo(name: str, file: str, size: int, step: int, most: int, guarantee: bool) -> str:
    retention = "GUARANTEE" if guarantee else "NOGUARANTEE"
    return (
        f"CREATE BIGFILE UNDO TABLESPACE {Identifier(name).sql} DATAFILE {literal(file)} SIZE {size:d} REUSE"
        f" AUTOEXTEND ON NEXT {step:d} MAXSIZE {most:d} RETENTION {retention}"
    )


def drop_tablespace(name: str) -> str:
    return f"DROP TABLESPACE {Identifier(name).sql} INCLUDING CONTENTS AND DATAFILES"


def add_temp_file(tablespace: str, file: str, size: int) -> str:
    return f"ALTER TABLESPACE {Identifier(tablespace).sql} ADD TEMPFILE {literal(file)} SIZE {size:d} REUSE"


def drop_temp_file(file: str) -> str:
    return f"ALTER DATABASE TEMPFILE {literal(file)} DROP INCLUDING DATAFILES"


def force_logging(on: bool) -> str:
    return "ALTER DATABASE FORCE LOGGING" if on else "ALTER DATABASE NO FORCE LOGGING"


def flashback(on: bool) -> str:
    return f"ALTER DATABASE FLASHBACK {'ON' if on else 'OFF'}"


def literal(value: str) -> str:
    """A number as it is, everything else as a character literal."""
    return value if value.isascii() and value.isdigit() else "'" + value.replace("'", "''") + "'"
