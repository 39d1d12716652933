"""AS OF SCN: whether the tables of a query are still those of its snapshot."""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.session.backend import Backend

# What PostgreSQL has locked for the prepared statement are the tables that it reads, through views as well.
# Catalog rows are those of the snapshot, functions look at the present.
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
SELECT 1 FROM now_read r LEFT JOIN pg_class c ON c.oid = r.oid
WHERE (c.oid IS NULL AND pg_get_indexdef(r.oid) IS NULL)
   OR (c.relkind IN ('r', 'm') AND pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode)
LIMIT 1
"""


async def check_unchanged(backend: Backend) -> None:
    """TRUNCATE and DDL that rewrites a table take effect for old snapshots as well.

    So do partitions that came or went. Oracle does not read across them either: raises ORA-01466.
    """
    if (await backend.script(_CHANGED))[0].ntuples:
        raise OracleError(1466, "unable to read data - table definition has changed")
