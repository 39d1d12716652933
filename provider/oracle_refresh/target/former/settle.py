"""What becomes of the former tables when a run ends: they are dropped when everything is proven, and put back
otherwise. Decided once; a repeated call goes on with what was decided."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.spread import Connect
from oracle_refresh.plan.model import JOB, TABLE_PLAN
from oracle_refresh.plan.storage import planned_catalogue
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.former.aside import drop_former, put_back, recorded
from oracle_refresh.target.former.model import FORMER_TABLE
from oracle_refresh.target.former.state import (
    DROPPED,
    DROPPING,
    RETURNED,
    RETURNING,
    note,
    state,
    unsettled_runs,
)
from oracle_refresh.target.objects.build import SEQUENCE_STEP, TABLE_STEP, has_begun
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.grants import forget_present_grants
from oracle_refresh.target.objects.inventory_before import OBJECTS_BEFORE, check_against
from oracle_refresh.target.objects.statistics import forget_locks
from oracle_refresh.target.quarantine.closed import end_tries
from oracle_refresh.target.quarantine.statements import HOLDER_ITEM, HOLDER_STEP, RELEASED, WORKED_ON
from oracle_refresh.target.scripts import begun_scripts

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Settled(Jsonable):
    """What was done with the former tables.

    :ivar tables: how many there were.
    :ivar differences: what of the target is not as it was before, in words; after they were put back.
    :ivar scripts: those of the definition that had begun; what they have changed in accounts and in other
        tables stays after the former ones were put back.
    """

    outcome: Literal["dropped", "put back"]
    tables: int
    differences: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


SETTLED: Kind[Settled] = Kind("former settled", Settled)


def sets_aside(ledger: Ledger, *, beside: bool) -> bool:
    """Whether there are former tables to be settled when the run ends: by what it has recorded, or by its
    definition (`beside`) as long as it has begun nothing. A run that began in another mode has none."""
    return recorded(ledger) or (beside and not has_begun(ledger))


def decide(ledger: Ledger, *, proven: bool) -> Literal["dropped", "put back"]:
    """What is to become of the former tables, by what was decided before, else by whether all is proven. From
    then on no task of a run whose former tables are put back may change the target."""
    now = state(ledger)
    if now in (RETURNING, RETURNED):
        return "put back"
    if now in (DROPPING, DROPPED):
        return "dropped"
    if proven:
        note(ledger, DROPPING)
        return "dropped"
    note(ledger, RETURNING)
    ledger.record(HOLDER_STEP, HOLDER_ITEM, RETURNING)
    return "put back"


def settle(
    target: oracledb.Connection,
    definition: TargetDefinition,
    ledger: Ledger,
    *,
    proven: bool,
    connect: Connect | None = None,
    progress: Progress = silent,
) -> Settled:
    """Drop the former tables, or put them back, and keep what was done. No job of the run loads any more.

    :raises PlanError: as `put_back`.
    """
    decide(ledger, proven=proven)
    return _settle(target, definition, ledger, connect, progress)


def _return_to_former(
    target: oracledb.Connection,
    definition: TargetDefinition,
    catalogue: Catalogue,
    ledger: Ledger,
    connect: Connect | None = None,
    progress: Progress = silent,
) -> Settled:
    """Put back what a run has set aside, and compare with what it was. A run that has recorded nothing has
    changed nothing either."""
    if not recorded(ledger):
        return Settled("put back", 0)
    documents = Documents(target, ledger.run_id)
    note(ledger, RETURNING)
    built = [TableName.parse(key) for key in ledger.states(TABLE_STEP)]
    lost = put_back(
        *(target, catalogue, built, ledger.states(SEQUENCE_STEP), ledger.run_id),
        sessions=definition.index_sessions,
        connect=connect,
        progress=progress,
    )
    compile_invalid(target, catalogue.schemas, definition.index_sessions, connect)
    before = documents.all(OBJECTS_BEFORE)
    present = read_catalogue(target, catalogue.schemas)
    differences = check_against(before, target, present, definition).differences if before else ()
    names = {
        *(table.full_name for table in catalogue.tables),
        *(sequence.full_name for sequence in catalogue.sequences),
        *(view.full_name for view in catalogue.views),
    }
    forget_present_grants(target, catalogue.schemas, names)
    forget_locks(ledger)
    return Settled(
        "put back",
        len(documents.all(FORMER_TABLE)),
        (*lost, *(str(each) for each in differences)),
        begun_scripts(ledger),
    )


def settle_former_runs(
    target: oracledb.Connection, definition: TargetDefinition, run_id: str, connect: Connect | None = None
) -> tuple[Settled, ...]:
    """End what other runs have set aside and were never asked to end: the caller holds the target now.

    :param definition: says how many tables at a time.
    """
    return tuple(
        _settle(target, definition, Ledger(target, other), connect)
        for other in unsettled_runs(target)
        if other != run_id
    )


def _settle(
    target: oracledb.Connection,
    definition: TargetDefinition,
    ledger: Ledger,
    connect: Connect | None,
    progress: Progress = silent,
) -> Settled:
    """Carry out what is decided; of a run that never decided, put back. What has come to its end is over: the
    target may have been released since, and hold what others have made."""
    documents = Documents(target, ledger.run_id)
    if state(ledger) in (RETURNED, DROPPED):
        return documents.get(SETTLED, WHOLE)
    end_tries(target, ledger.run_id)
    catalogue = planned_catalogue(documents)
    if state(ledger) == DROPPING:
        sessions = definition.index_sessions
        tables = drop_former(target, catalogue.schemas, ledger.run_id, sessions, connect)
        settled, end = Settled("dropped", tables), DROPPED
    else:
        settled = _return_to_former(target, definition, catalogue, ledger, connect, progress)
        end = RETURNED
    documents.put(SETTLED, WHOLE, settled)
    note(ledger, end)
    return settled


def unproven_former(target: oracledb.Connection, run_id: str) -> list[str]:
    """What stands against opening the target upon the former tables that a run has put back, in sentences:
    the run that has built or masked one of them last was never released, so its rows may be unmasked."""
    tables = [each.table.key for each in Documents(target, run_id).all(FORMER_TABLE)]
    binds = {"planned": TABLE_PLAN.name, "job": JOB.name, "run_id": run_id}
    last = {key: (other, held) for key, other, held in rows(target, WORKED_ON, **binds)}
    left: dict[str, list[str]] = defaultdict(list)
    for key in tables:
        other, held = last.get(key, (None, RELEASED))
        if held != RELEASED:
            left[other].append(key)
    return [
        f"the former tables are back, but run {other}, which has worked on {len(keys)} of them"
        f" ({', '.join(keys[:3])}), was never released"
        for other, keys in sorted(left.items())
    ]
