"""What a task of the calibration works with, and what the run has measured so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from oracle_refresh.datapump.job import Start
from oracle_refresh.definition import DataPump
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.labs.store.model import BLOCKS, PHASES, Blocks, Calibration, Phase, Point
from oracle_refresh.labs.store.programs import OPERATIONS, Operations
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.refresh_run import RefreshRun


@dataclass(frozen=True)
class StoreRun:
    """A calibration under way.

    :ivar opener: of a connection, by its id: what opens further sessions, from any thread.
    :ivar starter: of what starts Data Pump jobs, as the definition has their dump files encrypted.
    """

    refresh: RefreshRun
    plan: Calibration
    opener: Callable[[str], Connect]
    starter: Callable[[DataPump], Start]

    @property
    def documents(self) -> Documents:
        return Documents(self.refresh.target, self.plan.run_id)

    def of(self, former: Calibration) -> StoreRun:
        """What cleans up after another run."""
        return replace(self, plan=former)

    def blocks(self) -> tuple[Blocks, ...]:
        """The matrix, as far as it was measured; without what a former plan of a cleared run had besides."""
        measured = {each.cell: each for each in self.documents.all(BLOCKS)}
        return tuple(measured[cell] for cell in self.plan.cells if cell in measured)

    def points(self) -> tuple[Point, ...]:
        return tuple(point for each in self.blocks() for point in each.points)

    def seen(self) -> dict[str, str]:
        """What each mounted way is on the worker that measured it, in a few words."""
        return {each.cell.way: each.seen for each in self.blocks() if each.seen}

    def operations(self) -> dict[str, Operations]:
        """What tar, ls and rm did through each mount, by its way."""
        found = {way: self.documents.find(OPERATIONS, way) for way in self.plan.paths}
        return {way: done for way, done in found.items() if done is not None}

    def phases(self) -> dict[str, Phase]:
        """By name."""
        return {phase.name: phase for part in self.documents.all(PHASES) for phase in part.phases}
