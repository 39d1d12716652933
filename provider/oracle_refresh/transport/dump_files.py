"""Removes what a run has left of its dump files, and of the sample that a calibration has loaded: they hold
unmasked rows.

The ledger notes, before an export of a run begins, that it may have dump files from now on and where, and in
the end that both ends were looked at and have none. So what a run that was killed, deleted or abandoned has
left is known to the next one (`former_dumps`).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump.dumpset import EXPORT
from oracle_refresh.datapump.files import existing, exists, numbers, remove_all
from oracle_refresh.datapump.job import discard_all
from oracle_refresh.oracle.counting import counted, some
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.run.possession import give_up_all
from oracle_refresh.target.sample_schema import SCHEMA, drop_sample
from oracle_refresh.transport.places import Places, noted_places, require_its_source
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
    :ivar checks: whether no dump file is left at the source and none at the target; none of a clone.
    :ivar schemas: of the target, with a sample of a calibration.
    """

    jobs: tuple[str, ...]
    files: tuple[str, ...]
    checks: tuple[Verdict, ...]
    schemas: tuple[str, ...] = ()


def expect_dumps(ledger: Ledger, definition: RefreshDefinition, *, staged: bool = True) -> None:
    """Note, before an export or the staging of its files begins, that the run may have dump files there.

    :param staged: whether the definition's transports may bring them to the target.
    :raises StagingError: while it may have some in other places than the definition names.
    """
    entry = ledger.entry(DUMPS, WHOLE)
    here = Places.of(definition) if staged else replace(Places.of(definition), areas=())
    there = here.beside(noted_places(ledger, definition)).to_json()
    if entry is None or (entry.state, entry.detail) != (RUNNING, there):
        ledger.record(DUMPS, WHOLE, RUNNING, there)


def drop_dumps(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, run_id: str
) -> Dropped:
    """End the run's Data Pump jobs and remove its dump files at both ends, and the sample of a calibration;
    logs stay. May be repeated.

    The jobs are taken from their tries first: one that has stood still would export after all was removed.

    :raises StagingError: if a file is staged in the target and cannot be removed, or if the run's files lie
        where the definition does not lead to; nothing is done or noted then.
    :raises PreflightError: if the schema of a sample cannot be dropped.
    """
    ensure_ledger(target)
    ledger = Ledger(target, run_id)
    require_its_source(ledger, source)
    there = noted_places(ledger, definition)
    documents = Documents(target, run_id)
    jobs = documents.all(JOB)
    patterns = {pattern: job.parallel for job in jobs for pattern in there.patterns(job)}
    found = [numbers(source, there.source, pattern, there.reach) for pattern in patterns]
    there = replace(there, reach=max([there.reach, *(each[-1] for each in found if each)]))
    # An export that begins meanwhile replaces the note, so that it is not settled below.
    begun = {**there.to_json(), "dropping": uuid.uuid4().hex}
    ledger.record(DUMPS, WHOLE, RUNNING, begun)
    names = [job.job_name for job in jobs]
    keep = definition.datapump.keep_master
    give_up_all(ledger)
    ended = (*discard_all(target, names, only_live=keep), *discard_all(source, names, only_live=keep))
    exported = _exported(documents, there.source)

    def to_remove() -> list[str]:
        """What a look finds of the templates, the last ones first, and what the exports have named."""
        looked = [existing(source, there.source, each, max(n, there.reach)) for each, n in patterns.items()]
        return list(dict.fromkeys([*(name for each in looked for name in reversed(each)), *exported]))

    try:
        removed, left = remove_all(source, there.source, to_remove())
    finally:  # whatever one end refuses, nothing stays at the other
        clean_staged(target, definition, run_id, patterns, there.areas)
    left += [name for name in to_remove() if name not in left and exists(source, there.source, name)]
    at_target = still_staged(target, definition, run_id, patterns, there.areas)
    schemas = (SCHEMA,) if drop_sample(documents) else ()
    if not left and not at_target:
        ledger.settle(DUMPS, WHOLE, begun, there.to_json())
        target.commit()
    checks = (_verdict("source", left), _verdict("target", at_target))
    return Dropped(ended, tuple(removed), checks, schemas)


def require_gone(dropped: Dropped, run_id: str) -> None:
    """Pass if nothing is left at either end.

    :raises StagingError: otherwise.
    """
    if left := [str(check) for check in dropped.checks if not check.holds]:
        raise StagingError(
            "; ".join(left),
            object_name=run_id,
            step="dump files",
            remedy="remove them on the database's host: they hold unmasked rows; then clear this task",
        )


def declare_gone(ledger: Ledger) -> bool:
    """Note what a person says: that the run's dump files are gone, where nobody can look. False, with nothing
    noted, where none are expected. Its sample at the target is dropped, which needs nobody's word.

    :raises PreflightError: if the schema of the sample cannot be dropped.
    """
    entry = ledger.entry(DUMPS, WHOLE)
    if entry is None or entry.state != RUNNING:
        return False
    documents = Documents(ledger.connection, ledger.run_id)
    discard_all(ledger.connection, [job.job_name for job in documents.all(JOB)])
    drop_sample(documents)
    settled = ledger.settle(DUMPS, WHOLE, entry.detail, {**entry.detail, "gone": "said by hand"})
    ledger.connection.commit()
    return settled


def _exported(documents: Documents, directory: str) -> list[str]:
    """The dump files that finished exports of the run have named."""
    sets = [dump_set for dump_set in documents.all(EXPORT) if dump_set.directory == directory]
    return [file.name for dump_set in sets for file in dump_set.files]


def _verdict(end: str, left: list[str]) -> Verdict:
    detail = f"{counted(len(left), 'file')}: {some(left)}" if left else "all removed"
    return Verdict("dump files", "-", f"of this run at the {end}", not left, detail)
