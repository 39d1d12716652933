"""Preflight checks of changed demo databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.preflight import Finding

ROOT = Path(__file__).parents[2]
DEMO = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")


def changed(**fields: Any) -> RefreshDefinition:
    return RefreshDefinition.from_json({**DEMO.to_json(), **fields})


def codes(findings: list[Finding], severity: str = "error") -> list[str]:
    return [finding.code for finding in findings if finding.severity == severity]


@contextmanager
def system(database: Any, before: str, after: str) -> Iterator[None]:
    """Run one statement as a DBA before the block and its inverse after it."""
    with database.sys() as connection, connection.cursor() as cursor:
        cursor.execute(before)
        try:
            yield
        finally:
            cursor.execute(after)
