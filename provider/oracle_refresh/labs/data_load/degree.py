"""Which schemas are loaded together, and the degree that is worth it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.labs.data_load.model import STEP, Chosen, DegreeTrial
from oracle_refresh.labs.harness.curve import TOLERANCE, recommend
from oracle_refresh.oracle.errors import PlanError

#: A degree that loads less than this much more per second than every smaller one ends the trials.
LEAST_GAIN = 1.05


def batches(schemas: Sequence[str], degree: int) -> list[tuple[str, ...]]:
    """The schemas in their order, `degree` of them in each batch, the rest in the last.

    :raises PlanError: for a degree below 1.
    """
    if degree < 1:
        raise PlanError(f"{degree} schemas at the same time load nothing", step=STEP)
    return [tuple(schemas[start : start + degree]) for start in range(0, len(schemas), degree)]


def next_degree(trials: Sequence[DegreeTrial], most: int) -> int | None:
    """The degree to try next: twice the last one, until the rate no longer grows or `most` is reached.

    :param trials: in the order they were made.
    """
    if not trials:
        return 1
    *before, last = trials
    if last.degree >= most:
        return None
    best = max((trial.bytes_per_second for trial in before), default=0.0)
    return None if last.bytes_per_second < best * LEAST_GAIN else min(2 * last.degree, most)


def choose(trials: Sequence[DegreeTrial]) -> Chosen:
    """The smallest degree that loads nearly as many bytes per second as the best one.

    The seconds that one byte takes are fitted as the calibration of Data Pump fits an unload
    (`harness.curve`): a batch of n schemas has n times the work, so its seconds are divided by its
    bytes.
    """
    if len(trials) < 2:
        return Chosen(trials[0].degree, "there was nothing to compare it with", tuple(trials))
    curve = recommend({trial.degree: trial.seconds / trial.bytes for trial in trials}, TOLERANCE)
    return Chosen(curve.knee, _reason(curve.knee, trials), tuple(trials))


def _reason(degree: int, trials: Sequence[DegreeTrial]) -> str:
    rates = {trial.degree: trial.bytes_per_second for trial in trials}
    first, best = min(rates), max(rates, key=rates.__getitem__)
    text = f"{rates[degree] / rates[first]:.1f} times the rate of one session"
    if degree != best:
        text += f"; {best} sessions loaded {rates[best] / rates[degree] - 1:.0%} more per second"
    return text
