"""How the target's instance was tuned, whether that was undone, and what held the work up. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.changes import RunbookStep
from oracle_refresh.tuning.counters import Counters, delta
from oracle_refresh.tuning.findings import TuningAdvice, advise
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING, States

#: Readings in their order, and what is done between one and the next.
START, LOADED, END = "start", "loaded", "end"
WINDOWS = (
    (START, LOADED, "until the last shard was loaded; tables that were complete were masked meanwhile"),
    (LOADED, END, "from then on: masking, indexes, constraints, statistics"),
)
MOST_WAITS = 10


@dataclass(frozen=True)
class TunedItem(Jsonable):
    """One change. The state is `open` while it is in effect, then `restored` or `drifted`.

    `before`, `during` and `after` are what the database showed of the item then; None where it was not read.
    """

    item: str
    change: str
    state: str
    note: str | None = None
    before: str | None = None
    during: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class Wait(Jsonable):
    """A wait event and the seconds that all sessions together spent with it."""

    event: str
    seconds: float


@dataclass(frozen=True)
class Window(Jsonable):
    """What the instances did between two readings of their counters."""

    name: str
    seconds: float
    redo_bytes: int
    log_switches: int
    waits: tuple[Wait, ...]
    findings: tuple[TuningAdvice, ...]


@dataclass(frozen=True)
class TuningReport(Jsonable):
    """The tuning of a run. Without a profile only the windows are filled."""

    profile: str | None = None
    items: tuple[TunedItem, ...] = ()
    runbook: tuple[RunbookStep, ...] = ()
    windows: tuple[Window, ...] = ()

    @property
    def open(self) -> tuple[TunedItem, ...]:
        return tuple(item for item in self.items if item.state == "open")

    @property
    def drifted(self) -> tuple[TunedItem, ...]:
        return tuple(item for item in self.items if item.state == "drifted")


TUNING: Kind[TuningReport] = Kind("tuning", TuningReport)


def windows(readings: Mapping[str, Counters]) -> tuple[Window, ...]:
    """The windows of a run from the readings that it has; one over all where the middle one is missing.

    Tasks that were cleared after the instance was restored read later than its end: that is no window.
    """
    if {START, END} <= readings.keys() and LOADED not in readings:
        return (_window("the whole refresh", readings[START], readings[END]),)
    return tuple(
        _window(name, readings[begin], readings[end])
        for begin, end, name in WINDOWS
        if {begin, end} <= readings.keys() and readings[begin].taken_at < readings[end].taken_at
    )


def tuning_report(
    stated: TuningReport | None, readings: Mapping[str, Counters], states: Mapping[str, States]
) -> TuningReport:
    """From the results of the tasks: the latest state of the changes, and the readings.

    :param states: what was read of the items, by `tuning.states.BEFORE`, `DURING` and `AFTER`.
    """
    stated = stated or TuningReport()
    before, during, after = (states.get(moment, States()) for moment in (BEFORE, DURING, AFTER))
    items = tuple(
        replace(item, before=before.of(item.item), during=during.of(item.item), after=after.of(item.item))
        for item in stated.items
    )
    return TuningReport(stated.profile, items, stated.runbook, windows(readings))


def _window(name: str, before: Counters, after: Counters) -> Window:
    happened = delta(before, after)
    waits = sorted(happened.events.items(), key=lambda event: -event[1])[:MOST_WAITS]
    return Window(
        name=name,
        seconds=round(happened.seconds, 3),
        redo_bytes=int(happened.statistics.get("redo size", 0)),
        log_switches=happened.switches,
        waits=tuple(Wait(event, round(seconds, 3)) for event, seconds in waits),
        findings=advise(happened),
    )
