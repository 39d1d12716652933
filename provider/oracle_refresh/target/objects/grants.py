"""Object grants: those of the source are repeated, those that only the target had survive a rebuild.

DROP TABLE takes the grants on a table with it. Grants that testers made on the target, and that the source
does not have, are therefore recorded in the target (table REFRESH$GRANT) before anything is dropped, and
deleted from there only after they were granted again. The record belongs to the object, not to a run: a run
that died between the two leaves its grants to the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, ObjectName
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import STEP, run

if TYPE_CHECKING:
    import oracledb

PRIVILEGES = frozenset(
    {"SELECT", "READ", "INSERT", "UPDATE", "DELETE", "ALTER", "INDEX", "REFERENCES", "DEBUG", "FLASHBACK"}
    | {"EXECUTE", "MERGE VIEW", "UNDER", "QUERY REWRITE", "ON COMMIT REFRESH", "KEEP SEQUENCE"}
)


@dataclass(frozen=True, order=True)
class Grant(Jsonable):
    """One object privilege (DBA_TAB_PRIVS), or one on a column (DBA_COL_PRIVS); `column` is then its name."""

    owner: str
    name: str
    grantee: str
    grantable: bool
    privilege: str
    column: str = ""

    @property
    def on(self) -> ObjectName:
        return ObjectName(self.owner, self.name)

    @property
    def statement(self) -> tuple[ObjectName, str, bool, bool]:
        """Of one statement: no privilege on a table stands beside the same one on its columns (ORA-01711)."""
        return self.on, self.grantee, self.grantable, bool(self.column)


@dataclass(frozen=True)
class Grantees:
    """Who can be granted something on the target: its users and roles, and PUBLIC, but not its `user`."""

    names: frozenset[str]
    user: str
    """Of the session that grants."""

    def refusal(self, grantee: str) -> str | None:
        """Why nothing can be granted to a grantee; None where it can."""
        if grantee == self.user:
            return f"the refresh's own user {grantee} cannot grant to itself (ORA-01749)"
        return None if grantee in self.names else f"the target has no user or role {grantee}"


def read_grants(
    connection: oracledb.Connection, schemas: Sequence[str], objects: Collection[ObjectName]
) -> set[Grant]:
    """The grants on the given objects of the schemas."""
    on_objects = rows(connection, statements.GRANTS, names=schemas)
    on_columns = rows(connection, statements.COLUMN_GRANTS, names=schemas)
    grants = {
        Grant(owner, name, grantee, grantable == "YES", privilege)
        for owner, name, grantee, privilege, grantable in on_objects
    } | {
        Grant(owner, name, grantee, grantable == "YES", privilege, column)
        for owner, name, column, grantee, privilege, grantable in on_columns
    }
    return {each for each in grants if each.on in objects}


def run_grants(
    target: oracledb.Connection, grants: Iterable[Grant], grantees: Grantees, skipped: list[str]
) -> list[Grant]:
    """Grant on the target what can be granted there; the others are listed in `skipped`.

    :return: what was granted.
    """
    made: list[Grant] = []
    ordered = sorted(grants, key=lambda each: (each.statement, each))
    for (on, grantee, grantable, _), group in groupby(ordered, key=lambda each: each.statement):
        listed = list(group)
        if refusal := grantees.refusal(grantee):
            skipped.append(f"grant on {on.key}: {refusal}")
            continue
        privileges = [(each.privilege, each.column or None) for each in listed]
        run(target, grant(on, grantee, privileges, grantable), on.key)
        made += listed
    return made


def grant_references(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> list[Grant]:
    """Grant REFERENCES as on the source, before foreign keys: their owners need it on parents of others.

    Whom the target lacks is told when all grants are repeated (`dependents.py`). Source: constraint in SQL
    Language Reference 19c, "Prerequisites".
    """
    tables = {table.full_name for table in catalogue.tables}
    wanted = [
        each for each in read_grants(source, catalogue.schemas, tables) if each.privilege == "REFERENCES"
    ]
    return run_grants(target, wanted, read_grantees(target), [])


def grant(
    on: ObjectName, grantee: str, privileges: Collection[tuple[str, str | None]], grantable: bool
) -> str:
    """A GRANT of object privileges, each with its column or None.

    Columns of one privilege stand in one list: a privilege is named once (GRANT in SQL Language Reference
    19c, "Restriction on Object Privileges").

    :raises PlanError: for a privilege that is not one on tables, views, sequences or routines.
    """
    columns: dict[str, list[str]] = {}
    for privilege, column in privileges:
        if privilege not in PRIVILEGES:
            raise PlanError(f"unknown privilege {privilege}", object_name=on.key, step=STEP)
        columns.setdefault(privilege, []).extend([Identifier(column).sql] if column else [])
    listed = [privilege + (f" ({', '.join(of_it)})" if of_it else "") for privilege, of_it in columns.items()]
    return statements.GRANT.format(
        privileges=", ".join(listed),
        object=on.sql,
        grantee="PUBLIC" if grantee == "PUBLIC" else Identifier(grantee).sql,
        option=" WITH GRANT OPTION" if grantable else "",
    )


def read_grantees(target: oracledb.Connection) -> Grantees:
    """Every user and role of the target, and PUBLIC."""
    users, roles = rows(target, statements.USERS), rows(target, statements.ROLES)
    names = frozenset(name for (name,) in (*users, *roles))
    return Grantees(names | {"PUBLIC"}, scalar(target, statements.SESSION_USER))


class GrantRecord:
    """The record of grants that only the target had, as seen by the target's refresh user."""

    def __init__(self, target: oracledb.Connection) -> None:
        self.target = target

    def ensure(self) -> None:
        """Create its table if it is not there. DDL: commits what the connection has pending.

        :raises PreflightError: if there is one that this version does not work with.
        """
        statements.GRANT_RECORD.ensure(self.target)

    def read(self) -> set[Grant]:
        return {
            Grant(owner, name, grantee, grantable == "YES", privilege, column or "")
            for owner, name, grantee, grantable, privilege, column in rows(
                self.target, statements.RECORDED_GRANTS
            )
        }

    def add(self, grants: Iterable[Grant]) -> int:
        """Record what is not recorded yet, and commit; how many these are."""
        new = set(grants) - self.read()
        self._change(statements.RECORD_GRANT, new)
        return len(new)

    def remove(self, grants: Iterable[Grant]) -> None:
        """Forget what was granted again, and commit."""
        self._change(statements.FORGET_GRANT, grants)

    def _change(self, statement: str, grants: Iterable[Grant]) -> None:
        if changed := [_row(each) for each in sorted(grants)]:
            with self.target.cursor() as cursor:
                cursor.executemany(statement, changed)
            self.target.commit()


def record_target_grants(
    source: oracledb.Connection,
    target: oracledb.Connection,
    schemas: Sequence[str],
    doomed: Collection[ObjectName],
) -> int:
    """Before anything is dropped: record the grants on `doomed` that the source does not have.

    Repeating it after a crash adds nothing for what is gone already, and loses nothing that was recorded.
    """
    record = GrantRecord(target)
    record.ensure()
    here = read_grants(target, schemas, doomed)
    return record.add(here - read_grants(source, schemas, doomed)) if here else 0


def forget_present_grants(
    target: oracledb.Connection, schemas: Sequence[str], present: Collection[ObjectName]
) -> None:
    """What is recorded of objects that have their grants still, since they were put back, is not to be
    granted by the next run: somebody may have revoked it by then. Commits."""
    record = GrantRecord(target)
    record.ensure()
    record.remove(record.read() & read_grants(target, schemas, present))


def restore_target_grants(
    target: oracledb.Connection,
    rebuilt: Collection[ObjectName],
    grantees: Grantees,
    skipped: list[str],
) -> tuple[Grant, ...]:
    """Grant again what is recorded for the objects in `rebuilt`, then forget it; what was granted.

    A grant whose grantee is gone, or on a column that is gone, stays recorded and is listed in `skipped`.
    """
    record = GrantRecord(target)
    record.ensure()
    restored: list[Grant] = []
    for each in sorted(record.read()):
        if each.on not in rebuilt:
            continue
        try:
            restored += run_grants(target, [each], grantees, skipped)
        except PlanError as error:
            skipped.append(
                f"the target's own grant of {each.privilege} on {each.on.key}"
                f" to {each.grantee}: {', '.join(error.codes) or error.message}"
            )
    record.remove(restored)
    return tuple(restored)


def _row(each: Grant) -> tuple[str, str, str, str, str, str | None]:
    grantable = "YES" if each.grantable else "NO"
    return each.owner, each.name, each.grantee, grantable, each.privilege, each.column or None
