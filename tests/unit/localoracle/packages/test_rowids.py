"""DBMS_ROWID: the parts of a ROWID."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from localoracle.packages.dbms_rowid import build, parts


@given(st.integers(0, 64**6 - 1), st.integers(0, 1023), st.integers(0, 2**32 - 1), st.integers(0, 32767))
def test_rowid_parts_are_what_was_built(object_number, file, block, row):
    rowid = build(object_number, file, block, row)
    assert len(rowid) == 18
    assert parts(rowid) == (object_number, file, block, row)
