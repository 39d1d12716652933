"""The worker's host on the page: means by time, courses, and nothing where nothing is known."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.host import DeviceRates, HostSample, HostSeries
from oracle_refresh.labs.data_load.host_page import MOST_SHOWN, host_sections
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, Plan, SchemaLoad, Work
from oracle_refresh.labs.data_load.page import page

WORK = Work("SLOB_", "USERS", 2, 100, 0, "none", True, 50, 1)
CHOSEN = Chosen(1, "there was nothing to compare it with", (DegreeTrial(1.0, 50, 1000, 1),))
BATCHES = tuple(
    BatchLoad(number, 4.0, (SchemaLoad(f"SLOB_{number}", 100, 1000, 0.0, {"load": 4.0}),))
    for number in (1, 2)
)
SERIES = HostSeries(
    "<worker>",
    (
        HostSample(0.0, 1.0, 0.8, 0.1, 0.0, {"sda": DeviceRates(10.0, 4e6, 0.0, 0.0)}),
        HostSample(1.0, 4.0, 0.4, 0.1, 0.2, {"sdb": DeviceRates(0.0, 0.0, 20.0, 8e6)}),
    ),
)


def a_load(host: dict[str, HostSeries]) -> Loaded:
    return Loaded(Plan("run__1", "oracle_target", "DEMO 19", WORK, True), None, CHOSEN, BATCHES, host)


@pytest.mark.slow
def test_means_are_weighted_by_their_seconds() -> None:
    table, *_ = host_sections(a_load({"batch 1": SERIES}))
    assert table.table is not None
    cells = {line.cells[2]: line.cells[3:] for line in table.table.lines}
    assert cells["processors"] == ("50.0", "10.0", "15.0", "", "", "", "")
    assert cells["sda"] == ("", "", "", "2.5", "1.00", "0.0", "0.00")
    assert cells["sdb"] == ("", "", "", "0.0", "0.00", "15.0", "6.00")


def test_trials_and_batches_are_in_the_table_and_batches_in_the_charts() -> None:
    host = dict.fromkeys(("trial of degree 1", "batch 1", "batch 2"), SERIES)
    table, processors, devices = host_sections(a_load(host))
    assert table.table is not None
    assert [line.cells[0] for line in table.table.lines[::3]] == ["trial of degree 1", "batch 1", "batch 2"]
    assert "<svg" in processors.chart
    assert "<svg" in devices.chart
    only_trial = host_sections(a_load({"trial of degree 1": SERIES}))
    assert len(only_trial) == 1


@pytest.mark.parametrize("host", [{}, {"batch 1": HostSeries("worker", ())}, {"batch 3": SERIES}])
def test_where_nothing_is_known_nothing_is_shown(host: dict[str, HostSeries]) -> None:
    assert host_sections(a_load(host)) == []


def test_a_host_of_many_devices_shows_the_busiest() -> None:
    devices = {
        f"sd{letter}": DeviceRates(1.0, 1e6 * place, 1.0, 0.0) for place, letter in enumerate("abcdef")
    }
    many = HostSeries("worker", (HostSample(0.0, 1.0, 0.1, 0.1, 0.1, devices),))
    *_, chart = host_sections(a_load({"batch 1": many}))
    shown = [name for name in devices if f"{name} read" in chart.chart]
    assert shown == ["sdd", "sde", "sdf"]
    assert len(shown) == MOST_SHOWN


def test_the_page_escapes_the_host_and_the_report_holds_its_series() -> None:
    load = a_load({"batch 1": SERIES})
    text = page(load).html()
    assert "&lt;worker&gt;" in text
    assert "<worker>" not in text
    assert load.document()["host"]["batch 1"]["samples"][1]["devices"]["sdb"]["written_bytes"] == 8e6
    assert Loaded.from_json(load.to_json()) == load
