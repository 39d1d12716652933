"""A file of the source's DIRECTORY read piece by piece, for transports that pass through this process."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import open_bfile
from oracle_refresh.dbfs.digests import Checked, HashPiece, piece_end
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.transfer import STEP, mismatch

if TYPE_CHECKING:
    from collections.abc import Generator

    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile


def verify_piece(file: DumpFile, checked: Checked, end: int, piece: bytes, at_target: HashPiece) -> Checked:
    """With the piece up to `end`, whose SHA-256 at the source is `piece`.

    :raises StagingError: if the target has stored something else.
    """
    count = end - checked.size
    stored = at_target(checked.size, count)
    if stored != piece:
        raise mismatch(file, (count, piece.hex()), (count, stored.hex()), checked.size)
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
