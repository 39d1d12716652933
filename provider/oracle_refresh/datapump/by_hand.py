"""A planned job as the parameter files that expdp and impdp would take: to check it or run it by hand."""

from __future__ import annotations

from oracle_refresh.datapump.export import export_spec, release
from oracle_refresh.datapump.files import log_name
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.load import log_stem
from oracle_refresh.datapump.options import dump_pattern, with_options
from oracle_refresh.datapump.over_link import link_spec
from oracle_refresh.datapump.parfile import render
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.run.freeze import Frozen


def import_spec(planned: ExportJob, frozen: Frozen, definition: RefreshDefinition) -> JobSpec:
    """The import of all that the job exports, before its dump files exist; see `load.load_spec`."""
    log_file = log_name(log_stem(planned), 1)
    if definition.datapump.over_link:
        return link_spec(planned, frozen.scn, definition, log_file)
    spec = JobSpec(
        operation="IMPORT",
        job_name=planned.job_name,
        directory=definition.staging.target_directory,
        dump_files=(dump_pattern(planned.dump_file, definition.datapump, release(frozen)),),
        log_file=log_file,
        tables=planned.tables,
        parallel=planned.parallel,
    )
    return with_options(spec, definition.datapump, side_by_side=planned.kind == "shard")


def parameter_files(
    planned: ExportJob, frozen: Frozen, definition: RefreshDefinition
) -> tuple[tuple[str, str], ...]:
    """(file name, text) of the export's and the import's parameter file; over a link there is no export."""
    stem = planned.job_name.lower()
    load = (f"{stem}_import.par", render(import_spec(planned, frozen, definition)))
    if definition.datapump.over_link:
        return (load,)
    return (f"{stem}_export.par", render(export_spec(planned, frozen, definition))), load
