"""Streams dump files from the source's DIRECTORY through this process into the target's DBFS store.

The next bytes are read from the source (BFILE) while the last ones are written to the target (a locator of
the DBFS file), so memory is two reads whatever the size. When a piece (`digests.PIECE_BYTES`) is complete it
is committed, the target hashes what it has stored, and where that is what was read from the source the ledger
says so: a later try goes on behind the last piece that was verified, and reads nothing before it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.datapump.files import open_bfile
from oracle_refresh.dbfs import statements, store
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report, differs, require_at_source
from oracle_refresh.dbfs.digests import Checked, HashPiece, digest_of, in_store, piece_end
from oracle_refresh.oracle.errors import StagingError, oracle_codes, overall_disposition

if TYPE_CHECKING:
    from collections.abc import Generator

    import oracledb


def stream_file(carriage: Carriage, file: DumpFile, report: Report, read_bytes: int) -> DumpFile:
    """Bring one file; one that is there already with the right checksum is accepted.

    :param read_bytes: bytes that are read and written at once.
    :raises StagingError: if it is not at the source, or differs after the copy.
    """
    target, definition = carriage.target, carriage.definition
    final = f"{definition.staging.mount}/{store.path_element(file.name)}"
    known = carriage.known(file)
    if known is not None and stored(target, final) == (file.bytes, known):
        report(file.bytes)
        return replace(file, sha256=known)
    require_at_source(carriage, file)
    directory = store.job_directory(definition, carriage.run_id, carriage.dump_set.job_name)
    part = f"{directory}/{store.path_element(file.name + '.part')}"
    number, begun = carriage.begin(file)
    with _removed_without_space(target, part):
        if begun.size > (store.file_bytes(target, part) or 0):
            begun = Checked()
        if not begun.size:
            store.drop_file(target, part)
            store.ensure_directory(target, directory)
            _create(target, part)
        checked = begun
        for checked in _pieces(carriage, file, part, begun, report, read_bytes):
            carriage.verified(file, number, checked)
    carriage.require_latest(file, number)
    store.replace_file(target, part, final)  # that of a former try, or of an export that was repeated
    carriage.finish(file, number, checked.digest)  # commits the new name with the record
    return replace(file, sha256=checked.digest)


@contextmanager
def _removed_without_space(target: oracledb.Connection, part: str) -> Iterator[None]:
    """Gives back the space of an unfinished file that found no more of it."""
    try:
        yield
    except Exception as error:
        if overall_disposition(oracle_codes(error)) == "space":
            with suppress(Exception):  # the error that is told is the one that led here
                target.rollback()
                store.drop_file(target, part)
        raise


def _pieces(
    carriage: Carriage, file: DumpFile, part: str, checked: Checked, report: Report, read_bytes: int
) -> Generator[Checked, None, None]:
    """Write what lies behind `checked`; gives what has been verified after each piece."""
    target = carriage.target
    locator: oracledb.LOB | None = None
    reads = read_pieces(carriage.source, carriage.dump_set.directory, file, checked.size, read_bytes)
    with closing(reads):
        for position, data, piece in reads:
            if locator is None:
                locator = _open(target, part)
            locator.write(data, position + 1)
            report(position + len(data))
            if piece is not None:
                target.commit()
                locator = None  # the commit released the row that it may write to
                checked = verify_piece(file, checked, position + len(data), piece, in_store(target, part))
                yield checked


def verify_piece(file: DumpFile, checked: Checked, end: int, piece: bytes, at_target: HashPiece) -> Checked:
    """With the piece up to `end`, whose SHA-256 at the source is `piece`.

    :raises StagingError: if the target has stored something else.
    """
    count = end - checked.size
    found = at_target(checked.size, count)
    if found != piece:
        raise differs(file, (count, piece.hex()), (count, found.hex()), checked.size)
    return checked.and_then(count, piece)


def read_pieces(
    source: oracledb.Connection, directory: str, file: DumpFile, start: int, read_bytes: int
) -> Generator[tuple[int, bytes, bytes | None], None, None]:
    """The file from `start` on, where a piece begins: position, bytes, and with a piece's end its SHA-256.

    The next bytes are read while these are used.

    :raises StagingError: if the file has not the size that the export left.
    """
    locator = open_bfile(source, directory, file.name)
    locator.open()
    sha = hashlib.sha256()

    def read(position: int) -> bytes:
        count = min(read_bytes, piece_end(position, file.bytes) - position)
        data: bytes = locator.read(position + 1, count) or b""
        if len(data) != count:
            raise StagingError("the file ended early", object_name=file.name, step=STEP)
        sha.update(data)
        return data

    try:
        with ThreadPoolExecutor(1, thread_name_prefix="stage-read") as reader:
            position = start
            ahead = reader.submit(read, position) if position < file.bytes else None
            while ahead is not None:
                data = ahead.result()
                end, whole = position + len(data), None
                if end == piece_end(position, file.bytes):
                    whole, sha = sha.digest(), hashlib.sha256()
                ahead = reader.submit(read, end) if end < file.bytes else None
                yield position, data, whole
                position = end
    finally:
        locator.close()


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
    """Bytes and digest of a file as the target has it; (0, "") when it is not there."""
    size = store.file_bytes(target, path)
    return (0, "") if size is None else (size, digest_of(in_store(target, path), size))
