"""Processes that a definition names, from the diagnosis before the work to the one after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition import Capture
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.oracle.errors import PlanError, TuningError
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
    watched_before,
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
UNREADABLE = TuningError("the views cannot be read")


@dataclass(eq=False)
class Moving(Settable):
    """What goes through the processes is what was `moved`; half of it, if told so, the queue has spilled."""

    moved: int = 0
    spilled: int = 0
    call_timeout: int = 0
    broken: Exception | None = None
    asked: list[str] = field(default_factory=list)

    def is_healthy(self) -> bool:
        return True

    def rows_of(self, sql: str, binds: Any) -> Any:
        self.asked.append(sql)
        if self.broken:
            raise self.broken
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

    def keep(self, kind: Any, item: str, value: Any) -> None:
        assert (kind.name, item) not in self.kept
        self.put(kind, item, value)

    def find(self, kind: Any, item: str) -> Any:
        text = self.kept.get((kind.name, item))
        return None if text is None else kind.from_text(text)


def run_with(section: Capture | None, source: Any = None, target: Any = None) -> Any:
    """The task's own session and the further ones see one database."""
    deny_list = SimpleNamespace(databases=())
    source, target = source or Moving(), target or Moving()
    return SimpleNamespace(
        id="a_run",
        definition=SimpleNamespace(capture=section, deny_list=deny_list),
        source=source,
        target=target,
        further_source=lambda: source,
        further_target=lambda: target,
        documents=Documents(),
    )


def chosen_of(run: Any) -> Any:
    """As the tasks before the work leave it."""
    watched_before(run, MODEL)
    return choose(run)


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
    chosen = chosen_of(run)
    assert chosen is not None
    assert (chosen.end, chosen.apply_name, chosen.capture_name) == ("target", APPLY, CAPTURE)
    (change,) = plan_capture(run, chosen).dynamic
    recorded = [change]
    make(target, change, recorded.append)
    threshold = target.set_values[APPLY]["TXN_LCR_SPILL_THRESHOLD"]
    assert 1 <= int(threshold) <= 10_000
    begin_watching(run, chosen)
    clock.now += 100
    moving(target, 500_000)()
    watched_during(run, MODEL)
    recorded[-1].restore(target, recorded.append)
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
    first = chosen_of(run)
    (change,) = plan_capture(run, first).dynamic
    make(target, change, lambda _: None)
    now = clock.now
    assert chosen_of(run) == first, "also where the task before it is repeated"
    assert clock.now == now, "it was not watched again"
    assert run.documents.find(WATCHED, BEFORE).picture.settings.txn_lcr_spill_threshold == 100_000


def test_a_try_that_died_with_apply_stopped_is_taken_up(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    target: Any = Moving()
    given: Any = {"apply": {"PARALLELISM": "8"}}
    run = run_with(Capture(apply_name=APPLY, seconds=1, parameters=given), target=target)
    chosen: Any = chosen_of(run)
    (change,) = plan_capture(run, chosen).dynamic
    target.calls_left = 2
    kept: list[Any] = []
    with pytest.raises(Killed):
        make(target, change, kept.append)
    target.calls_left = None
    assert target.status == "DISABLED"
    assert plan_capture(run, chosen).dynamic == (), "nothing is on record, so it was not this run"
    recorded = SimpleNamespace(open=lambda run_id: [SimpleNamespace(change=kept[-1])])
    monkeypatch.setattr(around_work, "Records", lambda _: recorded)
    (again,) = plan_capture(run, chosen).dynamic
    make(target, again, kept.append)
    assert target.status == "ENABLED"


def test_what_is_written_out_comes_before_what_is_recommended(clock: SimpleNamespace) -> None:
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    given: Any = {"apply": {"TXN_LCR_SPILL_THRESHOLD": "77"}, "capture": {"MAX_SGA_SIZE": "64"}}
    run = run_with(Capture(apply_name=APPLY, seconds=1, recommended=True, parameters=given), target=target)
    clock.meanwhile = moving(target, 90_000, 60_000)
    chosen: Any = chosen_of(run)
    assert chosen.wanted["apply.TXN_LCR_SPILL_THRESHOLD"] == "77"
    assert chosen.wanted["capture.MAX_SGA_SIZE"] == "64"


def test_without_the_word_nothing_that_is_recommended_is_set(clock: SimpleNamespace) -> None:
    target: Any = Moving(set_values={APPLY: {"TXN_LCR_SPILL_THRESHOLD": "100000"}, CAPTURE: {}})
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    clock.meanwhile = moving(target, 90_000, 60_000)
    chosen: Any = chosen_of(run)
    assert run.documents.find(WATCHED, BEFORE).diagnosis.recommendations
    assert chosen.wanted == {}
    assert plan_capture(run, chosen) == Changes()


def test_a_source_is_watched_and_never_set(clock: SimpleNamespace) -> None:
    source, target = Moving(), Moving(broken=UNREADABLE)
    run = run_with(Capture(end="source", capture_name=CAPTURE, seconds=1), source, target)
    clock.meanwhile = moving(source, 50)
    chosen: Any = chosen_of(run)
    assert chosen.end == "source"
    begin_watching(run, chosen)
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert source.made == []
    assert len(report_of(run).watches) == 3


def test_without_the_section_nothing_is_asked() -> None:
    run = run_with(None, Moving(broken=UNREADABLE), Moving(broken=UNREADABLE))
    assert chosen_of(run) is None
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert run.documents.kept == {}
    assert report_of(run) == CaptureReport()


def test_a_process_that_is_not_there_ends_the_task_before_anything_is_set(clock: SimpleNamespace) -> None:
    """Where something of it is to be set: to a diagnosis alone it is one more thing that fails."""
    given: Any = {"apply": {"PARALLELISM": "8"}}
    run = run_with(Capture(apply_name="NOBODY", seconds=1, parameters=given))
    with pytest.raises(TuningError, match="no such apply process"):
        chosen_of(run)
    assert run.documents.kept == {}
    only_watched = run_with(Capture(apply_name="NOBODY", seconds=1))
    assert chosen_of(only_watched) == Chosen("target", "NOBODY", None, {})


#: A call that was not answered, arithmetic, a value that a view has not, a document of another version.
FAILURES = [UNREADABLE, ZeroDivisionError("division by zero"), TypeError("int() of None"), PlanError("older")]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_a_diagnosis_that_fails_holds_nothing_up(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    target: Any = Moving()
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    chosen = chosen_of(run)
    begin_watching(run, chosen)
    target.broken = failure
    begin_watching(run, chosen)
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert f"during the work is left out of the report: {failure}" in caplog.text
    assert f"after the work is left out of the report: {failure}" in caplog.text
    report = report_of(run)
    assert [each.moment for each in report.watches] == [BEFORE]
    assert report.findings[0] == (
        "Not watched during and after the work; the logs of the tasks around it say why."
    )


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_without_the_diagnosis_before_only_what_is_written_out_is_set(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    target: Any = Moving(broken=failure)
    given: Any = {"apply": {"PARALLELISM": "8"}}
    run = run_with(Capture(apply_name=APPLY, seconds=1, recommended=True, parameters=given), target=target)
    watched_before(run, MODEL)
    assert f"before the work is left out of the report: {failure}" in caplog.text
    target.broken = None
    assert choose(run) == Chosen("target", APPLY, CAPTURE, {"apply.PARALLELISM": "8"})
    assert "was not watched before the target was locked" in caplog.text
    assert "Not watched before" in report_of(run).findings[0]


def test_documents_that_cannot_be_read_hold_nothing_up(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    run = run_with(Capture(apply_name=APPLY, seconds=1))
    begin_watching(run, chosen_of(run))
    run.documents.kept[LOOK.name, WHOLE] = "{}"
    watched_during(run, MODEL)
    run.documents.kept[CHOSEN.name, WHOLE] = "{}"
    watched_after(run, MODEL)
    assert caplog.text.count("is left out of the report") == 2


def test_it_is_read_in_sessions_of_its_own(clock: SimpleNamespace) -> None:
    """A call that is not answered in time may take its session with it: not the one that restores."""
    tasks_own, further = Moving(), Moving()
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=tasks_own)
    run.further_target = lambda: further
    clock.meanwhile = moving(further, 10)
    begin_watching(run, chosen_of(run))
    watched_during(run, MODEL)
    watched_after(run, MODEL)
    assert len(report_of(run).watches) == 3
    assert tasks_own.asked == []


def test_where_nothing_moves_nothing_that_is_recommended_is_set(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    target: Any = Moving(set_values={APPLY: {"PARALLELISM": "1"}, CAPTURE: {}})
    run = run_with(Capture(apply_name=APPLY, seconds=1, recommended=True), target=target)
    chosen = chosen_of(run)
    assert run.documents.find(WATCHED, BEFORE).diagnosis.recommendations
    assert chosen.wanted == {}
    assert f"nothing has moved through {CAPTURE} within 1 s" in caplog.text
    assert "nothing that is recommended is set" in caplog.text
    begin_watching(run, chosen)
    moving(target, 500, 100)()
    watched_during(run, MODEL)
    findings = report_of(run).findings
    assert any(each.startswith("Nothing moved while it was watched before the work") for each in findings)
    assert "The queue spilled 20 % of the messages." in findings
    assert not any("helped" in each or "; before the work" in each for each in findings)


def test_the_work_is_watched_once_in_each_pass(clock: SimpleNamespace) -> None:
    """`restore_target` may be tried again when it has taken back what was set."""
    target: Any = Moving()
    run = run_with(Capture(apply_name=APPLY, seconds=1), target=target)
    chosen: Any = chosen_of(run)
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
    begin_watching(run, chosen_of(run))
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
