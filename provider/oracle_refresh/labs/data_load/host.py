"""What the worker's host did while schemas were loaded: processors, and I/O of each device.

The database's host is the same one only where the worker runs on it: the page names both. Linux alone has
these counters; elsewhere there is no series, and no load fails for the want of one. Sources: proc(5);
the kernel's documentation, "I/O statistics fields", whose sectors have 512 bytes.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from socket import gethostname

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.harness.processors import Processors, busy, read_processors
from oracle_refresh.run.kind import Kind

SECTOR = 512
_PROC, _DEVICES = Path("/proc"), Path("/sys/block")


@dataclass(frozen=True)
class Device:
    """Of a block device since the host was started."""

    reads: int
    read_bytes: int
    writes: int
    written_bytes: int


@dataclass(frozen=True)
class Reading:
    """All counters at one moment of the worker's clock."""

    at: float
    processors: Processors
    devices: dict[str, Device] = field(hash=False)


@dataclass(frozen=True)
class DeviceRates(Jsonable):
    """Requests and bytes per second that reached a device."""

    reads: float
    read_bytes: float
    writes: float
    written_bytes: float


@dataclass(frozen=True)
class HostSample(Jsonable):
    """Between two readings; `began` and `ended` are seconds from the first one. Processors as shares of 1."""

    began: float
    ended: float
    user: float
    system: float
    waiting: float
    devices: dict[str, DeviceRates] = field(hash=False)
    """Those that have done anything by then."""


@dataclass(frozen=True)
class HostSeries(Jsonable):
    """A batch or a trial on the worker's host."""

    host: str
    samples: tuple[HostSample, ...]


#: By what was loaded meanwhile.
HOST: Kind[HostSeries] = Kind("data load host", HostSeries)


def of_batch(number: int) -> str:
    """Of a batch, what it is called in the run store and on the page."""
    return f"batch {number}"


def of_trial(degree: int) -> str:
    return f"trial of degree {degree}"


def parse_devices(text: str, names: Collection[str]) -> dict[str, Device]:
    """Of /proc/diskstats.

    :param names: of the devices that count: of a partition the requests count in its disk already.
    :raises ValueError: if it is no such file.
    """
    devices = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 14:
            raise ValueError("/proc/diskstats has a line with too few fields")
        reads, _, sectors_read, _, writes, _, sectors_written = map(int, fields[3:10])
        if fields[2] in names:
            devices[fields[2]] = Device(reads, sectors_read * SECTOR, writes, sectors_written * SECTOR)
    return devices


def read_host() -> Reading | None:
    """The counters as of now; None where the host has none that can be read."""
    try:
        names = {device.name for device in _DEVICES.iterdir()}
        processors = read_processors(_PROC)
        devices = parse_devices((_PROC / "diskstats").read_text("ascii"), names)
    except (OSError, ValueError):
        return None
    return Reading(time.monotonic(), processors, devices)


def series(readings: Sequence[Reading]) -> HostSeries:
    """What happened between each reading and the next."""
    began = readings[0].at if readings else 0.0
    samples = (_between(before, after, began) for before, after in pairwise(readings))
    return HostSeries(gethostname(), tuple(sample for sample in samples if sample))


def _between(before: Reading, after: Reading, began: float) -> HostSample | None:
    """None where the counters have not moved, or were set back."""
    seconds = after.at - before.at
    shares = busy(before.processors, after.processors)
    if seconds <= 0 or shares is None:
        return None
    devices = {
        name: rates
        for name, device in after.devices.items()
        if name in before.devices and (rates := _rates(before.devices[name], device, seconds))
    }
    return HostSample(before.at - began, after.at - began, *shares, devices)


def _rates(before: Device, after: Device, seconds: float) -> DeviceRates | None:
    """None of a device that has never done anything, or whose counters were set back: it is another one."""
    grown = (
        after.reads - before.reads,
        after.read_bytes - before.read_bytes,
        after.writes - before.writes,
        after.written_bytes - before.written_bytes,
    )
    if min(grown) < 0 or not (after.reads or after.writes):
        return None
    reads, read_bytes, writes, written_bytes = (part / seconds for part in grown)
    return DeviceRates(reads, read_bytes, writes, written_bytes)
