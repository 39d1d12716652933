"""A shard's way from the source to the target: export, stage, load, and what frames it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh import settings
from oracle_refresh.datapump.dumpset import DumpSet, StagedSet
from oracle_refresh.datapump.export import drop_dump_files, export
from oracle_refresh.datapump.load import load
from oracle_refresh.dbfs.stage import stage
from oracle_refresh.dbfs.store import clean_run, ensure_store
from oracle_refresh.ledger import FAILED, RUNNING, Ledger
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.run_store import RunStore

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context


GIVEN_UP = "given_up"
"""Ledger step of a job whose task has failed for good: who waits for its tables ends at once."""


class PrepareStage(RefreshOperator):
    """Sets up the DBFS store of the target unless it is there: file system, registration, mount."""

    def execute(self, context: Context) -> bool:
        definition = self.read_definition()
        with self.target(definition) as target:
            return ensure_store(target, definition)


def give_up(context: Context) -> None:
    """Failure callback of the tasks that are mapped over jobs, after their last try."""
    task = context["task"]
    assert isinstance(task, JobOperator)
    definition = task.read_definition()
    with task.target(definition) as target:
        Ledger(target).record(run_id(context), GIVEN_UP, task.job, FAILED, {"task": task.task_id})


class JobOperator(RefreshOperator):
    """Base of the tasks that are mapped over jobs.

    :param job: id of the job in the run's plan. Templated; name the mapped task with
        `map_index_template="{{ task.job }}"`.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "job")

    def __init__(self, *, job: str, **kwargs: Any) -> None:
        kwargs.setdefault("on_failure_callback", give_up)
        super().__init__(**kwargs)
        self.job = job

    def take_up(self, target: oracledb.Connection, run: str) -> RunStore:
        """The run's store; a job that was given up counts as running again."""
        ledger = Ledger(target)
        if ledger.state(run, GIVEN_UP, self.job) == FAILED:
            ledger.record(run, GIVEN_UP, self.job, RUNNING)
        return RunStore(target)


class ExportShard(JobOperator):
    """Unloads one job's rows AS OF the run's SCN with Data Pump into the source's DIRECTORY.

    Returns the dump set. A repeated task attaches to the running job or accepts the finished one.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            store = self.take_up(target, run)
            dump_set = export(
                source, store.job(run, self.job), store.frozen(run), definition, run,
                self.progress(context), settings.poll_seconds(),
            )  # fmt: skip
            store.put(run, "export", self.job, dump_set.to_json())
        return dump_set.to_json()


class StageDump(JobOperator):
    """Streams a job's dump files into the target's DBFS store, SHA-256 at both ends.

    Memory stays bounded whatever the size; a file that is there with the right checksum is accepted.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            store = self.take_up(target, run)
            dump_set = DumpSet.from_json(store.result(run, "export", self.job))
            staged = stage(source, target, dump_set, definition, run, Ledger(target), self.progress(context))
            store.put(run, "stage", self.job, staged.to_json())
        return {"files": len(staged.files), "bytes": staged.bytes, "seconds": staged.seconds}


class LoadShard(JobOperator):
    """Appends a staged dump set to the target's bare tables, exactly once.

    The ledger says which load is done; a former try's job is attached, restarted or accepted on evidence.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            store = self.take_up(target, run)
            staged = StagedSet.from_json(store.result(run, "stage", self.job))
            result = load(
                target, store.job(run, self.job), staged, definition, run, Ledger(target),
                self.progress(context), settings.poll_seconds(),
            )  # fmt: skip
            store.put(run, "load", self.job, result.to_json())
        return {"rows": result.rows, "seconds": result.seconds, "recovered": result.recovered}


class DropDumps(RefreshOperator):
    """Removes the run's dump files at both ends: they hold unmasked rows. Logs stay. Runs as a teardown."""

    def execute(self, context: Context) -> int:
        definition, run = self.read_definition(), run_id(context)
        removed: list[str] = []
        with self.both(definition) as (source, target):
            jobs = RunStore(target).jobs(run)
            for job in jobs:
                removed += drop_dump_files(source, job, definition)
            clean_run(target, definition, run, [job.dump_file for job in jobs])
        self.log.info("removed %s dump files", len(removed))
        return len(removed)
