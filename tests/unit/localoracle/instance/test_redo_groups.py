"""Which redo log group is current, needed and free, for any sequence of writes, switches and checkpoints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from localoracle.instance.redo_groups import (
    ACTIVE,
    CURRENT,
    INACTIVE,
    UNUSED,
    Group,
    advance,
    current_group,
    next_group,
    switch,
)

FRESH = (Group(1, 7, 100, CURRENT, begin=1000), Group(2, 0, 100, UNUSED), Group(3, 0, 50, UNUSED))


def test_a_group_is_current_until_it_is_full() -> None:
    assert advance(FRESH, 1099, 0).groups == FRESH
    step = advance(FRESH, 1100, 0)
    assert step.groups == (
        Group(1, 7, 100, ACTIVE, 1000, 1100),
        Group(2, 8, 100, CURRENT, 1100),
        FRESH[2],
    )
    assert step.filled == (Group(1, 7, 100, ACTIVE, 1000, 1100),)
    assert not step.stalled


def test_it_stalls_until_a_checkpoint_is_past_the_oldest() -> None:
    step = advance(FRESH, 1260, 0)
    assert step.stalled
    assert [group.status for group in step.groups] == [ACTIVE, ACTIVE, CURRENT]
    behind = advance(step.groups, 1260, 1099)
    assert behind.stalled
    freed = advance(step.groups, 1260, 1100)
    assert not freed.stalled
    assert [group.status for group in freed.groups] == [CURRENT, ACTIVE, ACTIVE]
    assert current_group(freed.groups) == Group(1, 10, 100, CURRENT, 1250)


def test_the_group_left_longest_ago_is_next() -> None:
    groups = (Group(1, 9, 10, INACTIVE), Group(2, 8, 10, INACTIVE), Group(3, 10, 10, CURRENT))
    assert next_group(groups) == groups[1]
    assert next_group((*groups, Group(4, 0, 10, UNUSED))) == Group(4, 0, 10, UNUSED)
    assert next_group((Group(1, 9, 10, ACTIVE), groups[2])) is None


@given(
    st.lists(st.integers(min_value=1, max_value=300), min_size=2, max_size=6),
    st.lists(st.tuples(st.integers(min_value=0, max_value=500), st.booleans(), st.booleans()), max_size=30),
)
def test_nothing_that_a_recovery_needs_is_overwritten(
    sizes: list[int], steps: list[tuple[int, bool, bool]]
) -> None:
    groups = tuple(
        Group(number, number == 1, size, CURRENT if number == 1 else UNUSED)
        for number, size in enumerate(sizes, 1)
    )
    written = recovery = 0
    kept: dict[int, tuple[int, int]] = {}
    sequence = 1
    for more, checkpoint, switched in steps:
        written += more
        if checkpoint:
            recovery = written
        step = advance(groups, written, recovery)
        left = list(step.filled)
        groups = step.groups
        if switched and not step.stalled:
            changed = switch(groups, written)
            groups, left = changed.groups, left + list(changed.filled)
        for group in left:
            assert group.sequence == sequence
            sequence += 1
            kept[group.sequence] = (group.begin, group.end)
        assert sum(group.status == CURRENT for group in groups) == 1
        current = current_group(groups)
        assert current.sequence == sequence
        assert kept.get(sequence - 1, (0, 0))[1] == current.begin
        # All redo from where a recovery begins is still in some group.
        present = {group.sequence for group in groups if group.status != UNUSED}
        needed = {number for number, (_, end) in kept.items() if end > recovery}
        assert needed <= present
        if not step.stalled and not switched:
            assert written - current.begin < current.bytes
