"""Builds the empty tables of a refresh on the target: no indexes, no constraints, no triggers yet.

What is dropped or emptied is exactly what the catalogue of this refresh names; other tables of the same
schemas stay as they are. Every table that is ready is recorded in the ledger, and a recorded table is never
touched again in the same run, because rows may be in it.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Sequence, Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.errors import PlanError
from oracle_refresh.identifiers import qualified, table_key
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.ledger import DONE, Ledger
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.metadata import STEP, SourceDdl, names, run
from oracle_refresh.progress import Progress, silent
from oracle_refresh.spec import Prepare, RefreshDefinition

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


def build_tables(
    source: oracledb.Connection,
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: RefreshDefinition,
    run_id: str,
    ledger: Ledger,
    progress: Progress = silent,
) -> BuildResult:
    """Make every table of the catalogue exist and be empty, and every sequence stand where the source's does.

    :raises PlanError: if the mode forbids it (`fail_if_present`, or `truncate` with other columns; then
        nothing has been changed), or DDL of the source is refused or fails.
    """
    ready = {row.key for row in ledger.rows(run_id, TABLE_STEP) if row.state == DONE}
    todo = [table for table in catalogue.tables if table.key not in ready]
    present = names(target, statements.TABLES_OF, catalogue.schemas)
    kept = _to_keep(target, catalogue, definition, todo, present, first=not ready)
    reader = SourceDdl(source)
    _sequences(reader, target, catalogue, run_id, ledger)
    if kept:
        _strip(target, kept)
    created, truncated = [], []
    for number, table in enumerate(todo, 1):
        if table.key in kept:
            run(target, statements.TRUNCATE.format(table=table.sql), table.key)
            truncated.append(table.key)
        else:
            if (table.owner, table.name) in present:
                run(target, statements.DROP_TABLE.format(table=table.sql), table.key, {"ORA-00942"})
            _create(reader, target, catalogue, table)
            created.append(table.key)
        ledger.record(run_id, TABLE_STEP, table.key, DONE)
        progress.report(number, len(todo), "tables", "build tables")
    return BuildResult(tuple(created), tuple(truncated), tuple(sorted(ready)))


def _create(reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue, table: Table) -> None:
    for statement in reader.table(table.owner, table.name, constraints=table.iot):
        ddl.guard(statement, {"CREATE TABLE", "ALTER TABLE", "CREATE INDEX"}, catalogue.schemas)
        if ddl.target(statement).kind == "CREATE TABLE":
            ddl.guard(statement, {"CREATE TABLE"}, {table.owner}, table.name)
            run(target, statement, table.key)


def _to_keep(
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: RefreshDefinition,
    todo: Many[Table],
    present: set[tuple[str, str]],
    first: bool,
) -> dict[str, Table]:
    """The tables to be emptied instead of created, as the target has them; refuses what the mode forbids."""
    if definition.prepare is Prepare.FAIL_IF_PRESENT:
        _refuse_present(target, catalogue, todo, present, first)
    if definition.prepare is not Prepare.TRUNCATE:
        return {}
    there = read_catalogue(target, definition.schemas, definition.exclude_tables)
    kept: dict[str, Table] = {}
    for table in todo:
        found = there.table(table.owner, table.name)
        if found is None:
            continue
        if _shape(found) != _shape(table):
            raise PlanError(
                "the columns differ between source and target",
                object_name=table.key,
                step=STEP,
                remedy="refresh with prepare: replace_objects, or give the target's table those columns",
            )
        kept[table.key] = found
    return kept


def _refuse_present(
    target: oracledb.Connection,
    catalogue: Catalogue,
    todo: Many[Table],
    present: set[tuple[str, str]],
    first: bool,
) -> None:
    found = {(table.owner, table.name) for table in todo} & present
    if first:
        wanted = {(each.owner, each.name) for each in catalogue.sequences}
        wanted |= {(each.owner, each.name) for each in catalogue.views}
        others = names(target, statements.SEQUENCES_OF, catalogue.schemas)
        found |= wanted & (others | names(target, statements.VIEWS_OF, catalogue.schemas))
    if found:
        listed = sorted(table_key(*name) for name in found)
        raise PlanError(
            f"the target has {len(found)} of the objects already: {', '.join(listed[:10])}",
            codes=("ORA-00955",),
            object_name=listed[0],
            step=STEP,
            remedy="drop them, or refresh with prepare: replace_objects or truncate",
        )


def _shape(table: Table) -> list[tuple[object, ...]]:
    """What has to agree for rows of one table to fit into the other; only the nullability may differ."""
    return [
        (column.name, column.data_type, column.char_length or column.length, column.precision, column.scale)
        for column in table.columns
        if not column.virtual
    ]


def _strip(target: oracledb.Connection, kept: dict[str, Table]) -> None:
    """Take constraints, indexes and triggers off the tables that are kept; the source's come back later."""
    for table in kept.values():
        for constraint in table.constraints:
            if constraint.type == "R":
                _drop_constraint(target, table, constraint.name)
    for table in kept.values():
        for constraint in table.constraints:
            primary_of_iot = table.iot and constraint.type == "P"
            if constraint.type != "R" and not primary_of_iot and constraint.not_null_column is None:
                _drop_constraint(target, table, constraint.name)
        for index in table.indexes:
            statement = statements.DROP_INDEX.format(index=qualified(index.owner, index.name))
            # It may have gone with its constraint.
            run(target, statement, table_key(index.owner, index.name), {"ORA-01418"})
        for trigger in table.triggers:
            statement = statements.DROP_TRIGGER.format(trigger=qualified(trigger.owner, trigger.name))
            run(target, statement, table_key(trigger.owner, trigger.name), {"ORA-04080"})


def _drop_constraint(target: oracledb.Connection, table: Table, name: str) -> None:
    statement = statements.DROP_CONSTRAINT.format(table=table.sql, name=f'"{name}"')
    run(target, statement, f"{table.key} {name}", {"ORA-02443"})


def _sequences(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue, run_id: str, ledger: Ledger
) -> None:
    """Before the tables: a column's default may draw from a sequence."""
    ready = {row.key for row in ledger.rows(run_id, SEQUENCE_STEP) if row.state == DONE}
    present = names(target, statements.SEQUENCES_OF, catalogue.schemas)
    for sequence in catalogue.sequences:
        key = table_key(sequence.owner, sequence.name)
        if key in ready:
            continue
        if (sequence.owner, sequence.name) in present:
            dropped = statements.DROP_SEQUENCE.format(sequence=qualified(sequence.owner, sequence.name))
            run(target, dropped, key, {"ORA-02289"})
        _create_sequence(reader, target, sequence, key)
        ledger.record(run_id, SEQUENCE_STEP, key, DONE)


def _create_sequence(reader: SourceDdl, target: oracledb.Connection, sequence: Sequence, key: str) -> None:
    for statement in reader.sequence(sequence.owner, sequence.name):
        ddl.guard(statement, {"CREATE SEQUENCE"}, {sequence.owner}, sequence.name)
        run(target, statement, key)
