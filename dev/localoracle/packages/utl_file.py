"""UTL_FILE (PL/SQL Packages and Types): files are written as text, removed and renamed. They are not read.

`location` is the name of a directory object in its stored case; the paths of UTL_FILE_DIR are long gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram
from localoracle.tasks import in_thread

PACKAGE = "UTL_FILE"
BLOCK_SIZE = 4096
LONGEST_LINE, DEFAULT_LINE = 32767, 1024

_handles = count(1)


@dataclass
class OpenFile:
    """A file of a session.

    :ivar longest: bytes that a line may have, without its end.
    :ivar line: bytes of the line that is not ended yet.
    """

    file: IO[bytes]
    longest: int
    line: int = 0


async def _path(call: Call, location: str, filename: str, privilege: str) -> Path:
    name = call[filename]
    if not name or "/" in str(name) or str(name) in (".", ".."):
        raise OracleError(29288, "invalid file name")
    rows = await call.session.pg_system(
        "SELECT localoracle.directory_path(%s, %s, %s), localoracle.directory_exists(%s)",
        (call.session.role, call[location], privilege, call[location]),
    )
    folder, exists = rows[0]
    if folder is None:
        if exists:
            raise OracleError(29289, "directory access denied")
        raise OracleError(29280, "invalid directory object")
    return Path(str(folder)) / str(name)


def _open_files(call: Call) -> dict[int, OpenFile]:
    files: dict[int, OpenFile] = call.session.package_state.setdefault(PACKAGE, {})
    return files


def _file(call: Call) -> OpenFile:
    """The open file of a handle; ORA-29282 where it is none."""
    files, handle = _open_files(call), call["file"]
    number = None if handle is None else handle["id"]
    if number is None or int(number) not in files:
        raise OracleError(29282, "invalid file ID")
    return files[int(number)]


@subprogram(PACKAGE, "FOPEN")
async def fopen(call: Call) -> object:
    """Create or empty a file (w), or append to it (a)."""
    mode = str(call["open_mode"] or "").lower()
    if mode not in ("r", "w", "a", "rb", "wb", "ab"):
        raise OracleError(29281, "invalid mode")
    if mode not in ("w", "a"):
        raise not_supported(f"UTL_FILE.FOPEN with the mode {mode}")
    size = call["max_linesize"]
    if size is not None and not 1 <= int(size) <= LONGEST_LINE:
        raise OracleError(29287, "invalid maximum line size")
    path = await _path(call, "location", "filename", "WRITE")
    try:
        file = await in_thread(lambda: path.open(f"{mode}b"))
    except OSError as error:
        raise OracleError(29283, "invalid file operation") from error
    handle = next(_handles)
    _open_files(call)[handle] = OpenFile(file, DEFAULT_LINE if size is None else int(size))
    return call.new("UTL_FILE.FILE_TYPE", id=handle, datatype=1, byte_mode=False)


async def _write(call: Call, end: str) -> None:
    """Write a part of a line, which is at most as long as FOPEN says, else 1024 ("FOPEN Function", "PUT_LINE
    Procedure")."""
    opened = _file(call)
    data = str(call["buffer"] or "").encode()
    opened.line += len(data)
    if opened.line > opened.longest:
        raise OracleError(29285, "file write error")
    if end:
        opened.line = 0
    try:
        await in_thread(lambda: opened.file.write(data + end.encode()))
    except OSError as error:
        raise OracleError(29285, "file write error") from error


@subprogram(PACKAGE, "PUT")
async def put(call: Call) -> None:
    await _write(call, "")


@subprogram(PACKAGE, "PUT_LINE")
async def put_line(call: Call) -> None:
    if call.get("autoflush"):
        raise not_supported("UTL_FILE.PUT_LINE with AUTOFLUSH")
    await _write(call, "\n")


@subprogram(PACKAGE, "IS_OPEN")
async def is_open(call: Call) -> bool:
    try:
        _file(call)
    except OracleError:
        return False
    return True


@subprogram(PACKAGE, "FCLOSE")
async def fclose(call: Call) -> None:
    """Write what is buffered and close the file. The handle is none afterwards."""
    file = _file(call).file
    _open_files(call).pop(int(call["file"]["id"]))
    call.set("file", call.new("UTL_FILE.FILE_TYPE", id=None, datatype=None, byte_mode=None))
    try:
        await in_thread(file.close)
    except OSError as error:
        raise OracleError(29285, "file write error") from error


@subprogram(PACKAGE, "FREMOVE")
async def fremove(call: Call) -> None:
    """Delete a file; ORA-29283 when it is not there or the server may not."""
    path = await _path(call, "location", "filename", "WRITE")
    try:
        await in_thread(path.unlink)
    except OSError as error:
        raise OracleError(29283, "invalid file operation") from error


@subprogram(PACKAGE, "FRENAME")
async def frename(call: Call) -> None:
    """Rename or move a file; an existing one is replaced only when `overwrite` says so."""
    source = await _path(call, "src_location", "src_filename", "READ")
    destination = await _path(call, "dest_location", "dest_filename", "WRITE")
    if not source.exists() or (destination.exists() and not call.get("overwrite", False)):
        raise OracleError(29292, "file rename operation failed")
    await in_thread(lambda: source.rename(destination))
