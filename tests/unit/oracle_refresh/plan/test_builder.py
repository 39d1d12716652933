from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Lob, Partition, Survey, Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import Rates
from oracle_refresh.catalog.undo import Undo
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan import Plan, build_plan, explain, survey_wanted
from oracle_refresh.plan.balance import makespan, split
from oracle_refresh.plan.names import dump_file, job_name
from oracle_refresh.plan.rowid import Rowid
from oracle_refresh.plan.schedule import Load, schedule
from support.planner_rows import DATA_OBJECT, Row, carries, extent, surveyed
from support.planner_tables import FROZEN, MB, catalogue, definition, table
from support.samples import key

LIMITS = Limits(cpus=2)

OVER_LINK = {"transport": "network_link", "database_link": "L"}
#: Sizes that the demo source has at scale 1.
DEMO = (
    table("ACCOUNTS", int(7.2 * MB)),
    table("COUNTRIES", 32768, iot=True),
    table("CUSTOMERS", 12 * MB),
    table("EMPLOYEES", 262144),
    table("ORDERS", int(19.4 * MB)),
    table("PAYMENTS", int(26.3 * MB)),
    table("DOCUMENTS", int(2.9 * MB), int(167.4 * MB), owner="DOCS"),
    table("TESTTABLE", int(1.7 * MB), int(66.4 * MB), owner="TEST"),
)


def plan(
    *tables: Table,
    limits: Limits = LIMITS,
    run_id: str = "run-1",
    survey: Survey | None = None,
    max_map_length: int = 1024,
    version: str = "19.0.0.0.0",
    **fields: Any,
) -> Plan:
    frozen = replace(FROZEN, source=replace(FROZEN.source, version=version))
    wish = definition(**fields)
    return build_plan(
        catalogue(*tables), wish, limits, frozen, run_id, survey=survey, max_map_length=max_map_length
    )


KINDS = [
    "heap",
    "heap",
    "range",
    "partitioned",
    "composite",
    "iot",
    "long_key",
    "unfilterable",
    "policy",
    "temporary",
]


def some_table(number: int, kind: str, size: int, lob: int, blocks: int, securefile: bool) -> Table:
    more: dict[str, Any] = {"blocks": blocks}
    if kind in ("partitioned", "composite"):
        parts = split(size + lob, 1 + number % 5)
        more["partitions"] = tuple(
            Partition(f"P{n}", n, kind == "composite", 0 if kind == "composite" else part)
            for n, part in enumerate(parts)
        )
    if kind in ("iot", "long_key"):
        more["iot"] = True
        more["constraints"] = (key("P", "PK", "ID", *(["OTHER"] if kind == "long_key" else [])),)
    if kind == "unfilterable":
        more["filterable"] = False
    if kind == "policy":
        more["policies"] = ("HIDE",)
    if kind == "temporary":
        more["temporary"] = True
    return table(f"T{number}", size, lob, securefile=securefile, **more)


some_tables = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(0, 10**10),
        st.just(0) | st.integers(1, 10**12),
        st.integers(0, 10**6),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)
some_limits = st.builds(
    Limits,
    st.just(2),
    max_jobs=st.integers(1, 100),
    max_parallel_per_job=st.integers(1, 50),
    parallel_jobs=st.booleans(),
    rates=st.none()
    | st.builds(
        Rates,
        st.just(("r1",)),
        st.floats(1e3, 1e9),
        st.dictionaries(
            st.sampled_from(["bulk", "partition", "rowid_range", "whole_table"]), st.floats(1e3, 1e9)
        ),
    ),
    streams_pool_bytes=st.none() | st.integers(1, 10**9),
    undo=st.none() | st.just(Undo(900, 600, 10, 1, 0)),
)


@given(some_tables, st.integers(1, 32), st.integers(1, 30), st.integers(1, 10**11), some_limits, st.data())
@settings(max_examples=75, deadline=None)
def test_every_row_of_every_table_is_carried_exactly_once(
    rows: list[tuple[str, int, int, int, bool]],
    degree: int,
    max_shards: int,
    threshold: int,
    limits: Limits,
    data: st.DataObject,
) -> None:
    given_tables = [some_table(number, *row) for number, row in enumerate(rows)]
    if all(one.temporary for one in given_tables):
        with pytest.raises(PlanError):
            plan(*given_tables)
        return
    extents = [extent(1 + block // 500, block, 64) for block in range(8, 2000, 80)]
    survey = Survey({f"APP.T{n}": surveyed(*extents) for n, row in enumerate(rows) if row[0] == "range"})
    map_length = data.draw(st.sampled_from([1024, 60, 30]))
    over_link = data.draw(st.booleans())
    made = plan(
        *given_tables,
        degree=degree,
        max_shards=max_shards,
        lob_shard_min_bytes=threshold,
        limits=limits,
        survey=survey,
        max_map_length=map_length,
        datapump=OVER_LINK if over_link else {},
    )
    assert not over_link or not any("DBMS_ROWID" in (job.predicate or "") for job in made.jobs)
    for one in given_tables:
        names = [partition.name for partition in one.partitions] or [None]
        treated = made.table(one.key)
        assert treated.jobs == tuple(job.id for job in made.jobs if one.key in job.table_keys)
        assert treated.reason
        for _ in range(4):
            number = data.draw(st.integers(0, 2500))
            row = Row(
                Rowid(DATA_OBJECT, 1 + number % 5, number, number % 90), number, names[number % len(names)]
            )
            carrying = [job.id for job in made.jobs if carries(job, one, row)]
            assert len(carrying) == (0 if one.temporary else 1), (one.name, row)
    assert Plan.from_json(made.to_json()) == made
    assert sum(job.estimate_bytes for job in made.jobs) == made.total_bytes
    assert made.bound_bytes <= made.makespan_bytes
    assert len({job.job_name for job in made.jobs}) == len({job.id for job in made.jobs}) == len(made.jobs)
    assert all(len(job.job_name) <= 29 for job in made.jobs)
    assert [job.priority for job in made.jobs] == list(range(len(made.jobs), 0, -1))
    single = [job.expected_seconds or job.estimate_bytes for job in made.jobs if job.parallel == 1]
    assert single == sorted(single, reverse=True), "longest first"
    assert all((job.expected_seconds is None) == (limits.rates is None) for job in made.jobs)
    assert max(job.parallel for job in made.jobs) <= limits.workers_per_job
    assert made.degree <= min(degree, limits.jobs_at_once)
    assert len(made.jobs) <= map_length
    assert made.critical_path
    assert set(made.critical_path) <= {job.id for job in made.jobs}
    explain(made)


@given(
    st.lists(st.integers(100 * MB, 10**12), min_size=1, max_size=5),
    st.lists(st.integers(1, 200 * MB), max_size=10),
    st.integers(1, 16),
)
@settings(max_examples=80, deadline=None)
def test_where_pieces_allow_the_makespan_is_within_five_percent(
    large: list[int], small: list[int], degree: int
) -> None:
    made = plan(
        *[table(f"L{number}", 8192, size, blocks=10**6) for number, size in enumerate(large)],
        *[table(f"S{number}", size) for number, size in enumerate(small)],
        degree=degree,
        max_shards=999,
        lob_shard_min_bytes=min(large) // 100,
    )
    whole = [one.total_bytes for one in made.tables if one.treatment == "bulk"]
    assert made.makespan_bytes <= 1.051 * max(made.bound_bytes, makespan(whole, degree))


@pytest.mark.parametrize(("cpus", "degree"), [(2, None), (1, 8), (64, 8)])
def test_the_demo_is_cut_as_it_should_be(cpus: int, degree: int | None) -> None:
    made = plan(*DEMO, schemas=["APP", "DOCS", "TEST"], limits=Limits(cpus), degree=degree)
    assert len(made.shards) >= 8
    assert {job.tables[0] for job in made.shards} == {("DOCS", "DOCUMENTS"), ("TEST", "TESTTABLE")}
    assert [job.id for job in made.jobs if job.kind == "bulk"] == ["B001"]
    assert made.job("B001").parallel > 1
    assert "%L" in made.job("B001").dump_file
    assert "%" not in made.job("S001").dump_file
    assert made.makespan_bytes <= 1.2 * made.bound_bytes


def test_the_same_input_gives_the_same_plan_and_another_run_other_names() -> None:
    assert plan(*DEMO) == plan(*DEMO)
    names = [{job.job_name for job in plan(*DEMO, run_id=run).jobs} for run in ("a", "b")]
    assert not names[0] & names[1]
    assert job_name("demo", "run", "S001") != job_name("dem", "orun", "S001")
    with pytest.raises(ValueError, match="too long"):
        job_name("demo", "run", "S" * 20)


def test_over_a_link_no_predicate_calls_a_function_of_plsql() -> None:
    """It would be executed on the target, for every row of the table and once for each shard."""
    lobs = table("LOBS", MB, 900 * MB)
    parts = tuple(Partition(f"P{n}", n, False, 450 * MB) for n in range(2))
    divided = table("PARTS", MB, 900 * MB, partitions=parts)
    survey = Survey({"APP.LOBS": surveyed(*(extent(1, 8 + 16 * n, 16) for n in range(40)))})
    fields = {"datapump": OVER_LINK, "degree": 8}
    wish, frozen = definition(**fields), FROZEN
    assert survey_wanted(catalogue(lobs, divided), wish, LIMITS, frozen) == (lobs,)
    made = plan(lobs, divided, survey=survey, **fields)
    assert {job.scheme for job in made.shards} == {"rowid_range", "partition"}
    assert [job.partitions for job in made.shards if job.scheme == "partition"] == [("P0",), ("P1",)]
    assert not any("(ROWID" in (job.predicate or "") for job in made.jobs)
    blind = plan(lobs, divided, **fields)
    assert [job.scheme for job in blind.jobs if "APP.LOBS" in job.table_keys] == ["whole_table"]
    bigfile = plan(table("T", MB, 900 * MB, bigfile_tablespace=True), table("U", MB), **fields)
    assert "told on the target" in bigfile.table("APP.T").reason


def test_bigfile_tablespaces_are_named_in_the_predicate() -> None:
    made = plan(table("T", MB, 900 * MB, bigfile_tablespace=True), degree=4)
    assert all("ROWID_BLOCK_NUMBER(ROWID, 'BIGFILE')" in (job.predicate or "") for job in made.shards)
    assert len(made.shards) >= 4


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"iot": True}, "without a known key"),
        ({"filterable": False}, "no data filter"),
        ({"blocks": 1}, "number of blocks"),
        ({"policies": ("HIDE", "SEEK")}, "row-level security (HIDE, SEEK)"),
        ({"long": True}, "a LONG column"),
    ],
)
def test_tables_that_cannot_be_cut_stay_whole(more: dict[str, Any], reason: str) -> None:
    made = plan(table("T", MB, 900 * MB, **more), table("U", MB), degree=4)
    assert not made.shards
    assert reason in made.table("APP.T").reason
    assert made.makespan_bytes >= 900 * MB
    assert made.table("APP.T").treatment == "whole"
    assert made.job("W001").scheme == "whole_table"
    assert [finding.code for finding in made.findings][-1:] == ["LONGEST_POLE"]
    assert ("ROW_LEVEL_SECURITY" in {finding.code for finding in made.findings}) == ("policies" in more)


def test_little_data_has_no_findings_and_says_why_no_time_is_expected() -> None:
    """In one bulk job some table is always the longest; of a few rows nobody has to be told."""
    made = plan(table("T", MB, 2 * MB), *(table(f"U{number}", 65536) for number in range(9)), degree=8)
    assert made.findings == ()
    assert "has carried enough (1 MB)" in explain(made)


def test_a_small_lob_table_and_a_large_one_without_lobs_stay_whole() -> None:
    made = plan(table("T", MB, 20 * MB), table("U", 900 * MB), degree=4)
    assert "smaller than lob_shard_min_bytes" in made.table("APP.T").reason
    assert "no LOBs" in made.table("APP.U").reason
    assert made.job("B001").parallel == 4


def test_a_temporary_table_is_built_but_carried_by_no_job() -> None:
    made = plan(table("T", MB), table("SCRATCH", 0, temporary=True))
    assert (made.table("APP.SCRATCH").treatment, made.table("APP.SCRATCH").jobs) == ("structure", ())


def test_nothing_to_copy_is_refused() -> None:
    with pytest.raises(PlanError, match="hold no table to copy"):
        plan()


def test_limits_of_the_instances_bound_the_degree() -> None:
    assert Limits(2).wished_degree == 8
    assert Limits(1).wished_degree == 4
    assert Limits(200).wished_degree == 64
    assert Limits(200, max_jobs=5).jobs_at_once == 5
    assert Limits(8).combined(Limits(2, max_jobs=3, parallel_jobs=False)) == Limits(2, 3, 50, False)
    assert plan(*DEMO, limits=Limits(2, max_jobs=3), degree=8).degree == 3


def test_measured_rates_give_seconds() -> None:
    made = plan(*DEMO, limits=Limits(2, rates=Rates(("r1",), float(MB))))
    assert made.expected_seconds == pytest.approx(made.makespan_bytes / MB)
    assert made == replace(
        plan(*DEMO),
        rates=made.rates,
        jobs=made.jobs,
        expected_seconds=made.expected_seconds,
        units=made.units,
    ), "one rate for everything changes nothing but the seconds, and what a table costs besides its bytes"


def test_slow_schemes_are_cut_into_more_shards() -> None:
    """SEED0: LOBs are read one block at a time, tables without LOBs at disk speed."""
    tables = (table("PLAIN", 400_000 * MB), table("LOBS", 1000 * MB, 600_000 * MB))
    rates = Rates(("r1",), 20.0 * MB, {"bulk": 100.0 * MB, "rowid_block_modulo": 5.0 * MB})
    blind = plan(*tables, degree=32, max_shards=64)
    aware = plan(*tables, degree=32, max_shards=64, limits=Limits(2, rates=rates))
    assert len(aware.shards) > len(blind.shards)
    assert aware.job("B001").parallel < blind.job("B001").parallel
    assert aware.expected_seconds is not None
    rate = {"bulk": 100 * MB, "rowid_block_modulo": 5 * MB}
    blindly = schedule(
        [
            Load(job.id, (job.estimate_bytes // job.parallel // rate[job.scheme],) * job.parallel)
            for job in blind.jobs
        ],
        32,
    )
    assert aware.expected_seconds < 0.75 * blindly.makespan
    assert aware.makespan_bytes <= 1.05 * aware.bound_bytes
    text = explain(aware)
    assert "rowid_block_modulo 5.0" in text
    assert "r1" in text


def test_lobs_behind_xmltype_and_objects_count_as_lobs() -> None:
    """A reader of the study had 86,054 XMLTYPE values: their LOBs are under columns that nobody sees."""
    hidden = Lob("SYS_NC00003$", "SYS_LOB_X", "HIDDEN", False, True, 8192, 900 * MB)
    one = replace(table("XML", 2 * MB), hidden_lobs=(hidden,))
    made = plan(one, table("PLAIN", 50 * MB), degree=8)
    assert made.table("APP.XML").lob_bytes == 900 * MB
    assert made.table("APP.XML").treatment == "shards"
    modern = replace(one, hidden_lobs=(replace(hidden, securefile=True),))
    assert plan(modern, table("PLAIN", 50 * MB), degree=8).table("APP.XML").treatment == "bulk"
    assert Table.from_json(one.to_json()) == one


def test_few_workers_per_job_are_told() -> None:
    made = plan(*DEMO, degree=8, limits=Limits(2, max_parallel_per_job=2))
    assert "permits 2 workers of one job" in findings(made)["PARALLEL_PER_JOB"]
    assert max(job.parallel for job in made.jobs) <= 2


def test_the_degree_is_given_calibrated_or_reckoned_and_says_so() -> None:
    calibrated = Limits(2, calibrated_degree=24, calibrated_by="run-7")
    assert (plan(*DEMO, limits=calibrated).degree, plan(*DEMO, limits=calibrated, degree=6).degree) == (24, 6)
    assert "calibration run-7" in explain(plan(*DEMO, limits=calibrated))
    assert "definition or the trigger form" in explain(plan(*DEMO, limits=calibrated, degree=6))
    assert "not calibrated" in explain(plan(*DEMO))
    bounded = plan(*DEMO, limits=replace(calibrated, max_jobs=10))
    assert bounded.degree == 10
    assert "the instances permit 10" in bounded.degree_reason
    assert "DATAPUMP_JOBS" in findings(bounded)


def test_one_job_has_no_more_workers_than_a_calibration_found_worth_it() -> None:
    tables = [table(f"T{number}", 10 * MB) for number in range(24)]
    limits = Limits(2, calibrated_degree=12, calibrated_by="run-7")
    free = plan(*tables, limits=limits)
    assert max(job.parallel for job in free.jobs) > 4
    bounded = plan(*tables, limits=replace(limits, calibrated_workers=4, calibrated_why="the knee"))
    assert bounded.degree == 12
    assert max(job.parallel for job in bounded.jobs) <= 4
    told = explain(bounded)
    assert "calibration run-7 recommends: the knee" in told
    assert "at most 4 of them in one job" in told
    assert "PARALLEL_PER_JOB" not in findings(bounded), "nothing is to be raised"
    assert "of them in one job" not in explain(free)


def test_undo_has_to_last_until_the_copy_is_proven() -> None:
    undo = Undo(retention_seconds=900, tuned_seconds=700)
    total = sum(one.total_bytes for one in DEMO)
    quick = Rates(("r1",), total / 8 / 100, held_bytes_per_second=total / 2000)
    made = plan(*DEMO, degree=8, limits=Limits(2, rates=quick, undo=undo))
    assert made.expected_seconds is not None
    assert made.expected_seconds < 200
    assert "for 2,000 s" in findings(made)["UNDO_RETENTION"]


def test_the_plan_is_explained() -> None:
    text = explain(plan(*DEMO, limits=Limits(2, rates=Rates(("r1",), float(MB)))))
    assert "as of SCN 4711" in text
    assert "8 workers at the same time" in text
    assert "DOCS.DOCUMENTS" in text
    assert "MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID)" in text
    assert "one worker alone would hold up the others" in text
    assert "expected: " in text
    assert "critical path of the jobs: " in text
    assert "the whole run: unknown" in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_unknown_jobs_and_tables_are_key_errors() -> None:
    made = plan(*DEMO)
    with pytest.raises(KeyError):
        made.job("S999")
    with pytest.raises(KeyError):
        made.table("APP.NONE")


def findings(made: Plan) -> dict[str, str]:
    return {finding.code: str(finding) for finding in made.findings}


def test_ranges_are_taken_where_a_scan_per_shard_would_cost() -> None:
    wide, narrow = table("WIDE", 400 * MB, 500 * MB), table("NARROW", 2 * MB, 900 * MB)
    wanted = survey_wanted(catalogue(wide, narrow), definition(degree=4), LIMITS, FROZEN)
    assert [one.name for one in wanted] == ["WIDE"]
    survey = Survey({"APP.WIDE": surveyed(extent(5, 128, 51200))})
    made = plan(wide, narrow, degree=4, survey=survey)
    assert {job.scheme for job in made.shards if job.tables == (("APP", "WIDE"),)} == {"rowid_range"}
    assert {job.scheme for job in made.shards if job.tables == (("APP", "NARROW"),)} == {"rowid_block_modulo"}
    assert "over 1 extents" in made.table("APP.WIDE").reason
    without = plan(wide, narrow, degree=4)
    assert {job.scheme for job in without.shards} == {"rowid_block_modulo"}


@pytest.mark.parametrize(
    ("more", "scheme"),
    [
        ({"iot": True, "constraints": (key("P", "PK", "ID"),)}, "ora_hash"),
        ({"partitions": (Partition("A", 1, bytes=600 * MB), Partition("B", 2, bytes=300 * MB))}, "partition"),
        ({"partitions": (Partition("A", 1, True), Partition("B", 2, True))}, "rowid_block_modulo"),
        ({"partitions": (Partition("A", 1, bytes=900 * MB),)}, "rowid_block_modulo"),
        ({"clustered": True}, "rowid_block_modulo"),
        ({"bigfile_tablespace": True}, "rowid_block_modulo"),
    ],
)
def test_each_kind_of_table_has_its_scheme(more: dict[str, Any], scheme: str) -> None:
    one = table("T", 300 * MB, 600 * MB, **more)
    assert survey_wanted(catalogue(one), definition(degree=4), LIMITS, FROZEN) == ()
    made = plan(one, degree=4)
    assert {job.scheme for job in made.shards} == {scheme}
    assert len(made.shards) >= 4
    assert made.makespan_bytes <= 1.06 * made.bound_bytes


@pytest.mark.parametrize(
    ("securefile", "version", "parallel", "treatment"),
    [
        (False, "19.0.0.0.0", True, "shards"),
        (True, "19.0.0.0.0", True, "bulk"),
        (True, "12.2.0.1.0", True, "bulk"),
        (True, "12.1.0.2.0", True, "shards"),
        (True, "19.0.0.0.0", False, "shards"),
    ],
)
def test_securefiles_are_left_to_data_pump_where_it_can(
    securefile: bool, version: str, parallel: bool, treatment: str
) -> None:
    made = plan(
        table("T", MB, 4000 * MB, securefile=securefile),
        degree=4,
        version=version,
        limits=Limits(2, parallel_jobs=parallel),
    )
    assert made.table("APP.T").treatment == treatment
    assert treatment == "shards" or made.job("B001").parallel == 4
    unknown = replace(table("T", MB, 4000 * MB, securefile=securefile), rows=None)
    assert plan(unknown, degree=4, version=version).table("APP.T").treatment == "shards"


def test_standard_edition_spreads_over_jobs_what_one_job_may_not_do() -> None:
    tables = [table(f"T{number}", 100 * MB) for number in range(20)]
    made = plan(*tables, table("LARGE", 4000 * MB), degree=4, limits=Limits(2, parallel_jobs=False))
    assert all(job.parallel == 1 and "%" not in job.dump_file for job in made.jobs)
    assert made.table("APP.LARGE").treatment == "shards"
    assert made.makespan_bytes <= 1.05 * made.bound_bytes
    assert "STANDARD_EDITION" in findings(made)
    assert len([job for job in made.jobs if job.kind == "bulk"]) > 1


def test_a_job_has_no_more_workers_than_the_parameter_permits() -> None:
    tables = [table(f"T{number}", 200 * MB) for number in range(40)]
    made = plan(*tables, degree=8, limits=Limits(2, max_parallel_per_job=3))
    assert [job.parallel for job in made.jobs] == [3, 3, 2]
    assert made.makespan_bytes <= 1.05 * made.bound_bytes


def test_a_name_filter_never_exceeds_an_in_list() -> None:
    made = plan(*[table(f"T{number}", 8192 * (1 + number % 7)) for number in range(3500)], degree=8)
    assert all(len(job.tables) <= 1000 for job in made.jobs)
    assert sum(len(job.tables) for job in made.jobs) == 3500
    assert [job.parallel for job in made.jobs] == [2, 2, 2, 2]
    assert made.makespan_bytes <= 1.05 * made.bound_bytes


def test_airflows_map_length_bounds_the_jobs() -> None:
    large = [table(f"L{number}", MB, 1000 * MB) for number in range(4)]
    wide = plan(*large, degree=16, max_shards=16)
    assert len(wide.jobs) >= 16
    assert "MAX_MAP_LENGTH" not in findings(wide)
    narrow = plan(*large, degree=16, max_shards=16, max_map_length=6)
    assert len(narrow.jobs) == 6
    assert "MAX_MAP_LENGTH" in findings(narrow)
    least = plan(*large, degree=16, max_shards=16, max_map_length=2)
    assert len(least.jobs) <= 2
    with pytest.raises(PlanError, match="that Airflow maps over"):
        plan(*[table(f"T{number}", 8192) for number in range(2500)], degree=2, max_map_length=2)


def test_what_the_instances_do_not_permit_is_told() -> None:
    made = plan(*DEMO, degree=16, limits=Limits(2, streams_pool_bytes=16 * MB))
    assert made.degree == 4
    assert "STREAMS_POOL_SIZE = 64M" in findings(made)["STREAMS_POOL"]
    made = plan(*DEMO, degree=16, limits=Limits(2, max_jobs=5, cluster=True))
    assert made.degree == 5
    assert "permits 5" in findings(made)["DATAPUMP_JOBS"]
    assert "cluster_ok" in findings(made)["CLUSTER"]
    assert findings(plan(*DEMO, degree=8)) == {}
    with pytest.raises(PlanError, match="permits no Data Pump job"):
        plan(*DEMO, limits=Limits(2, max_jobs=0))


def test_a_snapshot_too_old_is_predicted() -> None:
    undo = Undo(retention_seconds=900, tuned_seconds=700, longest_query_seconds=60)
    rate = sum(one.total_bytes for one in DEMO) / 8 / 1000  # about 1,000 s
    made = plan(*DEMO, degree=8, limits=Limits(2, rates=Rates(("r1",), rate), undo=undo))
    told = findings(made)["UNDO_RETENTION"]
    assert "ORA-01555 is to be expected" in told
    assert "kept for 700 s" in told
    assert "ALTER SYSTEM SET UNDO_RETENTION = 1" in told
    fast = plan(*DEMO, degree=8, limits=Limits(2, rates=Rates(("r1",), rate * 10), undo=undo))
    assert "UNDO_RETENTION" not in findings(fast)
    bad = replace(undo, too_old=3, no_space=2)
    assert "below " in findings(plan(*DEMO, degree=8, limits=Limits(2, undo=bad)))["UNDO_RETENTION"]
    assert findings(plan(*DEMO, degree=8, limits=Limits(2, undo=undo))) == {}


def test_old_versions_of_basicfile_lobs_are_thought_of() -> None:
    one = table("T", MB, 900 * MB)
    limits = Limits(2, rates=Rates(("r1",), MB / 5), undo=Undo(10**6, 10**6))
    for fields, expected in (
        ({"retention_seconds": 100}, "for 100 s"),
        ({"pctversion": 10}, "in 10 % of its space"),
        ({"retention_seconds": 10**6}, None),
        ({"securefile": True, "retention_seconds": 100}, None),
    ):
        changed = replace(one, lobs=tuple(replace(lob, **fields) for lob in one.lobs))
        told = findings(plan(changed, degree=4, limits=limits)).get("LOB_RETENTION")
        assert (expected in told) if expected and told else told is expected


def test_before_122_dump_files_are_numbered_with_two_digits() -> None:
    assert dump_file("J", 4, (12, 1, 0)) == "J_%U.dmp"
    assert dump_file("J", 4, (12, 2, 0)) == "J_%L.dmp"
    assert dump_file("J", 1, (11, 2)) == "J.dmp"
    assert plan(*DEMO, version="11.2.0.4.0").job("B001").dump_file.endswith("_%U.dmp")


def test_parameter_files_follow_where_they_are_asked_for() -> None:
    text = explain(plan(*DEMO), lambda job: [(f"{job.id}.par", f"job_name={job.job_name}\n")])
    assert "--- B001.par\njob_name=RF_" in text
    assert "--- S001.par" in text
