"""A shard's way from the source to the target: export, stage, load, and what frames it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from oracle_refresh.datapump.dumpset import EXPORT, LOAD, STAGE, StagedSet
from oracle_refresh.datapump.export import Export, also_matched, begin_export, finish_export, run_export
from oracle_refresh.datapump.export import log_stem as export_stem
from oracle_refresh.datapump.job import Confirm, discard
from oracle_refresh.datapump.load import Load, begin_load, finish_load, load_spec, run_load
from oracle_refresh.datapump.load import log_stem as load_stem
from oracle_refresh.experience.rates import staged_as_calibrated
from oracle_refresh.integration import metrics, settings
from oracle_refresh.integration.endings import Instance
from oracle_refresh.links.files import LogFileLink
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.job_logs import log_kept
from oracle_refresh.operators.jobs import DataPumpTask, JobRun, Steps
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import DONE, RUNNING
from oracle_refresh.run.possession import Possession
from oracle_refresh.target.quarantine import Watch
from oracle_refresh.transport.dump_files import expect_dumps
from oracle_refresh.transport.network_link import expected_set
from oracle_refresh.transport.registry import transport_of
from oracle_refresh.transport.stage import stage, verify_staged
from oracle_refresh.transport.transfer import Transfer
from oracle_refresh.triggers.watch import LOAD_STEP, TASK_STEP
from oracle_refresh.tuning.exporting import note_after, note_before

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.datapump.jobspec import JobSpec
    from oracle_refresh.oracle.identifiers import TableName
    from oracle_refresh.plan.model import ExportJob
    from oracle_refresh.run.refresh_run import RefreshRun


class JobOperator(RefreshOperator):
    """Base of the tasks that are mapped over jobs.

    :param job: id of the job in the run's plan. Templated; name the mapped task with
        `map_index_template="{{ task.job }}"`.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "job")
    step: ClassVar[str]

    def __init__(self, *, job: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job = job

    @property
    def log_copy(self) -> str:
        """Where the run's folder has the copy of the job's log."""
        return f"logs/{self.job}_{self.step}.log"

    @contextmanager
    def taken_up(self, context: Context) -> Iterator[RefreshRun]:
        """The run, whose ledger from now on names the tasks of the job: `AwaitTable` looks at them."""
        with self.refresh_run(context) as run:
            detail = {"tasks": self._carriers(int(getattr(context.get("ti"), "map_index", -1)))}
            run.ledger.record(TASK_STEP, self.job, RUNNING, detail)
            yield run

    def taken_over(self, context: Context, run: RefreshRun) -> Possession | None:
        """The step's Data Pump job is this try's from now on; None where there is no task instance.

        :raises TakenOverError: if it is a later try's already.
        """
        instance = context.get("ti")
        identity, number = getattr(instance, "id", None), getattr(instance, "try_number", None)
        if identity is None or number is None:
            return None
        item, task = f"{self.step} {self.job}", Instance.of(instance)
        owned = Possession(
            run.refresh_definition.target.conn_id,
            run.id,
            item,
            str(identity),
            int(number),
            "" if task is None else task.key,
        )
        owned.take(run.ledger)
        return owned

    def loaded(self, run: RefreshRun) -> bool:
        """Whether the job's rows are in the target, so that its files are needed no more."""
        done = run.ledger.state(LOAD_STEP, self.job) == DONE
        if done:
            self.log.info("%s is loaded already: nothing is left to do", self.job)
        return done

    def keep_log(self, run: RefreshRun) -> Callable[[str], object]:
        """Writes the log of the operator's Data Pump job to `log_copy` of the run's folder."""
        return lambda text: settings.report_directory().write(run.id, {self.log_copy: text}, self.dag_id)

    def _carriers(self, map_index: int) -> list[str]:
        """This task and those before and after it on the job's way, as Airflow names their instances."""
        around: set[str] = {self.task_id}
        if self.has_dag():  # type: ignore[no-untyped-call]
            relatives = [*self.get_flat_relatives(upstream=True), *self.get_flat_relatives(upstream=False)]
            around |= {
                task.task_id
                for task in relatives
                if issubclass(getattr(task, "operator_class", type(task)), JobOperator)
            }
        return sorted(task_id if map_index < 0 else f"{task_id}_{map_index}" for task_id in around)


class ExportShard(DataPumpTask, JobOperator):
    """Unloads one job's rows AS OF the run's SCN with Data Pump into the source's DIRECTORY.

    Returns the dump set. A repeated task attaches to the running job or accepts the finished one; where the
    job is loaded already, nothing is exported again. What the source counts of waits and reads is noted
    before and afterwards. With the transport `network_link` there is nothing to export: the rows are counted,
    and the load fetches them.
    """

    operator_extra_links = (LogFileLink(),)
    step = "export"

    def execute(self, context: Context) -> dict[str, Any]:
        return self._export(context, resumed=False)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        return self._export(context, resumed=True)

    def _export(self, context: Context, resumed: bool) -> dict[str, Any]:
        with self.taken_up(context) as run:
            if self.loaded(run):
                return run.documents.get(EXPORT, self.job).to_json()
            planned, frozen = run.documents.get(JOB, self.job), run.documents.get(FROZEN, WHOLE)
            definition, poll = run.refresh_definition, settings.poll_seconds()
            if not transport_of(definition).dump_files:
                dump_set = expected_set(run.source, planned, frozen)
                run.documents.put(EXPORT, self.job, dump_set)
            else:
                stem, conn_id = export_stem(planned, frozen), definition.source.conn_id
                owned = self.taken_over(context, run)
                # Behind it: who drops the dump files takes the job from this try, or leaves the note open.
                expect_dumps(run.ledger, definition)
                with (
                    log_kept(run.source, definition.staging.source_directory, stem, self.keep_log(run)),
                    self.job_run(context, conn_id, planned.job_name, definition.datapump, owned) as job_run,
                ):
                    export = Export(run.source, planned, frozen, definition, job_run.held)
                    if not resumed:
                        note_before(run.open_source, run.documents, self.job, job_run.held)
                    dump_set = self.carry_out(
                        Steps(
                            lambda: begin_export(export, job_run.start),
                            lambda progress: finish_export(export, progress, poll),
                            lambda progress: run_export(export, run.id, progress, poll, job_run.start),
                        ),
                        job_run,
                        run.progress,
                        resumed,
                    )
                    note_after(run.open_source, run.documents, self.job, job_run.held)
                    with job_run.held():
                        run.documents.put(EXPORT, self.job, dump_set)
        size = sum(file.bytes for file in dump_set.files)
        metrics.step_done("shard.export", definition.name, dump_set.seconds, rows=dump_set.rows, size=size)
        return dump_set.to_json()


class StageDump(JobOperator):
    """Brings a job's dump files to the target by the definition's `staging.transport`, SHA-256 at both ends.

    Streamed into the DBFS store through the worker in bounded memory, fetched by the target's server over a
    database link, or only compared where both ends share the storage. A file that is there with the right
    checksum is accepted. With the transport `network_link` there is nothing to stage.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.taken_up(context) as run:
            if self.loaded(run):
                staged = run.documents.get(STAGE, self.job)
            else:
                dump_set = run.documents.get(EXPORT, self.job)
                if dump_set.files:
                    expect_dumps(
                        run.ledger, run.refresh_definition
                    )  # the transport may not be the export's any more
                settled = staged_as_calibrated(run.documents, run.refresh_definition)
                transfer = Transfer(run.source, run.target, dump_set, settled, run.id)
                staged = stage(transfer, run.progress, connect=run.open_both)
                run.documents.put(STAGE, self.job, staged)
        metrics.step_done("shard.stage", run.refresh_definition.name, staged.seconds, size=staged.bytes)
        return {"files": len(staged.files), "bytes": staged.bytes, "seconds": staged.seconds}


class LoadShard(DataPumpTask, JobOperator):
    """Appends a staged dump set to the target's bare tables, exactly once.

    Before a job is started the target hashes the staged files again: what changed since is never loaded. The
    ledger says which load is done; a former try's job is attached, restarted or accepted on evidence.
    With the transport `network_link` the job reads the source over the definition's database link.
    """

    operator_extra_links = (LogFileLink(),)
    step = "load"

    def execute(self, context: Context) -> dict[str, Any]:
        return self._load(context, resumed=False)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        return self._load(context, resumed=True)

    def _load(self, context: Context, resumed: bool) -> dict[str, Any]:
        with self.taken_up(context) as run:
            quarantine = Watch(run.target, run.id, run.refresh_definition.application_accounts)
            quarantine.require_held()
            staged, planned = run.documents.get(STAGE, self.job), run.documents.get(JOB, self.job)
            definition, poll = run.refresh_definition, settings.poll_seconds()
            besides = _also_matched(run, planned, staged)
            stem, conn_id = load_stem(planned), definition.target.conn_id
            owned = self.taken_over(context, run)
            with (
                log_kept(run.target, definition.staging.target_directory, stem, self.keep_log(run)),
                self.job_run(context, conn_id, planned.job_name, definition.datapump, owned) as job_run,
            ):
                load = Load(run.target, planned, staged, definition, run.ledger, besides, job_run.held)
                start = partial(_start_held, run, quarantine, staged, job_run)
                result = self.carry_out(
                    Steps(
                        lambda: begin_load(load, start),
                        lambda progress: finish_load(load, progress, poll),
                        lambda progress: run_load(load, progress, poll, start),
                    ),
                    job_run,
                    run.progress,
                    resumed,
                )
            run.documents.put(LOAD, self.job, result)
        metrics.step_done("shard.load", definition.name, result.seconds, rows=result.rows)
        return {"rows": result.rows, "seconds": result.seconds, "recovered": result.recovered}


def _start_held(
    run: RefreshRun,
    quarantine: Watch,
    staged: StagedSet,
    job_run: JobRun,
    session: oracledb.Connection,
    spec: JobSpec,
    *,
    confirm: Confirm,
) -> None:
    """Start the load of files that are what was staged, while no other run has taken the target over and no
    other try the job."""
    verify_staged(run.target, staged, run.refresh_definition, run.id)
    quarantine.require_held()  # hashing has taken its time
    job_run.start(session, spec, confirm=confirm)
    try:
        quarantine.require_held()
    except QuarantineError:
        discard(session, spec.job_name)
        raise


def _also_matched(run: RefreshRun, planned: ExportJob, staged: StagedSet) -> tuple[TableName, ...]:
    """Tables of the source that the filters of a job over a link would catch; dump files hold none."""
    if transport_of(run.refresh_definition).dump_files:
        return ()
    with run.open_source() as source:  # not open while the job is at work
        return also_matched(source, load_spec(planned, staged, run.refresh_definition))
