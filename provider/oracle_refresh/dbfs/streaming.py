"""Streams dump files from the source's DIRECTORY through this process into the target's DBFS store.

The next piece is read from the source (BFILE) while the last one is written to the target (a locator of the
DBFS file), so memory is two pieces whatever the size. The source's checksum is that of the bytes read, the
target's is computed by the target from what it has stored. An interrupted file is continued where its last
commit left it: what is there already is read and hashed again, but not sent again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.datapump.files import file_size, open_bfile
from oracle_refresh.dbfs import statements, store
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report, differs, missing_at_source, wrong_size
from oracle_refresh.errors import StagingError

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

COMMIT_BYTES = 256 << 20


def stream_file(carriage: Carriage, file: DumpFile, report: Report, piece_bytes: int) -> DumpFile:
    """Bring one file; one that is there already with the right checksum is accepted.

    :raises StagingError: if it is not at the source, or differs after the copy.
    """
    source, target, definition = carriage.source, carriage.target, carriage.definition
    final = f"{definition.staging.mount}/{store.path_element(file.name)}"
    known = carriage.done(file)
    if known is not None and stored(target, final) == (file.bytes, known):
        report(file.bytes)
        return replace(file, sha256=known)
    if file_size(source, carriage.dump_set.directory, file.name) is None:
        raise missing_at_source(carriage, file)
    directory = store.job_directory(definition, carriage.run_id, carriage.dump_set.job_name)
    part = f"{directory}/{store.path_element(file.name + '.part')}"
    carriage.begin(file)
    digest = _copy(source, target, carriage.dump_set.directory, file, directory, part, report, piece_bytes)
    store.drop_file(target, final)  # of a former try, or of an export that was repeated
    with target.cursor() as cursor:
        cursor.execute(statements.RENAME, old_path=part, new_path=final)
    carriage.finish(file, digest)  # commits the new name with the record
    return replace(file, sha256=digest)


def _copy(
    source: oracledb.Connection,
    target: oracledb.Connection,
    source_directory: str,
    file: DumpFile,
    directory: str,
    part: str,
    report: Report,
    piece_bytes: int,
) -> str:
    """Bring the unfinished file to completeness; its SHA-256, which is the same on both ends."""
    have = store.file_bytes(target, part)
    for fresh in (have is None or have > file.bytes, True):
        if fresh:
            store.drop_file(target, part)
            store.ensure_directory(target, directory)
            _create(target, part)
            have = 0
        digest = _write(
            target, part, read_pieces(source, source_directory, file, piece_bytes), have or 0, report
        )
        found = stored(target, part)
        if found == (file.bytes, digest):
            return digest
        if fresh:
            store.drop_file(target, part)
            raise differs(file, (file.bytes, digest), found)
        log.warning("what was there of %s belongs to another dump: it is copied from the beginning", part)
    raise AssertionError("the second round is fresh and returns or raises")


def read_pieces(
    source: oracledb.Connection, directory: str, file: DumpFile, piece_bytes: int
) -> Generator[tuple[bytes, str], None, None]:
    """The file in pieces, each with the hash up to its end; the next one is read while this one is used."""
    locator = open_bfile(source, directory, file.name)
    locator.open()
    sha = hashlib.sha256()

    def read(offset: int) -> bytes:
        piece: bytes = locator.read(offset + 1, min(piece_bytes, file.bytes - offset))
        sha.update(piece)
        return piece

    try:
        size = int(locator.size())
        if size != file.bytes:
            raise wrong_size(file, size)
        with ThreadPoolExecutor(1, thread_name_prefix="stage-read") as reader:
            offset = 0
            ahead = reader.submit(read, 0)
            while offset < file.bytes:
                piece = ahead.result()
                if not piece:
                    raise StagingError("the file ended early", object_name=file.name, step=STEP)
                offset += len(piece)
                digest = sha.hexdigest() if offset == file.bytes else ""
                if offset < file.bytes:
                    ahead = reader.submit(read, offset)
                yield piece, digest
    finally:
        locator.close()


def _write(
    target: oracledb.Connection,
    part: str,
    pieces: Generator[tuple[bytes, str], None, None],
    have: int,
    report: Report,
) -> str:
    """Append what lies beyond the first `have` bytes; commits now and then, so that a restart finds it."""
    locator = None
    position = uncommitted = 0
    digest = ""
    with closing(pieces):
        for piece, so_far in pieces:
            digest = so_far
            position += len(piece)
            if position <= have:
                continue
            fresh = piece[-(position - have) :] if position - len(piece) < have else piece
            if locator is None:
                locator = _open(target, part)
            locator.write(fresh, position - len(fresh) + 1)
            uncommitted += len(fresh)
            if uncommitted >= COMMIT_BYTES:
                target.commit()
                locator, uncommitted = None, 0  # the commit released the row that the locator may write to
            report(position)
    target.commit()
    return digest


def _create(target: oracledb.Connection, path: str) -> None:
    import oracledb

    with target.cursor() as cursor:
        cursor.execute(statements.CREATE_FILE, path=path, content=cursor.var(oracledb.DB_TYPE_BLOB))
    target.commit()


def _open(target: oracledb.Connection, path: str) -> oracledb.LOB:
    """A locator of the file that may be written until the next commit."""
    import oracledb

    with target.cursor() as cursor:
        content = cursor.var(oracledb.DB_TYPE_BLOB)
        cursor.execute(statements.OPEN_FILE, path=path, content=content)
        locator: oracledb.LOB = content.getvalue()
    return locator


def stored(target: oracledb.Connection, path: str) -> tuple[int, str]:
    """Bytes and SHA-256 of a file as the target has it; (0, "") when it is not there."""
    import oracledb

    if store.file_bytes(target, path) is None:
        return 0, ""
    with target.cursor() as cursor:
        size, digest = cursor.var(int), cursor.var(oracledb.DB_TYPE_RAW)
        cursor.execute(statements.HASH_FILE, path=path, bytes=size, digest=digest)
        value = digest.getvalue()
        return int(size.getvalue() or 0), value.hex() if value else ""
