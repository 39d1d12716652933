"""The undo that masking takes on this instance, as the study's recipe has it. Pure.

"Delphix Masking Best Practices for Performance on Oracle VDBs", part 2 of 3 (2019), recommendation 4: an undo
tablespace of its own with RETENTION GUARANTEE, and UNDO_RETENTION of twice the longest masking job at least.
It has to hold what is written in that time: undo per second times the retention (Administrator's Guide 19c,
"Sizing a Fixed-Size Undo Tablespace").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.masking.model import Measurement
from oracle_refresh.tuning.statements import create_undo

#: Of V$SYSSTAT, in bytes.
UNDO_WRITTEN = "undo change vector size"
TIMES, LEAST_SECONDS = 2, 900
MEGABYTE = 1024**2
NEXT, TABLESPACE, FILE = 512 * MEGABYTE, "MASKING_UNDO", "/u01/oradata/masking_undo.dbf"


@dataclass(frozen=True)
class UndoRecipe(Jsonable):
    """What to set before tables like these are masked.

    :ivar longest_seconds: of the longest job of all trials.
    :ivar bytes_per_second: of undo, in the trial that wrote most; None where the database does not count it.
    """

    longest_seconds: float
    bytes_per_second: float | None

    @property
    def retention_seconds(self) -> int:
        return max(LEAST_SECONDS, math.ceil(TIMES * self.longest_seconds))

    @property
    def bytes(self) -> int | None:
        """What the tablespace holds when all of the retention is guaranteed."""
        return math.ceil(self.bytes_per_second * self.retention_seconds) if self.bytes_per_second else None

    @property
    def statements(self) -> tuple[str, ...]:
        """For each instance of a RAC, by a DBA; the file is an example. Without the tablespace where nobody
        knows how large it has to be."""
        retention = f"ALTER SYSTEM SET UNDO_RETENTION = {self.retention_seconds:d} SCOPE = BOTH"
        if self.bytes is None:
            return (retention,)
        size = max(NEXT, math.ceil(self.bytes / MEGABYTE) * MEGABYTE)
        return (
            create_undo(TABLESPACE, FILE, size, NEXT, 2 * size, guarantee=True),
            retention,
            f"ALTER SYSTEM SET UNDO_TABLESPACE = {TABLESPACE} SCOPE = BOTH",
        )


def undo_recipe(measurements: Sequence[Measurement]) -> UndoRecipe:
    """:param measurements: one at least."""
    written = [
        measured.statistics[UNDO_WRITTEN] / measured.seconds
        for measured in measurements
        if measured.statistics.get(UNDO_WRITTEN) and measured.seconds
    ]
    longest = max(max(measured.job_seconds, default=measured.seconds) for measured in measurements)
    return UndoRecipe(longest, max(written, default=None))
