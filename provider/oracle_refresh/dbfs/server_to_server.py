"""Files that the target's server fetches itself: DBMS_FILE_TRANSFER over a database link, or shared storage.

Source: DBMS_FILE_TRANSFER and UTL_FILE in PL/SQL Packages and Types Reference 19c.

A try fetches into a file of its own name, `<file>.<try>.part`, has both ends hash it, and renames it.
GET_FILE replaces no file and may go on at the target after this process has died, so no try uses the name of
another: what an abandoned call still writes is never renamed. Each try removes what the ones before it left.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.datapump.files import file_size, remove
from oracle_refresh.dbfs import statements
from oracle_refresh.dbfs.carriage import STEP, Carriage, Report, differs, require_at_source
from oracle_refresh.dbfs.digests import Checked, digest
from oracle_refresh.dbfs.store import path_element
from oracle_refresh.oracle.errors import StagingError, oracle_codes

log = logging.getLogger(__name__)


def transfer_file(carriage: Carriage, file: DumpFile, report: Report) -> DumpFile:
    """Have the target fetch one file; one that is there already with the right checksum is accepted.

    :raises StagingError: if it is not at the source, or differs after the copy.
    """
    known = carriage.known(file)
    if known is not None and arrived(carriage, file, known):
        report(file.bytes)
        return replace(file, sha256=known)
    require_at_source(carriage, file)
    number, _ = carriage.begin(file)
    directory, part = carriage.definition.staging.target_directory, part_name(file.name, number)
    remove_parts(carriage, file.name, number - 1)
    try:
        known = _fetch(carriage, file, directory, part, report)
    except Exception:
        _remove_if_there(carriage, part)
        raise
    carriage.verified(file, number, Checked(file.bytes, known))  # from here on only the name is missing
    with carriage.target.cursor() as cursor:
        cursor.execute(
            statements.RENAME_FILE, directory=directory, old_name=part, new_name=path_element(file.name)
        )
    carriage.finish(file, number, known)
    return replace(file, sha256=known)


def compare_file(carriage: Carriage, file: DumpFile, report: Report) -> DumpFile:
    """Storage that both ends share: nothing is moved, both ends must see the same bytes.

    :raises StagingError: if an end does not see the file, or they differ.
    """
    known = carriage.known(file)
    if known is None or not arrived(carriage, file, known):
        require_at_source(carriage, file)
        number, _ = carriage.begin(file)
        known = _same_at_both_ends(carriage, file, file.name, report)
        carriage.finish(file, number, known)
    report(file.bytes)
    return replace(file, sha256=known)


def part_name(name: str, number: int) -> str:
    """The file that a try writes to."""
    return path_element(f"{name}.{number}.part")


def remove_parts(carriage: Carriage, name: str, tries: int) -> None:
    """Remove what tries 1 to `tries` have left of a file."""
    for number in range(1, tries + 1):
        _remove_if_there(carriage, part_name(name, number))


def _fetch(carriage: Carriage, file: DumpFile, directory: str, part: str, report: Report) -> str:
    def fetch() -> None:
        link = str(carriage.definition.staging.database_link)
        with carriage.target.cursor() as cursor:
            cursor.callproc(
                statements.GET_FILE, [carriage.dump_set.directory, file.name, link, directory, part]
            )

    return _same_at_both_ends(carriage, file, part, report, fetch)


class _Abandoned(Exception):
    """The source's hash is of no more use."""


def _same_at_both_ends(
    carriage: Carriage,
    file: DumpFile,
    name: str,
    report: Report,
    fetch: Callable[[], None] = lambda: None,
) -> str:
    """The digest of the source's file, which that of the target under `name` has to equal.

    The source hashes while `fetch` brings the file.
    """
    failed = Event()

    def go_on(_: int) -> None:
        if failed.is_set():
            raise _Abandoned

    with ThreadPoolExecutor(1, thread_name_prefix="stage-hash") as other:
        directory = carriage.dump_set.directory
        expected = other.submit(digest, carriage.source, directory, file.name, file.bytes, go_on)
        try:
            fetch()
            found = digest_at_target(carriage, file, name, report)
        except BaseException:
            failed.set()
            raise
        wanted = expected.result()
    if found != wanted:
        raise differs(file, (file.bytes, wanted), (file.bytes, found))
    return wanted


def digest_at_target(carriage: Carriage, file: DumpFile, name: str, report: Report) -> str:
    """What the target has of the file under `name`. Raises StagingError unless its size is right."""
    size = bytes_at_target(carriage, name)
    if size != file.bytes:
        raise differs(file, (file.bytes, "unknown"), (size, "unknown"))
    return digest(carriage.target, carriage.definition.staging.target_directory, name, size, report)


def bytes_at_target(carriage: Carriage, name: str) -> int:
    """The size of a file in the target's DIRECTORY. Raises StagingError where the target does not see it."""
    directory = carriage.definition.staging.target_directory
    size = file_size(carriage.target, directory, name)
    if size is None:
        raise StagingError(
            f"the target does not see the file in its DIRECTORY {directory}",
            object_name=name,
            step=STEP,
            remedy="both DIRECTORYs have to lead to the same storage; else choose another staging.transport",
        )
    return size


def arrived(carriage: Carriage, file: DumpFile, known: str) -> bool:
    """Whether the target's DIRECTORY has the file under its name, with that checksum."""
    directory = carriage.definition.staging.target_directory
    if file_size(carriage.target, directory, file.name) != file.bytes:
        return False
    return digest(carriage.target, directory, file.name, file.bytes) == known


def _remove_if_there(carriage: Carriage, name: str) -> None:
    directory = carriage.definition.staging.target_directory
    try:
        if file_size(carriage.target, directory, name) is not None:
            remove(carriage.target, directory, name)
    except Exception as error:
        if not oracle_codes(error):
            raise
        log.warning("%s/%s may be left on the target's host: %s", directory, name, error)
