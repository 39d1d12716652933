"""Task, source and target are killed (SIGKILL) while dump files are on their way, at chosen bytes of them.

Whatever was killed and when: no unfinished file has a final name, what the task says may pass by itself, and
the next try leaves each file once, with the right content, and nothing else.
"""

from __future__ import annotations

import os
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, StagedSet
from oracle_refresh.dbfs import digests
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import RefreshError, overall_disposition
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.transport.stage import clean_staged, stage, verify_staged
from oracle_refresh.transport.transfer import Transfer
from support.killed_server import kill_server
from support.staging import chained
from support.stand_in import SYSTEM_PASSWORD, Server, new_server

PIECE = 4 << 20
READ = 1 << 20
SIZES = (20 * READ, 3 * READ + 512)
END_SECONDS = 240.0
DONE, MAY_PASS, FAILED = 0, 3, 1


@dataclass
class Ends:
    source: Server
    target: Server

    @contextmanager
    def connect(self) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with self.source.connect() as source, self.target.connect() as target:
            yield source, target


@pytest.fixture(scope="module")
def ends() -> Iterator[Ends]:
    source, end_source = new_server("source")
    try:
        target, end_target = new_server("target")
        try:
            with target.connect() as connection, connection.cursor() as cursor:
                cursor.execute(f"CREATE DIRECTORY STAGE AS '{target.instance.dbfs_directory / 'STAGE'}'")
                cursor.execute(
                    f"CREATE DATABASE LINK SOURCE_LINK CONNECT TO SYSTEM IDENTIFIED BY {SYSTEM_PASSWORD}"
                    f" USING '{source.dsn}'"
                )
                ensure_ledger(connection)
            yield Ends(source, target)
        finally:
            end_target()
    finally:
        end_source()


class Shipment:
    """Two files of a job, and the tries to stage them."""

    def __init__(self, ends: Ends, transport: str, contents: tuple[bytes, ...]) -> None:
        self.ends, self.contents = ends, contents
        self.there = ends.target.instance.dbfs_directory / "STAGE"
        self.run_id = uuid4().hex[:10]
        self.definition = RefreshDefinition.model_validate(
            {
                "name": "kills",
                "source": {"conn_id": "source"},
                "target": {"conn_id": "target"},
                "schemas": ["NOBODY"],
                "masking": {"ruleset": "/none.yaml", "key_conn_id": "none"},
                "staging": {
                    "source_directory": "DATA_PUMP_DIR",
                    "target_directory": "STAGE",
                    "store": "FS_STAGE",
                    "mount": "/STAGE",
                    "transport": transport,
                    "database_link": "SOURCE_LINK",
                    "mounted_path": str(self.there),
                    "files_at_a_time": 2,
                },
            }
        )
        self.names = [f"j{self.run_id}_{number}.dmp" for number in range(len(contents))]
        for name, content in zip(self.names, contents, strict=True):
            (ends.source.instance.dump_directory / name).write_bytes(content)
        files = tuple(
            DumpFile(name, len(content)) for name, content in zip(self.names, contents, strict=True)
        )
        self.dump_set = DumpSet("JOB", "JOB", 1, "DATA_PUMP_DIR", "none.log", files, (), 1.0)

    def stage(self) -> StagedSet:
        with self.ends.connect() as (source, target):
            transfer = Transfer(source, target, self.dump_set, self.definition, self.run_id)
            return stage(transfer, read_bytes=READ, connect=self.ends.connect)

    def begin_try(self) -> int:
        """A try in a process of its own; its number."""
        child = os.fork()
        if child:
            return child
        code = FAILED
        try:
            self.stage()
            code = DONE
        except RefreshError as error:
            if overall_disposition(error.codes) == "retry":
                code = MAY_PASS
            else:
                traceback.print_exc()
        except BaseException:
            traceback.print_exc()
        os._exit(code)

    def present(self) -> dict[str, int]:
        """Sizes of all files of this job at the target, finished or not."""
        found = {}
        for path in self.there.rglob(f"j{self.run_id}_*"):
            try:
                found[path.name] = path.stat().st_size
            except FileNotFoundError:  # it was just renamed
                continue
        return found

    def kill_at(self, arrived: int, kill: Callable[[int], None]) -> int:
        """Kill when that many bytes have arrived, unless the try ends before; the exit code of the try."""
        child, end = self.begin_try(), time.monotonic() + END_SECONDS
        while sum(self.present().values()) < arrived:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() < end
            time.sleep(0.0005)
        kill(child)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def check_names(self) -> None:
        """What has a final name is complete."""
        for name, content in zip(self.names, self.contents, strict=True):
            path = self.there / name
            assert not path.exists() or path.read_bytes() == content

    def check_end(self) -> None:
        staged = self.stage()
        assert [file.sha256 for file in staged.files] == [
            chained(content, PIECE) for content in self.contents
        ]
        assert self.present() == {
            name: len(content) for name, content in zip(self.names, self.contents, strict=True)
        }
        self.check_names()
        with self.ends.target.connect() as target:
            verify_staged(target, staged, self.definition, self.run_id)
            clean_staged(target, self.definition, self.run_id, self.names)
        assert self.present() == {}


def kill_task(child: int) -> None:
    os.kill(child, signal.SIGKILL)


def killer(server: Server) -> Callable[[int], None]:
    def kill(_: int) -> None:
        kill_server(server)

    return kill


def start(server: Server) -> None:
    started = server.command("start")
    assert started.returncode == 0, started.stderr


@pytest.mark.parametrize("transport", ["stream", "file_transfer", "mounted"])
def test_killed_at_any_byte_each_file_is_there_once(
    ends: Ends, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", PIECE)
    chosen = random.Random(transport)
    contents = tuple(os.urandom(size) for size in SIZES)
    with ends.target.connect() as target:
        ensure_store(target, Shipment(ends, transport, contents).definition)

    for _ in range(5):  # until a try has not ended before this process could kill it
        shipment, killed = Shipment(ends, transport, contents), 0
        # The task, again and again, a little further each time.
        for part in range(4):
            code = shipment.kill_at(sum(SIZES) * part // 4 + chosen.randrange(sum(SIZES) // 4), kill_task)
            assert code in (DONE, -signal.SIGKILL)
            killed += code != DONE
            shipment.check_names()
        shipment.check_end()
        if killed:
            break
    assert killed, "every try ended before it was killed"

    for victim in (ends.source, ends.target):
        shipment = Shipment(ends, transport, contents)
        code = shipment.kill_at(chosen.randrange(sum(SIZES)), killer(victim))
        shipment.check_names()
        start(victim)
        assert code in (DONE, MAY_PASS)
        shipment.check_end()
