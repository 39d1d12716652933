"""The processes that the section `capture` of a definition names: diagnosed before a run's work, while it
goes on, and afterwards, and tuned for that time.

What is set is a change as those of a tuning profile: on record in the target before it is made, and taken
back by `tuning.restore`. Readings that fail when the work has begun are left out: they hold nothing up.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import RefreshError, TuningError
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


def choose(run: RefreshRun, model: Model) -> Chosen | None:
    """Diagnose what the definition names, and keep what is to be set; None where it names nothing.

    The diagnosis is made once in a run: a repeated try may find what a former one has set.

    :raises TuningError: if there is no such process, or its views cannot be read.
    """
    section = run.definition.capture
    if section is None:
        return None
    before = run.documents.find(WATCHED, BEFORE)
    if before is None:
        connection = _connection(run, section.end)
        readings = watch(connection, section.seconds, model.memory, **section.names)
        readings = replace(readings, support=read_support(connection, readings.picture))
        before = _judged(readings, model)
        run.documents.put(WATCHED, BEFORE, before)
    recommended = values_recommended(before.diagnosis) if section.recommended else {}
    names = before.picture.apply_name, before.picture.capture_name
    chosen = Chosen(section.end, *names, {**recommended, **section.given})
    run.documents.put(CHOSEN, WHOLE, chosen)
    return chosen


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
    connection = _connection(run, chosen.end)
    run.documents.put(LOOK, WHOLE, look_at(connection, chosen.apply_name, chosen.capture_name))


def watched_during(run: RefreshRun, model: Model) -> None:
    """Keep what has moved since `begin_watching`, once, while it is still set."""
    chosen, look = run.documents.find(CHOSEN, WHOLE), run.documents.find(LOOK, WHOLE)
    during = run.documents.find(WATCHED, DURING)
    if chosen is not None and look is not None and (during is None or during.until < look.at):
        _keep(run, DURING, chosen, model, lambda connection: since(look, connection, model.memory))


def watched_after(run: RefreshRun, model: Model) -> None:
    """Watch as long as before, when what was set is taken back."""
    section, chosen = run.definition.capture, run.documents.find(CHOSEN, WHOLE)
    if section is not None and chosen is not None:
        names, seconds = (chosen.apply_name, chosen.capture_name), section.seconds
        _keep(
            *(run, AFTER, chosen, model),
            lambda connection: watch(connection, seconds, model.memory, *names),
        )


def _keep(
    run: RefreshRun,
    moment: str,
    chosen: Chosen,
    model: Model,
    read: Callable[[oracledb.Connection], CaptureReadings],
) -> None:
    try:
        connection = _connection(run, chosen.end)
        with short_call(connection):
            watched = _judged(read(connection), model)
    except RefreshError as error:
        log.warning("change capture %s the work is left out of the report: %s", moment, error)
        return
    run.documents.put(WATCHED, moment, watched)


def _judged(readings: CaptureReadings, model: Model) -> Watched:
    diagnosis = diagnose(readings, model.costs, PROCESS_RULES)
    for finding in diagnosis.findings:
        log.info("%s: %s (%s)", finding.rule, finding.text, finding.source)
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


def _connection(run: RefreshRun, end: Literal["source", "target"]) -> oracledb.Connection:
    return run.source if end == "source" else run.target
