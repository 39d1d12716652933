"""What the tasks of a benchmark do on its target, and what they survive when they are killed.

A trial begins by taking back what is open of the run's tuning, whoever left it, and ends with that. So it may
be killed anywhere and run again: it measures anew, on new tables. `restore` is the same way back for the end
of the run, which Airflow goes whatever became of the trials.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog import identify
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.labs.masking import workload
from oracle_refresh.labs.masking.definition import BenchmarkDefinition
from oracle_refresh.labs.masking.design import trials
from oracle_refresh.labs.masking.feasible import LOG_MODE, choose, without_log_mode
from oracle_refresh.labs.masking.measure import clean, mask_all
from oracle_refresh.labs.masking.model import (
    BASELINE,
    BENCHMARK,
    MEASUREMENT,
    STEP,
    Benchmark,
    Measurement,
    Series,
    Workload,
)
from oracle_refresh.masking import MasterKey
from oracle_refresh.oracle.errors import PreflightError, TuningError
from oracle_refresh.oracle.session import execute
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.progress import Progress
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.counters import Counters, delta, findings, read_counters
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore
from oracle_refresh.tuning.statements import SWITCH_LOG

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.log_mode import Session

log = logging.getLogger(__name__)
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
class BenchmarkRun:
    """A run on the target of its definition.

    :ivar session: opens a session; a change of the log mode restarts the instance, which ends all others.
    """

    session: Session
    definition: BenchmarkDefinition
    run_id: str

    def plan(self, work: Workload, wanted: Sequence[str], repetitions: int) -> Benchmark:
        """Find out which switches can be measured, and in what order; changes no setting.

        :param wanted: names of switches and series; none means all switches.
        """
        definition = self.definition
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            identity = identify(connection)
            documents.ensure()
            workload.SCHEMAS.require_own(documents, work.schema)
            instance = read_instance(connection)
        settings, not_measured = choose(definition, instance, wanted)
        present = instance.log_mode
        if any(str(setting.phase.get(LOG_MODE, present)).upper() != present for setting in settings):
            command, seconds = definition.log_mode_command, definition.log_mode_seconds
            if unable := log_mode.obstacle(self.session, command, seconds):
                settings, not_measured = choose(definition, instance, wanted, unable)
        switches = [setting.name for setting in settings if setting.name != BASELINE]
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            benchmark = Benchmark(
                run_id=self.run_id,
                conn_id=definition.target.conn_id,
                database=f"{identity.db_unique_name} {identity.version}",
                workload=work,
                settings=settings,
                trials=trials(switches, repetitions),
                not_measured=not_measured,
                log_mode=log_mode.former(documents, connection),
                series=tuple(
                    Series(name, each.title, each.baseline)
                    for name, each in definition.series.items()
                    if any(setting.series == name for setting in settings)
                ),
            )
            documents.put(BENCHMARK, WHOLE, benchmark)
        for switch in not_measured:
            log.warning("not measured: %s: %s\n%s", switch.setting, switch.reason, "\n".join(switch.runbook))
        return benchmark

    def planned(self) -> Benchmark:
        """:raises PlanError: if the run has no plan."""
        with self.session() as connection:
            return Documents(connection, self.run_id).get(BENCHMARK, WHOLE)

    def make_tables(self) -> None:
        """Make the schema and the table of originals; what a killed try has left is dropped first."""
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            work = documents.get(BENCHMARK, WHOLE).workload
            workload.SCHEMAS.make(documents, work.schema, self.definition.tablespace)
            workload.fill_originals(connection, work)

    def measure(self, trial_id: str, connect: Connect, key: MasterKey, progress: Progress) -> Measurement:
        """Set the instance, mask all tables, and put the instance back.

        :param connect: opens a session of a job.
        :raises PreflightError: if the benchmark's schema is gone or not its own any more.
        :raises TuningError: if the instance cannot be set or put back.
        :raises MaskingError: if a table could not be masked.
        """
        benchmark = self.planned()
        trial, work = benchmark.trial(trial_id), benchmark.workload
        setting = benchmark.setting(trial.setting)
        phase = setting.phase
        if setting.commit_rows is not None:
            work = replace(work, commit_rows=setting.commit_rows)
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            if not workload.SCHEMAS.require_own(documents, work.schema):
                raise PreflightError(
                    "the benchmark's schema is gone",
                    object_name=work.schema,
                    step=STEP,
                    remedy="clear the task that makes it, or run the benchmark again",
                )
            put_back(connection, self.run_id)
        mode = str(phase.get(LOG_MODE, benchmark.log_mode)).upper()
        self._into_mode(benchmark, mode)
        with self.session() as connection:
            try:
                planned = plan_changes(without_log_mode(phase), read_instance(connection))
                apply_changes(connection, planned, self.run_id, trial.setting, progress)
                tables = workload.reset(connection, work)
                before = read_counters(connection)
                taken = mask_all(connect, work, tables, key, progress)
                after = read_counters(connection)
            finally:
                # What does not come back at once is waited for by whoever is next.
                restore(connection, self.run_id)
        waits, statistics = _growth(before, after)
        measurement = Measurement(
            trial=trial,
            seconds=taken.seconds,
            rows=taken.rows,
            bytes=sum(table.total_bytes for table in tables.values()),
            transactions=taken.transactions,
            log_mode=mode,
            job_seconds=taken.job_seconds,
            waits=waits,
            statistics=statistics,
            findings=tuple(finding.text for finding in findings(before, after)),
        )
        with self.session() as connection:
            Documents(connection, self.run_id).put(MEASUREMENT, trial.id, measurement)
        return measurement

    def restore(self) -> tuple[str, ...]:
        """The instance as it was before the benchmark, its schema and all its traces but the results gone.

        :returns: what was left as it is, in words: changes that somebody else has made meanwhile, and what
            only a DBA can do.
        """
        benchmark = self.planned()
        work = benchmark.workload
        with self.session() as connection:
            left = put_back(connection, self.run_id)
        self._into_mode(benchmark, benchmark.log_mode)
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            log_mode.note(documents, benchmark.log_mode, open=False)
            if workload.SCHEMAS.require_own(documents, work.schema):
                clean(connection, work, workload.read_tables(connection, work).values())
            workload.SCHEMAS.drop(documents, work.schema)
        return left

    def results(self) -> tuple[Benchmark, tuple[Measurement, ...]]:
        """The plan, and what was measured of its trials."""
        with self.session() as connection:
            documents = Documents(connection, self.run_id)
            benchmark = documents.get(BENCHMARK, WHOLE)
            return benchmark, benchmark.own(documents.all(MEASUREMENT))

    def _into_mode(self, benchmark: Benchmark, mode: str) -> None:
        command, seconds = self.definition.log_mode_command, self.definition.log_mode_seconds
        log_mode.into_mode(self.session, self.run_id, benchmark.log_mode, mode, command, seconds)


def _growth(before: Counters, after: Counters) -> tuple[dict[str, float], dict[str, float]]:
    grown = delta(before, after)
    waits = {name: float(seconds) for name, seconds in grown.events.items() if seconds >= SHORTEST_WAIT}
    statistics = {name: float(grown.statistics[name]) for name in STATISTICS if name in grown.statistics}
    return waits, statistics | {SWITCHES: float(grown.switches)}


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
        for drift in restored.drifted:
            left[f"{drift.item} is {drift.found}, before it was {drift.former}"] = None
        waiting = Records(connection).open(run_id)
        if not waiting:
            return (*left, *(step.text for step in restored.runbook))
        execute(connection, SWITCH_LOG)
    raise TuningError(
        f"not back as before: {', '.join(record.item for record in waiting)}",
        step=STEP,
        remedy="see whether archiving hangs (V$ARCHIVE_DEST.ERROR), then clear this task",
    )
