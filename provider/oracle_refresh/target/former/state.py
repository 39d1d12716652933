"""How far a run is with what it has set aside, in the ledger: whoever comes next goes on from there.

aside       recorded, and on its way aside, or there
returning   the new tables are dropped, the former ones put back
returned    the former tables have their names again, and the run cannot go on; what its scripts have changed
            in accounts and in other tables stays
dropping    everything is proven; the former tables go
dropped     they are gone
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.ledger import TABLE, Ledger

if TYPE_CHECKING:
    import oracledb

STEP = "former tables"
ASIDE, RETURNING, RETURNED, DROPPING, DROPPED = "aside", "returning", "returned", "dropping", "dropped"
#: They may hold unmasked rows, where the run before was not released.
UNSETTLED_STATES = (ASIDE, RETURNING, DROPPING)

#: Of what runs have aside. Of one that does not hold the target any more the task would refuse.
END_THEM = (
    "run the refresh again, which puts them back first; of the run that still holds the target it is enough"
    " to clear the task former_tables"
)

UNSETTLED = f"""\
SELECT RUN_ID FROM "{TABLE}"
WHERE STEP = '{STEP}' AND STATE IN ({", ".join(map(repr, UNSETTLED_STATES))}) ORDER BY STARTED_AT, RUN_ID"""
PUT_BACK = f"""SELECT RUN_ID FROM "{TABLE}" WHERE STEP = '{STEP}' AND STATE = '{RETURNED}'"""


def state(ledger: Ledger) -> str | None:
    """None where the run has set nothing aside."""
    return ledger.state(STEP, WHOLE)


def note(ledger: Ledger, now: str) -> None:
    ledger.record(STEP, WHOLE, now)


def require_not_returned(ledger: Ledger) -> None:
    """:raises PlanError: where the run has put the former tables back, or has begun to: loads and masks of it
    that are done already are gone, and what stands in their place is not its own."""
    if state(ledger) in (RETURNING, RETURNED):
        raise PlanError(
            "this run has put the former tables back, and its own are dropped",
            object_name=ledger.run_id,
            step=STEP,
            remedy="start a new run",
        )


def unsettled_runs(target: oracledb.Connection) -> list[str]:
    """The runs that have former tables aside, the oldest first."""
    return [str(run_id) for (run_id,) in rows(target, UNSETTLED)]


def require_settled(target: oracledb.Connection) -> None:
    """:raises PlanError: where runs have former tables aside: what stands in their place is not proven."""
    if runs := unsettled_runs(target):
        raise PlanError(
            f"refreshes have set tables aside and are not ended: {', '.join(runs[:10])}",
            object_name=runs[0],
            step=STEP,
            remedy=END_THEM,
        )


def returned_runs(target: oracledb.Connection) -> set[str]:
    """The runs that have put the former tables back: nothing that they have built is there any more."""
    return {str(run_id) for (run_id,) in rows(target, PUT_BACK)}
