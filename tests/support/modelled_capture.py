"""Trials of change capture that nobody has made: the queueing model says what they would show."""

from __future__ import annotations

from collections.abc import Callable

from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.parts import Coordinator, Pool, Queue, Reader, Server
from oracle_refresh.tuning.cdc.picture import Picture, movement
from oracle_refresh.tuning.cdc.queueing import Costs, Prediction, predict
from oracle_refresh.tuning.cdc.rules import CaptureReadings


def modelled(
    work: Workload, costs: Costs, memory: Memory, cpus: int
) -> Callable[[Settings], tuple[TriedScenario, CaptureReadings]]:
    """Makes trials as this database would show them."""

    def run(settings: Settings) -> tuple[TriedScenario, CaptureReadings]:
        scenario = Scenario("what if", work, settings)
        said = predict(scenario, costs, memory)
        trial = TriedScenario(
            scenario,
            said.seconds,
            said.reader_seconds,
            round(said.queue_spilled),
            round(said.reader_spilled),
            said.busy_servers,
        )
        return trial, _readings(trial, said, memory, cpus)

    return run


def _readings(trial: TriedScenario, said: Prediction, memory: Memory, cpus: int) -> CaptureReadings:
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
    return CaptureReadings(movement(None, picture, said.seconds), picture, memory)
