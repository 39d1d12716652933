from __future__ import annotations

import logging

import pytest

from oracle_refresh.run.progress import LogProgress, Measured, Meter, silent


def test_lines_are_spaced_and_the_last_one_is_never_lost(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    progress = LogProgress(logging.getLogger("progress"), seconds=5, clock=lambda: now[0])
    with caplog.at_level(logging.INFO):
        for second in range(13):
            now[0] = float(second)
            progress.report(second * 10, 120, "MB", "export S001")
        progress.report(1, None, "rows", "another subject")
    assert caplog.messages == [
        "export S001: 0 of 120 MB (0 %)",
        "export S001: 50 of 120 MB (42 %), 10.0 MB/s, 7 s left",
        "export S001: 100 of 120 MB (83 %), 10.0 MB/s, 2 s left",
        "export S001: 120 of 120 MB (100 %), 10.0 MB/s",
        "another subject: 1 rows",
    ]


def test_an_unknown_total_gives_no_estimate() -> None:
    measured = Measured(5, None, "files", "stage", 2.0)
    assert str(measured) == "stage: 5 files, 2.0 files/s"
    assert (measured.percent, measured.eta_seconds, measured.finished) == (None, None, False)


def test_what_the_state_store_is_told() -> None:
    now = [0.0]
    meter = Meter(clock=lambda: now[0])
    first = meter.measure(20, 120, "MB", "RF_S001")
    assert (first.rate, first.eta_seconds) == (0.0, None)
    now[0] = 4.0
    assert meter.measure(40, 120, "MB", "RF_S001").to_json() == {
        "what": "RF_S001",
        "done": 40,
        "total": 120,
        "unit": "MB",
        "percent": 33.3,
        "rate": 5.0,
        "eta_seconds": 16.0,
    }
    assert meter.measure(150, 120, "MB", "RF_S001").percent == 100.0
    assert meter.measure(0, 0, "MB", "nothing").eta_seconds == 0.0


def test_a_job_that_begins_again_is_measured_again() -> None:
    now = [0.0]
    meter = Meter(clock=lambda: now[0])
    meter.measure(90, 100, "MB", "job")
    now[0] = 10.0
    assert meter.measure(10, 100, "MB", "job").rate == 0.0
    now[0] = 20.0
    again = meter.measure(30, 100, "MB", "job")
    assert (again.rate, again.eta_seconds) == (2.0, 35.0)


def test_silence_is_the_default() -> None:
    silent.report(1, 2, "MB", "anything")
