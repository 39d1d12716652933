"""What GRANT and REVOKE of privileges on objects may not say.

SQL Language Reference 19c, GRANT, "Restriction on Object Privileges", "Restriction on Grantees", "Restriction
on Granting WITH GRANT OPTION"; REVOKE; Error Messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.session.session import Session

OF_COLUMNS = ("INSERT", "REFERENCES", "UPDATE")
_NOT_TO_ROLES = ("INDEX", "REFERENCES")
_NOT_OF_KIND = {
    "VIEW": (2204, "ALTER, INDEX and EXECUTE not allowed for views"),
    "SEQUENCE": (2205, "only SELECT and ALTER privileges are valid for sequences"),
    "PACKAGE": (2225, "only EXECUTE and DEBUG privileges are valid for procedures"),
    "ROUTINE": (2225, "only EXECUTE and DEBUG privileges are valid for procedures"),
}


@dataclass(frozen=True)
class Privilege:
    """One item of a GRANT: a name and, for column privileges, the columns."""

    name: str
    columns: tuple[str, ...] = ()


@dataclass
class Target:
    """What the privileges are on. `relation` is PostgreSQL's spelling of it."""

    kind: str
    owner: str
    name: str
    relation: str = ""
    object_number: int = 0
    also: list[str] = field(default_factory=list)


def invalid_privilege(name: str, kind: str, of_any_kind: Sequence[str]) -> OracleError:
    """What is said of a privilege that this kind of object does not have, but perhaps another."""
    if kind == "TABLE" and name == "EXECUTE":
        return OracleError(2224, "EXECUTE privilege not allowed for tables")
    if (
        name in of_any_kind
        and kind in _NOT_OF_KIND
        and (kind != "VIEW" or name in ("ALTER", "INDEX", "EXECUTE"))
    ):
        return OracleError(*_NOT_OF_KIND[kind])
    return OracleError(990, "missing or invalid privilege")


def check_items(items: Sequence[Privilege]) -> None:
    """Each privilege once: several columns stand in one list."""
    for item in items:
        if item.columns and item.name not in OF_COLUMNS:
            raise OracleError(969, "missing ON keyword")
        if len(set(item.columns)) != len(item.columns):
            raise OracleError(957, "duplicate column name")
    if len({item.name for item in items}) != len(items):
        raise OracleError(1711, "duplicate privilege listed")


def check_grantees(grantees: Sequence[str], session: Session, target: Target) -> None:
    """Each grantee once, and none is the owner or the grantor."""
    if len(set(grantees)) != len(grantees):
        raise OracleError(987, "missing or invalid username(s)")
    if session.user in grantees or (target.owner in grantees and target.owner != "SYS"):
        raise OracleError(1749, "you may not GRANT/REVOKE privileges to/from yourself")


async def for_grantees(
    session: Session, grantees: Sequence[str], items: Sequence[Privilege], *, named: bool, option: bool
) -> list[tuple[str, Privilege]]:
    """What each grantee gets: roles do not get everything. `named`: the privileges were named, not ALL."""
    rows = await session.pg_system(
        "SELECT role FROM localoracle.roles WHERE role = ANY (%s)", [list(grantees)]
    )
    roles = {role for (role,) in rows}
    if roles and option:
        raise OracleError(1926, "cannot GRANT to a role WITH GRANT OPTION")
    granted = []
    for grantee in grantees:
        for item in items:
            if grantee not in roles or item.name not in _NOT_TO_ROLES:
                granted.append((grantee, item))
            elif named:
                raise OracleError(1931, f"cannot grant {item.name} to a role")
    return granted


async def check_columns(session: Session, target: Target, items: Sequence[Privilege]) -> None:
    """The columns of column privileges are the table's."""
    named = [column for item in items for column in item.columns]
    rows = await session.pg_system(
        "SELECT c FROM unnest(%s::text[]) AS c WHERE NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid ="
        " %s::oid AND attname = c AND attnum > 0 AND NOT attisdropped)",
        [named, target.object_number],
    )
    for (column,) in rows:
        raise OracleError(904, f'"{column}": invalid identifier')
    hidden = await session.pg_system(
        "SELECT 1 FROM localoracle.object_attributes v JOIN pg_attribute a ON a.attrelid = v.relation"
        " AND a.attnum = v.column_number WHERE v.relation = %s::oid AND v.attribute = 'visibility'"
        " AND v.value = 'NO' AND a.attname = ANY(%s::text[])",
        [target.object_number, named],
    )
    if hidden:
        raise OracleError(54045, "An invisible column cannot be granted a column-level object privilege.")


async def check_base_tables(session: Session, target: Target, items: Sequence[Privilege]) -> None:
    """ORA-01720: a view is passed on only by who may pass on what it is made of."""
    wanted = [item.name for item in items if item.name in ("SELECT", "INSERT", "UPDATE", "DELETE")]
    if target.kind != "VIEW" or target.owner == "SYS" or not wanted:
        return
    rows = await session.pg_system(
        "SELECT DISTINCT n.nspname, c.relname FROM pg_rewrite w JOIN pg_depend d ON d.classid ="
        " 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass"
        " JOIN pg_class c ON c.oid = d.refobjid AND c.oid <> w.ev_class AND c.relkind IN"
        " ('r', 'p', 'v', 'm', 'f')"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE w.ev_class = %s::oid AND n.nspname IN (SELECT username FROM localoracle.users)"
        " AND n.nspname <> %s AND EXISTS (SELECT 1 FROM unnest(%s::text[]) AS wanted WHERE NOT"
        " has_table_privilege(%s, c.oid, wanted || ' WITH GRANT OPTION'))",
        [target.object_number, target.owner, wanted, target.owner],
    )
    for owner, name in rows:
        raise OracleError(1720, f"grant option does not exist for '{owner}.{name}'")


async def revoke_references(
    session: Session, target: Target, grantees: Sequence[str], *, cascade: bool
) -> None:
    """REVOKE of REFERENCES takes the foreign keys with it that were written by it."""
    rows = await session.pg_system(
        "SELECT c.conrelid::regclass::text, c.conname FROM pg_constraint c JOIN pg_class t ON t.oid ="
        " c.conrelid"
        " JOIN pg_namespace n ON n.oid = t.relnamespace WHERE c.contype = 'f' AND c.conparentid = 0 AND"
        " c.confrelid = %s::oid AND n.nspname = ANY (%s)",
        [target.object_number, list(grantees)],
    )
    if rows and not cascade:
        raise OracleError(1981, "CASCADE CONSTRAINTS must be specified to perform this revoke")
    for table, name in rows:
        await session.pg_system(
            "SELECT ora.drop_constraint(%s::regclass, %s, false)", [table, name], write=True
        )
