"""Change capture in the report: parameters and watches beside each other, and what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.plan.model import Plan
from oracle_refresh.report import Report, build, render
from oracle_refresh.report.capture import CaptureReport, capture_report
from oracle_refresh.tuning.cdc.around_work import Chosen, Watched
from oracle_refresh.tuning.cdc.picture import Picture, movement
from oracle_refresh.tuning.cdc.process_rules import PROCESS_RULES
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, diagnose
from oracle_refresh.tuning.cdc.waits import IDLE, Process, Wait
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING
from support.replicating import XOUT, Replicating

PLAN = Plan("demo", "run", 4711, 2, (), (), 1, 1, 1, None)
CHOSEN = Chosen("target", "XOUT", "CAP$_XOUT_1", {"apply.TXN_LCR_SPILL_THRESHOLD": "2000"})
FLOW = Wait("enqueue blocked due to <flow control>", "Queueing", 4, 5.5)
PROCESSES = (
    Process("capture", 28, 33, (Wait("waiting for redo", IDLE, 10, 60.0), FLOW)),
    Process("sender", 112, 27),
)


def outbound(**parameters: str) -> Picture:
    database: Any = Replicating(XOUT)
    picture = read_picture(database, "XOUT")
    return replace(picture, apply_parameters={**picture.apply_parameters, **parameters})


def watched(picture: Picture, seconds: float = 10.0, **moved: Any) -> Watched:
    movements = replace(movement(None, picture, seconds), **moved)
    readings = CaptureReadings(movements, picture, MEMORY, PROCESSES)
    return Watched(picture, movements, PROCESSES, diagnose(readings, COSTS, PROCESS_RULES), 0.0)


SEEN = {
    BEFORE: watched(outbound(), queue_spilled=400, lag_seconds=90.0),
    DURING: watched(outbound(TXN_LCR_SPILL_THRESHOLD="2000", PARALLELISM="9"), 100.0, paused_seconds=25.0),
    AFTER: watched(outbound()),
}


def page(report: CaptureReport) -> str:
    return render(build(PLAN, "failed", 1.0, capture=report))


def test_parameters_and_watches_are_beside_each_other() -> None:
    report = capture_report(CHOSEN, SEEN)
    assert CaptureReport.from_json(report.to_json()) == report
    whole = build(PLAN, "failed", 1.0, capture=report)
    assert Report.from_json(whole.to_json()) == whole
    threshold, parallelism = report.parameters
    assert (threshold.name, threshold.wanted) == ("apply.TXN_LCR_SPILL_THRESHOLD", "2000")
    assert (threshold.before, threshold.during, threshold.after) == ("10000", "2000", "10000")
    assert (parallelism.name, parallelism.wanted) == ("apply.PARALLELISM", None), "somebody else has set it"
    assert (parallelism.before, parallelism.during, parallelism.after) == (None, "9", None)
    before, during, after = report.watches
    assert (before.moment, during.moment, after.moment) == (BEFORE, DURING, AFTER)
    assert (before.spill_share, during.spill_share, during.paused_share) == (0.5, 0.0875, 0.25)
    (sent,) = [step for step in during.steps if step.step == "sent to the client"]
    assert (sent.count, sent.per_second) == (650, 6.5)
    capture, sender = during.waiting
    assert [wait.event for wait in capture.waits] == [FLOW.event], "an idle wait is none"
    assert sender.waits == ()
    assert any(finding.rule == "queue spill" for finding in before.findings)


def test_findings_follow_from_the_watches() -> None:
    findings = capture_report(CHOSEN, SEEN).findings
    assert "The queue spilled 9 % of the messages; before the work: 50 %." in findings
    assert "Capture was paused by flow control for 25 % of the time; before the work: 5 %." in findings
    assert "In the end capture was 7 s behind the changes; before the work 90 s." in findings
    assert not any("helped" in finding for finding in findings), "nothing is applied here"
    quiet = {**SEEN, BEFORE: watched(outbound(), queue_spilled=0, enqueued=0)}
    assert "The queue spilled 9 % of the messages; before the work: nothing came." in (
        capture_report(CHOSEN, quiet).findings
    )


def test_a_watch_in_which_nothing_moved_is_told_and_compared_with_nothing() -> None:
    idle = watched(outbound(), enqueued=0, queue_spilled=0, dequeued=0, sent=0, server_messages=())
    findings = capture_report(CHOSEN, {**SEEN, BEFORE: idle, AFTER: idle}).findings
    assert idle.moved.captured, "redo that was read alone is no message that moved"
    assert findings == (
        "Nothing moved while it was watched before the work: nothing follows from that, and the work is"
        " compared with nothing.",
        "The queue spilled 9 % of the messages.",
        "Capture was paused by flow control for 25 % of the time.",
        "Nothing moved while it was watched after the work.",
    )
    still = capture_report(CHOSEN, {**SEEN, DURING: idle}).findings
    assert [each[:29] for each in still] == ["Nothing moved during the work"]


def test_a_watch_that_is_missing_is_named() -> None:
    report = capture_report(CHOSEN, {BEFORE: SEEN[BEFORE]})
    assert report.findings == (
        "Not watched during and after the work; the logs of the tasks around it say why.",
    )
    assert (report.parameters[0].before, report.parameters[0].during) == ("10000", None)
    assert capture_report(CHOSEN, {}).purpose == ""


def test_the_page_has_a_section_of_it() -> None:
    shown = page(capture_report(CHOSEN, SEEN))
    for text in (
        "<h2>Change capture</h2>",
        "CAP$_XOUT_1 and XOUT at the target (XStream Out).",
        "<td>apply.TXN_LCR_SPILL_THRESHOLD</td><td>2000</td><td>10000</td><td>2000</td><td>10000</td>",
        "100.0 s during the work",
        "The queue spilled 9 % of the messages that came; capture was paused for 25 % of the time",
        "capture 28,33: enqueue blocked due to &lt;flow control&gt; 5.5 s.",
    ):
        assert text in shown, text


def test_of_a_source_the_page_says_that_nothing_is_set() -> None:
    chosen = Chosen("source", None, "CAP$_XOUT_1", {})
    shown = page(capture_report(chosen, SEEN))
    assert "CAP$_XOUT_1 at the source (XStream Out): watched only, as a source is never changed." in shown


def test_without_processes_there_is_no_such_section() -> None:
    assert capture_report(None, SEEN) == CaptureReport()
    assert "Change capture" not in page(CaptureReport())


def test_names_of_the_database_stay_text() -> None:
    evil = "<img src=x onerror=alert(1)>"
    chosen = Chosen("target", evil, evil, {f"apply.{evil}": evil})
    shown = page(capture_report(chosen, SEEN))
    assert "<img" not in shown
    assert "&lt;img" in shown
