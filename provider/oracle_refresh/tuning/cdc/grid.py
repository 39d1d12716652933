"""The grid of trials: the published scenarios to a scale, and variations of one setting at a time. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from oracle_refresh.errors import TuningError
from oracle_refresh.tuning.cdc.model import Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.study import MEGABYTE, TRIALS

#: The scenarios that variations start from: a batch in one transaction, and a commit after each row.
BATCH, SINGLE = 5, 7
MOST_TRIALS = 100
_STEP = "trials of change capture"


def scaled(scenario: Scenario, scale: float, automatic_mb: float | None = None) -> Scenario:
    """A published scenario with rows, threshold and pool in the same proportion.

    :param automatic_mb: size of the pool where the study left it to the instance; None leaves it so, too.
    :raises TuningError: for a scale that leaves no rows.
    """
    if not 0 < scale <= 100:
        raise TuningError(f"a scale of {scale} makes no trial", step=_STEP)
    work, chosen = scenario.workload, scenario.settings
    rows = max(1, round(work.rows * scale))
    per_commit = 1 if work.rows_per_commit == 1 else rows
    pool = round(chosen.streams_pool_bytes * scale)
    if not pool and automatic_mb is not None:
        pool = round(automatic_mb * MEGABYTE)
    return Scenario(
        scenario.name,
        Workload(rows, per_commit),
        replace(
            chosen,
            txn_lcr_spill_threshold=max(1, round(chosen.txn_lcr_spill_threshold * scale)),
            streams_pool_bytes=pool,
        ),
    )


def grid(
    scale: float,
    *,
    scenarios: Sequence[int] = tuple(range(1, len(TRIALS) + 1)),
    batches: Sequence[int] = (),
    thresholds: Sequence[int] = (),
    parallelisms: Sequence[int] = (),
    pools_mb: Sequence[int] = (),
    automatic_mb: float | None = None,
) -> tuple[Scenario, ...]:
    """The published scenarios that are wanted, then one variation for each further value.

    Batch sizes, thresholds and pools vary scenario 5 (pools with a threshold that keeps the transaction in
    the queue, where alone they matter), degrees of parallelism scenario 7.

    :raises TuningError: for unknown scenarios, no trial at all, or too many.
    """
    unknown = sorted(set(scenarios) - set(range(1, len(TRIALS) + 1)))
    if unknown:
        raise TuningError(f"there are scenarios 1 to {len(TRIALS)}, not {unknown}", step=_STEP)
    published = [scaled(trial.scenario, scale, automatic_mb) for trial in TRIALS]
    batch, single = published[BATCH - 1], published[SINGLE - 1]
    rows = batch.workload.rows
    found = [published[number - 1] for number in scenarios]
    found += [
        Scenario(f"commit every {size:,}", Workload(rows, min(size, rows)), batch.settings)
        for size in batches
    ]
    found += [
        Scenario(f"threshold {size:,}", batch.workload, replace(batch.settings, txn_lcr_spill_threshold=size))
        for size in thresholds
    ]
    found += [
        Scenario(f"parallelism {degree}", single.workload, replace(single.settings, parallelism=degree))
        for degree in parallelisms
    ]
    found += [
        Scenario(f"pool {size:,} MB", batch.workload, _kept_in_queue(batch.settings, size, rows))
        for size in pools_mb
    ]
    if not 1 <= len(found) <= MOST_TRIALS:
        raise TuningError(f"{len(found)} trials; 1 to {MOST_TRIALS} are possible", step=_STEP)
    return tuple(found)


def _kept_in_queue(settings: Settings, size_mb: int, rows: int) -> Settings:
    return replace(settings, streams_pool_bytes=size_mb * MEGABYTE, txn_lcr_spill_threshold=rows + 1)


def numbers(wanted: Sequence[int] | str) -> tuple[int, ...]:
    """Whole numbers from a list, or from a text such as `2, 4, 8` or `[2, 4]`; an empty one is none.

    :raises TuningError: for anything else.
    """
    text = wanted if isinstance(wanted, str) else ",".join(map(str, wanted))
    if not re.fullmatch(r"[\[(\s]*(\d+([,\s]+\d+)*)?[,\])\s]*", text):
        raise TuningError(f"whole numbers such as 2, 4, 8 are expected; not {text!r}", step=_STEP)
    return tuple(int(number) for number in re.findall(r"\d+", text))
