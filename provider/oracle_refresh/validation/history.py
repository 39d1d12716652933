"""That nobody can look back at the rows of the masked tables as they were before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from oracle_refresh.masking.history import readable
from oracle_refresh.oracle.identifiers import qualified, table_key
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb


def check_history(target: oracledb.Connection, masked: Mapping[tuple[str, str], int]) -> Verdict:
    """:param masked: the masked tables, each with an SCN of the target at which it was not masked yet."""
    found = [
        table_key(*table) for table, scn in sorted(masked.items()) if readable(target, qualified(*table), scn)
    ]
    detail = (
        f"AS OF SCN still shows the originals of {', '.join(found[:10])}"
        if found
        else f"AS OF SCN shows no originals of {len(masked)} masked tables"
    )
    return Verdict("history", "-", "flashback queries before the masking", not found, detail)
