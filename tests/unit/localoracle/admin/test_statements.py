"""Which statements are administrative, and the sizes in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.sql.dispatch import Kind, classify
from localoracle.sql.parsing.sizes import parse_size


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["GRANT", "SELECT"], True),
        (["CREATE", "USER"], True),
        (["CREATE", "TEMPORARY", "TABLESPACE"], True),
        (["CREATE", "GLOBAL", "TEMPORARY"], False),
        (["CREATE", "TABLE"], False),
        (["ALTER", "TABLE"], False),
        (["ALTER", "SESSION"], True),
        (["SET", "TRANSACTION"], False),
        (["SELECT"], False),
        ([], False),
    ],
)
def test_which_statements_are_administrative(words: list[str], expected: bool) -> None:
    assert (classify(" ".join(words)) is Kind.ADMIN) is expected


@given(st.integers(min_value=0, max_value=10**6), st.sampled_from(["", "K", "M", "G", "t"]))
def test_sizes(number: int, unit: str) -> None:
    assert parse_size(f"{number}{unit}") == number * 1024 ** " KMGT".index(unit.upper() or " ")


@pytest.mark.parametrize("text", ["", "M", "1X", "-1", "1.5G"])
def test_what_is_no_size(text: str) -> None:
    assert parse_size(text) is None
