"""Files of a DIRECTORY object as the database serves them: read through BFILE, removed through UTL_FILE.

Log files are numbered: every start of a job writes a new one, so that a log found later tells about one try,
and the absence of any log tells that the job never came to run (its log is opened before any row is moved).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.logfile import DataPumpLog, parse_log
from oracle_refresh.oracle.errors import DataPumpError, oracle_codes
from oracle_refresh.oracle.row_values import without_rows
from oracle_refresh.oracle.session import scalar, translated

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

PIECE = 1 << 20  # bytes read at once
NOT_OPENED = "ORA-22288"  # a file operation failed; also where there is no such file any more
MAX_NUMBER = 10_000
COUNTER = re.compile("%[UL]", re.IGNORECASE)
#: Numbers without a file behind which nobody looks for further ones: as many as `%U` has.
GAP = 99
LOOKED_AT_ONCE = 200  # numbers of one call; their digits fit into its answer


def open_bfile(connection: oracledb.Connection, directory: str, name: str) -> oracledb.LOB:
    """The locator of a file, which need not exist; reading is up to the caller."""
    locator = scalar(connection, statements.BFILE, directory=directory, name=name)
    assert locator is not None, "BFILENAME is never NULL"
    return cast("oracledb.LOB", locator)


def exists(connection: oracledb.Connection, directory: str, name: str) -> bool:
    """Whether the database's host has the file."""
    with connection.cursor() as cursor:
        found = cursor.var(int)
        cursor.execute(statements.FILE_EXISTS, found=found, directory=directory, name=name)
    return bool(found.getvalue())


def file_size(connection: oracledb.Connection, directory: str, name: str) -> int | None:
    """Bytes of a file; None when there is no such file.

    :raises DataPumpError: when the directory is missing or may not be read.
    """
    with translated("dump files", f"{directory}/{name}"):
        if not exists(connection, directory, name):
            return None
        try:
            return int(open_bfile(connection, directory, name).size())
        except Exception as error:
            # Data Pump removes the files of a job that is killed when it comes to it.
            if NOT_OPENED in oracle_codes(error) and not exists(connection, directory, name):
                return None
            raise


def read_text(connection: oracledb.Connection, directory: str, name: str) -> str | None:
    """The text of a (log) file; None when there is no such file. Bytes that are no UTF-8 are replaced; the
    values of rejected rows are left out."""
    with translated("dump files", f"{directory}/{name}"):
        if not exists(connection, directory, name):
            return None
        locator = open_bfile(connection, directory, name)
        locator.open()
        try:
            size = int(locator.size())
            pieces = [locator.read(offset, PIECE) for offset in range(1, size + 1, PIECE)]
        finally:
            locator.close()
    return without_rows(b"".join(pieces).decode("utf-8", "replace"))


def remove(connection: oracledb.Connection, directory: str, name: str) -> bool:
    """Remove a file of the database's host; False, with a warning, where that is not possible.

    One that somebody else removes at the same moment counts as removed. UTL_FILE is granted to PUBLIC by
    default, but not everywhere.

    :raises DataPumpError: when the directory is missing or may not be read.
    """
    with connection.cursor() as cursor:
        try:
            cursor.callproc(statements.FREMOVE, [directory, name])
        except Exception as error:
            if not oracle_codes(error):
                raise
            if file_size(connection, directory, name) is None:
                return True
            log.warning("%s/%s stays on the database's host: %s", directory, name, error)
            return False
    return True


def remove_all(
    connection: oracledb.Connection, directory: str, names: Iterable[str]
) -> tuple[list[str], list[str]]:
    """Remove those of the files that are there; the names that were removed, and those that could not be."""
    removed: list[str] = []
    left: list[str] = []
    for name in names:
        with translated("dump files", f"{directory}/{name}"):
            there = exists(connection, directory, name)
        if there:
            (removed if remove(connection, directory, name) else left).append(name)
    return removed, left


def remove_existing(
    connection: oracledb.Connection, directory: str, pattern: str, at_least: int
) -> list[str]:
    """Remove the files of a template, parameters as for `existing`; the names that were removed.

    The last one goes first: files are looked for from the first number on, so a kill must not leave a gap.
    """
    names = existing(connection, directory, pattern, at_least)
    return remove_all(connection, directory, reversed(names))[0]


def log_name(stem: str, number: int) -> str:
    """The log file of the n-th start of a job."""
    return f"{stem}_{number}.log"


def last_log(connection: oracledb.Connection, directory: str, stem: str) -> tuple[int, DataPumpLog | None]:
    """Number and content of the latest log of a job; (0, None) when it was never started."""
    number, text = last_log_text(connection, directory, stem)
    return number, None if text is None else parse_log(text)


def last_log_text(connection: oracledb.Connection, directory: str, stem: str) -> tuple[int, str | None]:
    """Number and text of the latest log of a job; (0, None) when it was never started."""
    number = 0
    while file_size(connection, directory, log_name(stem, number + 1)) is not None:
        number += 1
        if number > MAX_NUMBER:
            raise DataPumpError(f"over {MAX_NUMBER} log files of one job", object_name=stem, step="data pump")
    if number == 0:
        return 0, None
    return number, read_text(connection, directory, log_name(stem, number)) or ""


def numbered(pattern: str, number: int) -> str:
    """The n-th file of a template: `%U` and `%L` both count 01 to 99, `%L` goes on with 100."""
    return COUNTER.sub(f"{number:02d}", pattern)


def existing(connection: oracledb.Connection, directory: str, pattern: str, at_least: int = 1) -> list[str]:
    """The files of a template that exist, also behind gaps of up to `GAP` numbers: Data Pump numbers them
    without any, but may have been cut off while it removed them, and other people remove files too.

    :param at_least: numbers that are looked at besides, whether or not there is any file.
    """
    if not COUNTER.search(pattern):
        return [pattern] if file_size(connection, directory, pattern) is not None else []
    return [numbered(pattern, number) for number in numbers(connection, directory, pattern, at_least)]


def numbers(connection: oracledb.Connection, directory: str, pattern: str, at_least: int = 1) -> list[int]:
    """The numbers of these files; none where the template counts none."""
    found: list[int] = []
    first, last = 1, at_least + GAP if COUNTER.search(pattern) else 0
    with translated("dump files", f"{directory}/{pattern}"):
        while first <= min(last, MAX_NUMBER):
            until = min(first + LOOKED_AT_ONCE - 1, last, MAX_NUMBER)
            found += _numbers_between(connection, directory, pattern, first, until)
            first, last = until + 1, max([last, *(number + GAP for number in found[-1:])])
    return found


def _numbers_between(
    connection: oracledb.Connection, directory: str, pattern: str, first: int, last: int
) -> list[int]:
    """Those of the numbers from `first` to `last` whose file exists."""
    with connection.cursor() as cursor:
        told = cursor.var(str, 4000)
        cursor.execute(
            statements.NUMBERS_THERE,
            first_number=first,
            last_number=last,
            directory=directory,
            pattern=COUNTER.sub("%L", pattern),
            numbers=told,
        )
    return [int(number) for number in str(told.getvalue() or "").split()]
