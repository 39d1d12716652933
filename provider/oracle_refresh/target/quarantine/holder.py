"""Which run holds the target: the one that locked it last. A former run must not go on beside it.

Without this, a run that was thought dead could load unmasked rows into tables that its successor has
proven already, and that the successor's release then opens.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from oracle_refresh.datapump.job import own_jobs
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import execute, rows, scalar
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.others import require_no_others
from oracle_refresh.target.quarantine.statements import (
    HOLDER_ITEM,
    HOLDER_STEP,
    LOCKED,
    RELEASED,
    STEP,
)

if TYPE_CHECKING:
    import oracledb


def take(connection: oracledb.Connection, ledger: Ledger, own: Collection[str] = ()) -> None:
    """Make this run the holder. Repeating it does not win the target back from a later run.

    :param own: names of the run's own Data Pump jobs.
    :raises QuarantineError: while an import that is not the run's own is at work in the target, or a run of
        another refresh user holds it, or when another run has taken the target since.
    """
    ensure_ledger(connection)
    _require_no_imports(connection, own)
    require_no_others(connection)
    state = ledger.state(HOLDER_STEP, HOLDER_ITEM)
    if state != LOCKED:  # it keeps the time at which it was taken first
        ledger.record(HOLDER_STEP, HOLDER_ITEM, LOCKED, commit=False)
        if state is None:
            execute(connection, statements.AFTER_OTHERS, run_id=ledger.run_id)
        connection.commit()
        # A load that begins at this moment looks for the holder once more when its job is there: whatever
        # the order, one of the two sees the other.
        _require_no_imports(connection, own)
        _require_no_others_still(connection, ledger)
    require_holder(connection, ledger.run_id)


def _require_no_others_still(connection: oracledb.Connection, ledger: Ledger) -> None:
    """Of two users who take the target at the same moment at least one sees the other here, and gives it up:
    its note would keep the other out for ever."""
    try:
        require_no_others(connection)
    except QuarantineError:
        if not ledger.states(STEP):
            ledger.record(HOLDER_STEP, HOLDER_ITEM, RELEASED)
        raise


def _require_no_imports(connection: oracledb.Connection, own: Collection[str]) -> None:
    foreign = sorted(
        name
        for name, (operation, live) in own_jobs(connection).items()
        if live and operation == "IMPORT" and name not in own
    )
    if foreign:
        raise QuarantineError(
            f"imports of another run are at work in the target: {', '.join(foreign[:10])}",
            object_name=foreign[0],
            step=STEP,
            remedy="wait for their end, or stop them (DBMS_DATAPUMP.STOP_JOB), then clear this task",
        )


def held_by(connection: oracledb.Connection) -> str | None:
    """The run that has locked the target last; None where none ever did."""
    holder: str | None = scalar(connection, statements.HOLDER)
    return holder


def require_holder(connection: oracledb.Connection, run_id: str) -> None:
    """Pass while no other run has locked the target after this one; also where none ever did.

    :raises QuarantineError: naming the run that has.
    """
    holder = held_by(connection)
    if holder not in (None, run_id):
        raise QuarantineError(
            f"run {holder} has taken the target over; this run may not change it any more",
            object_name=run_id,
            step=STEP,
            remedy="leave the target to that run, or start a new run after it",
        )


def has_released(ledger: Ledger) -> bool:
    """Return whether the run has opened its target again and not locked it since."""
    return ledger.state(HOLDER_STEP, HOLDER_ITEM) == RELEASED


def built(connection: oracledb.Connection, run_id: str) -> list[tuple[str, str]]:
    """Tables (OWNER.NAME) by the runs that have built them: this one, and those that it took the target over
    from. What killed tasks of theirs have left is this run's to drop: nobody else goes on with it."""
    return [(other, key) for other, key in rows(connection, statements.BUILT, run_id=run_id)]


def unproven(connection: oracledb.Connection, run_id: str, proven: Collection[str]) -> list[str]:
    """What former runs have built and left under quarantine, and this run did not refresh: one sentence each.

    Their rows may be unmasked, so accounts that both runs locked have to stay locked.

    :param proven: keys (OWNER.NAME) of the tables that this run has refreshed and proven.
    """
    left = [row for row in rows(connection, statements.LEFT_BEHIND, run_id=run_id) if row[1] not in proven]
    if not left:
        return []
    present = {TableName(*row).key for row in rows(connection, statements.ALL_TABLES)}
    return [
        f"{key} was built by run {other}, which was never released: refresh it in this run, or drop it"
        for other, key in left
        if key in present
    ]
