"""Which way dump files take to the target. Pure.

Source of the limits: DBMS_FILE_TRANSFER in PL/SQL Packages and Types Reference 19c.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.definition.model import Staging, StagingTransport
from oracle_refresh.oracle.errors import StagingError

STEP = "stage"
TRANSFER_UNIT = 512  # bytes; DBMS_FILE_TRANSFER copies only whole multiples
TRANSFER_LIMIT = 2 << 40  # bytes


def choose(staging: Staging, files: Sequence[DumpFile], may_transfer: bool) -> StagingTransport:
    """The transport of one dump set.

    `auto`: from server to server where the definition names a link, the target's user may execute
    DBMS_FILE_TRANSFER and every file is one that it copies; else through this process.

    :param may_transfer: whether the target's user may execute DBMS_FILE_TRANSFER.
    :raises StagingError: if the definition insists on `file_transfer` and that cannot be.
    """
    wished = staging.transport
    if wished not in (StagingTransport.AUTO, StagingTransport.FILE_TRANSFER):
        return wished
    unfit = next((file for file in files if file.bytes % TRANSFER_UNIT or file.bytes > TRANSFER_LIMIT), None)
    if wished is StagingTransport.AUTO:
        able = bool(staging.database_link) and may_transfer and unfit is None
        return StagingTransport.FILE_TRANSFER if able else StagingTransport.STREAM
    if not may_transfer:
        raise StagingError(
            "the target's user may not execute DBMS_FILE_TRANSFER",
            object_name="SYS.DBMS_FILE_TRANSFER",
            step=STEP,
            remedy="GRANT EXECUTE ON SYS.DBMS_FILE_TRANSFER to the target's refresh user",
        )
    if unfit is not None:
        raise StagingError(
            f"DBMS_FILE_TRANSFER copies multiples of {TRANSFER_UNIT} bytes up to 2 TB,"
            f" this file has {unfit.bytes} bytes",
            object_name=unfit.name,
            step=STEP,
            remedy="staging.transport stream, or a smaller datapump.file_size",
        )
    return wished
