"""A copy of a job's Data Pump log beside the report, so that nobody needs the database's host to read it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oracle_refresh.datapump.files import last_log_text

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)


@contextmanager
def log_kept(
    connection: oracledb.Connection, directory: str, stem: str, write: Callable[[str], object]
) -> Iterator[None]:
    """Copy the log of a job when the block has ended, also when it failed; not when the task is deferred.

    :param stem: of the log's names in the DIRECTORY of the database that `connection` leads to.
    :param write: writes the copy; what it raises is logged.
    """
    try:
        yield
    except Exception:
        _copy(connection, directory, stem, write)
        raise
    _copy(connection, directory, stem, write)


def _copy(connection: oracledb.Connection, directory: str, stem: str, write: Callable[[str], object]) -> None:
    try:
        _, text = last_log_text(connection, directory, stem)
        if text is not None:
            write(text)
    except Exception as error:  # the job counts, not the copy of its log
        log.warning("the Data Pump log of %s could not be copied: %s", stem, error)
