"""A shard's way from the source to the target: export, stage, load, and what frames it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump.dumpset import EXPORT, LOAD, STAGE, StagedSet
from oracle_refresh.datapump.export import Export, begin_export, caught_besides, finish_export, run_export
from oracle_refresh.datapump.export import log_stem as export_stem
from oracle_refresh.datapump.job import discard
from oracle_refresh.datapump.load import Load, begin_load, finish_load, load_spec, run_load
from oracle_refresh.datapump.load import log_stem as load_stem
from oracle_refresh.experience import staged_as_calibrated
from oracle_refresh.integration import metrics, settings
from oracle_refresh.links.files import LogFileLink
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.job_logs import log_kept
from oracle_refresh.operators.jobs import DataPumpTask
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger
from oracle_refresh.target.quarantine import require_holder
from oracle_refresh.transport.network_link import expected_set
from oracle_refresh.transport.registry import transport_of
from oracle_refresh.transport.stage import stage, verify_staged
from oracle_refresh.transport.transfer import Transfer
from oracle_refresh.triggers.watch import LOAD_STEP, TASK_STEP

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.datapump.jobspec import JobSpec
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob


class JobOperator(RefreshOperator):
    """Base of the tasks that are mapped over jobs.

    :param job: id of the job in the run's plan. Templated; name the mapped task with
        `map_index_template="{{ task.job }}"`.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "job")

    def __init__(self, *, job: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job = job

    def take_up(self, target: oracledb.Connection, context: Context) -> Documents:
        """The run's store; the ledger learns which tasks carry the job: `AwaitTable` looks at them."""
        detail = {"tasks": self._carriers(int(getattr(context.get("ti"), "map_index", -1)))}
        Ledger(target, run_id(context)).record(TASK_STEP, self.job, RUNNING, detail)
        return Documents(target, run_id(context))

    def loaded(self, target: oracledb.Connection, context: Context) -> bool:
        """Whether the job's rows are in the target, so that its files are needed no more."""
        done = Ledger(target, run_id(context)).state(LOAD_STEP, self.job) == DONE
        if done:
            self.log.info("%s is loaded already: nothing is left to do", self.job)
        return done

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
    job is loaded already, nothing is exported again. With the transport `network_link` there is nothing to
    export: the rows are counted, and the load fetches them.
    """

    operator_extra_links = (LogFileLink(),)

    @property
    def log_copy(self) -> str:
        """Where the run's folder has the copy of the job's log."""
        return f"logs/{self.job}_export.log"

    def execute(self, context: Context) -> dict[str, Any]:
        return self._export(context, resumed=False)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        return self._export(context, resumed=True)

    def _export(self, context: Context, resumed: bool) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            documents = self.take_up(target, context)
            if self.loaded(target, context):
                return documents.get(EXPORT, self.job).to_json()
            planned, frozen = documents.get(JOB, self.job), documents.get(FROZEN, WHOLE)
            if not transport_of(definition).dump_files:
                dump_set = expected_set(source, planned, frozen)
            else:
                export = Export(source, planned, frozen, definition)
                poll, options = settings.poll_seconds(), definition.datapump
                directory, stem = definition.staging.source_directory, export_stem(planned, frozen)
                with (
                    log_kept(source, directory, stem, self.dag_id, run, self.log_copy),
                    self.job_run(
                        definition.source.conn_id,
                        planned.job_name,
                        options.runner,
                        options.encryption_conn_id,
                    ) as job_run,
                ):
                    if self.deferrable and not resumed:
                        if begin_export(export, job_run.start):
                            self.wait_deferred(job_run, poll)
                        resumed = True
                    progress = job_run.reporting(self.progress(context))
                    if resumed:
                        dump_set = finish_export(export, progress, poll)
                    else:
                        dump_set = run_export(export, run, progress, poll, job_run.start)
            documents.put(EXPORT, self.job, dump_set)
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
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            documents = self.take_up(target, context)
            if self.loaded(target, context):
                staged = documents.get(STAGE, self.job)
            else:
                dump_set = documents.get(EXPORT, self.job)
                settled = staged_as_calibrated(documents, definition)
                transfer = Transfer(source, target, dump_set, settled, run)
                staged = stage(transfer, self.progress(context), connect=lambda: self.both(definition))
                documents.put(STAGE, self.job, staged)
        metrics.step_done("shard.stage", definition.name, staged.seconds, size=staged.bytes)
        return {"files": len(staged.files), "bytes": staged.bytes, "seconds": staged.seconds}


class LoadShard(DataPumpTask, JobOperator):
    """Appends a staged dump set to the target's bare tables, exactly once.

    Before a job is started the target hashes the staged files again: what changed since is never loaded. The
    ledger says which load is done; a former try's job is attached, restarted or accepted on evidence.
    With the transport `network_link` the job reads the source over the definition's database link.
    """

    operator_extra_links = (LogFileLink(),)

    @property
    def log_copy(self) -> str:
        """Where the run's folder has the copy of the job's log."""
        return f"logs/{self.job}_load.log"

    def execute(self, context: Context) -> dict[str, Any]:
        return self._load(context, resumed=False)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        return self._load(context, resumed=True)

    def _load(self, context: Context, resumed: bool) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents = self.take_up(target, context)
            require_holder(target, run)
            staged = documents.get(STAGE, self.job)
            planned = documents.get(JOB, self.job)
            poll, options = settings.poll_seconds(), definition.datapump
            besides = self._caught_besides(definition, planned, staged)
            load = Load(target, planned, staged, definition, Ledger(target, run), besides)
            directory, stem = definition.staging.target_directory, load_stem(planned)
            with (
                log_kept(target, directory, stem, self.dag_id, run, self.log_copy),
                self.job_run(
                    definition.target.conn_id, planned.job_name, options.runner, options.encryption_conn_id
                ) as job_run,
            ):

                def start(session: oracledb.Connection, spec: JobSpec) -> None:
                    verify_staged(target, staged, definition, run)
                    require_holder(target, run)  # hashing has taken its time
                    job_run.start(session, spec)
                    try:
                        require_holder(target, run)
                    except QuarantineError:
                        discard(session, spec.job_name)
                        raise

                if self.deferrable and not resumed:
                    if begin_load(load, start):
                        self.wait_deferred(job_run, poll)
                    resumed = True
                progress = job_run.reporting(self.progress(context))
                if resumed:
                    result = finish_load(load, progress, poll)
                else:
                    result = run_load(load, progress, poll, start)
            documents.put(LOAD, self.job, result)
        metrics.step_done("shard.load", definition.name, result.seconds, rows=result.rows)
        return {"rows": result.rows, "seconds": result.seconds, "recovered": result.recovered}

    def _caught_besides(
        self, definition: RefreshDefinition, planned: ExportJob, staged: StagedSet
    ) -> tuple[tuple[str, str], ...]:
        """Tables of the source that the filters of a job over a link would catch; dump files hold none."""
        if transport_of(definition).dump_files:
            return ()
        with self.source(definition) as source:
            return caught_besides(source, load_spec(planned, staged, definition))
