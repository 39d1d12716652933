from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner(Jsonable):
    number: int
    label: str | None = None


@dataclass(frozen=True)
class Outer(Jsonable):
    inner: Inner
    many: tuple[Inner, ...]
    pair: tuple[str, int]
    pairs: tuple[tuple[str, str], ...]
    table: TableName
    by_name: dict[str, Inner]
    kind: Literal["a", "b"]
    when: datetime
    amount: Decimal
    colour: Colour
    share: float
    either: Inner | None
    anything: dict[str, Any]


inners = st.builds(Inner, st.integers(), st.none() | st.text())
outers = st.builds(
    Outer,
    inners,
    st.lists(inners).map(tuple),
    st.tuples(st.text(), st.integers()),
    st.lists(st.tuples(st.text(), st.text())).map(tuple),
    st.builds(TableName, st.text(), st.text()),
    st.dictionaries(st.text(), inners),
    st.sampled_from(["a", "b"]),
    st.datetimes(timezones=st.none() | st.just(UTC)),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.just(Colour.RED),
    st.floats(allow_nan=False),
    st.none() | inners,
    st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()),
)


@given(outers)
def test_the_way_through_json_loses_nothing(value: Outer) -> None:
    assert Outer.from_json(json.loads(json.dumps(value.to_json()))) == value


def test_an_scn_beyond_the_doubles_stays_exact() -> None:
    scn = 2**60 + 1
    assert Inner.from_json(json.loads(json.dumps(Inner(scn).to_json()))).number == scn


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"number": "1"}, "Inner.number: int is expected, not str"),
        ({"number": True}, "Inner.number: int is expected, not bool"),
        ({"number": 1, "label": 2}, "Inner.label: str is expected"),
        ({"number": 1, "colour": 2}, "Inner has no field colour"),
        ({}, "missing 1 required"),
    ],
)
def test_what_does_not_fit_is_refused(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Inner.from_json(data)


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be put into JSON"):
        Inner(object()).to_json()  # type: ignore[arg-type]
