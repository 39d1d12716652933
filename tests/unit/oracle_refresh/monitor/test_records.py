"""The shape of a DAG, and the names of what mapped tasks are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.monitor.records import Shape, not_begun_again
from support.watched_runs import a_run, a_try


@st.composite
def acyclic(draw: st.DrawFn) -> dict[str, list[str]]:
    names = [f"t{number}" for number in range(draw(st.integers(1, 12)))]
    needs = {name: draw(st.lists(st.sampled_from(names[:place] or [name]), unique=True)) for place, name in
             enumerate(names)}  # fmt: skip
    needs[names[0]] = []
    return dict(draw(st.permutations(list(needs.items()))))


@given(acyclic())
def test_no_task_stands_before_one_it_needs(upstream: dict[str, list[str]]) -> None:
    shape = Shape.of(upstream)
    assert sorted(shape.order) == sorted(upstream)
    for place, task in enumerate(shape.order):
        assert set(upstream[task]) <= set(shape.order[:place])


def test_a_circle_is_refused() -> None:
    with pytest.raises(ValueError, match="circle"):
        Shape.of({"a": ["b"], "b": ["a"]})


def test_an_instance_is_named_before_it_has_begun() -> None:
    run = a_run(
        a_try("plan", -1, 0, 1),
        a_try("shard.export", 0, 1, 2, item="S001"),
        a_try("shard.export", 1),
        a_try("shard.load", 1),
        results={("plan", -1): ["S001", "S002"]},
    )
    assert run.items == {
        ("shard.export", 0): "S001", ("shard.export", 1): "S002", ("shard.load", 1): "S002",
    }  # fmt: skip


def test_a_list_that_is_too_short_names_nothing() -> None:
    run = a_run(a_try("shard.export", 3), results={("plan", -1): ["S001"]})
    assert run.items == {("shard.export", 3): "shard 3"}


@pytest.mark.parametrize("state", ["up_for_retry", None])
def test_a_try_that_is_only_to_come_has_no_times(state: str | None) -> None:
    """Airflow keeps number and times of the failed try until the next one begins."""
    failed = a_try("shard.export", 0, 1, 9, "failed", item="S001")
    kept = a_try("shard.export", 0, 1, 9, state or "success", item="S001")
    (found,) = not_begun_again([kept], [failed])
    assert (found.start, found.end, found.state, found.number) == (None, None, kept.state, 1)
    again = a_try("shard.export", 0, 12, number=2)
    assert not_begun_again([again], [failed]) == (again,)
