"""A trial from its setting to its measurement, and the way back; what both survive when they are killed.

A trial begins by taking back what is open of the run's tuning, whoever left it, and ends with that. So it may
be killed anywhere and run again: it measures anew, on new tables. `restore_instance` is the same way back for
the end of the run, which Airflow goes whatever became of the trials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.labs.masking import workload
from oracle_refresh.labs.masking.definition import BenchmarkDefinition
from oracle_refresh.labs.masking.feasible import LOG_MODE, without_log_mode
from oracle_refresh.labs.masking.measure import Connect, clean, mask_all, masking_run
from oracle_refresh.labs.masking.model import Benchmark, Measurement, Trial, Workload
from oracle_refresh.masking import MasterKey
from oracle_refresh.oracle.errors import PreflightError, TuningError
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.progress import Progress
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.evidence import Counters, delta, findings, read_counters
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore
from oracle_refresh.tuning.statements import SWITCH_LOG

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.log_mode import Session

STEP = "masking benchmark"
#: How often a restore is repeated until nothing is left to do.
RESTORES = 6
#: A wait that took less is no line in a report.
SHORTEST_WAIT = 0.005
SWITCHES = "redo log switches"
#: Of V$SYSSTAT, what the switches are about.
STATISTICS = (
    *("redo size", "redo entries", "redo writes", "redo synch time", "user commits"),
    *("undo change vector size", "db block changes", "physical reads", "physical writes"),
)


@dataclass(frozen=True)
class Place:
    """Where a run measures: how to open sessions there, by which definition and key."""

    session: Session
    connect: Connect
    """Opens a session from any thread."""
    definition: BenchmarkDefinition
    key: MasterKey
    run_id: str


def measure_trial(place: Place, benchmark: Benchmark, trial: Trial, progress: Progress) -> Measurement:
    """Set the instance, mask all tables, and put the instance back.

    :raises PreflightError: if the benchmark's schema is gone or not its own any more.
    :raises TuningError: if the instance cannot be set or put back.
    :raises MaskingError: if a table could not be masked.
    """
    run_id, work = place.run_id, benchmark.workload
    phase = benchmark.setting(trial.setting).phase
    with place.session() as connection:
        documents = Documents(connection, run_id)
        if not workload.SCHEMAS.require_own(connection, documents, work.schema):
            raise PreflightError(
                "the benchmark's schema is gone",
                object_name=work.schema,
                step=STEP,
                remedy="clear the task that makes it, or run the benchmark again",
            )
        put_back(connection, run_id)
    mode = str(phase.get(LOG_MODE, benchmark.log_mode)).upper()
    _into_mode(place, benchmark, mode)
    with place.session() as connection:
        try:
            planned = plan_changes(without_log_mode(phase), read_instance(connection))
            apply_changes(connection, planned, run_id, trial.setting, progress)
            measured = _measure(place, connection, work, trial, mode, progress)
        finally:
            restore(connection, run_id)  # what does not come back at once is waited for by whoever is next
    return measured


def _into_mode(place: Place, benchmark: Benchmark, mode: str) -> None:
    definition = place.definition
    command, seconds = definition.log_mode_command, definition.log_mode_seconds
    log_mode.into_mode(place.session, place.run_id, benchmark.log_mode, mode, command, seconds)


def _measure(
    place: Place,
    connection: oracledb.Connection,
    work: Workload,
    trial: Trial,
    mode: str,
    progress: Progress,
) -> Measurement:
    masking = masking_run(work)
    rules = workload.ruleset(work)
    tables = workload.reset(connection, work, masking)
    before = read_counters(connection)
    taken = mask_all(place.connect, work, tables, rules, place.key, masking, progress)
    after = read_counters(connection)
    waits, statistics = _growth(before, after)
    return Measurement(
        trial=trial,
        seconds=taken.seconds,
        rows=taken.rows,
        transactions=taken.transactions,
        log_mode=mode,
        job_seconds=taken.job_seconds,
        waits=waits,
        statistics=statistics,
        findings=tuple(one.text for one in findings(before, after)),
    )


def _growth(before: Counters, after: Counters) -> tuple[dict[str, float], dict[str, float]]:
    grown = delta(before, after)
    waits = {name: float(seconds) for name, seconds in grown.events.items() if seconds >= SHORTEST_WAIT}
    known = {name: float(grown.statistics[name]) for name in STATISTICS if name in grown.statistics}
    return waits, known | {SWITCHES: float(grown.switches)}


def restore_instance(place: Place, benchmark: Benchmark) -> tuple[str, ...]:
    """The instance as it was before the benchmark, its schema and all its traces but the results gone.

    :returns: what was left as it is, in words: changes that somebody else has made meanwhile, and what only a
        DBA can do.
    """
    run_id, work = place.run_id, benchmark.workload
    with place.session() as connection:
        left = put_back(connection, run_id)
    _into_mode(place, benchmark, benchmark.log_mode)
    with place.session() as connection:
        documents = Documents(connection, run_id)
        log_mode.note(documents, benchmark.log_mode, open=False)
        if workload.SCHEMAS.require_own(connection, documents, work.schema):
            catalogue = read_catalogue(connection, [work.schema])
            tables = {table.name: table for table in catalogue.tables if table.name != workload.ORIGINAL}
            clean(connection, work, tables, workload.ruleset(work), masking_run(work))
        workload.SCHEMAS.drop(connection, documents, work.schema)
    return left


def put_back(connection: oracledb.Connection, run_id: str | None = None) -> tuple[str, ...]:
    """Restore what tuning has changed, again and again until it is back; what was left as it is, in words.

    A redo group is dropped when it is archived and no recovery needs it, which may take more log switches
    than one restore waits for.

    :param run_id: of which run; None means any.
    :raises TuningError: naming what is not back after several tries.
    """
    left: dict[str, None] = {}
    for _ in range(RESTORES):
        restored = restore(connection, run_id)
        left |= {f"{one.item} is {one.found}, before it was {one.former}": None for one in restored.drifted}
        waiting = Records(connection).open(run_id)
        if not waiting:
            return (*left, *(step.text for step in restored.runbook))
        with connection.cursor() as cursor:
            cursor.execute(SWITCH_LOG)
    raise TuningError(
        f"not back as before: {', '.join(one.item for one in waiting)}",
        step=STEP,
        remedy="see whether archiving hangs (V$ARCHIVE_DEST.ERROR), then clear this task",
    )
