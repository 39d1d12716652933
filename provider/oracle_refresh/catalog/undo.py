"""How long the database can still answer AS OF a past SCN. Source: Database Reference 19c, V$UNDOSTAT.

V$UNDOSTAT keeps ten-minute intervals of the last four days. TUNED_UNDORETENTION is for how many seconds
undo was kept in each; the least of them is what a refresh can count on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.rows import whole
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Undo(Jsonable):
    """The instance's undo, in seconds and counts of the recorded intervals."""

    retention_seconds: int
    """The parameter UNDO_RETENTION."""
    tuned_seconds: int | None = None
    """The least TUNED_UNDORETENTION; None where nothing was recorded."""
    longest_query_seconds: int = 0
    too_old: int = 0
    """Queries that failed with ORA-01555 (SSOLDERRCNT)."""
    no_space: int = 0
    """Transactions that found no undo space (NOSPACEERRCNT)."""

    @property
    def kept_seconds(self) -> int:
        """For how long a past SCN can be read, as far as V$UNDOSTAT shows."""
        return self.retention_seconds if self.tuned_seconds is None else self.tuned_seconds


def read_undo(connection: oracledb.Connection, retention_seconds: int) -> Undo:
    """Read V$UNDOSTAT; `retention_seconds` is the parameter UNDO_RETENTION."""
    ((tuned, longest, too_old, no_space),) = rows(connection, statements.UNDO)
    return Undo(retention_seconds, whole(tuned), int(longest or 0), int(too_old or 0), int(no_space or 0))
