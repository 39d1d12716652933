"""From measurements to gains, with what they are worth. Pure.

A trial is compared with the baseline as it was at that moment: the line between the baseline's trials before
and after it. How far the baselines are apart is the least that is not known of any gain. Medians, as a
disturbed trial is an outlier and no part of the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from oracle_refresh.errors import PlanError
from oracle_refresh.masking_benchmark.model import BASELINE, Gain, Measurement
from oracle_refresh.masking_benchmark.reference import SEED4, Published

STEP = "masking benchmark"


def spread(baselines: Sequence[float]) -> float | None:
    """How far the baseline's times are apart, as a share of their median; None for fewer than two."""
    if len(baselines) < 2:
        return None
    return (max(baselines) - min(baselines)) / median(baselines)


def baseline_at(number: int, baselines: Sequence[tuple[int, float]]) -> float:
    """Seconds of the baseline at the time of a trial: interpolated, at the ends the nearest one.

    :param baselines: trial number and seconds, in order, one at least.
    """
    before = [one for one in baselines if one[0] < number]
    after = [one for one in baselines if one[0] > number]
    if not before or not after:
        return (after[0] if after else before[-1])[1]
    (first, low), (last, high) = before[-1], after[0]
    return low + (high - low) * (number - first) / (last - first)


def gains(measurements: Sequence[Measurement]) -> tuple[Gain, ...]:
    """One for each setting that was measured besides the baseline, in the order of their first trials.

    :raises PlanError: without a trial of the baseline.
    """
    ordered = sorted(measurements, key=lambda one: one.trial.number)
    baselines = [(one.trial.number, one.seconds) for one in ordered if one.trial.setting == BASELINE]
    if not baselines:
        raise PlanError(
            "no trial of the baseline went through, so there is nothing to compare with",
            step=STEP,
            remedy="look at the log of its task; then run the benchmark again",
        )
    noise = spread([seconds for _, seconds in baselines])
    names = dict.fromkeys(one.trial.setting for one in ordered if one.trial.setting != BASELINE)
    return tuple(
        _gain(name, [one for one in ordered if one.trial.setting == name], baselines, noise) for name in names
    )


def _gain(
    name: str, found: Sequence[Measurement], baselines: Sequence[tuple[int, float]], noise: float | None
) -> Gain:
    saved = [1 - one.seconds / baseline_at(one.trial.number, baselines) for one in found]
    middle = median(saved)
    margin = noise or 0.0
    low, high = min(*saved, middle - margin), max(*saved, middle + margin)
    return Gain(
        setting=name,
        trials=len(found),
        seconds=median(one.seconds for one in found),
        rows_per_second=median(one.rows_per_second for one in found),
        saved=middle,
        low=low,
        high=high,
        verdict=verdict(middle, low, high, noise, SEED4.get(name)),
    )


def verdict(saved: float, low: float, high: float, noise: float | None, study: Published | None) -> str:
    """What a gain says, and how it stands to the published one. Shares, not per cent."""
    if noise is None:
        found = f"{_percent(saved)}, but one trial of the baseline cannot tell what that is worth"
    elif low > 0:
        found = f"faster: {_range(low, high)} of the time is saved"
    elif high < 0:
        found = f"slower: takes {_range(-high, -low)} longer"
    else:
        found = f"no difference that stands out: trials of the baseline itself differ by {_percent(noise)}"
    if study is None:
        return found
    if not study.high:
        return f"{found}; the study claims none"
    if noise is not None and high * 100 < study.low:
        return f"{found}; less than the study's {study}"
    if noise is not None and low * 100 > study.high:
        return f"{found}; more than the study's {study}"
    return f"{found}; the study's {study} cannot be told from it"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _range(low: float, high: float) -> str:
    ends = f"{100 * low:.0f}", f"{100 * high:.0f}"
    return f"{ends[0]} %" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} %"
