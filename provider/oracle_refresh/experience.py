"""What earlier runs have learnt about the speed of two databases, kept in the target for the next plan."""

from __future__ import annotations

from dataclasses import replace

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import LOOK_BACK, Rates, RunRates, combine
from oracle_refresh.datapump.dumpset import DumpSet, LoadResult
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.freeze import Frozen
from oracle_refresh.labs.datapump_degree.model import Recommendation, pair
from oracle_refresh.labs.store.model import StoreAdvice, store_key
from oracle_refresh.labs.store.use import by_better_way, settled, way_of
from oracle_refresh.plan.measured import measure
from oracle_refresh.plan.model import Plan
from oracle_refresh.run_store import RATES, RECOMMENDATION, RunStore


def keep_rates(store: RunStore, plan: Plan, transport: str) -> RunRates | None:
    """Keep what the run measured; None, and nothing is kept, where it was too little to tell."""
    source = store.frozen(plan.run_id).source.db_unique_name
    exports = [DumpSet.from_json(document) for document in store.results(plan.run_id, "export")]
    loads = [LoadResult.from_json(document) for document in store.results(plan.run_id, "load")]
    loaded = {load.job_id: load.seconds for load in loads if not load.recovered}
    rates = measure(
        plan,
        source,
        transport,
        # Over a database link, one job does both.
        {dump.job_id: dump.seconds for dump in exports} or loaded,
        loaded,
        store.held_seconds(plan.run_id),
    )
    if rates is not None:
        store.put(plan.run_id, RATES, source, rates.to_json())
    return rates


def informed(limits: Limits, store: RunStore, definition: RefreshDefinition, frozen: Frozen) -> Limits:
    """The limits with what former runs and the latest calibration between the two ends have measured.

    Calibrations that were too short to tell are passed over.
    """
    source = frozen.source.db_unique_name
    runs = [RunRates.from_json(document) for document in store.latest(RATES, source, 4 * LOOK_BACK)]
    rates = combine(runs, source, str(definition.datapump.transport))
    ends = pair(definition.source.conn_id, definition.target.conn_id)
    for found in map(Recommendation.from_json, store.latest(RECOMMENDATION, ends, most=LOOK_BACK)):
        if not found.trusted:
            continue
        measured = Rates((f"calibration {found.run_id}",), found.bytes_per_second)
        limits = replace(limits, calibrated_degree=found.degree, calibrated_by=found.run_id)
        rates = rates or measured
        break
    return replace(limits, rates=rates)


def staged_as_calibrated(store: RunStore, definition: RefreshDefinition) -> RefreshDefinition:
    """The definition with what its staging leaves open, as the latest calibration of the store found best.

    Calibrations that were too short to tell are passed over.
    """
    key = store_key(definition.target.conn_id, definition.staging.mount)
    kept = [StoreAdvice.from_json(one) for one in store.latest(RECOMMENDATION, key, most=LOOK_BACK)]
    path = definition.staging.mounted_path
    staging = by_better_way(definition.staging, kept, mounted=path is not None and path.is_dir())
    ways = (advice.of(way_of(staging)) for advice in kept)
    found = next((one for one in ways if one is not None and one.trusted), None)
    return definition.model_copy(update={"staging": settled(staging, found)})
