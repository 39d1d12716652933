"""Indexes set back to the degree and the logging that they have on the source, and looked at in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Table
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.index_clauses import takes_build_mode
from oracle_refresh.target.objects.index_states import IndexState, index_states
from oracle_refresh.target.objects.metadata import STEP, run

if TYPE_CHECKING:
    import oracledb


def settle(session: oracledb.Connection, name: ObjectName, wanted: IndexState | None) -> None:
    """Give an index the degree and the logging that it has on the source; NOPARALLEL LOGGING if unknown."""
    sql, key = name.sql, name.key
    degree = wanted.degree if wanted else "1"
    if degree == "DEFAULT":
        run(session, statements.PARALLEL_DEFAULT.format(index=sql), key)
    elif degree.isdigit() and int(degree) > 1:
        run(session, statements.PARALLEL.format(index=sql, degree=int(degree)), key)
    else:
        run(session, statements.NOPARALLEL.format(index=sql), key)
    unlogged = wanted is not None and wanted.logging == "NO"
    run(session, (statements.NOLOGGING if unlogged else statements.LOGGING).format(index=sql), key)


def settle_all(
    target: oracledb.Connection, table: Table, wanted: Mapping[ObjectName, IndexState]
) -> dict[ObjectName, IndexState]:
    """Find what is still in the mode it was built in: after a crash, or an index under a new name.

    :returns: the indexes of the target as they were found.
    """
    unaltered = {index.full_name for index in table.indexes if not takes_build_mode(table, index)}
    there = index_states(target, [table])[table.full_name]
    for name, present in () if table.temporary else there.items():
        if name in unaltered:
            continue
        goal = wanted.get(name)
        logging = (goal.logging if goal else None) or "YES"
        if present.degree != (goal.degree if goal else "1") or (present.logging or logging) != logging:
            settle(target, name, goal)
    return there


def require_usable(
    there: Mapping[ObjectName, IndexState], table: Table, wanted: Mapping[ObjectName, IndexState]
) -> None:
    broken = [name.key for name, present in there.items() if present.beyond(wanted.get(name)).broken]
    if broken:
        raise PlanError(
            f"unusable on the target: {', '.join(broken)}",
            codes=("ORA-01502",),
            object_name=table.key,
            step=STEP,
            remedy="see why, then clear this task: it rebuilds them",
        )
