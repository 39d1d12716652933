"""The database's instances on the page: means, courses, intervals, and nothing where nothing is known."""

from __future__ import annotations

from datetime import datetime

import pytest

from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.instances import InstanceSample, InstanceSeries, Interval
from oracle_refresh.labs.data_load.instances_page import instance_sections
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, Plan, SchemaLoad, Work
from oracle_refresh.labs.data_load.page import page

WORK = Work("SLOB_", "USERS", 2, 100, 0, "none", True, 50, 1)
CHOSEN = Chosen(1, "there was nothing to compare it with", (DegreeTrial(1.0, 50, 1000, 1),))
BATCHES = tuple(
    BatchLoad(number, 4.0, (SchemaLoad(f"SLOB_{number}", 100, 1000, 0.0, {"load": 4.0}),))
    for number in (1, 2)
)
SAMPLES = (
    InstanceSample(0.0, 1.0, 0.9, 0.8, 0.1, 0.0, 4000.0, None, 40.0, 8.0, 4e6, 0.0),
    InstanceSample(1.0, 4.0, 0.5, 0.4, 0.1, 0.2, 8000.0, None, 80.0, 16.0, 8e6, 4e6),
)
NOON = datetime(2031, 5, 1, 12)
INTERVALS = (
    Interval(1, NOON, 15.0, 15.0, {"Logical Reads Per Sec": 100.0, "Physical Reads Per Sec": 9.0}),
    Interval(1, NOON.replace(minute=1), 20.0, 5.0, {"Logical Reads Per Sec": 300.0}),
    Interval(2, NOON, 15.0, 15.0, {"Physical Writes Per Sec": 7.0}),
)


def a_load(series: dict[str, InstanceSeries]) -> Loaded:
    plan = Plan("run__1", "oracle_target", "DEMO 19", WORK, True)
    return Loaded(plan, None, CHOSEN, BATCHES, {}, series)


def test_means_are_weighted_and_what_is_not_counted_is_left_empty() -> None:
    table, *_ = instance_sections(a_load({"batch 2": InstanceSeries(SAMPLES, ())}))
    assert table.table is not None
    (line,) = table.table.lines
    assert line.cells == (
        *("batch 2", "60.0", "50.0", "10.0", "15.0"),
        *("7,000.0", "", "70.0", "14.0", "7.00", "3.00"),
    )


def test_logical_and_physical_io_have_courses_of_their_own() -> None:
    series = dict.fromkeys(("trial of degree 1", "batch 1", "batch 2"), InstanceSeries(SAMPLES, ()))
    table, logical, physical = instance_sections(a_load(series))
    assert table.table is not None
    assert [line.cells[0] for line in table.table.lines] == ["trial of degree 1", "batch 1", "batch 2"]
    assert "logical reads" in logical.chart
    assert "block changes" not in logical.chart, "none were counted"
    assert "physical reads" in physical.chart
    assert "physical writes" in physical.chart
    assert len(instance_sections(a_load({"trial of degree 1": series["batch 1"]}))) == 1


def test_intervals_are_told_by_instance() -> None:
    (table,) = instance_sections(a_load({"trial of degree 1": InstanceSeries((), INTERVALS)}))
    assert table.table is not None
    assert [line.cells for line in table.table.lines] == [
        ("trial of degree 1", "1", "2", "150.0", "", "9.0", ""),
        ("trial of degree 1", "2", "1", "", "", "", "7.0"),
    ]


@pytest.mark.parametrize(
    "series", [{}, {"batch 1": InstanceSeries((), ())}, {"batch 3": InstanceSeries(SAMPLES, INTERVALS)}]
)
def test_where_nothing_is_known_nothing_is_shown(series: dict[str, InstanceSeries]) -> None:
    assert instance_sections(a_load(series)) == []


def test_the_page_and_the_report_have_the_series() -> None:
    load = a_load({"batch 1": InstanceSeries(SAMPLES, INTERVALS)})
    text = page(load).html()
    assert "The database&#39;s instances" in text or "The database's instances" in text
    assert "As V$SYSMETRIC tells it" in text
    sample = load.document()["instances"]["batch 1"]["samples"][1]
    assert (sample["logical_reads"], sample["physical_writes"]) == (8000.0, 16.0)
    assert Loaded.from_json(load.to_json()) == load
