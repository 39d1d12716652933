"""Processes that a definition names, from the diagnosis before the work to the one after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition import Capture
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.report.capture import CaptureReport, capture_report
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.tuning.cdc import around_work, statements
from oracle_refresh.tuning.cdc.around_work import (
    CHOSEN,
    LOOK,
    WATCHED,
    Chosen,
    Model,
    begin_watching,
    choose,
    plan_capture,
    watched_after,
    watched_during,
)
from oracle_refresh.tuning.cdc.change import POOL
from oracle_refresh.tuning.changes import Changes, RunbookStep
from oracle_refresh.tuning.make import make
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING
from support.replicating import BEGUN, CHANGED, PUT, STREAMS, capture_row
from support.settable import APPLY, CAPTURE, Killed, Settable

MODEL = Model(COSTS, MEMORY)
MEGABYTE = 1 << 20


@dataclass(eq=False)
class Moving(Settable):
    """What goes through the processes is what was `moved`; half of it, if told so, the queue has spilled."""

    moved: int = 0
    spilled: int = 0
    call_timeout: int = 0
    broken: bool = False

    def is_healthy(self) -> bool:
        return True

    def rows_of(self, sql: str, binds: Any) -> Any:
        if self.broken:
            raise TuningError("the views cannot be read")
        views = {
            statements.CAPTURE: [capture_row("Streams", None, client_status=None)],
            statements.CAPTURE_OF_QUEUE: [(CAPTURE,)],
            statements.APPLY_OF_QUEUE: [(APPLY,)],
            statements.QUEUE: [(BEGUN, 0, 0, self.moved, self.spilled)],
            statements.capture(STREAMS): [
                (
                    "CAPTURING CHANGES",
                    BEGUN,
                    self.moved,
                    self.moved,
                    *(0,) * 3,
                    *(CHANGED, PUT) * 2,
                    *(0,) * 4,
                )
            ],
            statements.reader(STREAMS): [("IDLE", self.moved, 0, 0, 0, MEGABYTE, CHANGED, PUT)],
            statements.coordinator(STREAMS): [("IDLE", BEGUN, 1, 1, 0, 0, 0, 0, CHANGED, PUT)],
            statements.servers(STREAMS): [(1, "IDLE", 1, self.moved, self.moved / 10)],
            statements.POOL: [(64 * MEGABYTE, 0)],
        }
        return views[sql] if sql in views else super().rows_of(sql, binds)


@dataclass
class Documents:
    """What a run keeps, as JSON."""

    kept: dict[tuple[str, str], Any] = field(default_factory=dict)

    def put(self, kind: Any, item: str, value: Any) -> None:
        self.kept[kind.name, item] = kind.to_text(value)

    def find(self, kind: Any, item: str) -> Any:
        text = self.kept.get((kind.name, item))
        return None if text is None else kind.from_text(text)


def run_with(section: Capture | None, source: Any = None, target: Any = None) -> Any:
    deny_list = SimpleNamespace(databases=())
    return SimpleNamespace(
        id="a_run",
        definition=SimpleNamespace(capture=section, deny_list=deny_list),
        source=source or Moving(),
        target=target or Moving(),
        documents=Documents(),
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The worker's; who sleeps lets what `meanwhile` does happen."""
    clock = SimpleNamespace(now=1_000.0, meanwhile=lambda: None)

    def sleep(seconds: float) -> None:
        clock.meanwhile()
        clock.now += seconds

    clock.time, clock.sleep = lambda: clock.now, sleep
    for module in ("around_work", "watching"):
        monkeypatch.setattr(f"oracle_refresh.tuning.cdc.{module}.time", clock)
    return clock


def moving(database: Any, messages: int, spilled: int = 0) -> Callable[[], None]:
    def more() -> None:
        database.moved += messages
        database.spilled += spilled

    return more


def report_of(run: Any) -> CaptureReport:
    moments = {name: run.documents.find(WATCHED, name) for name in (BEFORE, DURING, AFTER)}
    watched = {name: each for name, each in moments.items() if each is not None}
    return capture_report(run.documents.find(CHOSEN, WHOLE), watched)


def test_a_whole_run(clock: SimpleNamespace) -> None:
    """The queue spills before, is recommended a lower threshold, and does not spill during the work."""
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    run = run_with(Capture(apply_name=APPLY, seconds=10, recommended=True), target=target)
    before = target.state
    clock.meanwhile = moving(target, 90_000, 60_000)
    chosen = choose(run, MODEL)
    assert chosen is not None
    assert (chosen.end, chosen.apply_name, chosen.capture_name) == ("target", APPLY, CAPTURE)
    (change,) = plan_capture(run, chosen).dynamic
    make(target, change)
    threshold = target.set_values[APPLY]["TXN_LCR_SPILL_THRESHOLD"]
    assert 1 <= int(threshold) <= 10_000
    begin_watching(run, chosen)
    clock.now += 100
    moving(target, 500_000)()
    watched_during(run, MODEL)
    change.restore(target)  # type: ignore[union-attr]
    assert target.state == before
    clock.meanwhile = moving(target, 10)
    watched_after(run, MODEL)
    report = report_of(run)
    assert CaptureReport.from_json(report.to_json()) == report
    assert [(each.moment, each.seconds) for each in report.watches] == [
        (BEFORE, 10),
        (DURING, 100),
        (AFTER, 10),
    ]
    assert [each.spill_share for each in report.watches] == [0.6667, 0, 0]
    (parameter,) = [each for each in report.parameters if each.name == "apply.TXN_LCR_SPILL_THRESHOLD"]
    assert parameter.wanted == parameter.during == threshold
    assert parameter.before == parameter.after == "100000"
    assert "The queue spilled 0 % of the messages; before the work: 67 %." in report.findings
    assert any("has helped" in finding for finding in report.findings)
    dequeued = {step.step: step.count for step in report.watches[1].steps}
    assert dequeued["dequeued"] == 500_000


def test_a_repeated_try_does_not_diagnose_what_the_former_one_has_set(clock: SimpleNamespace) -> None:
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    run = run_with(Capture(apply_name=APPLY, seconds=10, recommended=True), target=target)
    clock.meanwhile = moving(target, 90_000, 60_000)
    first = choose(run, MODEL)
    (change,) = plan_capture(run, first).dynamic  # type: ignore[arg-type]
    make(target, change)
    now = clock.now
    assert choose(run, MODEL) == first
    assert clock.now == now, "it was not watched again"
    assert run.documents.find(WATCHED, BEFORE).picture.settings.txn_lcr_spill_threshold == 100_000


def test_a_try_that_died_with_apply_stopped_is_taken_up(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    target: Any = Moving()
    given: Any = {"apply": {"PARALLELISM": "8"}}
    run = run_with(Capture(apply_name=APPLY, seconds=1, parameters=given), target=target)
    chosen: Any = choose(run, MODEL)
    (change,) = plan_capture(run, chosen).dynamic
    target.calls_left = 2
    with pytest.raises(Killed):
        make(target, change)
    target.calls_left = None
    assert target.status == "DISABLED"
    assert plan_capture(run, chosen).dynamic == (), "nothing is on record, so it was not this run"
    recorded = SimpleNamespace(open=lambda run_id: [SimpleNamespace(change=change)])
    monkeypatch.setattr(around_work, "Records", lambda _: recorded)
    (again,) = plan_capture(run, chosen).dynamic
    make(target, again)
    assert target.status == "ENABLED"


def test_what_is_written_out_comes_before_what_is_recommended(clock: SimpleNamespace) -> None:
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    given: Any = {"apply": {"TXN_LCR_SPILL_THRESHOLD": "77"}, "capture": {"MAX_SGA_SIZE": "64"}}
    run = run_with(Capture(apply_name=APPLY, seconds=1, recommended=True, parameters=given), target=target)
    clock.meanwhile = moving(target, 90_000, 60_000)
    chosen: Any = choose(run, MODEL)
    assert chosen.wanted["apply.TXN_LCR_SPILL_THRESHOLD"] == "77"
    assert chosen.wanted["capture.MAX_SGA_SIZE"] == "64"


def test_without_the_word_nothing_that_is_recommended_is_set(clock: SimpleNamespace) -> None:
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    clock.meanwhile = moving(target, 90_000, 60_000)
    chosen: Any = choose(run, MODEL)
    assert run.documents.find(WATCHED, BEFORE).diagnosis.recommendations
    assert chosen.wanted == {}
    assert plan_capture(run, chosen) == Changes()


def test_a_source_is_watched_and_never_set(clock: SimpleNamespace) -> None:
    source, target = Moving(), Moving(broken=True)
    run = run_with(Capture(end="source", capture_name=CAPTURE, seconds=1), source, target)
    clock.meanwhile = moving(source, 50)
    chosen: Any = choose(run, MODEL)
    assert chosen.end == "source"
    begin_watching(run, chosen)
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert source.made == []
    assert len(report_of(run).watches) == 3


def test_without_the_section_nothing_is_asked() -> None:
    run = run_with(None, Moving(broken=True), Moving(broken=True))
    assert choose(run, MODEL) is None
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert run.documents.kept == {}
    assert report_of(run) == CaptureReport()


def test_a_process_that_is_not_there_ends_the_task_before_anything_is_set(clock: SimpleNamespace) -> None:
    run = run_with(Capture(apply_name="NOBODY", seconds=1))
    with pytest.raises(TuningError, match="no such apply process"):
        choose(run, MODEL)
    assert run.documents.kept == {}


def test_readings_that_fail_when_the_work_has_begun_hold_nothing_up(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    target: Any = Moving()
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    begin_watching(run, choose(run, MODEL))  # type: ignore[arg-type]
    target.broken = True
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert "during the work is left out of the report" in caplog.text
    report = report_of(run)
    assert [each.moment for each in report.watches] == [BEFORE]
    assert report.findings == (
        "Not watched during and after the work; the logs of the tasks around it say why.",
    )


def test_the_work_is_watched_once_in_each_pass(clock: SimpleNamespace) -> None:
    """`restore_target` may be tried again when it has taken back what was set."""
    target: Any = Moving()
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    chosen: Any = choose(run, MODEL)
    begin_watching(run, chosen)
    clock.now += 10
    moving(target, 30)()
    watched_during(run, MODEL)
    clock.now += 1_000
    watched_during(run, MODEL)
    assert report_of(run).watches[1].seconds == 10
    begin_watching(run, chosen)  # the run was cleared
    clock.now += 7
    watched_during(run, MODEL)
    assert report_of(run).watches[1].seconds == 7
    assert run.documents.find(LOOK, WHOLE).at == clock.now - 7


def test_nothing_that_moved_is_told_as_such(clock: SimpleNamespace) -> None:
    run = run_with(Capture(apply_name=APPLY, seconds=1))
    begin_watching(run, choose(run, MODEL))  # type: ignore[arg-type]
    watched_during(run, MODEL)
    assert any(finding.startswith("Nothing moved during the work") for finding in report_of(run).findings)


POOLED = Chosen("target", APPLY, CAPTURE, {POOL: str(96 * MEGABYTE)})


def test_a_profile_has_the_last_word_on_the_pool() -> None:
    assert plan_capture(run_with(None), POOLED, {"streams_pool_size"}) == Changes()


def test_the_pool_is_set_as_a_profile_would_set_it(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[Any] = []
    step = Changes(runbook=(RunbookStep("in the root", "it is the instance's", ()),))
    monkeypatch.setattr(around_work, "read_instance", lambda _: "instance")
    monkeypatch.setattr(around_work, "plan_changes", lambda *asked: planned.append(asked) or step)
    assert plan_capture(run_with(None), POOLED) == step
    ((phase, _, _),) = planned
    assert phase.parameters == {"streams_pool_size": str(96 * MEGABYTE)}
    assert phase.root_parameters == "runbook"


def test_a_pool_that_may_not_be_set_is_left_to_a_dba(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes are tuned all the same."""

    def refused(*_: Any) -> Changes:
        raise TuningError("it sends redo to a standby")

    monkeypatch.setattr(around_work, "read_instance", lambda _: "instance")
    monkeypatch.setattr(around_work, "plan_changes", refused)
    wanted = {**POOLED.wanted, "apply.PARALLELISM": "8"}
    changes = plan_capture(run_with(None), replace(POOLED, wanted=wanted))
    assert len(changes.dynamic) == 1
    (step,) = changes.runbook
    assert step.why == "it sends redo to a standby"
    assert step.commands == (
        f"ALTER SYSTEM SET streams_pool_size = {96 * MEGABYTE} SCOPE = MEMORY SID = '*';",
    )
