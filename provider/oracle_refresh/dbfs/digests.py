"""The SHA-256 of a file, piece by piece, computed by the database that has it.

DBMS_CRYPTO hashes LOBs, not files, so a file of a DIRECTORY passes through a temporary LOB in pieces, and so
does a file of the store that has more than one piece: the temporary tablespace holds one piece at most, this
process none. Pieces are chained, so that what is known of the beginning of a file is one digest, whatever the
size: a file of one piece has the SHA-256 of its bytes; each further piece makes the SHA-256 of the digest so
far and of its own SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.dbfs import statements

if TYPE_CHECKING:
    import oracledb

PIECE_BYTES = 64 << 20

#: The SHA-256 of one piece of a file that a database has: position from 0 on, and bytes.
HashPiece = Callable[[int, int], bytes]


@dataclass(frozen=True)
class Checked:
    """The beginning of a file: its bytes, and their digest in hexadecimal."""

    size: int = 0
    digest: str = hashlib.sha256(b"").hexdigest()

    def and_then(self, count: int, piece: bytes) -> Checked:
        """With the next piece of `count` bytes, whose SHA-256 is `piece`."""
        if not self.size:
            return Checked(count, piece.hex())
        chained = hashlib.sha256(bytes.fromhex(self.digest) + piece).hexdigest()
        return Checked(self.size + count, chained)


def piece_end(position: int, size: int) -> int:
    """Where the piece that `position` is in ends, in a file of `size` bytes."""
    return min((position // PIECE_BYTES + 1) * PIECE_BYTES, size)


def digest(
    connection: oracledb.Connection,
    directory: str,
    name: str,
    size: int,
    report: Callable[[int], None] = lambda done: None,
) -> str:
    """The hexadecimal digest of the first `size` bytes of a file of a DIRECTORY.

    :param report: called with the bytes that have been hashed.
    :raises oracledb.Error: if the file or the directory is not there, or the file is shorter.
    """
    return digest_of(in_directory(connection, directory, name), size, report)


def digest_of(hash_piece: HashPiece, size: int, report: Callable[[int], None] = lambda done: None) -> str:
    """The hexadecimal digest of a file of `size` bytes, whose pieces `hash_piece` hashes."""
    checked = Checked()
    while checked.size < size:
        count = piece_end(checked.size, size) - checked.size
        checked = checked.and_then(count, hash_piece(checked.size, count))
        report(checked.size)
    return checked.digest


def in_directory(connection: oracledb.Connection, directory: str, name: str) -> HashPiece:
    """Hashes pieces of a file of a DIRECTORY."""

    def hash_piece(position: int, count: int) -> bytes:
        return _hashed(connection, statements.HASH_PIECE, position, count, directory=directory, name=name)

    return hash_piece


def in_store(connection: oracledb.Connection, path: str) -> HashPiece:
    """Hashes pieces of a file of the DBFS store."""

    def hash_piece(position: int, count: int) -> bytes:
        return _hashed(connection, statements.HASH_STORED_PIECE, position, count, path=path)

    return hash_piece


def _hashed(connection: oracledb.Connection, block: str, position: int, count: int, **binds: Any) -> bytes:
    import oracledb

    with connection.cursor() as cursor:
        value = cursor.var(oracledb.DB_TYPE_RAW)
        cursor.execute(block, position=position + 1, amount=count, digest=value, **binds)
        return bytes(value.getvalue())
