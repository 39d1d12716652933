"""Families of dictionary views, types of their columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.dictionary import documentation
from localoracle.dictionary.column_types import family, postgres_type


@pytest.mark.parametrize(
    ("documented", "expected"),
    [
        ("VARCHAR2(128)", "varchar(128)"),
        ("CHAR(1)", "bpchar(3)"),
        ("NUMBER", "numeric"),
        ("NUMBER(4)", "numeric(4)"),
        ("DATE", "ora.oradate"),
        ("RAW(8)", "ora.raw(8)"),
        ("LONG", "ora.long"),
        ("TIMESTAMP(6)", "timestamp"),
        ("TIMESTAMP(9) WITH TIME ZONE", "timestamptz"),
        ("INTERVAL DAY(9) TO SECOND(6)", "interval"),
    ],
)
def test_column_types(documented: str, expected: str) -> None:
    assert postgres_type(documented) == expected


def test_types_that_there_are_not() -> None:
    with pytest.raises(ValueError, match="XMLTYPE"):
        postgres_type("XMLTYPE")


@pytest.mark.parametrize("columns", documentation.views().values(), ids=documentation.views())
def test_every_type_of_a_view_is_known(columns: list[tuple[str, str]]) -> None:
    assert all(postgres_type(kind) for _, kind in columns)
    assert len({name for name, _ in columns}) == len(columns)


@pytest.mark.parametrize(
    ("name", "documented"),
    [
        ("DBA_TABLES", True),
        ("CDB_TABLES", True),
        ("V$SQL", True),
        ("GV_$SQL", True),
        ("V_$SESSION", True),
        ("TABS", True),
        ("DBA_NONESUCH", False),
        ("V$NONESUCH", False),
        ("CUSTOMERS", False),
        ("EXCEPTIONS", False),
    ],
)
def test_documented_views(name: str, documented: bool) -> None:
    assert documentation.is_documented_view(name) is documented


@given(st.sampled_from(["DBA_", "ALL_", "USER_"]), st.sampled_from(["TABLES", "USERS", "ALL_TABLES"]))
def test_family_strips_one_scope(scope: str, name: str) -> None:
    assert family(scope + name) == name
