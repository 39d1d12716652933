"""What must hold before a clone is masked where it is: nothing that the masking leaves may hold originals.

Sources: PL/SQL Packages and Types Reference 19c, DBMS_STATS, "PURGE_STATS Procedure" (its privileges);
Database Reference 19c, V$RESTORE_POINT; Backup and Recovery User's Guide 19c, "Guaranteed Restore Points".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oracle_refresh.catalog import left_out
from oracle_refresh.catalog.attributes import READ_ONLY
from oracle_refresh.catalog.exotics import clone_exotics, findings_of
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import contents, quarantine, statements
from oracle_refresh.preflight.check_constraints import check_conditions
from oracle_refresh.preflight.checks import asked
from oracle_refresh.preflight.conformity import check_conformity
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.expectations import check_expectations
from oracle_refresh.preflight.grants import check_grants
from oracle_refresh.preflight.identities import check_denied, check_open, check_role
from oracle_refresh.preflight.requirements import (
    DICTIONARY,
    clone_objects,
    clone_requirements,
    missing,
)
from oracle_refresh.preflight.rules import check_characters, check_rules
from oracle_refresh.run import ledger
from oracle_refresh.target.former.state import END_THEM, unsettled_runs

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset


#: Kinds of tables that hold rows, and that nothing here masks.
_KEEP_ROWS = frozenset(
    {
        *(left_out.QUEUE_TABLE, left_out.EXTERNAL, left_out.OBJECT_TABLE),
        *(left_out.XML_TABLE, left_out.HISTORY),
    }
)


def check_references(clone: Databases) -> Iterator[Finding]:
    """Whether tables that are not masked refer to keys that are."""
    definition, ruleset = clone.definition, clone.ruleset
    if ruleset is None:
        return
    inside = {table.full_name for table in clone.catalogue.tables}
    for owner, name, constraint, *key in rows(
        clone.target.connection, statements.FOREIGN_KEYS, names=definition.schemas
    ):
        table, parent = TableName(owner, name), TableName(*key)
        if table not in inside and ruleset.rules(*parent):
            yield error(
                "REFERENCED_FROM_OUTSIDE",
                f"foreign key {constraint} of {table.key}, which is not masked, references {parent.key},"
                " which is",
                "add its schema to the definition, or drop the foreign key",
                f"ALTER TABLE {table.sql} DROP CONSTRAINT {Identifier(constraint).sql}",
            )


def check_text_indexes(clone: Databases) -> list[Finding]:
    """Whether domain indexes keep masked values in tables of their own (Oracle Text: DR$...)."""
    return [
        error(
            "DOMAIN_INDEX",
            f"the domain index {index.key} of {table.key} may keep original values in tables of its own",
            "let its owner drop it, and create it again when the clone is masked",
            f"DROP INDEX {index.sql}",
        )
        for table in clone.catalogue.tables
        for index in table.indexes
        if index.type.endswith("DOMAIN")
        and clone.ruleset is not None
        and {column.name for column in index.columns}
        & {rule.column for rule in clone.ruleset.rules(*table.full_name)}
    ]


def check_recycled(clone: Databases) -> list[Finding]:
    """Whether dropped tables could be brought back, which nothing masks."""
    dropped = rows(clone.target.connection, statements.RECYCLED, names=clone.definition.schemas)
    return [
        error(
            "RECYCLE_BIN",
            f"{count} dropped tables of schema {Identifier(owner).written} are in the recycle bin, unmasked",
            "let their owner or a DBA purge them",
            "PURGE DBA_RECYCLEBIN",
        )
        for owner, count in dropped
    ]


def check_restore_points(clone: Databases) -> list[Finding]:
    """Whether the whole database could be flashed back to before the masking, for as long as one likes."""
    return [
        error(
            "GUARANTEED_RESTORE_POINT",
            f"guaranteed restore point {name} keeps all originals: FLASHBACK DATABASE would bring them back",
            "let a DBA drop it; make another one when the clone is masked",
            f"DROP RESTORE POINT {Identifier(name).sql}",
        )
        for (name,) in rows(clone.target.connection, statements.GUARANTEED_RESTORE_POINTS)
    ]


def check_materialized(clone: Databases) -> list[Finding]:
    """Whether materialized views hold copies of what is masked: nothing masks them."""
    ruleset = clone.ruleset
    if ruleset is None:
        return []
    found = rows(clone.target.connection, statements.MATERIALIZED_VIEWS, names=clone.definition.schemas)
    views = {
        TableName(owner, name)
        for owner, name, *of, kind in found
        if kind == "VIEW" or (ruleset.rules(*of) and of != [owner, name])
    }
    return [
        error(
            "MATERIALIZED_VIEW",
            f"the materialized view {view.key} may hold original values",
            "let its owner drop it, and create it again when the clone is masked",
            f"DROP MATERIALIZED VIEW {view.sql}",
        )
        for view in sorted(views)
    ]


def check_unmasked(clone: Databases) -> Iterator[Finding]:
    """What stays in the clone as it is, and is read by whoever may when the accounts are open again."""
    definition, ruleset = clone.definition, clone.ruleset
    for table in definition.exclude_tables:
        if ruleset is not None and ruleset.rules(*table):
            yield error(
                "LEFT_UNMASKED",
                f"the ruleset masks {table.key}, which the definition excludes: it would stay unmasked",
                "take it out of `exclude_tables`, or out of the ruleset",
            )
        else:
            yield warning(
                "EXCLUDED_STAYS",
                f"{table.key} is excluded: it stays in the clone unmasked, and nobody looks for personal data"
                " in it",
                "take it out of `exclude_tables`, or be sure that it holds none",
            )
    for skipped in clone.catalogue.skipped:
        if skipped.reason in _KEEP_ROWS:
            yield error(
                "LEFT_UNMASKED",
                f"{skipped.key} ({skipped.reason}) cannot be masked and would stay in the clone as it is",
                "empty or drop it; where it holds nothing personal, name it in `exclude_tables`",
            )


def check_read_only(clone: Databases) -> list[Finding]:
    """Whether tables that are masked take changes (ORA-12081, ORA-14466)."""
    return [
        error(
            "READ_ONLY_TABLE",
            f"{table.key}, or a partition of it, is READ ONLY: it cannot be masked",
            "let its owner make it READ WRITE, and READ ONLY again when the clone is masked",
            f"ALTER TABLE {table.sql} READ WRITE",
        )
        for table in clone.catalogue.tables
        if clone.ruleset is not None
        and clone.ruleset.rules(*table.full_name)
        and (READ_ONLY in table.attributes or any(each.read_only for each in table.partitions))
    ]


def check_history(clone: Databases) -> Iterator[Finding]:
    """Whether statistics of originals could be restored afterwards."""
    definition = clone.definition
    assert isinstance(definition, CloneDefinition)
    if definition.purge_statistics_history or clone.ruleset is None:
        return
    masked = sum(bool(clone.ruleset.rules(*table.full_name)) for table in clone.catalogue.tables)
    if masked:
        yield error(
            "STATISTICS_HISTORY",
            f"new statistics of {masked} masked tables save the former ones, which hold original values"
            " (DBMS_STATS.RESTORE_TABLE_STATS)",
            "set `purge_statistics_history: true` in the definition: the history of the whole database goes",
        )


def _rules(clone: Databases) -> Iterator[Finding]:
    if clone.ruleset is not None:
        yield from check_rules(clone.ruleset, clone.catalogue, clone.definition)
        surroundings = clone.target.surroundings
        yield from check_characters(clone.ruleset, clone.catalogue, surroundings, surroundings)


def check_settled(clone: Databases) -> Iterator[Finding]:
    """Whether refreshes have tables aside: what stands in their place is not proven, and may go again."""
    target = clone.target.connection
    runs = unsettled_runs(target) if ledger.OWN.is_current(target) else []
    if runs:
        yield error(
            "TABLES_ASIDE",
            f"refreshes have set tables aside and are not ended: {', '.join(runs[:10])}",
            END_THEM,
        )


def check_identity(clone: Databases) -> list[Finding]:
    """Whether this is the database that the definition is about."""
    definition, identity = clone.definition, clone.target.identity
    assert isinstance(definition, CloneDefinition)
    if definition.database.upper() in {name.upper() for name in identity.names}:
        return []
    return [
        error(
            "OTHER_DATABASE",
            f"the database answers to {', '.join(identity.names)}, and not to {definition.database!r}",
            "look where the connection leads; name the clone in `database` of the definition only when it is"
            " the one whose rows are to be masked",
        )
    ]


#: What is asked of a clone whose dictionary can be read.
CHECKS = (
    check_identity,
    lambda clone: check_denied(clone.definition, clone.target.identity),
    lambda clone: check_open("target", clone.target.identity, "open it READ WRITE: its rows are changed"),
    contents.check_cloned_schemas,
    contents.check_tables,
    contents.check_hidden_rows,
    contents.check_tracked,
    contents.check_logged,
    contents.check_masked_columns,
    *quarantine.CHECKS,
    check_settled,
    lambda clone: findings_of(clone_exotics(clone.catalogue)),
    check_references,
    check_text_indexes,
    check_recycled,
    check_restore_points,
    check_materialized,
    check_history,
    check_unmasked,
    check_read_only,
    _rules,
    check_conditions,
    check_conformity,
    check_expectations,
)


def check_clone(
    target: oracledb.Connection,
    definition: CloneDefinition,
    role: str | None,
    ruleset: Ruleset | None = None,
) -> list[Finding]:
    """Everything that stands against masking this database where it is. Changes nothing.

    :param role: `refresh_role` in the extra of the Airflow connection, None if absent.
    :raises oracledb.Error: if a connection breaks; a missing privilege is a finding instead.
    """
    return check_cloned(Databases.of(target, target, definition, ruleset), role)


def check_cloned(clone: Databases, role: str | None) -> list[Finding]:
    """The same of a clone that is looked at already."""
    definition, target = clone.definition, clone.target.connection
    assert isinstance(definition, CloneDefinition)
    findings = check_role("target", definition.target.conn_id, role)
    privileges, wanted = clone.target.privileges, clone_requirements(definition)
    if not any(privileges.holds(name) for name in DICTIONARY):
        return findings + missing("target", privileges, wanted)
    findings += check_grants("target", target, privileges, wanted, clone_objects())
    return [*findings, *asked(clone, CHECKS)]
