"""From measurements to how dump files are staged. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.dbfs.calibration.model import (
    MOUNTED,
    STREAM,
    Calibration,
    Point,
    StoreAdvice,
    WayAdvice,
    size_text,
)
from oracle_refresh.errors import PlanError

#: Less is taken where it is at most this much slower than the best: repetitions differ by as much.
TOLERANCE = 0.10
#: What took less says more about starting threads than about the store.
SHORTEST_SECONDS = 0.4


def advise(plan: Calibration, points: Sequence[Point]) -> StoreAdvice:
    """The faster way first, and on each the fewest users and then the smallest blocks that write within
    `TOLERANCE` of its best. Staging writes; what is read afterwards, Data Pump reads.

    Streaming is preferred where a mount brings less than `TOLERANCE`: it needs none.

    :raises PlanError: if nothing was measured.
    """
    if not points:
        raise PlanError(
            "no block size was measured",
            object_name=plan.run_id,
            step="calibration of the store",
            remedy="clear one of the tasks that measure",
        )
    found = [_way(own) for way in (STREAM, MOUNTED) if (own := [one for one in points if one.way == way])]
    least = max(one.bytes_per_second for one in found) * (1 - TOLERANCE)
    found.sort(key=lambda one: one.bytes_per_second < least)
    notes = [note for one in found for note in _notes(plan, one)]
    done = {(point.way, point.block) for point in points}
    if missing := [cell.id for cell in plan.cells if (cell.way, cell.block) not in done]:
        notes.append(f"not measured: {', '.join(missing)}")
    return StoreAdvice(plan.run_id, plan.conn_id, plan.mount, tuple(found), tuple(notes))


def _way(own: Sequence[Point]) -> WayAdvice:
    best = max(point.write_rate for point in own)
    enough = [point for point in own if point.write_rate >= best * (1 - TOLERANCE)]
    chosen = min(enough, key=lambda point: (point.users, point.block))
    return WayAdvice(
        chosen.way,
        chosen.users,
        chosen.block,
        chosen.write_rate,
        trusted=min(point.write_seconds for point in own) >= SHORTEST_SECONDS,
    )


def _notes(plan: Calibration, chosen: WayAdvice) -> list[str]:
    notes = []
    if not chosen.trusted:
        notes.append(
            f"{chosen.way}: some measurements ended before {SHORTEST_SECONDS} s, so no staging follows them;"
            " give them more seconds and larger files"
        )
    sizes = [cell.block for cell in plan.cells if cell.way == chosen.way]
    if chosen.piece_bytes == max(sizes) and len(sizes) > 1:
        notes.append(
            f"{chosen.way}: the largest block, {size_text(chosen.piece_bytes)}, is needed; larger ones may be"
            " better still"
        )
    if chosen.files_at_a_time == max(plan.users) and len(plan.users) > 1:
        notes.append(f"{chosen.way}: {chosen.files_at_a_time} users are needed; more may be better still")
    return notes
