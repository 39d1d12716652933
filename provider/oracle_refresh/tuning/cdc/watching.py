"""A capture or an apply process as it is seen for a while: by one task, or from one task to a later one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc.model import Memory
from oracle_refresh.tuning.cdc.picture import Picture, measured_memory, movement
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings
from oracle_refresh.tuning.cdc.waits import Process, read_processes, waited

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Look(Jsonable):
    """What the views have shown at one moment."""

    picture: Picture
    processes: tuple[Process, ...]
    """With what they have waited for since they began."""
    at: float
    """Seconds since 1970 by the clock of the worker."""


def look_at(
    connection: oracledb.Connection, apply_name: str | None = None, capture_name: str | None = None
) -> Look:
    """One look; see `read_picture` for names and errors."""
    picture = read_picture(connection, apply_name, capture_name)
    return Look(picture, read_processes(connection, picture), time.time())


def since(before: Look, connection: oracledb.Connection, assumed: Memory) -> CaptureReadings:
    """What has moved since that look, and what the processes have waited for meanwhile.

    :param assumed: what the views do not tell of memory.
    """
    after = look_at(connection, before.picture.apply_name, before.picture.capture_name)
    moved = movement(before.picture, after.picture, max(0.0, after.at - before.at))
    memory = measured_memory(moved, before.picture, after.picture, assumed)
    return CaptureReadings(moved, after.picture, memory, waited(before.processes, after.processes))


def watch(
    connection: oracledb.Connection,
    seconds: float,
    assumed: Memory,
    apply_name: str | None = None,
    capture_name: str | None = None,
) -> CaptureReadings:
    """What moves within so many seconds; waits for them."""
    before = look_at(connection, apply_name, capture_name)
    time.sleep(seconds)
    return since(before, connection, assumed)
