"""The rates that a finished run leaves for the next plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from oracle_refresh.catalog.rates import RunRates, combine
from oracle_refresh.plan.course import Key, gap_of, stage_rates, works
from oracle_refresh.plan.model import Plan
from oracle_refresh.plan.pace import Pace

MEGABYTE = 1024 * 1024
#: Less than this says more about starting a job than about carrying rows.
LEAST = MEGABYTE

Measured = tuple[float, int]
"""Bytes per second and worker, and the bytes that this rests on."""


def measure(
    plan: Plan,
    source: str,
    transport: str,
    exports: Mapping[str, float],
    loads: Mapping[str, float],
    held_seconds: float | None = None,
    took: Mapping[Key, float] | None = None,
    run_seconds: float | None = None,
) -> RunRates | None:
    """The rates of one run; None where it has carried too little to tell.

    A rate is the median of the jobs' rates weighed by their bytes: small jobs, whose time is mostly that of
    starting, count for little, and one job that was held up counts for no more than its share.

    :param exports: seconds of each export, by job id.
    :param loads: seconds of each load that went through in one go, by job id.
    :param held_seconds: from the SCN to the last look at the source as of it.
    :param took: seconds of every task, where each was tried once and nobody was waited for.
    :param run_seconds: of the whole run.
    """
    by_scheme: dict[str, list[Measured]] = defaultdict(list)
    loaded: list[Measured] = []
    for job in plan.jobs:
        for seconds, samples in ((exports.get(job.id), by_scheme[job.scheme]), (loads.get(job.id), loaded)):
            if seconds and seconds > 0:
                samples.append((job.estimate_bytes / job.parallel / seconds, job.estimate_bytes))
    overall = weighted_median(sample for samples in by_scheme.values() for sample in samples)
    if overall is None:
        return None
    rates = {scheme: weighted_median(samples) for scheme, samples in sorted(by_scheme.items())}
    found = RunRates(
        run_id=plan.run_id,
        source=source,
        transport=transport,
        total_bytes=plan.total_bytes,
        export_bytes_per_second=overall,
        by_scheme={scheme: rate for scheme, rate in rates.items() if rate is not None},
        load_bytes_per_second=weighted_median(loaded),
        held_bytes_per_second=plan.total_bytes / held_seconds if held_seconds else None,
    )
    if not took or not run_seconds:
        return found
    work = works(plan, Pace(combine([found], source, transport)))
    return replace(found, stages=stage_rates(took, work), gap_seconds=gap_of(plan, took, run_seconds))


def weighted_median(measured: Iterable[Measured]) -> float | None:
    """The rate below and above which about half of the bytes went; None for less than `LEAST` bytes."""
    ordered = sorted(measured)
    total = sum(size for _, size in ordered)
    if total < LEAST:
        return None
    passed = 0
    for rate, size in ordered:
        passed += size
        if 2 * passed >= total:
            return rate
    return None
