"""Dump files of runs that have ended without dropping them: killed, deleted from Airflow, abandoned.

Who has taken the target over drops them: a former run may not load any more, so they are of no use, and they
hold unmasked rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.identity import DatabaseIdentity, identify
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.session import rows
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.transport import statements
from oracle_refresh.transport.dump_files import drop_dumps
from oracle_refresh.transport.places import Places

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition


@dataclass(frozen=True)
class FormerDumps:
    """What became of the dump files of former runs, in words.

    :ivar removed: what was removed, a sentence for each run that had left something.
    :ivar left: what is still there and could not be removed.
    :ivar elsewhere: runs whose files lie where this definition does not lead to.
    """

    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()


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
    found = FormerDumps()
    former = [other for other in runs_with_dumps(target) if other != run_id]
    here = identify(source) if former else None
    for other in former:
        assert here is not None
        if place := _elsewhere(target, definition, other, here):
            found = FormerDumps(found.removed, found.left, (*found.elsewhere, f"run {other}: {place}"))
            continue
        removed, left = _drop(source, target, definition, other)
        found = FormerDumps((*found.removed, *removed), (*found.left, *left), found.elsewhere)
    return found


def _drop(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[list[str], list[str]]:
    """What was removed of a run's, and what is left."""
    try:
        dropped = drop_dumps(source, target, definition, run_id)
    except RefreshError as error:
        return [], [f"run {run_id}: {error}"]
    named = [*(f"job {name}" for name in dropped.jobs), *dropped.files]
    removed = [f"run {run_id}: {', '.join(named)}"] if named else []
    return removed, [f"run {run_id}: {check.detail}" for check in dropped.checks if not check.holds]


def _elsewhere(
    target: oracledb.Connection, definition: RefreshDefinition, run_id: str, here: DatabaseIdentity
) -> str:
    """Where else a run's files lie; empty where the definition leads there."""
    frozen = Documents(target, run_id).find(FROZEN, WHOLE)
    if frozen is not None and not frozen.source.same_database(here):
        return f"it exported from {frozen.source.db_unique_name}, not from this source"
    entry = Ledger(target, run_id).entry(statements.DUMPS, WHOLE)
    if entry is None:
        return ""
    named = Places.of(definition).to_json()
    noted = {name: entry.detail.get(name) for name in ("source", "target", "mount")}
    if all(named[name] == place for name, place in noted.items()):
        return ""
    return f"in DIRECTORY {noted['source']} and {noted['target']}"
