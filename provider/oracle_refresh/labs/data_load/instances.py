"""What the database's instances and their hosts did while schemas were loaded: processors, blocks, bytes.

Two sources. Differences of counters (V$OSSTAT, V$SYSSTAT) tell of a trial however short it is. V$SYSMETRIC is
what an instance makes of its own counters every 15 seconds, and tells of a trial only with intervals that lie
within it. All are of whole instances, with what others do there. Sources: Database Reference 19c, these views
and its appendix "Statistics Descriptions"; none takes the Diagnostics Pack (Database Licensing Information).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.load import Sessions
from oracle_refresh.oracle.session import limit_all_calls, rows
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)
#: END_TIME has whole seconds.
ROUNDED = 1.0
LOGICAL_READS, BLOCK_CHANGES, PHYSICAL_READS, PHYSICAL_WRITES = METRICS = (
    *("Logical Reads Per Sec", "DB Block Changes Per Sec"),
    *("Physical Reads Per Sec", "Physical Writes Per Sec"),
)


@dataclass(frozen=True)
class Interval(Jsonable):
    """One of an instance's own, as V$SYSMETRIC tells it.

    :ivar end_time: by the database's clock.
    :ivar ended: the same on the clock of the readings; in a series, seconds from its first one.
    :ivar metrics: blocks per second by METRIC_NAME; one that this database does not have is missing.
    """

    instance: int
    end_time: datetime
    ended: float
    seconds: float
    metrics: dict[str, float] = field(hash=False)


@dataclass(frozen=True)
class InstanceReading:
    """Counters by instance and name, at a moment of the worker's clock, and the intervals known by then."""

    at: float
    counters: Mapping[tuple[int, str], float] = field(hash=False)
    intervals: tuple[Interval, ...] = ()


@dataclass(frozen=True)
class InstanceSample(Jsonable):
    """All instances together between two readings; None is what this database does not count.

    :ivar began, ended: seconds from the first reading.
    :ivar busy, user, system, waiting: shares of 1 of all processors; waiting for I/O is idle, too.
    :ivar logical_reads, block_changes, physical_reads, physical_writes: blocks per second. Block changes are
        what is written logically.
    :ivar read_bytes, written_bytes: per second, of all I/O, also that of the redo and of the control files.
    """

    began: float
    ended: float
    busy: float | None
    user: float | None
    system: float | None
    waiting: float | None
    logical_reads: float | None
    block_changes: float | None
    physical_reads: float | None
    physical_writes: float | None
    read_bytes: float | None
    written_bytes: float | None


@dataclass(frozen=True)
class InstanceSeries(Jsonable):
    """A batch or a trial on the database's side."""

    samples: tuple[InstanceSample, ...]
    intervals: tuple[Interval, ...]


#: By what was loaded meanwhile: `host.of_trial`, `host.of_batch`.
INSTANCES: Kind[InstanceSeries] = Kind("data load instances", InstanceSeries)


def read_instances(connection: oracledb.Connection) -> InstanceReading:
    """The counters as of now. Needs SELECT on V$OSSTAT, V$SYSSTAT and V$SYSMETRIC."""
    at = monotonic()
    counters = {
        (int(instance), str(name)): float(value)
        for statement in (statements.HOST_TIMES, statements.BLOCKS)
        for instance, name, value in rows(connection, statement)
    }
    found: dict[tuple[int, datetime], Interval] = {}
    for instance, end_time, ago, size, name, value in rows(connection, statements.METRICS):
        interval = Interval(int(instance), end_time, at - float(ago), float(size) / 100, {})
        found.setdefault((int(instance), end_time), interval).metrics[str(name)] = float(value)
    return InstanceReading(at, counters, tuple(found.values()))


@contextmanager
def instance_reader(sessions: Sessions) -> Iterator[Callable[[], InstanceReading | None]]:
    """Reads the counters in a session of its own, for `sampling.sampled`. No load fails for the want of
    them: after an error, which the log tells, it reads nothing any more."""
    import oracledb

    with sessions.session() as connection:
        limit_all_calls(connection)
        reading = True

        def read() -> InstanceReading | None:
            nonlocal reading
            if not reading:
                return None
            try:
                return read_instances(connection)
            except oracledb.Error as error:
                reading = False
                if not sessions.stopped.is_set():  # whoever stops them cancels this one, too
                    log.warning("what the instances do is not read any more: %s", error)
                return None

        yield read


def instance_series(readings: Sequence[InstanceReading]) -> InstanceSeries:
    """What happened between each reading and the next, and the intervals from the first to the last one."""
    if not readings:
        return InstanceSeries((), ())
    began, ended = readings[0].at, readings[-1].at
    samples = (_between(before, after, began) for before, after in pairwise(readings))
    intervals: dict[tuple[int, datetime], Interval] = {}
    for reading in readings:
        for interval in reading.intervals:
            intervals.setdefault((interval.instance, interval.end_time), interval)
    within = (
        Interval(each.instance, each.end_time, each.ended - began, each.seconds, each.metrics)
        for each in intervals.values()
        if each.ended - each.seconds >= began - ROUNDED and each.ended <= ended + ROUNDED
    )
    return InstanceSeries(tuple(sample for sample in samples if sample), tuple(within))


def _between(before: InstanceReading, after: InstanceReading, began: float) -> InstanceSample | None:
    """None where no time went by, or an instance was started again: its counters begin anew."""
    seconds = after.at - before.at
    grown: dict[str, float] = {}
    for key, value in after.counters.items():
        if key in before.counters:
            grown[key[1]] = grown.get(key[1], 0.0) + value - before.counters[key]
    # Of the processors' times, those spent waiting may be set back a little (proc(5)).
    waited = max(grown.pop("IOWAIT_TIME", 0.0), 0.0) if "IOWAIT_TIME" in grown else None
    if seconds <= 0 or min(grown.values(), default=-1.0) < 0:
        return None
    ticks = grown.get("BUSY_TIME", 0.0) + grown.get("IDLE_TIME", 0.0)

    def share(grown_by: float | None) -> float | None:
        return grown_by / ticks if ticks and grown_by is not None else None

    def rate(name: str) -> float | None:
        return grown[name] / seconds if name in grown else None

    return InstanceSample(
        began=before.at - began,
        ended=after.at - began,
        busy=share(grown.get("BUSY_TIME")),
        user=share(grown.get("USER_TIME")),
        system=share(grown.get("SYS_TIME")),
        waiting=share(waited),
        logical_reads=rate("session logical reads"),
        block_changes=rate("db block changes"),
        physical_reads=rate("physical reads"),
        physical_writes=rate("physical writes"),
        read_bytes=rate("physical read total bytes"),
        written_bytes=rate("physical write total bytes"),
    )
