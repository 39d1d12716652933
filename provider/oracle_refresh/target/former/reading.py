"""Reads what the target holds before a refresh, and again what has become of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.run.documents import EXISTS, Documents
from oracle_refresh.run.ledger import TABLE as LEDGER
from oracle_refresh.target.former import statements
from oracle_refresh.target.former.model import FORMER_TABLE, FormerObject, FormerTable, Member, Present
from oracle_refresh.target.former.state import unsettled_runs
from oracle_refresh.target.objects.dependents import comments_on
from oracle_refresh.target.objects.grants import read_grants
from oracle_refresh.target.objects.metadata import SourceDdl

if TYPE_CHECKING:
    import oracledb


def read_present(target: oracledb.Connection, schemas: Sequence[str]) -> Present:
    """The tables of the schemas and what stands in them."""
    read = partial(rows, target, names=schemas)
    members: dict[TableName, set[Member]] = defaultdict(set)
    for owner, table, name in read(statements.CONSTRAINTS):
        members[TableName(owner, table)].add(Member("constraint", owner, name))
    for owner, name, table_owner, table in read(statements.INDEXES):
        members[TableName(table_owner, table)].add(Member("index", owner, name))
    for owner, name, table_owner, table in read(statements.TRIGGERS):
        members[TableName(table_owner, table)].add(Member("trigger", owner, name))
    return Present(
        {TableName(owner, name): int(number) for owner, name, number in read(statements.TABLES)},
        {table: frozenset(found) for table, found in members.items()},
    )


def former_tables(present: Present, names: Collection[ObjectName]) -> list[FormerTable]:
    """Those of the tables that are there; triggers first, constraints last."""
    order = ("trigger", "index", "constraint")
    return [
        FormerTable(
            *(*table, number),
            tuple(sorted(present.members.get(table, ()), key=lambda each: (order.index(each.kind), each))),
        )
        for table, number in sorted(present.tables.items())
        if table in names
    ]


def read_objects(target: oracledb.Connection, schemas: Sequence[str]) -> dict[tuple[str, ObjectName], int]:
    """OBJECT_IDs of the sequences and views of the schemas, by kind and name."""
    objects = rows(target, statements.OBJECTS, names=schemas)
    return {(kind, ObjectName(owner, name)): int(number) for owner, name, kind, number in objects}


def tables_aside(target: oracledb.Connection) -> set[TableName]:
    """What former tables of runs that nobody has settled are called while they are aside: the next run puts
    them back, or drops them, before it builds its own."""
    if not scalar(target, EXISTS, name=LEDGER):
        return set()
    return {
        former.aside(run_id)
        for run_id in unsettled_runs(target)
        for former in Documents(target, run_id).all(FORMER_TABLE)
    }


def former_objects(
    target: oracledb.Connection,
    schemas: Sequence[str],
    sequences: Collection[ObjectName],
    views: Collection[ObjectName],
) -> Iterator[FormerObject]:
    """Those of the sequences and views that are there, and triggers of the views, with what makes them."""
    there = read_objects(target, schemas)
    reader = SourceDdl(target, in_place=True)
    wanted = {
        (kind, name): number
        for (kind, name), number in sorted(there.items())
        if name in (sequences if kind == "SEQUENCE" else views)
    }
    grants = read_grants(target, schemas, {name for _, name in wanted})
    comments: dict[str, list[str]] = defaultdict(list)
    for sql, key in comments_on(target, schemas, {name for kind, name in wanted if kind == "VIEW"}):
        comments[key].append(sql)
    for (kind, name), number in wanted.items():
        yield FormerObject(
            "SEQUENCE" if kind == "SEQUENCE" else "VIEW",
            *(*name, number, tuple(reader.read(kind, name))),
            grants=tuple(sorted(each for each in grants if each.on == name)),
            comments=tuple(comments[name.key]),
        )
    for owner, trigger, *view in rows(target, statements.TRIGGERS_OF_VIEWS, names=schemas):
        if ObjectName(*view) in views:
            texts = tuple(reader.read("TRIGGER", ObjectName(owner, trigger)))
            yield FormerObject("TRIGGER", owner, trigger, 0, texts)
