"""Flat files with TPC-H's LINEITEM, written into the store as they are generated, several at the same time.

The generator is the program of the package `tpchgen-cli`; its output passes through this process in pieces.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import IO, TYPE_CHECKING

from oracle_refresh.dbfs import statements, store
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.labs.store.matrix import open_content
from oracle_refresh.labs.store.model import Calibration, Phase
from oracle_refresh.labs.store.plan import LINEITEM_PARTS, STEP
from oracle_refresh.labs.store.statements import DECIMALS
from oracle_refresh.oracle.errors import PreflightError, StagingError
from oracle_refresh.oracle.session import scalar
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

PROGRAM = "tpchgen-cli"
#: Bytes of LINEITEM at scale factor 1; its rows are 6,001,215 (TPC Benchmark H, clause 4.2.5).
BYTES_AT_SCALE_1 = 759_863_287
PIECE_BYTES = 4 << 20
#: Seconds between two looks at whether another writer has failed.
PATIENCE = 0.1


def names(plan: Calibration) -> tuple[str, ...]:
    """The flat files, in the root of the mount: a DIRECTORY sees no subdirectories."""
    return tuple(f"cal_{plan.mark}_{number}.tbl" for number in range(1, plan.flat_files + 1))


def generate(
    connection: oracledb.Connection, connect: Connect, plan: Calibration, progress: Progress = silent
) -> Phase:
    """Write all flat files; those of a former try are replaced. Commits.

    One generator feeds them all: each would need 300 MB of its own for TPC-H's texts. The time begins with
    the first row.

    :raises PreflightError: if the generator is not installed.
    :raises StagingError: if it fails.
    """
    program, separator = generator(), decimal_separator(connection)
    for name in names(plan):
        store.drop_file(connection, f"{plan.mount}/{name}")
    pieces: Queue[bytes | None] = Queue(maxsize=plan.flat_files)
    failed = threading.Event()

    def write(name: str) -> int:
        try:
            with closing(connect()) as session:
                return _write(session, f"{plan.mount}/{name}", _taken(pieces, failed))
        except BaseException:
            failed.set()
            raise

    rows = size = 0
    began = time.monotonic()
    with ThreadPoolExecutor(plan.flat_files, thread_name_prefix="flat-file") as pool:
        writing = [pool.submit(write, name) for name in names(plan)]
        try:
            with output(program, plan) as generated:
                piece_bytes = min(PIECE_BYTES, plan.flat_bytes // plan.flat_files // 4)
                for lines in _whole_lines(generated, piece_bytes):
                    piece = lines if separator == b"." else lines.replace(b".", separator)
                    began = time.monotonic() if not size else began
                    _hand_over(pieces, piece, failed)
                    size += len(piece)
                    rows += piece.count(b"\n")
                    progress.report(size, None, "bytes", "generate LINEITEM")
        except _WriterFailed:
            pass  # its own error is raised below
        finally:
            with suppress(_WriterFailed):
                for _ in writing:
                    _hand_over(pieces, None, failed)
        written = sum(future.result() for future in writing)
    assert written == size, "every piece is written by one of them"
    return Phase(
        "generate flat files",
        time.monotonic() - began,
        size,
        rows,
        f"{plan.flat_files} at the same time, through this process",
    )


def decimal_separator(connection: oracledb.Connection) -> bytes:
    """What stands before the decimals in files that this database loads."""
    return str(scalar(connection, DECIMALS) or ".,")[:1].encode()


def _whole_lines(generated: IO[bytes], piece_bytes: int) -> Iterator[bytes]:
    """Pieces that end with a record."""
    rest = b""
    while data := generated.read(piece_bytes):
        whole, newline, rest = (rest + data).rpartition(b"\n")
        if whole:
            yield whole + newline
    if rest:
        yield rest


class _WriterFailed(Exception):
    """Nobody may take any more pieces."""


def _hand_over(pieces: Queue[bytes | None], piece: bytes | None, failed: threading.Event) -> None:
    """Wait for a writer to have room. None ends one of the writers."""
    while not failed.is_set():
        try:
            return pieces.put(piece, timeout=PATIENCE)
        except Full:
            continue
    raise _WriterFailed


def _taken(pieces: Queue[bytes | None], failed: threading.Event) -> Iterator[bytes]:
    """The pieces that one writer gets; none any more where another has failed."""
    while not failed.is_set():
        try:
            piece = pieces.get(timeout=PATIENCE)
        except Empty:
            continue
        if piece is None:
            return
        yield piece


def _write(session: oracledb.Connection, path: str, pieces: Iterator[bytes]) -> int:
    """Bytes of one file."""
    locator = open_content(session, statements.CREATE_FILE, path)
    size = 0
    for piece in pieces:
        locator.write(piece, size + 1)
        size += len(piece)
    session.commit()
    return size


def require_generator(parts: Collection[str]) -> None:
    """Refuse parts that need the generator of LINEITEM on a worker without it, before anything is made.

    :raises PreflightError: if it is not installed.
    """
    if LINEITEM_PARTS & set(parts):
        generator()


def generator() -> str:
    """Where the generator is: beside this Python, or on the PATH.

    :raises PreflightError: if it is nowhere.
    """
    beside = Path(sys.executable).with_name(PROGRAM)
    program = str(beside) if beside.exists() else shutil.which(PROGRAM)
    if program is None:
        raise PreflightError(
            "the generator of TPC-H data is not installed on this worker",
            object_name=PROGRAM,
            step=STEP,
            remedy="pip install 'airflow-provider-oracle-refresh[calibration]', or leave out flat files and"
            " dumps",
        )
    return program


@contextmanager
def output(program: str, plan: Calibration) -> Iterator[IO[bytes]]:
    """What the generator writes.

    :raises StagingError: if it fails.
    """
    scale = max(plan.flat_bytes / BYTES_AT_SCALE_1, 1e-5)
    command = [program, "tbl", "--scale-factor", f"{scale:.6f}", "--tables", "lineitem", "--stdout"]
    with subprocess.Popen(
        [*command, "--num-threads", str(plan.flat_files), "--quiet"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout
            complaint = process.stderr.read().decode("utf-8", "replace").strip()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise StagingError(
            f"it ended with {process.returncode}: {complaint[-500:]}", object_name=PROGRAM, step=STEP
        )
