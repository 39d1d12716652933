"""Writes dump files to a path of this machine that leads to the target's DIRECTORY: dbfs_client, NFS.

A try writes `<file>.<try>.part`, beginning with the part of the try before it as far as that was verified. At
the end of each piece the target hashes what it sees through its DIRECTORY, and the ledger notes the piece.
A process that was given up but still runs cannot harm: it writes the same bytes to the same places, and finds
nothing that it could rename.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.dbfs.digests import Checked, in_directory
from oracle_refresh.dbfs.host_reading import command_lines
from oracle_refresh.dbfs.mounts import mount_of, objections, parse_mounts
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.error_codes import FULL
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.areas import DirectoryArea
from oracle_refresh.transport.base import FileTransport, Obstacle
from oracle_refresh.transport.both_ends import bytes_at_target
from oracle_refresh.transport.pieces import read_pieces, verify_piece
from oracle_refresh.transport.transfer import STEP, mismatch, part_name

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import RefreshDefinition, Staging
    from oracle_refresh.transport.transfer import OnBytes, Transfer

PROC = Path("/proc")
#: Of files with unmasked rows: the target's database reads them as a member of their group.
MODE = 0o640


class Mounted(FileTransport):
    """The path has to be there on every worker."""

    name = StagingTransport.MOUNTED
    area = DirectoryArea

    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle | None:
        if not definition.staging.lacks(self.name):
            return None
        return Obstacle(
            "the definition names no staging.mounted_path",
            "mount the store on the worker's host, and staging.mounted_path, if it is wanted",
        )

    def preflight(self, staging: Staging) -> tuple[str, ...]:
        return require_mounted(staging)

    def copy(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> str:
        folder = transfer.definition.staging.mounted_path
        assert folder is not None, "the definition requires it"
        attempt, checked = transfer.begin(file)
        part = folder / part_name(file.name, attempt)
        try:
            checked = begun = _taken_over(folder, file, attempt, checked)
            for checked in _written(transfer, file, part, begun, on_bytes, read_bytes):
                transfer.note_verified(file, attempt, checked)
            transfer.require_latest(file, attempt)
            os.replace(part, folder / path_element(file.name))
        except Exception as error:
            full = isinstance(error, OSError) and error.errno in FULL
            if full or not checked.size:  # else the next try goes on with it
                with suppress(OSError):  # on a mount that is gone the next try removes it, or the run's end
                    part.unlink(missing_ok=True)
            if not isinstance(error, OSError):
                raise
            raise StagingError(
                f"{part} cannot be written: {error.strerror or error}",
                object_name=file.name,
                step=STEP,
                remedy="make room on the mounted file system"
                if full
                else "check that it is mounted and may be written to; the next try goes on where this one"
                " ended",
            ) from error
        transfer.finish(file, attempt, checked.digest)
        return checked.digest


TRANSPORT = Mounted()


def require_mounted(staging: Staging, proc: Path = PROC) -> tuple[str, ...]:
    """What speaks against `staging.mounted_path` on this worker, without being in the way.

    :raises StagingError: if the path is no folder here, or mounted read-only.
    """
    path = staging.mounted_path
    assert path is not None, "the definition requires it"
    if not path.is_dir():
        raise _unusable(path, "this worker has no such folder")
    try:
        mounts = parse_mounts((proc / "mounts").read_text())
    except OSError:
        return (f"{proc}/mounts cannot be read: nothing is known about {path}",)
    mount = mount_of(str(path.resolve()), mounts)
    if mount is not None and "ro" in mount.options:
        raise _unusable(path, f"{mount.point} is mounted read-only")
    return objections(str(path.resolve()), mounts, command_lines(proc))


def _unusable(path: Path, why: str) -> StagingError:
    return StagingError(
        f"staging.mounted_path cannot be used: {why}",
        object_name=str(path),
        step=STEP,
        remedy="mount it on every worker (docs/how-to/set-up-the-store.md)",
    )


def _taken_over(folder: Path, file: DumpFile, attempt: int, checked: Checked) -> Checked:
    """Give the part of the last try the name of this one; what is verified of it. Others are removed."""
    part = folder / part_name(file.name, attempt)
    taken = False
    for former in range(attempt - 1, 0, -1):
        path = folder / part_name(file.name, former)
        if not taken and checked.size and path.exists() and path.stat().st_size >= checked.size:
            os.replace(path, part)
            taken = True
        else:
            path.unlink(missing_ok=True)
    if taken:
        return checked
    _make(part)
    return Checked()


def _make(part: Path) -> None:
    """An empty file that nobody reads but this user and its group, whatever the worker's umask says."""
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    try:
        with suppress(OSError):  # a file system without modes refuses; the umask has only taken bits away
            os.fchmod(descriptor, MODE)
    finally:
        os.close(descriptor)


def _written(
    transfer: Transfer, file: DumpFile, part: Path, checked: Checked, on_bytes: OnBytes, read_bytes: int
) -> Iterator[Checked]:
    """Write what lies behind `checked`; gives what has been verified after each piece."""
    at_target = in_directory(transfer.target, transfer.definition.staging.target_directory, part.name)
    reads = read_pieces(transfer.source, transfer.dump_set.directory, file, checked.size, read_bytes)
    with closing(reads), open(part, "r+b", buffering=0) as written:
        for position, data, piece in reads:
            _write_all(written.fileno(), data, position)
            end = position + len(data)
            on_bytes(end)
            if piece is not None:
                os.fsync(written.fileno())
                seen = bytes_at_target(transfer, part.name)
                if seen < end:
                    raise mismatch(file, (end, "unknown"), (seen, "unknown"))
                checked = verify_piece(file, checked, end, piece, at_target)
                yield checked


def _write_all(descriptor: int, data: bytes, position: int) -> None:
    view = memoryview(data)
    while view:
        count = os.pwrite(descriptor, view, position)
        view, position = view[count:], position + count
