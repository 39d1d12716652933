from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog import Extent
from oracle_refresh.plan.ranges import Stretch, cut, stretches, usable
from oracle_refresh.plan.rowid import LAST_ROW, Rowid
from support.planner_rows import DATA_OBJECT, Row, extent, holds, surveyed

parts = st.builds(
    Rowid,
    st.integers(0, 2**32 - 1),
    st.integers(0, 1023),
    st.integers(0, 2**22 - 1),
    st.integers(0, LAST_ROW),
)


@given(parts, parts)
def test_rowids_are_the_same_as_text_and_as_numbers(one: Rowid, other: Rowid) -> None:
    assert Rowid.parse(str(one)) == one
    assert len(str(one)) == 18
    assert (one == other) == (str(one) == str(other))


def test_a_rowid_of_the_documentation_is_read() -> None:
    """Database Concepts 19c, "Rowid Format": AAAPec AAF AAAABS AAA is file 5, block 82, row 0."""
    assert Rowid.parse("AAAPecAAFAAAABSAAA") == Rowid(63388, 5, 82, 0)


@pytest.mark.parametrize("text", ["", "AAAPecAAFAAAABSAA", "AAAPecAAFAAAABSAA!", "AAAPecAAFAAAABSAAAA"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an extended rowid"):
        Rowid.parse(text)


def test_numbers_too_large_for_their_digits_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        str(Rowid(1, 64**3, 1))


@st.composite
def segments(draw: st.DrawFn) -> list[Any]:
    """Extents with gaps in several files, some with LOBs in their blocks."""
    found = []
    for fno in sorted(draw(st.sets(st.integers(1, 1023), min_size=1, max_size=3))):
        block = draw(st.integers(1, 200))
        for _ in range(draw(st.integers(1, 8))):
            size = draw(st.sampled_from([1, 8, 128, 1024]))
            found.append((fno, block, size))
            block += size + draw(st.integers(0, 50))
    return found


@pytest.mark.slow
@given(segments(), st.integers(1, 40), st.data())
def test_every_row_is_in_one_range_wherever_it_lies(
    found: list[tuple[int, int, int]], count: int, data: st.DataObject
) -> None:
    places = st.sampled_from(found).flatmap(
        lambda one: st.tuples(st.just(one[0]), st.integers(one[1], one[1] + one[2] - 1))
    )
    lobs = data.draw(st.dictionaries(places, st.integers(0, 10**9), max_size=20))
    survey = surveyed(*(extent(*one) for one in found), lobs=lobs)
    assert usable(survey)
    ranges = cut(stretches(survey, sum(lobs.values())), count)
    assert 1 <= len(ranges) <= count
    whole = sum(lobs.values()) + sum(one.bytes for one in survey.extents)
    assert sum(one.weight for one in ranges) == pytest.approx(whole)
    # Inside an extent, in a gap, before the first, behind the last, in another file, of another data object.
    anywhere = st.builds(
        Rowid,
        st.sampled_from([DATA_OBJECT, DATA_OBJECT, DATA_OBJECT, 1, DATA_OBJECT + 1]),
        st.integers(0, 1023),
        st.integers(0, 20_000),
        st.integers(0, LAST_ROW),
    )
    inside = places.flatmap(
        lambda place: st.builds(Rowid, st.just(DATA_OBJECT), *map(st.just, place), st.integers(0, LAST_ROW))
    )
    for rowid in data.draw(st.lists(st.one_of(anywhere, inside), max_size=30)):
        row = Row(rowid, 0)
        assert sum(one.predicate is None or holds(one.predicate, row) for one in ranges) == 1
    for one in ranges:  # the borders themselves
        for border in (one.low, one.high):
            if border:
                held = [other for other in ranges if holds(other.predicate or "", Row(border, 0))]
                assert held == [one]


@given(
    st.lists(st.tuples(st.integers(1, 500), st.integers(0, 10**6)), min_size=1, max_size=30),
    st.integers(1, 20),
)
def test_ranges_weigh_the_same_but_for_one_block(found: list[tuple[int, int]], count: int) -> None:
    block, made = 0, []
    for blocks, weight in found:
        made.append(Stretch(Rowid(1, 1, block), blocks, float(weight)))
        block += blocks
    ranges = cut(made, count)
    heaviest = max(part.weight / part.blocks for part in made)
    total = sum(part.weight for part in made)
    assert all(one.weight <= total / count + heaviest * 1.001 + 1e-6 for one in ranges)


def test_the_first_is_open_below_and_the_last_above() -> None:
    survey = surveyed(extent(5, 128, 100))
    first, middle, last = cut(stretches(survey, 0), 3)
    assert (first.predicate, last.predicate) == (
        f"ROWID <= CHARTOROWID('{Rowid(DATA_OBJECT, 5, 160, LAST_ROW)}')",
        f"ROWID >= CHARTOROWID('{Rowid(DATA_OBJECT, 5, 195, 0)}')",
    )
    assert middle.predicate == (
        f"ROWID BETWEEN CHARTOROWID('{Rowid(DATA_OBJECT, 5, 161, 0)}')"
        f" AND CHARTOROWID('{Rowid(DATA_OBJECT, 5, 194, LAST_ROW)}')"
    )


def test_samples_move_the_borders_to_where_the_lobs_are() -> None:
    lobs = {(1, 8 + block): 1_000_000 for block in range(10)}
    survey = surveyed(extent(1, 8, 1000), lobs=lobs)
    first, last = cut(stretches(survey, 10_000_000), 2)
    assert first.high is not None
    assert first.high.block < 8 + 32
    assert first.weight == pytest.approx(last.weight, rel=0.1)


@pytest.mark.parametrize(
    "survey",
    [
        None,
        surveyed(),
        surveyed(extent(1, 8, 8), extent(1, 16, 8, data_object=5)),
        surveyed(Extent(1024, 8, 8, 65536, str(Rowid(1, 0, 8)))),
    ],
)
def test_extents_that_mean_something_else_are_not_used(survey: Any) -> None:
    assert not usable(survey)
