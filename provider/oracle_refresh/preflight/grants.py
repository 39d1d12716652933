"""Whether both users hold the privileges that a refresh uses, and the directories exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.requirements import ObjectRequirement, Privileges, Requirement, missing

if TYPE_CHECKING:
    import oracledb


def read_privileges(connection: oracledb.Connection) -> Privileges:
    """What the session may do, as far as every user may read it; objects come with `check_grants`."""
    return Privileges(
        user=scalar(connection, statements.SESSION_USER),
        system=frozenset(name for (name,) in rows(connection, statements.SYSTEM_PRIVILEGES)),
        roles=frozenset(name for (name,) in rows(connection, statements.ROLES)),
        objects=frozenset(),
        quota=bool(scalar(connection, statements.QUOTAS)),
    )


def check_grants(
    end: str,
    connection: oracledb.Connection,
    privileges: Privileges,
    wanted: Sequence[Requirement],
    objects: Sequence[ObjectRequirement],
) -> list[Finding]:
    """A finding per privilege that the user lacks and per DIRECTORY that does not exist at this end."""
    user = Identifier(privileges.user).written
    names = sorted({need.object_name for need in objects})
    directories = sorted({need.object_name for need in objects if need.on.startswith("DIRECTORY ")})
    listed = rows(connection, statements.DIRECTORIES, names=directories) if directories else []
    unknown = sorted(set(directories) - {name for name, _ in listed})
    findings = [
        error(
            "UNKNOWN_DIRECTORY",
            f"the {end} has no DIRECTORY {written}",
            "let a DBA create it on a path that the database's host can write to, then grant it",
            f"CREATE DIRECTORY {written} AS '<path>'",
            f"GRANT READ, WRITE ON DIRECTORY {written} TO {user}",
        )
        for written in (Identifier(name).written for name in unknown)
    ]
    held = rows(connection, statements.OBJECT_PRIVILEGES, names=names, grantee=privileges.user)
    privileges = replace(privileges, objects=frozenset((name, privilege) for name, privilege in held))
    grantable = [need for need in objects if need.object_name not in unknown]
    return findings + missing(end, privileges, wanted, grantable)
