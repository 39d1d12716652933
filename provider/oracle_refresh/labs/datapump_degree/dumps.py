"""Dump files of samples hold rows of the source as those of refreshes do: the ledger knows of them as well.

What is announced before a job begins is removed in the end, or, of a run that was killed or deleted, by the
next refresh of the target that takes it over, or by `drop-dumps`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oracle_refresh.datapump import job
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.plan.model import JOB, ExportJob
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN, freeze
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.transport.dump_files import drop_dumps, expect_dumps, require_gone
from oracle_refresh.transport.statements import DUMPS

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition


def announce(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    run_id: str,
    jobs: Sequence[JobSpec],
    *,
    staged: bool = False,
) -> None:
    """Note where dump files of these jobs may be from now on, and of which database. May be repeated.

    :param staged: whether they are brought to the target, too.
    """
    documents = Documents(target, run_id)
    documents.ensure()
    documents.keep(FROZEN, WHOLE, freeze(source))
    for spec in jobs:
        documents.put(JOB, spec.job_name, _planned(spec))
    ensure_ledger(target)
    expect_dumps(Ledger(target, run_id), definition, staged=staged)


def remove_announced(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> tuple[str, ...]:
    """End the jobs that were announced and remove their dump files at both ends; logs stay. May be repeated.

    :returns: what was removed from the source.
    :raises StagingError: if something is left, or lies where the definition does not lead to.
    """
    ensure_ledger(target)
    if Ledger(target, run_id).state(DUMPS, WHOLE) != RUNNING:
        return ()
    announced = Documents(target, run_id).all(JOB)
    job.discard_all(source, [planned.job_name for planned in announced])  # with master tables, wanted or not
    dropped = drop_dumps(source, target, definition, run_id)
    require_gone(dropped, run_id)
    return dropped.files


def _planned(spec: JobSpec) -> ExportJob:
    (dump_file,) = spec.dump_files
    return ExportJob(
        id=spec.job_name,
        job_name=spec.job_name,
        kind="shard",
        tables=spec.tables,
        scheme="rowid_range",
        modulus=None,
        remainder=None,
        predicate=None,
        parallel=spec.parallel,
        dump_file=dump_file,
        estimate_bytes=0,
        priority=0,
    )
