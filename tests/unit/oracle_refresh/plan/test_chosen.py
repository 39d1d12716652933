"""What the definition chooses for single tables: followed as it says, or refused with why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Column, Partition, Survey, Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Catalogue, Skipped
from oracle_refresh.datapump.export import export_spec
from oracle_refresh.definition import ChosenScheme, TableChoice
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan import Plan, build_plan, explain, survey_wanted
from oracle_refresh.plan.chosen import choice_findings, impossible
from oracle_refresh.plan.rowid import Rowid
from support.planner_rows import DATA_OBJECT, ROWS, Row, carries, extent, surveyed
from support.planner_tables import FROZEN, MB, catalogue, definition, table
from support.samples import key

KEY = (key("P", "PK", "ID"),)
PARTS = tuple(Partition(f"P{number}", number, False, MB) for number in range(3))
SURVEY = Survey({"APP.T": surveyed(*(extent(1, block, 64) for block in range(8, 2600, 80)))})
TABLES = {
    "heap": table("T", 3 * MB, constraints=KEY),
    "lobs": table("T", MB, 90 * MB, constraints=KEY),
    "keyless": table("T", MB),
    "empty": table("T", 0, blocks=0, constraints=KEY),
    "partitions": table("T", 3 * MB, partitions=PARTS, constraints=KEY),
    "iot": table("T", MB, iot=True, constraints=KEY),
    "bigfile": table("T", MB, bigfile_tablespace=True, constraints=KEY),
    "cluster": table("T", MB, clustered=True, constraints=KEY),
}
CLIENT = {"runner": "client"}


def plan(*tables: Table, max_map_length: int = 1024, survey: Survey | None = SURVEY, **fields: Any) -> Plan:
    wish = definition(**fields)
    found = catalogue(*tables)
    return build_plan(found, wish, Limits(2), FROZEN, "r", survey=survey, max_map_length=max_map_length)


@given(
    st.sampled_from(sorted(TABLES)),
    st.sampled_from(get_args(ChosenScheme)),
    st.integers(2, 40),
    st.lists(st.integers(0, ROWS - 1), min_size=1, max_size=20),
)
@settings(max_examples=150, deadline=None)
def test_by_every_scheme_shards_carry_each_row_once(
    kind: str, scheme: ChosenScheme, shards: int, keys: list[int]
) -> None:
    one, choice = TABLES[kind], {"scheme": scheme, "shards": shards}
    if impossible(one, TableChoice.model_validate(choice), over_link=False):
        with pytest.raises(PlanError, match=f"APP.T: it cannot be cut by {scheme}"):
            plan(one, tables={"APP.T": choice})
        return
    made = plan(one, table("OTHER", MB), tables={"APP.T": choice})
    jobs = [made.job(each) for each in made.table("APP.T").jobs]
    assert 1 <= len(jobs) <= shards
    assert len(jobs) == shards or "no more than" in made.table("APP.T").reason
    assert {job.scheme for job in jobs} == {scheme}
    assert sum(job.estimate_bytes for job in jobs) == max(1, one.total_bytes)
    assert f"{shards} shards, as the definition says" in explain(made)
    for number in keys:
        partition = f"P{number % 3}" if one.partitions else None
        row = Row(Rowid(DATA_OBJECT, 1, number, number % 90), number, partition)
        assert sum(carries(job, one, row) for job in made.jobs) == 1, (row, jobs)


def test_a_number_of_shards_is_followed_beyond_max_shards_and_one_is_a_job_of_its_own() -> None:
    small, large = table("SMALL", MB), table("T", MB, 900 * MB, blocks=2600)
    chosen = {"app.t": {"shards": 7}, "APP.SMALL": {"shards": 1}}
    made = plan(small, large, degree=4, max_shards=2, tables=chosen)
    assert len(made.table("APP.T").jobs) == 7
    assert {made.job(each).scheme for each in made.table("APP.T").jobs} == {"rowid_block_modulo"}
    assert made.table("APP.SMALL").treatment == "whole"
    assert made.table("APP.SMALL").reason == "a job of its own, as the definition says"
    assert len(plan(small, large, degree=4, max_shards=2).table("APP.T").jobs) == 2


def test_a_scheme_without_a_number_is_that_of_a_table_that_is_cut() -> None:
    large, small = table("T", MB, 900 * MB, constraints=KEY), table("S", MB, constraints=KEY)
    made = plan(large, small, degree=4, tables={name: {"scheme": "ora_hash"} for name in ("APP.T", "APP.S")})
    assert {made.job(each).scheme for each in made.table("APP.T").jobs} == {"ora_hash"}
    assert made.table("APP.T").reason.endswith("by a hash of its key")
    assert made.table("APP.S").treatment == "bulk"


def test_extents_are_read_for_ranges_that_are_chosen_and_for_no_other_choice() -> None:
    one = TABLES["lobs"]
    for scheme, wanted in (("rowid_range", (one,)), ("rowid_block_modulo", ()), ("ntile", ())):
        wish = definition(tables={"APP.T": {"shards": 4, "scheme": scheme}})
        assert survey_wanted(catalogue(one), wish, Limits(2), FROZEN) == wanted
    unknown = plan(one, survey=None, tables={"APP.T": {"shards": 4, "scheme": "rowid_range"}})
    assert unknown.table("APP.T").reason.endswith(
        "whole: its extents are not known; no more than 1 can be told apart"
    )


def test_jobs_are_run_as_their_table_wants() -> None:
    one, other = table("T", MB), table("OTHER", MB)
    wish = {
        "datapump": {**CLIENT, "trace": "1FF0300"},
        "tables": {"APP.T": {"access_method": "direct_path", "metrics": False, "trace": "480300"}},
    }
    made, fields = plan(one, other, **wish), definition(**wish)
    assert made.table("APP.T").treatment == "whole"
    assert "the definition says access_method direct_path, metrics off, trace 480300" in explain(made)
    (mine,) = (job for job in made.jobs if job.table_keys == ("APP.T",))
    (bulk,) = (job for job in made.jobs if job.table_keys == ("APP.OTHER",))
    found = [export_spec(job, FROZEN, fields) for job in (mine, bulk)]
    assert [(spec.metrics, spec.trace) for spec in found] == [(False, "480300"), (True, "1FF0300")]
    assert [spec.access_method for spec in found] == [None, None]


def test_ntile_names_the_scn_and_breaks_ties_and_says_its_cost() -> None:
    made = plan(TABLES["lobs"], tables={"APP.T": {"shards": 2, "scheme": "ntile"}})
    assert made.job("S002").predicate == (
        'ROWID IN (SELECT R FROM (SELECT ROWID R, NTILE(2) OVER (ORDER BY "ID", ROWID) B'
        ' FROM "APP"."T" AS OF SCN 4711) WHERE B = 2)'
    )
    reason = made.table("APP.T").reason
    assert "each shard reads the table segment (1.0 MB) twice and sorts all its 10 rows" in reason


@pytest.mark.parametrize(
    ("more", "choice", "why"),
    [
        ({"temporary": True}, {"shards": 2}, "temporary"),
        ({"policies": ("HIDE",)}, {"shards": 2}, "it cannot be cut: row-level security"),
        ({"filterable": False}, {"shards": 2, "scheme": "ntile"}, "nested tables or domain indexes"),
        ({"long": True}, {"shards": 2}, "a LONG column rules out"),
        ({"long": True}, {"access_method": "external_table"}, "external tables take no LONG column"),
        ({"iot": True}, {"shards": 2}, "without a known key"),
        ({"iot": True, "constraints": KEY}, {"shards": 2, "scheme": "ntile"}, "logical rowids"),
        ({"iot": True, "constraints": KEY}, {"scheme": "rowid_block_modulo"}, "logical rowids"),
        ({}, {"shards": 2, "scheme": "partition"}, "less than two partitions"),
        ({"partitions": PARTS}, {"scheme": "rowid_range"}, "several data objects"),
        ({"partitions": (replace(PARTS[0], composite=True), PARTS[1])}, {"scheme": "partition"}, "subpart"),
        ({"clustered": True}, {"scheme": "rowid_range"}, "its cluster"),
        ({"bigfile_tablespace": True}, {"scheme": "rowid_range"}, "another shape"),
        ({}, {"scheme": "ora_hash"}, "no primary key that is enabled and validated"),
        ({"constraints": (replace(KEY[0], enabled=False),)}, {"scheme": "ora_hash"}, "no primary key"),
        ({"clustered": True}, {"access_method": "direct_path"}, "no table of a cluster"),
        ({"partitions": PARTS}, {"access_method": "direct_path"}, "no partitioned table"),
        ({"iot": True, "constraints": KEY}, {"access_method": "direct_path"}, "unique index"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_why(
    more: dict[str, Any], choice: dict[str, Any], why: str
) -> None:
    one = table("T", MB, **more)
    (finding,) = choice_findings(catalogue(one), definition(tables={"APP.T": choice}))
    assert (finding.code, finding.severity) == ("IMPOSSIBLE_CHOICE", "error")
    assert why in finding.message
    with pytest.raises(PlanError, match=r"cannot be followed for APP\.T"):
        plan(one, table("OTHER", MB), tables={"APP.T": choice})


@pytest.mark.parametrize("kind", ["BFILE", "XMLTYPE"])
def test_some_columns_are_not_loaded_by_direct_path(kind: str) -> None:
    column = Column("F", kind, 530, 0, None, None, None, True)
    one = table("T", MB)
    one = replace(one, columns=(*one.columns, column))
    assert kind in str(impossible(one, TableChoice(access_method="direct_path"), over_link=False))
    assert impossible(one, TableChoice(access_method="external_table"), over_link=False) is None


def test_encrypted_columns_are_not_loaded_by_direct_path() -> None:
    """Utilities 19c, "Using Direct Path to Move Data": "The table has encrypted columns"."""
    one, choice = table("T", MB), TableChoice(access_method="direct_path")
    assert impossible(one, choice, over_link=False) is None
    one = replace(one, columns=tuple(replace(column, encrypted=True) for column in one.columns))
    assert "encrypted" in str(impossible(one, choice, over_link=False))


def test_tables_that_are_not_copied_are_named() -> None:
    found = Catalogue(("APP",), (table("T", MB),), skipped=(Skipped("APP", "QUEUE", "queue table"),))
    wish = definition(tables={"APP.NONE": {"shards": 2}, "APP.QUEUE": {"shards": 2}, "APP.T": {"shards": 2}})
    findings = list(choice_findings(found, wish))
    assert [each.code for each in findings] == ["UNKNOWN_CHOSEN_TABLE"] * 2
    assert "APP.NONE, which the source does not have" in findings[0].message
    assert "APP.QUEUE, which is not copied: queue table" in findings[1].message
    with pytest.raises(PlanError, match=r"APP\.NONE.*APP\.QUEUE"):
        build_plan(found, wish, Limits(2), FROZEN, "r")


def test_no_more_shards_than_airflow_maps_over() -> None:
    large = table("T", 900 * MB, 9000 * MB, constraints=KEY)
    chosen = {"APP.T": {"shards": 1500, "scheme": "ora_hash"}}
    assert len(plan(large, max_map_length=2000, tables=chosen).jobs) == 1500
    assert plan(large, max_map_length=2000, max_shards=1500).jobs
    for fields in ({"max_shards": 1025}, {"tables": {"APP.T": {"shards": 1025}}}):
        with pytest.raises(PlanError, match="1,025 shards of one table are more than") as caught:
            plan(large, **fields)
        assert "max_map_length" in str(caught.value)


def test_what_is_chosen_is_never_cut_back_for_airflow_but_the_rest_is() -> None:
    others = [table(f"L{number}", MB, 400 * MB) for number in range(5)]
    chosen = {"APP.T": {"shards": 4}}
    one = table("T", MB, MB, constraints=KEY)
    fields: dict[str, Any] = {"degree": 16, "max_shards": 6, "tables": chosen}
    made = plan(one, *others, max_map_length=8, **fields)
    assert len(made.table("APP.T").jobs) == 4
    assert len(made.jobs) <= 8
    assert "MAX_MAP_LENGTH" in [finding.code for finding in made.findings]
    both = {**fields, "tables": {**chosen, "APP.L0": {"shards": 5}}}
    with pytest.raises(PlanError, match="more jobs than the 8 that Airflow maps over"):
        plan(one, *others, max_map_length=8, **both)
