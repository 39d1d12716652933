"""Trial, diagnosis, change, trial: until nothing is recommended, or the last change has brought nothing.

The loop itself knows neither database nor model; what makes a trial is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Trial, Workload
from oracle_refresh.tuning.cdc.picture import Coordinator, Picture, Pool, Queue, Reader, Server, movement
from oracle_refresh.tuning.cdc.queueing import Costs, Prediction, predict
from oracle_refresh.tuning.cdc.rules import Diagnosis, Evidence, diagnose
from oracle_refresh.tuning.cdc.verdict import LEAST_GAIN

MOST_TRIALS = 6


@dataclass(frozen=True)
class Step(Jsonable):
    """One trial of the loop with what it showed."""

    trial: Trial
    diagnosis: Diagnosis
    kept: bool
    """False where the settings of this trial brought nothing over the best before it."""


@dataclass(frozen=True)
class Advice(Jsonable):
    """How the loop went, and where it ended."""

    steps: tuple[Step, ...]
    settings: Settings
    """The best that were tried."""
    reason: str
    """Why it ended."""

    @property
    def seconds(self) -> float:
        """Of the trial under the best settings."""
        return min(step.trial.seconds for step in self.steps if step.kept)

    @property
    def gain(self) -> float:
        """How many times as fast as the settings it started from."""
        return self.steps[0].trial.seconds / self.seconds


ADVICE: Kind[Advice] = Kind("cdc advice", Advice)


Run = Callable[[Settings], tuple[Trial, Evidence]]


def advise(run: Run, start: Settings, costs: Costs, most_trials: int = MOST_TRIALS) -> Advice:
    """Run trials from `start` on until nothing is to be gained.

    :param run: makes a trial under settings; leaves nothing set that the caller does not take back.
    """
    steps: list[Step] = []
    settings, best = start, None
    reason = f"{most_trials} trials were made"
    while len(steps) < most_trials:
        trial, evidence = run(settings)
        found = diagnose(evidence, costs)
        better = best is None or best.trial.seconds >= LEAST_GAIN * trial.seconds
        steps.append(Step(trial, found, better))
        if not better:
            reason = "the last change brought nothing and is taken back"
            break
        best = steps[-1]
        if not found.changed:
            reason = "nothing more is recommended"
            break
        settings = found.proposed
    assert best is not None, "the first trial is the best so far"
    return Advice(tuple(steps), best.trial.scenario.settings, reason)


def modelled(work: Workload, costs: Costs, memory: Memory, cpus: int) -> Run:
    """Trials that the model makes, for what-if."""

    def run(settings: Settings) -> tuple[Trial, Evidence]:
        scenario = Scenario("what if", work, settings)
        said = predict(scenario, costs, memory)
        trial = Trial(
            scenario,
            said.seconds,
            said.reader_seconds,
            round(said.queue_spilled),
            round(said.reader_spilled),
            said.busy_servers,
        )
        return trial, _evidence(trial, said, memory, cpus)

    return run


def _evidence(trial: Trial, said: Prediction, memory: Memory, cpus: int) -> Evidence:
    """The views as they would stand after such a run."""
    work, settings = trial.scenario.workload, trial.scenario.settings
    busy = said.busy_servers
    servers = tuple(
        Server(
            number,
            "IDLE",
            transactions=work.transactions // busy if number <= busy else 0,
            messages=work.rows // busy if number <= busy else 0,
            apply_seconds=said.server_seconds / busy if number <= busy else 0.0,
        )
        for number in range(1, settings.parallelism + 1)
    )
    picture = Picture(
        apply_name="MODEL",
        family="STREAMS",
        status="ENABLED",
        error=None,
        capture=None,
        queue=Queue(None, 0, 0, work.rows, round(said.queue_spilled)),
        reader=Reader("IDLE", work.rows, round(said.reader_spilled), 0.0, 0.0, 0),
        coordinator=Coordinator("IDLE", None, work.transactions, work.transactions, 0, 0, 0, 0),
        servers=servers,
        propagations=(),
        pool=Pool(
            settings.streams_pool_bytes, round(settings.streams_pool_bytes or memory.automatic_pool_bytes), 0
        ),
        apply_parameters={
            "PARALLELISM": str(settings.parallelism),
            "TXN_LCR_SPILL_THRESHOLD": str(settings.txn_lcr_spill_threshold),
            "COMMIT_SERIALIZATION": settings.commit_serialization,
        },
        capture_parameters={},
        cpus=cpus,
    )
    return Evidence(movement(None, picture, said.seconds), picture, memory)
