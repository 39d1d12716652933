"""What change capture did before a run's work, during it and afterwards, and what was set for it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.report.tuning import Wait
from oracle_refresh.tuning.cdc.around_work import Chosen, Watched
from oracle_refresh.tuning.cdc.change import APPLY, CAPTURE
from oracle_refresh.tuning.cdc.flow import stages
from oracle_refresh.tuning.cdc.rules import Observation
from oracle_refresh.tuning.cdc.verdict import worth_keeping
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING

#: Of each process.
MOST_EVENTS = 3
MOMENTS = (BEFORE, DURING, AFTER)


@dataclass(frozen=True)
class Passed(Jsonable):
    """One step that changes pass; `behind` is how many seconds after its change the last one passed it."""

    step: str
    what: str
    count: int
    per_second: float | None = None
    behind: float | None = None


@dataclass(frozen=True)
class Waiting(Jsonable):
    """What a process has waited for longest, idle waits aside."""

    role: str
    session: str
    waits: tuple[Wait, ...] = ()


@dataclass(frozen=True)
class Watch(Jsonable):
    """One stretch of time. Shares are of the messages, and of the time.

    :ivar moment: `before`, `during` or `after` the work.
    :ivar spill_share: of what came into the queue, how much it has spilled; None where nothing came.
    :ivar paused_share: in which flow control has paused capture.
    """

    moment: str
    seconds: float
    steps: tuple[Passed, ...] = ()
    spill_share: float | None = None
    paused_share: float = 0.0
    waiting: tuple[Waiting, ...] = ()
    findings: tuple[Observation, ...] = ()


@dataclass(frozen=True)
class SetParameter(Jsonable):
    """A parameter that was to be set for the work, or that has changed meanwhile; as the database showed it,
    None where it was not read or shows nothing."""

    name: str
    wanted: str | None = None
    before: str | None = None
    during: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class CaptureReport(Jsonable):
    """The processes that the definition names. Without any all of it is empty.

    :ivar end: `source`, where nothing is set, or `target`.
    :ivar findings: what follows from the watches beside each other.
    """

    end: str | None = None
    capture_name: str | None = None
    apply_name: str | None = None
    purpose: str = ""
    parameters: tuple[SetParameter, ...] = ()
    watches: tuple[Watch, ...] = ()
    findings: tuple[str, ...] = ()


def capture_report(chosen: Chosen | None, watched: Mapping[str, Watched]) -> CaptureReport:
    """From what the tasks have left.

    :param watched: by `tuning.states.BEFORE`, `DURING` and `AFTER`, as far as they came.
    """
    if chosen is None:
        return CaptureReport()
    seen = {moment: watched[moment] for moment in MOMENTS if moment in watched}
    return CaptureReport(
        end=chosen.end,
        capture_name=chosen.capture_name,
        apply_name=chosen.apply_name,
        purpose=next((each.picture.purpose for each in seen.values()), ""),
        parameters=tuple(_parameters(chosen, seen)),
        watches=tuple(_watch(moment, each) for moment, each in seen.items()),
        findings=tuple(_findings(chosen, seen)),
    )


def _watch(moment: str, watched: Watched) -> Watch:
    moved = watched.moved
    seconds = moved.seconds
    return Watch(
        moment=moment,
        seconds=round(seconds, 3),
        steps=tuple(
            Passed(
                *(each.name, each.what, each.count),
                per_second=round(each.count / seconds, 1) if seconds else None,
                behind=each.behind,
            )
            for each in stages(watched.picture, moved)
        ),
        spill_share=_spilled(watched),
        paused_share=_paused(watched),
        waiting=tuple(
            Waiting(
                process.role,
                f"{process.sid},{process.serial}",
                tuple(
                    Wait(wait.event, round(wait.seconds, 3)) for wait in process.longest_first[:MOST_EVENTS]
                ),
            )
            for process in watched.processes
        ),
        findings=watched.diagnosis.findings,
    )


def _parameters(chosen: Chosen, seen: Mapping[str, Watched]) -> Iterator[SetParameter]:
    shown = {moment: _shown(each) for moment, each in seen.items()}
    names = dict.fromkeys([*chosen.wanted, *(name for values in shown.values() for name in values)])
    for name in names:
        values = {moment: values.get(name) for moment, values in shown.items()}
        if name in chosen.wanted or len(set(values.values())) > 1:
            yield SetParameter(name, chosen.wanted.get(name), **values)


def _shown(watched: Watched) -> dict[str, str]:
    picture = watched.picture
    values = {f"{APPLY}.{name.upper()}": value for name, value in picture.apply_parameters.items()}
    values |= {f"{CAPTURE}.{name.upper()}": value for name, value in picture.capture_parameters.items()}
    if picture.pool is not None:
        values["system.streams_pool_size"] = str(picture.pool.set_bytes)
    return values


def _findings(chosen: Chosen, seen: Mapping[str, Watched]) -> Iterator[str]:
    missing = [moment for moment in MOMENTS if moment not in seen]
    if missing:
        yield f"Not watched {' and '.join(missing)} the work; the logs of the tasks around it say why."
    before, during = seen.get(BEFORE), seen.get(DURING)
    if before is not None and before.moved.idle:
        yield (
            "Nothing moved while it was watched before the work: nothing follows from that, and the work is"
            " compared with nothing."
        )
        before = None
    if during is not None:
        yield from _of_work(chosen, before, during)
    if AFTER in seen and seen[AFTER].moved.idle:
        yield "Nothing moved while it was watched after the work."


def _of_work(chosen: Chosen, before: Watched | None, during: Watched) -> Iterator[str]:
    """:param before: the usual work, where any was seen."""
    if during.moved.idle:
        yield (
            "Nothing moved during the work: what it changes is not captured, or a process stood still. What"
            " was set made no difference."
        )
        return
    for what, share, of in (
        ("The queue spilled", _spilled, "the messages"),
        ("Capture was paused by flow control for", _paused, "the time"),
    ):
        now, then = share(during), None if before is None else share(before)
        if now or then:
            usual = "nothing came" if then is None else f"{100 * then:.0f} %"
            beside = f"; before the work: {usual}" if before is not None else ""
            yield f"{what} {100 * (now or 0):.0f} % of {of}{beside}."
    if before is None:
        return
    late, usually = during.moved.lag_seconds, before.moved.lag_seconds
    if late is not None and usually is not None:
        yield f"In the end capture was {late:,.0f} s behind the changes; before the work {usually:,.0f} s."
    if chosen.wanted and during.picture.applies:
        better, why = worth_keeping(before.moved, during.moved)
        yield (
            f"What was set {'has helped' if better else 'is not seen to have helped'}: {why}. The work is not"
            " what is captured on other days, so compare runs with and without it."
        )


def _spilled(watched: Watched) -> float | None:
    moved = watched.moved
    return round(moved.queue_spilled / moved.enqueued, 4) if moved.enqueued else None


def _paused(watched: Watched) -> float:
    moved = watched.moved
    return round(min(1.0, moved.paused_seconds / moved.seconds), 4) if moved.seconds else 0.0
