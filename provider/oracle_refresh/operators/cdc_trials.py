"""Trials of change capture on tables of their own: prepare, try, advise, recommend, remove."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import settings
from oracle_refresh.labs.change_capture.advisor import ADVICE, advise
from oracle_refresh.labs.change_capture.evaluation import evaluate
from oracle_refresh.labs.change_capture.grid import Scale, grid, numbers, scaled
from oracle_refresh.labs.change_capture.ground import GROUND, Ground, remove, require_capture, set_up
from oracle_refresh.labs.change_capture.page import page, table
from oracle_refresh.labs.change_capture.study import COSTS, TRIALS
from oracle_refresh.labs.change_capture.trial import probe, run_trial
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.cdc.change import POOL, RECORD, change, restore, values_of
from oracle_refresh.tuning.cdc.model import MEMORY, SCENARIO, TRIAL, Scenario, Settings, Trial, TriedMemory
from oracle_refresh.tuning.cdc.picture import combined_memory
from oracle_refresh.tuning.cdc.rules import Evidence
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.log_mode import CAPTURE_LOG_MODE, LogModeNote
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.refusals import refusals

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.definition.model import RefreshDefinition

log = logging.getLogger(__name__)
ARCHIVELOG = "ARCHIVELOG"
MINUTE = 60.0


class PlanCapture(RefreshOperator):
    """Settles the names of what the trials need and the log mode to come back to; changes only the run store.

    Use it as a setup beside `PrepareCapture`: `RemoveCapture` then runs also where that one failed halfway.

    :param prefix: of all names. Templated.
    :raises TuningError: for a prefix that makes no names.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "prefix")

    def __init__(self, *, prefix: str = "CDC_TUNING", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.prefix = prefix

    def execute(self, context: Context) -> None:
        with self.target(self.read_definition()) as connection:
            names = Ground(connection.username.upper(), self.prefix)
            documents = Documents(connection, run_id(context))
            documents.ensure()
            documents.put(GROUND, WHOLE, names)
            documents.put(CAPTURE_LOG_MODE, WHOLE, LogModeNote(log_mode.former(documents, connection)))


class PrepareCapture(RefreshOperator):
    """Makes tables, queue, capture and apply of their own on the target, and the list of trials.

    What a killed run has left under the same names is removed before, and the streams pool of a lost run is
    brought back. Needs ARCHIVELOG mode, into which the definition's `log_mode_command` brings the instance
    until the end, and the privileges of an XStream administrator (DBMS_XSTREAM_AUTH.GRANT_ADMIN_PRIVILEGE),
    SELECT_CATALOG_ROLE and ALTER SYSTEM.

    :param scale: of the published scenarios' rows, thresholds and pools. Templated.
    :param scenarios: which of the seven, as a list or a text such as `2, 5`. Templated, as are all lists.
    :param batches: rows per commit to be tried besides.
    :param thresholds: values of txn_lcr_spill_threshold to be tried besides.
    :param parallelisms: values of parallelism to be tried besides.
    :param pools_mb: sizes of the streams pool to be tried besides.
    :param single_rows: rows of the scenario that commits each of them; empty: in proportion.
    :param limit_minutes: after which the first trial, which tells the size of a message, is given up.
    :raises TuningError: in a container database, without ENABLE_GOLDENGATE_REPLICATION, in NOARCHIVELOG mode
        without such a command, or where this database may not be restarted, such as one on the deny list;
        for names that are taken, for trials that cannot be.
    :returns: the trials as `number name`, to map `RunTrial` over.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "scale",
        "scenarios",
        "batches",
        "thresholds",
        "parallelisms",
        "pools_mb",
        "single_rows",
        "limit_minutes",
    )

    def __init__(
        self,
        *,
        scale: float | str = 0.2,
        scenarios: Sequence[int] | str = (1, 2, 3, 4, 5, 6, 7),
        batches: Sequence[int] | str = (),
        thresholds: Sequence[int] | str = (),
        parallelisms: Sequence[int] | str = (),
        pools_mb: Sequence[int] | str = (),
        single_rows: int | str | None = None,
        limit_minutes: float | str = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.scale = scale
        self.scenarios = scenarios
        self.batches = batches
        self.thresholds = thresholds
        self.parallelisms = parallelisms
        self.pools_mb = pools_mb
        self.single_rows = single_rows
        self.limit_minutes = limit_minutes

    def execute(self, context: Context) -> list[str]:
        run = run_id(context)
        scale = Scale(float(self.scale), single_rows=int(self.single_rows) if self.single_rows else None)
        self._trials(scale)  # what cannot be is refused before anything is made
        with self.target(self.read_definition()) as connection:
            require_capture(connection)
        self._into_archivelog(run)
        with ground_of(self, context) as (connection, documents, names):
            bring_pool_back(connection, documents, names)
            set_up(connection, names)
            memory = probe(connection, names, MINUTE * float(self.limit_minutes))
            documents.put(MEMORY, WHOLE, memory)
            trials = self._trials(replace(scale, message_bytes=memory.message_bytes))
            items = [f"{number:03d} {trial.name}" for number, trial in enumerate(trials, 1)]
            for item, trial in zip(items, trials, strict=True):
                documents.put(SCENARIO, item, trial)
        self.log.info("a message takes %.0f bytes of the queue", memory.message_bytes)
        return items

    def _into_archivelog(self, run: str) -> None:
        definition = self.read_definition()
        with self.target(definition) as connection:
            if not definition.log_mode_command or log_mode.read(connection) == ARCHIVELOG:
                return  # without a command, `set_up` says what a DBA has to do
            if found := refusals(Phase(), read_instance(connection), definition.deny_list.databases):
                raise TuningError(
                    f"the instance may not be restarted: {'; '.join(found)}",
                    step=log_mode.STEP,
                    remedy="name another target, or correct the definition",
                )
        bring_into(self, definition, run, ARCHIVELOG)

    def _trials(self, scale: Scale) -> tuple[Scenario, ...]:
        return grid(
            scale,
            scenarios=numbers(self.scenarios),
            batches=numbers(self.batches),
            thresholds=numbers(self.thresholds),
            parallelisms=numbers(self.parallelisms),
            pools_mb=numbers(self.pools_mb),
        )


class RunTrial(RefreshOperator):
    """Makes one trial: sets the parameters, inserts, and takes the time until everything is applied.

    Map it over what `PrepareCapture` returns with `max_active_tis_per_dagrun=1`: there is one capture. A
    repeated task lets what its former try has left be applied, and begins anew.

    :param trial: `number name`. Templated.
    :param limit_minutes: after which the trial is given up. Templated.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "trial", "limit_minutes")

    def __init__(self, *, trial: str, limit_minutes: float | str = 60, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.trial = trial
        self.limit_minutes = limit_minutes

    def execute(self, context: Context) -> dict[str, Any]:
        with ground_of(self, context) as (connection, documents, names):
            scenario = documents.get(SCENARIO, self.trial)
            set_parameters(connection, documents, names, scenario.settings)
            found, evidence = run_trial(
                connection,
                names,
                scenario,
                documents.get(MEMORY, WHOLE),
                limit_seconds=MINUTE * float(self.limit_minutes),
                progress=self.progress(context),
            )
            documents.put(TRIAL, self.trial, TriedMemory(found, evidence.memory))
        self.log.info(
            "%s: %s changes in %.2f s; the queue spilled %s, the reader %s",
            *(self.trial, scenario.workload.rows, found.seconds, found.queue_spilled, found.reader_spilled),
        )
        return found.to_json()


class AdviseCapture(RefreshOperator):
    """Follows the advisor from a published scenario's settings: trial, diagnosis, change, and again.

    :param scenario: number of the published scenario that it starts from. Templated.
    :param scale: as that of `PrepareCapture`. Templated.
    :param limit_minutes: after which a trial is given up. Templated.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "scenario",
        "scale",
        "limit_minutes",
    )

    def __init__(
        self,
        *,
        scenario: int | str = 2,
        scale: float | str = 0.2,
        limit_minutes: float | str = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.scenario = scenario
        self.scale = scale
        self.limit_minutes = limit_minutes

    def execute(self, context: Context) -> dict[str, Any]:
        progress = self.progress(context)
        with ground_of(self, context) as (connection, documents, names):
            known = documents.get(MEMORY, WHOLE)
            scale = Scale(float(self.scale), known.message_bytes)
            start = scaled(TRIALS[int(self.scenario) - 1].scenario, scale)

            def trial(chosen: Settings) -> tuple[Trial, Evidence]:
                set_parameters(connection, documents, names, chosen)
                return run_trial(
                    connection,
                    names,
                    replace(start, name="advisor", settings=chosen),
                    known,
                    limit_seconds=MINUTE * float(self.limit_minutes),
                    progress=progress,
                )

            found = advise(trial, start.settings, COSTS)
            documents.put(ADVICE, WHOLE, found)
        for number, step in enumerate(found.steps, 1):
            self.log.info("trial %s: %.2f s", number, step.trial.seconds)
            for finding in step.diagnosis.findings:
                self.log.info("  %s: %s (%s)", finding.rule, finding.text, finding.source)
        self.log.info("%s: %s", found.reason, found.settings)
        return found.settings.to_json()


class RecommendCapture(RefreshOperator):
    """Finds the best settings, fits the model to the trials, and writes the report with table and plots.

    With the trigger rule `all_done` it works with the trials that went through.

    :raises TuningError: if there is no trial at all.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        run = run_id(context)
        with ground_of(self, context) as (_, documents, _names):
            tried = documents.all(TRIAL)
            advised = documents.find(ADVICE, WHOLE)
            wanted = len(documents.all(SCENARIO))
            known = documents.get(MEMORY, WHOLE)
        if not tried:
            raise TuningError("no trial has ended well", object_name=run, step="change capture")
        trials = [each.trial for each in tried]
        memory = combined_memory([each.memory for each in tried], known)
        notes = [f"{wanted - len(trials)} trials have failed"] if len(trials) < wanted else []
        result = evaluate(run, trials, memory, advised, notes)
        self.log.info("%s", table(result))
        texts = {
            "report.json": json.dumps(result.to_json(), indent=2) + "\n",
            "report.html": page(result),
        }
        reports = settings.report_directory()
        reports.write(run, texts, self.dag_id)
        self.log.info("report: %s", reports.address(run, "report.html"))
        best = result.best_batch or result.best_single
        return best.scenario.settings.to_json() if best else {}


class RemoveCapture(RefreshOperator):
    """Brings streams pool and log mode back and removes tables, queue, capture and apply: a teardown."""

    def execute(self, context: Context) -> None:
        definition, run = self.read_definition(), run_id(context)
        # A command that a killed task has left may restart the instance yet.
        log_mode.wait_for_left(lambda: self.target(definition), definition.log_mode_seconds)
        with ground_of(self, context) as (connection, documents, names):
            bring_pool_back(connection, documents, names)
            remove(connection, names)
            former = documents.get(CAPTURE_LOG_MODE, WHOLE).former
        if definition.log_mode_command:
            bring_into(self, definition, run, former)
        with self.target(definition) as connection:
            log_mode.note(Documents(connection, run), former, open=False)


def bring_into(operator: RefreshOperator, definition: RefreshDefinition, run: str, mode: str) -> None:
    """Restart the target's instance in a log mode, unless it is in it."""
    with operator.target(definition) as connection:
        former = Documents(connection, run).get(CAPTURE_LOG_MODE, WHOLE).former
    log_mode.into_mode(
        lambda: operator.target(definition),
        run,
        former,
        mode,
        definition.log_mode_command,
        definition.log_mode_seconds,
    )


def bring_pool_back(connection: oracledb.Connection, documents: Documents, names: Ground) -> None:
    """The streams pool as it was before the trials of whichever run changed it last under these names.

    A lost run's value would else be the former one of the next. It is safe to repeat: what is back already
    is left, and the note that says so is written afterwards.
    """
    for record in documents.latest(RECORD, names.apply):
        if POOL not in record.former:
            continue
        # The parameters of our own apply process go with it.
        for line in restore(connection, replace(record, former={POOL: record.former[POOL]})):
            log.warning("%s", line)
        documents.put(RECORD, names.apply, replace(record, former={}, intended={}))


@contextmanager
def ground_of(
    operator: RefreshOperator, context: Context
) -> Iterator[tuple[oracledb.Connection, Documents, Ground]]:
    """The target, the run's store, and the names of what `PrepareCapture` has made for the run."""
    with operator.target(operator.read_definition()) as connection:
        documents = Documents(connection, run_id(context))
        yield connection, documents, documents.get(GROUND, WHOLE)


def set_parameters(
    connection: oracledb.Connection, documents: Documents, names: Ground, to: Settings
) -> None:
    """Set what a trial needs; what was set before the run's first trial is in its store."""
    change(
        connection,
        names.apply,
        names.capture,
        values_of(to),
        documents.find(RECORD, names.apply),
        lambda record: documents.put(RECORD, names.apply, record),
    )
