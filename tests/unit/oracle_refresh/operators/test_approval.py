"""Approvals: when they are asked for, what is kept of an answer, and what the release makes of it.

That Airflow waits for an answer and takes it is shown in tests/system/whole_refresh/test_by_form.py.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_refresh.integration.compat import HAS_APPROVALS
from oracle_refresh.operators import approval
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.oracle.errors import PreflightError, QuarantineError
from oracle_refresh.run.approval import Approval, publishing_objections


def form(**fields: Any) -> str:
    # As it is rendered: the field of the answer is among those of the run's form.
    return json.dumps({"definition": "small", "reason": "a test", "comment": "", **fields})


@pytest.mark.parametrize("moment", ["target", "publish"])
def test_nobody_is_asked_unless_the_form_says_so(moment: Any) -> None:
    task = ApproveRefresh(task_id="approve", definition="not there", moment=moment, form=form())
    assert task.execute({}) is None  # type: ignore[typeddict-item]


def test_approval_that_airflow_lacks_fails_before_the_target_is_touched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(approval, "HAS_APPROVALS", False)
    asked = form(approve_publish=True)
    task = ApproveRefresh(task_id="approve", definition="small", moment="target", form=asked)
    with pytest.raises(PreflightError, match=r"needs Airflow 3\.1 or later"):
        task.execute({})  # type: ignore[typeddict-item]


def test_what_is_no_field_of_form_or_answer_is_refused() -> None:
    task = ApproveRefresh(task_id="approve", definition="d", moment="target", form=form(comments="x"))
    with pytest.raises(PreflightError, match="comments"):
        task.execute({})  # type: ignore[typeddict-item]


@pytest.mark.skipif(not HAS_APPROVALS, reason="this Airflow has no approvals")
def test_no_answer_in_time_fails_for_good() -> None:
    task = ApproveRefresh(task_id="approve", definition="d", moment="publish", form=form())
    with pytest.raises(QuarantineError, match="nobody has answered within 24 hours"):
        task.execute_complete({}, {"error": "too late", "error_type": "timeout"})  # type: ignore[typeddict-item]


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
