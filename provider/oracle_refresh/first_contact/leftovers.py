"""What the shards of the ladder leave: jobs, dump files, logs and parts of the store, all of it removed.

Everything is kept in the run store before it is made, so a later command finds what a killed one has left.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files
from oracle_refresh.datapump.export import log_stem as export_stem
from oracle_refresh.datapump.job import own_jobs
from oracle_refresh.datapump.load import log_stem as load_stem
from oracle_refresh.datapump.options import dump_pattern
from oracle_refresh.dbfs.set_up import tear_down_store
from oracle_refresh.dbfs.store import is_there, run_directory
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.statements import DIRECTORIES, OWN_OBJECTS, OWN_SESSIONS, USERS_OF_NAME
from oracle_refresh.first_contact.throwaway import SCHEMA
from oracle_refresh.first_contact.ways import open_ways
from oracle_refresh.oracle.session import rows
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.transport.dump_files import drop_dumps, expect_dumps, require_gone
from oracle_refresh.transport.registry import transport_of
from oracle_refresh.transport.statements import DUMPS

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob
    from oracle_refresh.run.freeze import Frozen

ENDING_SECONDS, PAUSE = 10.0, 0.2


def announce(
    target: oracledb.Connection, definition: RefreshDefinition, frozen: Frozen, jobs: Sequence[ExportJob]
) -> None:
    """Keep what will be there, before there is anything of it: also for the next refresh, which removes dump
    files of whoever was killed."""
    ensure_ledger(target)
    if transport_of(definition).dump_files:
        for way in open_ways(target, definition):
            expect_dumps(Ledger(target, RUN), way.definition)
    documents = Documents(target, RUN)
    documents.put(FROZEN, WHOLE, frozen)
    for planned in jobs:
        documents.put(JOB, planned.id, planned)


def remove_left(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> None:
    """Remove all that was announced, by this command or by one that was killed. May be repeated.

    :raises StagingError: if a file with rows cannot be removed.
    """
    documents = Documents(target, RUN)
    jobs = documents.all(JOB) if documents.exists() else []
    if not jobs:
        return
    frozen, staging = documents.get(FROZEN, WHOLE), definition.staging
    for way in open_ways(target, definition):
        require_gone(drop_dumps(source, target, way.definition, RUN), RUN)
        if way.definition.uses_store:
            tear_down_store(target, way.definition, RUN)
    for planned in jobs:
        _remove_logs(source, staging.source_directory, export_stem(planned, frozen))
        remove_load_logs(target, definition, planned)
    Ledger(target, RUN).drop(DUMPS, WHOLE)  # by its time a refresh tells which shards are older than its own
    documents.withdraw(JOB)
    documents.withdraw(FROZEN)


def things_there(source: oracledb.Connection, target: oracledb.Connection) -> frozenset[str]:
    """What there is of the users' own at both ends: tables (those of jobs and stores too), links, parts of
    stores, jobs, sessions, DIRECTORY objects, and the throwaway schema. What is there after the step and was
    not before has been left.

    A session's MODULE may name a host behind an @: that is left out, it is not for a bug report.
    """
    found = {f"target: schema {name}" for (name,) in rows(target, USERS_OF_NAME, name=SCHEMA)}
    for end, connection in (("source", source), ("target", target)):
        found |= {f"{end}: {kind} {name}" for kind, name in rows(connection, OWN_OBJECTS)}
        found |= {f"{end}: job {name}" for name in own_jobs(connection)}
        found |= {f"{end}: DIRECTORY {name}" for (name,) in rows(connection, DIRECTORIES)}
        found |= {
            f"{end}: session {sid},{serial},@{instance} of {(module or 'no module').partition('@')[0]}"
            for instance, sid, serial, module in rows(connection, OWN_SESSIONS)
        }
    return frozenset(found)


def left_since(
    before: frozenset[str], source: oracledb.Connection, target: oracledb.Connection
) -> tuple[str, ...]:
    """What is there and was not before. Sessions of jobs that have ended are given a moment to go."""
    end = time.monotonic() + ENDING_SECONDS
    while (left := things_there(source, target) - before) and time.monotonic() < end:
        if not all(" session " in one for one in left):
            break
        time.sleep(PAUSE)
    return tuple(sorted(left))


def files_there(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    frozen: Frozen,
    jobs: Sequence[ExportJob],
    parts: Sequence[str],
) -> tuple[str, ...]:
    """The dump files and logs of the shards that are in either DIRECTORY, files that a transport has begun,
    and its working directory in a store.

    :param parts: names of files that transports have begun, whether or not they have ended them.
    """
    staging = definition.staging

    def found() -> Iterator[str]:
        for planned in jobs:
            pattern = dump_pattern(planned.dump_file, definition.datapump)
            for end, connection, directory, stems in (
                ("source", source, staging.source_directory, (export_stem(planned, frozen),)),
                ("target", target, staging.target_directory, _load_stems(planned)),
            ):
                for name in files.existing(connection, directory, pattern):
                    yield f"{end}: file {name} in {directory}"
                for stem in stems:
                    if files.last_log_text(connection, directory, stem)[0]:
                        yield f"{end}: log {stem}_1.log in {directory}"

        for name in parts:
            if files.exists(target, staging.target_directory, name):
                yield f"target: file {name} in {staging.target_directory}"
        path = run_directory(definition, RUN)
        if definition.uses_store and is_there(target, definition, path):
            yield f"target: directory {path} of the store"

    return tuple(found())


def remove_load_logs(target: oracledb.Connection, definition: RefreshDefinition, planned: ExportJob) -> None:
    """Remove the logs of a shard's imports: each transport starts its own, and a log proves that one ran."""
    for stem in _load_stems(planned):
        _remove_logs(target, definition.staging.target_directory, stem)


def _load_stems(planned: ExportJob) -> tuple[str, ...]:
    return load_stem(planned), planned.job_name.lower()


def _remove_logs(connection: oracledb.Connection, directory: str, stem: str) -> None:
    """The last one goes first: logs are found up to the first gap."""
    number, _ = files.last_log_text(connection, directory, stem)
    for each in range(number, 0, -1):
        files.remove(connection, directory, files.log_name(stem, each))
