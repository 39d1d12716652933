"""Removes what a run has staged, where its transport has put it: the DBFS store, the target's DIRECTORY.

Files are staged several at a time, the largest first, and removed one after the other; so after a kill the
numbers of a template have gaps. What the ledger names is therefore looked at file by file: a try notes its
file before there is anything of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import existing, file_size, remove
from oracle_refresh.dbfs.carriage import FILE_STEP, STEP
from oracle_refresh.dbfs.probe import probe_name
from oracle_refresh.dbfs.server_to_server import part_name
from oracle_refresh.dbfs.store import clean_run, staged_files
from oracle_refresh.ledger import Ledger
from oracle_refresh.oracle.errors import StagingError

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition
    from oracle_refresh.ledger import LedgerRow


def clean_staged(
    target: oracledb.Connection, definition: RefreshDefinition, run_id: str, dump_files: Collection[str]
) -> None:
    """Remove a run's dump files at the target, finished or not. Commits; may be repeated.

    Storage that both ends share is left to the source's end.

    :param dump_files: names, or the templates with `%L` that the plan's jobs have.
    :raises StagingError: if something is there but cannot be removed.
    """
    staging = definition.staging
    Ledger(target).ensure()
    known = [*_begun(target, run_id), *dump_files]
    if definition.uses_store:
        clean_run(target, definition, run_id, [probe_name(run_id), *known])
    if not staging.uses_directory:
        return
    names = [name for one in known for name in existing(target, staging.target_directory, one)]
    for name in dict.fromkeys([*names, *unfinished(target, run_id)]):
        if file_size(target, staging.target_directory, name) is None:
            continue
        if not remove(target, staging.target_directory, name):
            raise StagingError(
                f"the file stays in the target's DIRECTORY {staging.target_directory}",
                object_name=name,
                step=STEP,
                remedy="remove it on the target's host: it holds unmasked rows",
            )


def still_staged(
    target: oracledb.Connection, definition: RefreshDefinition, run_id: str, dump_files: Collection[str]
) -> list[str]:
    """The finished files of a run that are left at the target.

    :param dump_files: as for `clean_staged`.
    """
    found: list[str] = []
    for one in (*_begun(target, run_id), *dump_files):
        if definition.uses_store:
            found += staged_files(target, definition, one)
        if definition.staging.uses_directory:
            found += existing(target, definition.staging.target_directory, one)
    return list(dict.fromkeys(found))


def unfinished(target: oracledb.Connection, run_id: str) -> Iterator[str]:
    """The unfinished files that tries of this run may have left."""
    for row in Ledger(target).rows(run_id, FILE_STEP):
        for number in range(1, int(row.detail.get("tries", 0)) + 1):
            yield part_name(_name(row), number)


def _begun(target: oracledb.Connection, run_id: str) -> list[str]:
    """The files that tries of this run have begun to bring, under their final names."""
    return [_name(row) for row in Ledger(target).rows(run_id, FILE_STEP)]


def _name(row: LedgerRow) -> str:
    return row.key.partition("/")[2]
