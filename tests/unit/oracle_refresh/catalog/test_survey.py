"""The survey's statement, and how large its sample is."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog import Lob
from oracle_refresh.catalog.survey import IN_ROW, SAMPLED_BLOCKS, SAMPLED_LOOKUPS, lob_sample, sample_percent
from support.planner_tables import MB, table


@given(st.integers(1, 10**10), st.none() | st.integers(0, 10**12), st.booleans())
def test_the_sample_is_bounded_however_large_the_table_is(
    blocks: int, rows: int | None, in_row: bool
) -> None:
    found = replace(table("T", MB, 900 * MB, blocks=blocks), rows=rows)
    found = replace(found, lobs=tuple(replace(lob, in_row=in_row) for lob in found.lobs))
    percent = sample_percent(found, blocks)
    sampled = blocks * percent / 100
    assert 0 < percent <= 100
    assert sampled <= 2 * SAMPLED_BLOCKS + 1
    if not in_row:
        each = 100 if rows is None else max(1, rows / blocks)
        assert sampled * each <= 2 * max(SAMPLED_LOOKUPS, each) + 1


def test_the_statement_counts_what_is_stored() -> None:
    lobs = (
        Lob("A", "S1", "BLOB", False, True, 8192, 1),
        Lob("B", "S2", "CLOB", False, False, 16384, 1),
        Lob("C", "S3", "BLOB", False, False, 0, 1),
    )
    text = lob_sample(replace(table("T", MB), lobs=lobs), 0.25)
    assert (
        f'CASE WHEN DBMS_LOB.GETLENGTH(T."A") > {IN_ROW} THEN CEIL(DBMS_LOB.GETLENGTH(T."A") / 8192) * 8192'
        in text
    )
    assert 'NVL(SUM(CEIL(DBMS_LOB.GETLENGTH(T."B") * 2 / 16384) * 16384), 0)' in text
    assert 'NVL(SUM(DBMS_LOB.GETLENGTH(T."C")), 0)' in text
    assert "SAMPLE BLOCK (0.250000) SEED (" in text
    assert "SAMPLE" not in lob_sample(table("T", MB, MB), 100)
