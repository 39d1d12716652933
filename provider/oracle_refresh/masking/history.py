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
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import MaskingError, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, execute_tolerating, row, rows, scalar, translated
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table

STEP = "close history"
log = logging.getLogger(__name__)
CURRENT_SCN = "SELECT CURRENT_SCN FROM V$DATABASE"
#: A composite partition is moved by its subpartitions (ORA-14257).
PARTS = """\
SELECT 'PARTITION', P.PARTITION_NAME FROM DBA_TAB_PARTITIONS P
WHERE P.TABLE_OWNER = :owner AND P.TABLE_NAME = :name AND P.COMPOSITE = 'NO'
UNION ALL SELECT 'SUBPARTITION', S.SUBPARTITION_NAME FROM DBA_TAB_SUBPARTITIONS S
WHERE S.TABLE_OWNER = :owner AND S.TABLE_NAME = :name"""
#: The table has changed since, or its undo is gone.
UNREADABLE = {"ORA-01466", "ORA-01555", "ORA-08180", "ORA-08181"}
_NOT_THERE = "ORA-02443"
_LARGE = ("CLOB", "NCLOB", "BLOB", "BFILE", "LONG", "LONG RAW", "XMLTYPE", "JSON")


@dataclass(frozen=True)
class BeforeMasking(Jsonable):
    """An SCN at which a table was not masked yet."""

    owner: str
    name: str
    scn: int


BEFORE: Kind[BeforeMasking] = Kind("before masking", BeforeMasking)


def current_scn(connection: oracledb.Connection) -> int:
    return int(scalar(connection, CURRENT_SCN) or 0)


def statements(table: Table) -> tuple[str, str]:
    """Adds the constraint, and drops it. It is not checked against the rows, since every row fulfils it."""
    plain = (
        column
        for column in table.columns
        if column.data_type.upper() not in _LARGE and column.type_owner is None  # constraint, "Restrictions"
    )
    column = Identifier(next(plain, table.columns[0]).name).sql
    name = f'"REFRESH$H_{hashlib.sha256(table.key.encode()).hexdigest()[:16].upper()}"'
    always = f"({column} IS NULL OR {column} IS NOT NULL)"
    return (
        f"ALTER TABLE {table.sql} ADD CONSTRAINT {name} CHECK {always} ENABLE NOVALIDATE",
        f"ALTER TABLE {table.sql} DROP CONSTRAINT {name}",
    )


def moves(table: Table, parts: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Give the table new segments; none where it cannot be moved (SQL Language Reference 19c, ALTER TABLE,
    "Restrictions on Moving Tables" and "Restrictions on Altering Temporary Tables"): LONG columns, clusters.

    :param parts: what it consists of on the target, each as PARTITION or SUBPARTITION and its name there.
    """
    if table.has_long or table.clustered or table.temporary:
        return ()
    named = tuple(f"ALTER TABLE {table.sql} MOVE {kind} {Identifier(name).sql}" for kind, name in parts)
    return named if table.partitions else (f"ALTER TABLE {table.sql} MOVE",)


def parts_of(connection: oracledb.Connection, table: Table) -> list[tuple[str, str]]:
    """What a partitioned table consists of here: what rows have made bears names of this database."""
    if not table.partitions:
        return []
    return [(kind, name) for kind, name in rows(connection, PARTS, owner=table.owner, name=table.name)]


def close(connection: oracledb.Connection, table: Table) -> None:
    """Let no query look at the table's rows as they have been until now. DDL commits.

    Safe to repeat: a constraint that a killed call left is dropped first. Indexes are built after the
    masking, so that a table that has to be moved has none that would become unusable.

    :raises MaskingError: when the table cannot be changed, or its rows are to be seen whatever is done.
    """
    add, drop = statements(table)
    with translated(STEP, table.key, MaskingError):
        before = current_scn(connection)
        execute_tolerating(connection, {_NOT_THERE}, drop)
        execute(connection, add)
        execute(connection, drop)
        if not readable(connection, table.sql, before):
            return
        log.info("a constraint does not hide the former rows of %s: it is moved", table.key)
        for statement in moves(table, parts_of(connection, table)):
            execute(connection, statement)
        if readable(connection, table.sql, before):
            raise MaskingError(
                "AS OF SCN still shows the rows as they were before the masking",
                object_name=table.key,
                step=STEP,
                remedy="keep the target in quarantine until its undo has expired (UNDO_RETENTION), or"
                " let a DBA replace its undo tablespace; then clear this task",
            )


def readable(connection: oracledb.Connection, table: str, scn: int) -> bool:
    """Whether a flashback query finds rows of a table (as statements name it) as of `scn`.

    Needs FLASHBACK on the table, as its owner has it.
    """
    try:
        return row(connection, f"SELECT 1 FROM {table} AS OF SCN :scn WHERE ROWNUM = 1", scn=scn) is not None
    except Exception as error:
        if UNREADABLE.isdisjoint(oracle_codes(error)):
            raise
        return False
