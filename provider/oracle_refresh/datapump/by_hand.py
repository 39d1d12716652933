"""A planned job as the parameter files that expdp and impdp would take: to check it or run it by hand."""

from __future__ import annotations

from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, StagedSet
from oracle_refresh.datapump.export import export_spec
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.load import load_spec
from oracle_refresh.datapump.parfile import render
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.run.freeze import Frozen


def import_spec(planned: ExportJob, frozen: Frozen, definition: RefreshDefinition) -> JobSpec:
    """The import of all that the job exports, before its dump files exist; see `load.load_spec`."""
    export = export_spec(planned, frozen, definition)
    files = tuple(DumpFile(pattern, 0) for pattern in export.dump_files)
    job = (planned.id, planned.job_name, frozen.scn, export.directory, export.log_file)
    staged = StagedSet(DumpSet(*job, files, (), 0.0), definition.staging.target_directory, files, 0.0)
    return load_spec(planned, staged, definition)


def parameter_files(
    planned: ExportJob, frozen: Frozen, definition: RefreshDefinition
) -> tuple[tuple[str, str], ...]:
    """(file name, text) of the export's and the import's parameter file; over a link there is no export."""
    stem = planned.job_name.lower()
    load = (f"{stem}_import.par", render(import_spec(planned, frozen, definition)))
    if definition.datapump.over_link:
        return (load,)
    return (f"{stem}_export.par", render(export_spec(planned, frozen, definition))), load
