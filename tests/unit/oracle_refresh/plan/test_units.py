"""Work units: every table in one, few of them, and none that the others would wait for without need."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.rates import Rates
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan import Plan, build_plan, explain
from oracle_refresh.plan.model import LONGEST_LABEL, WorkUnit, unit_id
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.units import MOST_SHARES, cost_per_table, fair_share, masking_work
from support.planner_tables import FROZEN, MB, catalogue, definition, table

#: Sizes of the demo source at scale 1, in MB: rows, LOBs.
DEMO = {
    "DOCS.DOCUMENTS": (2.9, 167.4),
    "TEST.TESTTABLE": (1.7, 66.4),
    "APP.PAYMENTS": (26.3, 0),
    "APP.ORDERS": (19.4, 0),
    "APP.CUSTOMERS": (12, 0),
    "APP.ACCOUNTS": (7.2, 0),
    **{
        f"APP.T{number:02d}": (size, 0) for number, size in enumerate((8, 6, 5, 4, 3, 2, 1, 0.3, 0.2, 0.1, 0))
    },
}


def demo(scale: float) -> list[Table]:
    return [
        table(name, int(rows * scale * MB), int(lobs * scale * MB), owner=owner)
        for (owner, name), (rows, lobs) in ((key.split("."), sizes) for key, sizes in DEMO.items())
    ]


def plan(*tables: Table, limits: Limits | None = None, most: int = 1024, **fields: object) -> Plan:
    wish = definition(schemas=["APP", "DOCS", "TEST"], **fields)
    return build_plan(catalogue(*tables), wish, limits or Limits(cpus=2), FROZEN, "run", max_map_length=most)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**11), st.just(0) | st.integers(1, 10**12), st.booleans()),
        min_size=1,
        max_size=60,
    ),
    st.integers(1, 100),
    st.none() | st.builds(Rates, st.just(("r",)), st.floats(1e3, 1e9)),
    st.sampled_from([1024, 80, 70]),
)
@settings(max_examples=75, deadline=None)
def test_every_table_is_in_one_unit_and_none_is_a_pole(
    sizes: list[tuple[int, int, bool]], degree: int, rates: Rates | None, most: int
) -> None:
    tables = [table(f"T{number}", *size[:2], temporary=size[2]) for number, size in enumerate(sizes)]
    tables.append(table("ROWS", MB))
    made = plan(*tables, degree=degree, limits=Limits(2, rates=rates), most=most)

    assert sorted(name for unit in made.units for name in unit.tables) == sorted(
        (one.owner, one.name) for one in tables
    )
    assert [unit.id for unit in made.units] == [f"U{n:03d}" for n in range(1, len(made.units) + 1)]
    works = [unit.work for unit in made.units]
    assert works == sorted(works, reverse=True)
    assert len(made.units) <= most
    groups = {one.jobs for one in made.tables}
    shares = min(max(made.degree, 8), MOST_SHARES)
    assert len(made.units) <= 2 * shares + len(groups)

    fixed = cost_per_table(Pace(rates))
    share = fair_share(works, made.degree, fixed)
    if len(made.units) < most:
        assert all(unit.work <= share for unit in made.units if len(unit.tables) > 1)
        for unit in made.units:
            waits_for = {made.table(key).jobs for key in unit.table_keys} - {()}
            assert len(waits_for) <= 1, "no table waits for the jobs of another"
    assert Plan.from_json(made.to_json()) == made
    explain(made)


@pytest.mark.parametrize("scale", [0.02, 0.1, 1])
@pytest.mark.parametrize("rate", [None, 8.0 * MB])
def test_the_demo_has_few_units_and_its_large_tables_stand_alone(scale: float, rate: float | None) -> None:
    made = plan(*demo(scale), limits=Limits(2, rates=Rates(("r",), rate) if rate else None))
    assert 4 <= len(made.units) <= 8, [unit.label for unit in made.units]
    if scale >= 0.1:
        assert [unit.label for unit in made.units][:2] == ["U001: DOCS.DOCUMENTS", "U002: TEST.TESTTABLE"]


def test_a_table_that_is_masked_at_length_stands_alone() -> None:
    tables = [
        table("LARGE", 0, 100 * MB),
        *(replace(table(f"T{number}", MB), rows=None) for number in range(12)),
    ]
    masked = {("APP", "T5"): 4}
    wish = definition(schemas=["APP"])
    made = build_plan(catalogue(*tables), wish, Limits(cpus=2), FROZEN, "run", masked=masked)
    assert made.units[1].label == "U002: APP.T5"
    assert made.units[1].work > 4 * masking_work(None, MB, 1)
    assert masking_work(7, MB, 2) == 7 * masking_work(1, 0, 2)


@pytest.mark.slow
def test_ten_thousand_tables_are_some_hundred_units() -> None:
    made = plan(*[table(f"T{number}", number % 97 * 10_000) for number in range(10_000)], limits=Limits(16))
    assert len(made.units) <= 200
    works = [unit.work for unit in made.units]
    assert max(works) <= 1.2 * sum(works) / made.degree


def test_tables_without_rows_go_with_others() -> None:
    made = plan(table("T", MB), table("SCRATCH", 0, temporary=True))
    assert [unit.label for unit in made.units] == ["U001: 2 tables"]
    assert plan(table("T", MB)).units[0].label == "U001: APP.T"


def test_where_airflow_maps_over_few_the_smallest_go_together() -> None:
    made = plan(*demo(1), most=len(plan(*demo(1)).jobs))
    wide = plan(*demo(1))
    assert len(plan(*demo(1), most=3).units) == 3
    assert made.units[0] == wide.units[0]


def test_a_label_is_for_people_and_leads_back_to_the_unit() -> None:
    long = WorkUnit("U1000", (TableName("O" * 128, "N" * 128),), 1)
    several = WorkUnit("U004", (TableName("APP", "A"), TableName("APP", "B")), 1)
    assert (several.label, unit_id(several.label), unit_id("U004")) == ("U004: 2 tables", "U004", "U004")
    assert len(long.label) == LONGEST_LABEL
    assert unit_id(long.label) == "U1000"
    assert unit_id("U001.ORDERS") == "U001.ORDERS", "a table of a user of that name"


def test_the_plan_shows_its_units() -> None:
    text = explain(plan(*demo(0.1)))
    assert "compared, masked and indexed in 7 work units" in text
    (line,) = [line for line in text.splitlines() if line.startswith("U001")]
    assert line.split() == ["U001", "18.0", "MB", "1", "DOCS.DOCUMENTS"]
