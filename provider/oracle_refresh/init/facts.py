"""What `init` has to know of both databases to write a definition. Reads only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import DatabaseIdentity, identify
from oracle_refresh.init import statements
from oracle_refresh.oracle.errors import PreflightError, from_oracle
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight.transport import leads_to

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Database:
    """One of both: its identity, and the DIRECTORYs that its user may read and write, path by name."""

    identity: DatabaseIdentity
    directories: dict[str, str]


@dataclass(frozen=True)
class Users:
    """Who uses the schemas.

    `present`: the users of the target. `grantees`: users and roles that were granted something on objects of
    the schemas at either end. `members`: pairs of a role and who was granted it.
    """

    present: frozenset[str]
    grantees: frozenset[str]
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Surveyed:
    """Both databases: who uses the schemas, and a link of the target's user that leads to the source."""

    source: Database
    target: Database
    users: Users
    link: str | None


def survey(
    source: oracledb.Connection,
    target: oracledb.Connection,
    conn_ids: tuple[str, str],
    schemas: Sequence[str],
) -> Surveyed:
    """:raises PreflightError: if the user of a connection may not read the dictionary."""
    from_database = _database(source, conn_ids[0])
    return Surveyed(
        from_database,
        _database(target, conn_ids[1]),
        read_users(source, target, schemas),
        link_to(target, from_database.identity),
    )


def _database(connection: oracledb.Connection, conn_id: str) -> Database:
    with _dictionary(conn_id):
        return Database(identify(connection), dict(rows(connection, statements.DIRECTORIES)))


@contextmanager
def _dictionary(conn_id: str) -> Iterator[None]:
    """:raises PreflightError: if the user of the connection may not read the dictionary."""
    import oracledb

    try:
        yield
    except oracledb.DatabaseError as error:
        raise from_oracle(
            error, step="read the dictionary", object_name=conn_id, kind=PreflightError
        ) from error


def read_schemas(source: oracledb.Connection, conn_id: str) -> tuple[str, ...]:
    """The schemas with tables, without Oracle's own and that of the session's user."""
    with _dictionary(conn_id):
        return tuple(owner for (owner,) in rows(source, statements.SCHEMAS))


def read_users(source: oracledb.Connection, target: oracledb.Connection, schemas: Sequence[str]) -> Users:
    """Users and grants around the schemas."""
    both = (source, target)
    return Users(
        frozenset(name for (name,) in rows(target, statements.USERS)),
        frozenset(name for each in both for (name,) in rows(each, statements.GRANTEES, names=schemas)),
        tuple((role, member) for each in both for role, member in rows(each, statements.ROLES)),
    )


def link_to(target: oracledb.Connection, source: DatabaseIdentity) -> str | None:
    """The first database link of the target's user that leads to the source."""
    links = [name for (name,) in rows(target, statements.LINKS)]
    return next((link for link in links if leads_to(target, source, link)), None)
