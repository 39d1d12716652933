"""That no statistics of unmasked rows can be brought back (DBMS_STATS.RESTORE_TABLE_STATS).

From the time that a table is built until the refresh gathers its statistics, which it does once the table is
masked, they are locked, and nobody should have changed them. DBA_TAB_STATS_HISTORY tells when they were
changed nonetheless: by force, or unlocked.
Statistics that were gathered then are in the history for as long as it is retained, because those that are
gathered afterwards save them. No call of Oracle's purges the history of one table: it goes with the table
(DROP TABLE), or with that of the whole database (PURGE_STATS), which is a DBA's to decide.

Sources: Database Reference 19c, DBA_TAB_STATS_HISTORY and ALL_OBJECTS; PL/SQL Packages and Types Reference
19c, DBMS_STATS, "PURGE_STATS Procedure" and "GET_STATS_HISTORY_AVAILABILITY Function"; SQL Tuning Guide 19c,
"Restrictions for Restoring Optimizer Statistics".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.run.ledger import DONE, Ledger
from oracle_refresh.run.ledger import TABLE as LEDGER
from oracle_refresh.target.objects.build import TABLE_STEP
from oracle_refresh.target.objects.statistics import GATHER_STEP
from oracle_refresh.target.quarantine.statements import NEVER_RELEASED
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb

T = TypeVar("T")
#: When this run, and those that were never released, have built each table, and begun to gather of what they
#: had masked: the ledger says nothing of what was gathered before (`GATHER_STEP`).
BUILDS = f"""\
SELECT B.ITEM, B.STARTED_AT, G.STARTED_AT
FROM "{LEDGER}" B
LEFT JOIN "{LEDGER}" G ON G.RUN_ID = B.RUN_ID AND G.ITEM = B.ITEM AND G.STEP = '{GATHER_STEP}'
WHERE B.STEP = '{TABLE_STEP}' AND (B.RUN_ID = :run_id OR B.RUN_ID IN ({NEVER_RELEASED}))"""
#: The ledger's times are the clock of the database's host: SYSTIMESTAMP without its time zone. So these are
#: told by the host's present zone; and by their own, where that is not just the session's: on a host that
#: keeps local time it is the one of then, also when summer time has ended since. CAST leaves the zone out and
#: converts nothing. Partitions mostly have the times of their table.
CHANGES = """\
SELECT DISTINCT OWNER, TABLE_NAME,
  CAST(STATS_UPDATE_TIME AT TIME ZONE TO_CHAR(SYSTIMESTAMP, 'TZH:TZM') AS TIMESTAMP),
  CASE WHEN TO_CHAR(STATS_UPDATE_TIME, 'TZH:TZM') <> TO_CHAR(CURRENT_TIMESTAMP, 'TZH:TZM')
    THEN CAST(STATS_UPDATE_TIME AS TIMESTAMP) END
FROM DBA_TAB_STATS_HISTORY
WHERE OWNER IN ({names}) AND CAST(STATS_UPDATE_TIME AS TIMESTAMP) >= :since"""
#: The clocks of two time zones are never farther apart.
ZONES = timedelta(hours=27)
#: The history of a table goes with it, so it is not older than the table.
CREATED = """\
SELECT OWNER, OBJECT_NAME, CREATED FROM DBA_OBJECTS WHERE OBJECT_TYPE = 'TABLE' AND OWNER IN ({names})"""
PURGED = """\
SELECT CAST(DBMS_STATS.GET_STATS_HISTORY_AVAILABILITY()
  AT TIME ZONE TO_CHAR(SYSTIMESTAMP, 'TZH:TZM') AS TIMESTAMP) FROM DUAL"""
PURGE = "let a DBA purge the history of the whole database (DBMS_STATS.PURGE_STATS(SYSTIMESTAMP))"
REMEDY = f"drop the tables (prepare: replace_objects) in a new run, or {PURGE}, then clear prove_masking"
#: Before any database was.
EVER = datetime(1980, 1, 1)


@dataclass(frozen=True)
class Period:
    """While a table held originals, or may have; the end is None where that has not ended."""

    start: datetime
    end: datetime | None

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment and (self.end is None or moment < self.end)


def periods_of(builds: Iterable[tuple[datetime, datetime | None]]) -> tuple[Period, ...]:
    """Of each run that has built a table: until it gathered, or else until the next one built the table anew.

    :param builds: when it was built, and when its statistics were gathered for the first time since it was
        masked. Pure.
    """
    ordered = sorted(builds, key=lambda build: build[0])
    following = [start for start, _ in ordered[1:]]
    return tuple(
        Period(start, gathered or later) for (start, gathered), later in zip_longest(ordered, following)
    )


def since_created(periods: Iterable[Period], created: datetime | None) -> tuple[Period, ...]:
    """What of the periods the table itself has seen: one before it, which was dropped, has left no history.

    :param created: when the table was; all count where that is not known. Pure.
    """
    if created is None:
        return tuple(periods)
    return tuple(
        Period(max(period.start, created), period.end)
        for period in periods
        if period.end is None or period.end > created
    )


def doubts(periods: Iterable[Period], changes: Collection[datetime], purged: datetime) -> str | None:
    """What speaks against the history of a table; None where it holds no statistics of originals. Pure.

    :param changes: when its statistics were changed, as far as the history goes back.
    :param purged: until when the history was purged: what it held of the period before, it does not tell, and
        what was saved since may be just that.
    """
    told = list(periods)
    found = sorted(moment for moment in changes if any(period.holds(moment) for period in told))
    if found:
        return f"statistics were changed at {found[0]:%Y-%m-%d %H:%M:%S}, before the refresh gathered them"
    if any(period.start < purged for period in told) and any(moment >= purged for moment in changes):
        return f"the history was purged until {purged:%Y-%m-%d %H:%M:%S}, and holds later entries"
    return None


def check_statistics_history(
    target: oracledb.Connection, run_id: str, masked: Collection[TableName]
) -> Verdict:
    """:param masked: the masked tables."""
    builds = _by_table(
        (key, (built, gathered)) for key, built, gathered in rows(target, BUILDS, run_id=run_id)
    )
    owners = sorted({table.owner for table in masked})
    starts = [start for built in builds.values() for start, _ in built]
    listed = rows(target, CHANGES, names=owners, since=min(starts) - ZONES) if owners and starts else []
    changes = _by_table(
        (TableName(owner, name).key, moment)
        for owner, name, *clocks in listed
        for moment in clocks
        if moment is not None
    )
    dated = rows(target, CREATED, names=owners) if owners else []
    created = {TableName(owner, name).key: moment for owner, name, moment in dated}
    purged = scalar(target, PURGED)
    against = []
    for table in sorted(masked):
        periods = since_created(periods_of(builds.get(table.key, ())), created.get(table.key))
        if doubt := doubts(periods, changes.get(table.key, ()), purged):
            against.append(f"{table.key}: {doubt}")
    detail = (
        f"{'; '.join(against[:10])}; {REMEDY}"
        if against
        else f"nobody changed statistics of {len(masked)} masked tables before the refresh gathered them"
    )
    return Verdict("statistics history", "-", "statistics to be restored", not against, detail)


def check_purged_history(target: oracledb.Connection, run_id: str, masked: Collection[TableName]) -> Verdict:
    """Of a clone, whose tables held originals ever since: that nothing was saved before the run had gathered
    their statistics anew, which saves the former ones.

    :param masked: the masked tables.
    """
    owners = sorted({table.owner for table in masked})
    gathered = {
        row.key: row.updated_at for row in Ledger(target, run_id).rows(GATHER_STEP) if row.state == DONE
    }
    listed = rows(target, CHANGES, names=owners, since=EVER) if owners else []
    against = {
        key
        for owner, name, *clocks in listed
        if (key := TableName(owner, name).key) in {table.key for table in masked}
        and any(moment is not None and moment <= gathered.get(key, datetime.max) for moment in clocks)
    }
    detail = (
        f"former statistics of {len(against)} masked tables can be restored:"
        f" {', '.join(sorted(against)[:10])}; {PURGE}, then clear prove_masking"
        if against
        else f"of {len(masked)} masked tables no former statistics are kept"
    )
    return Verdict("statistics history", "-", "statistics to be restored", not against, detail)


def _by_table(pairs: Iterable[tuple[str, T]]) -> Mapping[str, Sequence[T]]:
    found: dict[str, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
