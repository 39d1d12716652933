"""The dump file format: where table data, its directory and the job's master data lie in a file.

    0      segments: the data of table objects as PostgreSQL's binary COPY writes it, or that packed
           with gzip; a table object may have pieces in several files when FILESIZE is set
    ...    the directory (JSON, deflated; zeros up to 4 KB): this file's segments, and in one file of the set
           the master data: job, table objects with columns and pieces, metadata as DDL
    -4096  header: a magic line, then one JSON object, padded with spaces

The header stands at the end so that PostgreSQL can write the first segment itself. It names offset, length
and CRC-32 of the directory, and is written last; every piece carries its checksum. So an unfinished,
truncated, mixed-up or damaged file is found before its rows are committed.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from localoracle.datapump import encryption
from localoracle.datapump.errors import stack
from localoracle.instance.access import share
from localoracle.instance.character_set import NUMBERS

HEADER_BYTES = BLOCK_BYTES = 4096
MAGIC = b"LOCALORACLE DATA PUMP 2\n"


@dataclass(frozen=True)
class Piece:
    """A run of bytes of one table object in one file of the set. `file` is the file's number in the set."""

    file: int
    offset: int
    length: int
    crc: int


@dataclass
class Header:
    """What the last 4 KB say. `guid` is the dump set's; `number` this file's place in it, from 1."""

    guid: str
    number: int
    job: str = ""
    created: str = ""
    database: str = ""
    character_set: str = "AL32UTF8"
    codec: str = ""
    has_master: bool = False
    file_count: int = 0
    directory_offset: int = 0
    directory_length: int = 0
    directory_crc: int = 0
    seal: dict[str, Any] = field(default_factory=dict)
    """Of an encrypted set: encryption.Seal."""
    data_encrypted: bool = False
    metadata_encrypted: bool = False


_NOT_ENCRYPTED, _ENCRYPTED_WITH_PASSWORD = "2", "3"
"""KU$_DFHDR_ENCPWD_MODE_*."""


def information(header: Header) -> dict[int, str]:
    """What GET_DUMPFILE_INFO tells of a file, by KU$_DFHDR_*."""
    return {
        1: "4.1",
        2: str(int(header.has_master)),
        3: header.guid,
        4: str(header.number),
        5: str(NUMBERS[header.character_set]),
        6: header.created,
        8: header.job,
        9: "x86_64/Linux 2.4.xx",
        10: header.database,
        11: header.character_set,
        12: str(HEADER_BYTES),
        14: "1",
        15: "19.00.00.00.00",
        16: "1",
        17: "1",
        18: "1" if header.codec else "0",
        19: str(int(header.metadata_encrypted)),
        20: str(int(header.data_encrypted)),
        21: "0",
        22: _ENCRYPTED_WITH_PASSWORD if header.seal else _NOT_ENCRYPTED,
    }


@dataclass
class DumpFile:
    """One opened dump file: its path, header and directory."""

    path: Path
    header: Header
    directory: dict[str, Any] = field(default_factory=dict)


def create(path: Path, *, reuse: bool) -> None:
    """Make an empty dump file, which PostgreSQL may write to.

    Raises ORA-31641 over ORA-27038 when it exists.
    """
    try:
        if reuse:
            path.unlink(missing_ok=True)
        with open(path, "xb") as file:
            share(file.fileno())
    except FileExistsError:
        raise stack((39000,), (31641, path), (27038,)) from None
    except OSError as error:
        raise stack((39000,), (31641, path), (27040, error)) from None


def finish(path: Path, header: Header, directory: dict[str, Any], key: bytes | None = None) -> None:
    """Append directory and header. After an interruption the caller cuts the file to its segments first.

    `key` encrypts the directory, with it all metadata.
    """
    packed = zlib.compress(json.dumps(directory, separators=(",", ":")).encode())
    header.metadata_encrypted = key is not None
    if key is not None:
        packed = encryption.encrypt(key, packed)
    with open(path, "ab") as file:
        header.directory_offset, header.directory_length = file.tell(), len(packed)
        header.directory_crc = zlib.crc32(packed)
        # Not synchronized with the disk: what a lost operating system takes along, the checksums miss.
        file.write(packed + _padding(header))
        file.write(_encode(header))


def _padding(header: Header) -> bytes:
    """Zeros up to the next block: like Oracle's, dump files are whole blocks (DBMS_FILE_TRANSFER asks it)."""
    return bytes(-(header.directory_offset + header.directory_length) % BLOCK_BYTES)


def open_dump(path: Path, key: bytes | None = None) -> DumpFile:
    """Read header and directory. Without the key an encrypted directory is checked and left closed.

    Raises ORA-31640 when the file cannot be opened, ORA-31619 when it is not a whole dump file (each
    below ORA-39000).
    """
    with _opened(path) as file:
        header = _decode(file, path)
        size, padding = file.seek(0, os.SEEK_END), _padding(header)
        if size != header.directory_offset + header.directory_length + len(padding) + HEADER_BYTES:
            raise stack((39000,), (31619, path))
        file.seek(header.directory_offset)
        packed = file.read(header.directory_length)
        padded = file.read(len(padding)) == padding
    if not padded or zlib.crc32(packed) != header.directory_crc:
        raise stack((39000,), (31619, path))
    if header.metadata_encrypted:
        if key is None:
            return DumpFile(path, header)
        try:
            packed = encryption.decrypt(key, packed)
        except encryption.Damaged:
            raise stack((39000,), (31619, path)) from None
    return DumpFile(path, header, json.loads(zlib.decompress(packed)))


def read_header(path: Path) -> Header:
    """Only the header of a finished file. Raises as `open_dump`."""
    with _opened(path) as file:
        return _decode(file, path)


def _opened(path: Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise stack((39000,), (31640, path), (27037,)) from None
    except OSError as error:
        raise stack((39000,), (31640, path), (27041, error)) from None


def _encode(header: Header) -> bytes:
    text = MAGIC + json.dumps(asdict(header)).encode()
    assert len(text) < HEADER_BYTES
    return text.ljust(HEADER_BYTES - 1) + b"\n"


def _decode(file: BinaryIO, path: Path) -> Header:
    file.seek(max(0, file.seek(0, os.SEEK_END) - HEADER_BYTES))
    raw = file.read(HEADER_BYTES)
    if len(raw) != HEADER_BYTES or not raw.startswith(MAGIC):
        raise stack((39000,), (31619, path))
    try:
        return Header(**json.loads(raw[len(MAGIC) :]))
    except (ValueError, TypeError):
        raise stack((39000,), (31619, path)) from None
