"""Users that write, and then read, files of their own in the store by blocks of one size, against the clock.

Each user is a thread with a session of its own, as the files that a task stages at the same time are.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements, store
from oracle_refresh.experience.store_advice import STREAM
from oracle_refresh.labs.harness.together import Connect, Start, together
from oracle_refresh.labs.store.client import with_client
from oracle_refresh.labs.store.model import Calibration, Cell, Point
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError

if TYPE_CHECKING:
    import oracledb

Step = Callable[[int], int]
"""Writes or reads a block at an offset; returns its bytes."""


@dataclass(frozen=True)
class Streamed:
    """Through LOB locators of the store's files, each user on a connection of its own."""

    connect: Connect
    folder: str

    @contextmanager
    def writing(self, name: str, block: bytes) -> Iterator[Step]:
        with closing(self.connect()) as session:
            content = open_content(session, statements.CREATE_FILE, f"{self.folder}/{name}")

            def step(offset: int) -> int:
                content.write(block, offset + 1)
                return len(block)

            yield step
            session.commit()

    @contextmanager
    def reading(self, name: str, size: int) -> Iterator[Step]:
        with closing(self.connect()) as session:
            content = open_content(session, READ_FILE, f"{self.folder}/{name}")

            def step(offset: int) -> int:
                return len(content.read(offset + 1, size))

            yield step


#: As OPEN_FILE, without the lock.
READ_FILE = statements.OPEN_FILE.replace(", forupdate => TRUE", "")


def open_content(session: oracledb.Connection, block: str, path: str) -> oracledb.LOB:
    """The locator that CREATE_FILE, OPEN_FILE or READ_FILE give for a file of the store."""
    import oracledb

    with session.cursor() as cursor:
        content = cursor.var(oracledb.DB_TYPE_BLOB)
        cursor.execute(block, path=path, content=content)
        locator: oracledb.LOB = content.getvalue()
    return locator


@dataclass(frozen=True)
class Mounted:
    """Through a path of this machine: what dbfs_client or NFS make of it."""

    folder: Path

    @contextmanager
    def writing(self, name: str, block: bytes) -> Iterator[Step]:
        descriptor = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            yield lambda offset: os.pwrite(descriptor, block, offset)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def reading(self, name: str, size: int) -> Iterator[Step]:
        descriptor = os.open(self.folder / name, os.O_RDONLY)
        try:
            # What has just been written is still in this machine's memory.
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            yield lambda offset: len(os.pread(descriptor, size, offset))
        finally:
            os.close(descriptor)


@contextmanager
def workplace(
    connection: oracledb.Connection, connect: Connect, plan: Calibration, cell: Cell, prefix: str = ""
) -> Iterator[Streamed | Mounted]:
    """An empty directory of the cell, and the way into it; both what it holds and what a killed try has left
    in it is removed.

    :param prefix: of its name, unlike those of others who measure the same cell at the same time.
    """
    name = prefix + cell.id.replace(" ", "_")
    if cell.way == STREAM:
        path = f"{plan.folder}/{name}"
        store.drop_directory(connection, path)
        store.ensure_directory(connection, path)
        connection.commit()
        yield Streamed(connect, path)
        store.drop_directory(connection, path)
    else:
        folder = Path(plan.paths[cell.way]) / Path(plan.folder).name / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        yield Mounted(folder)
        shutil.rmtree(folder)


def measure(way: Streamed | Mounted, cell: Cell, users: int, seconds: float, most: int) -> Point:
    """So many users write files of their own for so many seconds, at most `most` bytes each, and read them.

    What is written is committed, or synchronised, within the time that counts. A user whose file is read to
    its end begins again.
    """
    # The study's files were not compressible either.
    block = os.urandom(cell.block)
    names = [f"{users}_{number}" for number in range(users)]

    def write(user: int, start: Start) -> int:
        with way.writing(names[user], block) as step:
            return _until(start, seconds, step, lambda done: done < most)

    written, write_cpu = with_client(lambda: together(users, write, step=STEP, kind=StagingError))

    def read(user: int, start: Start) -> int:
        with way.reading(names[user], cell.block) as step:
            size = written.results[user]
            return _until(start, seconds, lambda offset: step(offset % size), lambda done: True)

    got, read_cpu = with_client(lambda: together(users, read, step=STEP, kind=StagingError))
    return Point(
        way=cell.way,
        users=users,
        block=cell.block,
        written=sum(written.results),
        write_seconds=written.seconds,
        read=sum(got.results),
        read_seconds=got.seconds,
        write_cpu=write_cpu,
        read_cpu=read_cpu,
    )


def _until(start: Start, seconds: float, step: Step, more: Callable[[int], bool]) -> int:
    start.wait()
    end = time.monotonic() + seconds
    done = 0
    while True:
        done += step(done)
        if not more(done) or time.monotonic() >= end:
            return done
