"""In which order the tasks around a run's work watch, set and take back processes of change capture."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.bundle.building import MASKING, REFRESHING, empty_dag, fill
from oracle_refresh.definition import Capture, load_definition
from oracle_refresh.definition.dag_section import DagSection
from oracle_refresh.definition.form import RefreshForm
from oracle_refresh.operators import planning, tuning
from oracle_refresh.operators.planning import ExplainPlan
from oracle_refresh.operators.tuning import RestoreTarget, TuneTarget
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.report.tuning import TUNING, TunedItem, TuningReport
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.tuning.cdc import around_work
from oracle_refresh.tuning.cdc.around_work import Chosen
from oracle_refresh.tuning.changes import Changes, RunbookStep
from oracle_refresh.tuning.restore import Restored
from oracle_refresh.tuning.states import States

DEMO = Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml"
ITEM = "change capture CAPTURE and APPLY"
CHOSEN = Chosen("target", "APPLY", "CAPTURE", {"apply.PARALLELISM": "8"})
STEP = RunbookStep("the pool", "it is the root's", ())


class Documents:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Any] = {}

    def ensure(self) -> None:
        pass

    def put(self, kind: Any, item: str, value: Any) -> None:
        self.kept[kind.name, item] = value

    def find(self, kind: Any, item: str) -> Any:
        return self.kept.get((kind.name, item))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What happens to it is in `happened`; `open` says whether something is not restored yet."""
    run = SimpleNamespace(
        id="a_run",
        target="target",
        ledger=None,
        progress=None,
        definition=SimpleNamespace(tuning=None, capture=Capture(apply_name="APPLY")),
        documents=Documents(),
        happened=[],
        open=False,
    )

    def happens(name: str, answer: Any = None) -> Any:
        def called(*_: Any) -> Any:
            run.happened.append(name)
            return answer() if callable(answer) else answer

        return called

    def state() -> str:
        return "open" if run.open else "restored"

    answers = {
        "require_holder": lambda *_: None,
        "has_released": lambda _: False,
        "read_counters": lambda *_: "counters",
        "read_states": lambda *_: States(),
        "forget": lambda *_: None,
        "_note_states": lambda *_: None,
        "Records": lambda _: SimpleNamespace(open=list, all=lambda _: []),
        "_items": lambda _: (TunedItem(ITEM, "8", state(), None),),
        "choose": happens("chosen", lambda: CHOSEN if run.definition.capture else None),
        "plan_capture": happens("planned", lambda: Changes(runbook=(STEP,))),
        "apply_changes": happens("set"),
        "begin_watching": happens("begun"),
        "watched_during": happens("watched during"),
        "restore": happens("restored", Restored),
        "watched_after": happens("watched after"),
    }
    for name, answer in answers.items():
        monkeypatch.setattr(tuning, name, answer)
    monkeypatch.setattr(tuning.settings, "keep_days", lambda: 1)
    monkeypatch.setattr(tuning.RefreshOperator, "refresh_run", lambda *_: nullcontext(run))
    return run


def executed(operator: Any) -> Any:
    return operator(task_id="any", definition="demo").execute({})


def test_it_is_watched_before_anything_is_set_and_from_then_on(run: Any) -> None:
    report = TuningReport.from_json(executed(TuneTarget))
    assert run.happened == ["chosen", "planned", "set", "begun"]
    assert (report.profile, report.runbook) == (None, (STEP,))
    assert [item.item for item in report.items] == [ITEM]


def test_where_a_change_is_refused_the_report_knows_and_nothing_is_watched(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise TuningError("ORA-26786")

    monkeypatch.setattr(tuning, "apply_changes", refused)
    with pytest.raises(TuningError):
        executed(TuneTarget)
    assert run.happened == ["chosen", "planned"]
    assert run.documents.find(TUNING, WHOLE).items


def test_a_definition_without_either_section_sets_nothing(run: Any) -> None:
    run.definition.capture = None
    assert executed(TuneTarget) == {}
    assert run.happened == ["chosen"]


def test_it_is_watched_before_it_is_taken_back_and_afterwards(run: Any) -> None:
    executed(RestoreTarget)
    assert run.happened == ["watched during", "restored", "watched after"]


def test_what_could_not_be_taken_back_is_not_watched_as_if_it_were(run: Any) -> None:
    run.open = True
    with pytest.raises(TuningError, match=ITEM):
        executed(RestoreTarget)
    assert run.happened == ["watched during", "restored"]


@pytest.fixture
def explained(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `ExplainPlan` with a form; the run that holds the target is `holder`."""
    run.holder = None
    report_directory = SimpleNamespace(write=lambda *_: "a_folder")
    answers = {
        "read_plan": lambda _: SimpleNamespace(jobs=(), to_json=dict),
        "explain": lambda *_: "the plan",
        "overview": lambda _: "the plan",
        "held_by": lambda _: run.holder,
        "watched_before": lambda *_: run.happened.append("watched before"),
    }
    for name, answer in answers.items():
        monkeypatch.setattr(planning, name, answer)
    monkeypatch.setattr(planning.settings, "report_directory", lambda: report_directory)
    monkeypatch.setattr(ExplainPlan, "skip", lambda *_, **__: None)
    monkeypatch.setattr(ExplainPlan, "rest_of_the_run", lambda _: [])

    def explained(**form: Any) -> list[str]:
        monkeypatch.setattr(ExplainPlan, "read_form", lambda _: RefreshForm(definition="demo", **form))
        operator: Any = ExplainPlan(task_id="any", definition="demo")
        assert operator.execute({"dag_run": None, "ti": None}) == "a_folder"
        happened: list[str] = run.happened
        return happened

    return explained


def test_the_usual_work_is_watched_when_the_plan_is_told(explained: Any) -> None:
    assert explained() == ["watched before"]


@pytest.mark.parametrize("why", ["a dry run", "no section", "locked already"])
def test_it_is_not_watched_where_nothing_follows_or_nothing_usual_moves(
    run: Any, explained: Any, why: str
) -> None:
    if why == "no section":
        run.definition.capture = None
    run.holder = run.id if why == "locked already" else "another_run"
    assert explained(dry_run=why == "a dry run") == []


@pytest.mark.parametrize("work", [REFRESHING, MASKING], ids=["refresh", "masking"])
def test_it_is_watched_before_the_target_is_locked_and_anything_is_unloaded(work: Any) -> None:
    section = DagSection()
    dag = empty_dag(load_definition(DEMO).model_copy(update={"dag": section}), section, DEMO)
    fill(dag, section, work)
    explain: Any = next(task for task in dag.tasks if isinstance(task, ExplainPlan))
    after = {task.task_id for task in explain.get_flat_relatives(upstream=False)}
    assert {"lock_target", "tune_target"} <= after
    assert work is MASKING or "shard.export" in after


@pytest.mark.parametrize("breaks", ["session", "arithmetic"])
def test_what_fails_of_a_diagnosis_does_not_keep_the_target_tuned(
    run: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, breaks: str
) -> None:
    def no_session() -> Any:
        raise ConnectionError("DPY-4011")

    def wrong(*_: Any) -> Any:
        raise ZeroDivisionError

    run.further_target = no_session if breaks == "session" else lambda: SimpleNamespace()
    run.documents.kept |= {("cdc set", WHOLE): CHOSEN, ("cdc look", WHOLE): SimpleNamespace(at=1.0)}
    monkeypatch.setattr(around_work, "short_call", lambda _: nullcontext())
    for reading in ("since", "watch", "look_at"):
        monkeypatch.setattr(around_work, reading, wrong)
    for name in ("begin_watching", "watched_during", "watched_after"):
        monkeypatch.setattr(tuning, name, getattr(around_work, name))
    executed(TuneTarget)
    executed(RestoreTarget)
    assert run.happened == ["chosen", "planned", "set", "restored"]
    assert caplog.text.count("is left out of the report") == 3
