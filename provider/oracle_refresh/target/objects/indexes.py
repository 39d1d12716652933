"""Builds a table's indexes on the target after its rows are loaded and masked.

The largest comes first, several are built at a time, each in parallel and without redo for its blocks, then
each is set back to the degree and logging it has on the source, so that no later query runs in parallel by
surprise. Indexes of primary and unique keys are built here too, and taken up by their constraints afterwards
(`constraints.py`). A key whose index has a generated name (SYS_C0012345) is added as a whole instead: that
name may belong to another index of the target. Source: CREATE INDEX in SQL Language Reference 19c.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.catalog.limits import has_parallel_execution
from oracle_refresh.catalog.model import Constraint, Index, Table
from oracle_refresh.catalog.rows import grouped
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, ObjectName
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.constraints import not_null_first
from oracle_refresh.target.objects.index_clauses import (
    BuildMode,
    create_index,
    key_properties,
    rebuild_mode,
    takes_build_mode,
)
from oracle_refresh.target.objects.keys import columns_of_keys, key_clause
from oracle_refresh.target.objects.metadata import STEP, SourceDdl, names_of, run
from oracle_refresh.target.objects.sessions import Connect, parallel_ddl, spread

if TYPE_CHECKING:
    import oracledb

DEFAULT_DEGREE = 4
#: Bytes of a table, without its LOBs, from which on it pays to open further sessions for its indexes: an
#: index of a smaller one is built faster.
SEVERAL_SESSIONS_BYTES = 16 * 1024 * 1024
# A name that is taken; a key that the table has.
_THERE = frozenset({"ORA-00955", "ORA-02260", "ORA-02261", "ORA-02264"})


@dataclass(frozen=True)
class IndexResult(Jsonable):
    """Keys (OWNER.NAME) of the indexes that were built, and of those a former try had built."""

    table: str
    built: tuple[str, ...]
    ready: tuple[str, ...]
    seconds: float
    rebuilt: tuple[str, ...] = ()
    """Indexes that were found unusable."""


@dataclass(frozen=True)
class _State:
    """How an index is (DBA_INDEXES), its size on the source (DBA_SEGMENTS), its unusable partitions."""

    degree: str
    logging: str | None
    status: str
    bytes: int = 0
    unusable: tuple[tuple[str, str], ...] = ()
    """Each as PARTITION or SUBPARTITION and its name."""

    @property
    def broken(self) -> bool:
        return self.status == "UNUSABLE" or bool(self.unusable)


@dataclass
class _Build:
    """One table's indexes on their way; the sessions that build them share it."""

    table: Table
    wanted: Mapping[ObjectName, _State]
    present: Mapping[ObjectName, _State]
    mode: BuildMode
    progress: Progress
    texts: dict[ObjectName, str] = field(default_factory=dict)
    """CREATE INDEX of the source, as the target is to run it."""
    properties: dict[ObjectName, str] = field(default_factory=dict)
    """Of the indexes that come with their keys: what USING INDEX says of them."""
    built: list[str] = field(default_factory=list)
    rebuilt: list[str] = field(default_factory=list)
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, session: oracledb.Connection, index: Index) -> None:
        """Build or rebuild one index in a session of its own."""
        name = index.full_name
        present = self.present.get(name)
        try:
            if present is not None:
                self._rebuild(session, index, present)
            elif name in self.texts:
                with names_of(session, index.owner):
                    run(session, self.texts[name], name.key)
            else:
                self._add_key(session, index)
        except PlanError as error:
            # The session of a killed task may have come to its end since this one looked.
            if _THERE.isdisjoint(error.codes) or not _is_there(session, self.table, index):
                raise
        if (present is not None or name in self.texts) and takes_build_mode(self.table, index):
            settle(session, name, self.wanted.get(name))
        with self.lock:
            (self.built if present is None else self.rebuilt).append(name.key)
            self.advance()

    def advance(self) -> None:
        self.done += 1
        self.progress.report(self.done, len(self.table.indexes), "indexes", self.table.key)

    def _rebuild(self, session: oracledb.Connection, index: Index, present: _State) -> None:
        physical = self.mode.clauses if takes_build_mode(self.table, index) else ""
        for kind, partition in present.unusable:
            statement = statements.REBUILD_PARTITION.format(
                index=index.sql,
                kind=kind,
                partition=Identifier(partition).sql,
                physical=rebuild_mode(self.table, index, kind, self.mode),
            )
            run(session, statement, index.key)
        if present.status == "UNUSABLE":
            statement = statements.REBUILD.format(index=index.sql, physical=physical)
            run(session, statement, index.key)

    def _add_key(self, session: oracledb.Connection, index: Index) -> None:
        constraint = _key_of(self.table, index)
        explicit = not_null_first(self.table, constraint.columns) if constraint.type == "P" else []
        for column in explicit:
            statement = statements.MODIFY_COLUMNS.format(table=self.table.sql, columns=column)
            run(session, statement, self.table.key, {"ORA-01442"})
        physical = takes_build_mode(self.table, index)
        using = f"USING INDEX{self.properties[index.full_name]}{' NOLOGGING' if physical else ''}"
        state = "VALIDATE" if constraint.validated else "NOVALIDATE"
        clause = key_clause(constraint) + (" RELY" if constraint.rely else "")
        statement = statements.ADD_CONSTRAINT.format(
            table=self.table.sql, definition=f"{clause} {using} ENABLE {state}"
        )
        with parallel_ddl(session, self.mode.degree if physical else 1):
            run(session, statement, f"{self.table.key} {constraint.name}")


def build_indexes(
    source: oracledb.Connection,
    target: oracledb.Connection,
    table: Table,
    definition: RefreshDefinition,
    progress: Progress = silent,
    connect: Connect | None = None,
) -> IndexResult:
    """Build what is missing of the indexes that the source's table has, and rebuild what is unusable.

    May be repeated: what is there stays, and what a dead try left in parallel or unlogged mode is set back.

    :param table: the table as the source's catalogue shows it.
    :param definition: its `index_sessions` build at a time and share its degree (four each without one).
        Where the target has no parallel execution (Standard Edition), each is built by one process.
    :param connect: opens a further session of the target; without it, and on a table of less than
        `SEVERAL_SESSIONS_BYTES`, one index is built after the other.
    :raises PlanError: if DDL is refused or fails, as when a unique index meets duplicates (ORA-01452), or an
        index is unusable at the end that is not so on the source.
    """
    began = time.monotonic()
    # Of a thousand small tables each query counts: what decides nothing is not asked for.
    sized = len(table.indexes) > definition.index_sessions or not connect
    if table.bytes < SEVERAL_SESSIONS_BYTES:
        connect, sized = None, False
    generated = any(_generated(table, index) for index in table.indexes)
    wanted, present = _states(source, table, sized), _states(target, table)
    keys = columns_of_keys(target, table.full_name) if generated else set()
    ready: list[Index] = []
    todo: list[Index] = []
    for index in table.indexes:
        name = index.full_name
        there = _key_of(table, index).columns in keys if _generated(table, index) else name in present
        broken = name in present and present[name].broken and not wanted.get(name, present[name]).broken
        (ready if there and not broken else todo).append(index)
    todo.sort(key=lambda index: -wanted[index.full_name].bytes if index.full_name in wanted else 0)
    # A key's ALTER TABLE waits for every CREATE INDEX on the table, so keys come behind, one after the other.
    with_keys = [index for index in todo if _generated(table, index) and index.full_name not in present]
    alone = [index for index in todo if index not in with_keys]
    sessions = max(1, min(definition.index_sessions, len(alone))) if connect else 1
    mode = BuildMode(_degree(target, definition, sessions))
    build = _Build(table, wanted, present, mode, progress)
    if todo:
        reader = SourceDdl(source)
        build.texts = {
            index.full_name: create_index(_created(reader, index), table, index, mode)
            for index in alone
            if index.full_name not in present
        }
        build.properties = {
            index.full_name: key_properties(_created(reader, index), table) for index in with_keys
        }
    build.done = len(ready)
    try:
        spread(target, alone, build.work, sessions, connect)
        build.mode = BuildMode(_degree(target, definition, 1))
        spread(target, with_keys, build.work)
    finally:
        found = _settle_all(target, table, wanted)
    _require_usable(found, table, wanted)
    return IndexResult(
        table.key,
        tuple(build.built),
        tuple(index.key for index in ready),
        time.monotonic() - began,
        tuple(build.rebuilt),
    )


def _is_there(target: oracledb.Connection, table: Table, index: Index) -> bool:
    if _generated(table, index):
        return _key_of(table, index).columns in columns_of_keys(target, table.full_name)
    return index.full_name in _states(target, table)


def settle(session: oracledb.Connection, name: ObjectName, wanted: _State | None) -> None:
    """Give an index the degree and the logging that it has on the source; NOPARALLEL LOGGING if unknown."""
    sql, key = name.sql, name.key
    degree = wanted.degree if wanted else "1"
    if degree == "DEFAULT":
        run(session, statements.PARALLEL_DEFAULT.format(index=sql), key)
    elif degree.isdigit() and int(degree) > 1:
        run(session, statements.PARALLEL.format(index=sql, degree=int(degree)), key)
    else:
        run(session, statements.NOPARALLEL.format(index=sql), key)
    unlogged = wanted is not None and wanted.logging == "NO"
    run(session, (statements.NOLOGGING if unlogged else statements.LOGGING).format(index=sql), key)


def _settle_all(
    target: oracledb.Connection, table: Table, wanted: Mapping[ObjectName, _State]
) -> dict[ObjectName, _State]:
    """Find what is still in the mode it was built in: after a crash, or an index under a new name.

    :returns: the indexes of the target as they were found.
    """
    unaltered = {index.full_name for index in table.indexes if not takes_build_mode(table, index)}
    there = _states(target, table)
    for name, present in () if table.temporary else there.items():
        if name in unaltered:
            continue
        goal = wanted.get(name)
        logging = (goal.logging if goal else None) or "YES"
        if present.degree != (goal.degree if goal else "1") or (present.logging or logging) != logging:
            settle(target, name, goal)
    return there


def _require_usable(
    there: Mapping[ObjectName, _State], table: Table, wanted: Mapping[ObjectName, _State]
) -> None:
    broken = [
        name.key
        for name, present in there.items()
        if present.broken and not (name in wanted and wanted[name].broken)
    ]
    if broken:
        raise PlanError(
            f"unusable on the target: {', '.join(broken)}",
            codes=("ORA-01502",),
            object_name=table.key,
            step=STEP,
            remedy="see why, then clear this task: it rebuilds them",
        )


def _states(connection: oracledb.Connection, table: Table, sized: bool = False) -> dict[ObjectName, _State]:
    """The indexes of a table; sizes are read where asked for, they decide the order.

    Only a partitioned index has unusable partitions, and it has them at both ends.
    """
    of_table = {"owner": table.owner, "name": table.name}
    partitioned = any(index.partitioned for index in table.indexes)
    unusable = grouped(
        ObjectName, rows(connection, statements.UNUSABLE_PARTITIONS_OF, **of_table) if partitioned else ()
    )
    states: dict[ObjectName, _State] = {}
    statement = statements.SIZED_INDEXES_OF if sized else statements.INDEXES_OF
    for owner, name, degree, logging, status, size in rows(connection, statement, **of_table):
        index, written = ObjectName(owner, name), str(degree or "1").strip()
        states[index] = _State(
            "1" if written in ("0", "") else written,
            logging,
            status,
            int(size or 0),
            tuple((kind, partition) for kind, partition in unusable[index]),
        )
    return states


def _created(reader: SourceDdl, index: Index) -> str:
    """The CREATE INDEX of the source. What follows it, as ALTER INDEX ... UNUSABLE, is not for the target."""
    statement, *more = reader.read("INDEX", index.full_name)
    ddl.guard(statement, {"CREATE INDEX"}, {index.owner}, index.name)
    for each in more:
        ddl.guard(each, {"ALTER INDEX"}, {index.owner}, index.name)
    return statement


def _degree(target: oracledb.Connection, definition: RefreshDefinition, sessions: int) -> int:
    if not has_parallel_execution(target):
        return 1
    return max(1, definition.degree // sessions) if definition.degree else DEFAULT_DEGREE


def _generated(table: Table, index: Index) -> bool:
    """Whether the index was made for a key without a name and bears the key's generated one."""
    return any(
        each.generated and each.name == index.name and index.constraint == each.name
        for each in table.constraints
    )


def _key_of(table: Table, index: Index) -> Constraint:
    return next(each for each in table.constraints if each.name == index.constraint)
