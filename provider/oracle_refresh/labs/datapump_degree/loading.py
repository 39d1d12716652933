"""Imports the dump files of a trial into a throwaway table of the target, and takes the time.

The table has the source's name, as REMAP_TABLE does not work on tables that are there (Utilities 19c,
REMAP_TABLE), and lies in a schema of its own, which nobody can log in to. As in the study it has no
constraints, NOT NULLs neither, and no indexes. Files are staged as refreshes stage them; only the import is
timed. What a killed try has left is removed before the next one, and by the end of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.dumpset import DumpSet
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.options import encrypted
from oracle_refresh.dbfs.set_up import set_up_store, tear_down_store
from oracle_refresh.dbfs.statements import DEFAULT_TABLESPACE
from oracle_refresh.definition import DataPump, RefreshDefinition
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.experience.rates import staged_as_calibrated
from oracle_refresh.labs.datapump_degree.dumps import remove_announced
from oracle_refresh.labs.datapump_degree.measure import Place, Unloaded, run_together, specs
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.plan import STEP, Trial
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import scalar
from oracle_refresh.plan.model import JOB
from oracle_refresh.target.objects import ddl
from oracle_refresh.target.objects.bare import make_bare
from oracle_refresh.target.objects.metadata import SourceDdl, run
from oracle_refresh.target.sample_schema import SCHEMA, SCHEMAS, drop_sample
from oracle_refresh.transport.stage import clean_staged, stage
from oracle_refresh.transport.transfer import Transfer

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.refresh_run import RefreshRun


def require_importable(definition: RefreshDefinition) -> None:
    """Pass where refreshes load dump files at all.

    :raises PlanError: where their rows travel over a database link.
    """
    if definition.datapump.over_link:
        raise PlanError(
            "rows travel over a database link: there are no dump files whose import could be measured",
            object_name=definition.name,
            step=STEP,
            remedy="measure the export only, or take a definition with another transport",
        )


def import_specs(exports: Sequence[JobSpec], directory: str, options: DataPump) -> tuple[JobSpec, ...]:
    """The imports of what these jobs have exported, of the same names and degrees; pure.

    :param directory: DIRECTORY of the target.
    """
    # As loads of a refresh do: direct path would hold the table's TM lock, one job after the other.
    together = len(exports) > 1
    return tuple(
        encrypted(
            JobSpec(
                operation="IMPORT",
                job_name=spec.job_name,
                directory=directory,
                dump_files=spec.dump_files,
                log_file=files.log_name(f"{spec.job_name.lower()}_load", 1),
                tables=spec.tables,
                parallel=spec.parallel,
                remap_schema=tuple((owner, SCHEMA) for owner in spec.owners),
                access_method="EXTERNAL_TABLE" if together else None,
                disable_append_hint=together,
            ),
            options,
        )
        for spec in exports
    )


@dataclass(frozen=True)
class Landing:
    """Where a trial's dump files are imported."""

    run: RefreshRun
    sample: Sample
    place: Place

    def measure(
        self, connect: Connect, trial: Trial, unloaded: Unloaded, start: job.Start = job.start
    ) -> Measurement:
        """Stage what the trial has unloaded, import it, and leave nothing at the target.

        :param connect: opens a further session of the target; may be called by several threads at once.
        :param start: starts a job, with the password of its dump files if they are encrypted; as `connect`.
        :raises DataPumpError: if a job fails; nothing of it is left but its log.
        :raises PlanError: if the table cannot be made, or other rows arrive than were exported.
        :raises StagingError: if the files cannot be brought to the target.
        """
        definition, target = self.run.refresh_definition, self.run.target
        exports = specs(self.sample, trial, self.place)
        imports = import_specs(exports, definition.staging.target_directory, definition.datapump)
        self.clean(exports, imports)
        try:
            self._stage(exports, unloaded)
            make_table(self.run.source, self.run, self.sample)
            seconds, rows = run_together(connect, target, imports, self.run.progress, start)
        except BaseException:
            self.clean(exports, imports, logs=False)
            raise
        self.clean(exports, imports)
        if rows != unloaded.rows:
            raise PlanError(
                f"{rows:,} rows were imported of {unloaded.rows:,} that were exported",
                object_name=f"{self.sample.owner}.{self.sample.name}",
                step=STEP,
                remedy="run the calibration again while nobody changes the table's definition",
            )
        size = sum(file.bytes for file in unloaded.files)
        degree, repeat, jobs = trial.degree, trial.repeat, len(imports)
        return Measurement(seconds, rows, size, degree, repeat, jobs, trial.shape, "import")

    def clean(self, exports: Sequence[JobSpec], imports: Sequence[JobSpec], *, logs: bool = True) -> None:
        """End the imports that are still there; drop the table and the staged files."""
        definition, target = self.run.refresh_definition, self.run.target
        job.discard_all(target, [spec.job_name for spec in imports])
        SCHEMAS.drop(self.run.documents, SCHEMA)
        names = [name for spec in exports for name in spec.dump_files]
        clean_staged(target, definition, self.run.id, names)
        for spec in imports if logs else ():
            files.remove_existing(target, spec.directory, spec.log_file, 1)

    def _stage(self, exports: Sequence[JobSpec], unloaded: Unloaded) -> None:
        run = self.run
        definition = staged_as_calibrated(run.documents, run.refresh_definition)
        dump_set = DumpSet(
            job_id=exports[0].job_name,
            job_name=exports[0].job_name,
            scn=self.sample.scn,
            directory=exports[0].directory,
            log_file=exports[0].log_file,
            files=unloaded.files,
            tables=(),
            seconds=unloaded.seconds,
        )
        if definition.uses_store:
            set_up_store(run.target, definition, run.id, dump_set.bytes)
        stage(
            Transfer(run.source, run.target, dump_set, definition, run.id),
            run.progress,
            connect=run.open_both,
        )


def make_table(source: oracledb.Connection, run_of: RefreshRun, sample: Sample) -> None:
    """The sample's table in the throwaway schema, empty; what was there of the calibration's own is dropped.

    :raises PlanError: if the source has no such table any more, or the target cannot make it.
    :raises PreflightError: if the schema is somebody else's, or CREATE USER is not granted.
    """
    target = run_of.target
    SCHEMAS.make(run_of.documents, SCHEMA, str(scalar(target, DEFAULT_TABLESPACE)))
    table = TableName(sample.owner, sample.name)
    for statement in SourceDdl(source).table(table):
        if ddl.target(statement).kind == "CREATE TABLE":
            ddl.guard(statement, {"CREATE TABLE"}, {table.owner}, table.name)
            run(target, ddl.in_schema(ddl.identities_within_bounds(statement), SCHEMA), table.key)
    made: tuple[Table, ...] = read_catalogue(target, (SCHEMA,)).tables
    make_bare(target, SCHEMA, made)


def remove_all(run_of: RefreshRun) -> tuple[str, ...]:
    """End the run's jobs at both ends; remove its dump files, the throwaway schema, and what it has made of
    the store. May be repeated.

    :returns: the dump files that were removed from the source.
    :raises StagingError: if a file is left: it holds unmasked rows.
    :raises PreflightError: if the schema is somebody else's.
    """
    run_of.documents.ensure()
    try:
        return remove_announced(run_of.source, run_of.target, run_of.refresh_definition, run_of.id)
    finally:  # whatever the source refuses, or where it is away, no row stays at the target
        # A job that goes on would hold the table, or fill it again.
        job.discard_all(run_of.target, [planned.job_name for planned in run_of.documents.all(JOB)])
        drop_sample(run_of.documents)
        tear_down_store(run_of.target, run_of.refresh_definition, run_of.id)
