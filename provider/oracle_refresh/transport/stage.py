"""Brings the dump files of one job to the target, by the transport that the definition or the facts choose.

Whatever the transport: a file has its final name only when both ends have the same bytes, a file that is
there already with the right checksum is accepted, and a task that was killed at any point may run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump.dumpset import DumpFile, StagedSet
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.session import translated
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.transport.areas import AREAS, StagingArea, StoreArea
from oracle_refresh.transport.choice import choose, granted_packages
from oracle_refresh.transport.parallel import bounded_read_bytes, bring_all
from oracle_refresh.transport.registry import FILE_TRANSPORTS
from oracle_refresh.transport.transfer import STEP, OnBytes, Transfer

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

#: Opens a session of the source and one of the target.
Connect = Callable[[], "AbstractContextManager[tuple[oracledb.Connection, oracledb.Connection]]"]


def stage(
    transfer: Transfer,
    progress: Progress = silent,
    *,
    read_bytes: int | None = None,
    connect: Connect | None = None,
) -> StagedSet:
    """Copy all files of a dump set; a file that is there already with the right checksum is accepted.

    Where the store is used it must be set up (`ensure_store`). A dump set without files, whose rows travel
    over a database link, leaves nothing to do.

    :param read_bytes: bytes that this process reads and writes at once, less where many files are on their
        way (`bounded_read_bytes`); twice as many of each are in memory. None: those of the definition.
    :param connect: opens sessions of both ends for further files at the same time, `files_at_a_time` of the
        definition in all; without it one file follows the other.
    :raises StagingError: if a file cannot be read or written, or differs after the copy.
    """
    began = time.monotonic()
    dump_set, staging, ledger = transfer.dump_set, transfer.definition.staging, transfer.ledger
    if not dump_set.files:
        return StagedSet(dump_set, staging.target_directory, (), 0.0)
    count = min(staging.parallel_files, len(dump_set.files)) if connect is not None else 1
    at_once = bounded_read_bytes(read_bytes or staging.read_bytes, count)
    entry = ledger.entry(STEP, dump_set.job_id)
    packages = [package for name in staging.transports for package in name.packages]
    transport = choose(staging, dump_set.files, granted_packages(transfer.target, packages))
    ledger.begin(STEP, dump_set.job_id, {"files": len(dump_set.files), "bytes": dump_set.bytes})

    def bring(own: Transfer, file: DumpFile, on_bytes: OnBytes) -> DumpFile:
        with translated(STEP, file.name, StagingError):
            return transport.bring(own, file, on_bytes, at_once)

    def on_bytes(arrived: int) -> None:
        progress.report(arrived, dump_set.bytes, "bytes", f"stage {dump_set.job_name}")

    with ExitStack() as stack:
        transfers = [transfer]
        if connect is not None:
            for _ in range(1, count):
                reading, writing = stack.enter_context(connect())
                transfers.append(replace(transfer, source=reading, target=writing))
        staged = bring_all(transfers, dump_set.files, bring, on_bytes)
    seconds = time.monotonic() - began
    if entry is not None and entry.state == DONE:
        seconds = float(entry.detail.get("seconds", seconds))
    detail = {
        "files": len(staged),
        "bytes": dump_set.bytes,
        "seconds": seconds,
        "transport": transport.name.value,
    }
    ledger.record(STEP, dump_set.job_id, DONE, detail)
    return StagedSet(dump_set, staging.target_directory, staged, seconds)


def verify_staged(
    target: oracledb.Connection, staged: StagedSet, definition: RefreshDefinition, run_id: str
) -> None:
    """Hash every staged file as the target has it now, just before a load begins.

    :raises StagingError: if one is gone or differs from what was staged.
    """
    entry = Ledger(target, run_id).entry(STEP, staged.dump_set.job_id)
    transport = entry and FILE_TRANSPORTS[StagingTransport(entry.detail["transport"])]
    area = (transport.area if transport else StoreArea)(target, definition)
    for file in staged.files:
        with translated(STEP, file.name, StagingError):
            content = area.content(file.name, file.bytes)
        if content != (file.bytes, file.sha256):
            raise StagingError(
                f"{file.bytes} bytes with SHA-256 {file.sha256} were staged,"
                f" the target now has {content[0]} bytes with {content[1] or 'nothing'}",
                object_name=file.name,
                step=STEP,
                remedy="clear the stage task of this job, which brings the file again; then suspect disk or"
                " memory of the target's host",
            )


def clean_staged(
    target: oracledb.Connection,
    definition: RefreshDefinition,
    run_id: str,
    dump_files: Collection[str],
    areas: Iterable[str] | None = None,
) -> None:
    """Remove a run's dump files at the target, finished or not. Commits; may be repeated.

    Storage that both ends share is left to the source's end.

    :param dump_files: names, or the templates with `%L` that the plan's jobs have.
    :param areas: of `AREAS`, where the run may have staged files; None: those that the definition writes to
        and that are there.
    :raises StagingError: if something is there but cannot be removed, or nobody can look.
    """
    ensure_ledger(target)
    for area in _areas(target, definition, areas):
        area.clean(run_id, dump_files)


def still_staged(
    target: oracledb.Connection,
    definition: RefreshDefinition,
    run_id: str,
    dump_files: Collection[str],
    areas: Iterable[str] | None = None,
) -> list[str]:
    """The finished files of a run that are left at the target. Parameters as for `clean_staged`.

    :raises StagingError: if nobody can look.
    """
    with translated(STEP, run_id, StagingError):
        looked_at = _areas(target, definition, areas)
        found = [name for area in looked_at for name in area.finished(run_id, dump_files)]
    return list(dict.fromkeys(found))


def areas_written(definition: RefreshDefinition) -> tuple[str, ...]:
    """Where the definition's transports may stage files, of `AREAS`. Pure."""
    return tuple(dict.fromkeys(each.writes_to for each in definition.transports if each.writes_to))


def _areas(
    target: oracledb.Connection, definition: RefreshDefinition, names: Iterable[str] | None
) -> list[StagingArea]:
    if names is not None:
        return [AREAS[name](target, definition) for name in names]
    written = [AREAS[name](target, definition) for name in areas_written(definition)]
    return [area for area in written if area.is_there()]
