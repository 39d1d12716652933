"""The final inventory of a refresh: the target against the source, read and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.grants import Grantees, read_grantees
from oracle_refresh.target.objects.inventory import InventoryCheck, Item, compare
from oracle_refresh.target.objects.inventory_reader import Reader, invalid_items
from oracle_refresh.target.objects.made_by_rows import without_explained_extras, without_never_made

if TYPE_CHECKING:
    import oracledb


def check_inventory(
    source: oracledb.Connection,
    target: oracledb.Connection,
    catalogue: Catalogue,
    definition: TargetDefinition,
    progress: Progress = silent,
    moved: Collection[TableName] = (),
) -> InventoryCheck:
    """Compare what the refresh has made with what the source holds now. Changes nothing.

    :param catalogue: the source's at the time of planning; tables that the source got since are left out, and
        so are partitions that rows have made or lost since.
    :param moved: tables whose masking moves rows into other partitions, which are made by that.
    """
    here, there = Reader(source, catalogue), Reader(target, catalogue)
    reached = {each.full_name: each.start for each in catalogue.sequences}
    items = here.items()
    progress.report(1, 2, "databases", "inventory")
    present = there.items(reached)
    wanted, notes = _possible(items, here, {item.key for item in present}, read_grantees(target))
    wanted, not_made = without_never_made(wanted, here, there, catalogue)
    present, explained = without_explained_extras(present, here, there, catalogue, moved)
    progress.report(2, 2, "databases", "inventory")
    broken = (there.invalid() - here.invalid()) & set(here.objects)
    return compare(
        wanted,
        [*present, *invalid_items(broken)],
        accept=definition.inventory.accept,
        accept_objects=[each.key for each in definition.inventory.accept_objects],
        not_copied=[*notes, *not_made, *explained, *_not_copied(here, there)],
        invalid_outside=_outside(target, catalogue, present, broken),
    )


def _possible(
    items: list[Item], here: Reader, there: set[tuple[str, str, str, str]], grantees: Grantees
) -> tuple[list[Item], list[str]]:
    """The items without those that cannot be on the target, and why they cannot.

    These are grants to users that it lacks or to the refresh's own, and what stands on tables that are not
    refreshed: foreign keys, and views with what depends on them.
    """
    views = here.views_on_others()
    possible, notes = [], set()
    for item in items:
        name, grantee = f"{item.owner}.{item.name}", item.member.rpartition(" to ")[2]
        if item.key in there:
            possible.append(item)
        elif item.kind == "grant" and (refusal := grantees.refusal(grantee)):
            notes.add(f"grant on {name}: {refusal}")
        elif item.object in views:
            notes.add(f"view {name}: it stands on objects that are not refreshed")
        elif item.key in here.onto_outside:
            notes.add(f"foreign key {name} {item.member}: its parent is not refreshed")
        else:
            possible.append(item)
    return possible, sorted(notes)


def _not_copied(here: Reader, there: Reader) -> Iterator[str]:
    """Kinds of objects that no refresh copies, and public synonyms, as far as the target lacks them."""
    missing = Counter(kind for _, _, kind in here.others() - there.others())
    for kind, count in sorted(missing.items()):
        yield f"{counted(count, 'object')} of type {kind}"
    stored = there.attributes()
    for table, clauses in sorted(here.attributes().items()):
        if lost := [each for each in clauses if each not in stored.get(table, ())]:
            yield f"table {table.key}: {', '.join(lost)}"
    for name, owner, of in sorted(here.public_synonyms() - there.public_synonyms()):
        yield f"public synonym {name} for {owner}.{of}"


def _outside(
    target: oracledb.Connection,
    catalogue: Catalogue,
    items: list[Item],
    told: set[tuple[str, str, str]],
) -> list[str]:
    """Invalid objects that refer to the schemas, but for those that are compared."""
    compared = {item.object for item in items if item.kind == "view"}
    return [
        f"{kind.lower()} {ObjectName(owner, name).key}"
        for owner, name, kind in rows(target, statements.INVALID_DEPENDENTS, names=catalogue.schemas)
        if (owner, name) not in compared and (owner, name, kind) not in told
    ]
