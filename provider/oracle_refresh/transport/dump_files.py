"""Removes what a run has left of its dump files: they hold unmasked rows.

The ledger notes, before an export of a run begins, that it may have dump files from now on and where, and in
the end that both ends were looked at and have none. So what a run that was killed, deleted or abandoned has
left is known to the next one (`former_dumps`).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump.export import drop_dump_files
from oracle_refresh.datapump.files import existing
from oracle_refresh.datapump.job import discard_all
from oracle_refresh.datapump.options import dump_pattern
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.transport.stage import clean_staged, still_staged
from oracle_refresh.transport.statements import DUMPS
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition


@dataclass(frozen=True)
class Dropped:
    """What the end of a run's exports has removed.

    :ivar jobs: Data Pump jobs that were ended.
    :ivar files: removed from the source's DIRECTORY.
    :ivar checks: whether no dump file is left at the source and none at the target.
    """

    jobs: tuple[str, ...]
    files: tuple[str, ...]
    checks: tuple[Verdict, Verdict]


def places(definition: RefreshDefinition) -> dict[str, str]:
    """Where dump files of a definition lie at both ends."""
    staging = definition.staging
    return {"source": staging.source_directory, "target": staging.target_directory, "mount": staging.mount}


def expect_dumps(ledger: Ledger, definition: RefreshDefinition) -> None:
    """Note, before an export begins, that the run may have dump files from now on."""
    entry, here = ledger.entry(DUMPS, WHOLE), places(definition)
    if entry is None or (entry.state, entry.detail) != (RUNNING, here):
        ledger.record(DUMPS, WHOLE, RUNNING, here)


def drop_dumps(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> Dropped:
    """End the run's Data Pump jobs and remove its dump files at both ends; logs stay. May be repeated.

    :raises StagingError: if a file is staged in the target and cannot be removed.
    """
    ensure_ledger(target)
    ledger = Ledger(target, run_id)
    # An export that begins meanwhile replaces the note, so that it is not settled below.
    begun = {**places(definition), "dropping": uuid.uuid4().hex}
    ledger.record(DUMPS, WHOLE, RUNNING, begun)
    jobs = Documents(target, run_id).all(JOB)
    names = [job.job_name for job in jobs]
    keep = definition.datapump.keep_master
    ended = (*discard_all(target, names, only_live=keep), *discard_all(source, names, only_live=keep))
    patterns = [dump_pattern(job.dump_file, definition.datapump) for job in jobs]
    try:
        removed = tuple(name for job in jobs for name in drop_dump_files(source, job, definition))
    finally:  # whatever one end refuses, nothing stays at the other
        clean_staged(target, definition, run_id, patterns)
    checks = check_dumps(source, target, definition, run_id)
    if all(check.holds for check in checks):
        ledger.settle(DUMPS, WHOLE, begun, places(definition))
        target.commit()
    return Dropped(ended, removed, checks)


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
