"""Many small files in the store: unpacked into it, listed, packed from it, removed.

An archive is a file of the worker; what is in it is made up, as its content does not matter.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements as dbfs_statements
from oracle_refresh.dbfs import store
from oracle_refresh.labs.store import statements
from oracle_refresh.labs.store.matrix import READ_FILE, open_content
from oracle_refresh.labs.store.model import Calibration, Phase
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.session import scalar
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

#: Files of one directory; the study's tarball held a source tree.
IN_A_DIRECTORY = 100


def measure_small_files(
    connection: oracledb.Connection, plan: Calibration, progress: Progress = silent
) -> tuple[Phase, ...]:
    """The four operations, each a phase of its own; nothing is left.

    :raises StagingError: if the store lists or returns something else than was put in.
    """
    root = f"{plan.folder}/small"
    store.drop_directory(connection, root)
    paths = list(_paths(root, plan.small_files))
    folders = sorted({path.rpartition("/")[0] for path in paths})
    content = os.urandom(plan.small_file_bytes)
    size = len(content) * len(paths)

    def extract() -> None:
        for folder in folders:
            store.ensure_directory(connection, folder)
        for number, path in enumerate(paths, 1):
            open_content(connection, dbfs_statements.CREATE_FILE, path).write(content, 1)
            connection.commit()
            progress.report(number, len(paths), "files", "unpack into the store")

    def listed() -> None:
        items = scalar(connection, statements.LIST_DIRECTORY, path=root)
        if items != len(paths) + len(folders):
            raise _wrong(root, f"{items} items are listed of {len(paths) + len(folders)}")

    def archive() -> None:
        for number, path in enumerate(paths, 1):
            if open_content(connection, READ_FILE, path).read() != content:
                raise _wrong(path, "the file does not hold what was written to it")
            progress.report(number, len(paths), "files", "pack from the store")

    return (
        _timed("extract", extract, size, len(paths)),
        _timed("list", listed, 0, len(paths)),
        _timed("archive", archive, size, len(paths)),
        _timed("remove", lambda: store.drop_directory(connection, root), 0, len(paths)),
    )


def _paths(root: str, files: int) -> Iterator[str]:
    for number in range(files):
        yield f"{root}/{number // IN_A_DIRECTORY:04d}/{number:06d}"


def _timed(name: str, work: Callable[[], None], size: int, items: int) -> Phase:
    began = time.monotonic()
    work()
    return Phase(name, time.monotonic() - began, size, items)


def _wrong(path: str, message: str) -> StagingError:
    return StagingError(message, object_name=path, step=STEP, remedy="suspect the store, or its volume")
