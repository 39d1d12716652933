"""Brings the dump files of one job to the target, by the transport that the definition or the facts choose.

Whatever the transport: a file has its final name only when both ends have the same bytes, a file that is
there already with the right checksum is accepted, and a task that was killed at any point may run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, StagedSet
from oracle_refresh.dbfs import statements
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report
from oracle_refresh.dbfs.choice import choose
from oracle_refresh.dbfs.lanes import bring_all, read_bytes
from oracle_refresh.dbfs.mounted import write_file
from oracle_refresh.dbfs.server_to_server import compare_file, transfer_file
from oracle_refresh.dbfs.streaming import stream_file
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.definition.model import StagingTransport
from oracle_refresh.ledger import DONE, Ledger
from oracle_refresh.oracle.errors import RefreshError, StagingError, from_oracle
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

#: Opens a session of the source and one of the target.
Connect = Callable[[], "AbstractContextManager[tuple[oracledb.Connection, oracledb.Connection]]"]


def stage(
    source: oracledb.Connection,
    target: oracledb.Connection,
    dump_set: DumpSet,
    definition: RefreshDefinition,
    run_id: str,
    ledger: Ledger,
    progress: Progress = silent,
    piece_bytes: int | None = None,
    connect: Connect | None = None,
) -> StagedSet:
    """Copy all files of a dump set; a file that is there already with the right checksum is accepted.

    Where the store is used it must be set up (`ensure_store`). `ledger` belongs to the target's connection.

    :param piece_bytes: bytes that this process reads and writes at once, less where many files are on their
        way (`lanes.read_bytes`); two such pieces of each are in memory. None: those of the definition.
    :param connect: opens sessions of both ends for further files at the same time, `files_at_a_time` of the
        definition in all; without it one file follows the other.
    :raises StagingError: if a file cannot be read or written, or differs after the copy.
    """
    began = time.monotonic()
    count = min(definition.staging.lanes, len(dump_set.files)) if connect is not None else 1
    at_once = read_bytes(piece_bytes or definition.staging.pieces, count)
    entry = ledger.entry(run_id, STEP, dump_set.job_id)
    transport = choose(definition.staging, dump_set.files, _may_transfer(target, definition))
    ledger.begin(run_id, STEP, dump_set.job_id, {"files": len(dump_set.files), "bytes": dump_set.bytes})

    def bring(lane: Carriage, file: DumpFile, report: Report) -> DumpFile:
        try:
            return _one_file(lane, file, transport, report, at_once)
        except RefreshError:
            raise
        except Exception as error:
            raise from_oracle(error, step=STEP, object_name=file.name, kind=StagingError) from error

    def report(arrived: int) -> None:
        progress.report(arrived, dump_set.bytes, "bytes", f"stage {dump_set.job_name}")

    with ExitStack() as stack:
        lanes = [Carriage(source, target, dump_set, definition, run_id, ledger)]
        if connect is not None:
            for _ in range(1, count):
                reading, writing = stack.enter_context(connect())
                lanes.append(Carriage(reading, writing, dump_set, definition, run_id, Ledger(writing)))
        staged = bring_all(lanes, dump_set.files, bring, report)
    seconds = time.monotonic() - began
    if entry is not None and entry.state == DONE:
        seconds = float(entry.detail.get("seconds", seconds))
    detail = {
        "files": len(staged),
        "bytes": dump_set.bytes,
        "seconds": seconds,
        "transport": transport.value,
    }
    ledger.record(run_id, STEP, dump_set.job_id, DONE, detail)
    return StagedSet(dump_set, definition.staging.target_directory, staged, seconds)


def _one_file(
    carriage: Carriage, file: DumpFile, transport: StagingTransport, report: Report, at_once: int
) -> DumpFile:
    if transport is StagingTransport.FILE_TRANSFER:
        return transfer_file(carriage, file, report)
    if transport is StagingTransport.SHARED:
        return compare_file(carriage, file, report)
    if transport is StagingTransport.MOUNTED:
        return write_file(carriage, file, report, at_once)
    return stream_file(carriage, file, report, at_once)


def _may_transfer(target: oracledb.Connection, definition: RefreshDefinition) -> bool:
    """Whether the target's user may execute DBMS_FILE_TRANSFER; not asked where no link is named."""
    if definition.staging.database_link is None:
        return False
    with target.cursor() as cursor:
        cursor.execute(statements.MAY_TRANSFER)
        return bool(cursor.fetchone())
