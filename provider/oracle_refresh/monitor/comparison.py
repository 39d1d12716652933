"""A run beside the former ones of its DAG: seconds, bytes, rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from oracle_refresh.jsonable import Jsonable


@dataclass(frozen=True)
class StageTime(Jsonable):
    """What one task took in a run: instances that succeeded, and their seconds together."""

    count: int
    busy: float


@dataclass(frozen=True)
class Former(Jsonable):
    """One run for the comparison. `summary` is what its report pushed, None where it has none."""

    run_id: str
    state: str
    started: datetime | None
    seconds: float | None
    definition: str | None
    stages: Mapping[str, StageTime] = field(default_factory=dict)
    summary: Mapping[str, Any] | None = None
