"""What a try leaves behind and a later one goes on with, and what is found in staged files before a load."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import oracledb
import pytest

from oracle_refresh.dbfs import digests
from oracle_refresh.dbfs.digests import Checked
from oracle_refresh.dbfs.store import run_directory
from oracle_refresh.oracle.errors import StagingError, overall_disposition
from oracle_refresh.run.ledger import RUNNING
from oracle_refresh.transport import mounted, pieces
from oracle_refresh.transport.stage import clean_staged, verify_staged
from oracle_refresh.transport.transfer import FILE_STEP, Transfer
from support.demo import DemoDatabase
from support.staging import Way, chained
from support.transfer import Fuse, Killed, Mortal

PIECE = 1000


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", PIECE)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The positions that are read at the source."""
    positions: list[int] = []
    open_bfile = pieces.open_bfile

    class Counted:
        def __init__(self, locator: Any) -> None:
            self.locator = locator

        def read(self, offset: int, amount: int) -> Any:
            positions.append(offset - 1)
            return self.locator.read(offset, amount)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.locator, name)

    monkeypatch.setattr(pieces, "open_bfile", lambda *words: Counted(open_bfile(*words)))
    return positions


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["stream", "mounted"])
def test_a_killed_try_is_continued_behind_its_last_verified_piece(
    transport: str,
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    reads: list[int],
) -> None:
    content, continued = os.urandom(3 * PIECE + 77), 0
    begun = Way.begin(source, target, transport)
    for kill_at in range(4, 300, 7):
        way = replace(begun, run=replace(begun.run, run_id=f"{begun.run.run_id}{kill_at:03d}"))
        dump_set, fuse = way.dump_set(content), Fuse(kill_at)
        with demo_source.connect() as reading, demo_target.connect() as writing:
            try:
                way.run.over(Mortal(reading, fuse), Mortal(writing, fuse)).stage(dump_set, read_bytes=300)
            except Killed:
                left = way.arrived(dump_set)
                assert all(name.endswith(".part") or whole == content for name, whole in left.items())
        rows = way.run.ledger.rows(FILE_STEP)
        verified = int(rows[0].detail["bytes"]) if rows and rows[0].state == RUNNING else 0
        reads.clear()
        (file,) = way.run.stage(dump_set, read_bytes=300).files
        assert file.sha256 == chained(content, PIECE)
        assert way.arrived(dump_set) == {file.name: content}
        if fuse.burnt and reads and verified:
            assert min(reads) == verified
            continued += 1
        clean_staged(way.run.target, way.run.definition, way.run.run_id, [file.name])
        assert way.arrived(dump_set) == {}
        assert not (way.there / run_directory(way.run.definition, way.run.run_id).rpartition("/")[2]).exists()
        if not fuse.burnt:
            assert continued
            return
    pytest.fail("the staging never ended")


@contextmanager
def paused(
    patch: pytest.MonkeyPatch, owner: Any, step: str, meanwhile: Callable[[], object]
) -> Iterator[None]:
    """The process stands still when it has done a step for the first time, and others do something."""
    inner, paused = getattr(owner, step), []

    def stepping(*words: Any) -> Any:
        done = inner(*words)
        if not paused:
            paused.append(step)
            meanwhile()
        return done

    with patch.context() as through:
        through.setattr(owner, step, stepping)
        yield
    assert paused


def test_a_try_that_was_given_up_does_not_take_the_file_from_its_successor(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stands still before it gives the file its name; meanwhile another try has done that."""
    way = Way.begin(source, target, "stream")
    content = os.urandom(PIECE)
    dump_set = way.dump_set(content)

    def another() -> None:
        with demo_source.connect() as reading, demo_target.connect() as writing:
            way.run.over(reading, writing).stage(dump_set)

    with (
        paused(monkeypatch, Transfer, "note_verified", another),
        pytest.raises(StagingError, match="try 2 brings the file"),
    ):
        way.run.stage(dump_set)
    assert way.arrived(dump_set) == {dump_set.files[0].name: content}
    clean_staged(target, way.run.definition, way.run.run_id, [dump_set.files[0].name])


def test_what_a_successor_has_begun_is_not_forgotten_for_a_try_that_was_given_up(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way = Way.begin(source, target, "mounted")
    dump_set = way.dump_set(os.urandom(2 * PIECE))

    def another() -> None:
        with demo_source.connect() as reading, demo_target.connect() as writing:
            mortal = Mortal(reading, Fuse(2))  # when it has looked for the file at the source
            with pytest.raises(Killed):
                way.run.over(mortal, writing).stage(dump_set)

    with (
        paused(monkeypatch, mounted, "verify_piece", another),
        pytest.raises(StagingError, match="try 2 brings the file"),
    ):
        way.run.stage(dump_set)
    assert way.arrived(dump_set)
    clean_staged(target, way.run.definition, way.run.run_id, [dump_set.files[0].name])
    assert way.arrived(dump_set) == {}


@pytest.mark.parametrize(("code", "kept"), [(errno.EIO, PIECE), (errno.ENOTCONN, PIECE), (errno.ENOSPC, 0)])
def test_a_mount_that_fails_costs_what_was_verified_only_where_it_is_full(
    source: oracledb.Connection,
    target: oracledb.Connection,
    monkeypatch: pytest.MonkeyPatch,
    reads: list[int],
    code: int,
    kept: int,
) -> None:
    way = Way.begin(source, target, "mounted")
    content = os.urandom(3 * PIECE)
    dump_set = way.dump_set(content)
    with monkeypatch.context() as patch:
        write = mounted._write_all

        def failing(descriptor: int, data: bytes, position: int) -> None:
            if position >= PIECE:
                raise OSError(code, os.strerror(code))
            write(descriptor, data, position)

        patch.setattr(mounted, "_write_all", failing)
        with pytest.raises(StagingError, match=os.strerror(code)) as caught:
            way.run.stage(dump_set)
    assert ("make room" in str(caught.value.remedy)) == (not kept)
    assert bool(way.arrived(dump_set)) == bool(kept)
    reads.clear()
    (file,) = way.run.stage(dump_set).files
    assert min(reads) == kept
    assert way.arrived(dump_set) == {file.name: content}


@pytest.mark.parametrize("transport", ["stream", "mounted"])
def test_a_try_of_another_export_is_not_continued(
    transport: str, source: oracledb.Connection, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way.begin(source, target, transport)
    former = way.dump_set(os.urandom(3 * PIECE))

    def lost(*_: Any) -> Any:
        raise oracledb.OperationalError("DPY-4011: the database or network closed the connection")

    with monkeypatch.context() as patch:
        patch.setattr("oracle_refresh.transport.stream.in_store", lost)
        patch.setattr("oracle_refresh.transport.mounted.in_directory", lost)
        with pytest.raises(StagingError) as caught:
            way.run.stage(former)
    assert caught.value.codes == ("DPY-4011",)
    content = os.urandom(2 * PIECE + 1)
    dump_set = replace(way.dump_set(content), scn=2)
    (file,) = way.run.stage(dump_set).files
    assert way.arrived(dump_set) == {file.name: content}


@pytest.mark.parametrize("transport", ["stream", "mounted"])
def test_what_the_target_stored_wrongly_is_told_and_written_again(
    transport: str, source: oracledb.Connection, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way.begin(source, target, transport)
    content = os.urandom(3 * PIECE)
    dump_set = way.dump_set(content)
    with monkeypatch.context() as patch:
        verify = pieces.verify_piece

        def spoiled(file: Any, checked: Checked, *rest: Any) -> Checked:
            if checked.size == PIECE:
                (part,) = way.there.rglob(f"{file.name}*.part")
                part.write_bytes(part.read_bytes()[:-1] + b"?" + b"!")
            return verify(file, checked, *rest)

        patch.setattr("oracle_refresh.transport.stream.verify_piece", spoiled)
        patch.setattr("oracle_refresh.transport.mounted.verify_piece", spoiled)
        with pytest.raises(StagingError, match="bytes from byte 1000 with SHA-256"):
            way.run.stage(dump_set)
    (file,) = way.run.stage(dump_set).files
    assert way.arrived(dump_set) == {file.name: content}


@pytest.mark.parametrize("transport", ["stream", "file_transfer", "mounted", "shared"])
def test_one_changed_byte_is_found_before_the_import(
    transport: str, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    way = Way.begin(source, target, transport)
    content = os.urandom(512 * 7)
    dump_set = way.dump_set(content, b"")
    if transport == "shared":
        for file in dump_set.files:
            (way.there / file.name).write_bytes((way.here / file.name).read_bytes())
    staged = way.run.stage(dump_set)

    def verify() -> None:
        verify_staged(way.run.target, staged, way.run.definition, way.run.run_id)

    verify()
    path = way.there / dump_set.files[0].name
    for spoiled in (
        content[:1500] + bytes([content[1500] ^ 1]) + content[1501:],
        content[:-1],
        content + b"\0",
        None,
    ):
        path.unlink() if spoiled is None else path.write_bytes(spoiled)
        with pytest.raises(StagingError, match="were staged") as caught:
            verify()
        assert caught.value.object_name == path.name
    if transport != "shared":
        way.run.stage(dump_set)
        verify()


def test_a_full_tablespace_is_told_and_leaves_nothing(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way = Way.begin(source, target, "stream")
    content = os.urandom(3 * PIECE)
    dump_set = way.dump_set(content)
    with target.cursor() as cursor:
        cursor.execute(
            "SELECT l.tablespace_name FROM sys.dbfs_sfs$_tab t JOIN dba_lobs l"
            " ON l.owner = t.schema_name AND l.table_name = t.table_name"
            " JOIN sys.dbfs_sfs$_fs f ON f.tabid = t.tabid WHERE f.store_name = :name",
            name=way.run.definition.staging.store.name,
        )
        (tablespace,) = cursor.fetchone() or ("",)

    def control(word: str) -> None:
        assert demo_target.server.command("control", f"{word}-tablespace", tablespace).returncode == 0

    with monkeypatch.context() as patch:
        verify = pieces.verify_piece

        def then_full(*words: Any) -> Checked:
            control("fill")
            return verify(*words)

        patch.setattr("oracle_refresh.transport.stream.verify_piece", then_full)
        try:
            with pytest.raises(StagingError, match="unable to extend lob segment") as caught:
                way.run.stage(dump_set)
        finally:
            control("empty")
    assert caught.value.codes == ("ORA-01691",)
    assert overall_disposition(caught.value.codes) == "space"
    assert "add space" in str(caught.value.remedy)
    assert not list(way.there.rglob("*.part"))
    (file,) = way.run.stage(dump_set).files
    assert way.arrived(dump_set) == {file.name: content}


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", 64 << 20)
    way = Way.begin(source, target, "stream")
    (small,) = way.dump_set(b"").files
    size = 192 << 20
    os.truncate(way.here / small.name, size)
    dump_set = replace(way.dump_set(), files=(replace(small, bytes=size),))
    child = os.fork()
    if not child:
        code = 255
        try:
            with demo_source.connect() as reading, demo_target.connect() as writing:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                way.run.over(reading, writing).stage(dump_set)
                code = min((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10, 254)
        finally:
            os._exit(code)
    grown = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert grown < 64, f"{grown} MB for a file of {size >> 20} MB"
    assert (way.there / small.name).stat().st_size == size
    clean_staged(way.run.target, way.run.definition, way.run.run_id, [small.name])
