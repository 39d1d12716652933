"""Counters of the instances, read around a phase, and what happened between two readings.

Counters are sums over all open instances since their start. Sources: Database Reference 19c, V$SYSSTAT,
V$SYSTEM_EVENT, V$PGASTAT, V$LOG, V$UNDOSTAT, and its appendices "Oracle Wait Events" and "Statistics
Descriptions".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning import counter_statements as statements
from oracle_refresh.tuning.findings import Delta, RedoLogs, TuningAdvice, advise

if TYPE_CHECKING:
    import oracledb

__all__ = [
    "Counters",
    "Delta",
    "Event",
    "TuningAdvice",
    "delta",
    "findings",
    "read_activity",
    "read_counters",
]


@dataclass(frozen=True)
class Event(Jsonable):
    """Waits for one event, and the seconds that they took, of all sessions together."""

    waits: int
    seconds: float


@dataclass(frozen=True)
class Counters(Jsonable):
    """One reading. Times are those of the database's clock.

    One of a source is without `pga`, `redo` and `sequence`, which tell nothing of an export.
    """

    taken_at: datetime
    started: dict[str, datetime] = field(hash=False)
    """When each open instance was started: older counters cannot be compared with newer ones."""
    statistics: dict[str, float] = field(hash=False)
    events: dict[str, Event] = field(hash=False)
    """Without those of class Idle."""
    pga: dict[str, float] = field(default_factory=dict, hash=False)
    redo: RedoLogs = field(default_factory=lambda: RedoLogs(0, 0))
    sequence: int = 0
    """Sum of the current sequence numbers of all threads: its growth is the number of log switches."""
    undo_too_old: int = 0
    """Queries that failed with ORA-01555 in the intervals that V$UNDOSTAT still knows."""
    undo_no_space: int = 0
    undo_stolen: int = 0
    """Blocks of undo that were needed elsewhere although their retention was not over."""


#: By reading: see `report.tuning`.
COUNTERS: Kind[Counters] = Kind("counters", Counters)


def read_counters(connection: oracledb.Connection) -> Counters:
    """Read all counters; changes nothing. Needs SELECT_CATALOG_ROLE."""
    threads = rows(connection, statements.REDO_STATE)
    return replace(
        read_activity(connection),
        pga={str(name): float(value) for name, value in rows(connection, statements.PGA)},
        redo=RedoLogs(
            groups=sum(int(groups) for _, groups, _, _ in threads),
            bytes=min((int(smallest) for _, _, smallest, _ in threads), default=0),
            threads=len(threads),
        ),
        sequence=sum(int(latest) for _, _, _, latest in threads),
    )


def read_activity(connection: oracledb.Connection) -> Counters:
    """Read what sessions did and waited for and what undo could not give, by five queries; changes nothing.

    Needs SELECT_CATALOG_ROLE.
    """
    ((too_old, no_space, stolen),) = rows(connection, statements.UNDO_TROUBLE)
    return Counters(
        taken_at=scalar(connection, statements.NOW),
        started={str(name): at for name, at in rows(connection, statements.STARTED)},
        statistics={str(name): float(value) for name, value in rows(connection, statements.STATISTICS)},
        events={
            str(name): Event(int(waits), float(micro) / 1e6)
            for name, waits, micro in rows(connection, statements.EVENTS)
        },
        undo_too_old=int(too_old or 0),
        undo_no_space=int(no_space or 0),
        undo_stolen=int(stolen or 0),
    )


def delta(before: Counters, after: Counters) -> Delta:
    """What happened between two readings; unknown if an instance was restarted. Pure."""
    return Delta(
        seconds=max(0.0, (after.taken_at - before.taken_at).total_seconds()),
        restarted=before.started != after.started,
        statistics=_grown(before.statistics, after.statistics),
        events=_grown(_seconds(before), _seconds(after)),
        pga=_grown(before.pga, after.pga),
        redo=before.redo if before.redo.bytes < after.redo.bytes and before.redo.bytes else after.redo,
        switches=max(0, after.sequence - before.sequence),
        undo_too_old=max(0, after.undo_too_old - before.undo_too_old),
        undo_no_space=max(0, after.undo_no_space - before.undo_no_space),
        undo_stolen=max(0, after.undo_stolen - before.undo_stolen),
    )


def findings(before: Counters, after: Counters) -> tuple[TuningAdvice, ...]:
    """What the time between two readings was lost with, and what helps; the costliest first. Pure."""
    return advise(delta(before, after))


def _seconds(counters: Counters) -> dict[str, float]:
    return {name: event.seconds for name, event in counters.events.items()}


def _grown(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """What has grown; counters that came into being meanwhile began at 0."""
    grown = {name: value - before.get(name, 0.0) for name, value in after.items()}
    return {name: value for name, value in grown.items() if value > 0}
