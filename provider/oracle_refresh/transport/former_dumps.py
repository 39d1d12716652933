"""Dump files of runs that have ended without dropping them: killed, deleted from Airflow, abandoned.

Who has taken the target over drops them: a former run may not load any more, so they are of no use, and they
hold unmasked rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.session import rows
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
    ensure_ledger(target)
    return [run_id for (run_id,) in rows(target, statements.RUNS_WITH_DUMPS)]


def former_runs_with_dumps(target: oracledb.Connection, run_id: str) -> list[str]:
    """Those of them that this run, which holds the target, has come after: they may not load any more."""
    ensure_ledger(target)
    return [former for (former,) in rows(target, statements.FORMER_RUNS_WITH_DUMPS, run_id=run_id)]


def drop_former_dumps(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    runs: Iterable[str],
) -> FormerDumps:
    """Drop those of runs that will not go on. May be repeated."""
    removed: list[str] = []
    left: list[str] = []
    for run_id in runs:
        try:
            dropped = drop_dumps(source, target, definition, run_id)
        except RefreshError as error:
            left.append(f"run {run_id}: {error}")
            continue
        schemas = (f"schema {name}" for name in dropped.schemas)
        if named := [*(f"job {name}" for name in dropped.jobs), *dropped.files, *schemas]:
            removed.append(f"run {run_id}: {', '.join(named)}")
        left += [f"run {run_id}: {check.detail}" for check in dropped.checks if not check.holds]
    return FormerDumps(tuple(removed), tuple(left))
