"""The preflight: all checks, read-only, in the order in which one failure makes the next ones pointless."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.catalog import DatabaseIdentity, identify
from oracle_refresh.catalog.exotics import exotic_findings
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.preflight.contents import (
    check_accounts,
    check_collations,
    check_grantees,
    check_hidden_rows,
    check_masked_columns,
    check_present_tables,
    check_schemas,
    check_tables,
    check_tracked,
)
from oracle_refresh.preflight.ends import check_identities, check_roles
from oracle_refresh.preflight.fit import check_fit, check_instance, check_room
from oracle_refresh.preflight.grants import check_grants, read_privileges
from oracle_refresh.preflight.quotas import check_quotas, read_placed, read_quotas
from oracle_refresh.preflight.requirements import (
    DICTIONARY,
    PUBLIC_PACKAGES,
    missing,
    source_objects,
    source_requirements,
    target_objects,
    target_requirements,
)
from oracle_refresh.preflight.rules import check_characters, check_partitions, check_rules
from oracle_refresh.preflight.surroundings import read_contents, read_surroundings
from oracle_refresh.preflight.transport import check_link

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset

NOT_VISIBLE = frozenset({"ORA-00942", "ORA-01031"})


def check(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    source_role: str | None,
    target_role: str | None,
    ruleset: Ruleset | None = None,
) -> list[Finding]:
    """Everything that stands against this refresh. Reads both databases, changes neither.

    :param source_role: `refresh_role` in the extra of the source's Airflow connection, None if absent.
    :param target_role: the same of the target's connection.
    :param ruleset: whose rules have to fit the columns of the source, if any.
    :raises oracledb.Error: if a connection breaks; a missing privilege is a finding instead.
    """
    findings = check_roles(definition, source_role, target_role)
    source_privileges, target_privileges = read_privileges(source), read_privileges(target)
    readable = True
    for end, connection, privileges, wanted, objects in (
        (
            "source",
            source,
            source_privileges,
            source_requirements(definition, source_privileges.user),
            (*source_objects(definition), *PUBLIC_PACKAGES),
        ),
        (
            "target",
            target,
            target_privileges,
            target_requirements(definition),
            (*target_objects(definition), *PUBLIC_PACKAGES),
        ),
    ):
        if any(privileges.holds(name) for name in DICTIONARY):
            findings += check_grants(end, connection, privileges, wanted, objects)
        else:
            findings += missing(end, privileges, wanted)
            readable = False
    if not readable:
        return findings
    try:
        source_identity, target_identity = identify(source), identify(target)
        findings += check_identities(definition, source_identity, target_identity)
        findings += check_schemas(source, target, definition)
        findings += check_accounts(target, target_identity.user, definition)
        findings += check_tables(source, definition)
        catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
        findings += exotic_findings(catalogue)
        findings += check_hidden_rows(source, definition, source_privileges)
        findings += check_collations(source, target, definition)
        findings += check_grantees(source, target, definition)
        findings += check_present_tables(source, target, definition)
        findings += check_tracked(target, definition, catalogue)
        findings += check_partitions(catalogue)
        findings += check_link(target, source_identity, definition)
        findings += check_quotas(
            definition,
            read_placed(source, definition.schemas),
            read_quotas(target, definition.schemas),
        )
        findings += check_surroundings(source, target, definition, source_identity, target_identity)
        if ruleset is not None:
            findings += check_masked_columns(catalogue, definition, ruleset.columns())
            findings += check_rules(ruleset, catalogue, definition)
            findings += check_characters(
                ruleset, catalogue, read_surroundings(source), read_surroundings(target)
            )
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


def check_surroundings(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    source_identity: DatabaseIdentity,
    target_identity: DatabaseIdentity,
) -> list[Finding]:
    """Whether the databases fit together, and their instances can take the refresh. Reads only."""
    of_source, of_target = read_surroundings(source), read_surroundings(target)
    copied = read_contents(source, definition)
    return [
        *check_fit(definition, of_source, of_target, copied),
        *check_instance("source", definition, of_source, read_limits(source), source_identity.container),
        *check_instance("target", definition, of_target, read_limits(target), target_identity.container),
        *check_room(definition, copied, read_contents(target, definition)),
    ]
