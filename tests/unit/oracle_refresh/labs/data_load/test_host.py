"""Counters of the worker's host: read as the kernel writes them, and made into rates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.data_load import host
from oracle_refresh.labs.data_load.host import (
    Device,
    DeviceRates,
    HostSeries,
    Reading,
    parse_devices,
    read_host,
    series,
)
from oracle_refresh.labs.data_load.sampling import thin_out
from oracle_refresh.labs.harness.processors import Processors, parse_processors

STAT = "cpu  100 20 30 400 50 6 4 10 7 0\ncpu0 100 20 30 400 50 6 4 10 7 0\nintr 1\n"
DISKS = """\
   8       0 sda 10 1 2000 5 20 2 4000 9 0 30 14 0 0 0 0 0 0
   8       1 sda1 10 1 2000 5 20 2 4000 9 0 30 14 0 0 0 0 0 0
   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
"""
FIRST = Reading(10.0, Processors(100, 40, 20, 1000), {"sda": Device(10, 1000, 20, 2000)})


def later(seconds: float, **devices: Device) -> Reading:
    return Reading(
        10.0 + seconds, Processors(150, 60, 30, 1100), devices or {"sda": Device(30, 5000, 20, 2000)}
    )


def test_processors_are_read() -> None:
    assert parse_processors(STAT) == Processors(user=120, system=40, waiting=50, all=620)


@pytest.mark.parametrize("text", ["", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3\n", "cpu a b c d e f g h\n"])
def test_other_files_than_stat_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"/proc/stat|invalid literal"):
        parse_processors(text)


def test_devices_are_read_without_their_partitions() -> None:
    assert parse_devices(DISKS, {"sda", "loop0"}) == {
        "sda": Device(10, 2000 * 512, 20, 4000 * 512),
        "loop0": Device(0, 0, 0, 0),
    }
    assert parse_devices("", {"sda"}) == {}


@pytest.mark.parametrize("text", ["8 0 sda 1 2 3\n", DISKS.replace("4000", "x"), "\n"])
def test_other_files_than_diskstats_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"/proc/diskstats|invalid literal"):
        parse_devices(text, {"sda"})


def test_rates_are_what_grew_by_the_seconds() -> None:
    (sample,) = series([FIRST, later(2.0)]).samples
    assert (sample.began, sample.ended) == (0.0, 2.0)
    assert (sample.user, sample.system, sample.waiting) == (0.5, 0.2, 0.1)
    assert sample.devices == {"sda": DeviceRates(10.0, 2000.0, 0.0, 0.0)}


def test_a_series_comes_back_from_json() -> None:
    made = series([FIRST, later(2.0)])
    assert HostSeries.from_json(made.to_json()) == made


@pytest.mark.parametrize("readings", [[], [FIRST], [FIRST, FIRST], [later(1.0), FIRST]])
def test_where_nothing_was_counted_there_is_no_sample(readings: list[Reading]) -> None:
    assert series(readings).samples == ()


def test_a_device_that_came_or_was_set_back_has_no_rate() -> None:
    new, idle = Device(5, 5, 5, 5), Device(0, 0, 0, 0)
    before = replace(FIRST, devices={**FIRST.devices, "sdc": idle})
    (sample,) = series([before, later(1.0, sda=Device(3, 100, 1, 10), sdb=new, sdc=idle)]).samples
    assert sample.devices == {}


def test_time_waited_that_is_set_back_is_none() -> None:
    after = replace(later(1.0), processors=replace(later(1.0).processors, waiting=19))
    (sample,) = series([FIRST, after]).samples
    assert sample.waiting == 0.0


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=60))
def test_readings_that_are_thinned_out_lose_nothing(grown: list[int]) -> None:
    readings, total = [], 0
    for place, more in enumerate(grown):
        total += more
        device = Device(total + 1, total, 1, 0)
        readings.append(Reading(float(place), Processors(place, 0, 0, 10 * place), {"sda": device}))
    thinned = list(readings)
    thin_out(thinned)
    assert (thinned[0], thinned[-1]) == (readings[0], readings[-1])
    assert len(thinned) <= len(readings) // 2 + 1
    moved = sum(
        sample.devices["sda"].read_bytes * (sample.ended - sample.began) for sample in series(thinned).samples
    )
    assert moved == pytest.approx(sum(grown[1:]))


def test_a_host_without_counters_has_no_readings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(host, "_PROC", tmp_path)
    monkeypatch.setattr(host, "_DEVICES", tmp_path)
    assert read_host() is None
    (tmp_path / "stat").write_text("something else")
    (tmp_path / "diskstats").write_text(DISKS)
    assert read_host() is None
    (tmp_path / "stat").write_text(STAT)
    (tmp_path / "sda").mkdir()
    found = read_host()
    assert found is not None
    assert found.processors.all == 620
    assert found.devices.keys() == {"sda"}
