"""A dump set on its way between two running databases, and the folders behind their DIRECTORYs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump.dumpset import DumpFile, DumpSet
from oracle_refresh.dbfs.store import ensure_store
from support.demo import DemoDatabase, database_link, prepared_target
from support.transfer import Run, demo

LINK = "DUMPS_LINK"


@dataclass
class Way:
    """A run, and the folders behind the DIRECTORYs of its two ends."""

    run: Run
    here: Path
    there: Path

    @classmethod
    def begin(cls, source: Any, target: Any, transport: str) -> Way:
        """A new run with that transport; `make_link` has to have made its link."""
        staging = demo().staging.model_dump(mode="json")
        folders = [folder(source, staging["source_directory"]), folder(target, staging["target_directory"])]
        staging |= {"transport": transport, "database_link": LINK, "mounted_path": str(folders[1])}
        run = Run.begin(source, target, staging=staging)
        ensure_store(target, run.definition)
        return cls(run, *folders)

    def dump_set(self, *contents: bytes) -> DumpSet:
        """A dump set of these files, as an export would have left it."""
        job = f"J{self.run.run_id[-6:]}".upper()
        files = []
        for number, content in enumerate(contents, 1):
            name = f"{job.lower()}_{number:02d}.dmp"
            (self.here / name).write_bytes(content)
            files.append(DumpFile(name, len(content)))
        directory = self.run.definition.staging.source_directory
        return DumpSet(job, job, 1, directory, "none.log", tuple(files), (), 1.0)

    def arrived(self, dump_set: DumpSet) -> dict[str, bytes]:
        stem = dump_set.job_id.lower()
        return {path.name: path.read_bytes() for path in self.there.glob(f"{stem}*")}


@contextmanager
def make_link(source: DemoDatabase, target: DemoDatabase) -> Iterator[None]:
    """What server to server needs: a link to the source's refresh user, and the package."""
    with target.sys() as connection, connection.cursor() as cursor:
        cursor.execute(f"GRANT EXECUTE ON DBMS_FILE_TRANSFER TO {target.user}")
    with database_link(LINK, target, source):
        yield


@pytest.fixture(scope="module")
def linked_target(demo_source: DemoDatabase) -> Iterator[DemoDatabase]:
    """A demo target with the link to the source."""
    for database in prepared_target():
        with make_link(demo_source, database):
            yield database


def folder(connection: oracledb.Connection, directory: str) -> Path:
    with connection.cursor() as cursor:
        cursor.execute("SELECT directory_path FROM dba_directories WHERE directory_name = :n", n=directory)
        (path,) = cursor.fetchone() or ("",)
    return Path(path)


def chained(content: bytes, piece: int) -> str:
    """The digest of a file of several pieces, as it is documented."""
    digest = hashlib.sha256(content[:piece]).digest()
    for at in range(piece, len(content), piece):
        digest = hashlib.sha256(digest + hashlib.sha256(content[at : at + piece]).digest()).digest()
    return digest.hex()
