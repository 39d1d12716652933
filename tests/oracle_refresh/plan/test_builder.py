from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planner_tables import FROZEN, MB, catalogue, definition, table

from oracle_refresh.catalog import Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.errors import PlanError
from oracle_refresh.plan import Plan, build_plan, explain
from oracle_refresh.plan.balance import makespan
from oracle_refresh.plan.names import job_name

LIMITS = Limits(cpus=2)

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


def plan(*tables: Table, limits: Limits = LIMITS, run_id: str = "run-1", **fields: Any) -> Plan:
    return build_plan(catalogue(*tables), definition(**fields), limits, FROZEN, run_id)


def rows_of(predicate: str | None, blocks: range) -> set[int]:
    """The blocks whose rows a predicate selects; Oracle's MOD of two positive numbers is that of Python."""
    if predicate is None:
        return set(blocks)
    found = re.fullmatch(
        r"MOD\(DBMS_ROWID\.ROWID_BLOCK_NUMBER\(ROWID(?:, 'BIGFILE')?\), (\d+)\) = (\d+)", predicate
    )
    assert found, predicate
    return {block for block in blocks if block % int(found[1]) == int(found[2])}


tables = st.lists(
    st.builds(
        lambda size, lob, iot, temporary, filterable, blocks: (size, lob, iot, temporary, filterable, blocks),
        st.integers(0, 10**10),
        st.just(0) | st.integers(1, 10**12),
        st.sampled_from([False, False, False, True]),
        st.sampled_from([False, False, False, True]),
        st.sampled_from([True, True, True, False]),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=25,
).map(
    lambda rows: [
        table(f"T{number}", size, lob, iot=iot, temporary=temporary, filterable=filterable, blocks=blocks)
        for number, (size, lob, iot, temporary, filterable, blocks) in enumerate(rows)
    ]
)


@given(tables, st.integers(1, 32), st.integers(1, 40), st.integers(1, 10**11), st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_row_of_every_table_is_carried_exactly_once(
    given_tables: list[Table], degree: int, max_shards: int, threshold: int, parallel: bool
) -> None:
    if all(one.temporary for one in given_tables):
        with pytest.raises(PlanError):
            plan(*given_tables)
        return
    made = plan(
        *given_tables,
        degree=degree,
        max_shards=max_shards,
        lob_shard_min_bytes=threshold,
        limits=Limits(2, parallel_jobs=parallel),
    )
    blocks = range(2 * max_shards + 7)
    for one in given_tables:
        carried: Counter[int] = Counter()
        for job in made.jobs:
            if (one.owner, one.name) in job.tables:
                carried.update(rows_of(job.predicate, blocks))
        assert carried == Counter({} if one.temporary else dict.fromkeys(blocks, 1))
        treated = made.table(one.key)
        assert treated.jobs == tuple(job.id for job in made.jobs if one.key in job.table_keys)
        assert treated.reason
    assert Plan.from_json(made.to_json()) == made
    assert sum(job.estimate_bytes for job in made.jobs) == made.total_bytes
    assert made.bound_bytes <= made.makespan_bytes
    assert len({job.job_name for job in made.jobs}) == len({job.id for job in made.jobs}) == len(made.jobs)
    assert all(len(job.job_name) <= 29 for job in made.jobs)
    assert sum(job.kind == "bulk" for job in made.jobs) <= 1
    assert parallel or all(job.parallel == 1 for job in made.jobs)
    assert [job.priority for job in made.jobs] == list(range(len(made.jobs), 0, -1))
    shards = [job.estimate_bytes for job in made.shards]
    assert shards == sorted(shards, reverse=True)


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


def test_bigfile_tablespaces_are_named_in_the_predicate() -> None:
    made = plan(table("T", MB, 900 * MB, bigfile_tablespace=True), degree=4)
    assert all("ROWID_BLOCK_NUMBER(ROWID, 'BIGFILE')" in (job.predicate or "") for job in made.shards)
    assert len(made.shards) >= 4


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"iot": True}, "index-organized"),
        ({"filterable": False}, "no data filter"),
        ({"blocks": 1}, "number of blocks"),
    ],
)
def test_tables_that_cannot_be_cut_stay_whole(more: dict[str, Any], reason: str) -> None:
    made = plan(table("T", MB, 900 * MB, **more), table("U", MB), degree=4)
    assert not made.shards
    assert reason in made.table("APP.T").reason
    assert made.makespan_bytes >= 900 * MB


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
    assert Limits(2).default_degree == 8
    assert Limits(1).default_degree == 4
    assert Limits(200).default_degree == 64
    assert Limits(200, max_jobs=5).default_degree == 5
    assert Limits(8).combined(Limits(2, max_jobs=3, parallel_jobs=False)) == Limits(2, 3, 50, False)
    assert plan(*DEMO, limits=Limits(2, max_jobs=3), degree=8).degree == 3


def test_measured_rates_give_seconds() -> None:
    made = plan(*DEMO, limits=Limits(2, bytes_per_second=float(MB)))
    assert made.expected_seconds == pytest.approx(made.makespan_bytes / MB)


def test_the_plan_is_explained() -> None:
    text = explain(plan(*DEMO, limits=Limits(2, bytes_per_second=float(MB))))
    assert "as of SCN 4711" in text
    assert "8 workers at the same time" in text
    assert "DOCS.DOCUMENTS" in text
    assert "MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID)" in text
    assert "one worker alone would hold up the others" in text
    assert "expected: " in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_unknown_jobs_and_tables_are_key_errors() -> None:
    made = plan(*DEMO)
    with pytest.raises(KeyError):
        made.job("S999")
    with pytest.raises(KeyError):
        made.table("APP.NONE")
