"""What all processors of this machine have done, by Linux's /proc/stat (proc(5))."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True)
class Processors:
    """Ticks of all processors together since the host was started."""

    user: int
    system: int
    waiting: int
    """Idle while I/O was under way."""
    all: int


class Busy(NamedTuple):
    """Shares of all processors, 1 in all, between two moments."""

    user: float
    system: float
    waiting: float


def parse_processors(text: str) -> Processors:
    """Of /proc/stat. What guests take is in `user` already; what the hypervisor takes is in `all` only.

    :raises ValueError: if it is no such file.
    """
    name, figures = text[:4], text.partition("\n")[0].split()[1:]
    if name != "cpu " or len(figures) < 8:
        raise ValueError("/proc/stat does not begin with the sums of all processors")
    user, nice, system, idle, waiting, interrupts, soft, stolen = map(int, figures[:8])
    kernel = system + interrupts + soft
    return Processors(user + nice, kernel, waiting, user + nice + kernel + idle + waiting + stolen)


def read_processors(proc: Path = Path("/proc")) -> Processors:
    """:raises OSError: where there is no such file.
    :raises ValueError: if it is another one."""
    return parse_processors((proc / "stat").read_text("ascii"))


def busy(before: Processors, after: Processors) -> Busy | None:
    """What they did between two readings; None where the counters have not moved, or were set back."""
    ticks = after.all - before.all
    if ticks <= 0:
        return None
    grown = (after.user - before.user, after.system - before.system, after.waiting - before.waiting)
    # The kernel may set the time spent waiting back a little.
    return Busy(*(max(part, 0) / ticks for part in grown))
