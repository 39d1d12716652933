"""Approvals of a run by people: their answers, and what a missing answer means.

Kept in the run's store, one document per moment: the release goes by it, and the report shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind

Decision = Literal["waiting", "approved", "rejected"]


@dataclass(frozen=True)
class Approval(Jsonable):
    """One answer. `by` is the user's name in Airflow, `at` a time in ISO format; empty while waiting. `asked`
    is when somebody was asked, `about` a digest of what was shown for that, empty where it cannot change."""

    moment: str
    decision: str
    by: str = ""
    at: str = ""
    comment: str = ""
    asked: str = ""
    about: str = ""

    @property
    def sentence(self) -> str:
        if self.decision == "waiting":
            return f"{_DONE[self.moment]} waits for an approval"
        said = f" ({self.comment})" if self.comment else ""
        return f"{_DONE[self.moment]} was {self.decision} by {self.by} at {self.at}{said}"


#: Answers by moment.
APPROVAL: Kind[Approval] = Kind("approval", Approval)


@dataclass(frozen=True)
class Request(Jsonable):
    """Who triggered the run and why, and what its trigger form says."""

    triggered_by: str = ""
    reason: str = ""
    changes: dict[str, Any] = field(default_factory=dict, hash=False)
    dry_run: bool = False


REQUEST: Kind[Request] = Kind("request", Request)


_DONE = {"target": "work on the target", "publish": "publishing"}


def publishing_objections(approval: Approval | None, *, wanted: bool, about: str) -> list[str]:
    """Objections to releasing the target: an approval that was asked for and not given, or was given for
    something else.

    :param about: a digest of what is to be published.
    """
    if not wanted:
        return []
    if approval is None:
        return ["publishing was to be approved, and nobody was asked"]
    if approval.decision != "approved":
        return [approval.sentence]
    if approval.about not in ("", about):
        return [f"{approval.sentence}, but what was shown for that has changed since: clear approve_publish"]
    return []
