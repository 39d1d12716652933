"""What earlier runs have learnt about the speed of two databases, kept in the target for the next plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import LOOK_BACK, Rates, RunRates, combine
from oracle_refresh.datapump.dumpset import EXPORT, LOAD
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.experience.degree_advice import RECOMMENDATION, pair
from oracle_refresh.experience.store_advice import STORE_ADVICE, by_better_way, settled, store_key, way_of
from oracle_refresh.plan.course import Key
from oracle_refresh.plan.measured import measure
from oracle_refresh.plan.model import Plan
from oracle_refresh.run.documents import WHOLE, AllRuns, Documents
from oracle_refresh.run.freeze import FROZEN, Frozen
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation.held import held_seconds

#: By the source's DB_UNIQUE_NAME.
RATES: Kind[RunRates] = Kind("rates", RunRates, learnt=True)


def keep_rates(
    documents: Documents, plan: Plan, transport: str, took: Mapping[Key, float], run_seconds: float
) -> RunRates | None:
    """Keep what the run measured; None, and nothing is kept, where it was too little to tell.

    :param took: seconds of every task; empty where they tell nothing of another run.
    :param run_seconds: of the whole run.
    """
    source = documents.get(FROZEN, WHOLE).source.db_unique_name
    exports = documents.all(EXPORT)
    loads = documents.all(LOAD)
    loaded = {load.job_id: load.seconds for load in loads if not load.recovered}
    rates = measure(
        plan,
        source,
        transport,
        # Over a database link, one job does both.
        {dump.job_id: dump.seconds for dump in exports} or loaded,
        loaded,
        held_seconds(documents),
        took,
        run_seconds,
    )
    if rates is not None:
        documents.put(RATES, source, rates)
    return rates


def informed(limits: Limits, documents: AllRuns, definition: RefreshDefinition, frozen: Frozen) -> Limits:
    """The limits with what former runs and the latest calibration between the two ends have measured.

    Calibrations that were too short to tell are passed over.
    """
    source = frozen.source.db_unique_name
    runs = documents.latest(RATES, source, 4 * LOOK_BACK)
    rates = combine(runs, source, str(definition.datapump.transport))
    ends = pair(definition.source.conn_id, definition.target.conn_id)
    for calibration in documents.latest(RECOMMENDATION, ends, most=LOOK_BACK):
        if not calibration.trusted:
            continue
        measured = Rates((f"calibration {calibration.run_id}",), calibration.bytes_per_second)
        limits = replace(
            limits,
            calibrated_degree=calibration.degree,
            # Who gives the degree wants that many workers, whoever has them.
            calibrated_workers=None if definition.degree else calibration.workers,
            calibrated_why=calibration.reason,
            calibrated_by=calibration.run_id,
        )
        rates = rates or measured
        break
    return replace(limits, rates=rates)


def staged_as_calibrated(documents: AllRuns, definition: RefreshDefinition) -> RefreshDefinition:
    """The definition with what its staging leaves open, as the latest calibration of the store found best.

    Calibrations that were too short to tell are passed over.
    """
    key = store_key(definition.target.conn_id, definition.staging.mount)
    calibrations = documents.latest(STORE_ADVICE, key, most=LOOK_BACK)
    path = definition.staging.mounted_path
    staging = by_better_way(definition.staging, calibrations, mounted=path is not None and path.is_dir())
    ways = (advice.of(way_of(staging)) for advice in calibrations)
    trusted = next((advice for advice in ways if advice is not None and advice.trusted), None)
    return definition.model_copy(update={"staging": settled(staging, trusted)})
