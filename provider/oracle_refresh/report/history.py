"""The history of a run before its report: passes, waits for approvals, failed tries.

From three sources, as Airflow tells a task little of its run and forgets when a cleared one first began: the
notes of failed tries, the run's last report, and the approvals in its store.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from oracle_refresh.report.model import Report
from oracle_refresh.report.passes import Pass, joined, worked_seconds
from oracle_refresh.report.tries import FailedTry, TryNote, failed_tries, passes_of, waits_of

if TYPE_CHECKING:
    from oracle_refresh.run.approval import Approval

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class History:
    """`worked_seconds` are those of all passes, without long waits for a person."""

    passes: tuple[Pass, ...]
    worked_seconds: float
    failed_tries: tuple[FailedTry, ...]


def history(
    last: Report | None,
    notes: Sequence[TryNote],
    present: Pass,
    states: Mapping[str, str | None],
    approvals: Iterable[Approval],
) -> History:
    """Everything until now.

    :param last: the run's last report, of a pass before the present one.
    :param notes: what failed tries have left.
    :param present: the pass that the report is written in, until now.
    :param states: see `report.tries.failed_tries`.
    """
    passes = joined([*(last.passes if last else ()), *passes_of(notes), present])
    waits = [*waits_of(notes), *_answered(approvals)]
    failed = failed_tries(notes, last.failed_tries if last else (), states, present.ended)
    return History(passes, worked_seconds(passes, waits), failed)


def report_before(content: bytes | None) -> Report | None:
    """:param content: of report.json, as the run's last pass left it; None where there was none."""
    if content is None:
        return None
    try:
        return Report.from_json(json.loads(content))
    except ValueError as error:  # by another version of the provider
        log.warning("the last report of this run cannot be read: %s", error)
        return None


def _answered(approvals: Iterable[Approval]) -> Iterator[Pass]:
    for approval in approvals:
        if approval.asked and approval.at:
            yield Pass(datetime.fromisoformat(approval.asked), datetime.fromisoformat(approval.at))
