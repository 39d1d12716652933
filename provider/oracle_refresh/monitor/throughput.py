"""Bytes per second over the time of a run, for each leg of the jobs' way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from oracle_refresh.monitor.records import ACTIVE, Run
from oracle_refresh.monitor.sizes import Sizes
from oracle_refresh.plan.stages import EXPORT, LEGS, LOAD, STAGE

#: More points than this cannot be told apart on a page.
MOST_BINS = 120
#: Seconds. What takes no time would have no rate.
SHORTEST = 0.001


@dataclass(frozen=True)
class Throughput:
    """Mean bytes per second in bins of `bin_seconds` from `start` on (seconds of the run's clock), by leg:
    export, stage, load."""

    start: float | None
    bin_seconds: float
    rates: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    total: Mapping[str, float] = field(default_factory=dict)
    """Bytes that each leg has moved so far."""


def throughput(run: Run, item_sizes: Sizes) -> Throughput:
    """Each job's bytes are spread evenly over the time of its task; of a task at work, those it reports."""
    spans: list[tuple[str, float, float, float]] = []
    for each in run.of(EXPORT, STAGE, LOAD):
        if each.start is None or (each.ended and each.state != "success"):
            continue
        size = float(item_sizes.moved(each, run.items.get(each.key)))
        if not each.ended:
            percent = run.progress.get(each.key, {}).get("percent") or 0.0
            size *= percent / 100 if each.state in ACTIVE else 0.0
        if size:
            start, stop = run.clock.seconds(each.start), run.clock.seconds(each.end or run.now)
            spans.append((LEGS[each.operator], start, max(stop, start + SHORTEST), size))
    if not spans:
        return Throughput(None, 1.0)
    begin, end = min(span[1] for span in spans), max(span[2] for span in spans)
    width = max((end - begin) / MOST_BINS, 1.0)
    count = int((end - begin) // width) + 1
    rates = {leg: [0.0] * count for leg in LEGS.values()}
    total = dict.fromkeys(LEGS.values(), 0.0)
    for leg, start, stop, size in spans:
        total[leg] += size
        left, right = start - begin, stop - begin
        for index in range(int(left // width), min(int(right // width), count - 1) + 1):
            share = min(right, (index + 1) * width) - max(left, index * width)
            rates[leg][index] += size * share / (right - left) / width
    return Throughput(begin, width, {leg: tuple(means) for leg, means in rates.items()}, total)
