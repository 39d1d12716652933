"""The statement that counts the LOBs of a column."""

from __future__ import annotations

from oracle_refresh.catalog import Lob
from oracle_refresh.catalog.lob_profile import lob_profile
from support.planner_tables import MB, table


def test_the_length_of_a_lob_is_computed_once() -> None:
    """Oracle merges a view that is only a list of expressions, and computes each wherever it is used."""
    text = lob_profile(table("T", MB, MB), Lob("A", "S1", "CLOB", False, True, 8192, 1), 0.25)
    assert text.count("GETLENGTH") == 1
    assert '(SELECT /*+ NO_MERGE */ DBMS_LOB.GETLENGTH(T."A") * 2 AS SIZE_BYTES FROM' in text
    assert "SAMPLE BLOCK (0.250000) SEED (" in text
