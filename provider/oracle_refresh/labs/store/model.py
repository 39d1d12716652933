"""What a calibration of the store is about, what it measures; what it
recommends: `experience.store_advice`. No row data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.experience.store_advice import MOUNTED
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.store.client import ClientCpu
from oracle_refresh.run.kind import Kind

#: What can be measured, in this order.
PARTS = ("blocks", "small files", "flat files", "dumps", "transports")
KILOBYTE = 1024
#: Phases that a transport has brought dump files in, before its name.
BROUGHT = "stage by "


@dataclass(frozen=True)
class Origin(Jsonable):
    """Where the dump files come from that the transports bring."""

    refresh: str
    """Name of the definition, which the names of jobs derive from."""
    conn_id: str
    directory: str
    """DIRECTORY of the source."""
    link: str
    """Of the target's user to the source."""


@dataclass(frozen=True)
class Cell(Jsonable):
    """A block size on one way; it is measured with every number of users."""

    way: str
    """`stream`, `mounted`, or one of the other mounts: `mounted-2`, `mounted-3` ..."""
    block: int
    """Bytes that one call reads or writes."""

    @property
    def id(self) -> str:
        return f"{self.way} {size_text(self.block)}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """The cell of an `id`."""
        way, size = text.split()
        unit = {"k": KILOBYTE, "m": KILOBYTE * KILOBYTE}[size[-1]]
        return cls(way, int(size[:-1]) * unit)


@dataclass(frozen=True)
class Calibration(Jsonable):
    """What is measured, as it was planned."""

    run_id: str
    conn_id: str
    database: str
    """Name and release of the instance."""
    store: str
    mount: str
    """With its slash, as definitions write it."""
    directory: str
    """DIRECTORY of the target that leads to the mount."""
    mounted_path: str
    """The mount as this machine sees it; empty where it does not."""
    parts: tuple[str, ...]
    cells: tuple[Cell, ...]
    users: tuple[int, ...]
    seconds: float
    """How long one measurement of the matrix lasts at most."""
    file_bytes: int
    """Most bytes that one user writes in a measurement."""
    small_files: int
    small_file_bytes: int
    flat_bytes: int
    """Bytes of LINEITEM, about."""
    flat_files: int
    """In which they are generated, and loaded, at the same time."""
    origin: Origin | None = None
    """None where there is no database link, so that there is no choice between transports to measure."""
    other_paths: tuple[str, ...] = ()
    """Of the same mount as `mounted_path`, made with other options: to be compared with it."""
    nodes: tuple[str, ...] = ()
    """Queues of the workers that measure the matrix at the same time."""

    @property
    def mark(self) -> str:
        """What the names of everything that the run makes have in common."""
        return mark(self.run_id)

    @property
    def folder(self) -> str:
        """The directory in the store that the run works in."""
        return f"{self.mount}/calibration_{self.mark}"

    @property
    def paths(self) -> dict[str, str]:
        """The paths of this machine that lead to the mount, by the way that they are; the first is the one
        that staging takes."""
        paths = (self.mounted_path, *self.other_paths) if self.mounted_path else ()
        return dict(zip(mounted_ways(len(paths)), paths, strict=True))


CALIBRATION: Kind[Calibration] = Kind("store calibration", Calibration)


@dataclass(frozen=True)
class Remains(Jsonable):
    """Whether something of a run may be left, for the next one to know if this one is lost."""

    left: bool
    calibration: Calibration


#: By `store_key`.
REMAINS: Kind[Remains] = Kind("store remains", Remains)


@dataclass(frozen=True)
class Point(Jsonable):
    """One element of the matrix: so many users write, and then read, files of their own by such blocks."""

    way: str
    users: int
    block: int
    written: int
    """Bytes, of all users."""
    write_seconds: float
    read: int
    read_seconds: float
    write_cpu: ClientCpu | None = None
    """Of the worker's host while it wrote, and while it read."""
    read_cpu: ClientCpu | None = None

    @property
    def write_rate(self) -> float:
        """Bytes per second, of all users."""
        return self.written / self.write_seconds

    @property
    def read_rate(self) -> float:
        return self.read / self.read_seconds


@dataclass(frozen=True)
class Blocks(Jsonable):
    """What was measured of a cell."""

    cell: Cell
    points: tuple[Point, ...]
    host: str = ""
    """Of the worker that measured it."""
    seen: str = ""
    """What its path is there, in a few words; empty of LOB calls."""


BLOCKS: Kind[Blocks] = Kind("store blocks", Blocks)


@dataclass(frozen=True)
class Phase(Jsonable):
    """Something that was done once: generating, loading, exporting, handling small files ..."""

    name: str
    seconds: float
    bytes: int
    items: int
    """Files or rows."""
    note: str = ""

    @property
    def rate(self) -> float:
        """Bytes per second."""
        return self.bytes / self.seconds


@dataclass(frozen=True)
class Phases(Jsonable):
    """What was measured of a part."""

    phases: tuple[Phase, ...]


PHASES: Kind[Phases] = Kind("store phases", Phases)


#: Of the source, for the transports.
STORE_SAMPLE: Kind[Sample] = Kind("store sample", Sample)


def mounted_ways(number: int) -> tuple[str, ...]:
    """The ways through so many mounts."""
    return tuple(MOUNTED if place == 1 else f"{MOUNTED}-{place}" for place in range(1, number + 1))


def mark(run_id: str) -> str:
    """Ten hexadecimal digits that tell a run's things from those of others."""
    return hashlib.sha256(f"calibration of the store\0{run_id}".encode()).hexdigest()[:10]


def size_text(size: int) -> str:
    """Bytes as the studies write them: 8k, 1m."""
    megabyte = KILOBYTE * KILOBYTE
    return f"{size // megabyte}m" if size % megabyte == 0 else f"{size // KILOBYTE}k"
