"""What a trial of change capture is: how changes are made, what is set, what came out. No row data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError

Serialization = Literal["DEPENDENT_TRANSACTIONS", "FULL"]

#: Documented defaults of the apply process (PL/SQL Packages Reference 19c, DBMS_APPLY_ADM.SET_PARAMETER).
DEFAULT_PARALLELISM = 4
DEFAULT_SPILL_THRESHOLD = 10_000


@dataclass(frozen=True)
class Workload(Jsonable):
    """Rows that are inserted into the captured table, in transactions of equal size.

    :raises TuningError: for fewer than one row, or than one row in a transaction; for a marker of several.
    """

    rows: int
    rows_per_commit: int
    unrelated_rows: int = 0
    """Rows that go into a table that is not captured, before the others."""
    unrelated_rows_per_commit: int | None = None
    """None: all of them in one transaction."""
    marker: bool = False
    """Whether the one captured row is there only to be waited for: it says that what was written before it
    has been passed, and its rate says nothing."""

    def __post_init__(self) -> None:
        if not 1 <= self.rows_per_commit <= self.rows:
            raise TuningError(
                f"{self.rows} rows cannot be committed every {self.rows_per_commit}", step="change capture"
            )
        if self.unrelated_rows < 0 or (
            self.unrelated_rows_per_commit is not None
            and not 1 <= self.unrelated_rows_per_commit <= self.unrelated_rows
        ):
            raise TuningError(
                f"{self.unrelated_rows} unrelated rows, committed every {self.unrelated_rows_per_commit},"
                " cannot be",
                step="change capture",
            )
        if self.marker and self.rows != 1:
            raise TuningError(f"a marker is one row, not {self.rows}", step="change capture")

    @property
    def transactions(self) -> int:
        return math.ceil(self.rows / self.rows_per_commit)

    @property
    def changes(self) -> float:
        """Row changes of one transaction, on average."""
        return self.rows / self.transactions


@dataclass(frozen=True)
class Settings(Jsonable):
    """The parameters that decide where messages wait and who applies them.

    :raises TuningError: for values outside of what Oracle documents.
    """

    parallelism: int = DEFAULT_PARALLELISM
    txn_lcr_spill_threshold: int = DEFAULT_SPILL_THRESHOLD
    streams_pool_bytes: int = 0
    """0: the instance sizes the pool itself."""
    commit_serialization: Serialization = "DEPENDENT_TRANSACTIONS"

    def __post_init__(self) -> None:
        for name in ("parallelism", "txn_lcr_spill_threshold", "streams_pool_bytes"):
            least = 0 if name == "streams_pool_bytes" else 1
            if getattr(self, name) < least:
                raise TuningError(
                    f"{name} is {getattr(self, name)}; it is {least} at least", step="change capture"
                )


@dataclass(frozen=True)
class Scenario(Jsonable):
    """One cell of the grid: a workload under settings."""

    name: str
    workload: Workload
    settings: Settings


@dataclass(frozen=True)
class Memory(Jsonable):
    """What decides how many messages fit where; bytes."""

    message_bytes: float
    """What one captured row change takes in the buffered queue."""
    automatic_pool_bytes: float
    """The streams pool where its size is left to the instance."""
    cached_bytes: float
    """What of the apply reader's spill table the buffer cache holds."""

    def held(self, settings: Settings) -> float:
        """Messages that the buffered queue holds in memory."""
        return (settings.streams_pool_bytes or self.automatic_pool_bytes) / self.message_bytes

    @property
    def cached(self) -> float:
        """Messages of the reader's spill that are read back from memory."""
        return self.cached_bytes / self.message_bytes
