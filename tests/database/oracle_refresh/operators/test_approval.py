"""Questions and answers of an approval are kept."""

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

from oracle_refresh.notifications.webhook import RefreshNotifier
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.operators.planning import FreezeSource, PlanShards
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.release import objections, read_evidence
from oracle_refresh.run.approval import APPROVAL, Approval
from oracle_refresh.validation.model import COPY_CHECK, TableCheck
from support.small_run import SmallRun


def answer(option: str, user: str = "7") -> dict[str, Any]:
    return {
        "chosen_options": [option],
        "params_input": {"comment": "seen"},
        "responded_at": datetime(2026, 1, 1, tzinfo=UTC),
        "responded_by_user": {"id": user, "name": "Eve"},
    }


#: Would be a picture of somebody else's, and a title.
REASON = "a test ![](https://evil.example/seen)\n# no title"


def test_questions_and_answers_are_kept(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__APPROVERS", "9")
    connections.setenv("AIRFLOW__API__BASE_URL", "https://airflow.example.com/")
    posted: list[str] = []
    connections.setattr(RefreshNotifier, "notify", lambda self, _: posted.append(self.text))
    run = new_run(dag={"approvers": ["7", "8"], "notify_conn_id": "chat"})
    for operator in (FreezeSource, PlanShards):
        run.execute(operator)
    skipped: list[Any] = []
    for moment, wanted in (("target", "approve_target"), ("publish", "approve_publish")):
        form = json.dumps({"definition": "small", "reason": REASON, "comment": "", wanted: True})
        task = run.task(ApproveRefresh, moment=moment, form=form)
        context = {**run.context, "task_instance": SimpleNamespace(id="an id")}
        with mock.patch.object(hitl, "upsert_hitl_detail") as asked, pytest.raises(TaskAwaitingInput):
            task.execute(context)
        question = asked.call_args.kwargs
        assert question["assigned_users"] == [{"id": "7", "name": "7"}, {"id": "8", "name": "8"}]
        assert r" a test \!\[\]\(https\:\/\/evil\.example\/seen\) \# no title" in question["body"]
        assert "![" not in question["body"], "nothing that a person has written is markup"
        assert kept(run, moment).decision == "waiting"
        task.skip = lambda ti, tasks: skipped.append(tasks)
        with pytest.raises(QuarantineError, match="9 answered, but only 7, 8 may"):
            task.execute_complete(run.context, answer("Approve", user="9"))
        assert kept(run, moment).decision == "waiting"
        for option, decision in (("Reject", "rejected"), ("Approve", "approved")):
            task.execute_complete(run.context, answer(option))
            found = kept(run, moment)
            assert (found.decision, found.by, found.comment) == (decision, "Eve", "seen")
    assert posted == [
        f"{question} https://airflow.example.com/dags/adhoc_airflow/runs/{run.run_id}"
        "/tasks/approverefresh/required_actions"
        for question in (
            "May the refresh demo replace the tables of its target?",
            "May the refresh demo be published?",
        )
    ]
    assert "was not compared with the source" in question["body"], "what speaks against it is told"
    assert kept(run, "publish").asked <= datetime.now(UTC).isoformat()
    assert "has changed since" not in refused(run)
    # A table is compared once more after the answer: nobody has approved what was found then.
    table = TableCheck("APP", "COUNTRIES", 3, 3, "1", "1", (), (), (), (), "equal", 1.0)
    run.documents(lambda documents: documents.put(COPY_CHECK, "APP.COUNTRIES", table))
    assert "has changed since: clear approve_publish" in refused(run)
    assert len(skipped) == 1, "only a rejection before the target is touched skips the rest"


def refused(run: SmallRun) -> str:
    with run.refresh_run() as opened:
        evidence = read_evidence(opened)
    return "; ".join(objections(evidence, approval_wanted=True))


def kept(run: SmallRun, moment: str) -> Approval:
    approval: Approval = run.documents(lambda documents: documents.get(APPROVAL, moment))
    return approval
