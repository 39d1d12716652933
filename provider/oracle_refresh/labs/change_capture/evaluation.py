"""From the trials of a run to its result: the best settings, a model of this database, what-if. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.change_capture.advisor import Advice
from oracle_refresh.labs.change_capture.fit import Fit, errors, fit, untold
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.ratios import Ratio, of_rates, of_times
from oracle_refresh.labs.change_capture.study import COSTS, FREE, MEGABYTE, MEMORY
from oracle_refresh.labs.change_capture.study import TRIALS as PUBLISHED
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.queueing import Costs, Prediction, predict

#: Costs that own trials may tell; the first trial counts as the others do.
OWN_FREE = ("latency", "capture", "queue_spill", "queue_unspill", "reader_spill", "apply", "commit")


@dataclass(frozen=True)
class WhatIf(Jsonable):
    """A scenario that nobody has run, and what the model says."""

    scenario: Scenario
    said: Prediction


@dataclass(frozen=True)
class Result(Jsonable):
    """What a run of trials has shown."""

    run_id: str
    trials: tuple[TriedScenario, ...]
    """Those that were planned, but for the unrelated ones."""
    ratios: tuple[Ratio, ...]
    """Of `every`, in the same order: changes per second over those of scenario 5."""
    unrelated: tuple[TriedScenario, ...]
    """Trials of a table that is not captured."""
    unrelated_ratios: tuple[Ratio, ...]
    """Of these, in the same order: seconds over those of the one without rows."""
    best_batch: TriedScenario | None
    """Most changes per second of those with large transactions."""
    best_single: TriedScenario | None
    """And of those that commit each row."""
    model: Fit | None
    """Fitted to these trials; None where there are too few, or scipy is not installed."""
    memory: Memory
    advice: Advice | None
    what_if: tuple[WhatIf, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[TriedScenario, ...]:
        """The trials that were planned, then the advisor's."""
        return _every(self.trials, self.advice)


def evaluate(
    run_id: str,
    trials: Sequence[TriedScenario],
    memory: Memory,
    advice: Advice | None,
    notes: Sequence[str] = (),
) -> Result:
    """The best settings, the model, and what it says about a pool that holds everything.

    Trials of a marker tell how long capture takes for nothing: they count neither for the best nor for the
    model.

    :param memory: message size and pool as the trials have shown them.
    """
    planned = tuple(trial for trial in trials if not trial.scenario.workload.marker)
    unrelated = tuple(trial for trial in trials if trial.scenario.workload.marker)
    every = _every(planned, advice)
    batches = [trial for trial in every if trial.scenario.workload.rows_per_commit > 1]
    singles = [trial for trial in every if trial.scenario.workload.rows_per_commit == 1]
    model, about_model = own_model(every, memory)
    costs = model.costs if model else COSTS
    return Result(
        run_id=run_id,
        trials=planned,
        ratios=of_rates(every),
        unrelated=unrelated,
        unrelated_ratios=of_times(unrelated),
        best_batch=max(batches, key=lambda trial: trial.rate, default=None),
        best_single=max(singles, key=lambda trial: trial.rate, default=None),
        model=model,
        memory=memory,
        advice=advice,
        what_if=tuple(pools(batches, costs, memory)) if model else (),
        notes=(*notes, *about_model),
    )


def _every(trials: Sequence[TriedScenario], advice: Advice | None) -> tuple[TriedScenario, ...]:
    return (*trials, *(step.trial for step in advice.steps)) if advice else tuple(trials)


def own_model(trials: Sequence[TriedScenario], memory: Memory) -> tuple[Fit | None, tuple[str, ...]]:
    """A fit to these trials, of the costs that they tell; and what is to be said about it."""
    plain = [replace(trial, cold=False) for trial in trials]
    start = replace(
        COSTS, latency=min((trial.seconds for trial in plain), default=1.0) / 2, reader_spill=1e-4
    )
    # The order of magnitude first: another machine may be a hundred times as fast as that of the study.
    pace = 1.0
    if plain:
        without_latency = replace(start, latency=0.0)
        pace = min(
            trial.seconds / predict(trial.scenario, without_latency, memory).seconds for trial in plain
        )
    start = replace(
        start,
        **{name: getattr(start, name) * pace for name in OWN_FREE if name != "latency"},
        uncached=0.0,
        cold_start=0.0,
    )
    silent = untold(plain, memory, start, OWN_FREE) if plain else OWN_FREE
    free = [name for name in OWN_FREE if name not in silent]
    if len(plain) < len(free):
        return None, (f"{len(plain)} trials are too few to fit {len(free)} costs to",)
    start = replace(start, **dict.fromkeys(silent, 0.0))
    try:
        model = fit(plain, memory, start, free)
    except TuningError as error:
        return None, (str(error),)
    notes = [f"the model has {len(free)} costs, fitted to {model.values} measured values"]
    if silent:
        notes.append(f"these trials do not tell {', '.join(silent)}")
    return model, tuple(notes)


def pools(batches: Sequence[TriedScenario], costs: Costs, memory: Memory) -> list[WhatIf]:
    """The largest batch with pools of growing size, kept in the queue."""
    if not batches:
        return []
    work = max((trial.scenario.workload for trial in batches), key=lambda work: work.rows)
    whole = Workload(work.rows, work.rows)
    needed = whole.rows * memory.message_bytes
    sizes = [needed * share for share in (0.25, 0.5, 0.75, 1.0)]
    settings = Settings(txn_lcr_spill_threshold=whole.rows + 1)
    made = [
        Scenario(f"pool {size / MEGABYTE:,.0f} MB", whole, replace(settings, streams_pool_bytes=round(size)))
        for size in sizes
    ]
    made.append(Scenario("reader spills", whole, replace(settings, txn_lcr_spill_threshold=1)))
    return [WhatIf(scenario, predict(scenario, costs, memory)) for scenario in made]


def published() -> tuple[Fit, tuple[WhatIf, ...]]:
    """The model of the published tests, with its errors, and the answer to their open question."""
    rows = 100_000
    queued = Settings(4, rows + 1, 0)
    questions = [
        Scenario(name, Workload(rows, rows), settings)
        for name, settings in (
            ("automatic pool", queued),
            ("pool of 960 MB", replace(queued, streams_pool_bytes=960 * MEGABYTE)),
            ("pool of 2 GB", replace(queued, streams_pool_bytes=2048 * MEGABYTE)),
            ("reader spills from 10,000", replace(queued, txn_lcr_spill_threshold=10_000)),
        )
    ]
    values = len(PUBLISHED) + sum(trial.reader_seconds is not None for trial in PUBLISHED)
    model = Fit(COSTS, errors(PUBLISHED, MEMORY, COSTS), FREE, values)
    return model, tuple(WhatIf(scenario, predict(scenario, COSTS, MEMORY)) for scenario in questions)
