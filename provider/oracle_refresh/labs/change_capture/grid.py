"""The grid of trials: the published scenarios to a scale, and variations of one setting at a time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from oracle_refresh.labs.change_capture.study import MEGABYTE, MEMORY, TRIALS, UNRELATED
from oracle_refresh.labs.harness.trial import whole_numbers
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc.model import Scenario, Settings, Workload

#: The scenarios that variations start from: a batch in one transaction, and a commit after each row.
BATCH, SINGLE = 5, 7
MOST_TRIALS = 100
LARGEST = 100.0
_STEP = "trials of change capture"

numbers = partial(whole_numbers, step=_STEP, kind=TuningError)


@dataclass(frozen=True)
class Scale:
    """What the published scenarios are scaled by.

    :ivar rows: of rows and thresholds.
    :ivar message_bytes: size of a message here; pools hold the same share of a transaction as in the study.
    :ivar single_rows: rows where each of them is committed; None: in proportion.
    :raises TuningError: for a scale that leaves no rows.
    """

    rows: float = 1.0
    message_bytes: float = MEMORY.message_bytes
    single_rows: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.rows <= LARGEST or (self.single_rows is not None and self.single_rows < 1):
            raise TuningError(f"a scale of {self.rows}, {self.single_rows} makes no trial", step=_STEP)

    def of(self, rows: int, *, singly: bool) -> int:
        """As many of a workload's rows, one at least.

        :param singly: whether each of them is committed.
        """
        if singly and self.single_rows is not None:
            return self.single_rows
        return max(1, round(rows * self.rows))

    def pool(self, settings: Settings) -> int:
        """Bytes; 0, which leaves the size to the instance, only at full size."""
        if not settings.streams_pool_bytes and self.rows == 1:
            return 0
        return round(MEMORY.held(settings) * self.rows * self.message_bytes)


def scaled(scenario: Scenario, scale: Scale) -> Scenario:
    """A published scenario with rows, threshold and pool in proportion; a marker stays one row."""
    work, chosen = scenario.workload, scenario.settings
    single = work.rows_per_commit == 1
    rows = scale.of(work.rows, singly=single)
    threshold = max(1, round(chosen.txn_lcr_spill_threshold * scale.rows))
    workload = Workload(rows, 1 if single else rows)
    if work.marker:
        singly = work.unrelated_rows_per_commit == 1
        unrelated = scale.of(work.unrelated_rows, singly=singly) if work.unrelated_rows else 0
        workload = replace(work, unrelated_rows=unrelated)
    return Scenario(
        scenario.name,
        workload,
        replace(chosen, txn_lcr_spill_threshold=threshold, streams_pool_bytes=scale.pool(chosen)),
    )


def grid(
    scale: Scale,
    *,
    scenarios: Sequence[int] = tuple(range(1, len(TRIALS) + 1)),
    batches: Sequence[int] = (),
    thresholds: Sequence[int] = (),
    parallelisms: Sequence[int] = (),
    pools_mb: Sequence[int] = (),
    unrelated: Sequence[int] = tuple(range(1, len(UNRELATED) + 1)),
) -> tuple[Scenario, ...]:
    """The published scenarios that are wanted, one variation for each further value, then the published tests
    of a table that is not captured.

    Batch sizes, thresholds and pools vary scenario 5 (pools with a threshold that keeps the transaction in
    the queue, where alone they matter), degrees of parallelism scenario 7.

    :raises TuningError: for unknown scenarios or tests, no trial at all, or too many.
    """
    for what, wanted, known in (("scenarios", scenarios, TRIALS), ("unrelated tests", unrelated, UNRELATED)):
        unknown = sorted(set(wanted) - set(range(1, len(known) + 1)))
        if unknown:
            raise TuningError(f"there are {what} 1 to {len(known)}, not {unknown}", step=_STEP)
    published = [scaled(trial.scenario, scale) for trial in TRIALS]
    batch, single = published[BATCH - 1], published[SINGLE - 1]
    rows = batch.workload.rows
    chosen = [published[number - 1] for number in scenarios]
    chosen += [
        Scenario(f"commit every {size:,}", Workload(rows, min(size, rows)), batch.settings)
        for size in batches
    ]
    chosen += [
        Scenario(f"threshold {size:,}", batch.workload, replace(batch.settings, txn_lcr_spill_threshold=size))
        for size in thresholds
    ]
    chosen += [
        Scenario(f"parallelism {degree}", single.workload, replace(single.settings, parallelism=degree))
        for degree in parallelisms
    ]
    chosen += [
        Scenario(f"pool {size:,} MB", batch.workload, _kept_in_queue(batch.settings, size, rows))
        for size in pools_mb
    ]
    chosen += [scaled(UNRELATED[number - 1].scenario, scale) for number in unrelated]
    if not 1 <= len(chosen) <= MOST_TRIALS:
        raise TuningError(f"{len(chosen)} trials; 1 to {MOST_TRIALS} are possible", step=_STEP)
    return tuple(chosen)


def _kept_in_queue(settings: Settings, size_mb: int, rows: int) -> Settings:
    return replace(settings, streams_pool_bytes=size_mb * MEGABYTE, txn_lcr_spill_threshold=rows + 1)
