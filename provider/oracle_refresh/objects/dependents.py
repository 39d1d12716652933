"""What else belongs to the tables: comments, object grants, views and triggers, taken from the source.

Run it last: a trigger that exists while rows are loaded or masked fires. All of it may be repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Trigger, View
from oracle_refresh.errors import PlanError
from oracle_refresh.identifiers import Identifier, qualified, table_key
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.metadata import STEP, SourceDdl, run
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

# A view over something that is not there (yet); 24344 is a success with compilation errors.
_LATER = frozenset({"ORA-00942", "ORA-00904", "ORA-01031", "ORA-04063", "ORA-01720", "ORA-24344"})
_PRIVILEGES = frozenset(
    {"SELECT", "READ", "INSERT", "UPDATE", "DELETE", "ALTER", "INDEX", "REFERENCES", "DEBUG", "FLASHBACK"}
    | {"MERGE VIEW", "UNDER", "QUERY REWRITE", "ON COMMIT REFRESH", "KEEP SEQUENCE"}
)


@dataclass(frozen=True)
class DependentsResult(Jsonable):
    """What was made on the target; `skipped` says what was not, and why."""

    comments: int
    grants: int
    views: tuple[str, ...]
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
    known = _grantees(target)
    skipped: list[str] = []
    grants = _run_grants(source, target, catalogue, tables | sequences, known, skipped)
    progress.report(1, 4, "steps", "grants")
    made = _views(reader, target, catalogue.views, skipped)
    progress.report(2, 4, "steps", "views")
    grants += _run_grants(source, target, catalogue, views & set(made), known, skipped)
    comments = 0
    for sql, key in _comments(source, catalogue, tables | set(made)):
        run(target, sql, key)
        comments += 1
    progress.report(3, 4, "steps", "comments")
    present = tables | set(made)
    wanted = [each for each in catalogue.triggers if (each.table_owner, each.table_name) in present]
    triggers = tuple(_trigger(reader, target, trigger) for trigger in wanted)
    progress.report(4, 4, "steps", "triggers")
    return DependentsResult(
        comments, grants, tuple(table_key(*name) for name in made), triggers, tuple(skipped)
    )


def _views(
    reader: SourceDdl, target: oracledb.Connection, views: Collection[View], skipped: list[str]
) -> list[tuple[str, str]]:
    """Create the views in rounds, because one may stand on another; a round without success ends it."""
    made: list[tuple[str, str]] = []
    waiting = {(view.owner, view.name): reader.view(view.owner, view.name) for view in views}
    problems: dict[tuple[str, str], frozenset[str]] = {}
    while waiting:
        for name in list(waiting):
            problems[name] = frozenset()
            for statement in waiting[name]:
                ddl.guard(statement, {"CREATE VIEW", "ALTER VIEW"}, {name[0]}, name[1])
                problems[name] |= run(target, statement, table_key(*name), _LATER)
        done = [name for name in waiting if not problems[name]]
        made += done
        for name in done:
            del waiting[name]
        if not done:
            break
    skipped += [f"view {table_key(*name)}: {', '.join(sorted(problems[name]))}" for name in waiting]
    return made


def _trigger(reader: SourceDdl, target: oracledb.Connection, trigger: Trigger) -> str:
    key = table_key(trigger.owner, trigger.name)
    for statement in reader.trigger(trigger.owner, trigger.name):
        about = ddl.guard(statement, {"CREATE TRIGGER", "ALTER TRIGGER"}, {trigger.owner}, trigger.name)
        if about.kind == "CREATE TRIGGER":
            run(target, statement, key)
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


def _run_grants(
    source: oracledb.Connection,
    target: oracledb.Connection,
    catalogue: Catalogue,
    objects: Collection[tuple[str, str]],
    known: Collection[str],
    skipped: list[str],
) -> int:
    count = 0
    if not objects:
        return 0
    with source.cursor() as cursor:
        for owner in catalogue.schemas:
            cursor.execute(statements.GRANTS, owner=owner)
            whole = [
                (name, grantee, privilege, grantable, None) for name, grantee, privilege, grantable in cursor
            ]
            cursor.execute(statements.COLUMN_GRANTS, owner=owner)
            some = [
                (name, grantee, privilege, able, column) for name, column, grantee, privilege, able in cursor
            ]
            rows = [row for row in (*whole, *some) if (owner, row[0]) in objects]
            for (name, grantee, grantable), group in groupby(sorted(rows, key=_by), key=_by):
                key = table_key(owner, name)
                if grantee not in known:
                    skipped.append(f"grant on {key}: the target has no user or role {grantee}")
                    continue
                sql = grant(owner, name, grantee, [(row[2], row[4]) for row in group], grantable == "YES")
                run(target, sql, key)
                count += 1
    return count


def _by(row: tuple[str, str, str, str, str | None]) -> tuple[str, str, str]:
    return row[0], row[1], row[3]


def grant(
    owner: str, name: str, grantee: str, privileges: Collection[tuple[str, str | None]], grantable: bool
) -> str:
    """A GRANT of object privileges, each with its column or None.

    :raises PlanError: for a privilege that is not one on tables, views or sequences.
    """
    listed = []
    for privilege, column in privileges:
        if privilege not in _PRIVILEGES:
            raise PlanError(f"unknown privilege {privilege}", object_name=table_key(owner, name), step=STEP)
        listed.append(privilege + (f" ({Identifier(column).sql})" if column else ""))
    return statements.GRANT.format(
        privileges=", ".join(listed),
        object=qualified(owner, name),
        grantee="PUBLIC" if grantee == "PUBLIC" else Identifier(grantee).sql,
        option=" WITH GRANT OPTION" if grantable else "",
    )


def _grantees(target: oracledb.Connection) -> set[str]:
    found = {"PUBLIC"}
    with target.cursor() as cursor:
        for statement in (statements.USERS, statements.ROLES):
            cursor.execute(statement)
            found |= {str(name) for (name,) in cursor}
    return found


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
