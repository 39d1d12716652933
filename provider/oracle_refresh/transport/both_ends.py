"""A file of the target's DIRECTORY beside that of the source: both ends hash what they have."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import file_size
from oracle_refresh.dbfs.digests import digest
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.transfer import STEP, mismatch

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.transport.transfer import OnBytes, Transfer


class _Abandoned(Exception):
    """The source's hash is of no more use."""


def same_at_both_ends(
    transfer: Transfer,
    file: DumpFile,
    name: str,
    on_bytes: OnBytes,
    fetch: Callable[[], None] = lambda: None,
) -> str:
    """The digest of the source's file, which that of the target under `name` has to equal.

    The source hashes while `fetch` brings the file.

    :raises StagingError: if the target does not see the file, or has something else.
    """
    failed = Event()

    def go_on(_: int) -> None:
        if failed.is_set():
            raise _Abandoned

    with ThreadPoolExecutor(1, thread_name_prefix="stage-hash") as other:
        directory = transfer.dump_set.directory
        expected = other.submit(digest, transfer.source, directory, file.name, file.bytes, go_on)
        try:
            fetch()
            stored = _digest_at_target(transfer, file, name, on_bytes)
        except BaseException:
            failed.set()
            raise
        wanted = expected.result()
    if stored != wanted:
        raise mismatch(file, (file.bytes, wanted), (file.bytes, stored))
    return wanted


def bytes_at_target(transfer: Transfer, name: str) -> int:
    """The size of a file in the target's DIRECTORY. Raises StagingError where the target does not see it."""
    directory = transfer.definition.staging.target_directory
    size = file_size(transfer.target, directory, name)
    if size is None:
        raise StagingError(
            f"the target does not see the file in its DIRECTORY {directory}",
            object_name=name,
            step=STEP,
            remedy="both DIRECTORYs have to lead to the same storage; else choose another staging.transport",
        )
    return size


def _digest_at_target(transfer: Transfer, file: DumpFile, name: str, on_bytes: OnBytes) -> str:
    """What the target has of the file under `name`. Raises StagingError unless its size is right."""
    size = bytes_at_target(transfer, name)
    if size != file.bytes:
        raise mismatch(file, (file.bytes, "unknown"), (size, "unknown"))
    return digest(transfer.target, transfer.definition.staging.target_directory, name, size, on_bytes)
