"""Processors of the worker's host while something is measured, and this process's part of them.

Data goes through FUSE to dbfs_client, a process of its own, in small pieces: most of it is system time ("High
'SYS' mode CPU usage" in "DBFS use case performance on Exadata configurations", March 2016). Sources: proc(5);
times(2).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.harness.processors import Processors, busy, read_processors

T = TypeVar("T")


@dataclass(frozen=True)
class ClientCpu(Jsonable):
    """`user`, `system` and `waiting` (for I/O) are shares of all processors of the host, with all that runs
    there besides; `own_user` and `own_system` are seconds of this process and of programs that it waited for.
    """

    user: float
    system: float
    waiting: float
    own_user: float
    own_system: float


class _Reading(NamedTuple):
    host: Processors
    user: float
    system: float


def _read() -> _Reading | None:
    try:
        host = read_processors()
    except (OSError, ValueError):  # not Linux
        return None
    own = os.times()
    return _Reading(host, own.user + own.children_user, own.system + own.children_system)


def with_client(work: Callable[[], T]) -> tuple[T, ClientCpu | None]:
    """What the work returns, and the processors meanwhile; None where the host does not count them, or where
    it took less than a tick."""
    before = _read()
    result = work()
    after = _read()
    if before is None or after is None or (shares := busy(before.host, after.host)) is None:
        return result, None
    return result, ClientCpu(*shares, after.user - before.user, after.system - before.system)
