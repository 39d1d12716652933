"""What other runs have masked of a table: no value is masked twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oracle_refresh.masking.chunked import PREPARED
from oracle_refresh.masking.control import STEP
from oracle_refresh.oracle.counting import listed
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.ledger import DONE, TABLE, Ledger, LedgerRow
from oracle_refresh.target.former.state import PUT_BACK, returned_runs
from oracle_refresh.target.objects.build import TABLE_STEP
from oracle_refresh.target.quarantine.statements import HOLDER_STEP

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table

#: Runs since whose hold of the target another one has built a table, and has not put the former one back.
#: Holders follow each other in the ledger whatever the clock does.
BUILT_SINCE = f"""\
SELECT DISTINCT M.RUN_ID FROM "{TABLE}" M
JOIN "{TABLE}" N ON N.STEP = M.STEP AND N.STARTED_AT > M.STARTED_AT
JOIN "{TABLE}" B ON B.RUN_ID = N.RUN_ID AND B.STEP = '{TABLE_STEP}' AND B.ITEM = :item AND B.STATE = '{DONE}'
WHERE M.STEP = '{HOLDER_STEP}' AND B.RUN_ID NOT IN ({PUT_BACK})"""


def masked_before(ledger: Ledger, table: str) -> LedgerRow | None:
    """What another run has noted of masking a table (OWNER.NAME), or of its first chunks, where no run has
    built it anew since. What a run has masked that put the former tables back is gone."""
    gone = returned_runs(ledger.connection)
    loaded = {run_id for (run_id,) in rows(ledger.connection, BUILT_SINCE, item=table)}
    for step, masked in ((STEP, "rows"), (PREPARED, "chunks")):
        for entry in ledger.elsewhere(step, table):
            if entry.state == DONE and entry.detail.get(masked) and entry.run_id not in loaded | gone:
                return entry
    return None


def require_unmasked(ledger: Ledger, tables: Iterable[Table]) -> None:
    """Of tables that are to be masked where they are.

    :raises MaskingError: naming those that another run has masked, and nobody has loaded again.
    """
    noted = ledger.latest_elsewhere(STEP).keys() | ledger.latest_elsewhere(PREPARED).keys()
    before = {
        table.key: entry.run_id
        for table in tables
        if table.key in noted and (entry := masked_before(ledger, table.key)) is not None
    }
    if before:
        raise MaskingError(
            "masked already, entirely or in part: "
            + listed([f"{key} by run {run_id}" for key, run_id in before.items()], "table"),
            step=STEP,
            remedy="take the clone anew: masking masked values would break their agreement with others",
        )
