"""What one run measured, the next plan expects: by way of the target's store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import oracledb
import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import RunRates
from oracle_refresh.datapump.dumpset import EXPORT, LOAD, DumpSet, LoadResult
from oracle_refresh.experience.degree_advice import RECOMMENDATION, Recommendation, Sample, pair
from oracle_refresh.experience.rates import RATES, informed, keep_rates
from oracle_refresh.plan import Plan, build_plan, explain
from oracle_refresh.plan.storage import save_plan
from oracle_refresh.run import freeze
from oracle_refresh.run.documents import WHOLE, AllRuns, Documents
from oracle_refresh.run.ledger import ensure_ledger
from support.planner_tables import FROZEN, MB, catalogue, definition, table

TABLES = catalogue(table("PLAIN", 100 * MB), table("LOBS", 8 * MB, 800 * MB))
DEFINITION = definition()


@pytest.fixture
def documents(target: oracledb.Connection) -> Iterator[AllRuns]:
    documents = AllRuns(target)
    documents.ensure()
    ensure_ledger(target)
    yield documents
    with target.cursor() as cursor:
        cursor.execute("""DELETE FROM "REFRESH$RUN" WHERE RUN_ID LIKE 'rates %'""")
    target.commit()


def finished(documents: AllRuns, run: str, rate: float) -> Plan:
    """A run whose workers exported `rate` bytes per second each, and loaded half as many."""
    plan = build_plan(TABLES, DEFINITION, Limits(2), FROZEN, run)
    own = Documents(documents.connection, run)
    own.put(freeze.FROZEN, WHOLE, FROZEN)
    save_plan(own, plan, TABLES)
    for job in plan.jobs:
        seconds = job.estimate_bytes / job.parallel / rate
        dump = DumpSet(job.id, job.job_name, 1, "D", "l.log", (), (), seconds)
        own.put(EXPORT, job.id, dump)
        own.put(LOAD, job.id, LoadResult(job.id, (), 2 * seconds))
    keep_rates(own, plan, "dump_files", {}, 0.0)
    return plan


def test_the_next_plan_expects_what_the_last_runs_measured(documents: AllRuns) -> None:
    for number, rate in enumerate((3.0 * MB, 50.0 * MB, 4.0 * MB)):
        finished(documents, f"rates {number}", rate)
    limits = informed(Limits(2), documents, DEFINITION, FROZEN)
    assert limits.rates is not None
    assert limits.rates.export_bytes_per_second == pytest.approx(4 * MB), "the median"
    assert limits.rates.load_bytes_per_second == pytest.approx(2 * MB)
    assert set(limits.rates.runs) == {"rates 0", "rates 1", "rates 2"}
    plan = build_plan(TABLES, DEFINITION, limits, FROZEN, "rates next")
    assert plan.expected_seconds == pytest.approx(plan.makespan_bytes / (4 * MB))
    assert "rates 1" in explain(plan)


def test_rates_of_another_source_or_transport_say_nothing(documents: AllRuns) -> None:
    finished(documents, "rates a", 3.0 * MB)
    other = replace(FROZEN, source=replace(FROZEN.source, db_unique_name="OTHER"))
    assert informed(Limits(2), documents, DEFINITION, other).rates is None
    linked = definition(datapump={"transport": "network_link", "database_link": "SOURCE_LINK"})
    assert informed(Limits(2), documents, linked, FROZEN).rates is None


def test_the_latest_calibration_of_the_pair_gives_the_degree(documents: AllRuns) -> None:
    sample = Sample("APP", "PLAIN", 1, 10 * MB, 100 * MB, "the largest")
    for number, degree in enumerate((8, 24)):
        advice = Recommendation(
            f"rates c{number}", "a", "b", degree, "knee", (), (1.0, 2.0, 3.0), 5.0 * MB, sample, workers=6
        )
        Documents(documents.connection, advice.run_id).put(RECOMMENDATION, pair("a", "b"), advice)
    limits = informed(Limits(2), documents, DEFINITION, FROZEN)
    assert (limits.calibrated_degree, limits.calibrated_by) == (24, "rates c1")
    assert (limits.calibrated_workers, limits.calibrated_why) == (6, "knee")
    given = definition(degree=3)
    assert informed(Limits(2), documents, given, FROZEN).calibrated_workers is None, "who gives it decides"
    assert limits.rates is not None
    assert limits.rates.runs == ("calibration rates c1",), "until a refresh has measured better"
    short = replace(advice, run_id="rates c2", degree=1, trusted=False)
    Documents(documents.connection, short.run_id).put(RECOMMENDATION, pair("a", "b"), short)
    assert informed(Limits(2), documents, DEFINITION, FROZEN) == limits, "too short to tell"
    assert build_plan(TABLES, DEFINITION, limits, FROZEN, "rates next").degree == 24
    finished(documents, "rates a", 3.0 * MB)
    again = informed(Limits(2), documents, DEFINITION, FROZEN)
    assert again.rates is not None
    assert again.rates.runs == ("rates a",)
    other = definition(source={"conn_id": "elsewhere"})
    assert informed(Limits(2), documents, other, FROZEN).calibrated_degree is None


def test_recommendations_are_not_forgotten_with_old_runs(documents: AllRuns) -> None:
    sample = Sample("APP", "PLAIN", 1, 10 * MB, 100 * MB, "the largest")
    advice = Recommendation("rates c", "a", "b", 8, "knee", (), (1.0, 2.0, 3.0), 5.0 * MB, sample)
    Documents(documents.connection, advice.run_id).put(RECOMMENDATION, pair("a", "b"), advice)
    Documents(documents.connection, "rates old").put(
        RATES, "SOURCE", RunRates("rates old", "SOURCE", "dbfs", 1, 1.0)
    )
    with documents.connection.cursor() as cursor:
        cursor.execute(
            """UPDATE "REFRESH$RUN" SET SAVED_AT = SAVED_AT - NUMTODSINTERVAL(400, 'DAY')"""
            """ WHERE RUN_ID LIKE 'rates %'"""
        )
    documents.connection.commit()
    documents.forget(90, RECOMMENDATION, ())
    assert documents.latest(RECOMMENDATION, pair("a", "b")) == [advice]
    assert documents.latest(RATES, "SOURCE") == []
