"""A person's approval, asked for where the trigger form says so: before the target is touched, before it is
published."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from textwrap import indent
from typing import TYPE_CHECKING, Any

from airflow.sdk import Param

from oracle_refresh.definition import CloneDefinition
from oracle_refresh.definition.dag_section import Moment
from oracle_refresh.definition.form import RefreshForm, read_form
from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import (
    HAS_APPROVALS,
    ApprovalOperator,
    HITLOperator,
    HITLTimeoutError,
    unsupported,
)
from oracle_refresh.links.addresses import question_address
from oracle_refresh.notifications.settled import notifiers
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import PreflightError, QuarantineError
from oracle_refresh.plan.explain import overview
from oracle_refresh.plan.storage import read_plan
from oracle_refresh.release import Evidence, objections, proven, read_evidence
from oracle_refresh.run.approval import APPROVAL, Approval
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition import TargetDefinition
    from oracle_refresh.run.refresh_run import RefreshRun

#: What may be escaped by a backslash, and cannot be markup then (CommonMark, "Backslash escapes").
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
SUBJECTS: dict[Moment, str] = {
    "target": "May the refresh {name} replace the tables of its target?",
    "publish": "May the refresh {name} be published?",
}

#: Of a clone.
MASKING_SUBJECTS: dict[Moment, str] = {
    "target": "May the tables of {name} be masked where they are?",
    "publish": "May the clone {name} be published?",
}


class ApproveRefresh(RefreshOperator, ApprovalOperator):
    """Waits for a person's approval, if the run's form asks for it; else it is done at once.

    Airflow shows the question, with the plan or what was proven, under *Required Actions*. The definition's
    `dag.approvers` may answer, by default `[oracle_refresh] approvers`; the answer of another user fails
    the task. `approval_hours` limits the wait. The answer is kept with the run and shown in the report. Each
    question is posted to the webhook that reports how the run ends.

    Rejected before the target is touched, the rest of the run is skipped. Rejected before publishing,
    `ReleaseTarget` finds the answer among the evidence, and the accounts stay locked. A repeated task asks
    again: an answer holds for what it was given for.

    :param moment: `target` or `publish`.
    """

    template_fields: Sequence[str] = RefreshOperator.template_fields

    def __init__(self, *, moment: Moment, **kwargs: Any) -> None:
        comment = Param(
            "", type=["null", "string"], title="Comment", description="For the report", source="task"
        )
        # In place of those of the DAG, which are no fields of the answer.
        kwargs["params"] = {"comment": comment}
        super().__init__(subject=SUBJECTS[moment].format(name=""), **kwargs)
        self.moment: Moment = moment

    def read_form(self) -> RefreshForm:
        # Airflow lays the fields of the answer over those of the run's form.
        asked = {
            name: value for name, value in json.loads(self.form or "{}").items() if name not in self.params
        }
        return read_form(json.dumps({"definition": str(self.definition), **asked}))

    def execute(self, context: Context) -> Any:
        form = self.read_form()
        if (form.approve_target or form.approve_publish) and not HAS_APPROVALS:
            raise PreflightError(
                unsupported("approve_target or approve_publish", "3.1"),
                step="approval",
                remedy="trigger the run without approvals, or upgrade Airflow",
            )
        if not (form.approve_target if self.moment == "target" else form.approve_publish):
            self.log.info("the form of this run asks for no approval here")
            return None
        with self.refresh_run(context) as run:
            evidence = read_evidence(run)
            about = proven(evidence) if self.moment == "publish" else ""
            # What somebody said about a former try of this task says nothing about what there is now.
            asked = Approval(self.moment, "waiting", asked=_now(), about=about)
            run.documents.put(APPROVAL, self.moment, asked)
            self.body = self._facts(run, form, evidence)
        subjects = MASKING_SUBJECTS if isinstance(run.definition, CloneDefinition) else SUBJECTS
        self.subject = subjects[self.moment].format(name=run.definition.name)
        wait = timedelta(hours=settings.approval_hours())
        # Standard provider 1.14 has `response_timeout`; older ones read `execution_timeout`.
        self.response_timeout = self.execution_timeout = wait
        self.assigned_users = [{"id": user, "name": user} for user in _approvers(run.definition)]
        section = run.definition.dag
        address = question_address(self.dag_id, context["run_id"], self.task_id)
        text = f"{self.subject} {address}"
        self.notifiers = notifiers(section.notify_conn_id if section else None, text)
        return super().execute(context)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> Any:
        try:
            answer = HITLOperator.execute_complete(self, context, event)
        except HITLTimeoutError as error:
            raise QuarantineError(
                f"nobody has answered within {settings.approval_hours():g} hours",
                step="approval",
                remedy="clear this task to ask again",
            ) from error
        with self.refresh_run(context) as run:
            _require_approver(answer["responded_by_user"] or {}, _approvers(run.definition))
            self._keep(run, answer)
        if answer["chosen_options"] == [self.REJECT] and self.moment == "target":
            self.log.warning("rejected: the target was not touched, and the rest of the run is skipped")
            self.skip(ti=context["ti"], tasks=self.rest_of_the_run())
        return None

    def _keep(self, run: RefreshRun, answer: Any) -> None:
        user = answer["responded_by_user"] or {}
        asked = run.documents.find(APPROVAL, self.moment)
        approval = Approval(
            self.moment,
            "approved" if answer["chosen_options"] == [self.APPROVE] else "rejected",
            str(user.get("name") or user.get("id") or "an unnamed user"),
            answer["responded_at"].isoformat(timespec="seconds"),
            str(answer["params_input"].get("comment") or ""),
            asked.asked if asked else "",
            asked.about if asked else "",
        )
        run.documents.put(APPROVAL, self.moment, approval)
        self.log.info("%s", approval.sentence)

    def _facts(self, run: RefreshRun, form: RefreshForm, evidence: Evidence) -> str:
        """What has to be known to answer, as Markdown."""
        plan, frozen = read_plan(run.documents), run.documents.find(FROZEN, WHOLE)
        ends = run.definition
        lines = [f"**Reason:** {_plain(form.reason)}"]
        if frozen is not None:
            source = f"{_plain(frozen.source.db_unique_name)} ({_plain(ends.origin.conn_id)})"
            lines.append(f"**Source:** {source}, SCN {frozen.scn}")
        lines.append(f"**Target:** {_plain(ends.target.conn_id)}, schemas {_plain(', '.join(ends.schemas))}")
        if self.moment == "target":
            return "\n\n".join([*lines, indent(overview(plan), "    ")])
        rows = sum(check.rows_target for check in evidence.copies)
        masked = sum(len(mask.columns) for mask in evidence.masks)
        against = [_plain(objection) for objection in objections(evidence)]
        tables = counted(len(evidence.tables), "table")
        lines.append(f"{tables}, {counted(rows, 'row')}, {counted(masked, 'masked column')}.")
        lines += ["**Speaks against it:**", *against] if against else ["Everything is proven."]
        return "\n\n".join(lines)


def _approvers(definition: TargetDefinition) -> Sequence[str]:
    return (definition.dag.approvers if definition.dag else ()) or settings.approvers()


def _require_approver(user: Mapping[str, Any], approvers: Sequence[str]) -> None:
    """Refuse the answer of another user. Airflow's auth manager may permit it, for example to all admins."""
    if approvers and user.get("id") not in approvers:
        who = user.get("id") or user.get("name") or "an unnamed user"
        raise QuarantineError(
            f"{who} answered, but only {', '.join(approvers)} may",
            step="approval",
            remedy="clear this task to ask again, and let one of them answer",
        )


def _plain(text: str) -> str:
    """As Markdown that is shown as it stands: whoever fills in a form or names a table links to nothing."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
