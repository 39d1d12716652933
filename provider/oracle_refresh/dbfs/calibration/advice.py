"""From measurements to how dump files are staged. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.dbfs.calibration.model import (
    MOUNTED,
    STREAM,
    Calibration,
    Point,
    StoreAdvice,
    size_text,
)
from oracle_refresh.errors import PlanError

#: Less is taken where it is at most this much slower than the best: repetitions differ by as much.
TOLERANCE = 0.10
#: What took less says more about starting threads than about the store.
SHORTEST_SECONDS = 0.4


def advise(plan: Calibration, points: Sequence[Point]) -> StoreAdvice:
    """The way that writes faster, and on it the fewest users and then the smallest blocks that write within
    `TOLERANCE` of the best. Staging writes; what is read afterwards, Data Pump reads.

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
    best = {
        way: max(point.write_rate for point in _of(points, way))
        for way in (STREAM, MOUNTED)
        if _of(points, way)
    }
    way = max(best, key=lambda name: best[name])
    if best.get(STREAM, 0.0) >= best[way] * (1 - TOLERANCE):
        way = STREAM
    own = _of(points, way)
    enough = [point for point in own if point.write_rate >= best[way] * (1 - TOLERANCE)]
    chosen = min(enough, key=lambda point: (point.users, point.block))
    trusted = min(point.write_seconds for point in own) >= SHORTEST_SECONDS
    return StoreAdvice(
        run_id=plan.run_id,
        conn_id=plan.conn_id,
        mount=plan.mount,
        transport=way,
        files_at_a_time=chosen.users,
        piece_bytes=chosen.block,
        bytes_per_second=chosen.write_rate,
        trusted=trusted,
        notes=tuple(_notes(plan, points, chosen, trusted)),
    )


def _of(points: Sequence[Point], way: str) -> list[Point]:
    return [point for point in points if point.way == way]


def _notes(plan: Calibration, points: Sequence[Point], chosen: Point, trusted: bool) -> list[str]:
    notes = []
    done = {(point.way, point.block) for point in points}
    if missing := [cell.id for cell in plan.cells if (cell.way, cell.block) not in done]:
        notes.append(f"not measured: {', '.join(missing)}")
    if not trusted:
        notes.append(
            f"some measurements ended before {SHORTEST_SECONDS} s: no staging follows them; give them more"
            " seconds and larger files"
        )
    sizes = [cell.block for cell in plan.cells if cell.way == chosen.way]
    if chosen.block == max(sizes) and len(sizes) > 1:
        notes.append(
            f"the largest block, {size_text(chosen.block)}, is needed: larger ones may be better still"
        )
    if chosen.users == max(plan.users) and len(plan.users) > 1:
        notes.append(f"{chosen.users} users are needed: more may be better still")
    return notes
