"""Builds the empty tables of a refresh on the target: no indexes, no constraints, no triggers yet.

What is dropped or emptied is exactly what the catalogue of this refresh names (`prepare.py`); other objects
of the same schemas stay as they are. Every table that is begun and every one that is ready is recorded in the
ledger; a ready table is never touched again in the same run, because rows may be in it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING

from oracle_refresh.catalog.attributes import READ_ONLY
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.catalog.model import Sequence as OracleSequence
from oracle_refresh.definition import Prepare, RefreshDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.oracle.spread import spread
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.former.aside import record, require_same_mode, set_aside
from oracle_refresh.target.former.state import ASIDE, state
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.bare import make_bare
from oracle_refresh.target.objects.grants import record_target_grants
from oracle_refresh.target.objects.metadata import STEP, SourceDdl, names_of, run
from oracle_refresh.target.objects.prepare import drop, prepare, strip
from oracle_refresh.target.objects.sessions import waiting_for_locks
from oracle_refresh.target.objects.statistics import lock_statistics, record_locks
from oracle_refresh.target.objects.storage import Places, read_places
from oracle_refresh.target.objects.units import build_needed_units

if TYPE_CHECKING:
    import oracledb

#: Opens further sessions of source and target.
ConnectBoth = Callable[[], "AbstractContextManager[tuple[oracledb.Connection, oracledb.Connection]]"]
#: Tables that a session creates before it asks the dictionary for their constraints, and notes them as ready:
#: many, since each such question may read the dictionary of the whole database.
BATCH = 500
TABLE_STEP = "build_table"
SEQUENCE_STEP = "build_sequence"


@dataclass(frozen=True)
class BuildResult(Jsonable):
    """Keys (OWNER.NAME) of what was created, emptied, and found ready from a former try of this run."""

    created: tuple[str, ...]
    truncated: tuple[str, ...]
    ready: tuple[str, ...]
    recorded_grants: int = 0
    """Grants that only the target had and that this try recorded before dropping their objects."""


def build_tables(
    source: oracledb.Connection,
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: RefreshDefinition,
    ledger: Ledger,
    progress: Progress = silent,
    connect: ConnectBoth | None = None,
) -> BuildResult:
    """Make every table of the catalogue exist and be empty, and every sequence stand where the source's does.

    May be repeated after a crash at any point: it goes on where it stopped.

    :param connect: opens further sessions of both ends; `index_sessions` of the definition build tables at
        the same time, each with a pair of its own. Without it all are built in the given ones.

    :raises PlanError: if something on the target stands in the way (`prepare.py`; then nothing has been
        changed), if DDL of the source is refused or fails, or another try has gone past this one; if the
        definition says another `prepare` than when the run began.
    """
    beside = definition.prepare is Prepare.BESIDE
    require_same_mode(ledger, beside=beside, begun=has_begun(ledger))
    pairs, sessions = _Pairs(connect), definition.index_sessions
    further = pairs.opened if connect else None
    if beside:
        record(target, catalogue, Documents(target, ledger.run_id))
        if state(ledger) == ASIDE:  # half of them, it may be, which refer to the other half
            set_aside(target, catalogue, ledger, sessions, further, progress)
    tables, sequences = ledger.states(TABLE_STEP), ledger.states(SEQUENCE_STEP)
    ready = {key for key, state in tables.items() if state == DONE}
    todo = [table for table in catalogue.tables if table.key not in ready]
    missing = [each for each in catalogue.sequences if sequences.get(each.key) != DONE]
    begun = set(tables) | set(sequences)
    look = partial(prepare, target, catalogue, definition, todo, {each.full_name for each in missing}, begun)
    preparation = look()
    recorded = record_target_grants(source, target, catalogue.schemas, preparation.doomed)
    record_locks(source, target, todo, ledger)
    lock_statistics(target, [emptied.full_name for emptied in preparation.emptied.values()])
    for step, keys in (
        (TABLE_STEP, [table.key for table in todo]),
        (SEQUENCE_STEP, [sequence.key for sequence in missing]),
    ):
        _begin(ledger, step, keys, begun)
    reader, places = SourceDdl(source), read_places(source, catalogue, definition)
    states = ledger.states(TABLE_STEP)
    for table in todo:
        _require_unbuilt(states.get(table.key), table)
    strip(target, preparation.emptied)
    builder = _Builder(source, catalogue, preparation.emptied, places, ledger, progress, len(todo), pairs)
    if beside:
        set_aside(target, catalogue, ledger, sessions, further, progress)
        preparation = look()  # what has the names now is this run's own
    drop(target, preparation, sessions, further)
    _sequences(reader, target, missing, preparation.sequences, ledger)
    build_needed_units(source, target, catalogue)
    spread(target, _batches(todo, sessions), builder.build, sessions, waiting_for_locks(further))
    return BuildResult(tuple(builder.created), tuple(builder.truncated), tuple(sorted(ready)), recorded)


def has_begun(ledger: Ledger) -> bool:
    """Whether the run has begun to build tables or sequences."""
    return bool(ledger.states(TABLE_STEP) or ledger.states(SEQUENCE_STEP))


def _batches(tables: Sequence[Table], sessions: int) -> Iterator[tuple[Table, ...]]:
    """Tables of one schema, few enough for every session to have some."""
    size = max(1, min(BATCH, len(tables) // (2 * sessions)))
    for _, owned in groupby(sorted(tables, key=lambda table: table.owner), key=lambda table: table.owner):
        while batch := tuple(islice(owned, size)):
            yield batch


@dataclass
class _Pairs:
    """Further sessions of the target, each with one of the source that goes with it."""

    connect: ConnectBoth | None
    sources: dict[oracledb.Connection, oracledb.Connection] = field(default_factory=dict)

    @contextmanager
    def opened(self) -> Iterator[oracledb.Connection]:
        assert self.connect, "none were asked for"
        with self.connect() as (source, target):
            self.sources[target] = source
            yield target


@dataclass
class _Builder:
    """The tables on their way; the sessions that build them share it."""

    source: oracledb.Connection
    catalogue: Catalogue
    emptied: Mapping[str, Table]
    places: Places
    ledger: Ledger
    progress: Progress
    total: int
    pairs: _Pairs
    created: list[str] = field(default_factory=list)
    truncated: list[str] = field(default_factory=list)
    readers: dict[oracledb.Connection, SourceDdl] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def build(self, target: oracledb.Connection, tables: Sequence[Table]) -> None:
        """Build tables of one schema: what they must be without is asked for and taken off together."""
        ledger = Ledger(target, self.ledger.run_id)
        present = [table for table in tables if table.key in self.emptied]
        absent = [table for table in tables if table.key not in self.emptied]
        for table in present:
            _require_unbuilt(ledger.state(TABLE_STEP, table.key), table)
            run(target, statements.TRUNCATE.format(table=table.sql), table.key)
        try:
            self._create(target, absent)
        except PlanError as error:
            if "ORA-00955" in error.codes:  # the name is taken
                states = ledger.states(TABLE_STEP)
                for table in absent:
                    _require_unbuilt(states.get(table.key), table)
            raise
        make_bare(target, tables[0].owner, tables)
        lock_statistics(target, [table.full_name for table in tables])
        ledger.record_all(TABLE_STEP, DONE, {table.key: None for table in tables})
        with self.lock:
            self.truncated += [table.key for table in present]
            self.created += [table.key for table in absent]
            done = len(self.truncated) + len(self.created)
            self.progress.report(done, self.total, "tables", "build tables")

    def _create(self, target: oracledb.Connection, tables: Sequence[Table]) -> None:
        if tables:
            if target not in self.readers:
                self.readers[target] = SourceDdl(self.pairs.sources.get(target, self.source))
            with names_of(target, tables[0].owner):
                for table in tables:
                    _create(self.readers[target], target, self.catalogue, table, self.places)


def _require_unbuilt(state: str | None, table: Table) -> None:
    """Look once more before rows are thrown away: a try that stood still may find the work of the next one.

    :raises PlanError: when another try has built the table, into which rows may be loaded by now.
    """
    if state == DONE:
        raise PlanError(
            "another try of this task has built the table meanwhile", object_name=table.key, step=STEP
        )


def _begin(ledger: Ledger, step: str, keys: Collection[str], begun: Collection[str]) -> None:
    """Note what this run is about to build, so that its next try knows these objects for its own."""
    ledger.record_all(step, RUNNING, {key: None for key in keys if key not in begun})


def _create(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue, table: Table, places: Places
) -> None:
    for statement in reader.table(table.full_name, constraints=table.iot):
        ddl.guard(statement, {"CREATE TABLE", "ALTER TABLE", "CREATE INDEX"}, catalogue.schemas)
        if ddl.target(statement).kind == "CREATE TABLE":
            ddl.guard(statement, {"CREATE TABLE"}, {table.owner}, table.name)
            run(target, places.apply(ddl.identities_within_bounds(statement), table), table.key)
    if READ_ONLY in table.attributes:
        # The definition may say so, and rows are to come.
        run(target, statements.READ_WRITE.format(table=table.sql), table.key, {"ORA-14140"})


def _sequences(
    reader: SourceDdl,
    target: oracledb.Connection,
    missing: Collection[OracleSequence],
    present: Collection[ObjectName],
    ledger: Ledger,
) -> None:
    """Before the tables: a column's default may draw from a sequence."""
    for sequence in missing:
        name = sequence.full_name
        if name in present:
            run(target, statements.DROP_SEQUENCE.format(sequence=name.sql), name.key, {"ORA-02289"})
        for statement in reader.read("SEQUENCE", name):
            ddl.guard(statement, {"CREATE SEQUENCE"}, {sequence.owner}, sequence.name)
            begun = ddl.starting_at(statement, sequence.start) if sequence.at_its_end else statement
            run(target, begun, name.key)
        ledger.record(SEQUENCE_STEP, name.key, DONE)
