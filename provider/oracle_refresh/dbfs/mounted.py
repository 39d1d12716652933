"""Writes dump files to a path of this machine that leads to the target's DIRECTORY: dbfs_client, NFS.

A try writes `<file>.<try>.part`, beginning with the part of the try before it as far as that was verified. At
the end of each piece the target hashes what it sees through its DIRECTORY, and the ledger notes the piece.
A process that was given up but still runs cannot harm: it writes the same bytes to the same places, and finds
nothing that it could rename.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report, differs, require_at_source
from oracle_refresh.dbfs.digests import Checked, in_directory
from oracle_refresh.dbfs.server_to_server import arrived, bytes_at_target, part_name
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.dbfs.streaming import read_pieces, verify_piece
from oracle_refresh.oracle.error_codes import FULL
from oracle_refresh.oracle.errors import StagingError


def write_file(carriage: Carriage, file: DumpFile, report: Report, read_bytes: int) -> DumpFile:
    """Bring one file; one that is there already with the right checksum is accepted.

    :param read_bytes: bytes that are read and written at once.
    :raises StagingError: if it is not at the source, cannot be written, or differs after the copy.
    """
    known = carriage.known(file)
    if known is not None and arrived(carriage, file, known):
        report(file.bytes)
        return replace(file, sha256=known)
    require_at_source(carriage, file)
    folder = carriage.definition.staging.mounted_path
    assert folder is not None, "the definition requires it"
    number, checked = carriage.begin(file)
    part = folder / part_name(file.name, number)
    try:
        checked = begun = _taken_over(folder, file, number, checked)
        for checked in _pieces(carriage, file, part, begun, report, read_bytes):
            carriage.verified(file, number, checked)
        carriage.require_latest(file, number)
        os.replace(part, folder / path_element(file.name))
    except Exception as error:
        full = isinstance(error, OSError) and error.errno in FULL
        if full or not checked.size:  # else the next try goes on with it
            with suppress(OSError):  # where the mount is gone, the next try removes it, or the end of the run
                part.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise StagingError(
            f"{part} cannot be written: {error.strerror or error}",
            object_name=file.name,
            step=STEP,
            remedy="make room on the mounted file system"
            if full
            else "check that it is mounted and may be written to; the next try goes on where this one ended",
        ) from error
    carriage.finish(file, number, checked.digest)
    return replace(file, sha256=checked.digest)


def _taken_over(folder: Path, file: DumpFile, number: int, checked: Checked) -> Checked:
    """Give the part of the last try the name of this one; what is verified of it. Others are removed."""
    part = folder / part_name(file.name, number)
    found = False
    for former in range(number - 1, 0, -1):
        path = folder / part_name(file.name, former)
        if not found and checked.size and path.exists() and path.stat().st_size >= checked.size:
            os.replace(path, part)
            found = True
        else:
            path.unlink(missing_ok=True)
    if found:
        return checked
    part.touch()
    return Checked()


def _pieces(
    carriage: Carriage, file: DumpFile, part: Path, checked: Checked, report: Report, read_bytes: int
) -> Iterator[Checked]:
    """Write what lies behind `checked`; gives what has been verified after each piece."""
    at_target = in_directory(carriage.target, carriage.definition.staging.target_directory, part.name)
    reads = read_pieces(carriage.source, carriage.dump_set.directory, file, checked.size, read_bytes)
    with closing(reads), open(part, "r+b", buffering=0) as written:
        for position, data, piece in reads:
            _write_all(written.fileno(), data, position)
            end = position + len(data)
            report(end)
            if piece is not None:
                os.fsync(written.fileno())
                seen = bytes_at_target(carriage, part.name)
                if seen < end:
                    raise differs(file, (end, "unknown"), (seen, "unknown"))
                checked = verify_piece(file, checked, end, piece, at_target)
                yield checked


def _write_all(descriptor: int, data: bytes, position: int) -> None:
    view = memoryview(data)
    while view:
        count = os.pwrite(descriptor, view, position)
        view, position = view[count:], position + count
