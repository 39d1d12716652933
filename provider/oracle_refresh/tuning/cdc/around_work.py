"""The processes that the section `capture` of a definition names: diagnosed before a run's work, while it
goes on, and afterwards, and tuned for that time.

What is set is a change as those of a tuning profile: on record in the target before it is made, and taken
back by `tuning.restore`. A diagnosis is something that a run can do without: it has a session of its own, and
whatever goes wrong with it is logged and left out of the report.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.session import short_call
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc.change import POOL, intend, values_recommended
from oracle_refresh.tuning.cdc.model import Memory
from oracle_refresh.tuning.cdc.picture import Movement, Picture
from oracle_refresh.tuning.cdc.process_rules import PROCESS_RULES
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.cdc.queueing import Costs
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, diagnose
from oracle_refresh.tuning.cdc.support import read_support
from oracle_refresh.tuning.cdc.waits import Process
from oracle_refresh.tuning.cdc.watching import Look, look_at, since, watch
from oracle_refresh.tuning.changes import Changes, RunbookStep
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.refresh_run import RefreshRun

POOL_PARAMETER = "streams_pool_size"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Watched(Jsonable):
    """What one stretch of time has shown, and what follows from it."""

    picture: Picture
    """As it was in the end."""
    moved: Movement
    processes: tuple[Process, ...]
    """With what they have waited for meanwhile."""
    diagnosis: Diagnosis
    until: float
    """When it ended: seconds since 1970 by the clock of the worker."""


@dataclass(frozen=True)
class Chosen(Jsonable):
    """Which processes they are, and what is to be set for the time of the work."""

    end: Literal["source", "target"]
    apply_name: str | None
    capture_name: str | None
    wanted: dict[str, str | None] = field(hash=False)
    """By `apply.PARALLELISM`, `capture.MAX_SGA_SIZE` or `system.streams_pool_size`."""


@dataclass(frozen=True)
class Model:
    """What the views do not tell: costs that weigh settings against each other, and sizes."""

    costs: Costs
    memory: Memory


CHOSEN: Kind[Chosen] = Kind("cdc set", Chosen)
#: The look from which on the work is watched.
LOOK: Kind[Look] = Kind("cdc look", Look)
#: By `tuning.states.BEFORE`, `DURING` and `AFTER`.
WATCHED: Kind[Watched] = Kind("cdc watched", Watched)


def watched_before(run: RefreshRun, model: Model) -> None:
    """Diagnose what the definition names, if anything, once in a run: what is kept is not made again.

    For a task that comes before the target is locked: no account or job works on a locked one.
    """
    with _spared(BEFORE):
        section = run.definition.capture
        if section is None or run.documents.find(WATCHED, BEFORE) is not None:
            return
        with _session(run, section.end) as connection:
            readings = watch(connection, section.seconds, model.memory, **section.names)
            readings = replace(readings, support=read_support(connection, readings.picture))
        run.documents.keep(WATCHED, BEFORE, _judged(readings, model))


def choose(run: RefreshRun) -> Chosen | None:
    """Keep what is to be set, by the definition and what `watched_before` has left; None where the definition
    names nothing.

    :raises TuningError: if there is no such process, or its views cannot be read, and parameters of it are to
        be set.
    """
    section = run.definition.capture
    if section is None:
        return None
    before = run.documents.find(WATCHED, BEFORE)
    if before is not None:
        names = before.picture.apply_name, before.picture.capture_name
    elif section.given:
        with _session(run, section.end) as connection:
            picture = read_picture(connection, **section.names)
        names = picture.apply_name, picture.capture_name
    else:
        names = section.apply_name, section.capture_name
    recommended = _recommended(before) if section.recommended else {}
    chosen = Chosen(section.end, *names, {**recommended, **section.given})
    run.documents.put(CHOSEN, WHOLE, chosen)
    return chosen


def _recommended(before: Watched | None) -> dict[str, str | None]:
    if before is None or before.moved.idle:
        log.warning(
            "nothing that is recommended is set: change capture %s",
            "was not watched before the target was locked"
            if before is None
            else "has moved nothing while it was watched",
        )
        return {}
    return values_recommended(before.diagnosis)


def plan_capture(run: RefreshRun, chosen: Chosen, taken: Collection[str] = ()) -> Changes:
    """The changes that set it, with commands for a DBA where it cannot be set from here.

    :param taken: parameters of the instance that a profile sets.
    :raises TuningError: for parameters of an end that is not there.
    """
    wanted = {name: value for name, value in chosen.wanted.items() if name != POOL}
    record = intend(run.target, chosen.apply_name, chosen.capture_name, wanted) if wanted else None
    if record is not None:
        changes = Changes((ProcessChange(record, wanted),))
    else:
        # What is set already a former try may have set, and was killed before it had started apply again.
        own = (each.change for each in Records(run.target).open(run.id))
        changes = Changes(tuple(change for change in own if isinstance(change, ProcessChange)))
    size = chosen.wanted.get(POOL)
    if size is None or POOL_PARAMETER in taken:
        return changes
    return changes.with_others(_pool(run, size))


def begin_watching(run: RefreshRun, chosen: Chosen) -> None:
    """What moves from now on is what moves during the work."""
    with _spared(DURING), _session(run, chosen.end) as connection:
        run.documents.put(LOOK, WHOLE, look_at(connection, chosen.apply_name, chosen.capture_name))


def watched_during(run: RefreshRun, model: Model) -> None:
    """Keep what has moved since `begin_watching`, once, while it is still set."""
    with _spared(DURING):
        chosen, look = run.documents.find(CHOSEN, WHOLE), run.documents.find(LOOK, WHOLE)
        during = run.documents.find(WATCHED, DURING)
        if chosen is None or look is None or (during is not None and during.until >= look.at):
            return
        with _session(run, chosen.end) as connection:
            readings = since(look, connection, model.memory)
        run.documents.put(WATCHED, DURING, _judged(readings, model))


def watched_after(run: RefreshRun, model: Model) -> None:
    """Watch as long as before, when what was set is taken back; accounts of the target are locked still."""
    with _spared(AFTER):
        section, chosen = run.definition.capture, run.documents.find(CHOSEN, WHOLE)
        if section is None or chosen is None:
            return
        with _session(run, chosen.end) as connection:
            names = chosen.apply_name, chosen.capture_name
            readings = watch(connection, section.seconds, model.memory, *names)
        run.documents.put(WATCHED, AFTER, _judged(readings, model))


@contextmanager
def _spared(moment: str) -> Iterator[None]:
    """Whatever fails in the block is logged, as a warning, and forgotten."""
    try:
        yield
    except Exception as error:
        log.warning("change capture %s the work is left out of the report: %s", moment, error, exc_info=error)


@contextmanager
def _session(run: RefreshRun, end: Literal["source", "target"]) -> Iterator[oracledb.Connection]:
    """One beside the task's own, of which a call that is not answered in time takes nothing but itself."""
    connection = run.further_source() if end == "source" else run.further_target()
    with short_call(connection):
        yield connection


def _judged(readings: CaptureReadings, model: Model) -> Watched:
    diagnosis = diagnose(readings, model.costs, PROCESS_RULES)
    for finding in diagnosis.findings:
        log.info("%s: %s (%s)", finding.rule, finding.text, finding.source)
    if readings.moved.idle:
        log.warning(
            "nothing has moved through %s within %.0f s", readings.picture.name, readings.moved.seconds
        )
    return Watched(readings.picture, readings.moved, readings.processes, diagnosis, time.time())


def _pool(run: RefreshRun, size: str) -> Changes:
    """The streams pool as any other parameter of the instance, which may not be tuned at all."""
    phase = Phase(parameters={POOL_PARAMETER: size}, root_parameters="runbook")
    try:
        return plan_changes(phase, read_instance(run.target), run.definition.deny_list.databases)
    except TuningError as error:
        step = RunbookStep(
            f"{POOL_PARAMETER} of {size}, as the diagnosis of change capture recommends",
            error.message,
            (f"{calls.set_streams_pool(int(size))};",),
        )
        return Changes(runbook=(step,))
