"""The SHA-256 of a file in a DIRECTORY, computed by the database that has it.

DBMS_CRYPTO hashes LOBs, not files, so the file passes through a temporary LOB in pieces: the temporary
tablespace holds one piece at most, this process none. A file of one piece has the SHA-256 of its bytes; a
longer one has that of the SHA-256s of its pieces, one after the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements

if TYPE_CHECKING:
    import oracledb

PIECE_BYTES = 64 << 20


def digest(
    connection: oracledb.Connection,
    directory: str,
    name: str,
    size: int,
    report: Callable[[int], None] = lambda done: None,
) -> str:
    """The hexadecimal digest of the first `size` bytes of a file.

    :param report: called with the bytes that have been hashed.
    :raises oracledb.Error: if the file or the directory is not there, or the file is shorter.
    """
    import oracledb

    pieces = []
    with connection.cursor() as cursor:
        value = cursor.var(oracledb.DB_TYPE_RAW)
        for offset in range(0, size, PIECE_BYTES):
            amount = min(PIECE_BYTES, size - offset)
            cursor.execute(
                statements.HASH_PIECE,
                directory=directory,
                name=name,
                position=offset + 1,
                amount=amount,
                digest=value,
            )
            pieces.append(bytes(value.getvalue()))
            report(offset + amount)
    return _combined(pieces)


class Digest:
    """The same of bytes that pass through this process."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._piece = hashlib.sha256()
        self._filled = 0

    def update(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            taken = view[: PIECE_BYTES - self._filled]
            self._piece.update(taken)
            self._filled += len(taken)
            view = view[len(taken) :]
            if self._filled == PIECE_BYTES:
                self._end_piece()

    def hexdigest(self) -> str:
        """The digest; nothing can be added afterwards."""
        if self._filled:
            self._end_piece()
        return _combined(self._pieces)

    def _end_piece(self) -> None:
        self._pieces.append(self._piece.digest())
        self._piece, self._filled = hashlib.sha256(), 0


def _combined(pieces: list[bytes]) -> str:
    return pieces[0].hex() if len(pieces) == 1 else hashlib.sha256(b"".join(pieces)).hexdigest()
