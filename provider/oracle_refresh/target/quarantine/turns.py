"""In which order runs come to a target: each claims it before it freezes the source, and waits while one that
has claimed it before is at work. An SCN that is taken while another run works on the target grows old, and
its dump files would be those of a former run to the one that is released next.

What keeps two runs apart that meet all the same is the holder (`holder.py`): this here only saves them from
meeting.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.oracle.session import rows
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.owner import OWNER
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.accounts import RELEASE


@dataclass(frozen=True)
class Claim:
    """A run that has claimed the target."""

    dag_id: str
    run_id: str


def claims_before(documents: Documents) -> list[Claim]:
    """The runs that have claimed the target before this one and may be at work on it, the first one first:
    all of them, where this one has not claimed it yet.

    One that has released the target is done with it, and so are those that had claimed it before it did.
    """
    if not documents.exists():
        return []
    found = rows(documents.connection, statements.CLAIMS, owner=OWNER.name, release=RELEASE.name, whole=WHOLE)
    runs = [run_id for run_id, _ in found]
    before = found[: runs.index(documents.run_id)] if documents.run_id in runs else found
    return [Claim(OWNER.from_text(document).dag, run_id) for run_id, document in before]
