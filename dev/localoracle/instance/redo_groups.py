"""Which redo log group is written, which is still needed, which is free: by positions in PostgreSQL's WAL.

Oracle Database Administrator's Guide, "Managing the Redo Log": a group is CURRENT until it is full, ACTIVE as
long as a crash recovery would need it (until a checkpoint is past its end), INACTIVE afterwards; the log
writer takes the next group that is not ACTIVE, and waits for the checkpoint when there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

UNUSED, CURRENT, ACTIVE, INACTIVE = "UNUSED", "CURRENT", "ACTIVE", "INACTIVE"


@dataclass(frozen=True)
class Group:
    """`begin` and `end`: what the group holds, as positions in the WAL; `end` of the current one is 0."""

    number: int
    sequence: int
    bytes: int
    status: str
    begin: int = 0
    end: int = 0


@dataclass(frozen=True)
class Advance:
    """What has become of the groups. `filled`: those that were left, in their order, as they were when left.
    `stalled`: the current group is full and no other is free."""

    groups: tuple[Group, ...]
    filled: tuple[Group, ...] = ()
    stalled: bool = False


def after_checkpoint(groups: Sequence[Group], position: int) -> tuple[Group, ...]:
    """The groups when a recovery would begin at `position`."""
    return tuple(
        replace(group, status=INACTIVE) if group.status == ACTIVE and group.end <= position else group
        for group in groups
    )


def advance(groups: Sequence[Group], written: int, recovery: int) -> Advance:
    """Go on to the next groups until what has been written fits. A recovery would begin at `recovery`."""
    moved = Advance(after_checkpoint(groups, recovery))
    while not moved.stalled:
        current = current_group(moved.groups)
        if written - current.begin < current.bytes:
            break
        step = switch(moved.groups, current.begin + current.bytes)
        moved = Advance(after_checkpoint(step.groups, recovery), moved.filled + step.filled, step.stalled)
    return moved


def switch(groups: Sequence[Group], position: int, begin: int | None = None) -> Advance:
    """Leave the current group at `position` for the next one, which begins there or at `begin`."""
    following = next_group(groups)
    if following is None:
        return Advance(tuple(groups), stalled=True)
    current = current_group(groups)
    left = replace(current, status=ACTIVE, end=position)
    entered = replace(
        following, status=CURRENT, sequence=current.sequence + 1, begin=begin or position, end=0
    )
    changed = {left.number: left, entered.number: entered}
    return Advance(tuple(changed.get(group.number, group) for group in groups), (left,))


def current_group(groups: Sequence[Group]) -> Group:
    return next(group for group in groups if group.status == CURRENT)


def next_group(groups: Sequence[Group]) -> Group | None:
    """One that was never used, else the one that was left longest ago; None when all are needed."""
    free = [group for group in groups if group.status in (UNUSED, INACTIVE)]
    return min(free, key=lambda group: (group.status != UNUSED, group.sequence, group.number), default=None)
