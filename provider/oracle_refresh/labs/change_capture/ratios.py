"""Trials beside the study's as ratios, since absolute figures belong to its hardware. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.change_capture.grid import BATCH
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.study import TRIALS, UNRELATED

#: What the others are divided by: a batch whose messages the apply reader spills, and capture of nothing.
REFERENCE, NOTHING = TRIALS[BATCH - 1].scenario.name, UNRELATED[-1].scenario.name


@dataclass(frozen=True)
class Ratio(Jsonable):
    """Of one trial."""

    scenario: str
    here: float | None
    """None where the trial that it is divided by was not made."""
    study: float | None
    """None where the study has no such scenario."""


def of_rates(trials: Sequence[TriedScenario]) -> tuple[Ratio, ...]:
    """Changes per second of each trial, over those of scenario 5."""
    return _ratios(trials, TRIALS, REFERENCE, lambda trial: trial.rate)


def of_times(trials: Sequence[TriedScenario]) -> tuple[Ratio, ...]:
    """Seconds of each trial of a table that is not captured, over those of the trial without rows."""
    return _ratios(trials, UNRELATED, NOTHING, lambda trial: trial.seconds)


def _ratios(
    trials: Sequence[TriedScenario],
    published: Sequence[TriedScenario],
    reference: str,
    figure: Callable[[TriedScenario], float],
) -> tuple[Ratio, ...]:
    def over(those: Sequence[TriedScenario]) -> list[tuple[str, float | None]]:
        base = next((figure(trial) for trial in those if trial.scenario.name == reference), None)
        return [(trial.scenario.name, figure(trial) / base if base else None) for trial in those]

    study = dict(over(published))
    return tuple(Ratio(name, here, study.get(name)) for name, here in over(trials))
