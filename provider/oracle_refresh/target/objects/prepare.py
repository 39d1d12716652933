"""What becomes of the objects that the target holds already, decided before anything is changed.

Touched is what the catalogue of the refresh names and nothing else: its tables, sequences and views. What
stands in the way but is not named (an object of another kind under the same name, a foreign key of another
table) makes the refresh stop here; it is never dropped on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.attributes import READ_ONLY
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import Prepare, RefreshDefinition
from oracle_refresh.oracle.counting import counted, some
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import STEP, run
from oracle_refresh.target.objects.sessions import waiting_for_locks

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Preparation:
    """What one try of building has to do: `dropped` are tables, `emptied` those that stay."""

    dropped: tuple[Table, ...]
    emptied: dict[str, Table]
    """By key, as the target has them."""
    sequences: frozenset[ObjectName]
    """Sequences of the catalogue that the target holds."""
    views: frozenset[ObjectName]
    foreign_keys: tuple[tuple[TableName, str], ...]
    """Table and name, of the tables in `dropped` that refer to one another."""

    @property
    def doomed(self) -> set[ObjectName]:
        """What loses its grants, or may lose them, when this is carried out."""
        return {*(table.full_name for table in self.dropped), *self.sequences, *self.views}


def prepare(
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: RefreshDefinition,
    todo: Sequence[Table],
    sequences: Collection[ObjectName],
    begun: Collection[str],
) -> Preparation:
    """Look at the target and decide. Changes nothing.

    :param todo: tables that this run has not built yet; `sequences` the same.
    :param begun: keys of what this run began to build: what is there under them is this run's own.
    :raises PlanError: if the mode forbids what is there, or something not named stands in the way.
    """
    present: dict[ObjectName, str] = {}
    for owner, name, kind in rows(target, statements.OBJECTS_OF, names=catalogue.schemas):
        # The container of a materialized view is listed as a table as well.
        if present.get(ObjectName(owner, name), "TABLE") == "TABLE":
            present[ObjectName(owner, name)] = kind
    wanted: dict[ObjectName, str] = {
        **{table.full_name: "TABLE" for table in todo},
        **dict.fromkeys(sequences, "SEQUENCE"),
        **{view.full_name: "VIEW" for view in catalogue.views},
    }
    _refuse_other_kinds(wanted, present)
    there = {name: kind for name, kind in wanted.items() if name in present}
    if definition.prepare is Prepare.FAIL_IF_PRESENT:
        _refuse_present([name for name in there if name.key not in begun])
    tables = {name for name, kind in there.items() if kind == "TABLE"}
    inner = _refuse_references(target, catalogue, tables)
    emptied = _to_empty(target, definition, todo) if definition.prepare is Prepare.TRUNCATE else {}
    dropped = tuple(table for table in todo if table.full_name in tables and table.key not in emptied)
    gone = {table.full_name for table in dropped}
    return Preparation(
        dropped,
        emptied,
        frozenset(name for name, kind in there.items() if kind == "SEQUENCE"),
        frozenset(name for name, kind in there.items() if kind == "VIEW"),
        tuple((table, constraint) for table, constraint in inner if table in gone),
    )


def drop(
    target: oracledb.Connection,
    preparation: Preparation,
    sessions: int = 1,
    connect: Connect | None = None,
) -> None:
    """Drop the tables. Their foreign keys to one another go first, so that no CASCADE is needed.

    :param sessions: how many at a time, each in a session that `connect` opens.
    """

    def drop_table(session: oracledb.Connection, table: Table) -> None:
        run(session, statements.DROP_TABLE.format(table=table.sql), table.key, {"ORA-00942"})

    for name, constraint in preparation.foreign_keys:
        _drop_constraint(target, name, constraint, "ORA-00942")
    spread(target, preparation.dropped, drop_table, sessions, waiting_for_locks(connect))


def strip(target: oracledb.Connection, emptied: dict[str, Table]) -> None:
    """Take constraints, indexes and triggers off the tables that stay; the source's come back later.

    Those that are READ ONLY here can be emptied and filled afterwards (ORA-12081).
    """
    for table in emptied.values():
        if READ_ONLY in table.attributes:
            run(target, statements.READ_WRITE.format(table=table.sql), table.key, {"ORA-14140"})
    for table in emptied.values():
        for constraint in table.constraints:
            if constraint.type == "R":
                _drop_constraint(target, table.full_name, constraint.name)
    for table in emptied.values():
        for constraint in table.constraints:
            primary_of_iot = table.iot and constraint.type == "P"
            if constraint.type != "R" and not primary_of_iot and constraint.not_null_column is None:
                _drop_constraint(target, table.full_name, constraint.name)
        for index in table.indexes:
            # It may have gone with its constraint.
            run(target, statements.DROP_INDEX.format(index=index.sql), index.key, {"ORA-01418"})
        for trigger in table.triggers:
            run(target, statements.DROP_TRIGGER.format(trigger=trigger.sql), trigger.key, {"ORA-04080"})


def _refuse_other_kinds(wanted: dict[ObjectName, str], present: dict[ObjectName, str]) -> None:
    others = sorted(name for name, kind in wanted.items() if present.get(name, kind) != kind)
    if others:
        listed = [f"{name.key} is a {present[name].lower()}" for name in others[:10]]
        raise PlanError(
            f"used by other objects on the target: {counted(len(others), 'name')} ({'; '.join(listed)})",
            codes=("ORA-00955",),
            object_name=others[0].key,
            step=STEP,
            remedy="drop or rename them on the target, or exclude the tables",
        )


def _refuse_present(present: Sequence[ObjectName]) -> None:
    if present:
        listed = sorted(name.key for name in present)
        raise PlanError(
            f"there already on the target: {counted(len(present), 'object')} ({some(listed)})",
            codes=("ORA-00955",),
            object_name=listed[0],
            step=STEP,
            remedy="drop them, or refresh with prepare: replace_objects or truncate",
        )


def _refuse_references(
    target: oracledb.Connection, catalogue: Catalogue, tables: Collection[ObjectName]
) -> list[tuple[TableName, str]]:
    """The foreign keys of the refresh's own tables onto `tables`; refuses those of any other table."""
    own = {table.full_name for table in catalogue.tables}
    references = [
        (TableName(*row[:2]), row[2], TableName(*row[3:]))
        for row in rows(target, statements.FOREIGN_KEYS, names=catalogue.schemas)
        if row[3:] in tables
    ]
    outside = [each for each in references if each[0] not in own]
    if outside:
        listed = [f"{table.key} {name} onto {parent.key}" for table, name, parent in outside]
        raise PlanError(
            f"{len(outside)} foreign keys of tables outside the refresh refer to its tables: "
            + "; ".join(listed[:10]),
            codes=("ORA-02449",),
            object_name=outside[0][2].key,
            step=STEP,
            remedy="drop these foreign keys before the refresh and add them again after it, or refresh "
            "their tables as well",
        )
    return [(table, name) for table, name, parent in references if table != parent]


def _to_empty(
    target: oracledb.Connection, definition: RefreshDefinition, todo: Sequence[Table]
) -> dict[str, Table]:
    """The tables to be emptied, as the target has them; refuses columns that differ."""
    there = read_catalogue(target, definition.schemas, definition.exclude_tables)
    present = {table.key: table for table in there.tables}
    emptied: dict[str, Table] = {}
    for table in todo:
        if table.key not in present:
            continue
        if _shape(present[table.key]) != _shape(table):
            raise PlanError(
                "the columns differ between source and target",
                object_name=table.key,
                step=STEP,
                remedy="refresh with prepare: replace_objects, or give the target's table those columns",
            )
        emptied[table.key] = present[table.key]
    return emptied


def _shape(table: Table) -> list[tuple[object, ...]]:
    """What has to agree for rows of one table to fit into the other; only the nullability may differ."""
    return [
        (column.name, column.data_type, column.char_length or column.length, column.precision, column.scale)
        for column in table.columns
        if not column.virtual
    ]


def _drop_constraint(target: oracledb.Connection, table: TableName, name: str, *tolerated: str) -> None:
    sql = statements.DROP_CONSTRAINT.format(table=table.sql, name=f'"{name}"')
    run(target, sql, f"{table.key} {name}", {"ORA-02443", *tolerated})
