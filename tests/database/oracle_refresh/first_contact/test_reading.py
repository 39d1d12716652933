"""The steps that only read, on the demo's databases with exactly what grants.sql grants."""

from __future__ import annotations

from pathlib import Path

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.first_contact.bundle import JSON, PAGE
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.parsing import parse_statements
from support.commands import command
from support.demo import DemoDatabase

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


def test_nothing_is_left_and_the_bundle_says_nothing_that_is_secret(
    connections: pytest.MonkeyPatch, demo_source: DemoDatabase, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    with demo_target.connect() as target, target.cursor() as cursor:
        cursor.execute("SELECT OWNER, OBJECT_NAME FROM DBA_OBJECTS ORDER BY 1, 2")
        before = cursor.fetchall()
    definition = str(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml")
    words = ("first-contact", "oracle_source", "oracle_target", "--definition", definition)
    assert command(*words, "--folder", str(tmp_path)) == 0
    for name in (JSON, PAGE):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "oracle_target" in text
        for secret in ("refresh_target_demo", "refresh_source_demo", "127.0.0.1", "0123456789abcdef"):
            assert secret not in text
    with demo_target.connect() as target, target.cursor() as cursor:
        cursor.execute("SELECT OWNER, OBJECT_NAME FROM DBA_OBJECTS ORDER BY 1, 2")
        assert cursor.fetchall() == before
