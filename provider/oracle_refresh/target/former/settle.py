"""What becomes of the former tables when a run ends: they are dropped when everything is proven, and put back
otherwise. Decided once; a repeated call goes on with what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.spread import Connect
from oracle_refresh.plan.storage import planned_catalogue
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.former.aside import drop_former, put_back
from oracle_refresh.target.former.model import FORMER_TABLE
from oracle_refresh.target.former.state import (
    DROPPED,
    DROPPING,
    RETURNED,
    RETURNING,
    note,
    returned_runs,
    state,
    unsettled_runs,
)
from oracle_refresh.target.objects.build import TABLE_STEP
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.inventory_before import OBJECTS_BEFORE, check_against
from oracle_refresh.target.quarantine.accounts import never_released
from oracle_refresh.target.quarantine.statements import HOLDER_ITEM, HOLDER_STEP
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
    """Put back what a run has set aside, and compare with what it was."""
    documents = Documents(target, ledger.run_id)
    note(ledger, RETURNING)
    built = [TableName.parse(key) for key in ledger.states(TABLE_STEP)]
    lost = put_back(
        *(target, catalogue, built, ledger.run_id),
        sessions=definition.index_sessions,
        connect=connect,
        progress=progress,
    )
    compile_invalid(target, catalogue.schemas, definition.index_sessions, connect)
    before = documents.all(OBJECTS_BEFORE)
    present = read_catalogue(target, catalogue.schemas)
    differences = check_against(before, target, present, definition).differences if before else ()
    note(ledger, RETURNED)
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
    """Carry out what is decided; of a run that never decided, put back."""
    documents = Documents(target, ledger.run_id)
    catalogue = planned_catalogue(documents)
    if state(ledger) in (DROPPING, DROPPED):
        sessions = definition.index_sessions
        tables = drop_former(target, catalogue.schemas, ledger.run_id, sessions, connect)
        note(ledger, DROPPED)
        settled = Settled("dropped", tables)
    else:
        settled = _return_to_former(target, definition, catalogue, ledger, connect, progress)
    documents.put(SETTLED, WHOLE, settled)
    return settled


def unproven_former(target: oracledb.Connection, run_id: str) -> list[str]:
    """What stands against opening the target upon the former tables that a run has put back, in sentences: a
    run that was never released may have left them, with unmasked rows."""
    left = never_released(target) - returned_runs(target) - {run_id}
    return [
        f"the former tables are back, but run {other}, which has worked on them, was never released"
        for other in sorted(left)
    ]
