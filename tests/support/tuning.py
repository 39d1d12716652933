"""Made-up instances, and what a database is like as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import oracledb

from oracle_refresh.catalog.identity import DatabaseIdentity
from oracle_refresh.tuning.instance import (
    Instance,
    OpenInstance,
    Parameter,
    RedoGroup,
    TempFile,
    TempSpace,
    UndoTablespace,
)
from oracle_refresh.tuning.records import Records, Session
from support.demo import DemoDatabase
from support.waiting import PATIENCE, until

GIGABYTE = 1 << 30


class Silent:
    """Progress that nobody wants to see."""

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        pass


def parameter(name: str, kind: int, value: str | None, **facts: Any) -> Parameter:
    given: dict[str, Any] = {
        "default": True,
        "modifiable": "IMMEDIATE",
        "in_pdb": True,
        "memory": {"ONE": value},
        **facts,
    }
    return Parameter(name, kind, value, **given)


def an_instance(**changes: Any) -> Instance:
    """A small single-instance database, with whatever is to be different about it."""
    parameters = (
        parameter("pga_aggregate_target", 6, str(GIGABYTE)),
        parameter("pga_aggregate_limit", 6, str(8 * GIGABYTE)),
        parameter("undo_retention", 3, "900"),
        parameter("undo_tablespace", 2, "UNDOTBS1"),
        parameter("commit_wait", 2, None),
        parameter("commit_logging", 2, None),
        parameter("db_block_checking", 2, "FALSE", valid=("OFF", "LOW", "MEDIUM", "FULL")),
        parameter("streams_pool_size", 6, "0", in_pdb=False),
        parameter("log_buffer", 6, "8388608", modifiable="FALSE", spfile={"*": "8388608"}),
        parameter("recyclebin", 2, "on", modifiable="DEFERRED"),
        parameter("deferred_segment_creation", 1, "TRUE"),
        parameter("spfile", 2, "/u01/spfile.ora", modifiable="FALSE"),
    )
    identity = DatabaseIdentity(
        1, 1, "ONE", "ONE", "ONE", None, "host", "19.0.0.0.0", "READ WRITE", "PRIMARY", "REFRESHER"
    )
    return replace(
        Instance(
            identity=identity,
            log_mode="NOARCHIVELOG",
            flashback_on="NO",
            force_logging="NO",
            broker="DISABLED",
            in_pdb=False,
            standby_destinations=(),
            standby_logs=0,
            guaranteed_restore_points=(),
            instances=(OpenInstance(1, "ONE", 1),),
            cpus=8,
            memory=64 * GIGABYTE,
            sga=16 * GIGABYTE,
            granule=16 << 20,
            local_undo=True,
            parameters={one.name: one for one in parameters},
            redo=tuple(RedoGroup(number, 1, 50 << 20, (f"/u01/redo{number}.log",)) for number in (1, 2, 3)),
            undo=(UndoTablespace("UNDOTBS1", False, GIGABYTE, 32 * GIGABYTE, "/u01/undo01.dbf"),),
            temp=TempSpace("TEMP", False, (TempFile("/u01/temp01.dbf", GIGABYTE, 32 * GIGABYTE),)),
            privileges=(
                *("ALTER DATABASE", "ALTER SYSTEM", "ALTER TABLESPACE"),
                *("CREATE TABLESPACE", "DROP TABLESPACE"),
            ),
        ),
        **changes,
    )


LOCK = "LOCK TABLE AT_WORK IN EXCLUSIVE MODE"


@dataclass(frozen=True)
class AtWork:
    """A session whose task is gone, and that has a statement to finish."""

    connection: oracledb.Connection
    session: Session
    database: DemoDatabase

    @contextmanager
    def call(self) -> Iterator[None]:
        """Inside, the session has a call that runs: it waits for a lock."""
        with (
            ThreadPoolExecutor(1) as pool,
            self.database.connect() as watching,
            self.database.connect() as holding,
        ):
            holding.cursor().execute(LOCK)
            working = pool.submit(self.connection.cursor().execute, LOCK)
            try:
                until(lambda: Records(watching).is_at_work(self.session), "for the session to be at work")
                yield
            finally:
                holding.rollback()
                working.result(PATIENCE)
            until(lambda: not Records(watching).is_at_work(self.session), "for the session to rest")


@contextmanager
def at_work(database: DemoDatabase) -> Iterator[AtWork]:
    """A session that can be set to work; what watches it sees it then."""
    with database.connect() as connection:
        connection.cursor().execute("CREATE TABLE AT_WORK (N NUMBER)")
        yield AtWork(connection, Records(connection).session, database)
        connection.rollback()
        connection.cursor().execute("DROP TABLE AT_WORK PURGE")


#: Everything that tuning may touch, as the dictionary shows it.
WHOLE = (
    "SELECT NAME, LOWER(VALUE) FROM V$SYSTEM_PARAMETER ORDER BY NAME",
    "SELECT NAME, SID, LOWER(VALUE) FROM V$SPPARAMETER WHERE ISSPECIFIED = 'TRUE' ORDER BY NAME, SID",
    "SELECT GROUP#, THREAD#, BYTES, MEMBERS FROM V$LOG ORDER BY GROUP#",
    "SELECT GROUP#, TYPE, MEMBER FROM V$LOGFILE ORDER BY MEMBER",
    "SELECT TABLESPACE_NAME, CONTENTS, RETENTION, BIGFILE, STATUS FROM DBA_TABLESPACES ORDER BY 1",
    "SELECT FILE_NAME, TABLESPACE_NAME, AUTOEXTENSIBLE, MAXBYTES FROM DBA_DATA_FILES ORDER BY 1",
    "SELECT FILE_NAME, TABLESPACE_NAME, BYTES, MAXBYTES FROM DBA_TEMP_FILES ORDER BY 1",
    "SELECT LOG_MODE, FLASHBACK_ON, FORCE_LOGGING FROM V$DATABASE",
)


def whole(connection: oracledb.Connection) -> dict[str, list[Any]]:
    """A full dump of parameters, logs, undo, temporary space and modes."""
    found = {}
    for query in WHOLE:
        with connection.cursor() as cursor:
            cursor.execute(query)
            found[query] = cursor.fetchall()
    return found
