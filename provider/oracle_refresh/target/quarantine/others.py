"""Other refresh users of a target: the ledger stands in the schema of its user, and a target has one holder.

Two of them would each lock and unlock the accounts by a ledger of their own, and neither would see the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.statements import STEP

if TYPE_CHECKING:
    import oracledb

RELEASE_OTHER = (
    "wait until that run has released the target, or release it as that user: clear its release_target, or"
    " let a new run of its refresh succeed; use one refresh user for a target"
)


def held_by_others(connection: oracledb.Connection) -> list[tuple[str, str]]:
    """Refresh users and their runs that hold the target by another ledger than the connected user's."""
    owners = [owner for (owner,) in rows(connection, statements.OTHER_LEDGERS)]
    return [(owner, run_id) for owner in owners for (run_id,) in rows(connection, statements.held(owner))]


def require_no_others(connection: oracledb.Connection) -> None:
    """:raises QuarantineError: while a run of another refresh user holds the target."""
    others = held_by_others(connection)
    if others:
        owner, run_id = others[0]
        raise QuarantineError(
            f"run {run_id} of another refresh user, {owner}, holds the target",
            object_name=owner,
            step=STEP,
            remedy=RELEASE_OTHER,
        )
