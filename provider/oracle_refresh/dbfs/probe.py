"""Whether the target's server sees files of the store through its DIRECTORY: tried with one of one byte."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import oracledb

from oracle_refresh.datapump.files import exists
from oracle_refresh.dbfs import statements
from oracle_refresh.dbfs.store import drop_file

if TYPE_CHECKING:
    from oracle_refresh.definition import RefreshDefinition


def sees_store(connection: oracledb.Connection, definition: RefreshDefinition, run_id: str) -> bool:
    """Put a file into the store, look for it in the DIRECTORY, remove it. Commits.

    Data Pump reads dump files through the DIRECTORY, so the store has to be mounted where that points at. A
    file that a killed try has left is taken up by the next one.
    """
    name = probe_name(run_id)
    path = f"{definition.staging.mount}/{name}"
    drop_file(connection, path)
    with connection.cursor() as cursor:
        content = cursor.var(oracledb.DB_TYPE_BLOB)
        cursor.execute(statements.CREATE_FILE, path=path, content=content)
        content.getvalue().write(b"\0", 1)
    connection.commit()
    try:
        return exists(connection, definition.staging.target_directory, name)
    finally:
        drop_file(connection, path)


def probe_name(run_id: str) -> str:
    """The file that a run puts into the store for a moment; a killed try may leave it."""
    return f"probe_{hashlib.sha256(run_id.encode()).hexdigest()[:16]}.tmp"
