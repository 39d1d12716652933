"""Many small files through a mount by the programs that people use: tar, ls with and without a pattern, rm.

Workers do it at the same time, each in a directory of its own with a share of the files: FUSE creates files
of one directory one after the other ("FUSE MKNOD does not run in parallel" in "DBFS use case performance on
Exadata configurations", March 2016, which has these commands). A pattern is resolved by the shell, which
lists whole directories for it; so `ls` of a pattern costs about what the directories cost.

Archives lie on the worker's own disk, in a folder named by the run, which a repeated task makes anew.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.harness.together import Start, together
from oracle_refresh.labs.store.client import ClientCpu, with_client
from oracle_refresh.labs.store.model import Calibration
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.labs.store.small_files import IN_A_DIRECTORY
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.progress import Progress, silent

#: Of the files of a directory, those that the pattern matches.
PATTERN, MATCHED_OF = "*00.dat", 100
EXTRACT, LIST, MATCH, ARCHIVE, REMOVE = "extract", "list", "list by a pattern", "archive", "remove"
#: The end of what a program complains of.
COMPLAINT = 500


@dataclass(frozen=True)
class Operation(Jsonable):
    """One operation on all files by so many workers at the same time, through one mount."""

    name: str
    workers: int
    seconds: float
    files: int
    """That it was about: of a pattern those that matched."""
    bytes: int
    cpu: ClientCpu | None = None

    @property
    def rate(self) -> float:
        """Files per second."""
        return self.files / self.seconds


@dataclass(frozen=True)
class Operations(Jsonable):
    """What was measured of a mount."""

    operations: tuple[Operation, ...]


#: By the way that the mount is.
OPERATIONS: Kind[Operations] = Kind("store operations", Operations)


def archives_folder(plan: Calibration) -> Path:
    """Where a worker has the archives of a run."""
    return Path(tempfile.gettempdir()) / f"calibration_{plan.mark}"


def clean_archives(plan: Calibration) -> None:
    """May be repeated."""
    shutil.rmtree(archives_folder(plan), ignore_errors=True)


def measure_programs(
    plan: Calibration, path: str, numbers: Sequence[int], progress: Progress = silent
) -> Operations:
    """Each operation with each number of workers on the same files in all; nothing is left.

    :param path: of the mount, as this machine sees it.
    :param numbers: of workers; of more workers than files there are as many as files.
    :raises StagingError: if a program fails or is not there, or the mount shows other files than were
        unpacked.
    """
    place = Path(path) / Path(plan.folder).name / "programs"
    measured: list[Operation] = []
    counts = sorted({min(workers, plan.small_files) for workers in numbers})
    try:
        for done, workers in enumerate(counts, 1):
            measured += _measure(plan, place, workers)
            progress.report(done, len(counts), "measurements", f"tar, ls and rm by {workers}")
    finally:
        clean_archives(plan)
        shutil.rmtree(place, ignore_errors=True)
    return Operations(tuple(measured))


def _measure(plan: Calibration, place: Path, workers: int) -> list[Operation]:
    archives = archives_folder(plan)
    clean_archives(plan)
    shutil.rmtree(place, ignore_errors=True)
    archives.mkdir(mode=0o700)
    folders = [place / str(number) for number in range(workers)]
    shares = [plan.small_files * (number + 1) // workers for number in range(workers)]
    counts = [share - before for share, before in zip(shares, [0, *shares], strict=False)]
    for number, (folder, count) in enumerate(zip(folders, counts, strict=True)):
        folder.mkdir(parents=True)
        write_archive(archives / f"{number}.tar", count, plan.small_file_bytes)
    every, size = sum(counts), sum(counts) * plan.small_file_bytes
    matching = sum(-(-count // MATCHED_OF) for count in counts)
    programs = Programs()

    def timed(name: str, command: Callable[[int], Sequence[str]], files: int, volume: int) -> Operation:
        def work(number: int, start: Start) -> str:
            start.wait()
            return programs.run(command(number))

        done, cpu = with_client(
            lambda: together(workers, work, step=STEP, kind=StagingError, stop=programs.stop)
        )
        if name in (LIST, MATCH):
            seen = sum(_listed(said) for said in done.results)
            if seen != files:
                raise StagingError(
                    f"ls shows {seen} files of {files} that were unpacked",
                    object_name=str(place),
                    step=STEP,
                    remedy="suspect the store, or its mount",
                )
        return Operation(name, workers, done.seconds, files, volume, cpu)

    def packed(number: int) -> Path:
        return archives / f"{number}_packed.tar"

    operations = [
        timed(EXTRACT, lambda n: ("tar", "-xof", f"{archives}/{n}.tar", "-C", f"{folders[n]}"), every, size),
        timed(LIST, lambda n: ("ls", "-lFR", f"{folders[n]}"), every, 0),
        timed(
            MATCH,
            lambda n: ("sh", "-c", f'ls -l "$1"/*/{PATTERN}', "sh", f"{folders[n]}"),
            matching,
            0,
        ),
        # To a file: tar knows /dev/null, and reads no content for it.
        timed(ARCHIVE, lambda n: ("tar", "-cf", f"{packed(n)}", "-C", f"{folders[n]}", "."), every, size),
    ]
    for number in range(workers):
        if packed(number).stat().st_size < counts[number] * plan.small_file_bytes:
            raise StagingError(
                "tar has packed less than was unpacked", object_name=str(folders[number]), step=STEP
            )
    operations.append(timed(REMOVE, lambda n: ("rm", "-rf", f"{folders[n]}"), every, 0))
    if left := [str(folder) for folder in folders if folder.exists()]:
        raise StagingError("rm has left something", object_name=left[0], step=STEP)
    return operations


def write_archive(path: Path, files: int, size: int) -> None:
    """A tar archive of so many files of `size` bytes, a hundred in each directory; they hold random bytes."""
    content = os.urandom(size)
    with tarfile.open(path, "w") as archive:
        for number in range(files):
            folder = f"{number // IN_A_DIRECTORY:04d}"
            if number % IN_A_DIRECTORY == 0:
                directory = tarfile.TarInfo(folder)
                directory.type, directory.mode = tarfile.DIRTYPE, 0o777
                archive.addfile(directory)
            file = tarfile.TarInfo(f"{folder}/{number:08d}.dat")
            file.size, file.mode = size, 0o666
            archive.addfile(file, io.BytesIO(content))


def _listed(said: str) -> int:
    """Plain files in what `ls -l` says."""
    return sum(line.startswith("-") for line in said.splitlines())


class Programs:
    """Programs that run at the same time, and can be ended together."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, command: Sequence[str]) -> str:
        """What it writes to its standard output.

        :raises StagingError: if it is not there, fails, or was ended.
        """
        try:
            process = self._begin(command)
        except OSError as error:
            raise StagingError(
                f"it cannot be run: {error.strerror or error}",
                object_name=command[0],
                step=STEP,
                remedy="install it on this worker, or leave out the part small files",
            ) from error
        try:
            said, complaint = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            raise StagingError(
                f"it ended with {process.returncode}: {complaint.strip()[-COMPLAINT:]}",
                object_name=command[0],
                step=STEP,
            )
        return said

    def _begin(self, command: Sequence[str]) -> subprocess.Popen[str]:
        with self._lock:
            if self._stopped:
                raise StagingError("another worker has failed", object_name=command[0], step=STEP)
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env={**os.environ, "LC_ALL": "C"},
            )
            self._running.add(process)
            return process

    def stop(self) -> None:
        """End all of them, and let none begin."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                with suppress(ProcessLookupError):
                    process.kill()
