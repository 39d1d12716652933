"""Writes dump files to a path of this machine that leads to the target's DIRECTORY: dbfs_client, NFS.

A try writes `<file>.<try>.part`, has the target hash what it sees there through its DIRECTORY, and renames
it; each try removes what the ones before it left.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report, differs
from oracle_refresh.dbfs.digests import Digest
from oracle_refresh.dbfs.server_to_server import arrived, digest_at_target, part_name, require_at_source
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.dbfs.streaming import read_pieces
from oracle_refresh.errors import StagingError


def write_file(carriage: Carriage, file: DumpFile, report: Report, piece_bytes: int) -> DumpFile:
    """Bring one file; one that is there already with the right checksum is accepted.

    :raises StagingError: if it is not at the source, cannot be written, or differs after the copy.
    """
    known = carriage.done(file)
    if known is not None and arrived(carriage, file, known):
        report(file.bytes)
        return replace(file, sha256=known)
    require_at_source(carriage, file)
    folder = carriage.definition.staging.mounted_path
    assert folder is not None, "the definition requires it"
    number = carriage.begin(file)
    part = folder / part_name(file.name, number)
    try:
        for former in range(1, number):
            (folder / part_name(file.name, former)).unlink(missing_ok=True)
        known = _write(carriage, file, part, report, piece_bytes)
        os.replace(part, folder / path_element(file.name))
    except Exception as error:
        with suppress(OSError):  # where the mount is gone, the next try removes it, or the end of the run
            part.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise StagingError(
            f"{part} cannot be written: {error.strerror or error}",
            object_name=file.name,
            step=STEP,
            remedy="make room on the mounted file system; check that it is mounted and may be written to",
        ) from error
    carriage.finish(file, known)
    return replace(file, sha256=known)


def _write(carriage: Carriage, file: DumpFile, part: Path, report: Report, piece_bytes: int) -> str:
    digest, done = Digest(), 0
    pieces = read_pieces(carriage.source, carriage.dump_set.directory, file, piece_bytes)
    with closing(pieces), open(part, "wb", buffering=0) as written:
        for piece, _ in pieces:
            digest.update(piece)
            _write_all(written.fileno(), piece)
            done += len(piece)
            report(done)
        os.fsync(written.fileno())
    sent = digest.hexdigest()
    found = digest_at_target(carriage, file, part.name, lambda _: None)
    if found != sent:
        raise differs(file, (file.bytes, sent), (file.bytes, found))
    return sent


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
