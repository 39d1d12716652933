"""Removes everything that a run of the calibration has made, found by its mark. May be repeated at will."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files
from oracle_refresh.dbfs import statements as dbfs_statements
from oracle_refresh.dbfs import store
from oracle_refresh.labs.store import lineitem, statements
from oracle_refresh.labs.store.dumps import clean_dumps, current_user
from oracle_refresh.labs.store.loading import drop_table
from oracle_refresh.labs.store.model import Calibration
from oracle_refresh.oracle.errors import StagingError, oracle_codes
from oracle_refresh.planning.store_advice import STREAM

if TYPE_CHECKING:
    import oracledb

#: The file that shows whether the DIRECTORY leads to the mount.
PROBE = "cal_{mark}_probe"


def clean(connection: oracledb.Connection, plan: Calibration) -> None:
    """Tables, jobs, dump files, flat files and working directories of the run. Commits.

    :raises oracledb.Error: if something cannot be removed.
    """
    clean_dumps(connection, plan, current_user(connection))
    with connection.cursor() as cursor:
        cursor.execute(statements.TABLES, pattern=f"REFRESH$CAL!_{plan.mark.upper()}!_%")
        tables = [str(name) for (name,) in cursor]
    for name in tables:
        drop_table(connection, name)
    if any(cell.way == STREAM for cell in plan.cells):
        _clean_store(connection, plan)
    if plan.mounted_path:
        with suppress(OSError):  # where the mount is gone, so is the way to what is left on it
            (Path(plan.mounted_path) / PROBE.format(mark=plan.mark)).unlink(missing_ok=True)
        shutil.rmtree(Path(plan.mounted_path) / Path(plan.folder).name, ignore_errors=True)


def _clean_store(connection: oracledb.Connection, plan: Calibration) -> None:
    try:
        for name in (*lineitem.names(plan), PROBE.format(mark=plan.mark)):
            store.drop_file(connection, f"{plan.mount}/{name}")
        store.drop_directory(connection, plan.folder)
    except Exception as error:
        if not store.NO_MOUNT & set(oracle_codes(error)):  # else the run ended before its store was made
            raise


def probe(connection: oracledb.Connection, plan: Calibration) -> None:
    """Make sure that the plan's DIRECTORY shows what is in the root of the mount.

    :raises StagingError: if it does not, as without dbfs_client.
    """
    import oracledb

    name = PROBE.format(mark=plan.mark)
    path = f"{plan.mount}/{name}"
    store.drop_file(connection, path)
    with connection.cursor() as cursor:
        cursor.execute(dbfs_statements.CREATE_FILE, path=path, content=cursor.var(oracledb.DB_TYPE_BLOB))
    connection.commit()
    try:
        seen = files.file_size(connection, plan.directory, name) is not None
    finally:
        store.drop_file(connection, path)
    if not seen:
        raise StagingError(
            f"the DIRECTORY does not show what is in {plan.mount}",
            object_name=plan.directory,
            step=lineitem.STEP,
            remedy="mount the store on the target's host and let the DIRECTORY lead to the mount, or"
            " leave out flat files and dumps",
        )


def probe_mounted(connection: oracledb.Connection, plan: Calibration) -> None:
    """Make sure that the target sees in the plan's DIRECTORY what this machine writes to the mounted path.

    :raises StagingError: if it does not: what was measured would be this machine's own disk.
    """
    name = PROBE.format(mark=plan.mark)
    path = Path(plan.mounted_path) / name
    remedy = "name the folder that the DIRECTORY leads to as this worker sees it, or leave it empty"
    try:
        path.write_bytes(b"\0")
        seen = files.file_size(connection, plan.directory, name) is not None
    except OSError as error:
        raise StagingError(
            f"the mounted path cannot be written to: {error.strerror or error}",
            object_name=plan.mounted_path,
            step=lineitem.STEP,
            remedy=remedy,
        ) from error
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    if not seen:
        raise StagingError(
            f"the target does not see in its DIRECTORY {plan.directory} what is written to the mounted path",
            object_name=plan.mounted_path,
            step=lineitem.STEP,
            remedy=remedy,
        )
