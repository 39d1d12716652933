"""AS OF SCN: the snapshot of a query, and whether its tables are still those of the snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.postgres.backend import Backend
from localoracle.values import Value

if TYPE_CHECKING:
    from psycopg import pq

    from localoracle.server.database import Database
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

# What PostgreSQL has locked for the prepared statement are the tables that it reads, through views as well.
# Catalog rows are those of the snapshot, functions look at the present: what is locked and not there has been
# dropped by the statement itself. LATERAL with OFFSET: by the index of pg_class, of which all would be read,
# as PostgreSQL expects thousands of locks.
_CHANGED = """
WITH RECURSIVE read(oid) AS (
  SELECT relation FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation >= 16384
  UNION
  SELECT i.inhrelid FROM pg_inherits i JOIN read ON read.oid = i.inhparent
), now_read(oid) AS (
  SELECT oid FROM read
  UNION
  SELECT t.relid FROM read, pg_partition_tree(read.oid) AS t
)
SELECT r.oid,
       (c.oid IS NULL AND pg_get_indexdef(r.oid) IS NULL AND has_table_privilege(r.oid, 'SELECT') IS NOT NULL)
    OR (c.relkind IN ('r', 'm') AND pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode)
FROM now_read r
LEFT JOIN LATERAL (
  SELECT k.oid, k.relkind, k.relfilenode FROM pg_class k WHERE k.oid = r.oid OFFSET 0
) c ON true
"""
# An old snapshot does not show what was noted after it: another connection reads the notes.
_NOTED = "SELECT changed_by::text FROM localoracle.structure_changes WHERE relation = ANY(%s::oid[])"
_LATER = """
SELECT 1 FROM unnest(ARRAY[{}]::xid8[]) AS noted(xid)
WHERE NOT pg_visible_in_snapshot(xid, pg_current_snapshot())
"""


async def snapshot_name(session: Session, statement: Statement, values: Sequence[Value]) -> str:
    """PostgreSQL's name of the snapshot of the SCN that a statement names."""
    scn = statement.scn
    if isinstance(scn, tuple):
        value = values[scn[1]].value
        if value is None:
            raise OracleError(8182, "operation not supported while in Flashback mode")
        scn = int(value)
    assert scn is not None
    return await session.database.snapshots.snapshot(scn)


async def check_unchanged(database: Database, backend: Backend) -> None:
    """No query reads across TRUNCATE, DDL that rewrites a table, partitions that came or went, columns that
    were changed or dropped and constraints that were added (Oracle Database Development Guide 19c,
    "Using Oracle Flashback Technology"): raises ORA-01466.
    """
    rows = [row for result in await backend.script(_CHANGED) for row in _rows(result)]
    if any(changed == b"t" for _, changed in rows):
        raise _changed()
    noted = await database.system(_NOTED, [[int(relation) for relation, _ in rows]])
    if noted:
        later = await backend.script(_LATER.format(", ".join(f"'{xid}'" for (xid,) in noted)))
        if later[0].ntuples:
            raise _changed()


def _rows(result: pq.abc.PGresult) -> list[tuple[bytes, bytes | None]]:
    return [(result.get_value(row, 0) or b"", result.get_value(row, 1)) for row in range(result.ntuples)]


def _changed() -> OracleError:
    return OracleError(1466, "unable to read data - table definition has changed")
