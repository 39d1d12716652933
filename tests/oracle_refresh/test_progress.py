from __future__ import annotations

import logging

import pytest

from oracle_refresh.progress import LogProgress, describe, silent


def test_lines_are_spaced_and_the_last_one_is_never_lost(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    progress = LogProgress(logging.getLogger("progress"), seconds=5, clock=lambda: now[0])
    with caplog.at_level(logging.INFO):
        for second in range(13):
            now[0] = float(second)
            progress.report(second * 10, 120, "MB", "export S001")
        progress.report(1, None, "rows", "another subject")
    assert caplog.messages == [
        "export S001: 0 of 120 MB",
        "export S001: 50 of 120 MB, 10.0 MB/s, 7 s left",
        "export S001: 100 of 120 MB, 10.0 MB/s, 2 s left",
        "export S001: 120 of 120 MB, 10.0 MB/s",
        "another subject: 1 rows",
    ]


def test_an_unknown_total_gives_no_estimate() -> None:
    assert describe(5, None, "files", "stage", 2.0) == "stage: 5 files, 2.0 files/s"


def test_silence_is_the_default() -> None:
    silent.report(1, 2, "MB", "anything")
