"""From measurements to gains, with what they are worth. Pure.

A trial is compared with the baseline as it was at that moment: the line between the baseline's trials before
and after it. Of the logarithms of these ratios each setting has a mean; how far trials of one setting are
apart, pooled over all settings, says how well that is known: an interval of 95 % by Student's t (any textbook
of statistics, such as NIST/SEMATECH e-Handbook of Statistical Methods, 7.3.1). So one disturbed trial makes
all gains uncertain rather than one of them wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from oracle_refresh.labs.masking.model import BASELINE, STEP, WARM_UP, Gain, Measurement
from oracle_refresh.labs.masking.reference import PUBLISHED, Published
from oracle_refresh.oracle.errors import PlanError

#: Student's t, 97.5 %, for 1, 2, 3 ... degrees of freedom; the last one serves all above it.
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
)
#: A ratio's variance over that of a single trial, where the baseline is the mean of the two beside it.
RATIO_VARIANCE = 1.5


@dataclass(frozen=True)
class Spread:
    """How far ratios of one setting are apart: standard deviation of their logarithms, about a share."""

    deviation: float
    freedom: int

    def margin(self, trials: int) -> float:
        """How far the mean of so many ratios may be from the truth, as a logarithm."""
        return STUDENT[min(self.freedom, len(STUDENT)) - 1] * self.deviation / math.sqrt(trials)


def baseline_at(number: int, baselines: Sequence[tuple[int, float]]) -> float:
    """Seconds of the baseline at the time of a trial: interpolated, at the ends the nearest one.

    :param baselines: trial number and seconds, in order, one at least.
    """
    before = [baseline for baseline in baselines if baseline[0] < number]
    after = [baseline for baseline in baselines if baseline[0] > number]
    if not before or not after:
        return (after[0] if after else before[-1])[1]
    (first, low), (last, high) = before[-1], after[0]
    return low + (high - low) * (number - first) / (last - first)


def spread(ratios: Mapping[str, Sequence[float]], baselines: Sequence[float]) -> Spread | None:
    """The pooled spread; None where nothing was measured twice.

    :param ratios: logarithms of time over baseline, by setting.
    :param baselines: seconds of the baseline's trials; a drift of the machine counts as spread here.
    """
    logarithms = [math.log(seconds) for seconds in baselines]
    squares = RATIO_VARIANCE * _squares(logarithms) + sum(map(_squares, ratios.values()))
    freedom = len(logarithms) - 1 + sum(len(logarithms) - 1 for logarithms in ratios.values())
    return Spread(math.sqrt(squares / freedom), freedom) if freedom > 0 else None


def gains(measurements: Sequence[Measurement]) -> tuple[Gain, ...]:
    """One for each setting that was measured besides the baseline, in the order of their first trials.

    :raises PlanError: without a trial of the baseline.
    """
    ordered = counted(measurements)
    baselines = [
        (baseline.trial.number, baseline.seconds)
        for baseline in ordered
        if baseline.trial.setting == BASELINE
    ]
    if not baselines:
        raise PlanError(
            "no trial of the baseline went through, so there is nothing to compare with",
            step=STEP,
            remedy="look at the log of its task; then run the benchmark again",
        )
    by_setting: dict[str, list[Measurement]] = {}
    for measured in ordered:
        if measured.trial.setting != BASELINE:
            by_setting.setdefault(measured.trial.setting, []).append(measured)
    ratios = {
        name: [math.log(trial.seconds / baseline_at(trial.trial.number, baselines)) for trial in trials]
        for name, trials in by_setting.items()
    }
    pooled = spread(ratios, [seconds for _, seconds in baselines])
    return tuple(_gain(name, trials, mean(ratios[name]), pooled) for name, trials in by_setting.items())


def counted(measurements: Sequence[Measurement]) -> list[Measurement]:
    """In the order of the trials, without the one that only warms caches."""
    return sorted(
        (measured for measured in measurements if measured.trial.repetition != WARM_UP),
        key=lambda measured: measured.trial.number,
    )


def _gain(name: str, trials: Sequence[Measurement], ratio: float, pooled: Spread | None) -> Gain:
    margin = pooled.margin(len(trials)) if pooled else 0.0
    saved, low, high = (1 - math.exp(ratio + off) for off in (0, margin, -margin))
    return Gain(
        setting=name,
        trials=len(trials),
        seconds=median(trial.seconds for trial in trials),
        rows_per_second=median(trial.rows_per_second for trial in trials),
        saved=saved,
        low=low,
        high=high,
        verdict=verdict(saved, low, high, pooled is not None, PUBLISHED.get(name)),
    )


def verdict(saved: float, low: float, high: float, repeated: bool, study: Published | None) -> str:
    """What a gain says, and how it compares with the published one. Shares, not per cent.

    :param repeated: whether anything was measured twice, which tells what the gain is worth.
    """
    if not repeated:
        text = f"{_percent(saved)} less time, but nothing was measured twice to tell what that is worth"
    elif low > 0:
        text = f"faster: saves {_range(low, high)} of the time"
    elif high < 0:
        text = f"slower: takes {_range(-high, -low)} longer"
    elif low < -1:
        text = "nothing can be said: so few trials are too far apart; measure more repetitions"
    else:
        text = f"no difference that stands out: it saves {_range(low, high)}, where less than 0 is a loss"
    if study is None:
        return text
    if not study.high:
        return f"{text}; the study claims none"
    if repeated and high * 100 < study.low:
        return f"{text}; less than the study's {study}"
    if repeated and low * 100 > study.high:
        return f"{text}; more than the study's {study}"
    return f"{text}; the study's {study} is possible" if low >= -1 else text


def _squares(values: Sequence[float]) -> float:
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _range(low: float, high: float) -> str:
    least, most = f"{100 * low:.0f}", f"{100 * high:.0f}"
    return f"{least} %" if least == most else f"{least} to {most} %"
