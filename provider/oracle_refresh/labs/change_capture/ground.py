"""Own tables, queue, capture and apply to try settings on: made, and removed to the last.

Everything belongs to the connection's user and is named after one prefix. The tables carry a comment; what
has no such table beside it is somebody else's and is never touched. Making it begins with removing what a
killed run has left, and each removal asks first what is there: both are safe to repeat at any point.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.identifiers import Identifier, qualified
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc.execution import execute, fetch

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
class Ground(Jsonable):
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
    def source(self) -> str:
        return f"{self.prefix}_ROWS"

    @property
    def changes(self) -> str:
        return f"{self.prefix}_CHANGES"

    @property
    def unrelated(self) -> str:
        """A table that nothing captures."""
        return f"{self.prefix}_OTHER"

    @property
    def queue(self) -> str:
        return f"{self.prefix}_QUEUE"

    @property
    def queue_table(self) -> str:
        return f"{self.prefix}_QT"

    @property
    def capture(self) -> str:
        return f"{self.prefix}_CAPTURE"

    @property
    def apply(self) -> str:
        return f"{self.prefix}_APPLY"

    def qualified(self, table: str) -> str:
        return qualified(self.owner, table)

    def plain(self, name: str) -> str:
        """`OWNER.NAME` as the packages take it."""
        return f"{self.owner}.{name}"


GROUND: Kind[Ground] = Kind("cdc ground", Ground)


def require_capture(connection: oracledb.Connection) -> None:
    """Whether this database can capture its own changes at all, as far as no restart mends it. Reads only.

    :raises TuningError: in a container database, or without ENABLE_GOLDENGATE_REPLICATION.
    """
    ((containers,),) = fetch(connection, STEP, CONTAINERS)
    if containers == "YES":
        raise TuningError(
            "the trials set up a capture and an apply of their own, which a container database refuses, in"
            " its root as in a pluggable database",
            codes=["ORA-26932"],
            step=STEP,
            remedy="make the trials in a database without containers; what XStream or GoldenGate capture in"
            " the CDB's root is judged by DiagnoseCapture and set by TuneCapture",
        )
    replication = fetch(connection, STEP, REPLICATION)
    if not replication or str(replication[0][0]).upper() != "TRUE":
        raise TuningError(
            "the initialization parameter ENABLE_GOLDENGATE_REPLICATION is not TRUE",
            codes=["ORA-26947"],
            step=STEP,
            remedy="as a DBA: ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE, which takes a licence of"
            " Oracle GoldenGate",
        )
    ((version,),) = fetch(connection, STEP, RELEASE)
    if int(str(version).split(".")[0]) >= DESUPPORTED_FROM:
        log.warning(
            "Oracle Streams is desupported from 19c on: the trials use its capture and apply on %s", version
        )


def set_up(connection: oracledb.Connection, ground: Ground) -> None:
    """Make everything; capture and apply are not started.

    :raises TuningError: in NOARCHIVELOG mode, or if something of these names is not ours.
    """
    ((log_mode,),) = fetch(connection, STEP, LOG_MODE)
    if log_mode == "NOARCHIVELOG":
        raise TuningError(
            "changes are captured from archived redo, but the database is in NOARCHIVELOG mode",
            codes=["ORA-00258"],
            object_name=ground.capture,
            step=STEP,
            remedy="as SYSDBA: SHUTDOWN IMMEDIATE, STARTUP MOUNT, ALTER DATABASE ARCHIVELOG,"
            " ALTER DATABASE OPEN",
        )
    remove(connection, ground)
    queue, own = ground.plain(ground.queue), ground.plain
    for table in (ground.source, ground.changes, ground.unrelated):
        more = ", COMMAND_TYPE$ VARCHAR2(10)" if table == ground.changes else ""
        execute(connection, STEP, f"CREATE TABLE {ground.qualified(table)} (\n{COLUMNS}{more})", table)
        # The comment is what removal looks for, so it comes right after the table.
        execute(connection, STEP, f"COMMENT ON TABLE {ground.qualified(table)} IS '{MARK}'", table)
    execute(
        connection,
        STEP,
        f"ALTER TABLE {ground.qualified(ground.source)} ADD CONSTRAINT"
        f" {Identifier(ground.source + '_PK').sql} PRIMARY KEY (ID)",
        ground.source,
    )
    execute(
        connection,
        STEP,
        f"ALTER TABLE {ground.qualified(ground.source)} ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS",
        ground.source,
    )
    execute(
        connection,
        STEP,
        calls.SET_UP_QUEUE,
        ground.queue,
        queue_table=own(ground.queue_table),
        queue_name=queue,
    )
    execute(
        connection, STEP, calls.CREATE_CAPTURE, ground.capture, queue_name=queue, capture_name=ground.capture
    )
    _rules(connection, ground, "capture", ground.capture)
    execute(connection, STEP, calls.PREPARE_TABLE, ground.source, table_name=own(ground.source))
    execute(connection, STEP, calls.CREATE_APPLY, ground.apply, queue_name=queue, apply_name=ground.apply)
    _rules(connection, ground, "apply", ground.apply)
    execute(
        connection,
        STEP,
        calls.SET_CHANGE_HANDLER,
        ground.apply,
        change_table=own(ground.changes),
        source_table=own(ground.source),
        apply_name=ground.apply,
        operation="INSERT",
        handler=f"{ground.prefix}_HANDLER",
    )
    # The tables were empty when capture began: every change from then on is to be applied.
    ((database, scn),) = fetch(connection, STEP, BEGINNING, name=ground.capture)
    execute(
        connection,
        STEP,
        calls.SET_INSTANTIATION_SCN,
        ground.source,
        table_name=own(ground.source),
        database_name=database,
        scn=scn,
    )


def remove(connection: oracledb.Connection, ground: Ground) -> None:
    """Remove what is there of it.

    :raises TuningError: if a table of these names does not carry our mark.
    """
    tables = _own_tables(connection, ground)
    there = {
        "capture": fetch(connection, STEP, CAPTURE, name=ground.capture),
        "apply": fetch(connection, STEP, APPLY, name=ground.apply),
        "queue": fetch(connection, STEP, QUEUE, owner=ground.owner, name=ground.queue),
    }
    if ground.source not in tables and any(there.values()):
        name = next(kind for kind, rows in there.items() if rows)
        raise TuningError(
            f"there is a {name} of such a name that no trial has made",
            object_name=ground.prefix,
            step=STEP,
            remedy="choose another prefix",
        )
    if there["capture"]:
        if there["capture"][0][0] == "ENABLED":
            execute(connection, STEP, calls.STOP_CAPTURE, ground.capture, capture_name=ground.capture)
        execute(connection, STEP, calls.DROP_CAPTURE, ground.capture, capture_name=ground.capture)
    if there["apply"]:
        if there["apply"][0][0] == "ENABLED":
            execute(connection, STEP, calls.STOP_APPLY, ground.apply, apply_name=ground.apply)
        execute(connection, STEP, calls.DROP_APPLY, ground.apply, apply_name=ground.apply)
    if there["queue"]:
        execute(connection, STEP, calls.REMOVE_QUEUE, ground.queue, queue_name=ground.plain(ground.queue))
    # The source table last: it is what makes the rest ours.
    for table in (ground.unrelated, ground.changes, ground.source):
        if table in tables:
            execute(connection, STEP, f"DROP TABLE {ground.qualified(table)} PURGE", table)


def _own_tables(connection: oracledb.Connection, ground: Ground) -> set[str]:
    names = {"source": ground.source, "changes": ground.changes, "unrelated": ground.unrelated}
    found = {str(name) for (name,) in fetch(connection, STEP, TABLES, **names)}
    for name in found:
        rows = fetch(connection, STEP, COMMENT, name=name)
        # A table that a killed set-up has left between CREATE and COMMENT is empty.
        if (not rows or rows[0][0] != MARK) and fetch(
            connection, STEP, f"SELECT 1 FROM {ground.qualified(name)} WHERE ROWNUM = 1"
        ):
            raise TuningError(
                "there is a table of this name that no trial has made",
                object_name=name,
                step=STEP,
                remedy="choose another prefix",
            )
    return found


def _rules(connection: oracledb.Connection, ground: Ground, kind: str, name: str) -> None:
    execute(
        connection,
        STEP,
        calls.ADD_TABLE_RULES,
        name,
        table_name=ground.plain(ground.source),
        streams_type=kind,
        streams_name=name,
        queue_name=ground.plain(ground.queue),
    )
