"""The page and the text of a diagnosis."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.labs.change_capture.diagnosed import (
    IDLE,
    LEFT,
    WAITED,
    Diagnosed,
    page,
    spent,
    stages,
    text,
)
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.tuning.cdc.parts import Pool, PoolAdvice, SpilledTransaction
from oracle_refresh.tuning.cdc.picture import Picture, movement
from oracle_refresh.tuning.cdc.process_rules import PROCESS_RULES
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, diagnose
from oracle_refresh.tuning.cdc.support import KeylessTable, Support, UnsupportedTable
from oracle_refresh.tuning.cdc.waits import Process, Wait
from support.replicating import EXTRACT, XOUT, Replicating

SUPPORT = Support(
    schemas=("APP",),
    unsupported=(UnsupportedTable(TableName("APP", "DOCS"), "ID KEY", True),),
    keyless=(KeylessTable(TableName("APP", "LOG"), False, True),),
)
CAPTURE = Process(
    "capture", 28, 33, (Wait("blocked <by> flow", "Queueing", 4, 5.5), Wait("redo", "Idle", 1, 2.0))
)


def diagnosed(picture: Picture, seconds: float = 10.0, **changes: Any) -> Diagnosed:
    given = {"processes": (CAPTURE,), "support": SUPPORT} | changes
    readings = CaptureReadings(movement(None, picture, seconds), picture, MEMORY, **given)
    return Diagnosed.of("run 1", readings, diagnose(readings, COSTS, PROCESS_RULES))


def outbound() -> Picture:
    database: Any = Replicating(XOUT)
    return read_picture(database, "XOUT")


def extract() -> Picture:
    database: Any = Replicating(EXTRACT)
    return read_picture(database, capture_name="OGG$CAP_EXT1")


def headings(html: str) -> list[str]:
    return re.findall("<h2>(.*?)</h2>", html)


def test_the_page_of_an_outbound_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)  # diagnosing a capture in use needs no extra
    pool = Pool(0, 1 << 28, 1 << 27, (PoolAdvice(1 << 29, 5, 1.0, 2.0),))
    shown = replace(outbound(), pool=pool, spilling=(SpilledTransaction("1.2.3", 4_000),))
    found = diagnosed(shown)
    files = page(found).files(found.to_json())
    html = files["report.html"]
    assert headings(html) == [
        "Findings",
        "Rates and latency",
        "Queue and spill",
        "Waits of each process",
        "Tables that are not captured wholly",
        "Tables without keys",
    ]
    assert html.count("<svg") == 2
    assert "<script" not in html
    for expected in (
        "CAP$_XOUT_1, ENABLED",
        "XOUT, ATTACHED",
        "XStream Out",
        "1.2.3",
        "2024-05-01 09:00:00",
        "APP.DOCS",
        "APP.LOG",
    ):
        assert expected in html, expected
    assert "blocked &lt;by&gt; flow" in html
    assert Diagnosed.from_json(json.loads(files["report.json"])) == found


def test_each_step_with_its_rate_and_latency() -> None:
    found = diagnosed(outbound())
    steps = {stage.name: stage for stage in stages(found.picture, found.moved)}
    assert [(name, stage.count, stage.behind) for name, stage in steps.items()] == [
        ("redo read", 900, 5.0),
        ("rules, messages made", 900, None),
        ("enqueued", 800, 7.0),
        ("spilled by the queue", 70, None),
        ("dequeued", 700, 7.0),
        ("finished", 9, 7.0),
        ("sent to the client", 650, 7.0),
    ]
    assert steps["sent to the client"].seconds == 45.0
    ours = diagnosed(replace(outbound(), purpose="Streams", sender=None))
    names = [stage.name for stage in stages(ours.picture, ours.moved)]
    assert names[-2:] == ["applied", "finished"]
    assert "90.0" in text(found), "captured per second"


def test_the_page_of_an_extract_without_apply_process() -> None:
    found = diagnosed(extract(), processes=(), support=Support(not_read=("DBA_GOLDENGATE_SUPPORT_MODE",)))
    html = page(found).html()
    assert "OGG$CAP_EXT1, ENABLED" in html
    assert "GoldenGate Capture" in html
    assert "None of the processes has a session" in html
    assert "Not there, or not readable: DBA_GOLDENGATE_SUPPORT_MODE." in html
    assert "parallelism" not in html, "there is no apply process that could have one"
    assert Diagnosed.from_json(found.to_json()) == found


def test_a_page_of_what_stands_still() -> None:
    shown = outbound()
    readings = CaptureReadings(movement(shown, shown, 0.0), shown, MEMORY, (), Support(elsewhere=True))
    found = Diagnosed.of("run 2", readings, diagnose(readings, COSTS, PROCESS_RULES))
    html = page(found).html()
    assert "Nothing moved while it was watched." in html
    assert "ask the source database" in html
    assert "<svg" not in html
    nothing = diagnosed(outbound(), support=Support(schemas=("APP",)))
    assert page(nothing).html().count("There are none.") == 2


@pytest.mark.parametrize(
    ("seconds", "shares"),
    [
        (10.0, {WAITED: 0.55, LEFT: 0.25, IDLE: 0.2}),
        (6.0, {WAITED: 5.5 / 6, LEFT: 0.0, IDLE: 0.5 / 6}),
        (1.0, {WAITED: 1.0, LEFT: 0.0, IDLE: 0.0}),
        (0.0, {WAITED: 0.0, LEFT: 0.0, IDLE: 0.0}),
    ],
)
def test_shares_of_the_time(seconds: float, shares: dict[str, float]) -> None:
    assert spent(CAPTURE, seconds) == pytest.approx(shares)


def test_the_text_for_the_log_has_what_there_is() -> None:
    said = text(diagnosed(outbound()))
    for expected in ("redo read", "28,33", "blocked <by> flow (Queueing) 5.50 s", "APP.DOCS", "APP.LOG"):
        assert expected in said, expected
    assert "without a key" not in text(diagnosed(outbound(), support=Support()))
