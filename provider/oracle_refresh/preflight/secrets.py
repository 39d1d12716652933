"""Whether the Airflow connections are there whose passwords the refresh needs long after it has begun."""

from __future__ import annotations

from collections.abc import Callable

from oracle_refresh.errors import RefreshError
from oracle_refresh.hooks.connections import read_key, read_password
from oracle_refresh.preflight.findings import Finding, error
from oracle_refresh.spec import RefreshDefinition


def check_secrets(definition: RefreshDefinition) -> list[Finding]:
    """The masking key, and the password that encrypts the dump files if there is one. Reads Airflow only."""
    encryption = definition.datapump.encryption_conn_id
    wanted: list[tuple[str, str, Callable[[str], object]]] = [
        ("NO_MASKING_KEY", definition.masking.key_conn_id, read_key)
    ]
    wanted += [("NO_ENCRYPTION_PASSWORD", encryption, read_password)] if encryption else []
    findings = []
    for code, conn_id, read in wanted:
        try:
            read(conn_id)
        except RefreshError as problem:
            findings.append(error(code, f"connection {conn_id!r}: {problem.message}", str(problem.remedy)))
    return findings
