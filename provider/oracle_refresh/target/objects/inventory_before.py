"""The inventory of a target from before it was changed, which is what it has to be afterwards.

It is that of a clone which is masked where it is, and of a target whose former tables are put back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.documents import Documents, Fact
from oracle_refresh.run.kind import Kind
from oracle_refresh.target.objects.inventory import InventoryCheck, Item, compare
from oracle_refresh.target.objects.inventory_reader import Reader, invalid_items

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class ObjectsBefore(Jsonable):
    """Items of one kind, and of kind `invalid` what was invalid before."""

    items: tuple[Item, ...]


OBJECTS_BEFORE: Kind[ObjectsBefore] = Kind("objects before", ObjectsBefore)


def record_objects(target: oracledb.Connection, catalogue: Catalogue, documents: Documents) -> None:
    """Keep the inventory, unless a former try has kept it: by now it may be another one."""
    if documents.all(OBJECTS_BEFORE):
        return
    reader = Reader(target, catalogue)
    items = sorted([*reader.items(), *invalid_items(reader.invalid())])
    if items:  # schemas that are empty have none
        documents.keep_all(
            [
                Fact(OBJECTS_BEFORE, kind, ObjectsBefore(tuple(some)))
                for kind, some in groupby(items, key=lambda item: item.kind)
            ]
        )


def require_as_planned(planned: Catalogue, present: Catalogue) -> None:
    """Between plan and lock users have worked on the clone: what is in no plan would be left unmasked.

    :raises PlanError: naming tables that came or went, columns that are others, and indexes that are gone.
    """
    was = {table.full_name: table for table in planned.tables}
    now = {table.full_name: table for table in present.tables}
    changed = [f"{name.key} is new" for name in sorted(now.keys() - was.keys())]
    changed += [f"{name.key} is gone" for name in sorted(was.keys() - now.keys())]
    for name in sorted(was.keys() & now.keys()):
        before, after = was[name], now[name]
        if [(each.name, each.data_type) for each in before.columns] != [
            (each.name, each.data_type) for each in after.columns
        ]:
            changed.append(f"{name.key} has other columns")
        gone = {index.key for index in before.indexes} - {index.key for index in after.indexes}
        changed += [f"index {key} is gone" for key in sorted(gone)]
    if changed:
        raise PlanError(
            f"the clone is not as it was planned: {'; '.join(changed[:10])}",
            step="suspend",
            remedy="start a new run, which plans with what is there now: nothing is masked yet",
        )


def check_against(
    before: Iterable[ObjectsBefore],
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: TargetDefinition,
    moved: Collection[TableName] = (),
) -> InventoryCheck:
    """Compare a target with what it was. Changes nothing.

    :param moved: tables whose masking moves rows into other partitions, which are made by that.
    """
    reader = Reader(target, catalogue)
    was = [item for each in before for item in each.items]
    broken = {item.key for item in was if item.kind == "invalid"}
    invalid = [item for item in invalid_items(reader.invalid()) if item.key not in broken]
    present = [
        item
        for item in reader.items()
        if not (item.kind == "partition" and item.object in moved and item.key in reader.made_by_rows)
    ]
    kept = {item.key for item in present}
    wanted = [
        item
        for item in was
        if item.kind != "invalid"
        and not (item.kind == "partition" and item.object in moved and item.key not in kept)
    ]
    return compare(
        wanted,
        [*present, *invalid],
        accept=definition.inventory.accept,
        accept_objects=[each.key for each in definition.inventory.accept_objects],
        in_place=True,
    )
