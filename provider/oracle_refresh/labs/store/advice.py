"""From measurements to how dump files are staged. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from oracle_refresh.experience.store_advice import MOUNTED, STREAM, StoreAdvice, TransportAdvice, WayAdvice
from oracle_refresh.labs.store.model import BROUGHT, Calibration, Phase, Point, size_text
from oracle_refresh.oracle.errors import PlanError

Advised = TypeVar("Advised", WayAdvice, TransportAdvice)

#: Less is taken where it is at most this much slower than the best: repetitions differ by as much.
TOLERANCE = 0.10
#: What took less says more about starting threads than about the store.
SHORTEST_SECONDS = 0.4


def advise(plan: Calibration, points: Sequence[Point], phases: Iterable[Phase] = ()) -> StoreAdvice:
    """The faster way first, and on each the fewest users and then the smallest blocks that write within
    `TOLERANCE` of its best. Staging writes; what is read afterwards, Data Pump reads.

    Streaming is preferred where a mount brings less than `TOLERANCE`: it needs none. So is the database link
    to what passes through the worker.

    :param phases: what was done once; those that transports have brought dump files in are taken of them.
    :raises PlanError: if nothing was measured.
    """
    brought = [phase for phase in phases if phase.name.startswith(BROUGHT)]
    if not points and not brought:
        raise PlanError(
            "no block size was measured",
            object_name=plan.run_id,
            step="calibration of the store",
            remedy="clear one of the tasks that measure",
        )
    ways = _better_first(
        [_way(own) for way in (STREAM, MOUNTED) if (own := [point for point in points if point.way == way])]
    )
    notes = [note for way in ways for note in _notes(plan, way)]
    transports = _better_first([_transport(phase) for phase in brought])
    if not all(transport.trusted for transport in transports):
        notes.append(
            f"some transports ended before {SHORTEST_SECONDS} s, so no staging follows their order; give them"
            " larger files"
        )
    done = {(point.way, point.block) for point in points}
    missing = [cell.id for cell in plan.cells if (cell.way, cell.block) not in done]
    if missing and "blocks" in plan.parts:
        notes.append(f"not measured: {', '.join(missing)}")
    return StoreAdvice(plan.run_id, plan.conn_id, plan.mount, tuple(ways), tuple(notes), tuple(transports))


def _better_first(compared: Sequence[Advised]) -> list[Advised]:
    """In the order given those that are within `TOLERANCE` of the best, then the others, the faster first."""
    least = max((each.bytes_per_second for each in compared), default=0.0) * (1 - TOLERANCE)
    return sorted(
        compared, key=lambda each: -each.bytes_per_second if each.bytes_per_second < least else -math.inf
    )


def _transport(brought: Phase) -> TransportAdvice:
    return TransportAdvice(
        brought.name.removeprefix(BROUGHT), brought.rate, trusted=brought.seconds >= SHORTEST_SECONDS
    )


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
