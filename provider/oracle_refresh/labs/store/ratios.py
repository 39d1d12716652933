"""One's own figures and the published ones as ratios, so that different machines can be laid side by side.

Pure. In the matrix everything is a share of the series' own best; flat files and dumps are compared with the
generating of flat files, operations on small files with unpacking them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oracle_refresh.labs.store.model import BROUGHT, Phase, Point
from oracle_refresh.labs.store.reference import SEED2_FILES, SEED2_PHASES, SEED2_READ, SEED2_WRITE
from oracle_refresh.planning.store_advice import MOUNTED, STREAM

WRITE, READ = "write", "read"
STUDY: Mapping[str, Mapping[tuple[int, int], float]] = {WRITE: SEED2_WRITE, READ: SEED2_READ}
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Share:
    """A figure of the matrix. `share` and `study` are parts of the best of their series."""

    way: str
    direction: str
    users: int
    block: int
    rate: float
    """MB/s."""
    share: float
    study: float | None


@dataclass(frozen=True)
class Compared:
    """A phase. `ratio` is how many times as fast as the first one it is, `study` the same of the published
    series; None where there is nothing to compare."""

    name: str
    seconds: float
    rate: float
    """MB/s, or files/s of the operations on small files."""
    ratio: float | None
    study: float | None
    note: str


def shares(points: Sequence[Point]) -> tuple[Share, ...]:
    """Every figure of the matrix, by way, direction, users and block."""
    found = []
    for way in (STREAM, MOUNTED):
        own = [point for point in points if point.way == way]
        if not own:
            continue
        for direction in (WRITE, READ):
            rates = {
                (one.users, one.block): one.write_rate if direction == WRITE else one.read_rate for one in own
            }
            best, study = max(rates.values()), STUDY[direction]
            found += [
                Share(
                    way,
                    direction,
                    *key,
                    rate / _MEGABYTE,
                    rate / best,
                    study[key] / max(study.values()) if key in study else None,
                )
                for key, rate in sorted(rates.items())
            ]
    return tuple(found)


def transfers(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """Flat files and dumps, as multiples of the rate of generating."""
    base = phases.get("generate flat files")
    return tuple(
        Compared(
            name,
            one.seconds,
            one.rate / _MEGABYTE,
            one.rate / base.rate if base else None,
            SEED2_PHASES[name] / SEED2_PHASES["generate flat files"] if name in SEED2_PHASES else None,
            one.note,
        )
        for name in (*SEED2_PHASES, "insert rows")
        if (one := phases.get(name)) is not None
    )


def carriages(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """The transports, as multiples of the rate of streaming; the published series has none over a link."""
    base = phases.get(f"{BROUGHT}{STREAM}")
    return tuple(
        Compared(
            name.removeprefix(BROUGHT),
            one.seconds,
            one.rate / _MEGABYTE,
            one.rate / base.rate if base else None,
            None,
            one.note,
        )
        for name, one in phases.items()
        if name.startswith(BROUGHT)
    )


def operations(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """Operations on small files, as multiples of the files per second of unpacking."""
    base = phases.get("extract")
    return tuple(
        Compared(
            name,
            one.seconds,
            one.items / one.seconds,
            one.items / one.seconds / (base.items / base.seconds) if base else None,
            SEED2_FILES["extract"] / SEED2_FILES[name],
            one.note,
        )
        for name in SEED2_FILES
        if (one := phases.get(name)) is not None
    )
