"""PostgreSQL's settings that follow from Oracle's parameters, redo logs and logging mode.

Only what has a counterpart: the other parameters are kept and shown, and change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from psycopg import sql as pgsql

if TYPE_CHECKING:
    from localoracle.server.database import Database

MEGABYTE = 1 << 20
SMALLEST_WAL = 32 * MEGABYTE
"""PostgreSQL keeps at least two segments of 16 MB."""
LARGEST_WORK_AREA = 1 << 30
SMALLEST_WORK_AREA = "64kB"
PARALLEL_WORKERS = 8
"""PostgreSQL's max_worker_processes, which is not changed."""
FOLLOWED_PARAMETERS = ("pga_aggregate_target", "parallel_max_servers", "commit_wait")


def derived(
    parameters: Mapping[str, str | None],
    redo_bytes: int,
    *,
    force_logging: bool,
    temporary_is_full: bool = False,
) -> dict[str, str]:
    """PostgreSQL's settings, with units.

    max_wal_size: as much redo as the log groups hold is written between two checkpoints at most.
    work_mem: what one sort or hash join may use before it spills. wal_skip_threshold: above it, a table that
    was made in the same transaction is written to disk instead of the WAL, which FORCE LOGGING forbids.
    temp_file_limit: nothing, where the temporary tablespace is full; work areas are the smallest then.
    """
    work_area = min(int(parameters.get("pga_aggregate_target") or 0), LARGEST_WORK_AREA)
    workers = min(int(parameters.get("parallel_max_servers") or 0), PARALLEL_WORKERS)
    return {
        "max_wal_size": f"{max(redo_bytes, SMALLEST_WAL) // MEGABYTE}MB",
        "work_mem": SMALLEST_WORK_AREA if temporary_is_full else f"{max(work_area, MEGABYTE) // 1024}kB",
        "temp_file_limit": "0" if temporary_is_full else "-1",
        "max_parallel_workers": str(workers),
        "synchronous_commit": synchronous_commit(parameters.get("commit_wait")),
        "wal_skip_threshold": "2147483647kB" if force_logging else "2MB",
    }


def synchronous_commit(commit_wait: str | None) -> str:
    """Whether a commit waits until its redo is written: not with COMMIT_WAIT = NOWAIT."""
    return "off" if commit_wait == "NOWAIT" else "on"


async def apply(database: Database) -> None:
    """Bring PostgreSQL's settings in line; running sessions take them over with their next statement."""
    rows = await database.system(
        "SELECT name, value FROM localoracle.parameters WHERE name = ANY (%s)", [list(FOLLOWED_PARAMETERS)]
    )
    ((redo_bytes, force_logging),) = await database.system(
        "SELECT (SELECT sum(bytes) FROM localoracle.redo_logs),"
        " coalesce(localoracle.fact('force_logging') = 'YES', false)"
    )
    wanted = derived(
        dict(rows),
        int(redo_bytes),
        force_logging=force_logging,
        temporary_is_full=database.room.temporary_is_full,
    )
    changed = await database.system(
        "SELECT w.name, w.value FROM unnest(%s::text[], %s::text[]) w(name, value)"
        " LEFT JOIN pg_file_settings f ON f.name = w.name AND f.sourcefile ~ 'postgresql.auto.conf$'"
        " WHERE f.setting IS DISTINCT FROM w.value",
        [list(wanted), list(wanted.values())],
    )
    for name, value in changed:
        statement = pgsql.SQL("ALTER SYSTEM SET {} = {}").format(pgsql.Identifier(name), pgsql.Literal(value))
        await database.system(statement.as_string())
    if changed:
        await database.system("SELECT pg_reload_conf()")
    database.synchronous_commit = wanted["synchronous_commit"] == "on"
