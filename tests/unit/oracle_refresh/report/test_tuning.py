from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from oracle_refresh.plan.model import Plan
from oracle_refresh.report import build, render
from oracle_refresh.report.tuning import END, LOADED, START, TunedItem, TuningReport, tuning_report, windows
from oracle_refresh.tuning.changes import RunbookStep
from oracle_refresh.tuning.counters import Counters, Event
from oracle_refresh.tuning.findings import RedoLogs
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING, States

NOW = datetime(2026, 1, 2, 3, 4, 5)
FIRST = Counters(NOW, {"ONE": NOW}, {"redo size": 1e6}, {}, {}, RedoLogs(3, 50 << 20), 7, 0, 0, 0)
SECOND = replace(
    FIRST,
    taken_at=NOW + timedelta(seconds=100),
    statistics={"redo size": 5e6},
    events={"log file sync": Event(10, 40.0), "<b>": Event(1, 0.1)},
    sequence=9,
)
THIRD = replace(SECOND, taken_at=NOW + timedelta(seconds=150))
ITEMS = (
    TunedItem("parameter commit_wait", "parameter commit_wait: unset -> NOWAIT (memory)", "restored"),
    TunedItem("parameter undo_retention", "900 -> 86400", "drifted", "found <i>7200</i>"),
    TunedItem("redo logs of thread 1", "3 groups", "open"),
)
STEPS = (RunbookStep("log mode", "it has to be mounted", ("STARTUP MOUNT",)),)


def test_the_work_is_told_between_readings() -> None:
    first, second = windows({START: FIRST, LOADED: SECOND, END: THIRD})
    assert (first.seconds, first.redo_bytes, first.log_switches) == (100.0, 4_000_000, 2)
    assert [wait.event for wait in first.waits] == ["log file sync", "<b>"]
    assert [finding.code for finding in first.findings] == ["LOG_SYNC"]
    assert (second.seconds, second.waits, second.findings) == (50.0, (), ())


def test_readings_that_are_missing() -> None:
    (only,) = windows({START: FIRST, END: THIRD})
    assert only.name == "the whole refresh"
    assert len(windows({START: FIRST, LOADED: SECOND})) == 1
    assert windows({LOADED: SECOND}) == ()
    assert len(windows({START: FIRST, LOADED: THIRD, END: SECOND})) == 1, "loaded again after the end"
    assert tuning_report(None, {}, {}) == TuningReport()


def test_the_page_tells_what_was_not_restored() -> None:
    stored = TuningReport("bulk", ITEMS, STEPS)
    states = {
        BEFORE: States({"parameter undo_retention": "900", "redo logs of thread 1": "3 groups of 50 MB"}),
        DURING: States({"parameter undo_retention": "86<b>400", "of another": "1"}),
        AFTER: States({"parameter undo_retention": "7200"}),
    }
    tuning = tuning_report(stored, {START: FIRST, END: SECOND}, states)
    assert TuningReport.from_json(tuning.to_json()) == tuning
    plan = Plan("demo", "run", 4711, 2, (), (), 1, 1, 1, None)
    page = render(build(plan, "failed", 1.0, tuning=tuning))
    assert [(item.before, item.during, item.after) for item in tuning.items] == [
        (None, None, None),
        ("900", "86<b>400", "7200"),
        ("3 groups of 50 MB", None, None),
    ]
    assert "<td>900</td><td>86&lt;b&gt;400</td><td>7200</td><td>drifted</td>" in page
    assert "<td>3 groups of 50 MB</td><td></td><td></td><td>open</td>" in page
    assert "Not restored: redo logs of thread 1." in page
    assert "left alone: parameter undo_retention." in page
    assert "STARTUP MOUNT" in page
    assert "COMMIT_WAIT = NOWAIT while loading" in page
    assert "<i>" not in page.replace("&lt;i&gt;", "")
    assert "Tuning" not in render(build(plan, "failed", 1.0)), "nothing to tell"
