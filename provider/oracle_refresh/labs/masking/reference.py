"""The published series that this benchmark repeats.

"Delphix Masking Best Practices for Performance on Oracle VDBs", part 2 of 3 (2019): 5 masking jobs of 5
tables each, 1 million rows and 9 masked columns per table (secure lookup, date shift), masked in place, on
cold hard disks. Its baseline is ARCHIVELOG, 3 redo logs of 50 MB and commits that wait. What "improvement" it
means, time saved or rows per second gained, it does not say; here it is compared with the time saved.
"""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "25 million rows, cold HDD (2019)"


@dataclass(frozen=True)
class Published:
    """Per cent of improvement, lowest and highest; both 0 where none is claimed."""

    low: float
    high: float
    claim: str

    def __str__(self) -> str:
        if not self.high:
            return "none"
        return f"{self.low:g} %" if self.low == self.high else f"{self.low:g} to {self.high:g} %"


#: By the name of the switch, as definitions call it.
PUBLISHED = {
    "noarchivelog": Published(30, 35, "NOARCHIVELOG instead of ARCHIVELOG"),
    "redo": Published(20, 20, "redo logs of 1024 MB instead of 50 MB"),
    "commit": Published(15, 25, "COMMIT_WAIT = NOWAIT"),
    "undo": Published(0, 0, "larger undo with RETENTION GUARANTEE: against ORA-01555, not for speed"),
    "redo_sizes 1 GB": Published(20, 20, "redo logs of 1024 MB instead of 50 MB"),
    "memory": Published(0, 0, "larger SGA and log buffer"),
    "all": Published(40, 50, "NOARCHIVELOG, redo logs of 1024 MB and COMMIT_WAIT = NOWAIT"),
}
