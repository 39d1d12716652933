"""Builds a table's indexes on the target after its rows are loaded and masked.

The largest comes first, several are built at a time, each in parallel and without redo for its blocks, then
each is set back to the degree and logging it has on the source, so that no later query runs in parallel by
surprise. An index of a small table is made as it is to stay: to set it back would take longer than to build
it. Indexes of primary and unique keys are built here too, and taken up by their constraints afterwards
(`constraints.py`). A key whose index has a generated name (SYS_C0012345) is added as a whole instead: that
name may belong to another index of the target. Source: CREATE INDEX in SQL Language Reference 19c.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from oracle_refresh.catalog.limits import has_parallel_execution
from oracle_refresh.catalog.model import Constraint, Index, Table
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.constraints import not_null_first
from oracle_refresh.target.objects.index_clauses import (
    BuildMode,
    create_index,
    key_properties,
    lasting_clauses,
    rebuild_mode,
    takes_build_mode,
    unlisted,
)
from oracle_refresh.target.objects.index_origins import IndexOrigin
from oracle_refresh.target.objects.index_settling import require_usable, settle, settle_all
from oracle_refresh.target.objects.index_states import IndexState, IndexStates, index_states
from oracle_refresh.target.objects.keys import columns_of_keys, key_clause
from oracle_refresh.target.objects.metadata import names_of, run
from oracle_refresh.target.objects.sessions import parallel_ddl, waiting_for_locks

if TYPE_CHECKING:
    import oracledb

DEFAULT_DEGREE = 4
#: Bytes of a table, without its LOBs, from which on it pays to open further sessions for its indexes: an
#: index of a smaller one is built faster.
SEVERAL_SESSIONS_BYTES = 16 * 1024 * 1024
# A name that is taken; a key that the table has.
_THERE = frozenset({"ORA-00955", "ORA-02260", "ORA-02261", "ORA-02264"})
# The partitions, and subpartitions, behind LOCAL are not as many as the table has.
_OTHER_PARTITIONS = frozenset({"ORA-14024", "ORA-14186"})


@dataclass(frozen=True)
class IndexResult(Jsonable):
    """Keys (OWNER.NAME) of the indexes that were built, and of those a former try had built."""

    table: str
    built: tuple[str, ...]
    ready: tuple[str, ...]
    seconds: float
    rebuilt: tuple[str, ...] = ()
    """Indexes that were found unusable."""


@dataclass
class _Build:
    """One table's indexes on their way; the sessions that build them share it."""

    table: Table
    wanted: Mapping[ObjectName, IndexState]
    present: Mapping[ObjectName, IndexState]
    mode: BuildMode
    small: bool
    progress: Progress
    in_place: bool
    texts: dict[ObjectName, str] = field(default_factory=dict)
    """CREATE INDEX of the source, as the target is to run it."""
    properties: dict[ObjectName, str] = field(default_factory=dict)
    """Of the indexes that come with their keys: what USING INDEX says of them."""
    built: list[str] = field(default_factory=list)
    rebuilt: list[str] = field(default_factory=list)
    done: int = 0
    met: bool = False
    """Whether another session was found to have built an index meanwhile."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, session: oracledb.Connection, index: Index) -> None:
        """Build or rebuild one index in a session of its own."""
        name = index.full_name
        present = self.present.get(name)
        try:
            if present is not None:
                self._rebuild(session, index, present)
            elif name in self.texts:
                self._create(session, index)
            else:
                self._add_key(session, index)
        except PlanError as error:
            # The session of a killed task may have come to its end since this one looked.
            if _THERE.isdisjoint(error.codes) or not _is_there(session, self.table, index):
                raise
            self.met = True
        altered = present is not None or (name in self.texts and not self.small)
        if altered and takes_build_mode(self.table, index):
            settle(session, name, self.wanted.get(name))
        with self.lock:
            (self.built if present is None else self.rebuilt).append(name.key)
            self.advance()

    def advance(self) -> None:
        self.done += 1
        self.progress.report(self.done, len(self.table.indexes), "indexes", self.table.key)

    def _create(self, session: oracledb.Connection, index: Index) -> None:
        """One that was unusable in part is created unusable, and the rest rebuilt: so no killed try leaves an
        index that passes for a finished one."""
        name = index.full_name
        with names_of(session, index.owner) if _may_name_objects(index) else nullcontext():
            if run(session, self.texts[name], name.key, self._tolerated):
                run(session, unlisted(self.texts[name]), name.key)
        wanted = self.wanted.get(name)
        if self.in_place and wanted is not None and wanted.unusable:
            self._rebuild(session, index, index_states(session, [self.table])[self.table.full_name][name])

    @property
    def _tolerated(self) -> frozenset[str]:
        """Of partitions that rows have made while the table was masked there are more than were recorded."""
        return _OTHER_PARTITIONS if self.in_place else frozenset()

    def _rebuild(self, session: oracledb.Connection, index: Index, present: IndexState) -> None:
        physical = self.mode.clauses if takes_build_mode(self.table, index) else ""
        present = present.beyond(self.wanted.get(index.full_name))
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
        logging = (" LOGGING" if self.small else " NOLOGGING") if physical else ""
        state = "VALIDATE" if constraint.validated else "NOVALIDATE"
        clause = key_clause(constraint) + (" RELY" if constraint.rely else "")

        def enabling(properties: str) -> str:
            using = f"USING INDEX{properties}{logging}"
            if self.in_place:
                name = Identifier(constraint.name).sql
                return statements.ENABLE_KEY.format(table=self.table.sql, name=name, using=using)
            definition = f"{clause} {using} ENABLE {state}"
            return statements.ADD_CONSTRAINT.format(table=self.table.sql, definition=definition)

        properties, key = self.properties[index.full_name], f"{self.table.key} {constraint.name}"
        with parallel_ddl(session, self.mode.degree if physical and not self.small else 1):
            if run(session, enabling(properties), key, self._tolerated):
                run(session, enabling(unlisted(properties)), key)


class IndexBuilder:
    """Builds the indexes of tables, one table after the other.

    What is the same for all of them is asked for once, and so is what both dictionaries say of their indexes:
    of a thousand small tables each query counts.

    :param origin: how they have to be.
    :param tables: as the source's catalogue shows them.
    :param definition: its `index_sessions` build at a time and share its degree (four each without one).
        Where the target has no parallel execution (Standard Edition), each is built by one process.
    :param connect: opens a further session of the target; without it, and on a table of less than
        `SEVERAL_SESSIONS_BYTES`, one index is built after the other.
    """

    def __init__(
        self,
        origin: IndexOrigin,
        target: oracledb.Connection,
        tables: Sequence[Table],
        definition: TargetDefinition,
        connect: Connect | None = None,
    ) -> None:
        self._origin, self._target = origin, target
        self._tables, self._definition, self._connect = tables, definition, connect

    def build(self, table: Table, progress: Progress = silent) -> IndexResult:
        """Build what is missing of the indexes that the source's table has, and rebuild what is unusable.

        May be repeated: what is there stays, and what a dead try left in parallel or unlogged mode is set
        back.

        :raises PlanError: if DDL is refused or fails, as when a unique index meets duplicates (ORA-01452), or
            an index is unusable at the end that is not so on the source.
        """
        began, target = time.monotonic(), self._target
        small = table.bytes < SEVERAL_SESSIONS_BYTES
        connect = None if small else self._connect
        present = self._present[table.full_name]
        wanted = self._wanted[table.full_name]
        if connect and len(table.indexes) > self._definition.index_sessions:
            wanted = self._origin.states([table], sized=True)[table.full_name]
        generated = any(_generated(table, index) for index in table.indexes)
        keys = columns_of_keys(target, table.full_name) if generated else set()
        ready: list[Index] = []
        todo: list[Index] = []
        for index in table.indexes:
            name = index.full_name
            there = _key_of(table, index).columns in keys if _generated(table, index) else name in present
            broken = name in present and present[name].beyond(wanted.get(name, present[name])).broken
            (ready if there and not broken else todo).append(index)
        todo.sort(key=lambda index: -wanted[index.full_name].bytes if index.full_name in wanted else 0)
        # A key's ALTER TABLE waits for every CREATE INDEX on the table, so keys come behind, one after the
        # other; but before an index that begins with their columns, which they would take for their own.
        with_keys = [index for index in todo if _generated(table, index) and index.full_name not in present]
        alone = [index for index in todo if index not in with_keys]
        first = [
            index
            for index in with_keys
            if any(_begins_with(other, _key_of(table, index).columns) for other in alone)
        ]
        sessions = max(1, min(self._definition.index_sessions, len(alone))) if connect else 1
        mode, in_place = BuildMode(self._degree(sessions)), self._origin.in_place
        build = _Build(table, wanted, present, mode, small, progress, in_place)
        for index in todo:
            name = index.full_name
            if index in with_keys:
                build.properties[name] = key_properties(_created(self._origin, table, index))
            elif name not in present:
                clauses = build.mode.clauses
                if small:
                    clauses = lasting_clauses(*_lasting(wanted.get(name)))
                if in_place and name in wanted and wanted[name].broken:
                    clauses += " UNUSABLE"
                build.texts[name] = create_index(_created(self._origin, table, index), table, index, clauses)
        build.done = len(ready)
        try:
            build.mode = BuildMode(self._degree(1))
            spread(target, first, build.work)
            build.mode = mode
            spread(target, alone, build.work, sessions, waiting_for_locks(connect))
            build.mode = BuildMode(self._degree(1))
            spread(target, [index for index in with_keys if index not in first], build.work)
        finally:
            found = settle_all(target, table, wanted) if present or build.met or not small else {}
        require_usable(found, table, wanted)
        return IndexResult(
            table.key,
            tuple(build.built),
            tuple(index.key for index in ready),
            time.monotonic() - began,
            tuple(build.rebuilt),
        )

    @cached_property
    def _wanted(self) -> defaultdict[TableName, IndexStates]:
        return self._origin.states(self._tables)

    @cached_property
    def _present(self) -> defaultdict[TableName, IndexStates]:
        return index_states(self._target, self._tables)

    @cached_property
    def _parallel(self) -> bool:
        return has_parallel_execution(self._target)

    def _degree(self, sessions: int) -> int:
        if not self._parallel:
            return 1
        degree = self._definition.degree
        return max(1, degree // sessions) if degree else DEFAULT_DEGREE


def _lasting(wanted: IndexState | None) -> tuple[str, str | None]:
    return (wanted.degree, wanted.logging) if wanted else ("1", None)


def _is_there(target: oracledb.Connection, table: Table, index: Index) -> bool:
    if _generated(table, index):
        return _key_of(table, index).columns in columns_of_keys(target, table.full_name)
    return index.full_name in index_states(target, [table])[table.full_name]


def _created(origin: IndexOrigin, table: Table, index: Index) -> str:
    """The CREATE INDEX of the origin. What follows it, as ALTER INDEX ... UNUSABLE, is not for the target,
    nor are the origin's partitions where another table has made others by itself."""
    statement, *more = origin.ddl(index)
    ddl.guard(statement, {"CREATE INDEX"}, {index.owner}, index.name)
    for each in more:
        ddl.guard(each, {"ALTER INDEX"}, {index.owner}, index.name)
    return unlisted(statement) if table.grows and not origin.in_place else statement


def _may_name_objects(index: Index) -> bool:
    """Whether the text of the index may name what is not in the CREATE INDEX's own terms, as a function."""
    plain = index.type in ("NORMAL", "NORMAL/REV", "BITMAP") and not index.joins
    return not plain or any(column.expression is not None for column in index.columns)


def _generated(table: Table, index: Index) -> bool:
    """Whether the index was made for a key without a name and bears the key's generated one."""
    return any(
        each.generated and each.name == index.name and index.constraint == each.name
        for each in table.constraints
    )


def _begins_with(index: Index, columns: Collection[str]) -> bool:
    """Whether a key on the columns would be enforced by the index (constraint in SQL Language Reference 19c,
    using_index_clause): its first columns are they, in whatever order."""
    return {column.name for column in index.columns[: len(columns)]} == set(columns)


def _key_of(table: Table, index: Index) -> Constraint:
    return next(each for each in table.constraints if each.name == index.constraint)
