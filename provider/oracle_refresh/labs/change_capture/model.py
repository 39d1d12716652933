"""The trials of change capture: what is tried, and what each run has shown. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc.model import Memory, Scenario

SCENARIO: Kind[Scenario] = Kind("cdc scenario", Scenario)
MEMORY: Kind[Memory] = Kind("cdc memory", Memory)


@dataclass(frozen=True)
class TriedScenario(Jsonable):
    """What one run of a scenario has shown."""

    scenario: Scenario
    seconds: float
    """Until the last change is in the change table."""
    reader_seconds: float | None = None
    """Until the apply reader has taken the last message, where that is known."""
    queue_spilled: int | None = None
    """Messages that the buffered queue wrote to disk (V$BUFFERED_QUEUES.CSPILL_MSGS)."""
    reader_spilled: int | None = None
    """Messages that the apply reader wrote to disk (TOTAL_MESSAGES_SPILLED)."""
    busy_servers: int | None = None
    """Apply servers that applied anything."""
    cold: bool = False
    """Whether it was the first one after capture and apply had been started."""

    @property
    def rate(self) -> float:
        """Changes per second, end to end; of a marker it says nothing."""
        return self.scenario.workload.rows / self.seconds


@dataclass(frozen=True)
class TriedMemory(Jsonable):
    """A trial, and the memory that it was found to have."""

    trial: TriedScenario
    memory: Memory


TRIAL: Kind[TriedMemory] = Kind("cdc trial", TriedMemory)
