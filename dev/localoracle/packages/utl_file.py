"""UTL_FILE as far as files are managed, not written: FREMOVE, FRENAME (PL/SQL Packages and Types).

`location` is the name of a directory object in its stored case; the paths of UTL_FILE_DIR are long gone.
"""

from __future__ import annotations

from pathlib import Path

from localoracle.errors import OracleError
from localoracle.packages.registry import Call, subprogram
from localoracle.tasks import in_thread

PACKAGE = "UTL_FILE"
BLOCK_SIZE = 4096


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
