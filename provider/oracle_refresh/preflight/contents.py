"""Whether the databases hold what the definition and the ruleset name, and nothing that stands against it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.definition import CloneDefinition, Prepare, TargetDefinition
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.remedies import KEYSTORE
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.target.objects.statements import ROLES

if TYPE_CHECKING:
    import oracledb


def check_schemas(both: Databases) -> list[Finding]:
    """Whether every schema exists at both ends and is none of Oracle's own."""
    definition, target = both.definition, both.target.connection
    there = dict(rows(both.source.connection, statements.USERS))
    here = dict(rows(target, statements.USERS))
    create = {
        schema: _create_owner(schema, _default_tablespace(target))
        for schema in definition.schemas
        if schema in there and schema not in here
    }
    return [
        *_check_schemas("source", definition, there, {}),
        *_check_schemas("target", definition, here, create),
    ]


def check_cloned_schemas(clone: Databases) -> list[Finding]:
    """Whether every schema exists in a clone and is none of Oracle's own."""
    users = dict(rows(clone.target.connection, statements.USERS))
    return [*_check_schemas("target", clone.definition, users, {})]


def _check_schemas(
    end: str, definition: TargetDefinition, users: Mapping[str, str], create: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    """:param create: statements that create the owners which are missing at this end."""
    for schema in definition.schemas:
        written = Identifier(schema).written
        if schema not in users:
            yield error(
                "UNKNOWN_SCHEMA",
                f"schema {written} does not exist in the {end}{near(schema, users)}",
                "let a DBA create its owner, or correct `schemas` of the definition"
                if schema in create
                else "correct `schemas` of the definition",
                *create.get(schema, ()),
            )
        elif users[schema] == "Y":
            yield error(
                "ORACLE_SCHEMA",
                f"schema {written} of the {end} is maintained by Oracle",
                "remove it from `schemas` of the definition",
            )


def _create_user(name: str, *clauses: str) -> tuple[str, ...]:
    written = Identifier(name).written
    words = (f'CREATE USER {written} IDENTIFIED BY "<password>"', *clauses)
    return " ".join(words), f"GRANT CREATE SESSION TO {written}"


def _create_owner(schema: str, tablespace: str) -> tuple[str, ...]:
    """What owns tables needs a quota on the tablespace that they are built in."""
    name = Identifier(tablespace).written
    return _create_user(schema, f"DEFAULT TABLESPACE {name} QUOTA UNLIMITED ON {name}")


def _default_tablespace(connection: oracledb.Connection) -> str:
    return str(scalar(connection, statements.DEFAULT_TABLESPACE))


def near(name: str, possible: Iterable[str]) -> str:
    """`; did you mean ...?` where a possible name is close."""
    candidates = {other.upper(): other for other in possible}
    close = difflib.get_close_matches(name.upper(), candidates, n=1, cutoff=0.75)
    return f"; did you mean {candidates[close[0]]}?" if close else ""


def check_grantees(both: Databases) -> list[Finding]:
    """Whether those who hold privileges on the source's objects are there on the target."""
    target, schemas = both.target.connection, both.definition.schemas
    there = {row[0] for row in (*rows(target, statements.USERS), *rows(target, ROLES))}
    return [
        warning(
            "UNKNOWN_GRANTEE",
            f"{'user' if user else 'role'} {Identifier(grantee).written} holds privileges on the source's"
            " objects and does not exist in the target: they are not granted there",
            "create it on the target if it is needed there",
            *(_create_user(grantee) if user else (f"CREATE ROLE {Identifier(grantee).sql}",)),
        )
        for grantee, user in sorted(rows(both.source.connection, statements.GRANTEES, names=schemas))
        if grantee != "PUBLIC" and grantee not in there
    ]


def check_collations(both: Databases) -> list[Finding]:
    """Whether the target takes the collations that columns of the source have of their own."""
    definition, source = both.definition, both.source.connection
    columns = [
        f"{TableName(owner, table).key}.{Identifier(column).written} ({collation})"
        for owner, table, column, collation in rows(source, statements.COLLATIONS, names=definition.schemas)
        if (owner, table) not in definition.exclude_tables
    ]
    if not columns or both.target.surroundings.settings.get("max_string_size") == "EXTENDED":
        return []
    more = f" and {len(columns) - 10} more" if len(columns) > 10 else ""
    return [
        error(
            "COLLATIONS_NOT_POSSIBLE",
            f"{len(columns)} columns have a collation of their own, which the target refuses while its"
            f" MAX_STRING_SIZE is STANDARD (ORA-43929): {', '.join(sorted(columns)[:10])}{more}",
            "exclude their tables, or let a DBA migrate the target to MAX_STRING_SIZE = EXTENDED for good",
        )
    ]


def check_accounts(both: Databases) -> Iterator[Finding]:
    """Whether the quarantine can lock what it shall lock, and spares the user that works."""
    definition, user = both.definition, both.target.identity.user
    users = dict(rows(both.target.connection, statements.USERS))
    if user in definition.schemas:
        yield error(
            "LEDGER_IN_SCHEMA",
            f"the target's user {user} owns one of the schemas to refresh, and the ledger would be in it",
            "let the target's connection log in as a user of its own",
        )
    if user in definition.application_accounts:
        yield error(
            "LOCKS_ITSELF",
            f"{user} is an application account and the user of the target's connection",
            "remove it from `application_accounts`, or let the connection use a user of its own",
        )
    yield from (
        error(
            "UNKNOWN_ACCOUNT",
            f"the target has no application account {Identifier(account).written}{near(account, users)}",
            "correct `application_accounts` of the definition, or let a DBA create the user",
            *_create_user(account),
        )
        for account in definition.application_accounts
        if account not in users and account not in definition.schemas
    )
    if not definition.application_accounts:
        yield warning(
            "NO_APPLICATION_ACCOUNTS",
            "the quarantine locks nobody: users can see data that is not masked yet",
            "name the accounts that use the target in `application_accounts`",
        )


def check_tables(both: Databases) -> Iterator[Finding]:
    """Whether there is anything to copy, and whether excluded tables exist at all."""
    definition = both.definition
    existing = set(rows(both.source.connection, statements.TABLES, names=definition.schemas))
    owners = {owner for owner, _ in existing}
    yield from (
        warning(
            "NO_TABLES",
            f"schema {Identifier(schema).written} of the source holds no table",
            "check `schemas` of the definition",
        )
        for schema in definition.schemas
        if schema not in owners
    )
    yield from (
        warning(
            "UNKNOWN_EXCLUDED_TABLE",
            f"exclude_tables names {table.key}, which the source does not hold",
            "correct `exclude_tables` of the definition",
        )
        for table in definition.exclude_tables
        if table not in existing
    )


def check_masked_columns(both: Databases) -> Iterator[Finding]:
    """Whether the source has every column that the ruleset names; the nearest one where it has not."""
    if both.ruleset is None:
        return
    definition, catalogue, masked = both.definition, both.catalogue, both.ruleset.columns()
    columns = {table.full_name: {column.name for column in table.columns} for table in catalogue.tables}
    left_out = {table.full_name for table in catalogue.skipped}
    for owner, name, column in masked:
        table = TableName(owner, name)
        if owner not in definition.schemas or table in left_out:
            continue  # a finding of its own is about the whole table
        where = f"{table.key}.{Identifier(column).written}"
        of_table = columns.get(table)
        if of_table is None:
            close = near(table.key, (each.key for each in columns))
            problem = f"the ruleset masks {where}, but the source has no table {table.key}{close}"
        elif column not in of_table:
            close = near(column, of_table)
            problem = f"the ruleset masks {where}, but {table.key} has no such column{close}"
        else:
            continue
        yield error("UNKNOWN_MASKED_COLUMN", problem, "correct the ruleset")
    yield from (
        warning(
            "MASKED_TABLE_EXCLUDED",
            f"the ruleset masks {table.key}, which the definition excludes",
            "remove its rules, or copy the table",
        )
        for table in definition.exclude_tables
        if table in {(owner, name) for owner, name, _ in masked}
    )


def check_hidden_rows(both: Databases) -> list[Finding]:
    """Whether security policies hide rows from the source's user."""
    definition, privileges = both.definition, both.source.privileges
    if privileges.holds("EXEMPT ACCESS POLICY"):
        return []
    user = Identifier(privileges.user).written
    return [
        error(
            "ROWS_MAY_BE_HIDDEN",
            f"policy {policy} on {TableName(owner, name).key} may hide rows from {user}",
            "let a DBA exempt the user, or exclude the table",
            f"GRANT EXEMPT ACCESS POLICY TO {user}",
        )
        for owner, name, policy in rows(both.source.connection, statements.POLICIES, names=definition.schemas)
        if (owner, name) not in definition.exclude_tables
    ]


def check_encryption(both: Databases) -> Iterator[Finding]:
    """What becomes of rows that are encrypted on disk (TDE). The source is asked once which they are."""
    encrypted = read_encrypted(both)
    yield from check_dumps(both, encrypted)
    yield from check_keystores(both, encrypted)


@dataclass(frozen=True)
class Encrypted:
    """Tables of the source.

    :ivar columns: those that have encrypted columns.
    :ivar segments: those that have rows in encrypted tablespaces.
    """

    columns: frozenset[TableName]
    segments: frozenset[TableName]

    @property
    def keys(self) -> list[str]:
        return sorted(table.key for table in self.columns | self.segments)


def read_encrypted(both: Databases) -> Encrypted:
    definition = both.definition
    found = rows(both.source.connection, statements.ENCRYPTED_TABLESPACES, names=definition.schemas)
    segments = frozenset(TableName(owner, name) for owner, name in found)
    columns = frozenset(table.full_name for table in both.catalogue.tables if table.encrypted_columns)
    return Encrypted(columns, segments - {*definition.exclude_tables})


def check_dumps(both: Databases, encrypted: Encrypted) -> list[Finding]:
    """Whether the source encrypts rows on its disks that the dump files would hold in clear.

    Utilities 19c, "ENCRYPTION" of expdp: without it Data Pump decrypts columns and blocks as it reads them.
    """
    definition, keys = both.refresh, encrypted.keys
    if not keys or definition.datapump.encryption_conn_id or definition.datapump.over_link:
        return []
    return [
        warning(
            "DUMPS_NOT_ENCRYPTED",
            f"the source encrypts {len(keys)} tables on its disks (TDE): {', '.join(keys[:5])}"
            f"{' ...' if len(keys) > 5 else ''}; the dump files hold their rows in clear",
            "name an Airflow connection with a password as datapump.encryption_conn_id",
        )
    ]


def check_keystores(both: Databases, encrypted: Encrypted) -> Iterator[Finding]:
    """Whether the keystores are open where rows are encrypted on disk. A column that is so on the source will
    be on the target. Dump files are encrypted with a password, and need no keystore.

    Database Reference 19c, V$ENCRYPTION_WALLET.
    """
    if keys := encrypted.keys:
        yield from _keystore("source", both.source.connection, keys[0])
    target, definition = both.target.connection, both.refresh
    defaults = dict(rows(target, statements.DEFAULT_TABLESPACES, names=definition.schemas))
    places = sorted({*defaults.values(), *definition.storage.tablespaces.values()})
    found = rows(target, statements.ENCRYPTED_PLACES, names=places) if places else []
    columns = sorted(table.key for table in encrypted.columns)
    examples = [*columns, *(f"tablespace {name}" for (name,) in found)]
    if examples:
        yield from _keystore("target", target, examples[0])


def _keystore(end: str, connection: oracledb.Connection, encrypted: str) -> Iterator[Finding]:
    """:param encrypted: an example of what is."""
    states = sorted({str(state) for (state,) in rows(connection, statements.KEYSTORE)})
    if "OPEN" not in states:
        yield warning(
            "KEYSTORE_NOT_OPEN",
            f"{encrypted} is encrypted on disk (TDE), and the {end}'s keystore is"
            f" {' and '.join(states) or 'not there'}: rows can be neither read nor written (ORA-28365)",
            KEYSTORE,
        )


def check_tracked(both: Databases) -> list[Finding]:
    """Whether flashback archives of the target would keep the rows of refreshed tables."""
    tracked = set(rows(both.target.connection, statements.TRACKED, names=both.definition.schemas))
    return [
        error(
            "UNDER_FLASHBACK_ARCHIVE",
            f"{table.key} of the target is under a flashback archive: it cannot be dropped (ORA-55610), and"
            " its history would show rows as they were before the masking",
            "let a DBA end that, or exclude the table",
            f"ALTER TABLE {table.sql} NO FLASHBACK ARCHIVE",
        )
        for table in both.catalogue.tables
        if table.full_name in tracked
    ]


def check_logged(both: Databases) -> list[Finding]:
    """Whether materialized view logs of the target would keep what the masking changes.

    A log records old values of its table's key and of the columns it was made with (SQL Language Reference
    19c, CREATE MATERIALIZED VIEW LOG, "WITH Clause" and "NEW VALUES Clause"); TRUNCATE preserves it, and DROP
    TABLE drops it.
    """
    definition = both.definition
    stays = isinstance(definition, CloneDefinition) or both.refresh.prepare is Prepare.TRUNCATE
    if not stays or both.ruleset is None:
        return []
    logged = set(rows(both.target.connection, statements.LOGGED, names=definition.schemas))
    return [
        error(
            "MATERIALIZED_VIEW_LOG",
            f"{table.key} of the target has a materialized view log, in which the masking would leave"
            " original values",
            "let a DBA drop the log and create it again after the refresh, or let `prepare` of the definition"
            " replace the table, with which the log goes",
            f"DROP MATERIALIZED VIEW LOG ON {table.sql}",
        )
        for table in both.catalogue.tables
        if table.full_name in logged and both.ruleset.rules(*table.full_name)
    ]


def check_present_tables(both: Databases) -> Iterator[Finding]:
    """Whether tables that the target holds may be replaced, and whether others depend on them."""
    definition, target = both.refresh, both.target.connection
    present = {
        TableName(*row)
        for row in rows(target, statements.TABLES, names=definition.schemas)
        if row not in definition.exclude_tables
    }
    if definition.prepare is Prepare.FAIL_IF_PRESENT and present:
        names = ", ".join(table.key for table in sorted(present)[:5])
        yield error(
            "TABLES_PRESENT",
            f"the target holds {len(present)} tables of the schemas already ({names} ...)",
            "drop them, or let `prepare` of the definition replace or truncate them",
        )
    refreshed = present & set(rows(both.source.connection, statements.TABLES, names=definition.schemas))
    for owner, name, constraint, *key in rows(target, statements.FOREIGN_KEYS, names=definition.schemas):
        table, parent = TableName(owner, name), TableName(*key)
        if parent in refreshed and table not in refreshed:
            yield error(
                "REFERENCED_FROM_OUTSIDE",
                f"foreign key {constraint} of {table.key}, which is not refreshed, "
                f"references {parent.key}, which is",
                "drop it before the refresh and add it again afterwards, or refresh its table as well",
                f"ALTER TABLE {table.sql} DROP CONSTRAINT {Identifier(constraint).sql}",
            )


CHECKS = (
    check_schemas,
    check_accounts,
    check_tables,
    check_hidden_rows,
    check_encryption,
    check_collations,
    check_grantees,
    check_present_tables,
    check_tracked,
    check_logged,
    check_masked_columns,
)
