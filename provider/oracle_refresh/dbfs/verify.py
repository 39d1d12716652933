"""Whether staged files are still what was staged, looked at by the target just before a load begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import file_size
from oracle_refresh.dbfs.carriage import STEP
from oracle_refresh.dbfs.digests import digest
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.dbfs.streaming import stored
from oracle_refresh.definition.model import StagingTransport
from oracle_refresh.ledger import Ledger
from oracle_refresh.oracle.errors import RefreshError, StagingError, from_oracle

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile, StagedSet
    from oracle_refresh.definition import RefreshDefinition


def verify_staged(
    target: oracledb.Connection, staged: StagedSet, definition: RefreshDefinition, run_id: str
) -> None:
    """Hash every staged file as the target has it now.

    :raises StagingError: if one is gone or differs from what was staged.
    """
    entry = Ledger(target).entry(run_id, STEP, staged.dump_set.job_id)
    streamed = entry is None or entry.detail.get("transport") == StagingTransport.STREAM.value
    for file in staged.files:
        try:
            found = _in_store(target, file, definition) if streamed else _in_directory(target, file, staged)
        except RefreshError:
            raise
        except Exception as error:
            raise from_oracle(error, step=STEP, object_name=file.name, kind=StagingError) from error
        if found != (file.bytes, file.sha256):
            raise StagingError(
                f"{file.bytes} bytes with SHA-256 {file.sha256} were staged,"
                f" the target now has {found[0]} bytes with {found[1] or 'nothing'}",
                object_name=file.name,
                step=STEP,
                remedy="clear the stage task of this job, which brings the file again; then suspect disk or"
                " memory of the target's host",
            )


def _in_store(target: oracledb.Connection, file: DumpFile, definition: RefreshDefinition) -> tuple[int, str]:
    return stored(target, f"{definition.staging.mount}/{path_element(file.name)}")


def _in_directory(target: oracledb.Connection, file: DumpFile, staged: StagedSet) -> tuple[int, str]:
    size = file_size(target, staged.directory, file.name)
    if size != file.bytes:
        return size or 0, ""
    return size, digest(target, staged.directory, file.name, size)
