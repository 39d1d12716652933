"""What the whole run has sent to both databases fits Oracle's documentation."""

from __future__ import annotations

import pytest

from support.grammar import Grammar, alter_system_complaints, call_complaints

from .conftest import First


def test_every_statement_of_the_run_is_oracles(first: First, request: pytest.FixtureRequest) -> None:
    assert first.exit_code == 0
    assert len(first.statements) > 150
    grammar = Grammar.installed(request.config.cache)
    assert grammar.complaints(first.statements) == {}


def test_every_call_of_the_run_is_documented(first: First) -> None:
    assert {sql: wrong for sql in first.statements if (wrong := call_complaints(sql))} == {}
    assert {sql: wrong for sql in first.statements if (wrong := alter_system_complaints(sql))} == {}
