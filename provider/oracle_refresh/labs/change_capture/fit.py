"""Calibrates the model on trials: least squares of relative errors, no cost below zero.

scipy does the search (`scipy.optimize.least_squares`, bounded trust region); it comes with the extra
`tuning`, and predictions with costs that are known already do without it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc.model import Memory
from oracle_refresh.tuning.cdc.queueing import Costs, predict

#: Reader's marks weigh half: studies give them as "about".
MARK_WEIGHT = 0.5
#: A cost that changes nothing by as much when it is doubled is not told by the trials.
TOLD = 0.01
_STEP = "change capture model"


@dataclass(frozen=True)
class Fit(Jsonable):
    """Costs and how far they are off; errors are relative, signed, in the order of the trials."""

    costs: Costs
    errors: tuple[float, ...]
    free: tuple[str, ...]
    """Names of the costs that were fitted."""
    values: int
    """Measured values that they were fitted to."""

    @property
    def worst(self) -> float:
        return max(abs(error) for error in self.errors)


def fit(trials: Sequence[TriedScenario], memory: Memory, start: Costs, free: Sequence[str]) -> Fit:
    """The costs named by `free` that fit the trials best; the others stay as in `start`.

    :raises TuningError: without trials, or if scipy is not installed.
    """
    if not trials:
        raise TuningError("there are no trials to fit a model to", step=_STEP)
    try:
        from scipy.optimize import least_squares
    except ImportError as error:
        raise TuningError(
            "a model is fitted with scipy, which is not installed",
            step=_STEP,
            remedy="pip install 'airflow-provider-oracle-refresh[tuning]'",
        ) from error

    def costs_of(values: Sequence[float]) -> Costs:
        return replace(start, **{name: float(value) for name, value in zip(free, values, strict=True)})

    def residuals(values: Sequence[float]) -> list[float]:
        return _residuals(trials, memory, costs_of(values))

    if free:
        first = [max(getattr(start, name), 1e-9) for name in free]
        solution = least_squares(
            residuals, first, bounds=(0.0, math.inf), x_scale=first, ftol=1e-12, xtol=1e-12
        )
        costs = costs_of(solution.x)
    else:
        costs = start
    values = len(_residuals(trials, memory, costs))
    return Fit(costs, errors(trials, memory, costs), tuple(free), values)


def errors(trials: Sequence[TriedScenario], memory: Memory, costs: Costs) -> tuple[float, ...]:
    """predicted / measured - 1 of each trial's end-to-end time."""
    return tuple(
        predict(trial.scenario, costs, memory, cold=trial.cold).seconds / trial.seconds - 1
        for trial in trials
    )


def untold(
    trials: Sequence[TriedScenario], memory: Memory, costs: Costs, names: Sequence[str]
) -> tuple[str, ...]:
    """The costs among `names` on which no measured value of the trials depends by as much as 1 %."""
    before = _residuals(trials, memory, costs)
    return tuple(
        name
        for name in names
        if all(
            abs(doubled - single) < TOLD
            for doubled, single in zip(
                _residuals(trials, memory, replace(costs, **{name: 2 * getattr(costs, name) + 1e-9})),
                before,
                strict=True,
            )
        )
    )


def _residuals(trials: Sequence[TriedScenario], memory: Memory, costs: Costs) -> list[float]:
    logarithms = []
    for trial in trials:
        prediction = predict(trial.scenario, costs, memory, cold=trial.cold)
        logarithms.append(math.log(max(prediction.seconds, 1e-9) / trial.seconds))
        if trial.reader_seconds is not None:
            mark = math.log(max(prediction.reader_seconds, 1e-9) / trial.reader_seconds)
            logarithms.append(MARK_WEIGHT * mark)
    return logarithms
