from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.plan.balance import (
    TOLERANCE,
    bound,
    choose_shards,
    choose_workers,
    distribute,
    makespan,
    split,
)

# Sizes are whole bytes; from a million on, the rounding of shares is far below the tolerance.
sizes = st.integers(10**6, 10**12)
degrees = st.integers(1, 32)
SLACK = 1 + TOLERANCE + 1e-4


@given(st.integers(1, 10**12), st.integers(1, 100))
def test_parts_differ_by_one_and_lose_nothing(total: int, pieces: int) -> None:
    parts = split(total, pieces)
    assert len(parts) == pieces
    assert sum(parts) == total
    assert max(parts) - min(parts) <= 1


@given(st.lists(sizes, max_size=60), degrees, st.data())
def test_a_schedule_carries_everything_and_keeps_to_grahams_bound(
    parts: list[int], degree: int, data: st.DataObject
) -> None:
    started = data.draw(st.lists(sizes, max_size=degree))
    workers = distribute(parts, degree, started)
    total = sum(parts) + sum(started)
    assert len(workers) == degree
    assert sum(workers) == total
    assert max(workers) == makespan(parts, degree, started)
    assert bound(total, degree, [*parts, *started]) <= max(workers)
    assert max(workers) <= max([total / degree + max(parts, default=0), *started])


@given(st.lists(sizes, min_size=1, max_size=30), sizes, degrees)
def test_a_job_has_no_more_workers_than_pieces_and_none_idle(
    pieces: list[int], ideal: int, most: int
) -> None:
    workers = choose_workers(pieces, ideal, most)
    assert sum(workers) == sum(pieces)
    assert 1 <= len(workers) <= min(most, len(pieces))
    assert min(workers) > 0
    allowed = max(bound(sum(pieces), most, [ideal, *pieces]) * SLACK, makespan(pieces, most))
    assert max(workers) <= allowed


@given(st.lists(sizes, min_size=1, max_size=6), st.integers(1, 16), st.data())
@settings(max_examples=60)
def test_with_small_pieces_the_makespan_is_within_five_percent(
    large: list[int], degree: int, data: st.DataObject
) -> None:
    """A limit of 40 shards per worker and table leaves pieces below 2.5 % of the ideal share."""
    started = data.draw(st.lists(sizes, max_size=degree))
    limits = [40 * degree] * len(large)
    counts = choose_shards(large, limits, degree, started)
    assert all(1 <= count <= limit for count, limit in zip(counts, limits, strict=True))
    parts = [part for size, count in zip(large, counts, strict=True) for part in split(size, count)]
    best = bound(sum(large) + sum(started), degree, started)
    assert makespan(parts, degree, started) <= SLACK * best


@given(st.lists(sizes, min_size=1, max_size=4), degrees, st.integers(1, 12))
def test_no_limit_is_exceeded_and_none_is_spent_for_nothing(
    large: list[int], degree: int, limit: int
) -> None:
    def span(counts: list[int]) -> int:
        return makespan((p for size, n in zip(large, counts, strict=True) for p in split(size, n)), degree)

    most = [limit] * len(large)
    counts = choose_shards(large, most, degree)
    assert all(1 <= count <= limit for count in counts)
    assert span(counts) <= SLACK * span(most)
    assert sum(counts) >= min(degree, sum(most))


def test_one_table_of_one_block_stays_whole() -> None:
    assert choose_shards([100], [1], 8) == [1]
    assert choose_shards([], [], 8, [5, 5]) == []
