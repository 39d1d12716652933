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
    found: dict[datetime, Pass] = {}
    for one in passes:
        known = found.get(one.began, one)
        found[one.began] = Pass(one.began, max(known.ended, one.ended, one.began))
    return tuple(found[began] for began in sorted(found))


def worked_seconds(passes: Iterable[Pass], waits: Iterable[Pass]) -> float:
    """Seconds of all passes together, without long waits for a person.

    :param waits: stretches in which somebody was asked; the short ones belong to the work, as they do on the
        page of a run (`watching.clock`).
    """
    known = joined(passes)
    if not known:
        return 0.0
    pauses = tuple(Pause(one.began, one.ended) for one in joined(waits) if _long(one))
    clock = Clock(known[0].began, pauses)
    return clock.covered((one.began, one.ended) for one in known)


def _long(one: Pass) -> bool:
    return one.ended - one.began > LONGEST_IDLE
