"""Partitions that rows make: where source and target may differ in them, and why. The rest is compared.

An interval or an automatic list makes a partition with the first row of it, and nothing drops it again but a
statement (VLDB and Partitioning Guide 19c, Interval Partitioning; Auto-List Partitioning). A refresh carries
rows, so the target gets the partitions that had rows when the source was frozen. Their names are each
database's own (SYS_P...): they are known by their bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import TableName

if TYPE_CHECKING:
    from oracle_refresh.catalog.model import Catalogue
    from oracle_refresh.target.objects.inventory import Item
    from oracle_refresh.target.objects.inventory_reader import Reader


def without_never_made(
    wanted: Iterable[Item], here: Reader, there: Reader, catalogue: Catalogue
) -> tuple[list[Item], list[str]]:
    """The source's items without partitions that no loaded row can have made, and why none has."""
    planned = {
        (table.owner, table.name, part.name) for table in catalogue.tables for part in table.partitions
    }
    reasons: dict[tuple[str, str, str], str] = {}
    compared, notes = [], []
    for item in wanted:
        name = here.made_by_rows.get(item.key)
        if name is None or item.key in there.made_by_rows:
            compared.append(item)
            continue
        partition = (item.owner, item.name, name)
        if partition not in planned:
            reasons[partition] = "the source has got it since"
        elif partition not in reasons:  # subpartitions ask once for all
            reasons[partition] = "it has no rows on the source" if here.is_empty(item.object, name) else ""
        if reasons[partition]:
            notes.append(f"partition {item.object.key} {item.member}: {reasons[partition]}")
        else:
            compared.append(item)
    return compared, notes


def without_explained_extras(
    present: Iterable[Item],
    here: Reader,
    there: Reader,
    catalogue: Catalogue,
    moved: Collection[TableName],
) -> tuple[list[Item], list[str]]:
    """The target's items without partitions that the source has not, for a known reason, and the reasons.

    :param moved: tables whose masking moves rows into other partitions.
    """
    dropped = {
        table.full_name
        for table in catalogue.tables
        if table.grows and {part.name for part in table.partitions} - here.partition_names[table.full_name]
    }
    compared, notes = [], []
    for item in present:
        extra = item.key in there.made_by_rows and item.key not in here.made_by_rows
        if extra and item.object in moved:
            why = "masked rows have made it"
        elif extra and item.object in dropped:
            why = "the source has dropped partitions of the table since"
        else:
            compared.append(item)
            continue
        notes.append(f"partition {item.object.key} {item.member}, on the target only: {why}")
    return compared, notes
