"""Approvals: when they are asked for, what is kept of an answer, and what the release makes of it.

That Airflow waits for an answer and takes it is shown in tests/scenarios/whole_refresh/test_by_form.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from airflow.providers.standard.operators import hitl
from airflow.sdk.exceptions import TaskAwaitingInput

from oracle_refresh.approval import KIND, Approval, publishing_objections
from oracle_refresh.errors import PreflightError, QuarantineError
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.operators.planning import FreezeSource, PlanShards
from oracle_refresh.publishing import objections
from oracle_refresh.validation.model import TableCheck

from .conftest import SmallRun


def form(**fields: Any) -> str:
    # As it is rendered: the field of the answer is among those of the run's form.
    return json.dumps({"definition": "small", "reason": "a test", "comment": "", **fields})


def answer(option: str) -> dict[str, Any]:
    return {
        "chosen_options": [option],
        "params_input": {"comment": "seen"},
        "responded_at": datetime(2026, 1, 1, tzinfo=UTC),
        "responded_by_user": {"id": "7", "name": "Eve"},
    }


@pytest.mark.parametrize("moment", ["target", "publish"])
def test_nobody_is_asked_unless_the_form_says_so(moment: Any) -> None:
    task = ApproveRefresh(task_id="approve", definition="not there", moment=moment, form=form())
    assert task.execute({}) is None  # type: ignore[typeddict-item]


def test_what_is_no_field_of_form_or_answer_is_refused() -> None:
    task = ApproveRefresh(task_id="approve", definition="d", moment="target", form=form(comments="x"))
    with pytest.raises(PreflightError, match="comments"):
        task.execute({})  # type: ignore[typeddict-item]


def test_no_answer_in_time_fails_for_good() -> None:
    task = ApproveRefresh(task_id="approve", definition="d", moment="publish", form=form())
    with pytest.raises(QuarantineError, match="nobody has answered within 24 hours"):
        task.execute_complete({}, {"error": "too late", "error_type": "timeout"})  # type: ignore[typeddict-item]


def test_questions_and_answers_are_kept(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__APPROVERS", "7, 8")
    run = new_run()
    for operator in (FreezeSource, PlanShards):
        run.execute(operator)
    skipped: list[Any] = []
    for moment, wanted in (("target", "approve_target"), ("publish", "approve_publish")):
        task = run.task(ApproveRefresh, moment=moment, form=form(**{wanted: True}))
        context = {**run.context, "task_instance": SimpleNamespace(id="an id")}
        with mock.patch.object(hitl, "upsert_hitl_detail") as asked, pytest.raises(TaskAwaitingInput):
            task.execute(context)
        question = asked.call_args.kwargs
        assert question["assigned_users"] == [{"id": "7", "name": "7"}, {"id": "8", "name": "8"}]
        assert "**Reason:** a test" in question["body"]
        assert kept(run, moment).decision == "waiting"
        task.skip = lambda ti, tasks: skipped.append(tasks)
        for option, decision in (("Reject", "rejected"), ("Approve", "approved")):
            task.execute_complete(run.context, answer(option))
            found = kept(run, moment)
            assert (found.decision, found.by, found.comment) == (decision, "Eve", "seen")
    assert "was not compared with the source" in question["body"], "what speaks against it is told"
    assert kept(run, "publish").asked <= datetime.now(UTC).isoformat()
    assert "has changed since" not in refused(run)
    # A table is compared once more after the answer: nobody has approved what was found then.
    table = TableCheck("APP", "COUNTRIES", 3, 3, "1", "1", (), (), (), (), "equal", 1.0)
    run.store(lambda store: store.put(run.run_id, "copy check", "APP.COUNTRIES", table.to_json()))
    assert "has changed since: clear approve_publish" in refused(run)
    assert len(skipped) == 1, "only a rejection before the target is touched skips the rest"


def refused(run: SmallRun) -> str:
    evidence = run.store(lambda store: store.evidence(run.run_id, expectations_wanted=False))
    return "; ".join(objections(evidence, approval_wanted=True))


def kept(run: SmallRun, moment: str) -> Approval:
    document = run.store(lambda store: store.result(run.run_id, KIND, moment))
    return Approval.from_json(document)


@pytest.mark.parametrize(
    ("approval", "wanted", "objection"),
    [
        (None, False, None),
        (None, True, "nobody was asked"),
        (Approval("publish", "waiting"), True, "waits for an approval"),
        (Approval("publish", "rejected", "Eve", "noon", "why"), True, "rejected by Eve at noon (why)"),
        (Approval("publish", "approved", "Eve", "noon"), True, None),
        (Approval("publish", "rejected", "Eve", "noon"), False, None),
        (Approval("publish", "approved", "Eve", "noon", about="what there is"), True, None),
        (Approval("publish", "approved", "Eve", "noon", about="what there was"), True, "has changed since"),
    ],
)
def test_the_release_goes_by_the_answer(
    approval: Approval | None, wanted: bool, objection: str | None
) -> None:
    found = publishing_objections(approval, wanted=wanted, about="what there is")
    assert bool(found) is (objection is not None)
    assert all(objection in text for text in found if objection)
