"""Files of a DIRECTORY object as the database serves them: read through BFILE, removed through UTL_FILE.

Log files are numbered: every start of a job writes a new one, so that a log found later tells about one try,
and the absence of any log tells that the job never came to run (its log is opened before any row is moved).
"""

from __future__ import annotations

import logging
import re
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


def remove_existing(
    connection: oracledb.Connection, directory: str, pattern: str, at_least: int
) -> list[str]:
    """Remove the files of a template, parameters as for `existing`; the names that were removed.

    The last one goes first: files are found up to the first gap, so a kill must not leave one.
    """
    names = existing(connection, directory, pattern, at_least)
    return [name for name in reversed(names) if remove(connection, directory, name)]


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
    return re.sub(r"%[UL]", f"{number:02d}", pattern, flags=re.IGNORECASE)


def existing(connection: oracledb.Connection, directory: str, pattern: str, at_least: int = 1) -> list[str]:
    """The files of a template that exist, up to the first gap after `at_least` numbers."""
    if "%" not in pattern:
        return [pattern] if file_size(connection, directory, pattern) is not None else []
    names = []
    for number in range(1, MAX_NUMBER):
        name = numbered(pattern, number)
        if file_size(connection, directory, name) is not None:
            names.append(name)
        elif number >= at_least:
            break
    return names
