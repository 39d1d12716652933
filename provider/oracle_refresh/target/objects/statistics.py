"""Optimizer statistics of the refreshed tables: locked while rows are unmasked, then gathered.

Statistics hold values: the ends of a column's range, and those that a histogram lists. Whatever replaces them
saves them first, for RESTORE_TABLE_STATS to bring back (31 days by default), and Oracle has no call that
purges the history of one table. So they must not come to be while a table holds originals. Locked, they are
passed over by the nightly job, by other gathering for many tables and by direct-path loads, and refuse
GATHER_TABLE_STATS (ORA-20005) and ANALYZE (ORA-38029). DROP TABLE takes lock and history along.

Users lock tables, or single partitions, which UNLOCK_TABLE_STATS leaves locked and DROP TABLE does not. Of a
locked table the dictionary does not tell which of its partitions are locked besides.

Sources: PL/SQL Packages and Types Reference 19c, DBMS_STATS; SQL Tuning Guide 19c, "Restrictions for Online
Statistics Gathering for Bulk Loads", "Restrictions for Restoring Optimizer Statistics".
"""

from __future__ import annotations

import itertools
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.oracle.errors import PlanError, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows, translated
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger, LedgerRow
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import statements

if TYPE_CHECKING:
    import oracledb

STEP = "statistics"
#: The lock that a refresh holds: running until it is given back. Its detail says whether the users have one.
LOCK_STEP = "lock_statistics"
#: Partitions that the users have locked: of a table as many rows as their names take, numbered.
PARTITIONS_STEP = "lock_partition_statistics"
#: Names of 128 bytes, escaped (`\\u00e4`), in a ledger's row.
PARTITIONS_PER_ROW = 8
#: Gathering: begun when the statistics of a table were gathered for the first time since the run masked it.
GATHER_STEP = "gather_statistics"


def record_locks(
    source: oracledb.Connection, target: oracledb.Connection, tables: Sequence[Table], ledger: Ledger
) -> None:
    """Note which tables and partitions are to stay locked after the refresh: those that users have locked,
    here or on the source. Commits.

    Call it before anything is dropped. It may be repeated: what is noted stands, since what is found locked
    by now may be this run's lock. That of a run which has never given it back is no lock of the users
    either.
    """
    noted, former = ledger.states(LOCK_STEP), ledger.latest_elsewhere(LOCK_STEP)
    former_partitions = list(ledger.latest_elsewhere(PARTITIONS_STEP).values())
    schemas = sorted({table.owner for table in tables})
    here, there = (_locked(connection, schemas) for connection in (target, source))
    parts_here, parts_there = (_locked_partitions(connection, schemas) for connection in (target, source))
    keeps = dict[str, dict[str, bool]]()
    for table in tables:
        if table.key in noted:
            continue
        other = former.get(table.key)
        own = other.detail["keep"] if other and other.state == RUNNING else table.full_name in here
        keep = bool(own or table.full_name in there)
        partitions = set[str]()
        if table.full_name not in there:
            partitions |= parts_there.get(table.full_name, set())
        if other and other.state == RUNNING:
            partitions |= _partitions(row for row in former_partitions if row.run_id == other.run_id)[
                table.key
            ]
        elif table.full_name not in here:
            partitions |= parts_here.get(table.full_name, set())
        _note_partitions(ledger, table, sorted(partitions))
        keeps[table.key] = {"keep": keep}
    ledger.record_all(LOCK_STEP, RUNNING, keeps)


def _locked(connection: oracledb.Connection, schemas: Sequence[str]) -> set[TableName]:
    if not schemas:
        return set()
    return {TableName(*row) for row in rows(connection, statements.LOCKED_STATISTICS, names=schemas)}


def _locked_partitions(connection: oracledb.Connection, schemas: Sequence[str]) -> dict[TableName, set[str]]:
    """Of partitioned tables; of one that is locked itself, all."""
    found: dict[TableName, set[str]] = {}
    if schemas:
        for owner, name, partition in rows(connection, statements.LOCKED_PARTITIONS, names=schemas):
            found.setdefault(TableName(owner, name), set()).add(partition)
    return found


def forget_locks(ledger: Ledger) -> None:
    """What was noted of tables that are put back with their own locks: the next run is to look at these."""
    for step in (LOCK_STEP, PARTITIONS_STEP):
        ledger.drop_step(step)


def _note_partitions(ledger: Ledger, table: Table, names: Sequence[str]) -> None:
    for first in range(0, len(names), PARTITIONS_PER_ROW):
        detail = {"partitions": names[first : first + PARTITIONS_PER_ROW]}
        ledger.record(PARTITIONS_STEP, f"{table.key} {first}", RUNNING, detail, commit=False)


def _partitions(noted: Iterable[LedgerRow]) -> defaultdict[str, set[str]]:
    """What the rows of one run say, by the keys of the tables."""
    found = defaultdict[str, set[str]](set)
    for row in noted:
        found[row.key.rpartition(" ")[0]].update(row.detail["partitions"])
    return found


def statistics_locked(target: oracledb.Connection, name: TableName) -> bool:
    """Whether the statistics of a table are locked, by whomever."""
    return name in _locked(target, [name.owner])


def lock_statistics(target: oracledb.Connection, names: Sequence[TableName]) -> None:
    """Let nobody gather statistics of tables unless by force. Commits; may be repeated.

    :raises PlanError: if they cannot be locked (ANALYZE ANY is needed); it names the first such table.
    """
    if not names:
        return
    binds = [{"owner": Identifier(name.owner).sql, "name": Identifier(name.name).sql} for name in names]
    try:
        with target.cursor() as cursor:
            cursor.executemany(statements.LOCK_STATISTICS, binds)
    except Exception as error:
        if not oracle_codes(error):
            raise
        for name in names:  # one by one, to name the table
            _call(target, statements.LOCK_TABLE_STATS, name)


def gather_statistics(
    target: oracledb.Connection,
    catalogue: Catalogue,
    ledger: Ledger,
    progress: Progress = silent,
    degree: int | None = None,
    masked: Collection[str] = (),
    sessions: int = 1,
    connect: Connect | None = None,
) -> int:
    """Gather statistics of tables and their indexes, the largest first, and unlock them unless the users have
    them locked; the number of tables.

    May be repeated: what a killed call has gathered is gathered again, and a lock that it left is given back.

    :param degree: parallel processes; None leaves it to the table's own.
    :param masked: keys of the tables that the run has masked. Only of these it is noted that gathering has
        begun: from then on their statistics hold no originals.
    :param sessions: how many tables at a time, each in a session that `connect` opens.
    :raises PlanError: if one cannot be analysed (ANALYZE ANY is needed).
    """
    tables = catalogue.tables
    locks = {row.key: row for row in ledger.rows(LOCK_STEP)}
    partitions = _partitions(ledger.rows(PARTITIONS_STEP))
    keywords: dict[str, object] = {"cascade": True, "force": True}
    if degree is not None:
        keywords["degree"] = degree
    done, told = itertools.count(1), threading.Lock()

    def gather(session: oracledb.Connection, table: Table) -> None:
        noted = Ledger(session, ledger.run_id)
        if table.key in masked:
            noted.record(GATHER_STEP, table.key, RUNNING)
        _call(session, statements.GATHER_TABLE_STATS, table.full_name, **keywords)
        if table.key in masked:
            noted.record(GATHER_STEP, table.key, DONE)
        lock = locks.get(table.key)
        if lock is not None and lock.state == RUNNING:
            _lock_partitions(session, table.full_name, partitions.get(table.key, ()))
            if not lock.detail["keep"]:
                _call(session, statements.UNLOCK_TABLE_STATS, table.full_name)
            noted.record(LOCK_STEP, table.key, DONE, lock.detail)
        with told:
            progress.report(next(done), len(tables), "tables", "statistics")

    spread(target, sorted(tables, key=lambda table: -table.total_bytes), gather, sessions, connect)
    return len(tables)


def purge_history(target: oracledb.Connection) -> None:
    """Remove all former statistics of the database: those of a clone hold originals. May be repeated.

    :raises PlanError: without ANALYZE ANY DICTIONARY.
    """
    with translated(STEP, "history", PlanError), target.cursor() as cursor:
        cursor.execute(statements.PURGE_HISTORY)


def _lock_partitions(target: oracledb.Connection, name: TableName, partitions: Collection[str]) -> None:
    """Lock those that the table still has."""
    if not partitions:
        return
    present = rows(target, statements.PARTITIONS, owner=name.owner, name=name.name)
    for partition in sorted(set(partitions) & {part for (part,) in present}):
        _call(target, statements.LOCK_PARTITION_STATS, name, partname=Identifier(partition).sql)


def _call(target: oracledb.Connection, procedure: str, name: TableName, **more: object) -> None:
    # Unquoted names are folded to capitals (DBMS_STATS, "Operational Notes").
    keywords = {"ownname": Identifier(name.owner).sql, "tabname": Identifier(name.name).sql, **more}
    with translated(STEP, name.key, PlanError), target.cursor() as cursor:
        cursor.callproc(procedure, [], keywords)
