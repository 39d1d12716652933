"""The published load that this one repeats.

"SLOB Data Loading Case Studies, Part II: SLOB 2.2 For High-Bandwidth Data Loading" (2015): 512 schemas, 1 TB
in all, on 20 cores and 4 paths of 8 Gb/s to flash. The seed table took 20 s, the concurrent part 1,474 s with
24 % of the CPUs. Absolute figures belong to that hardware; what compares is how much more the many sessions
loaded per second than the one that made the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.labs.data_load.model import terabytes_per_hour

TITLE = "512 schemas, 1 TB, 20 cores (SLOB 2.2, 2015)"


@dataclass(frozen=True)
class Published:
    """What the study measured."""

    schemas: int
    bytes: float
    seed_seconds: float
    concurrent_seconds: float

    @property
    def terabytes_per_hour(self) -> float:
        return terabytes_per_hour(self.bytes, self.concurrent_seconds)

    @property
    def seed_terabytes_per_hour(self) -> float:
        """Of the seed, which is one schema of all."""
        return terabytes_per_hour(self.bytes / self.schemas, self.seed_seconds)

    @property
    def over_one_session(self) -> float:
        """Bytes per second of the concurrent part over those of the seed."""
        return self.terabytes_per_hour / self.seed_terabytes_per_hour


PUBLISHED = Published(512, 1e12, 20.0, 1474.0)
