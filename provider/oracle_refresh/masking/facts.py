"""What is known of a table before its masking is planned: its size, its repetition, what depends on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.masking import statements
from oracle_refresh.masking.compiler import may_repeat
from oracle_refresh.masking.strategy import SMALL_ROWS, Facts
from oracle_refresh.oracle.session import row, rows, scalar

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.plan import MaskPlan
    from oracle_refresh.masking.rules import ColumnRule
    from oracle_refresh.masking.strategy import Options

#: Its rows are in their keys' order and addressed by them: a masked key moves a row, its new value may be the
#: old one of a row that is not masked yet, and no ROWID column takes such an address (Data Types, UROWID).
INDEX_ORGANIZED = "an index-organized table is masked in one statement"
#: A column is taken to fill so many bytes at most: declared widths say little about long texts.
TYPICAL_BYTES = 40
ROW_BYTES = 120

TABLE_OBSTACLES = """\
SELECT PARTITIONED, IOT_TYPE, CLUSTER_NAME, NESTED, TEMPORARY FROM DBA_TABLES
WHERE OWNER = :owner AND TABLE_NAME = :name"""
BIGFILE = """\
SELECT S.BIGFILE FROM DBA_TABLES T JOIN DBA_TABLESPACES S ON S.TABLESPACE_NAME = T.TABLESPACE_NAME
WHERE T.OWNER = :owner AND T.TABLE_NAME = :name"""
COLUMN_OBSTACLES = """\
SELECT COLUMN_NAME FROM DBA_TAB_COLS
WHERE OWNER = :owner AND TABLE_NAME = :name
  AND (HIDDEN_COLUMN = 'YES' OR VIRTUAL_COLUMN = 'YES' OR IDENTITY_COLUMN = 'YES' OR DEFAULT_ON_NULL = 'YES'
    OR DATA_TYPE LIKE 'LONG%' OR DATA_TYPE_OWNER IS NOT NULL)
ORDER BY COLUMN_NAME"""
#: One row each: what it is, its name. A name in the table's own DDL is taken while the table is there: that
#: of a LOB segment (ORA-00955) or a log group (ORA-30567). Nobody can repeat a grant to oneself (ORA-01749).
#: What depends on a table that is renamed is invalid until it is used (SQL Language Reference 19c, RENAME).
DEPENDENT_OBSTACLES = """\
SELECT 'index', INDEX_NAME FROM DBA_INDEXES
WHERE TABLE_OWNER = :owner AND TABLE_NAME = :name AND INDEX_TYPE <> 'LOB'
UNION ALL SELECT 'constraint', CONSTRAINT_NAME FROM DBA_CONSTRAINTS
WHERE OWNER = :owner AND TABLE_NAME = :name AND CONSTRAINT_TYPE IN ('P', 'U', 'R', 'C')
UNION ALL SELECT 'trigger', TRIGGER_NAME FROM DBA_TRIGGERS
WHERE TABLE_OWNER = :owner AND TABLE_NAME = :name
UNION ALL SELECT 'policy', POLICY_NAME FROM DBA_POLICIES
WHERE OBJECT_OWNER = :owner AND OBJECT_NAME = :name
UNION ALL SELECT 'LOB segment with a name of its own', SEGMENT_NAME FROM DBA_LOBS
WHERE OWNER = :owner AND TABLE_NAME = :name AND SEGMENT_NAME NOT LIKE 'SYS!_LOB%' ESCAPE '!'
UNION ALL SELECT 'supplemental log group', LOG_GROUP_NAME FROM DBA_LOG_GROUPS
WHERE OWNER = :owner AND TABLE_NAME = :name AND GENERATED = 'USER NAME'
UNION ALL SELECT 'grant to', GRANTEE FROM DBA_TAB_PRIVS
WHERE OWNER = :owner AND TABLE_NAME = :name AND GRANTEE = USER
UNION ALL SELECT 'grant to', GRANTEE FROM DBA_COL_PRIVS
WHERE OWNER = :owner AND TABLE_NAME = :name AND GRANTEE = USER
UNION ALL SELECT LOWER(TYPE), NAME FROM DBA_DEPENDENCIES
WHERE REFERENCED_OWNER = :owner AND REFERENCED_NAME = :name AND REFERENCED_TYPE = 'TABLE'
  AND TYPE <> 'TRIGGER'
UNION ALL SELECT 'materialized view log', LOG_TABLE FROM DBA_MVIEW_LOGS
WHERE LOG_OWNER = :owner AND MASTER = :name"""


def read_facts(
    connection: oracledb.Connection,
    table: Table,
    rules: tuple[ColumnRule, ...],
    plan: MaskPlan,
    options: Options,
) -> Facts:
    """The facts about a table of the target; counts its rows.

    What depends on a small table decides nothing: it is not rewritten unless somebody asks for that.
    """
    counted = int(scalar(connection, statements.count(table.sql)) or 0)
    looked_at = counted >= SMALL_ROWS or options.strategy is not None
    sized = table.rows and table.bytes
    row_bytes = table.total_bytes / (table.rows or 1) if sized else ROW_BYTES
    masked = {rule.column for rule in rules}
    widths = {column.name: min(column.length, TYPICAL_BYTES) for column in table.columns}
    share = sum(widths[name] for name in masked if name in widths) / (sum(widths.values()) or 1)
    # LOBs that stay as they are would be copied, too.
    mapped = len({each.column for each in plan.maps})
    return Facts(
        rows=counted,
        row_bytes=row_bytes,
        masked_bytes=row_bytes * share,
        masked_columns=len(masked),
        columns=len(table.columns),
        maps=mapped,
        hashed=len([rule for rule in rules if may_repeat(rule) or rule.algorithm.keyed]) - mapped,
        obstacles=obstacles(connection, table) if looked_at else (),
        indivisible=INDEX_ORGANIZED if table.iot else "",
        degree=options.degree,
        chunk_bytes=options.chunk_bytes,
    )


def obstacles(connection: oracledb.Connection, table: Table) -> tuple[str, ...]:
    """Why a copy that takes the table's name would not be the same table."""
    names = {"owner": table.owner, "name": table.name}
    kept = row(connection, TABLE_OBSTACLES, **names)
    if kept is None:
        return ("the table is not in the dictionary",)
    kinds = ("partitioned", "index-organized", "clustered", "nested", "temporary")
    return (
        *(kind for kind, value in zip(kinds, kept, strict=True) if value not in (None, "NO", "N")),
        *(f"column {name} of a special kind" for (name,) in rows(connection, COLUMN_OBSTACLES, **names)),
        *(f"{kind} {name}" for kind, name in rows(connection, DEPENDENT_OBSTACLES, **names)),
    )


def in_bigfile_tablespace(connection: oracledb.Connection, table: Table) -> bool:
    """Whether the target keeps a table without partitions in a bigfile tablespace.

    The catalogue is the source's, and the target may have tablespaces of another kind: its rowids are to be
    taken apart by its own (PL/SQL Packages Reference 19c, DBMS_ROWID, `ts_type_in`).
    """
    return bool(scalar(connection, BIGFILE, owner=table.owner, name=table.name) == "YES")
