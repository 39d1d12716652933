"""What a calibration is about and what it measures; `advice` says what follows. No row data."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.experience.degree_advice import Direction, Sample, Shape
from oracle_refresh.labs.harness.trial import Measurement as Timed
from oracle_refresh.run.kind import Kind

SAMPLE: Kind[Sample] = Kind("sample", Sample)


@dataclass(frozen=True)
class Measurement(Timed):
    """What a trial took in one direction, from the first job's start to the last one's end; bytes are those
    of dump files."""

    degree: int
    repeat: int
    jobs: int
    """May be fewer than the degree where the sample has too few blocks; 1 with PARALLEL."""
    shape: Shape = "jobs"
    direction: Direction = "export"

    @property
    def key(self) -> str:
        """Under which the run keeps it."""
        return f"{self.direction} {self.shape}/{self.degree}/{self.repeat}"


MEASUREMENT: Kind[Measurement] = Kind("measurement", Measurement)
