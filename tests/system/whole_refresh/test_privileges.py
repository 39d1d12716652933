"""What the statements of the whole run take is granted by grants.sql, and nothing else is granted."""

from __future__ import annotations

import pytest

from support.grammar import sent
from support.privileges import granted, needed, templates

from .conftest import ROOT, First, Home

ROLES = {"REFRESH_SOURCE": "DATAPUMP_EXP_FULL_DATABASE", "REFRESH_TARGET": "DATAPUMP_IMP_FULL_DATABASE"}
#: For every session, and for Data Pump's own tables, which no statement shows.
ALWAYS = {"CREATE SESSION", "CREATE TABLE", "UNLIMITED TABLESPACE"}
#: For objects that the demo has none of; their statements are dictated by the source.
ELSEWHERE = {"CREATE ANY SYNONYM", "CREATE ANY PROCEDURE", "CREATE ANY TYPE"}


@pytest.mark.parametrize("user", ROLES)
def test_the_run_takes_what_is_granted_and_no_more(home: Home, first: First, user: str) -> None:
    assert first.exit_code == 0
    statements = sent(home.folder / "log" / "statements.jsonl", [user])
    taken = {name for sql in statements for name in needed(sql)}
    taken = {ROLES[user] if name == "DATAPUMP" else name for name in taken}
    source, target = (ROOT / "include" / "sql" / "grants.sql").read_text().split("-- On the TARGET")
    allowed = granted(source if user == "REFRESH_SOURCE" else target)
    assert taken - ALWAYS <= allowed, "the run takes more than is granted"
    # Not every run drops and replaces what it finds, or rewrites a table.
    at_times = {name for text in templates(ROOT / "provider" / "oracle_refresh") for name in needed(text)}
    assert allowed - ALWAYS - ELSEWHERE - at_times <= taken, "more is granted than a run takes"
