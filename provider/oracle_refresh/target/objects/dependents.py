"""What else belongs to the tables: comments, object grants, views and triggers, taken from the source.

Private synonyms, types, procedures, functions and packages of the schemas are made where the target lacks
them. Those that it has are left alone: a test database often holds a newer version of the code.

Privileges on the objects of others are granted before what needs them: in a view and in a unit with
definer's rights only those count that its owner was granted directly.

Run it last: a trigger that exists while rows are loaded or masked fires. All of it may be repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Trigger
from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError, codes_in
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.grants import read_grantees, read_grants, restore_target_grants, run_grants
from oracle_refresh.target.objects.inventory_reader import Reader
from oracle_refresh.target.objects.metadata import STEP, SourceDdl, names_of, run
from oracle_refresh.target.objects.units import PassedOn, bodies_left, create_in_rounds, missing_units

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class DependentsResult(Jsonable):
    """What was made on the target; `skipped` says what was not, and why."""

    comments: int
    grants: int
    own_grants: int
    """Grants that only the target had, made again on what was rebuilt."""
    views: tuple[str, ...]
    others: tuple[str, ...]
    """Private synonyms and units of PL/SQL that the target lacked; its own are never replaced."""
    triggers: tuple[str, ...]
    skipped: tuple[str, ...]
    lost_views: tuple[str, ...] = ()
    """Views that could not be made although all that they stand on is refreshed."""


def build_dependents(
    source: oracledb.Connection,
    target: oracledb.Connection,
    catalogue: Catalogue,
    progress: Progress = silent,
) -> DependentsResult:
    """Make comments, grants, views and triggers of the catalogue's objects as they are on the source.

    A grantee that the target lacks is skipped and reported, as is a view that cannot be compiled there.

    :raises PlanError: if DDL is refused or fails otherwise.
    """
    reader = SourceDdl(source)
    views = {view.full_name for view in catalogue.views}
    tables: set[ObjectName] = {table.full_name for table in catalogue.tables}
    sequences = {sequence.full_name for sequence in catalogue.sequences}
    grantees = read_grantees(target)
    skipped: list[str] = []
    granted = read_grants(source, catalogue.schemas, tables | sequences | views)
    grants = len(run_grants(target, (each for each in granted if each.on not in views), grantees, skipped))
    progress.report(1, 4, "steps", "grants")
    missing, routines = missing_units(source, target, catalogue)
    later = {each for each in granted if each.on in views}
    later |= {
        each
        for each in read_grants(source, catalogue.schemas, routines)
        if grantees.refusal(each.grantee) is None
    }
    awaited = views | {name for _, name in missing}
    grants += len(run_grants(target, (each for each in later if each.on not in awaited), grantees, skipped))
    units = [*(("VIEW", view) for view in sorted(views)), *missing]
    texts = {unit: reader.read(*unit) for unit in units} | bodies_left(reader, target, catalogue)
    passed_on = PassedOn(target, later, grantees, skipped)
    built = create_in_rounds(target, texts, skipped, passed_on.grant)
    grants += passed_on.count
    made = [name for kind, name in built if kind == "VIEW"]
    lost = views - set(made)
    if lost:
        lost -= Reader(source, catalogue).views_on_others()
    progress.report(2, 4, "steps", "views")
    own = restore_target_grants(target, tables | sequences | set(made), grantees, skipped)
    comments = 0
    for sql, key in comments_on(source, catalogue.schemas, tables | set(made)):
        run(target, sql, key)
        comments += 1
    progress.report(3, 4, "steps", "comments")
    present = tables | set(made)
    wanted = [each for each in catalogue.triggers if each.on in present]
    triggers = tuple(_trigger(reader, target, trigger, skipped) for trigger in wanted)
    progress.report(4, 4, "steps", "triggers")
    return DependentsResult(
        comments,
        grants,
        len(own),
        tuple(name.key for name in made),
        tuple(f"{kind.lower()} {name.key}" for kind, name in built if kind != "VIEW"),
        triggers,
        tuple(skipped),
        tuple(sorted(view.key for view in lost)),
    )


def require_views(made: DependentsResult, definition: TargetDefinition) -> None:
    """:raises PlanError: for views that the inventory would miss, unless the definition accepts them."""
    accepted = {each.key for each in definition.inventory.accept_objects}
    lost = [view for view in made.lost_views if view not in accepted]
    if lost and "view" not in definition.inventory.accept:
        told = [each for each in made.skipped if any(each.startswith(f"view {view}:") for view in lost)]
        raise PlanError(
            f"{len(lost)} views could not be made: {'; '.join(told[:20])}",
            codes=sorted({code for each in told for code in codes_in(each)}),
            object_name=lost[0],
            step=STEP,
            remedy="see what of the view's query the target lacks or its owner may not use; make or grant it"
            " there and clear this task, or accept the view in `inventory` of the definition",
        )


def _trigger(reader: SourceDdl, target: oracledb.Connection, trigger: Trigger, skipped: list[str]) -> str:
    key = trigger.key
    for statement in reader.read("TRIGGER", trigger.full_name):
        about = ddl.guard(statement, {"CREATE TRIGGER", "ALTER TRIGGER"}, {trigger.owner}, trigger.name)
        if about.kind == "CREATE TRIGGER":
            with names_of(target, trigger.owner):
                problems = run(target, statement, key)
            skipped += [f"trigger {key}: {code}" for code in problems]
    if not trigger.enabled:
        run(target, statements.DISABLE_TRIGGER.format(trigger=trigger.sql), key)
    return key


def comments_on(
    source: oracledb.Connection, schemas: Collection[str], objects: Collection[ObjectName]
) -> Iterator[tuple[str, str]]:
    """COMMENT statements with the key of their object."""
    for owner in schemas:
        for name, text in rows(source, statements.TABLE_COMMENTS, owner=owner):
            table = TableName(owner, name)
            if table in objects:
                yield statements.COMMENT_ON_TABLE.format(table=table.sql, text=_literal(text)), table.key
        for name, column, text in rows(source, statements.COLUMN_COMMENTS, owner=owner):
            table = TableName(owner, name)
            if table in objects:
                sql = statements.COMMENT_ON_COLUMN.format(
                    table=table.sql, column=Identifier(column).sql, text=_literal(text)
                )
                yield sql, table.key


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
