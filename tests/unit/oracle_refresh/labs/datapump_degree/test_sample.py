"""The sample: which table, how much of it, and that every degree unloads the same rows of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Partition, Table
from oracle_refresh.definition import DataPump
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.labs.datapump_degree.advice import advise
from oracle_refresh.labs.datapump_degree.measure import Place, specs
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.plan import Trial, trials
from oracle_refresh.labs.datapump_degree.sample import choose_table, parts, sample_of
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.rowid import Rowid
from support.planner_rows import DATA_OBJECT, extent, surveyed
from support.planner_tables import MB, catalogue, table
from support.samples import key

T = TableName("APP", "T")
PLACE = Place("demo", "run-1", "DUMPS", DataPump())


def taken_by(predicate: str, rows: list[Rowid]) -> list[Rowid]:
    """The rows that a part takes, as the database would say."""
    if predicate.startswith("MOD"):
        modulus, remainder = map(int, predicate.removeprefix("MOD(").split(", ")[-1].split(") = "))
        return [row for row in rows if row.block % modulus == remainder]
    low, high = (Rowid.parse(text[:18]) for text in predicate.split("CHARTOROWID('")[1:])
    return [row for row in rows if low <= row <= high]


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 400)), min_size=1, max_size=12),
    st.integers(1, 500 * MB),
    st.integers(1, 64),
    st.integers(1, 64),
)
@settings(max_examples=40, deadline=None)
def test_every_degree_unloads_the_same_blocks_each_once(
    found: list[tuple[int, int]], most: int, degree: int, other: int
) -> None:
    extents, block = [], 8
    for file, blocks in found:
        extents.append(extent(file, block, blocks))
        block += blocks + 8
    one = table("T", sum(part.bytes for part in extents))
    sample = sample_of(one, surveyed(*extents), "named", 1, most)
    assert sample.bytes <= min(one.total_bytes, most + 8192)
    rows = [
        Rowid(DATA_OBJECT, part.relative_fno, part.block_id + offset, number)
        for part in extents
        for offset in range(part.blocks)
        for number in (0, 700)
    ]
    taken = [
        [row for part in parts(sample, wanted) for row in taken_by(part.predicate, rows)]
        for wanted in (degree, other)
    ]
    assert sorted(taken[0]) == sorted(taken[1]) == sorted(set(taken[0]))
    assert taken[0]


@given(st.integers(1, 10**12), st.integers(1, 10**9), st.integers(1, 64), st.integers(1, 64))
def test_without_ranges_it_is_every_so_many_th_block(size: int, most: int, degree: int, other: int) -> None:
    sample = sample_of(table("T", size, bigfile_tablespace=True), None, "named", 1, most)
    blocks = [Rowid(1, 1, block) for block in range(0, 40 * sample.every, max(1, sample.every // 7))]
    taken = [
        [row for part in parts(sample, wanted) for row in taken_by(part.predicate, blocks)]
        for wanted in (degree, other)
    ]
    assert sorted(taken[0]) == sorted(taken[1]) == [row for row in blocks if row.block % sample.every == 0]
    assert "'BIGFILE'" in parts(sample, degree)[0].predicate


def test_the_largest_plain_table_is_chosen() -> None:
    tables = (
        table("SMALL", MB),
        table("PLAIN", 50 * MB),
        table("LOBS", MB, 500 * MB),
        table("IOT", 90 * MB, iot=True),
        table("LONGS", 90 * MB, long=True),
        table("HIDDEN", 90 * MB, policies=("HIDE",)),
        table("PARTS", 90 * MB, partitions=(Partition("P", 1),)),
        table("TEMP", 90 * MB, temporary=True),
    )
    chosen, why = choose_table(catalogue(*tables))
    assert (chosen.name, why) == ("PLAIN", "the largest plain table")
    chosen, why = choose_table(catalogue(tables[2], *tables[3:6]))
    assert chosen.name == "LOBS"
    assert "none is without LOBs" in why
    assert choose_table(catalogue(*tables), TableName("APP", "LOBS"))[0].name == "LOBS"


@pytest.mark.parametrize(
    ("tables", "named", "message"),
    [
        ([table("T", MB)], TableName("APP", "OTHER"), "not among the tables"),
        (
            [table("T", MB, iot=True, constraints=(key("P", "PK", "ID"),))],
            TableName("APP", "T"),
            "index-organized",
        ),
        ([table("T", MB, filterable=False)], T, "nested tables"),
        ([table("T", MB, temporary=True)], T, "temporary"),
        ([table("T", MB, iot=True)], None, "no table that can be unloaded"),
        ([], None, "no table that can be unloaded"),
    ],
)
def test_what_cannot_be_unloaded_in_parts_is_refused(
    tables: list[Table], named: TableName | None, message: str
) -> None:
    with pytest.raises(PlanError, match=message):
        choose_table(catalogue(*tables), named)


def test_names_tell_run_degree_repeat_and_part_and_fit_every_release() -> None:
    sample = sample_of(table("T", 500 * MB), surveyed(extent(1, 8, 4000)), "named", 77, 100 * MB)
    made = [spec for trial in trials((1, 256), 2) for spec in specs(sample, trial, PLACE)]
    names = [spec.job_name for spec in made]
    assert len(set(names)) == len(names) == 2 * 257
    assert max(map(len, names)) <= 30
    assert {spec.scn for spec in made} == {77}
    assert {spec.parallel for spec in made} == {1}
    assert specs(sample, Trial(8, 1), PLACE) == specs(sample, Trial(8, 1), PLACE)


SAMPLE = Sample("APP", "T", 1, 100 * MB, 200 * MB, "named")


def measured(rows: int = 100, **seconds: float) -> list[Measurement]:
    return [Measurement(time, rows, 1, int(name[1:]), 1, int(name[1:])) for name, time in seconds.items()]


def test_the_advice_holds_the_rate_of_one_worker() -> None:
    advice = advise("r", "a", "b", SAMPLE, measured(n2=40.0, n4=20.0, n8=19.8), trials((2, 4, 8), 2))
    assert advice.degree == 4
    assert advice.bytes_per_second == pytest.approx(100 * MB / 20 / 4)
    assert advice.notes == ()
    assert advice.trusted
    assert type(advice).from_json(advice.to_json()) == advice


def test_what_was_odd_is_said() -> None:
    found = [*measured(n2=0.4, n4=0.2), Measurement(0.1, 100, 1, 8, 1, 5)]
    odd = advise("r", "a", "b", SAMPLE, found, trials((2, 4, 8, 16), 2))
    assert not odd.trusted
    notes = " ".join(odd.notes)
    assert "not measured: 16" in notes
    assert "too few blocks for 8" in notes
    assert "starting the jobs weighs much" in notes
    assert "more may be better" in notes
    flat = advise("r", "a", "b", SAMPLE, measured(n4=20.0, n8=20.0))
    assert "fewer may be as good" in flat.notes[0]


def test_other_rows_are_no_measurement() -> None:
    found = [*measured(n2=40.0), *measured(99, n4=20.0)]
    with pytest.raises(PlanError, match=r"99 rows at \[4\]; 100 rows at \[2\]"):
        advise("r", "a", "b", SAMPLE, found)
