"""What the whole run has sent to both databases fits Oracle's documentation."""

from __future__ import annotations

import pytest

from support.grammar import Grammar, alter_system_complaints, call_complaints, sent

from .conftest import First, Home

pytestmark = pytest.mark.scenario


@pytest.fixture(scope="module")
def statements(home: Home, first: First) -> list[str]:
    assert first.exit_code == 0
    found = sent(home.folder / "log" / "statements.jsonl", ["REFRESH_SOURCE", "REFRESH_TARGET"])
    assert len(found) > 150
    return found


def test_every_statement_of_the_run_is_oracles(statements: list[str], request: pytest.FixtureRequest) -> None:
    grammar = Grammar.installed(request.config.cache.mkdir("plsql_grammar"))
    assert grammar.complaints(statements) == {}


def test_every_call_of_the_run_is_documented(statements: list[str]) -> None:
    assert {sql: wrong for sql in statements if (wrong := call_complaints(sql))} == {}
    assert {sql: wrong for sql in statements if (wrong := alter_system_complaints(sql))} == {}
