"""From the counters of a phase to findings. Pure: each rule names the study or chapter that it comes from.

A wait is worth a finding when all sessions together have lost at least a second with it, and at least a
fiftieth of the phase's wall time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from oracle_refresh.jsonable import Jsonable

LEAST_SECONDS, LEAST_SHARE = 1.0, 0.02
#: Performance Tuning Guide 19c, "Sizing Redo Log Files": at most one switch in twenty minutes.
SWITCH_SECONDS = 20 * 60.0
#: Shorter phases say nothing about how often logs are switched.
SHORTEST_FOR_RATES = 60.0
STUDY_LOAD = "study of Data Pump with LOBs"
STUDY_MASKING = "study of in-place masking"
TUNING_GUIDE = "Database Performance Tuning Guide 19c"
REFERENCE = "Database Reference 19c"


@dataclass(frozen=True)
class RedoLogs(Jsonable):
    """Groups of all threads, and bytes of the smallest."""

    groups: int
    bytes: int
    threads: int = 1


@dataclass(frozen=True)
class Delta(Jsonable):
    """What happened in `seconds` of wall time; only what has grown is listed. `events` are in seconds."""

    seconds: float
    restarted: bool
    statistics: dict[str, float] = field(default_factory=dict, hash=False)
    events: dict[str, float] = field(default_factory=dict, hash=False)
    pga: dict[str, float] = field(default_factory=dict, hash=False)
    redo: RedoLogs = RedoLogs(0, 0)
    switches: int = 0
    undo_too_old: int = 0
    undo_no_space: int = 0
    undo_stolen: int = 0

    def waited(self, *events: str) -> float:
        return sum(self.events.get(event, 0.0) for event in events)

    def worth_telling(self, seconds: float) -> bool:
        return seconds >= LEAST_SECONDS and seconds >= LEAST_SHARE * self.seconds


@dataclass(frozen=True)
class TuningAdvice(Jsonable):
    """What time was lost with, what helps, where the rule comes from, and the seconds (0: untold)."""

    code: str
    found: str
    advice: str
    source: str
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return f"{self.found}: {self.advice} ({self.source})"


Rule = Callable[[Delta], TuningAdvice | None]


@dataclass(frozen=True)
class Wait:
    """A rule about waits for certain events."""

    code: str
    events: tuple[str, ...]
    advice: str
    source: str
    about_redo: bool = False
    """Whether the text describes the redo logs as well."""


SWITCH_WAITS = Wait(
    "REDO_TOO_SMALL",
    ("log file switch (checkpoint incomplete)", "log file switch completion"),
    "at least 3 groups of at least 1 GB (20 % in the study)",
    f"{STUDY_MASKING}; {TUNING_GUIDE}, 'log file switch'",
    about_redo=True,
)
WAITS = (
    SWITCH_WAITS,
    Wait(
        "LOG_SYNC",
        ("log file sync",),
        "sessions wait for their commits: COMMIT_WAIT = NOWAIT while loading and masking (15-25 %), larger"
        " transactions, or faster disks for the redo logs",
        STUDY_MASKING,
    ),
    Wait(
        "LOG_BUFFER",
        ("log buffer space",),
        "redo is made faster than it is written: faster disks for the redo logs; a larger log buffer gained"
        " nothing in the study",
        STUDY_MASKING,
    ),
    Wait(
        "ARCHIVING",
        ("log file switch (archiving needed)",),
        "the archiver does not keep up: NOARCHIVELOG, as a target can be refreshed again (30-35 %), or more"
        " LOG_ARCHIVE_MAX_PROCESSES",
        STUDY_MASKING,
    ),
    Wait(
        "TEMP",
        ("direct path write temp", "direct path read temp"),
        "sorts and hash joins go through the temporary tablespace: a larger PGA_AGGREGATE_TARGET",
        STUDY_LOAD,
    ),
    Wait(
        "SINGLE_BLOCKS",
        ("db file sequential read",),
        "blocks are read one by one, as by rowid or index, and as LOBs out of row are: set-based masking and"
        " full scans avoid it; SecureFile LOBs are read in larger pieces",
        f"{STUDY_LOAD}; {STUDY_MASKING}",
    ),
    Wait(
        "DIRTY_BUFFERS",
        ("free buffer waits", "write complete waits"),
        "the database writer does not keep up: asynchronous I/O, or more DB_WRITER_PROCESSES",
        f"{TUNING_GUIDE}, 'free buffer waits'",
    ),
    Wait(
        "SHARED_POOL",
        ("library cache load lock", "library cache lock", "enq: TQ - DDL contention"),
        "too many Data Pump processes at the same time (in the study the knee was at 32, with five cores):"
        " a lower degree, or the one that the DAG datapump_calibration finds",
        STUDY_LOAD,
    ),
    Wait(
        "TABLE_LOCKS",
        ("enq: TM - contention",),
        "loads of one table wait for each other: external tables without the APPEND hint let shards be loaded"
        " side by side (datapump.access_method); foreign keys without an index lock as well",
        STUDY_LOAD,
    ),
    Wait(
        "ROW_LOCKS",
        ("enq: TX - row lock contention",),
        "sessions change the same rows: is anybody else working in the target?",
        f"{TUNING_GUIDE}, 'enqueue (enq:) waits'",
    ),
    Wait(
        "EXTENTS",
        ("enq: HW - contention",),
        "sessions wait while a segment grows: larger extents, or fewer loads into one segment",
        f"{TUNING_GUIDE}, 'HW enqueue'",
    ),
    Wait(
        "SUSPENDED",
        ("statement suspended, wait error to be cleared",),
        "statements waited for space: see DBA_RESUMABLE, and enlarge the tablespace beforehand",
        f"{REFERENCE}, 'Oracle Wait Events'",
    ),
    Wait(
        "CPU_QUANTUM",
        ("resmgr:cpu quantum",),
        "the Resource Manager holds sessions back: another consumer group for the refresh, or a lower degree",
        f"{REFERENCE}, 'Oracle Wait Events'",
    ),
)


def advise(
    delta: Delta, waits: Sequence[Wait] | None = None, rules: Sequence[Rule] | None = None
) -> tuple[TuningAdvice, ...]:
    """All findings, the costliest first. A restart of an instance makes the counters worthless.

    :param waits: what to look for, with `rules`; by default that which matters in a target.
    """
    if delta.restarted:
        return (
            TuningAdvice(
                "RESTARTED",
                "an instance was started or stopped in the middle of the phase",
                "its counters began anew, so nothing can be told of this phase",
                f"{REFERENCE}, V$SYSSTAT",
            ),
        )
    advice = (
        *(_waited(wait, delta) for wait in (WAITS if waits is None else waits)),
        *(rule(delta) for rule in (RULES if rules is None else rules)),
    )
    return tuple(sorted(filter(None, advice), key=lambda each: -each.seconds))


def _waited(wait: Wait, delta: Delta) -> TuningAdvice | None:
    seconds = delta.waited(*wait.events)
    if not delta.worth_telling(seconds):
        return None
    events = " and ".join(event for event in wait.events if delta.events.get(event))
    lost = f"{events} {seconds:,.0f} s" + (f": {_redo(delta)}" if wait.about_redo else "")
    return TuningAdvice(wait.code, lost, wait.advice, wait.source, seconds)


def _switch_rate(delta: Delta) -> TuningAdvice | None:
    """Only where the waits do not show it already."""
    if delta.seconds < SHORTEST_FOR_RATES or _waited(SWITCH_WAITS, delta) is not None:
        return None
    allowed = max(1.0, delta.seconds / SWITCH_SECONDS) * delta.redo.threads
    if delta.switches <= 3 * allowed:
        return None
    return TuningAdvice(
        "REDO_SWITCHES",
        f"{delta.switches} log switches in {delta.seconds:,.0f} s: {_redo(delta)}",
        "a switch in twenty minutes is a usual measure, so larger redo logs",
        f"{TUNING_GUIDE}, 'Sizing Redo Log Files'",
    )


def _redo(delta: Delta) -> str:
    size = delta.redo.bytes / (1 << 20)
    return f"redo logs {size:,.0f} MB in {delta.redo.groups} groups, {delta.switches} switches"


def _sorts_on_disk(delta: Delta) -> TuningAdvice | None:
    sorts = delta.statistics.get("sorts (disk)", 0)
    passes = delta.statistics.get("workarea executions - onepass", 0)
    multiple = delta.statistics.get("workarea executions - multipass", 0)
    if delta.seconds < SHORTEST_FOR_RATES or not (sorts or passes + multiple):
        return None
    return TuningAdvice(
        "SORTS_ON_DISK",
        f"{sorts:,.0f} sorts on disk, {passes:,.0f} work areas in one pass, {multiple:,.0f} in several",
        "a larger PGA_AGGREGATE_TARGET (in the study 1 GB -> 6 GB took sorts on disk from 171 to 37)",
        STUDY_LOAD,
    )


def _over_allocation(delta: Delta) -> TuningAdvice | None:
    times = delta.pga.get("over allocation count", 0)
    if not times:
        return None
    return TuningAdvice(
        "PGA_OVER_ALLOCATED",
        f"PGA memory was over-allocated {times:,.0f} times",
        "PGA_AGGREGATE_TARGET is too small for the work: see V$PGA_TARGET_ADVICE",
        f"{TUNING_GUIDE}, 'V$PGASTAT'",
    )


def _too_old(delta: Delta) -> TuningAdvice | None:
    if not delta.undo_too_old:
        return None
    stolen = f", {delta.undo_stolen:,} unexpired blocks were taken" if delta.undo_stolen else ""
    return TuningAdvice(
        "SNAPSHOT_TOO_OLD",
        f"{delta.undo_too_old} queries failed with ORA-01555{stolen}",
        "an undo tablespace with RETENTION GUARANTEE, and UNDO_RETENTION of twice the longest job",
        f"{STUDY_MASKING}; {REFERENCE}, V$UNDOSTAT",
    )


def _no_undo(delta: Delta) -> TuningAdvice | None:
    if not delta.undo_no_space:
        return None
    return TuningAdvice(
        "NO_UNDO_SPACE",
        f"{delta.undo_no_space} transactions found no space in the undo tablespace (ORA-30036)",
        "a larger undo tablespace, or smaller chunks (masking.chunk_bytes)",
        f"{REFERENCE}, V$UNDOSTAT",
    )


def _downgraded(delta: Delta) -> TuningAdvice | None:
    serial = delta.statistics.get("Parallel operations downgraded to serial", 0)
    if delta.seconds < SHORTEST_FOR_RATES or not serial:
        return None
    return TuningAdvice(
        "DOWNGRADED",
        f"{serial:,.0f} parallel operations were done serially",
        "PARALLEL_MAX_SERVERS was used up: raise it, or lower the degree",
        f"{REFERENCE}, 'Statistics Descriptions'",
    )


RULES: tuple[Rule, ...] = (
    _switch_rate,
    _sorts_on_disk,
    _over_allocation,
    _too_old,
    _no_undo,
    _downgraded,
)
