"""Files that the target fetches over a link, finds on a mount or shares; on two running databases."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.dbfs import digests
from oracle_refresh.dbfs.probe import probe_name
from oracle_refresh.dbfs.store import ensure_store
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import StagingError, overall_disposition
from oracle_refresh.transport import mounted as mounted_transport
from oracle_refresh.transport.stage import clean_staged, still_staged
from support.demo import DemoDatabase
from support.staging import Way, chained
from support.transfer import Fuse, Killed, Mortal


@pytest.fixture
def way(source: Any, target: Any) -> Way:
    return Way.begin(source, target, "file_transfer")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_files_arrive_whole_and_are_accepted_again(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = [os.urandom(300_000 // 512 * 512), b"", os.urandom(512)]
    dump_set = way.dump_set(*contents)
    reported: list[float] = []

    class Told:
        def report(self, done: float, total: float | None, unit: str, what: str) -> None:
            reported.append(done)

    staged = way.run.stage(dump_set, progress=Told())
    assert [file.sha256 for file in staged.files] == [sha256(content) for content in contents]
    assert way.arrived(dump_set) == dict(zip((file.name for file in dump_set.files), contents, strict=True))
    assert reported[-1] == dump_set.bytes
    monkeypatch.setattr("oracle_refresh.transport.statements.GET_FILE", "nothing.is_fetched_twice")
    assert way.run.stage(dump_set).files == staged.files


def test_a_file_of_several_pieces_is_hashed_in_the_databases(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", 100_000)
    content = os.urandom(512 * 500)
    (staged,) = way.run.stage(way.dump_set(content)).files
    assert staged.sha256 == chained(content, 100_000)


def test_a_staged_file_that_changed_is_fetched_again(way: Way) -> None:
    content = os.urandom(51_200)
    dump_set = way.dump_set(content)
    staged = way.run.stage(dump_set)
    path = way.there / dump_set.files[0].name
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert way.run.stage(dump_set).files == staged.files
    assert path.read_bytes() == content


def test_an_export_that_was_repeated_replaces_what_was_staged(way: Way) -> None:
    way.run.stage(way.dump_set(os.urandom(1024)))
    content = os.urandom(2048)
    dump_set = replace(way.dump_set(content), scn=2)
    way.run.stage(dump_set)
    assert way.arrived(dump_set) == {dump_set.files[0].name: content}


@pytest.mark.slow
def test_killed_anywhere_each_file_is_there_once(
    way: Way, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    contents = [os.urandom(51_200), os.urandom(1024)]
    for kill_at in range(0, 200, 5):
        run = replace(way.run, run_id=f"{way.run.run_id}{kill_at:03d}")
        trial = replace(way, run=run)
        dump_set = trial.dump_set(*contents)
        fuse = Fuse(kill_at)
        with demo_source.connect() as source, demo_target.connect() as target:
            try:
                run.over(Mortal(source, fuse), Mortal(target, fuse)).stage(dump_set)
            except Killed:
                for name, content in trial.arrived(dump_set).items():
                    assert name.endswith(".part") or content in contents
        staged = run.stage(dump_set)
        assert [file.sha256 for file in staged.files] == [sha256(content) for content in contents]
        assert trial.arrived(dump_set) == dict(
            zip((file.name for file in staged.files), contents, strict=True)
        )
        if not fuse.burnt:
            return
    pytest.fail("the staging never ended")


@pytest.mark.parametrize("transport", [one for one in StagingTransport if one is not StagingTransport.SHARED])
def test_several_files_at_a_time(
    way: Way, transport: StagingTransport, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    definition = way.run.definition
    changes = {"transport": transport, "mounted_path": way.there, "files_at_a_time": 3}
    staging = definition.staging.model_copy(update=changes)
    way.run.definition = definition.model_copy(update={"staging": staging})
    ensure_store(way.run.target, way.run.definition)
    opened: list[int] = []

    @contextmanager
    def connect() -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with demo_source.connect() as source, demo_target.connect() as target:
            opened.append(1)
            yield source, target

    contents = [os.urandom(512 * number) for number in (3, 700, 1, 90, 350)]
    dump_set = way.dump_set(*contents)
    files = way.run.stage(dump_set, connect=connect).files
    assert len(opened) == 2
    assert [file.sha256 for file in files] == [sha256(content) for content in contents]
    assert way.arrived(dump_set) == {
        file.name: content for file, content in zip(files, contents, strict=True)
    }
    clean_staged(way.run.target, way.run.definition, way.run.run_id, [file.name for file in files])


def test_of_several_files_the_first_error_ends_all(
    way: Way, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    @contextmanager
    def connect() -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with demo_source.connect() as source, demo_target.connect() as target:
            yield source, target

    dump_set = way.dump_set(*(os.urandom(512 * number) for number in range(8, 0, -1)))
    (way.here / dump_set.files[0].name).unlink()
    with pytest.raises(StagingError, match="not in the source's DIRECTORY"):
        way.run.stage(dump_set, connect=connect)
    assert not any(name.endswith(".part") for name in way.arrived(dump_set))


def test_no_space_is_told_and_leaves_nothing(way: Way, demo_target: DemoDatabase) -> None:
    dump_set = way.dump_set(os.urandom(1024))
    directory = way.run.definition.staging.target_directory
    assert demo_target.server.command("control", "fill-directory", directory).returncode == 0
    try:
        with pytest.raises(StagingError, match="No space left") as caught:
            way.run.stage(dump_set)
    finally:
        assert demo_target.server.command("control", "empty-directory", directory).returncode == 0
    assert overall_disposition(caught.value.codes) == "space"
    assert "make room" in str(caught.value.remedy)
    assert way.arrived(dump_set) == {}
    way.run.stage(dump_set)
    assert len(way.arrived(dump_set)) == 1


def test_files_that_are_not_what_the_export_left(way: Way) -> None:
    dump_set = way.dump_set(os.urandom(1024))
    path = way.here / dump_set.files[0].name
    path.write_bytes(bytes(512))
    with pytest.raises(StagingError, match="has 512 bytes, the export left 1024"):
        way.run.stage(dump_set)
    path.unlink()
    with pytest.raises(StagingError, match="not in the source's DIRECTORY"):
        way.run.stage(dump_set)
    assert way.arrived(dump_set) == {}


def test_an_unknown_link_is_told(way: Way) -> None:
    definition = way.run.definition
    staging = definition.staging.model_copy(update={"database_link": "NOWHERE"})
    way.run.definition = definition.model_copy(update={"staging": staging})
    with pytest.raises(StagingError) as caught:
        way.run.stage(way.dump_set(os.urandom(512)))
    assert caught.value.codes[0] == "ORA-02019"


def test_what_a_run_has_staged_is_removed(way: Way) -> None:
    contents = os.urandom(512), os.urandom(512)
    dump_set = way.dump_set(*contents)
    way.run.stage(dump_set)
    (way.there / f"{dump_set.files[0].name}.1.part").write_bytes(b"left by a call that outlived its task")
    template = dump_set.files[0].name.replace("_01", "_%L")
    target, definition = way.run.target, way.run.definition
    assert still_staged(target, definition, way.run.run_id, [template]) == [
        file.name for file in dump_set.files
    ]
    for _ in range(2):
        clean_staged(target, definition, way.run.run_id, [template])
        assert way.arrived(dump_set) == {}
    assert still_staged(target, definition, way.run.run_id, [template]) == []
    assert all((way.here / file.name).exists() for file in dump_set.files)


@pytest.mark.parametrize("transport", ["stream", "file_transfer"])
def test_files_behind_a_gap_are_found_and_removed(transport: str, source: Any, target: Any) -> None:
    way = Way.begin(source, target, transport)
    dump_set = way.dump_set(*(os.urandom(512 * number) for number in (1, 3, 2)))
    first, *others = dump_set.files
    template = first.name.replace("_01", "_%L")
    (way.here / first.name).rename(way.here / "away")  # the smallest, so the last
    with pytest.raises(StagingError, match="not in the source's DIRECTORY"):
        way.run.stage(dump_set)
    probe = way.there / probe_name(way.run.run_id)
    if transport == "stream":
        probe.write_bytes(b"left by a look that was killed")
    left = still_staged(way.run.target, way.run.definition, way.run.run_id, [template])
    assert {path.rpartition("/")[2] for path in left} == {file.name for file in others}
    clean_staged(way.run.target, way.run.definition, way.run.run_id, [template])
    assert way.arrived(dump_set) == {}
    assert not probe.exists()


def test_a_run_that_ended_before_its_store_was_made_is_cleaned(way: Way) -> None:
    staging = way.run.definition.staging.model_copy(
        update={"transport": StagingTransport.AUTO, "mount": "/NEVER_MADE"}
    )
    definition = way.run.definition.model_copy(update={"staging": staging})
    clean_staged(way.run.target, definition, way.run.run_id, ["none_%L.dmp"])


@pytest.fixture
def mounted(way: Way) -> Way:
    """The same run with the target's folder as a path of this machine."""
    changes = {"transport": StagingTransport.MOUNTED, "database_link": None, "mounted_path": way.there}
    staging = way.run.definition.staging.model_copy(update=changes)
    way.run.definition = way.run.definition.model_copy(update={"staging": staging})
    return way


def test_files_are_written_to_a_mounted_path(mounted: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "PIECE_BYTES", 100_000)
    contents = [os.urandom(512 * 500 + 7), os.urandom(100_000), b"", os.urandom(3)]
    dump_set = mounted.dump_set(*contents)
    files = mounted.run.stage(dump_set, read_bytes=30_000).files
    assert [file.sha256 for file in files] == [chained(contents[0], 100_000), *map(sha256, contents[1:])]
    assert mounted.arrived(dump_set) == {
        file.name: content for file, content in zip(files, contents, strict=True)
    }
    path = mounted.there / files[0].name
    path.write_bytes(bytes(len(contents[0])))
    assert mounted.run.stage(dump_set).files == files
    assert path.read_bytes() == contents[0]
    clean_staged(mounted.run.target, mounted.run.definition, mounted.run.run_id, [dump_set.files[0].name])
    assert not path.exists()


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_nobody_else_reads_what_is_written_to_a_mounted_path(
    mounted: Way, monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    """Neither the part nor the file; and the database's group reads it whatever umask the worker has."""
    verify, seen = mounted_transport.verify_piece, []

    def looking(file: Any, *given: Any) -> Any:
        seen.extend(oct(path.stat().st_mode & 0o777) for path in mounted.there.glob(f"{file.name}.*"))
        return verify(file, *given)

    monkeypatch.setattr(mounted_transport, "verify_piece", looking)
    before = os.umask(umask)
    try:
        (staged,) = mounted.run.stage(mounted.dump_set(os.urandom(1000))).files
    finally:
        os.umask(before)
    assert seen == ["0o640"]
    assert oct((mounted.there / staged.name).stat().st_mode & 0o777) == "0o640"


def test_a_mount_that_leads_elsewhere_or_is_gone(mounted: Way, tmp_path: Path) -> None:
    dump_set = mounted.dump_set(os.urandom(1000))
    staging = mounted.run.definition.staging
    for folder, message in ((tmp_path, "does not see the file"), (tmp_path / "gone", "No such file")):
        changed = staging.model_copy(update={"mounted_path": folder})
        mounted.run.definition = mounted.run.definition.model_copy(update={"staging": changed})
        with pytest.raises(StagingError, match=message) as caught:
            mounted.run.stage(dump_set)
        assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_shared_storage_is_compared_only(way: Way) -> None:
    definition = way.run.definition
    staging = definition.staging.model_copy(
        update={"transport": StagingTransport.SHARED, "database_link": None}
    )
    way.run.definition = definition.model_copy(update={"staging": staging})
    content = os.urandom(1000)
    dump_set = way.dump_set(content)
    name = dump_set.files[0].name
    with pytest.raises(StagingError, match="does not see the file"):
        way.run.stage(dump_set)
    (way.there / name).write_bytes(bytes(1000))
    with pytest.raises(StagingError, match="SHA-256"):
        way.run.stage(dump_set)
    (way.there / name).write_bytes(content)
    (staged,) = way.run.stage(dump_set).files
    assert staged.sha256 == sha256(content)
    clean_staged(way.run.target, way.run.definition, way.run.run_id, [name])
    assert (way.there / name).exists(), "the source's end removes it"
