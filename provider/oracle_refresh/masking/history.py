"""What flashback queries could still read of a masked table: its rows as they were before.

Undo holds the originals for as long as it is retained, and who may read a table may look back into it
(SELECT ... AS OF SCN). Oracle lets no query look across DDL that changes a table's structure: adding a
constraint makes its undo useless for that, and so does moving the table (Database Development Guide 19c,
"Using Oracle Flashback Technology"; ORA-01466). So each masked table is given a constraint that always holds,
which is taken away again. Whether that was enough is not taken for granted: it is tried at once, and the
table is moved where it was not.
"""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from oracle_refresh.errors import MaskingError, from_oracle, oracle_codes
from oracle_refresh.identifiers import Identifier

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table

STEP = "close history"
log = logging.getLogger(__name__)
#: Under which an SCN at which a table was not masked yet is kept in the run's store.
BEFORE = "before masking"
CURRENT_SCN = "SELECT CURRENT_SCN FROM V$DATABASE"
#: The table has changed since, or its undo is gone.
UNREADABLE = {"ORA-01466", "ORA-01555", "ORA-08180", "ORA-08181"}
_NOT_THERE = "ORA-02443"
_LARGE = ("CLOB", "NCLOB", "BLOB", "BFILE", "LONG", "LONG RAW", "XMLTYPE", "JSON")


def current_scn(connection: oracledb.Connection) -> int:
    with connection.cursor() as cursor:
        cursor.execute(CURRENT_SCN)
        (scn,) = cursor.fetchone() or (0,)
    return int(scn)


def statements(table: Table) -> tuple[str, str]:
    """Adds the constraint, and drops it. It is not checked against the rows, since every row fulfils it."""
    plain = (column for column in table.columns if column.data_type.upper() not in _LARGE)
    column = Identifier(next(plain, table.columns[0]).name).sql
    name = f'"REFRESH$H_{hashlib.sha256(table.key.encode()).hexdigest()[:16].upper()}"'
    always = f"({column} IS NULL OR {column} IS NOT NULL)"
    return (
        f"ALTER TABLE {table.sql} ADD CONSTRAINT {name} CHECK {always} ENABLE NOVALIDATE",
        f"ALTER TABLE {table.sql} DROP CONSTRAINT {name}",
    )


def moves(table: Table) -> tuple[str, ...]:
    """Give the table new segments; none where it cannot be moved (SQL Language Reference 19c, ALTER TABLE,
    move_table_clause): LONG columns, clusters, partitions that have subpartitions."""
    if table.has_long or table.clustered or any(partition.composite for partition in table.partitions):
        return ()
    if not table.partitions:
        return (f"ALTER TABLE {table.sql} MOVE",)
    names = (Identifier(partition.name).sql for partition in table.partitions)
    return tuple(f"ALTER TABLE {table.sql} MOVE PARTITION {name}" for name in names)


def close(connection: oracledb.Connection, table: Table) -> None:
    """Let no query look at the table's rows as they have been until now. DDL commits.

    Safe to repeat: a constraint that a killed call left is dropped first. Indexes are built after the
    masking, so that a table that has to be moved has none that would become unusable.

    :raises MaskingError: when the table cannot be changed, or its rows are to be seen whatever is done.
    """
    add, drop = statements(table)
    try:
        before = current_scn(connection)
        with connection.cursor() as cursor:
            try:
                cursor.execute(drop)
            except Exception as error:
                if _NOT_THERE not in oracle_codes(error):
                    raise
            cursor.execute(add)
            cursor.execute(drop)
            if readable(connection, table.sql, before):
                log.info("a constraint does not hide the former rows of %s: it is moved", table.key)
                for statement in moves(table):
                    cursor.execute(statement)
                if readable(connection, table.sql, before):
                    raise MaskingError(
                        "AS OF SCN still shows the rows as they were before the masking",
                        object_name=table.key,
                        step=STEP,
                        remedy="keep the target in quarantine until its undo has expired (UNDO_RETENTION), or"
                        " let a DBA replace its undo tablespace; then clear this task",
                    )
    except MaskingError:
        raise
    except Exception as error:
        if not oracle_codes(error):
            raise
        raise from_oracle(error, STEP, table.key, MaskingError) from error


def readable(connection: oracledb.Connection, table: str, scn: int) -> bool:
    """Whether a flashback query finds rows of a table (as statements name it) as of `scn`.

    Needs FLASHBACK on the table, as its owner has it.
    """
    with connection.cursor() as cursor:
        try:
            cursor.execute(f"SELECT 1 FROM {table} AS OF SCN :scn WHERE ROWNUM = 1", scn=scn)
            return cursor.fetchone() is not None
        except Exception as error:
            if UNREADABLE.isdisjoint(oracle_codes(error)):
                raise
            return False
