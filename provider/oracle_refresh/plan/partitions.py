"""Shares out the partitions of a table: small ones together, large ones cut further."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.catalog.model import Partition
from oracle_refresh.plan.balance import split


@dataclass(frozen=True)
class PartitionShare:
    """Some whole partitions, or one of `of` parts of a single one."""

    names: tuple[str, ...]
    bytes: int
    part: int = 0
    of: int = 1


def share(partitions: Sequence[Partition], count: int, divisible: bool = True) -> tuple[PartitionShare, ...]:
    """At most `count` shares; every partition is in one of them, or in all parts of its own.

    :param divisible: whether a large partition may be cut further.
    """
    total = sum(_weight(partition) for partition in partitions)
    ordered = sorted(partitions, key=lambda partition: (-_weight(partition), partition.position))
    large = [each for each in ordered if _weight(each) * count > total]
    small = ordered[len(large) :]
    # Each large partition and all the small ones together take shares in turn, where the shares are largest.
    weights = [_weight(each) for each in large] + ([sum(map(_weight, small))] if small else [])
    shares = [1] * len(weights)
    most = [count if divisible else 1] * len(large) + ([len(small)] if small else [])
    for _ in range(count - sum(shares)):
        free = [number for number, taken in enumerate(shares) if taken < most[number]]
        if not free:
            break
        shares[max(free, key=lambda number: weights[number] / shares[number])] += 1
    parts_of_large = [
        PartitionShare((each.name,), size, part, parts)
        for each, parts in zip(large, shares, strict=False)
        for part, size in enumerate(split(_weight(each), parts))
    ]
    return (*parts_of_large, *(_together(small, shares[-1]) if small else ()))


def _together(partitions: Sequence[Partition], count: int) -> list[PartitionShare]:
    """Whole partitions, largest first, each to the share that holds least."""
    held = [(0, number) for number in range(count)]
    names: list[list[str]] = [[] for _ in range(count)]
    for partition in partitions:
        size, number = heapq.heappop(held)
        names[number].append(partition.name)
        heapq.heappush(held, (size + _weight(partition), number))
    sizes = {number: size for size, number in held}
    return [PartitionShare(tuple(listed), sizes[number]) for number, listed in enumerate(names)]


def _weight(partition: Partition) -> int:
    """Bytes of a partition, at least one: an empty one has to be carried as well."""
    return max(1, partition.total_bytes)
