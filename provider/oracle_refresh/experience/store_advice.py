"""What a calibration of the store recommends, and what staging takes of it: what its definition leaves open.

Pure, and no row data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.definition import Staging, StagingTransport
from oracle_refresh.experience.degree_advice import RECOMMENDATION
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind

#: The two ways into a store: LOB calls on the connection, and a path of this machine that leads to it.
STREAM, MOUNTED = "stream", "mounted"


@dataclass(frozen=True)
class WayAdvice(Jsonable):
    """How dump files are best staged on one way into the store."""

    way: str
    files_at_a_time: int
    piece_bytes: int
    bytes_per_second: float
    """What was written so."""
    trusted: bool
    """Whether staging follows it; not after measurements that were too short to tell."""


@dataclass(frozen=True)
class TransportAdvice(Jsonable):
    """How fast one transport brought the same dump files from the source, both ends hashing them."""

    transport: str
    bytes_per_second: float
    trusted: bool
    """Whether staging follows it; not after so few bytes that they say nothing."""


@dataclass(frozen=True)
class StoreAdvice(Jsonable):
    """How dump files are best staged into a store."""

    run_id: str
    conn_id: str
    mount: str
    ways: tuple[WayAdvice, ...]
    """The better one first."""
    notes: tuple[str, ...] = ()
    transports: tuple[TransportAdvice, ...] = ()
    """The better one first; none where no database link was measured."""

    def of(self, way: str) -> WayAdvice | None:
        return next((one for one in self.ways if one.way == way), None)


#: By `store_key`.
STORE_ADVICE: Kind[StoreAdvice] = Kind("recommendation", StoreAdvice, shares=RECOMMENDATION, learnt=True)


def store_key(conn_id: str, mount: str) -> str:
    """The key under which the advice for a target's store is kept."""
    return f"store {mount} of {conn_id}"


def way_of(staging: Staging) -> str:
    """The way into the store that a staging takes where dump files pass through the worker."""
    return MOUNTED if staging.transport is StagingTransport.MOUNTED else STREAM


def by_better_way(staging: Staging, advice: Sequence[StoreAdvice], mounted: bool) -> Staging:
    """The staging through its mounted path, where the transport is left open and that way was the better one.

    A database link goes before both, unless a calibration that brought the same dump files by all of them
    found another transport better.

    :param advice: of the store, the latest first.
    :param mounted: whether this worker has the definition's `mounted_path`.
    """
    if staging.transport is not StagingTransport.AUTO:
        return staging
    best = _over_link(advice, mounted) if staging.database_link else _into_store(advice, mounted)
    return staging if best is None else staging.model_copy(update={"transport": best})


def _over_link(advice: Sequence[StoreAdvice], mounted: bool) -> StagingTransport | None:
    """What is better than the link, if anything is; None leaves the choice as it is."""
    compared = (each.transports for each in advice if each.transports)
    latest = next((transports for transports in compared if all(each.trusted for each in transports)), ())
    possible = (StagingTransport(each.transport) for each in latest if mounted or each.transport != MOUNTED)
    best = next(possible, None)
    return None if best is StagingTransport.FILE_TRANSFER else best


def _into_store(advice: Sequence[StoreAdvice], mounted: bool) -> StagingTransport | None:
    """The mounted path where that was the better way into the store."""
    compared = (each.ways for each in advice if len(each.ways) > 1 and all(way.trusted for way in each.ways))
    latest = next(compared, None)
    if not mounted or latest is None or latest[0].way != MOUNTED:
        return None
    return StagingTransport.MOUNTED


def settled(staging: Staging, advice: WayAdvice | None) -> Staging:
    """The staging with files at a time and bytes of a piece as calibrated; what it says itself stays."""
    if advice is None:
        return staging
    calibrated = {"files_at_a_time": advice.files_at_a_time, "piece_bytes": advice.piece_bytes}
    open_fields = {name: value for name, value in calibrated.items() if getattr(staging, name) is None}
    return staging.model_copy(update=open_fields)
