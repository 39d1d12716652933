"""The steps that only read, up to the first that writes, and every statement of the provider."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType

import oracledb
import pytest

import oracle_refresh
from oracle_refresh.definition import load_definition
from oracle_refresh.first_contact.bundle import JSON, PAGE
from oracle_refresh.first_contact.parsing import parse_statements
from support.builders import building
from support.commands import command
from support.demo import DemoDatabase

DEFINITION = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml")

#: It counts what the queries of an expectation suite return, which the user may have written.
COUNTS_OF_SUITES = "validation.row_counts._alone"

#: It reads the ledger of another refresh user, which is there only where another one has refreshed.
LEDGER_OF_ANOTHER = "target.quarantine.statements.held"

PROVIDER = Path(oracle_refresh.__file__).parent


def test_every_builder_is_asked(source: oracledb.Connection, target: oracledb.Connection) -> None:
    """Every function that makes a statement and leaves the sending to others, but those of laboratories."""
    called: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code: CodeType = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PROVIDER)):
            called.add((code.co_filename, code.co_firstlineno))

    sys.setprofile(note)
    try:
        parse_statements(source, target, DEFINITION)
    finally:
        sys.setprofile(None)
    missed = {one.name for one in building(PROVIDER) if (one.path, one.line) not in called}
    assert missed == {COUNTS_OF_SUITES, LEDGER_OF_ANOTHER}


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
