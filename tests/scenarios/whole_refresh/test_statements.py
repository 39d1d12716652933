"""What the whole run has sent to both databases fits Oracle's documentation."""

from __future__ import annotations

import pytest

from support.grammar import alter_system_complaints, call_complaints, sent

from .conftest import First, Home

pytestmark = pytest.mark.scenario


def test_every_call_of_the_run_is_documented(home: Home, first: First) -> None:
    assert first.exit_code == 0
    statements = sent(home.folder / "log" / "statements.jsonl", ["REFRESH_SOURCE", "REFRESH_TARGET"])
    assert len(statements) > 150
    assert {sql: wrong for sql in statements if (wrong := call_complaints(sql))} == {}
    assert {sql: wrong for sql in statements if (wrong := alter_system_complaints(sql))} == {}
