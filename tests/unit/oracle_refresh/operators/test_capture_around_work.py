"""In which order the tasks around a run's work watch, set and take back processes of change capture."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition import Capture
from oracle_refresh.operators import tuning
from oracle_refresh.operators.tuning import RestoreTarget, TuneTarget
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.report.tuning import TUNING, TunedItem, TuningReport
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.tuning.cdc.around_work import Chosen
from oracle_refresh.tuning.changes import Changes, RunbookStep
from oracle_refresh.tuning.restore import Restored
from oracle_refresh.tuning.states import States

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
