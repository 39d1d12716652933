"""Whether the Airflow connections are there whose passwords the refresh needs long after it has begun."""

from __future__ import annotations

from collections.abc import Callable

from oracle_refresh.definition import RefreshDefinition, TargetDefinition
from oracle_refresh.hooks.connections import read_key, read_password
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.findings import Finding, error


def check_secrets(definition: TargetDefinition) -> list[Finding]:
    """The masking key, and the password that encrypts the dump files if there is one. Reads Airflow only."""
    findings = []
    key = definition.masking.key_conn_id
    encryption = definition.datapump.encryption_conn_id if isinstance(definition, RefreshDefinition) else None
    if problem := _problem(read_key, key):
        findings.append(
            error("NO_MASKING_KEY", f"connection {key!r}: {problem.message}", str(problem.remedy))
        )
    if encryption and (problem := _problem(read_password, encryption)):
        message = f"connection {encryption!r}: {problem.message}"
        findings.append(error("NO_ENCRYPTION_PASSWORD", message, str(problem.remedy)))
    return findings


def _problem(read: Callable[[str], object], conn_id: str) -> RefreshError | None:
    try:
        read(conn_id)
    except RefreshError as problem:
        return problem
    return None
