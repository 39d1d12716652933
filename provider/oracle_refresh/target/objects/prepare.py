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
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import qualified, table_key
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import STEP, run, select

if TYPE_CHECKING:
    import oracledb

Key = tuple[str, str]


@dataclass(frozen=True)
class Preparation:
    """What one try of building has to do: `dropped` are tables, `kept` those that are emptied instead."""

    dropped: tuple[Table, ...]
    kept: dict[str, Table]
    """By key, as the target has them."""
    sequences: frozenset[Key]
    """Sequences of the catalogue that the target holds."""
    views: frozenset[Key]
    foreign_keys: tuple[tuple[str, str, str], ...]
    """(owner, table, constraint) of the tables in `dropped` that refer to one another."""

    @property
    def doomed(self) -> set[Key]:
        """What loses its grants, or may lose them, when this is carried out."""
        tables = {(table.owner, table.name) for table in self.dropped}
        return tables | self.sequences | self.views


def prepare(
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: RefreshDefinition,
    todo: Sequence[Table],
    sequences: Collection[Key],
    begun: Collection[str],
) -> Preparation:
    """Look at the target and decide. Changes nothing.

    :param todo: tables that this run has not built yet; `sequences` the same.
    :param begun: keys of what this run began to build: what is there under them is this run's own.
    :raises PlanError: if the mode forbids what is there, or something not named stands in the way.
    """
    present: dict[Key, str] = {}
    for owner, name, kind in select(target, statements.OBJECTS_OF, catalogue.schemas):
        # The container of a materialized view is listed as a table as well.
        if present.get((owner, name), "TABLE") == "TABLE":
            present[owner, name] = kind
    wanted = (
        {(table.owner, table.name): "TABLE" for table in todo}
        | dict.fromkeys(sequences, "SEQUENCE")
        | {(view.owner, view.name): "VIEW" for view in catalogue.views}
    )
    _refuse_other_kinds(wanted, present)
    there = {key: kind for key, kind in wanted.items() if key in present}
    if definition.prepare is Prepare.FAIL_IF_PRESENT:
        _refuse_present([key for key in there if table_key(*key) not in begun])
    tables = {key for key, kind in there.items() if kind == "TABLE"}
    inner = _refuse_references(target, catalogue, tables)
    kept = _to_keep(target, definition, todo) if definition.prepare is Prepare.TRUNCATE else {}
    dropped = tuple(table for table in todo if (table.owner, table.name) in tables and table.key not in kept)
    gone = {(table.owner, table.name) for table in dropped}
    return Preparation(
        dropped,
        kept,
        frozenset(key for key, kind in there.items() if kind == "SEQUENCE"),
        frozenset(key for key, kind in there.items() if kind == "VIEW"),
        tuple(key for key in inner if key[:2] in gone),
    )


def drop(target: oracledb.Connection, preparation: Preparation) -> None:
    """Drop the tables. Their foreign keys to one another go first, so that no CASCADE is needed."""
    for owner, name, constraint in preparation.foreign_keys:
        sql = statements.DROP_CONSTRAINT.format(table=qualified(owner, name), name=f'"{constraint}"')
        run(target, sql, f"{table_key(owner, name)} {constraint}", {"ORA-02443", "ORA-00942"})
    for table in preparation.dropped:
        run(target, statements.DROP_TABLE.format(table=table.sql), table.key, {"ORA-00942"})


def strip(target: oracledb.Connection, kept: dict[str, Table]) -> None:
    """Take constraints, indexes and triggers off the tables that are kept; the source's come back later.

    Those that are READ ONLY here can be emptied and filled afterwards (ORA-12081).
    """
    for table in kept.values():
        if READ_ONLY in table.attributes:
            run(target, statements.READ_WRITE.format(table=table.sql), table.key, {"ORA-14140"})
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
            sql = statements.DROP_INDEX.format(index=qualified(index.owner, index.name))
            # It may have gone with its constraint.
            run(target, sql, table_key(index.owner, index.name), {"ORA-01418"})
        for trigger in table.triggers:
            sql = statements.DROP_TRIGGER.format(trigger=qualified(trigger.owner, trigger.name))
            run(target, sql, table_key(trigger.owner, trigger.name), {"ORA-04080"})


def outside_references(
    target: oracledb.Connection, schemas: Collection[str], refreshed: Collection[Key], named: Collection[Key]
) -> list[tuple[Key, str, Key]]:
    """Foreign keys of tables that are not `named` onto `refreshed` ones: (table, constraint, parent)."""
    return [
        ((owner, name), constraint, (parent_owner, parent))
        for owner, name, constraint, parent_owner, parent in select(target, statements.FOREIGN_KEYS, schemas)
        if (parent_owner, parent) in refreshed and (owner, name) not in named
    ]


def _refuse_other_kinds(wanted: dict[Key, str], present: dict[Key, str]) -> None:
    found = sorted(key for key, kind in wanted.items() if present.get(key, kind) != kind)
    if found:
        listed = [f"{table_key(*key)} is a {present[key].lower()}" for key in found[:10]]
        raise PlanError(
            f"{len(found)} names of the refresh belong to other objects on the target: {'; '.join(listed)}",
            codes=("ORA-00955",),
            object_name=table_key(*found[0]),
            step=STEP,
            remedy="drop or rename them on the target, or exclude the tables",
        )


def _refuse_present(found: Sequence[Key]) -> None:
    if found:
        listed = sorted(table_key(*name) for name in found)
        raise PlanError(
            f"the target has {len(found)} of the objects already: {', '.join(listed[:10])}",
            codes=("ORA-00955",),
            object_name=listed[0],
            step=STEP,
            remedy="drop them, or refresh with prepare: replace_objects or truncate",
        )


def _refuse_references(
    target: oracledb.Connection, catalogue: Catalogue, tables: Collection[Key]
) -> list[tuple[str, str, str]]:
    """The foreign keys of the refresh's own tables onto `tables`; refuses those of any other table."""
    named = {(table.owner, table.name) for table in catalogue.tables}
    outside = outside_references(target, catalogue.schemas, tables, named)
    if outside:
        listed = [f"{table_key(*table)} {name} onto {table_key(*parent)}" for table, name, parent in outside]
        raise PlanError(
            f"{len(outside)} foreign keys of tables outside the refresh refer to its tables: "
            + "; ".join(listed[:10]),
            codes=("ORA-02449",),
            object_name=table_key(*outside[0][2]),
            step=STEP,
            remedy="drop these foreign keys before the refresh and add them again after it, or refresh "
            "their tables as well",
        )
    return [
        (owner, name, constraint)
        for owner, name, constraint, parent_owner, parent in select(
            target, statements.FOREIGN_KEYS, catalogue.schemas
        )
        if (parent_owner, parent) in tables and (owner, name) != (parent_owner, parent)
    ]


def _to_keep(
    target: oracledb.Connection, definition: RefreshDefinition, todo: Sequence[Table]
) -> dict[str, Table]:
    """The tables to be emptied, as the target has them; refuses columns that differ."""
    there = read_catalogue(target, definition.schemas, definition.exclude_tables)
    found = {table.key: table for table in there.tables}
    kept: dict[str, Table] = {}
    for table in todo:
        if table.key not in found:
            continue
        if _shape(found[table.key]) != _shape(table):
            raise PlanError(
                "the columns differ between source and target",
                object_name=table.key,
                step=STEP,
                remedy="refresh with prepare: replace_objects, or give the target's table those columns",
            )
        kept[table.key] = found[table.key]
    return kept


def _shape(table: Table) -> list[tuple[object, ...]]:
    """What has to agree for rows of one table to fit into the other; only the nullability may differ."""
    return [
        (column.name, column.data_type, column.char_length or column.length, column.precision, column.scale)
        for column in table.columns
        if not column.virtual
    ]


def _drop_constraint(target: oracledb.Connection, table: Table, name: str) -> None:
    sql = statements.DROP_CONSTRAINT.format(table=table.sql, name=f'"{name}"')
    run(target, sql, f"{table.key} {name}", {"ORA-02443"})
