"""Families of dictionary views, types of their columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.catalog.column_types import family, postgres_type


@pytest.mark.parametrize(
    ("view", "column", "expected"),
    [
        ("DBA_TABLES", "LAST_ANALYZED", "ora.oradate"),
        ("DBA_TABLES", "NUM_ROWS", "numeric"),
        ("DBA_TAB_COLUMNS", "DATA_DEFAULT", "ora.long"),
        ("USER_TAB_COLUMNS", "HIGH_VALUE", "ora.raw(1000)"),
        ("ALL_TAB_PARTITIONS", "HIGH_VALUE", "ora.long"),
        ("GV$SESSION_LONGOPS", "TIMESTAMP", "ora.oradate"),
        ("V$TRANSACTION", "START_TIME", "varchar(20)"),
        ("V$DATABASE", "CURRENT_SCN", "numeric"),
        ("DBA_CONSTRAINTS", "SEARCH_CONDITION_VC", "varchar(4000)"),
        ("V$SESSION", "SADDR", "ora.raw(8)"),
    ],
)
def test_column_types(view: str, column: str, expected: str) -> None:
    assert postgres_type(view, column) == expected


@given(st.sampled_from(["DBA_", "ALL_", "USER_"]), st.sampled_from(["TABLES", "USERS", "ALL_TABLES"]))
def test_family_strips_one_scope(scope: str, name: str) -> None:
    assert family(scope + name) == name
