"""Trial, diagnosis, change, trial: until nothing is recommended, or the last change has brought nothing.

The loop itself knows neither database nor model; what makes a trial is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc.model import Settings
from oracle_refresh.tuning.cdc.queueing import Costs
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, diagnose
from oracle_refresh.tuning.cdc.verdict import LEAST_GAIN

MOST_TRIALS = 6


@dataclass(frozen=True)
class Step(Jsonable):
    """One trial of the loop with what it showed."""

    trial: TriedScenario
    diagnosis: Diagnosis
    kept: bool
    """False where the settings of this trial brought nothing over the best before it."""


@dataclass(frozen=True)
class Advice(Jsonable):
    """How the loop went, and where it ended."""

    steps: tuple[Step, ...]
    settings: Settings
    """The best that were tried."""
    reason: str
    """Why it ended."""

    @property
    def seconds(self) -> float:
        """Of the trial under the best settings."""
        return min(step.trial.seconds for step in self.steps if step.kept)

    @property
    def gain(self) -> float:
        """How many times as fast as the settings it started from."""
        return self.steps[0].trial.seconds / self.seconds


ADVICE: Kind[Advice] = Kind("cdc advice", Advice)

#: Makes a trial under settings; leaves nothing set that the caller does not take back.
Run = Callable[[Settings], tuple[TriedScenario, CaptureReadings]]


def advise(run: Run, start: Settings, costs: Costs, most_trials: int = MOST_TRIALS) -> Advice:
    """Run trials from `start` on until nothing is to be gained."""
    steps: list[Step] = []
    settings, best = start, None
    reason = f"{most_trials} trials were made"
    while len(steps) < most_trials:
        trial, readings = run(settings)
        diagnosis = diagnose(readings, costs)
        better = best is None or best.trial.seconds >= LEAST_GAIN * trial.seconds
        steps.append(Step(trial, diagnosis, better))
        if not better:
            reason = "the last change brought nothing and is taken back"
            break
        best = steps[-1]
        if not diagnosis.changed:
            reason = "nothing more is recommended"
            break
        settings = diagnosis.proposed
    assert best is not None, "the first trial is the best so far"
    return Advice(tuple(steps), best.trial.scenario.settings, reason)
