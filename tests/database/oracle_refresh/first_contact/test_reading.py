"""The steps that only read, on the demo's databases with exactly what grants.sql grants."""

from __future__ import annotations

from pathlib import Path

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.parsing import parse_statements
from support.demo import DemoDatabase

pytestmark = pytest.mark.slow

DEFINITION = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml")


def test_what_the_target_refuses_is_told_with_code_and_remedy(
    demo_source: DemoDatabase, demo_target: DemoDatabase, source: oracledb.Connection
) -> None:
    small = RefreshDefinition.from_json({**DEFINITION.to_json(), "schemas": ["TEST"]})
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("REVOKE DBFS_ROLE FROM REFRESH_TARGET")
        try:
            with demo_target.connect() as target:
                checks = parse_statements(source, target, small)
        finally:
            cursor.execute("GRANT DBFS_ROLE TO REFRESH_TARGET")
    (check,) = (one for one in checks if one.name == "dbfs.statements.CREATE_FILE")
    assert check.outcome is Outcome.SKIPPED
    assert "PLS-00201" in check.codes
    assert "DBFS" in (check.remedy or "")
