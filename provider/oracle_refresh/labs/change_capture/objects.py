"""Own tables, queue, capture and apply to try settings on: made, and removed to the last.

Everything belongs to the connection's user and is named after one prefix. The tables carry a comment; what
has no such table beside it is somebody else's and is never touched. Making it begins with removing what a
killed run has left, and each removal asks first what is there: both are safe to repeat at any point.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName
from oracle_refresh.oracle.session import execute, rows, scalar, translated
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc import calls

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

STEP = "set up change capture"
MARK = "oracle_refresh: trials of change capture"
_LONGEST_PREFIX = 20

LOG_MODE = "SELECT LOG_MODE FROM V$DATABASE"
CONTAINERS = "SELECT CDB FROM V$DATABASE"
RELEASE = "SELECT VERSION FROM V$INSTANCE"
REPLICATION = "SELECT VALUE FROM V$PARAMETER WHERE NAME = 'enable_goldengate_replication'"
#: From this release on Streams, whose capture and apply the trials set up, is desupported: Upgrade Guide 19c.
DESUPPORTED_FROM = 19
BEGINNING = "SELECT SOURCE_DATABASE, START_SCN FROM DBA_CAPTURE WHERE CAPTURE_NAME = :name"
TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME IN (:source, :changes, :unrelated)"
COMMENT = "SELECT COMMENTS FROM USER_TAB_COMMENTS WHERE TABLE_NAME = :name"
CAPTURE = "SELECT STATUS FROM DBA_CAPTURE WHERE CAPTURE_NAME = :name"
APPLY = "SELECT STATUS FROM DBA_APPLY WHERE APPLY_NAME = :name"
QUEUE = "SELECT NAME FROM DBA_QUEUES WHERE OWNER = :owner AND NAME = :name"
COLUMNS = """\
  ID NUMBER(12) NOT NULL, TRIAL NUMBER(6) NOT NULL, OWNER VARCHAR2(128), OBJECT_NAME VARCHAR2(128),
  OBJECT_TYPE VARCHAR2(30), CREATED DATE, STATUS VARCHAR2(10), NOTE VARCHAR2(200)"""


@dataclass(frozen=True)
class TrialObjects(Jsonable):
    """The names of everything that trials need, for one user and prefix.

    :raises TuningError: if the prefix leaves no room for the names.
    """

    owner: str
    prefix: str

    def __post_init__(self) -> None:
        Identifier(self.owner)
        if len(self.prefix) > _LONGEST_PREFIX or Identifier.parse(self.prefix).name != self.prefix:
            raise TuningError(
                f"{self.prefix!r} is no prefix of names: up to {_LONGEST_PREFIX} capital letters, digits, _",
                step=STEP,
            )

    @property
    def source(self) -> TableName:
        return TableName(self.owner, f"{self.prefix}_ROWS")

    @property
    def changes(self) -> TableName:
        return TableName(self.owner, f"{self.prefix}_CHANGES")

    @property
    def unrelated(self) -> TableName:
        """A table that nothing captures."""
        return TableName(self.owner, f"{self.prefix}_OTHER")

    @property
    def queue(self) -> ObjectName:
        return ObjectName(self.owner, f"{self.prefix}_QUEUE")

    @property
    def queue_table(self) -> TableName:
        return TableName(self.owner, f"{self.prefix}_QT")

    @property
    def capture(self) -> str:
        return f"{self.prefix}_CAPTURE"

    @property
    def apply(self) -> str:
        return f"{self.prefix}_APPLY"


OBJECTS: Kind[TrialObjects] = Kind("cdc ground", TrialObjects)

#: A statement: which object it is about, its text, its binds.
Statement = tuple[str, str, dict[str, Any]]


def require_capture(connection: oracledb.Connection) -> None:
    """Whether this database can capture its own changes at all, as far as no restart mends it. Reads only.

    :raises TuningError: in a container database, or without ENABLE_GOLDENGATE_REPLICATION.
    """
    with translated(STEP, kind=TuningError):
        containers, replication = scalar(connection, CONTAINERS), scalar(connection, REPLICATION)
        version = str(scalar(connection, RELEASE))
    if containers == "YES":
        raise TuningError(
            "the trials set up a capture and an apply of their own, which a container database refuses, in"
            " its root as in a pluggable database",
            codes=["ORA-26932"],
            step=STEP,
            remedy="make the trials in a database without containers; what XStream or GoldenGate capture in"
            " the CDB's root is judged by DiagnoseCapture and set by TuneCapture",
        )
    if str(replication).upper() != "TRUE":
        raise TuningError(
            "the initialization parameter ENABLE_GOLDENGATE_REPLICATION is not TRUE",
            codes=["ORA-26947"],
            step=STEP,
            remedy="as a DBA: ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE, which takes a licence of"
            " Oracle GoldenGate",
        )
    if int(version.split(".")[0]) >= DESUPPORTED_FROM:
        log.warning(
            "Oracle Streams is desupported from 19c on: the trials use its capture and apply on %s", version
        )


def set_up(connection: oracledb.Connection, objects: TrialObjects) -> None:
    """Make everything; capture and apply are not started.

    :raises TuningError: in NOARCHIVELOG mode, or if something of these names is not ours.
    """
    with translated(STEP, kind=TuningError):
        log_mode = scalar(connection, LOG_MODE)
    if log_mode == "NOARCHIVELOG":
        raise TuningError(
            "changes are captured from archived redo, but the database is in NOARCHIVELOG mode",
            codes=["ORA-00258"],
            object_name=objects.capture,
            step=STEP,
            remedy="as SYSDBA: SHUTDOWN IMMEDIATE, STARTUP MOUNT, ALTER DATABASE ARCHIVELOG,"
            " ALTER DATABASE OPEN",
        )
    remove(connection, objects)
    _send(connection, _creation(objects))
    with translated(STEP, kind=TuningError):
        ((database, scn),) = rows(connection, BEGINNING, name=objects.capture)
    # The tables were empty when capture began: every change from then on is to be applied.
    binds = {"table_name": objects.source.key, "database_name": database, "scn": scn}
    _send(connection, [(objects.source.name, calls.SET_INSTANTIATION_SCN, binds)])


def _creation(objects: TrialObjects) -> Iterator[Statement]:
    source, changes, queue = objects.source, objects.changes, objects.queue.key
    capture, apply = objects.capture, objects.apply
    for table in (source, changes, objects.unrelated):
        more = ", COMMAND_TYPE$ VARCHAR2(10)" if table == changes else ""
        yield table.name, f"CREATE TABLE {table.sql} (\n{COLUMNS}{more})", {}
        # The comment is what removal looks for, so it comes right after the table.
        yield table.name, f"COMMENT ON TABLE {table.sql} IS '{MARK}'", {}
    key = Identifier(f"{source.name}_PK").sql
    yield source.name, f"ALTER TABLE {source.sql} ADD CONSTRAINT {key} PRIMARY KEY (ID)", {}
    yield source.name, f"ALTER TABLE {source.sql} ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS", {}
    queue_table = objects.queue_table.key
    yield objects.queue.name, calls.SET_UP_QUEUE, {"queue_table": queue_table, "queue_name": queue}
    yield capture, calls.CREATE_CAPTURE, {"queue_name": queue, "capture_name": capture}
    yield _rules(objects, "capture", capture)
    yield source.name, calls.PREPARE_TABLE, {"table_name": source.key}
    yield apply, calls.CREATE_APPLY, {"queue_name": queue, "apply_name": apply}
    yield _rules(objects, "apply", apply)
    handler = {"operation": "INSERT", "handler": f"{objects.prefix}_HANDLER"}
    tables = {"change_table": changes.key, "source_table": source.key}
    yield apply, calls.SET_CHANGE_HANDLER, {**tables, "apply_name": apply, **handler}


def _rules(objects: TrialObjects, kind: str, name: str) -> Statement:
    binds = {"streams_type": kind, "streams_name": name, "queue_name": objects.queue.key}
    return name, calls.ADD_TABLE_RULES, {"table_name": objects.source.key, **binds}


def remove(connection: oracledb.Connection, objects: TrialObjects) -> None:
    """Remove what is there of it.

    :raises TuningError: if a table of these names does not carry our mark.
    """
    tables = _own_tables(connection, objects)
    with translated(STEP, kind=TuningError):
        there = {
            "capture": scalar(connection, CAPTURE, name=objects.capture),
            "apply": scalar(connection, APPLY, name=objects.apply),
            "queue": scalar(connection, QUEUE, owner=objects.owner, name=objects.queue.name),
        }
    if objects.source.name not in tables and any(there.values()):
        name = next(kind for kind, state in there.items() if state)
        raise _foreign(f"there is a {name} of such a name that no trial has made", objects.prefix)
    _send(connection, _removal(objects, there, tables))


def _removal(objects: TrialObjects, there: dict[str, str | None], tables: set[str]) -> Iterator[Statement]:
    capture, apply = {"capture_name": objects.capture}, {"apply_name": objects.apply}
    if there["capture"] == "ENABLED":
        yield objects.capture, calls.STOP_CAPTURE, capture
    if there["capture"]:
        yield objects.capture, calls.DROP_CAPTURE, capture
    if there["apply"] == "ENABLED":
        yield objects.apply, calls.STOP_APPLY, apply
    if there["apply"]:
        yield objects.apply, calls.DROP_APPLY, apply
    if there["queue"]:
        yield objects.queue.name, calls.REMOVE_QUEUE, {"queue_name": objects.queue.key}
    # The source table last: it is what makes the rest ours.
    for table in (objects.unrelated, objects.changes, objects.source):
        if table.name in tables:
            yield table.name, f"DROP TABLE {table.sql} PURGE", {}


def _own_tables(connection: oracledb.Connection, objects: TrialObjects) -> set[str]:
    tables = {"source": objects.source, "changes": objects.changes, "unrelated": objects.unrelated}
    names = {bind: table.name for bind, table in tables.items()}
    with translated(STEP, kind=TuningError):
        present = {str(name) for (name,) in rows(connection, TABLES, **names)}
        for table in tables.values():
            # A table that a killed set-up has left between CREATE and COMMENT is empty.
            if (
                table.name in present
                and scalar(connection, COMMENT, name=table.name) != MARK
                and scalar(connection, f"SELECT 1 FROM {table.sql} WHERE ROWNUM = 1")
            ):
                raise _foreign("there is a table of this name that no trial has made", table.name)
    return present


def _foreign(message: str, name: str) -> TuningError:
    return TuningError(message, object_name=name, step=STEP, remedy="choose another prefix")


def _send(connection: oracledb.Connection, statements: Iterable[Statement]) -> None:
    for object_name, statement, binds in statements:
        with translated(STEP, object_name, TuningError):
            execute(connection, statement, **binds)
