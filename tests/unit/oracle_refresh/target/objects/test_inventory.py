"""Differences of two inventories: which are told, which are accepted."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.target.objects.inventory import KINDS, Item, compare, require


def item(kind: Any = "column", name: str = "T", member: str = "C", shape: str = "1") -> Item:
    return Item(kind, "A", name, member, shape)


def test_a_missing_table_is_told_once() -> None:
    source = [item("table", member="", shape="heap"), item(), item(member="D")]
    found = compare(source, [])
    assert [str(each) for each in found.differences] == ["table A.T is missing on the target"]
    assert found.compared == 3


def test_the_target_s_own_grants_are_no_difference() -> None:
    assert compare([], [item("grant", member="SELECT to X")]).verdict == "equal"
    assert compare([], [item("index")]).verdict == "different"


def test_one_difference_that_is_not_accepted_refuses() -> None:
    found = compare([item(), item("index")], [], accept=["index"])
    assert [(each.kind, each.accepted) for each in found.differences] == [("column", False), ("index", True)]
    assert found.verdict == "different"
    assert {each.kind for each in found.refused} == {"column"}
    assert set(KINDS) >= {"column", "index"}


def test_a_clone_is_compared_with_what_it_was() -> None:
    found = compare([item(), item("index", shape="valid")], [item("index", shape="unusable")], in_place=True)
    with pytest.raises(ValidationError) as caught:
        require(found)
    assert [str(each) for each in found.differences] == [
        "column A.T C is missing since the masking",
        "index A.T C: valid before the masking, unusable now",
    ]
    assert "source" not in str(caught.value)
    with pytest.raises(ValidationError, match=r"differs from the source in 1 things.* takes a new run"):
        require(compare([item()], []))
