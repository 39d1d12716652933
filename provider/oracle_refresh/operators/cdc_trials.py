"""Trials of change capture on tables of their own: prepare, try, advise, recommend, remove."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.labs.change_capture.grid import Scale, grid, numbers
from oracle_refresh.labs.change_capture.objects import require_capture
from oracle_refresh.labs.change_capture.page import page, table
from oracle_refresh.labs.change_capture.run import CaptureRun, into_archivelog, plan, restore_log_mode
from oracle_refresh.labs.harness.charts import require_charts
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.laboratory import write_report
from oracle_refresh.tuning import log_mode

if TYPE_CHECKING:
    from airflow.sdk import Context

log = logging.getLogger(__name__)
MINUTE = 60.0


class PlanCapture(RefreshOperator):
    """Settles the names of what the trials need and the log mode to come back to; changes only the run store.

    Use it as a setup beside `PrepareCapture`: `RemoveCapture` then runs also where that one failed halfway.

    :param prefix: of all names. Templated.
    :raises PreflightError: without the extra `charts`.
    :raises TuningError: for a prefix that makes no names.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "prefix")

    def __init__(self, *, prefix: str = "CDC_TUNING", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.prefix = prefix

    def execute(self, context: Context) -> None:
        require_charts()
        with self.refresh_run(context) as run:
            plan(run.documents, self.prefix)


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
    :param unrelated: which of the published tests of a table that is not captured: 1 to 3.
    :param single_rows: rows where each of them is committed; empty: in proportion.
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
        "unrelated",
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
        unrelated: Sequence[int] | str = (1, 2, 3),
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
        self.unrelated = unrelated
        self.single_rows = single_rows
        self.limit_minutes = limit_minutes

    def execute(self, context: Context) -> list[str]:
        scale = Scale(float(self.scale), single_rows=int(self.single_rows) if self.single_rows else None)
        wanted = partial(
            grid,
            scenarios=numbers(self.scenarios),
            batches=numbers(self.batches),
            thresholds=numbers(self.thresholds),
            parallelisms=numbers(self.parallelisms),
            pools_mb=numbers(self.pools_mb),
            unrelated=numbers(self.unrelated),
        )
        wanted(scale)  # what cannot be is refused before anything is made
        task_run = self.refresh_run(context)
        with task_run.open_target() as target:
            require_capture(target)
        into_archivelog(task_run.open_target, task_run.id, task_run.refresh_definition)
        with capture_run(self, context, self.limit_minutes) as run:
            return run.prepare(scale, wanted)


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
        with capture_run(self, context, self.limit_minutes) as run:
            trial = run.trial(self.trial)
        self.log.info(
            "%s: %s changes in %.2f s; the queue spilled %s, the reader %s",
            *(self.trial, trial.scenario.workload.rows, trial.seconds),
            *(trial.queue_spilled, trial.reader_spilled),
        )
        return trial.to_json()


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
        with capture_run(self, context, self.limit_minutes) as run:
            advice = run.advise(int(self.scenario), float(self.scale))
        for number, step in enumerate(advice.steps, 1):
            self.log.info("trial %s: %.2f s", number, step.trial.seconds)
            for finding in step.diagnosis.findings:
                self.log.info("  %s: %s (%s)", finding.rule, finding.text, finding.source)
        self.log.info("%s: %s", advice.reason, advice.settings)
        return advice.settings.to_json()


class RecommendCapture(RefreshOperator):
    """Finds the best settings, fits the model to the trials, and writes the report with table and plots.

    With the trigger rule `all_done` it works with the trials that went through.

    :raises TuningError: if there is no trial at all.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with capture_run(self, context) as run:
            result = run.evaluate()
        self.log.info("%s", table(result))
        write_report(self, run_id(context), page(result), result.to_json())
        best = result.best_batch or result.best_single
        return best.scenario.settings.to_json() if best else {}


class RemoveCapture(RefreshOperator):
    """Brings streams pool and log mode back and removes tables, queue, capture and apply: a teardown."""

    def execute(self, context: Context) -> None:
        task_run = self.refresh_run(context)
        # A command that a killed task has left may restart the instance yet.
        log_mode.wait_for_left(task_run.open_target, task_run.refresh_definition.log_mode_seconds)
        with capture_run(self, context) as run:
            run.remove()
        restore_log_mode(task_run.open_target, task_run.id, task_run.refresh_definition)


@contextmanager
def capture_run(
    operator: RefreshOperator, context: Context, limit_minutes: float | str = 60
) -> Iterator[CaptureRun]:
    """The run on a session of the target."""
    with operator.refresh_run(context) as run:
        yield CaptureRun(run.documents, MINUTE * float(limit_minutes), run.progress)
