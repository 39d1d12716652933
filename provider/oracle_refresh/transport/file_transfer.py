"""Files that the target's server fetches itself: DBMS_FILE_TRANSFER over a database link.

Source: DBMS_FILE_TRANSFER and UTL_FILE in PL/SQL Packages and Types Reference 19c.

A try fetches into a file of its own name, `<file>.<try>.part`, has both ends hash it, and renames it.
GET_FILE replaces no file and may go on at the target after this process has died, so no try uses the name of
another: what an abandoned call still writes is never renamed. Each try removes what the ones before it left.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import file_size, remove
from oracle_refresh.dbfs.digests import Checked
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import StagingError, oracle_codes
from oracle_refresh.oracle.session import execute
from oracle_refresh.transport import statements
from oracle_refresh.transport.areas import DirectoryArea
from oracle_refresh.transport.base import FileTransport, Obstacle
from oracle_refresh.transport.both_ends import same_at_both_ends
from oracle_refresh.transport.transfer import STEP, part_name

if TYPE_CHECKING:
    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.transport.transfer import OnBytes, Transfer

log = logging.getLogger(__name__)

PACKAGE = "DBMS_FILE_TRANSFER"
NOT_GRANTED = f"the target's user may not execute {PACKAGE}"
TRANSFER_UNIT = 512  # bytes; DBMS_FILE_TRANSFER copies only whole multiples
TRANSFER_LIMIT = 2 << 40  # bytes


class ServerToServer(FileTransport):
    """The target has to execute DBMS_FILE_TRANSFER and to own the link."""

    name = StagingTransport.FILE_TRANSFER
    area = DirectoryArea

    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle | None:
        if definition.staging.lacks(self.name):
            return Obstacle(
                "the definition names no staging.database_link",
                "CREATE DATABASE LINK on the target as its user, and staging.database_link, if it is wanted",
            )
        if PACKAGE not in granted:
            return Obstacle(
                NOT_GRANTED,
                f"AS SYSDBA on the target: GRANT EXECUTE ON SYS.{PACKAGE} TO the target's user",
            )
        return None

    def refusal(self, files: Sequence[DumpFile], granted: Collection[str]) -> StagingError | None:
        if PACKAGE not in granted:
            return StagingError(
                NOT_GRANTED,
                object_name=f"SYS.{PACKAGE}",
                step=STEP,
                remedy=f"GRANT EXECUTE ON SYS.{PACKAGE} to the target's refresh user",
            )
        for file in files:
            if file.bytes % TRANSFER_UNIT or file.bytes > TRANSFER_LIMIT:
                return StagingError(
                    f"{PACKAGE} copies multiples of {TRANSFER_UNIT} bytes up to 2 TB,"
                    f" this file has {file.bytes} bytes",
                    object_name=file.name,
                    step=STEP,
                    remedy="staging.transport stream, or a smaller datapump.file_size",
                )
        return None

    def copy(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> str:
        attempt, _ = transfer.begin(file)
        directory, part = transfer.definition.staging.target_directory, part_name(file.name, attempt)
        for former in range(1, attempt):
            _remove_if_there(transfer, part_name(file.name, former))
        try:
            sha256 = same_at_both_ends(transfer, file, part, on_bytes, lambda: _fetch(transfer, file, part))
        except Exception:
            _remove_if_there(transfer, part)
            raise
        # From here on only the name is missing.
        transfer.note_verified(file, attempt, Checked(file.bytes, sha256))
        names = {"old_name": part, "new_name": path_element(file.name)}
        execute(transfer.target, statements.RENAME_FILE, directory=directory, **names)
        transfer.finish(file, attempt, sha256)
        return sha256


TRANSPORT = ServerToServer()


def _fetch(transfer: Transfer, file: DumpFile, part: str) -> None:
    staging = transfer.definition.staging
    arguments = [transfer.dump_set.directory, file.name, str(staging.database_link), staging.target_directory]
    with transfer.target.cursor() as cursor:
        cursor.callproc(statements.GET_FILE, [*arguments, part])


def _remove_if_there(transfer: Transfer, name: str) -> None:
    directory = transfer.definition.staging.target_directory
    try:
        if file_size(transfer.target, directory, name) is not None:
            remove(transfer.target, directory, name)
    except Exception as error:
        if not oracle_codes(error):
            raise
        log.warning("%s/%s may be left on the target's host: %s", directory, name, error)
