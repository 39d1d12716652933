"""What the source waited for while its rows were exported, and what would help. The rules are pure.

Each export task leaves two readings of the source's counters, before and after its job. They are those of the
whole database: the sessions of a Data Pump job are gone with their counters when it has ended, and nothing
else that Oracle keeps of them comes without the Diagnostics Pack (Database Licensing Information 19c). So
work of others, and of the comparisons that a refresh itself makes meanwhile, is in them as well.

A task that was killed and tried again has the readings of its last try. Exports at the same time are one
stretch of time, and nothing is counted of what lies between two such stretches.
"""

from __future__ import annotations

import logging
import time
from collections import Counter as Sums
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog.lob_profile import LobProfile, largest_lobs, read_lob_profile
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import RefreshError, TuningError
from oracle_refresh.oracle.session import short_call, translated
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.counters import Counters, delta, read_activity
from oracle_refresh.tuning.findings import (
    REFERENCE,
    STUDY_LOAD,
    Delta,
    TuningAdvice,
    Wait,
    advise,
)

if TYPE_CHECKING:
    from oracle_refresh.catalog.model import Table
    from oracle_refresh.run.documents import Documents
    from oracle_refresh.run.possession import Hold
    from oracle_refresh.run.refresh_run import Open

log = logging.getLogger(__name__)
STEP = "diagnosis"


@dataclass(frozen=True)
class ExportReadings(Jsonable):
    """The source's counters before and after the export of one job; `missing` says why one is not there."""

    before: Counters | None = None
    after: Counters | None = None
    missing: str = ""


@dataclass(frozen=True)
class LobProfiles(Jsonable):
    """The profiles of a run's LOB columns; `missing` says which are not there, and why."""

    columns: tuple[LobProfile, ...] = ()
    missing: tuple[str, ...] = ()


#: By job.
SOURCE_COUNTERS: Kind[ExportReadings] = Kind("source counters", ExportReadings)
LOB_PROFILES: Kind[LobProfiles] = Kind("lob profiles", LobProfiles)
#: Of V$SYSSTAT, what tells of an export (Database Reference 19c, "Statistics Descriptions"). A version or
#: a database that does not count one of them shows none.
STATISTICS = (
    "session logical reads",
    "consistent gets",
    "physical reads",
    "physical read IO requests",
    "physical read total bytes",
    "physical reads direct",
    "physical reads direct (lob)",
    "lob reads",
    "lob writes",
    "table fetch by rowid",
    "table fetch continued row",
    "data blocks consistent reads - undo records applied",
    "parse count (hard)",
)
#: Seconds after which no further column is looked at: the plan waits for it, and the frozen SCN grows old.
LOB_SECONDS = 300.0
#: Bytes of a LOB segment from which shards of its table are worth their jobs in any case.
LARGE = 1 << 30
EXPORT_WAITS = (
    Wait(
        "LOB_SINGLE_BLOCKS",
        ("db file sequential read",),
        "blocks are read one by one, as each BasicFile LOB out of row is: more shards of its table at a"
        " time (lob_shard_min_bytes, max_shards; 8.2 times faster with 32 of them in the study), or move the"
        " column to SecureFile at the source",
        STUDY_LOAD,
    ),
    Wait(
        "SCANS",
        ("direct path read", "db file scattered read"),
        "tables are read in large pieces, and the disks are what is waited for: workers beyond the knee that"
        " the DAG datapump_calibration finds gain nothing (it was at 32 in the study)",
        STUDY_LOAD,
    ),
    Wait(
        "TOO_MANY_PROCESSES",
        ("library cache load lock", "library cache lock", "enq: TQ - DDL contention"),
        "too many Data Pump processes at the same time (in the study from 32 on, with the CPUs 20 % busy): a"
        " lower degree, or the one that the DAG datapump_calibration finds",
        STUDY_LOAD,
    ),
    Wait(
        "CPU_QUANTUM",
        ("resmgr:cpu quantum",),
        "the Resource Manager holds sessions back: another consumer group for the refresh, or a lower degree",
        f"{REFERENCE}, 'Oracle Wait Events'",
    ),
)


def note_before(open_source: Open, documents: Documents, job: str, hold: Hold) -> None:
    """Keep the source's counters as they are before a job is exported, in place of those of a former try.

    A reading that fails is told in the log and in the report, and fails nothing: so it has a session of its
    own, and may lose that.

    :param hold: around the write only, so that a source which does not answer holds up no other try.
    :raises TakenOverError: if it is another try's.
    """
    try:
        readings = ExportReadings(before=read_source_counters(open_source))
    except RefreshError as error:
        log.warning("what the source waits for while %s is exported stays unknown: %s", job, error)
        readings = ExportReadings(missing=error.message)
    with hold():
        documents.put(SOURCE_COUNTERS, job, readings)


def note_after(open_source: Open, documents: Documents, job: str, hold: Hold) -> None:
    """Keep them as they are afterwards, beside those of `note_before`; parameters and errors are the same."""
    readings = documents.find(SOURCE_COUNTERS, job)
    if readings is None or readings.before is None:
        return
    try:
        readings = replace(readings, after=read_source_counters(open_source))
    except RefreshError as error:
        log.warning("what the source waited for while %s was exported stays unknown: %s", job, error)
        readings = replace(readings, missing=error.message)
    with hold():
        documents.put(SOURCE_COUNTERS, job, readings)


def read_source_counters(open_source: Open) -> Counters:
    """The source's counters now, as far as they tell of an export.

    :raises RefreshError: if they cannot be read; needs SELECT_CATALOG_ROLE. The first of its five queries
        that takes longer than a short call ends it.
    """
    with translated(STEP, "V$SYSTEM_EVENT", TuningError), open_source() as connection, short_call(connection):
        found = read_activity(connection)
    kept = {name: found.statistics[name] for name in STATISTICS if name in found.statistics}
    return replace(found, statistics=kept)


def profile_lobs(open_source: Open, tables: Iterable[Table]) -> LobProfiles:
    """The profiles of the columns with the largest LOBs; fails nothing.

    A column that cannot be read costs none of the others: each has a session of its own, which it may lose.
    Each of its two queries may take as long as a short call, and none is begun after `LOB_SECONDS`.
    """
    columns, end = largest_lobs(tables), time.monotonic() + LOB_SECONDS
    found: list[LobProfile] = []
    missing: list[str] = []
    for number, (table, lob) in enumerate(columns):
        name = f"{table.key}.{lob.column}"
        if time.monotonic() > end:
            missing.append(f"{name} and smaller LOBs: {number} columns took more than {LOB_SECONDS:.0f} s")
            break
        try:
            with translated(STEP, name, TuningError), open_source() as source, short_call(source):
                found.append(read_lob_profile(source, table, lob))
        except RefreshError as error:
            log.warning("how long the LOBs of %s are stays unknown: %s", name, error)
            missing.append(f"{name}: {error.message}")
    return LobProfiles(tuple(found), tuple(missing))


def happened(readings: Iterable[tuple[Counters, Counters]]) -> Delta | None:
    """What the source did while anything was exported; None where nothing was measured.

    :param readings: before and after each export.
    """
    stretches: list[tuple[Counters, Counters]] = []
    for before, after in sorted(readings, key=lambda pair: pair[0].taken_at):
        if stretches and before.taken_at <= stretches[-1][1].taken_at:
            first, last = stretches[-1]
            stretches[-1] = first, max(last, after, key=lambda reading: reading.taken_at)
        else:
            stretches.append((before, after))
    deltas = [delta(before, after) for before, after in stretches]
    return _sum(deltas) if deltas else None


def _sum(deltas: Sequence[Delta]) -> Delta:
    statistics, events = Sums[str](), Sums[str]()
    for each in deltas:
        statistics.update(each.statistics)
        events.update(each.events)
    return Delta(
        seconds=sum(each.seconds for each in deltas),
        restarted=any(each.restarted for each in deltas),
        statistics=dict(statistics),
        events=dict(events),
        undo_too_old=sum(each.undo_too_old for each in deltas),
        undo_no_space=sum(each.undo_no_space for each in deltas),
        undo_stolen=sum(each.undo_stolen for each in deltas),
    )


def advise_on_exports(
    counted: Delta | None, lobs: Iterable[LobProfile], jobs: Mapping[tuple[str, str], int]
) -> tuple[TuningAdvice, ...]:
    """Findings from what the source did and from its LOBs; the costliest waits first.

    :param jobs: how many jobs exported a table, by owner and name.
    """
    waits = advise(counted, EXPORT_WAITS, (_undo_applied, _too_old)) if counted else ()
    return (*waits, *(advice for lob in lobs for advice in _of_lob(lob, jobs.get((lob.owner, lob.table), 1))))


def _undo_applied(counted: Delta) -> TuningAdvice | None:
    """Rows as of the SCN are made from undo: the later an export, the more of it."""
    applied = counted.statistics.get("data blocks consistent reads - undo records applied", 0)
    reads = counted.statistics.get("consistent gets", 0)
    if not reads or applied < reads:
        return None
    return TuningAdvice(
        "UNDO_APPLIED",
        f"{applied:,.0f} undo records were applied for {reads:,.0f} consistent reads",
        "the source changes much while it is exported: freeze it at a quieter hour",
        f"{REFERENCE}, 'Statistics Descriptions'",
    )


def _too_old(counted: Delta) -> TuningAdvice | None:
    if not counted.undo_too_old:
        return None
    return TuningAdvice(
        "SOURCE_SNAPSHOT_TOO_OLD",
        f"{counted.undo_too_old} queries of the source failed with ORA-01555",
        "a longer UNDO_RETENTION of the source than the exports take, and room for it in the undo tablespace",
        f"{REFERENCE}, V$UNDOSTAT",
    )


def _of_lob(lob: LobProfile, jobs: int) -> Iterable[TuningAdvice]:
    if lob.securefile or not lob.out_of_row:
        return
    share, chunks = 1 - (lob.inline_share or 0.0), lob.chunks_per_lob or 0.0
    described = (
        f"{lob.name}: {share:.0%} of the LOBs that are not NULL lie out of row, in {chunks:,.1f} chunks of"
        f" {lob.chunk:,} bytes each (BasicFile, {lob.segment_bytes / (1 << 20):,.0f} MB in"
        f" {lob.segment_extents:,} extents)"
    )
    if jobs == 1 and lob.segment_bytes >= LARGE:
        yield TuningAdvice(
            "LOB_ONE_WORKER",
            described,
            "whatever PARALLEL says, one worker exports a table with such a column: shards of it, by a lower"
            " lob_shard_min_bytes or a larger degree (over 1.5 hours -> 11 minutes in the study)",
            STUDY_LOAD,
        )
    if share >= 0.5 and chunks < 2:
        yield TuningAdvice(
            "LOB_READ_PER_ROW",
            described,
            "nearly each of them is a single-block read: what helps is more at a time, by shards of the table"
            " (max_shards), or SecureFile, which is read in larger pieces",
            STUDY_LOAD,
        )
    elif chunks >= 8:
        yield TuningAdvice(
            "LOB_SMALL_CHUNKS",
            described,
            "long LOBs are read chunk by chunk: a larger CHUNK (up to 32 KB), or SecureFile",
            "SecureFiles and Large Objects Developer's Guide 19c, 'CHUNK'",
        )
