"""tar, ls and rm on a folder, as on a mount: what they do is counted, and nothing is left."""

from __future__ import annotations

import tarfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from oracle_refresh.labs.store import programs
from oracle_refresh.labs.store.programs import (
    ARCHIVE,
    EXTRACT,
    LIST,
    MATCH,
    REMOVE,
    Operations,
    Programs,
    archives_folder,
    measure_programs,
    write_archive,
)
from oracle_refresh.oracle.errors import StagingError
from support.store_plans import calibration

PLAN = calibration(parts=("small files",), users=(1, 3), small_files=250, small_file_bytes=2000)


@pytest.fixture
def mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder, own = tmp_path / "my mount", tmp_path / "own"
    folder.mkdir()
    own.mkdir()
    monkeypatch.setattr(programs.tempfile, "gettempdir", lambda: str(own))
    yield folder
    assert [path.name for path in own.iterdir()] == [], "archives"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_every_operation_with_every_number_of_workers(mount: Path) -> None:
    measured = measure_programs(PLAN, str(mount), (3, 1, 3))
    names = (EXTRACT, LIST, MATCH, ARCHIVE, REMOVE)
    assert [(each.workers, each.name) for each in measured.operations] == [
        (workers, name) for workers in (1, 3) for name in names
    ]
    for each in measured.operations:
        assert each.seconds > 0
        # The pattern matches 0, 100 and 200 of one worker, and the first one of each of three.
        assert each.files == (3 if each.name == MATCH else 250)
        assert each.bytes == (500_000 if each.name in (EXTRACT, ARCHIVE) else 0)
    assert Operations.from_json(measured.to_json()) == measured


def test_more_workers_than_files(mount: Path) -> None:
    measured = measure_programs(replace(PLAN, small_files=2), str(mount), (1, 8, 32))
    assert {each.workers for each in measured.operations} == {1, 2}


def test_what_a_killed_try_has_left_is_in_nobody_s_way(mount: Path) -> None:
    left = mount / Path(PLAN.folder).name / "programs" / "0" / "0000"
    left.mkdir(parents=True)
    (left / "00000000.dat").touch()
    (left / "another.dat").touch()
    archives_folder(PLAN).mkdir()
    assert measure_programs(PLAN, str(mount), (1,)).operations


@pytest.mark.parametrize(
    ("script", "message"),
    [('ls "$@" | head -n -3', "ls shows 247 files of 250"), ("false", "it ended with 1")],
)
def test_what_a_mount_does_not_show_is_noticed(
    mount: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    run = Programs.run

    def other(self: Programs, given: list[str]) -> str:
        if given[0] != "ls":
            return run(self, given)
        return run(self, ["sh", "-c", script, "sh", *given[1:]])

    monkeypatch.setattr(Programs, "run", other)
    with pytest.raises(StagingError, match=message):
        measure_programs(PLAN, str(mount), (1,))


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(StagingError, match="cannot be run") as refused:
        Programs().run(["no-such-tar"])
    assert "leave out" in str(refused.value.remedy)


def test_one_that_fails_tells_why() -> None:
    with pytest.raises(StagingError, match="ended with 3: no room"):
        Programs().run(["sh", "-c", "echo no room >&2; exit 3"])


def test_all_are_ended_together_and_none_begins_after_that() -> None:
    running, failures = Programs(), list[StagingError]()

    def sleep() -> None:
        with pytest.raises(StagingError) as ended:
            running.run(["sleep", "600"])
        failures.append(ended.value)

    threads = [threading.Thread(target=sleep) for _ in range(2)]
    for thread in threads:
        thread.start()
    while len(running._running) < 2:
        pass
    running.stop()
    for thread in threads:
        thread.join(60)
    assert len(failures) == 2
    with pytest.raises(StagingError, match="another worker"):
        running.run(["true"])


def test_an_archive_has_a_hundred_files_in_each_directory(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.tar", 201, 10)
    with tarfile.open(tmp_path / "a.tar") as archive:
        members = archive.getmembers()
    files = [member for member in members if member.isfile()]
    assert len(files) == 201
    assert {member.size for member in files} == {10}
    assert [member.name for member in members if member.isdir()] == ["0000", "0001", "0002"]
    assert files[-1].name == "0002/00000200.dat"
