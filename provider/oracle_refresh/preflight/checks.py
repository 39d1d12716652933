"""The checks themselves: read-only, in the order in which one failure makes the next ones pointless."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import DatabaseIdentity, identify
from oracle_refresh.errors import oracle_codes
from oracle_refresh.identifiers import Identifier, table_key
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.findings import Finding, error, warning
from oracle_refresh.preflight.requirements import (
    DICTIONARY,
    SOURCE,
    TARGET,
    ObjectRequirement,
    Privileges,
    Requirement,
    missing,
    source_objects,
    target_objects,
)
from oracle_refresh.spec import Prepare, RefreshDefinition

if TYPE_CHECKING:
    import oracledb

NOT_VISIBLE = frozenset({"ORA-00942", "ORA-01031"})


def check(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    source_role: str | None,
    target_role: str | None,
    masked_columns: Iterable[tuple[str, str, str]] = (),
) -> list[Finding]:
    """Everything that stands against this refresh. Reads both databases, changes neither.

    :param source_role: `refresh_role` in the extra of the source's Airflow connection, None if absent.
    :param target_role: the same of the target's connection.
    :param masked_columns: (owner, table, column) of every column that the ruleset masks.
    :raises oracledb.Error: if a connection breaks; a missing privilege is a finding instead.
    """
    findings = check_roles(definition, source_role, target_role)
    source_privileges, target_privileges = _privileges(source), _privileges(target)
    readable = True
    for end, connection, privileges, wanted, objects in (
        ("source", source, source_privileges, SOURCE, source_objects(definition)),
        ("target", target, target_privileges, TARGET, target_objects(definition)),
    ):
        if any(privileges.holds(name) for name in DICTIONARY):
            findings += _grants(end, connection, privileges, wanted, objects)
        else:
            findings += missing(end, privileges, wanted)
            readable = False
    if not readable:
        return findings
    try:
        source_identity, target_identity = identify(source), identify(target)
        findings += check_identities(definition, source_identity, target_identity)
        findings += _schemas(source, target, definition, target_identity)
        findings += _masked(source, definition, tuple(masked_columns))
        findings += _hidden_rows(source, definition, source_privileges)
        findings += _present(target, definition)
    except Exception as problem:
        codes = oracle_codes(problem)
        if not NOT_VISIBLE.intersection(codes):
            raise
        findings.append(
            error(
                "MISSING_GRANT", f"a dictionary view cannot be read: {problem}", "grant SELECT_CATALOG_ROLE"
            )
        )
    return findings


def check_roles(
    definition: RefreshDefinition, source_role: str | None, target_role: str | None
) -> list[Finding]:
    """Whether the connections are marked for what the definition uses them for. Reads nothing."""
    findings = []
    for end, conn_id, role in (
        ("source", definition.source.conn_id, source_role),
        ("target", definition.target.conn_id, target_role),
    ):
        if role != end:
            found = "not marked" if role is None else f"marked as {role!r}"
            findings.append(
                error(
                    f"NOT_MARKED_AS_{end.upper()}",
                    f"connection {conn_id!r} is the {end} of the definition, but it is {found}",
                    f'put "refresh_role": "{end}" into its extra, if it really is the {end}',
                )
            )
    return findings


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
    denied = {name.upper() for name in definition.deny_list.databases}
    for name in target.names:
        if name.upper() in denied or name.upper().split(".")[0] in denied:
            findings.append(
                error(
                    "TARGET_DENIED",
                    f"the target answers to {name!r}, which is on the deny list of the definition",
                    "name another target; names leave the deny list only if they may be overwritten",
                )
            )
    for end, database in (("source", source), ("target", target)):
        if database.open_mode != "READ WRITE":
            findings.append(
                error(
                    "NOT_READ_WRITE",
                    f"the {end} is open {database.open_mode}, its role is {database.database_role}",
                    "open it READ WRITE: Data Pump keeps its master table in the database it runs in",
                )
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


def _description(database: DatabaseIdentity) -> str:
    return f"{database.db_unique_name} (DBID {database.con_dbid}, service {database.service})"


def _release(database: DatabaseIdentity) -> int:
    return int(database.version.split(".")[0])


def _query(
    connection: oracledb.Connection, statement: str, names: Sequence[str] = (), **binds: str
) -> list[tuple[Any, ...]]:
    given = {f"n{number}": name for number, name in enumerate(names)}
    text = statement.replace("{names}", ", ".join(f":{name}" for name in given))
    with connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = 1000
        cursor.execute(text, {**given, **binds})
        return list(cursor)


def _privileges(connection: oracledb.Connection) -> Privileges:
    """What the session may do, as far as every user may read it; objects come with `_grants`."""
    ((user,),) = _query(connection, statements.SESSION_USER)
    ((quotas,),) = _query(connection, statements.QUOTAS)
    return Privileges(
        user=user,
        system=frozenset(name for (name,) in _query(connection, statements.SYSTEM_PRIVILEGES)),
        roles=frozenset(name for (name,) in _query(connection, statements.ROLES)),
        objects=frozenset(),
        quota=bool(quotas),
    )


def _grants(
    end: str,
    connection: oracledb.Connection,
    privileges: Privileges,
    wanted: Sequence[Requirement],
    objects: Sequence[ObjectRequirement],
) -> list[Finding]:
    names = sorted({need.object_name for need in objects})
    directories = {name for name in names if name != "DBMS_CRYPTO"}
    held = _query(connection, statements.OBJECT_PRIVILEGES, names, grantee=privileges.user)
    existing = {name for name, _ in _query(connection, statements.DIRECTORIES, sorted(directories))}
    findings = [
        error(
            "UNKNOWN_DIRECTORY",
            f"the {end} has no DIRECTORY {Identifier(name).written}",
            "let a DBA create it on a path that the database's host can write to, then grant it",
            f"CREATE DIRECTORY {Identifier(name).written} AS '<path>'",
            f"GRANT READ, WRITE ON DIRECTORY {Identifier(name).written} TO {Identifier(privileges.user).written}",
        )
        for name in sorted(directories - existing)
    ]
    known = Privileges(
        privileges.user,
        privileges.system,
        privileges.roles,
        frozenset((n, p) for n, p in held),
        privileges.quota,
    )
    unknown = directories - existing
    return findings + missing(
        end, known, wanted, [need for need in objects if need.object_name not in unknown]
    )


def _schemas(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    target_identity: DatabaseIdentity,
) -> list[Finding]:
    findings = []
    target_users = dict(_query(target, statements.USERS))
    for end, users in (("source", dict(_query(source, statements.USERS))), ("target", target_users)):
        for schema in definition.schemas:
            written = Identifier(schema).written
            if schema not in users:
                findings.append(
                    error(
                        "UNKNOWN_SCHEMA",
                        f"schema {written} does not exist in the {end}{_near(schema, users)}",
                        "correct `schemas` of the definition"
                        + (", or create the user" if end == "target" else ""),
                    )
                )
            elif users[schema] == "Y":
                findings.append(
                    error(
                        "ORACLE_SCHEMA",
                        f"schema {written} of the {end} is maintained by Oracle",
                        "remove it from `schemas` of the definition",
                    )
                )
    if target_identity.user in definition.schemas:
        findings.append(
            error(
                "LEDGER_IN_SCHEMA",
                f"the target's user {target_identity.user} owns one of the schemas to refresh and the ledger",
                "let the target's connection log in as a user of its own",
            )
        )
    for account in definition.application_accounts:
        written = Identifier(account).written
        if account not in target_users:
            findings.append(
                error(
                    "UNKNOWN_ACCOUNT",
                    f"application account {written} does not exist in the target{_near(account, target_users)}",
                    "correct `application_accounts` of the definition",
                )
            )
        elif account == target_identity.user:
            findings.append(
                error(
                    "LOCKS_ITSELF",
                    f"{written} is an application account and the user of the target's connection",
                    "remove it from `application_accounts`, or let the connection use a user of its own",
                )
            )
    if not definition.application_accounts:
        findings.append(
            warning(
                "NO_APPLICATION_ACCOUNTS",
                "the quarantine locks nobody: users can see data that is not masked yet",
                "name the accounts that use the target in `application_accounts`",
            )
        )
    existing = {(owner, name) for owner, name in _query(source, statements.TABLES, definition.schemas)}
    findings += [
        warning(
            "NO_TABLES",
            f"schema {Identifier(schema).written} of the source holds no table",
            "check `schemas` of the definition",
        )
        for schema in definition.schemas
        if schema not in {owner for owner, _ in existing}
    ]
    findings += [
        warning(
            "UNKNOWN_EXCLUDED_TABLE",
            f"exclude_tables names {table_key(*table)}, which the source does not hold",
            "correct `exclude_tables` of the definition",
        )
        for table in definition.exclude_tables
        if table not in existing
    ]
    return findings


def _masked(
    source: oracledb.Connection, definition: RefreshDefinition, masked: Sequence[tuple[str, str, str]]
) -> list[Finding]:
    columns: dict[tuple[str, str], dict[str, bool]] = {}
    for owner, table, column, virtual in _query(source, statements.COLUMNS, definition.schemas):
        columns.setdefault((owner, table), {})[column] = virtual == "YES"
    findings = []
    for owner, table, column in masked:
        where = f"{table_key(owner, table)}.{Identifier(column).written}"
        of_table = columns.get((owner, table))
        if of_table is None:
            near = _near(table_key(owner, table), (table_key(*key) for key in columns))
            problem = (
                f"the ruleset masks {where}, but the source has no table {table_key(owner, table)}{near}"
            )
        elif column not in of_table:
            near = _near(column, of_table)
            problem = f"the ruleset masks {where}, but {table_key(owner, table)} has no such column{near}"
        elif of_table[column]:
            problem = (
                f"the ruleset masks {where}, but that column is virtual: mask the columns it is computed from"
            )
        else:
            continue
        findings.append(error("UNKNOWN_MASKED_COLUMN", problem, "correct the ruleset"))
    findings += [
        warning(
            "MASKED_TABLE_EXCLUDED",
            f"the ruleset masks {table_key(*table)}, which the definition excludes",
            "remove its rules, or copy the table",
        )
        for table in definition.exclude_tables
        if table in {(owner, name) for owner, name, _ in masked}
    ]
    return findings


def _hidden_rows(
    source: oracledb.Connection, definition: RefreshDefinition, privileges: Privileges
) -> list[Finding]:
    if privileges.holds("EXEMPT ACCESS POLICY"):
        return []
    user = Identifier(privileges.user).written
    return [
        error(
            "ROWS_MAY_BE_HIDDEN",
            f"policy {policy} on {table_key(owner, name)} may hide rows from {user}",
            "let a DBA exempt the user, or exclude the table",
            f"GRANT EXEMPT ACCESS POLICY TO {user}",
        )
        for owner, name, policy in _query(source, statements.POLICIES, definition.schemas)
        if (owner, name) not in definition.exclude_tables
    ]


def _present(target: oracledb.Connection, definition: RefreshDefinition) -> list[Finding]:
    findings = []
    refreshed = {
        (owner, name)
        for owner, name in _query(target, statements.TABLES, definition.schemas)
        if (owner, name) not in definition.exclude_tables
    }
    if definition.prepare is Prepare.FAIL_IF_PRESENT and refreshed:
        names = ", ".join(table_key(*table) for table in sorted(refreshed)[:5])
        findings.append(
            error(
                "TABLES_PRESENT",
                f"the target holds {len(refreshed)} tables of the schemas already ({names} ...)",
                "drop them, or let `prepare` of the definition replace or truncate them",
            )
        )
    for owner, name, constraint, parent_owner, parent in _query(
        target, statements.FOREIGN_KEYS, definition.schemas
    ):
        outside = owner not in definition.schemas or (owner, name) in definition.exclude_tables
        if outside and (parent_owner, parent) in refreshed:
            findings.append(
                warning(
                    "REFERENCED_FROM_OUTSIDE",
                    f"foreign key {constraint} of {table_key(owner, name)}, which is not refreshed, "
                    f"references {table_key(parent_owner, parent)}, which is",
                    "disable it before the refresh and check its rows afterwards",
                )
            )
    return findings


def _near(name: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` where a known name is close."""
    candidates = {other.upper(): other for other in known}
    near = difflib.get_close_matches(name.upper(), candidates, n=1, cutoff=0.75)
    return f"; did you mean {candidates[near[0]]}?" if near else ""
