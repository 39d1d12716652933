"""All that a calibration of a store has measured, as its page and its document tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oracle_refresh.dbfs.mount_check import ExaminedMount
    from oracle_refresh.experience.store_advice import StoreAdvice
    from oracle_refresh.labs.store.model import Calibration, Phase, Point
    from oracle_refresh.labs.store.nodes import NodeBlocks
    from oracle_refresh.labs.store.programs import Operations


@dataclass(frozen=True)
class Figures:
    """:ivar points: of the matrix of users and blocks, by way.
    :ivar phases: what was done once, by name.
    :ivar advice: None as long as there is nothing to go by.
    :ivar seen: what each mounted way is on the worker that measured it, in a few words.
    :ivar mounts: as they were checked before anything was measured.
    :ivar operations: of tar, ls and rm through the mounts, by way.
    :ivar nodes: what several nodes measured at the same time.
    """

    plan: Calibration
    points: Sequence[Point]
    phases: Mapping[str, Phase]
    advice: StoreAdvice | None
    seen: Mapping[str, str] = field(default_factory=dict)
    mounts: Sequence[ExaminedMount] = ()
    operations: Mapping[str, Operations] = field(default_factory=dict)
    nodes: Sequence[NodeBlocks] = ()

    def document(self) -> dict[str, Any]:
        """What the page shows, for programs."""
        return {
            "mounts": [mount.to_json() for mount in self.mounts],
            "seen": dict(self.seen),
            "calibration": self.plan.to_json(),
            "points": [point.to_json() for point in self.points],
            "nodes": [each.to_json() for each in self.nodes],
            "operations": {way: done.to_json()["operations"] for way, done in self.operations.items()},
            "phases": [phase.to_json() for phase in self.phases.values()],
            "recommendation": self.advice.to_json() if self.advice else None,
        }
