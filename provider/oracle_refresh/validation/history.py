"""That nobody can look back at the rows of the masked tables as they were before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from oracle_refresh.masking.history import readable
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.oracle.identifiers import TableName


def check_history(target: oracledb.Connection, masked: Mapping[TableName, int]) -> Verdict:
    """:param masked: the masked tables, each with an SCN of the target at which it was not masked yet."""
    shown = [table.key for table, scn in sorted(masked.items()) if readable(target, table.sql, scn)]
    detail = (
        f"AS OF SCN still shows the originals of {', '.join(shown[:10])}"
        if shown
        else f"AS OF SCN shows no originals of {len(masked)} masked tables"
    )
    return Verdict("history", "-", "flashback queries before the masking", not shown, detail)
