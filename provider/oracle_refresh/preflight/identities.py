"""Whether these two connections may be source and target: roles, identities, deny list. Pure."""

from __future__ import annotations

from oracle_refresh.catalog import DatabaseIdentity
from oracle_refresh.definition import RefreshDefinition, TargetDefinition
from oracle_refresh.oracle.findings import Finding, error


def check_roles(
    definition: RefreshDefinition, source_role: str | None, target_role: str | None
) -> list[Finding]:
    """Whether the connections are marked for what the definition uses them for. Reads nothing."""
    return [
        *check_role("source", definition.source.conn_id, source_role),
        *check_role("target", definition.target.conn_id, target_role),
    ]


def check_role(end: str, conn_id: str, role: str | None) -> list[Finding]:
    """Whether the connection of an end is marked for it. Reads nothing."""
    if role == end:
        return []
    marked = "not marked" if role is None else f"marked as {role!r}"
    return [
        error(
            f"NOT_MARKED_AS_{end.upper()}",
            f"connection {conn_id!r} is the {end} of the definition, but it is {marked}",
            f'put "refresh_role": "{end}" into its extra, if it really is the {end}',
        )
    ]


def check_identities(
    definition: RefreshDefinition, source: DatabaseIdentity, target: DatabaseIdentity
) -> list[Finding]:
    """Whether these two databases may be source and target. Reads nothing."""
    findings = []
    if source.same_database(target):
        findings.append(
            error(
                "SAME_DATABASE",
                f"source and target are the same database: {_description(source)} and {_description(target)}",
                "name another target; a clone that kept the DBID of its origin is given its own with DBNEWID",
            )
        )
    findings += check_denied(definition, target)
    for end, database in (("source", source), ("target", target)):
        findings += check_open(
            end, database, "open it READ WRITE: Data Pump keeps its master table in the database it runs in"
        )
    if _release(target) < _release(source):
        findings.append(
            error(
                "OLDER_TARGET",
                f"the target's release {target.version} is older than the source's {source.version}",
                "upgrade the target: a dump set cannot be loaded into an older release",
            )
        )
    return findings


def check_denied(definition: TargetDefinition, target: DatabaseIdentity) -> list[Finding]:
    """Whether a name of the target is on the deny list. Reads nothing."""
    denied = {name.upper() for name in definition.deny_list.databases}
    return [
        error(
            "TARGET_DENIED",
            f"the target answers to {name!r}, which is on the deny list of the definition",
            "name another target; names leave the deny list only if they may be overwritten",
        )
        for name in target.names
        if name.upper() in denied or name.upper().split(".")[0] in denied
    ]


def check_open(end: str, database: DatabaseIdentity, remedy: str) -> list[Finding]:
    """Whether a database can be written to. Reads nothing."""
    if database.open_mode == "READ WRITE":
        return []
    return [
        error(
            "NOT_READ_WRITE",
            f"the {end} is open {database.open_mode}, its role is {database.database_role}",
            remedy,
        )
    ]


def _description(database: DatabaseIdentity) -> str:
    return f"{database.db_unique_name} (DBID {database.con_dbid}, service {database.service})"


def _release(database: DatabaseIdentity) -> int:
    return int(database.version.split(".")[0])
