"""The statements of the way back. Sources: SQL Language Reference 19c, ALTER TABLE ("RENAME TO", "Renaming a
Constraint"), ALTER INDEX and ALTER TRIGGER ("RENAME Clause"); Database Reference 19c, the views named.
"""

from __future__ import annotations

from oracle_refresh.oracle.identifiers import Identifier, ObjectName
from oracle_refresh.target.former.model import Renaming

TABLES = """\
SELECT OWNER, OBJECT_NAME, OBJECT_ID FROM DBA_OBJECTS
WHERE OWNER IN ({names}) AND OBJECT_TYPE = 'TABLE' AND SUBOBJECT_NAME IS NULL"""
OBJECTS = """\
SELECT OWNER, OBJECT_NAME, OBJECT_TYPE, OBJECT_ID FROM DBA_OBJECTS
WHERE OWNER IN ({names}) AND OBJECT_TYPE IN ('SEQUENCE', 'VIEW')"""
# Those that the database has named are unique without anybody's doing: SYS_C..., SYS_IL...
CONSTRAINTS = """\
SELECT OWNER, TABLE_NAME, CONSTRAINT_NAME FROM DBA_CONSTRAINTS
WHERE OWNER IN ({names}) AND GENERATED = 'USER NAME' AND CONSTRAINT_TYPE IN ('P', 'U', 'R', 'C')"""
INDEXES = """\
SELECT OWNER, INDEX_NAME, TABLE_OWNER, TABLE_NAME FROM DBA_INDEXES
WHERE TABLE_OWNER IN ({names}) AND GENERATED = 'N' AND INDEX_TYPE NOT IN ('LOB', 'CLUSTER')"""
TRIGGERS = """\
SELECT OWNER, TRIGGER_NAME, TABLE_OWNER, TABLE_NAME FROM DBA_TRIGGERS
WHERE TABLE_OWNER IN ({names}) AND BASE_OBJECT_TYPE = 'TABLE'"""
TRIGGERS_OF_VIEWS = """\
SELECT OWNER, TRIGGER_NAME, TABLE_OWNER, TABLE_NAME FROM DBA_TRIGGERS
WHERE TABLE_OWNER IN ({names}) AND BASE_OBJECT_TYPE = 'VIEW' ORDER BY OWNER, TRIGGER_NAME"""

RENAME_TABLE = "ALTER TABLE {table} RENAME TO {new}"
RENAME_CONSTRAINT = "ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}"
RENAME_INDEX = "ALTER INDEX {old} RENAME TO {new}"
RENAME_TRIGGER = "ALTER TRIGGER {old} RENAME TO {new}"
DROP_VIEW = "DROP VIEW {object}"


def rename(renaming: Renaming) -> str:
    """The statement that gives a table, or something that stands in it, another name."""
    new, member = Identifier(renaming.new).sql, renaming.member
    if member is None:
        return RENAME_TABLE.format(table=renaming.table.sql, new=new)
    if member.kind == "constraint":
        old = Identifier(member.name).sql
        return RENAME_CONSTRAINT.format(table=renaming.table.sql, old=old, new=new)
    form = RENAME_INDEX if member.kind == "index" else RENAME_TRIGGER
    return form.format(old=ObjectName(member.owner, member.name).sql, new=new)
