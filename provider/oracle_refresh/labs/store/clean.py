"""Makes the store before the measurements, and removes everything that a run has made, found by its mark.

May be repeated at will.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files
from oracle_refresh.dbfs import statements as dbfs_statements
from oracle_refresh.dbfs import store
from oracle_refresh.dbfs.room import read_room, require_room
from oracle_refresh.dbfs.set_up import tablespace_of
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.experience.store_advice import STREAM, store_key
from oracle_refresh.labs.store import lineitem, statements
from oracle_refresh.labs.store.dumps import clean_dumps, current_user
from oracle_refresh.labs.store.loading import drop_table
from oracle_refresh.labs.store.matrix import open_content
from oracle_refresh.labs.store.model import REMAINS, Calibration, Remains
from oracle_refresh.labs.store.plan import LINEITEM_PARTS, STEP, most_bytes
from oracle_refresh.labs.store.programs import clean_archives
from oracle_refresh.labs.store.run import StoreRun
from oracle_refresh.labs.store.transports import clean_transports
from oracle_refresh.oracle.errors import StagingError, oracle_codes
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.documents import AllRuns

if TYPE_CHECKING:
    import oracledb

#: Former runs that are looked at for what they have left.
LOOK_BACK = 20
#: The file that shows whether the DIRECTORY leads to the mount.
PROBE = "cal_{mark}_probe"


def prepare(run: StoreRun) -> None:
    """Make the store if it is not there, and remove what this and lost runs have left.

    :raises StagingError: if the store's tablespace has not the room, or what the plan measures through the
        DIRECTORY or the mounted path would be measured elsewhere.
    """
    target, plan, definition = run.refresh.target, run.plan, run.refresh.refresh_definition
    if definition.staging.uses_store:
        ensure_store(target, definition)
    for remains in AllRuns(target).latest(REMAINS, store_key(plan.conn_id, plan.mount), LOOK_BACK):
        if remains.left:
            clean_up(run.of(remains.calibration))
    _note_remains(run, left=True)
    clean(target, plan)
    if definition.staging.uses_store:
        room = read_room(target, tablespace_of(target, definition.staging.store))
        require_room(room, most_bytes(plan), "this calibration needs", "smaller files, fewer users")
    for path in plan.paths.values():
        probe_mounted(target, plan, path)
    if LINEITEM_PARTS & set(plan.parts):
        probe(target, plan)


def clean_up(run: StoreRun) -> None:
    """Remove what the run has left, at both ends. May be repeated at will.

    :raises oracledb.Error: if something cannot be removed.
    """
    clean(run.refresh.target, run.plan)
    _note_remains(run, left=not clean_transports(run))


def _note_remains(run: StoreRun, left: bool) -> None:
    """Whether something of the run may be left, for the next run to know if this one is lost."""
    run.documents.put(REMAINS, store_key(run.plan.conn_id, run.plan.mount), Remains(left, run.plan))


def clean(connection: oracledb.Connection, plan: Calibration) -> None:
    """Tables, jobs, dump files, flat files and working directories of the run, in the target. Commits.

    :raises oracledb.Error: if something cannot be removed.
    """
    clean_dumps(connection, plan, current_user(connection))
    for (name,) in rows(connection, statements.TABLES, pattern=f"REFRESH$CAL!_{plan.mark.upper()}!_%"):
        drop_table(connection, name)
    if any(cell.way == STREAM for cell in plan.cells):
        _clean_store(connection, plan)
    clean_archives(plan)
    for path in plan.paths.values():
        with suppress(OSError):  # where the mount is gone, so is the way to what is left on it
            (Path(path) / PROBE.format(mark=plan.mark)).unlink(missing_ok=True)
        shutil.rmtree(Path(path) / Path(plan.folder).name, ignore_errors=True)


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
    name = PROBE.format(mark=plan.mark)
    path = f"{plan.mount}/{name}"
    store.drop_file(connection, path)
    open_content(connection, dbfs_statements.CREATE_FILE, path)
    connection.commit()
    try:
        seen = files.file_size(connection, plan.directory, name) is not None
    finally:
        store.drop_file(connection, path)
    if not seen:
        raise StagingError(
            f"the DIRECTORY does not show what is in {plan.mount}",
            object_name=plan.directory,
            step=STEP,
            remedy="mount the store on the target's host and let the DIRECTORY lead to the mount, or"
            " leave out flat files and dumps",
        )


def probe_mounted(connection: oracledb.Connection, plan: Calibration, mounted: str) -> None:
    """Make sure that the target sees in the plan's DIRECTORY what this machine writes to a mounted path.

    :raises StagingError: if it does not: what was measured would be this machine's own disk.
    """
    name = PROBE.format(mark=plan.mark)
    path = Path(mounted) / name
    remedy = "name the folder that the DIRECTORY leads to as this worker sees it, or leave it empty"
    try:
        path.write_bytes(b"\0")
        seen = files.file_size(connection, plan.directory, name) is not None
    except OSError as error:
        raise StagingError(
            f"the mounted path cannot be written to: {error.strerror or error}",
            object_name=mounted,
            step=STEP,
            remedy=remedy,
        ) from error
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    if not seen:
        raise StagingError(
            f"the target does not see in its DIRECTORY {plan.directory} what is written to the mounted path",
            object_name=mounted,
            step=STEP,
            remedy=remedy,
        )
