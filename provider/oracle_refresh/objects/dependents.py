"""What else belongs to the tables: comments, object grants, views and triggers, taken from the source.

Private synonyms, types, procedures, functions and packages of the schemas are made where the target lacks
them. Those that it has are left alone: a test database often holds a newer version of the code.

Privileges on the objects of others are granted before what needs them: in a view and in a unit with
definer's rights only those count that its owner was granted directly.

Run it last: a trigger that exists while rows are loaded or masked fires. All of it may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Trigger
from oracle_refresh.identifiers import Identifier, qualified, table_key
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.grants import (
    Grant,
    Grantees,
    read_grantees,
    read_grants,
    restore_target_grants,
    run_grants,
)
from oracle_refresh.objects.metadata import SourceDdl, names_of, run, select
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

ROUTINES = ("PROCEDURE", "FUNCTION", "PACKAGE", "TYPE")
#: Kind, owner and name of an object.
Named = tuple[str, str, str]
# A view over something that is not there (yet); 24344 is a success with compilation errors.
_INVALID = frozenset({"ORA-24344"})
_LATER = _INVALID | frozenset({"ORA-00942", "ORA-00904", "ORA-01031", "ORA-04063", "ORA-01720"})


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
    views = {(view.owner, view.name) for view in catalogue.views}
    tables = {(table.owner, table.name) for table in catalogue.tables}
    sequences = {(sequence.owner, sequence.name) for sequence in catalogue.sequences}
    grantees = read_grantees(target)
    skipped: list[str] = []
    granted = read_grants(source, catalogue.schemas, tables | sequences | views)
    grants = len(
        run_grants(
            target, (each for each in granted if (each.owner, each.name) not in views), grantees, skipped
        )
    )
    progress.report(1, 4, "steps", "grants")
    missing, routines = _missing(source, target, catalogue)
    later = {each for each in granted if (each.owner, each.name) in views}
    later |= {
        each
        for each in read_grants(source, catalogue.schemas, routines)
        if grantees.refusal(each.grantee) is None
    }
    awaited = views | {(owner, name) for _, owner, name in missing}
    grants += len(
        run_grants(
            target, (each for each in later if (each.owner, each.name) not in awaited), grantees, skipped
        )
    )
    texts = {("VIEW", *view): reader.view(*view) for view in sorted(views)}
    for kind, owner, name in missing:
        found = reader.synonym(owner, name) if kind == "SYNONYM" else reader.routine(kind, owner, name)
        texts[kind, owner, name] = found
    texts |= _bodies_left(reader, target, catalogue)
    passed_on = _PassedOn(target, later, grantees, skipped)
    built = _in_rounds(target, texts, skipped, passed_on.grant)
    grants += passed_on.count
    made = [(owner, name) for kind, owner, name in built if kind == "VIEW"]
    progress.report(2, 4, "steps", "views")
    own = restore_target_grants(target, tables | sequences | set(made), grantees, skipped)
    comments = 0
    for sql, key in _comments(source, catalogue, tables | set(made)):
        run(target, sql, key)
        comments += 1
    progress.report(3, 4, "steps", "comments")
    present = tables | set(made)
    wanted = [each for each in catalogue.triggers if (each.table_owner, each.table_name) in present]
    triggers = tuple(_trigger(reader, target, trigger, skipped) for trigger in wanted)
    progress.report(4, 4, "steps", "triggers")
    return DependentsResult(
        comments,
        grants,
        len(own),
        tuple(table_key(*name) for name in made),
        tuple(f"{kind.lower()} {table_key(*name)}" for kind, *name in built if kind != "VIEW"),
        triggers,
        tuple(skipped),
    )


def _missing(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> tuple[dict[Named, str], set[tuple[str, str]]]:
    """Synonyms and routines of the source that the target lacks, and all routines that both have or get."""
    there = {row[:2] for row in select(target, statements.OBJECTS_OF, catalogue.schemas)}
    wanted, routines = {}, set()
    for owner, name, kind in select(source, statements.OBJECTS_OF, catalogue.schemas):
        if kind in ROUTINES:
            routines.add((owner, name))
        if kind in (*ROUTINES, "SYNONYM") and (owner, name) not in there:
            wanted[kind, owner, name] = kind
    return wanted, routines


def _bodies_left(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue
) -> dict[Named, list[str]]:
    """CREATE of the bodies that a killed try has left out: the target has the specification, and no body.

    A specification that differs from the source's is the target's own, and its body no business of ours.
    """
    there = set(select(target, statements.BODIES_OF, catalogue.schemas))
    specified = set(select(target, statements.OBJECTS_OF, catalogue.schemas))
    made = SourceDdl(target)
    found: dict[Named, list[str]] = {}
    for body in select(reader.connection, statements.BODIES_OF, catalogue.schemas):
        owner, name, kind = body[0], body[1], body[2].removesuffix(" BODY")
        if body in there or (owner, name, kind) not in specified:
            continue
        specification, *rest = reader.routine(kind, owner, name)
        if made.routine(kind, owner, name)[0] == specification:
            found[kind, owner, name] = rest
    return found


class _PassedOn:
    """The grants on what is created in rounds: what is created after it may need them."""

    def __init__(
        self,
        target: oracledb.Connection,
        grants: Collection[Grant],
        grantees: Grantees,
        skipped: list[str],
    ) -> None:
        self.target = target
        self.grantees = grantees
        self.skipped = skipped
        self.waiting: dict[tuple[str, str], list[Grant]] = {}
        for each in grants:
            self.waiting.setdefault((each.owner, each.name), []).append(each)
        self.count = 0

    def grant(self, owner: str, name: str) -> None:
        """Once for each object."""
        found = self.waiting.pop((owner, name), [])
        self.count += len(run_grants(self.target, found, self.grantees, self.skipped))


def _in_rounds(
    target: oracledb.Connection,
    waiting: dict[Named, list[str]],
    skipped: list[str],
    created: Callable[[str, str], None],
) -> list[Named]:
    """Create objects in rounds, because one may stand on another; a round without success ends it.

    :param created: called with owner and name of what is there, with compilation errors or without.
    """
    made: list[Named] = []
    problems: dict[Named, frozenset[str]] = {}
    while waiting:
        for each in list(waiting):
            kind, owner, name = each
            problems[each] = frozenset()
            with names_of(target, owner):
                for statement in waiting[each]:
                    ddl.guard(
                        statement, {f"CREATE {kind}", f"CREATE {kind} BODY", f"ALTER {kind}"}, {owner}, name
                    )
                    problems[each] |= run(target, statement, table_key(owner, name), _LATER)
            if problems[each] <= _INVALID:
                created(owner, name)
        done = [each for each in waiting if not problems[each]]
        made += done
        for each in done:
            del waiting[each]
        if not done:
            break
    for kind, owner, name in waiting:
        listed = ", ".join(sorted(problems[kind, owner, name]))
        skipped.append(f"{kind.lower()} {table_key(owner, name)}: {listed}")
    return made


def _trigger(reader: SourceDdl, target: oracledb.Connection, trigger: Trigger, skipped: list[str]) -> str:
    key = table_key(trigger.owner, trigger.name)
    for statement in reader.trigger(trigger.owner, trigger.name):
        about = ddl.guard(statement, {"CREATE TRIGGER", "ALTER TRIGGER"}, {trigger.owner}, trigger.name)
        if about.kind == "CREATE TRIGGER":
            with names_of(target, trigger.owner):
                problems = run(target, statement, key)
            skipped += [f"trigger {key}: {code}" for code in problems]
    if not trigger.enabled:
        run(target, statements.DISABLE_TRIGGER.format(trigger=qualified(trigger.owner, trigger.name)), key)
    return key


def _comments(
    source: oracledb.Connection, catalogue: Catalogue, objects: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """COMMENT statements with the key of their object."""
    with source.cursor() as cursor:
        for owner in catalogue.schemas:
            cursor.execute(statements.TABLE_COMMENTS, owner=owner)
            for name, text in cursor.fetchall():
                if (owner, name) in objects:
                    table = qualified(owner, name)
                    yield (
                        statements.COMMENT_ON_TABLE.format(table=table, text=_literal(text)),
                        table_key(owner, name),
                    )
            cursor.execute(statements.COLUMN_COMMENTS, owner=owner)
            for name, column, text in cursor.fetchall():
                if (owner, name) in objects:
                    sql = statements.COMMENT_ON_COLUMN.format(
                        table=qualified(owner, name), column=Identifier(column).sql, text=_literal(text)
                    )
                    yield sql, table_key(owner, name)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
