"""A run beside the former ones of its DAG: seconds, bytes, rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class StageTime:
    """What one task took in a run: instances that succeeded, their seconds together, the time on the wall."""

    count: int
    busy: float
    wall: float


@dataclass(frozen=True)
class Former:
    """One run for the comparison. `summary` is what its report pushed, None where it has none."""

    run_id: str
    state: str
    started: datetime | None
    seconds: float | None
    definition: str | None
    stages: Mapping[str, StageTime] = field(default_factory=dict)
    summary: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "state": self.state,
            "started": self.started.isoformat() if self.started else None,
            "seconds": self.seconds,
            "definition": self.definition,
            "stages": {
                task: {"count": time.count, "busy": round(time.busy, 2), "wall": round(time.wall, 2)}
                for task, time in self.stages.items()
            },
            "summary": self.summary,
        }
