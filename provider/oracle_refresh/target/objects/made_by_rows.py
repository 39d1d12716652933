"""Partitions that rows make: where source and target may differ in them, and why. The rest is compared.

An interval or an automatic list makes a partition with the first row of it, and nothing drops it again but a
statement (VLDB and Partitioning Guide 19c, Interval Partitioning; Auto-List Partitioning). A refresh carries
rows, so the target gets the partitions that had rows when the source was frozen. Their names are each
database's own (SYS_P...): they are known by their bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import table_key

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
    kept, notes = [], []
    for item in wanted:
        name = here.made_by_rows.get(item.key)
        if name is None or item.key in there.made_by_rows:
            kept.append(item)
            continue
        partition = (item.owner, item.name, name)
        if partition not in planned:
            reasons[partition] = "the source has got it since"
        elif partition not in reasons:  # subpartitions ask once for all
            reasons[partition] = "it has no rows on the source" if here.is_empty(*partition) else ""
        if reasons[partition]:
            notes.append(f"partition {table_key(item.owner, item.name)} {item.member}: {reasons[partition]}")
        else:
            kept.append(item)
    return kept, notes


def without_explained_extras(
    found: Iterable[Item],
    here: Reader,
    there: Reader,
    catalogue: Catalogue,
    moved: Collection[tuple[str, str]],
) -> tuple[list[Item], list[str]]:
    """The target's items without partitions that the source has not, for a known reason, and the reasons.

    :param moved: tables whose masking moves rows into other partitions.
    """
    dropped = {
        (table.owner, table.name)
        for table in catalogue.tables
        if table.grows
        and {part.name for part in table.partitions} - here.partition_names[table.owner, table.name]
    }
    kept, notes = [], []
    for item in found:
        table = (item.owner, item.name)
        extra = item.key in there.made_by_rows and item.key not in here.made_by_rows
        if extra and table in moved:
            why = "masked rows have made it"
        elif extra and table in dropped:
            why = "the source has dropped partitions of the table since"
        else:
            kept.append(item)
            continue
        notes.append(f"partition {table_key(*table)} {item.member}, on the target only: {why}")
    return kept, notes
