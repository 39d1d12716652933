"""Dump files of runs that have ended without dropping them: killed, deleted from Airflow, abandoned.

Who has taken the target over drops them: a former run may not load any more, so they are of no use, and they
hold unmasked rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.session import rows
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.transport import statements
from oracle_refresh.transport.dump_files import drop_dumps

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition


@dataclass(frozen=True)
class FormerDumps:
    """What became of the dump files of former runs, in words.

    :ivar removed: what was removed, a sentence for each run that had left something.
    :ivar left: what is still there and could not be removed, or lies where this definition does not lead to.
    """

    removed: tuple[str, ...]
    left: tuple[str, ...]


def runs_with_dumps(target: oracledb.Connection) -> list[str]:
    """All runs that may have dump files: nobody has looked since their last export whether they are gone."""
    documents = Documents(target, "")
    if not documents.exists():
        return []
    ensure_ledger(target)
    return [run_id for (run_id,) in rows(target, statements.RUNS_WITH_DUMPS, kind=JOB.name)]


def drop_former_dumps(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> FormerDumps:
    """Drop those of all runs but this one, which holds the target. May be repeated."""
    removed: list[str] = []
    left: list[str] = []
    for other in runs_with_dumps(target):
        if other == run_id:
            continue
        try:
            dropped = drop_dumps(source, target, definition, other)
        except RefreshError as error:
            left.append(f"run {other}: {error}")
            continue
        if named := [*(f"job {name}" for name in dropped.jobs), *dropped.files]:
            removed.append(f"run {other}: {', '.join(named)}")
        left += [f"run {other}: {check.detail}" for check in dropped.checks if not check.holds]
    return FormerDumps(tuple(removed), tuple(left))
