"""Builds the empty tables of a refresh on the target: no indexes, no constraints, no triggers yet.

What is dropped or emptied is exactly what the catalogue of this refresh names (`prepare.py`); other objects
of the same schemas stay as they are. Every table that is begun and every one that is ready is recorded in the
ledger; a ready table is never touched again in the same run, because rows may be in it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.attributes import READ_ONLY
from oracle_refresh.catalog.model import Catalogue, Sequence, Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.bare import make_bare
from oracle_refresh.target.objects.grants import record_target_grants
from oracle_refresh.target.objects.metadata import STEP, SourceDdl, names_of, run
from oracle_refresh.target.objects.prepare import drop, prepare, strip
from oracle_refresh.target.objects.statistics import lock_statistics, record_locks
from oracle_refresh.target.objects.storage import Places, read_places
from oracle_refresh.target.objects.units import build_needed_units

if TYPE_CHECKING:
    import oracledb

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
) -> BuildResult:
    """Make every table of the catalogue exist and be empty, and every sequence stand where the source's does.

    May be repeated after a crash at any point: it goes on where it stopped.

    :raises PlanError: if something on the target stands in the way (`prepare.py`; then nothing has been
        changed), if DDL of the source is refused or fails, or another try has gone past this one.
    """
    tables, sequences = ledger.states(TABLE_STEP), ledger.states(SEQUENCE_STEP)
    ready = {key for key, state in tables.items() if state == DONE}
    todo = [table for table in catalogue.tables if table.key not in ready]
    missing = [each for each in catalogue.sequences if sequences.get(each.key) != DONE]
    begun = set(tables) | set(sequences)
    preparation = prepare(target, catalogue, definition, todo, {each.full_name for each in missing}, begun)
    recorded = record_target_grants(source, target, catalogue.schemas, preparation.doomed)
    record_locks(source, target, todo, ledger)
    for emptied in preparation.emptied.values():
        lock_statistics(target, emptied.full_name)
    for step, keys in (
        (TABLE_STEP, [table.key for table in todo]),
        (SEQUENCE_STEP, [sequence.key for sequence in missing]),
    ):
        _begin(ledger, step, keys, begun)
    reader, places = SourceDdl(source), read_places(source, catalogue, definition)
    _require_unbuilt(ledger, todo)
    strip(target, preparation.emptied)
    drop(target, preparation)
    _sequences(reader, target, missing, preparation.sequences, ledger)
    build_needed_units(source, target, catalogue)
    created, truncated = [], []
    for number, table in enumerate(todo, 1):
        _require_unbuilt(ledger, [table])
        if table.key in preparation.emptied:
            run(target, statements.TRUNCATE.format(table=table.sql), table.key)
            truncated.append(table.key)
        else:
            _create(reader, target, catalogue, table, places)
            created.append(table.key)
        make_bare(target, table)
        lock_statistics(target, table.full_name)
        ledger.record(TABLE_STEP, table.key, DONE)
        progress.report(number, len(todo), "tables", "build tables")
    return BuildResult(tuple(created), tuple(truncated), tuple(sorted(ready)), recorded)


def _require_unbuilt(ledger: Ledger, tables: Collection[Table]) -> None:
    """Look once more before rows are thrown away: a try that stood still may find the work of the next one.

    :raises PlanError: when another try has built one of the tables, into which rows may be loaded by now.
    """
    states = ledger.states(TABLE_STEP)
    for table in tables:
        if states.get(table.key) == DONE:
            raise PlanError(
                "another try of this task has built the table meanwhile", object_name=table.key, step=STEP
            )


def _begin(ledger: Ledger, step: str, keys: Collection[str], begun: Collection[str]) -> None:
    """Note what this run is about to build, so that its next try knows these objects for its own."""
    for key in keys:
        if key not in begun:
            ledger.record(step, key, RUNNING, commit=False)
    ledger.connection.commit()


def _create(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue, table: Table, places: Places
) -> None:
    for statement in reader.table(table.full_name, constraints=table.iot):
        ddl.guard(statement, {"CREATE TABLE", "ALTER TABLE", "CREATE INDEX"}, catalogue.schemas)
        if ddl.target(statement).kind == "CREATE TABLE":
            ddl.guard(statement, {"CREATE TABLE"}, {table.owner}, table.name)
            with names_of(target, table.owner):
                run(target, places.apply(ddl.identities_within_bounds(statement), table), table.key)
    if READ_ONLY in table.attributes:
        # The definition may say so, and rows are to come.
        run(target, statements.READ_WRITE.format(table=table.sql), table.key, {"ORA-14140"})


def _sequences(
    reader: SourceDdl,
    target: oracledb.Connection,
    missing: Collection[Sequence],
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
