from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog import Partition
from oracle_refresh.plan.partitions import share

sizes = st.lists(st.integers(0, 10**9), min_size=1, max_size=40)


@given(sizes, st.integers(1, 50))
def test_every_partition_is_carried_once_whole_or_in_all_its_parts(found: list[int], count: int) -> None:
    partitions = [Partition(f"P{number}", number, bytes=size) for number, size in enumerate(found)]
    shares = share(partitions, count)
    assert 1 <= len(shares) <= count
    assert sum(one.bytes for one in shares) == sum(max(1, size) for size in found)
    parts: Counter[tuple[str, int, int]] = Counter()
    for one in shares:
        assert one.names
        assert one.of == 1 or len(one.names) == 1
        parts.update((name, one.part, one.of) for name in one.names)
    for partition in partitions:
        mine = sorted((part, of) for name, part, of in parts if name == partition.name)
        assert mine == [(part, len(mine)) for part in range(len(mine))]
    assert set(parts.values()) == {1}


@given(st.lists(st.integers(10**6, 10**9), min_size=1, max_size=40), st.integers(1, 40))
def test_no_share_is_twice_what_the_fewest_would_be(found: list[int], count: int) -> None:
    partitions = [Partition(f"P{number}", number, bytes=size) for number, size in enumerate(found)]
    shares = share(partitions, count)
    assert max(one.bytes for one in shares) <= 2 * -(-sum(found) // count) + 1


def test_a_large_partition_is_cut_and_small_ones_go_together() -> None:
    partitions = [Partition("BIG", 1, bytes=900), *(Partition(f"S{n}", n + 2, bytes=10) for n in range(10))]
    shares = share(partitions, 5)
    assert [(one.names, one.of) for one in shares[:4]] == [(("BIG",), 4)] * 4
    assert len(shares[4].names) == 10
