"""In which order runs come to a target: each claims it before it freezes the source, and waits while one that
has claimed it before is at work. An SCN that is taken while another run works on the target grows old, and
its dump files would be those of a former run to the one that is released next.

A run that has failed and is cleared later meets those that have passed it meanwhile: they come first then,
and it waits for them before it takes the target. What keeps runs apart that meet all the same is the holder
(`holder.py`), which waits for nobody: this here saves them from meeting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.oracle.session import rows
from oracle_refresh.run import documents as stored
from oracle_refresh.run import ledger
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.owner import OWNER
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.accounts import RELEASE
from oracle_refresh.target.quarantine.statements import LOCKED

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Claim:
    """A run that has claimed the target."""

    dag_id: str
    run_id: str


def ahead_of(documents: Documents) -> list[Claim]:
    """The other runs that come before this one, if they are at work: who holds the target, and who has
    claimed it before, the first one first; all of them, where this one has not claimed it yet.

    One that has released the target is done with it, and so are those that had claimed it before it did.
    """
    if not stored.OWN.is_current(documents.connection):
        return []
    claims, own = _claims(documents)
    return [*_holding(documents), *claims[:own]]


def passed(documents: Documents) -> list[Claim]:
    """The other runs that come before this one when it takes the target: who holds it, and who has claimed it
    later and has frozen the source, which it could only while this run was not at work."""
    claims, own = _claims(documents)
    return [*_holding(documents), *(each for each in claims[own:] if _has_frozen(documents, each))]


def _claims(documents: Documents) -> tuple[list[Claim], int | None]:
    """Those of other runs in their order, and how many come before this run's, if it is among them."""
    found = rows(documents.connection, statements.CLAIMS, owner=OWNER.name, release=RELEASE.name, whole=WHOLE)
    runs = [run_id for run_id, _ in found]
    own = runs.index(documents.run_id) if documents.run_id in runs else None
    others = [(run_id, owner) for run_id, owner in found if run_id != documents.run_id]
    return [Claim(OWNER.from_text(owner).dag, run_id) for run_id, owner in others], own


def _holding(documents: Documents) -> Iterator[Claim]:
    """The run that holds the target, if another one does, and its DAG is known."""
    connection = documents.connection
    if not ledger.OWN.is_current(connection):
        return
    for run_id, state, _ in rows(connection, statements.HOLDING):
        owner = Documents(connection, run_id).find(OWNER, WHOLE)
        if run_id != documents.run_id and state == LOCKED and owner is not None:
            yield Claim(owner.dag, run_id)


def _has_frozen(documents: Documents, claim: Claim) -> bool:
    return Documents(documents.connection, claim.run_id).find(FROZEN, WHOLE) is not None
