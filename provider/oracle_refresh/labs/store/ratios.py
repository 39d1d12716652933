"""One's own figures and the published ones as ratios, so that different machines can be laid side by side.

Pure. In the matrix everything is a share of the series' own best; flat files and dumps are compared with the
generating of flat files, operations on small files with unpacking them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from oracle_refresh.experience.store_advice import STREAM
from oracle_refresh.labs.store.model import BROUGHT, Phase, Point
from oracle_refresh.labs.store.reference import EXADATA_FILES, EXADATA_PHASES, EXADATA_READ, EXADATA_WRITE

WRITE, READ = "write", "read"
STUDY: Mapping[str, Mapping[tuple[int, int], float]] = {WRITE: EXADATA_WRITE, READ: EXADATA_READ}
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
    figures = []
    for way in dict.fromkeys(point.way for point in points):
        own = [point for point in points if point.way == way]
        for direction in (WRITE, READ) if own else ():
            rates = {
                (point.users, point.block): point.write_rate if direction == WRITE else point.read_rate
                for point in own
            }
            best, study = max(rates.values()), STUDY[direction]
            for key, rate in sorted(rates.items()):
                published = study[key] / max(study.values()) if key in study else None
                figures.append(Share(way, direction, *key, rate / _MEGABYTE, rate / best, published))
    return tuple(figures)


def transfers(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """Flat files and dumps, as multiples of the rate of generating."""
    names = (*EXADATA_PHASES, "insert rows")
    return _compared(phases, names, "generate flat files", _megabytes, EXADATA_PHASES)


def stagings(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """The transports, as multiples of the rate of streaming; the published series has none over a link."""
    names = [name for name in phases if name.startswith(BROUGHT)]
    return _compared(phases, names, f"{BROUGHT}{STREAM}", _megabytes, {})


def operations(phases: Mapping[str, Phase]) -> tuple[Compared, ...]:
    """Operations on small files, as multiples of the files per second of unpacking."""
    study = {name: 1 / seconds for name, seconds in EXADATA_FILES.items()}
    return _compared(phases, tuple(study), "extract", lambda phase: phase.items / phase.seconds, study)


def _compared(
    phases: Mapping[str, Phase],
    names: Sequence[str],
    first: str,
    rate: Callable[[Phase], float],
    study: Mapping[str, float],
) -> tuple[Compared, ...]:
    """The phases of these names that there are, as multiples of the rate of the first one."""
    base = rate(phases[first]) if first in phases else None
    return tuple(
        Compared(
            name.removeprefix(BROUGHT),
            phase.seconds,
            rate(phase),
            rate(phase) / base if base else None,
            study[name] / study[first] if name in study else None,
            phase.note,
        )
        for name in names
        if (phase := phases.get(name)) is not None
    )


def _megabytes(phase: Phase) -> float:
    return phase.rate / _MEGABYTE
