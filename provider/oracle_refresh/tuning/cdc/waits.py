"""What each process of capture and apply has waited for, and what of that between two looks.

A wait counts when it ends (V$SESSION_EVENT), so a process that has waited for one thing all the time may show
nothing of it yet: what is left of its time is work, or a wait that goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.looking import look

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.cdc.picture import Picture
    from oracle_refresh.tuning.cdc.statements import Family

IDLE = "Idle"


@dataclass(frozen=True)
class Wait(Jsonable):
    """One row of V$SESSION_EVENT."""

    event: str
    wait_class: str
    count: int
    seconds: float


@dataclass(frozen=True)
class Process(Jsonable):
    """A process of capture or apply, and what its session has waited for since it began."""

    role: str
    """`capture`, `sender`, `apply reader`, `apply coordinator` or `apply server`."""
    sid: int
    serial: int
    waits: tuple[Wait, ...] = ()

    def seconds(self, *, idle: bool) -> float:
        """In waits of the class Idle, or in all others."""
        return sum(wait.seconds for wait in self.waits if (wait.wait_class == IDLE) == idle)

    @property
    def longest(self) -> Wait | None:
        """What it has waited for longest, idle waits aside."""
        waits = (wait for wait in self.waits if wait.wait_class != IDLE)
        return max(waits, key=lambda wait: wait.seconds, default=None)


def read_processes(connection: oracledb.Connection, picture: Picture) -> tuple[Process, ...]:
    """The processes that the picture is of, as far as they run on this instance.

    :raises TuningError: if the database refuses for another reason than that a view is not there.
    """
    family = next(each for each in statements.FAMILIES if each.name == picture.family)
    found: dict[tuple[int, int], Process] = {}
    for role, statement, bind in _asked(family):
        name = picture.capture_name if bind == "capture_name" else picture.apply_name
        if name is not None:
            for process in _processes(role, look(connection, statement, **{bind: name})):
                # What sends for an outbound server may be one of its apply servers.
                found.setdefault((process.sid, process.serial), process)
    return tuple(found.values())


def waited(before: Sequence[Process], after: Sequence[Process]) -> tuple[Process, ...]:
    """The processes of `after` with what they have waited for since `before`; of one that began in between,
    with all of it."""
    former = {(process.sid, process.serial, wait.event): wait for process in before for wait in process.waits}
    since: list[Process] = []
    for process in after:
        waits = []
        for wait in process.waits:
            known = former.get((process.sid, process.serial, wait.event))
            count, seconds = (known.count, known.seconds) if known else (0, 0.0)
            if wait.count > count or wait.seconds > seconds:
                waits.append(
                    replace(wait, count=wait.count - count, seconds=max(0.0, wait.seconds - seconds))
                )
        waits.sort(key=lambda wait: -wait.seconds)
        since.append(replace(process, waits=tuple(waits)))
    return tuple(since)


def _asked(family: Family) -> Iterator[tuple[str, str, str]]:
    """Role, statement and the name of its bind."""
    yield "capture", statements.session_waits(family.capture, "CAPTURE_NAME"), "capture_name"
    if family.name == "GG":
        server = ("SERVER_SID", "SERVER_SERIAL#")
        yield "sender", statements.session_waits(family.capture, "CAPTURE_NAME", *server), "capture_name"
    if family.name == "XSTREAM":
        view = "V$XSTREAM_OUTBOUND_SERVER"
        yield "sender", statements.session_waits(view, "SERVER_NAME"), "apply_name"
    yield "apply reader", statements.session_waits(family.reader, "APPLY_NAME"), "apply_name"
    yield "apply coordinator", statements.session_waits(family.coordinator, "APPLY_NAME"), "apply_name"
    yield "apply server", statements.session_waits(family.server, "APPLY_NAME"), "apply_name"


def _processes(role: str, found: Sequence[tuple[Any, ...]]) -> Iterator[Process]:
    """Rows by session; one without any wait has a row with nothing in it."""
    for (sid, serial), of_session in groupby(found, key=lambda row: (int(row[0]), int(row[1]))):
        waits = tuple(
            Wait(str(event), str(wait_class), int(count or 0), float(micro or 0) / 1e6)
            for _, _, event, wait_class, count, micro in of_session
            if event is not None
        )
        yield Process(role, sid, serial, waits)
