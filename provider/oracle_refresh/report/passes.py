"""How long a run has worked since its first start, whatever lay between. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.clock import LONGEST_IDLE, Clock, Pause


@dataclass(frozen=True)
class Pass(Jsonable):
    """A stretch in which a run was under way: from its start, or from when it was cleared, until the last
    thing that is known of it. Airflow itself forgets the start of a run that is cleared."""

    began: datetime
    ended: datetime


def joined(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    """One for each start, until the latest end that somebody knows; in the order of time."""
    by_start: dict[datetime, Pass] = {}
    for each in passes:
        before = by_start.get(each.began, each)
        by_start[each.began] = Pass(each.began, max(before.ended, each.ended, each.began))
    return tuple(by_start[began] for began in sorted(by_start))


def worked_seconds(passes: Iterable[Pass], waits: Iterable[Pass]) -> float:
    """Seconds of all passes together, without long waits for a person.

    :param waits: stretches in which somebody was asked; the short ones belong to the work, as they do on the
        page of a run (`run.clock`).
    """
    stretches = joined(passes)
    if not stretches:
        return 0.0
    pauses = tuple(Pause(each.began, each.ended) for each in joined(waits) if _long(each))
    clock = Clock(stretches[0].began, pauses)
    return clock.covered((each.began, each.ended) for each in stretches)


def _long(wait: Pass) -> bool:
    return wait.ended - wait.began > LONGEST_IDLE
