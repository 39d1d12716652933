"""Removes what a run has left of its dump files: they hold unmasked rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.datapump.export import drop_dump_files
from oracle_refresh.datapump.files import existing
from oracle_refresh.datapump.job import discard_all
from oracle_refresh.datapump.options import dump_pattern
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import Documents
from oracle_refresh.transport.stage import clean_staged, still_staged
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition


def drop_dumps(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[Sequence[str], Sequence[str]]:
    """End the run's Data Pump jobs and remove its dump files at both ends; logs stay. May be repeated.

    :returns: the jobs that were ended, the files that were removed from the source's DIRECTORY.
    :raises StagingError: if a file is staged in the target and cannot be removed.
    """
    jobs = Documents(target, run_id).all(JOB)
    names = [job.job_name for job in jobs]
    keep = definition.datapump.keep_master
    ended = [*discard_all(target, names, only_live=keep), *discard_all(source, names, only_live=keep)]
    patterns = [dump_pattern(job.dump_file, definition.datapump) for job in jobs]
    try:
        removed = [name for job in jobs for name in drop_dump_files(source, job, definition)]
    finally:  # whatever one end refuses, nothing stays at the other
        clean_staged(target, definition, run_id, patterns)
    return ended, removed


def check_dumps(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[Verdict, Verdict]:
    """Whether no dump file of the run is left in the source's DIRECTORY, and none in the target's store."""
    jobs = Documents(target, run_id).all(JOB)
    patterns = [dump_pattern(job.dump_file, definition.datapump) for job in jobs]
    at_source = [
        name
        for job, pattern in zip(jobs, patterns, strict=True)
        for name in existing(source, definition.staging.source_directory, pattern, job.parallel)
    ]
    at_target = still_staged(target, definition, run_id, patterns)
    return _verdict("source", at_source), _verdict("target", at_target)


def _verdict(end: str, left: list[str]) -> Verdict:
    detail = f"{len(left)} files: {', '.join(left[:10])}" if left else "all removed"
    return Verdict("dump files", "-", f"of this run at the {end}", not left, detail)
