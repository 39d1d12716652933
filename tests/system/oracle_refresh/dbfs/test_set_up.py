"""Setting up the store and taking it down again, on a running database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.dbfs import store
from oracle_refresh.dbfs.set_up import STEP, TABLESPACE, set_up_store, tear_down_store
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.run.ledger import DONE, FAILED, Ledger, ensure_ledger
from oracle_refresh.transport.stage import still_staged
from support.demo import DemoDatabase
from support.transfer import Fuse, Killed, Mortal, demo

PARTS = (TABLESPACE, store.FILE_SYSTEM, store.REGISTRATION, store.MOUNT)
MB = 1 << 20
#: All that setting up and taking down may touch.
STATE = {
    "tablespaces": "SELECT TABLESPACE_NAME, BIGFILE FROM DBA_TABLESPACES ORDER BY 1",
    "files": "SELECT FILE_NAME, BYTES, AUTOEXTENSIBLE, MAXBYTES FROM DBA_DATA_FILES WHERE TABLESPACE_NAME"
    " NOT IN (SELECT DEFAULT_TABLESPACE FROM DBA_USERS) ORDER BY 1",
    "tables": "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'T\\_%' ESCAPE '\\' ORDER BY 1",
    "file systems": "SELECT STORE_NAME FROM SYS.DBFS_SFS$_FS ORDER BY 1",
    "stores": "SELECT S_NAME FROM SYS.DBFS$_STORES ORDER BY 1",
    "mounts": "SELECT S_NAME, S_MOUNT FROM SYS.DBFS$_MOUNTS ORDER BY 1",
}


class MortalByChanges(Mortal):
    """Only what may change something burns the fuse: between two queries nothing is different."""

    def __getattr__(self, name: str) -> Any:
        if name == "cursor":
            return lambda: MortalByChanges(self._inner.cursor(), self._fuse)
        value = super().__getattr__(name)
        if name != "execute":
            return value
        return lambda text, *words, **binds: (self._inner.execute if text.startswith("SELECT") else value)(
            text, *words, **binds
        )


def is_killed(database: DemoDatabase, calls: int, work: Callable[[Any], object]) -> bool:
    """Whether the work was killed before its next change, after so many; its session has then ended."""
    with database.connect() as connection:
        try:
            work(MortalByChanges(connection, Fuse(calls)))
        except Killed:
            return True
    return False


def state(connection: oracledb.Connection) -> dict[str, list[Any]]:
    with connection.cursor() as cursor:
        return {name: cursor.execute(query).fetchall() for name, query in STATE.items()}


def mount_folder(database: DemoDatabase) -> Path:
    """The mount, on the target's host."""
    return Path(database.server.instance.dbfs_directory / "SET_UP")


def definition(**options: Any) -> RefreshDefinition:
    staging = demo().staging.model_dump(mode="json")
    wanted = {"name": "FS_SET_UP", "tablespace": "STAGE_SET_UP", "create_tablespace": {}, "keep": False}
    return demo(staging=staging | {"mount": "/SET_UP", "store": wanted | options})


@pytest.fixture
def run_id() -> str:
    return f"set_up_{uuid4().hex[:8]}"


@pytest.fixture
def before(target: oracledb.Connection, run_id: str) -> Iterator[dict[str, list[Any]]]:
    ensure_ledger(target)
    found = state(target)
    yield found
    tear_down_store(target, definition(), run_id)  # what a test that failed has left
    assert state(target) == found


def test_made_as_described_and_taken_down(
    target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]
) -> None:
    wanted = definition(
        create_tablespace={"size": "48M", "autoextend": "16M", "max_size": "96M"},
        df="cached", df_seconds=600, pctfree=20, margin=1,
    )  # fmt: skip
    made = set_up_store(target, wanted, run_id, 40 * MB)
    assert set(made.made) == set(PARTS)
    assert (made.needed, made.room.tablespace) == (40 * MB, "STAGE_SET_UP")
    assert 90 * MB < made.room.bytes < 96 * MB
    with target.cursor() as cursor:
        cursor.execute("SELECT PROPERTIES FROM SYS.DBFS_SFS$_TAB WHERE TABLE_NAME = 'T_FS_SET_UP'")
        assert cursor.fetchone() == ("sfs:props:df=full; sfs:props:df_cache=600",)
        cursor.execute("SELECT PCT_FREE, TABLESPACE_NAME FROM USER_TABLES WHERE TABLE_NAME = 'T_FS_SET_UP'")
        assert cursor.fetchone() == (20, "STAGE_SET_UP")
        cursor.execute("SELECT BIGFILE FROM DBA_TABLESPACES WHERE TABLESPACE_NAME = 'STAGE_SET_UP'")
        assert cursor.fetchone() == ("YES",)
    assert set_up_store(target, wanted, run_id, 40 * MB) == made
    assert set_up_store(target, wanted, "another run", 40 * MB).made == ()
    assert tear_down_store(target, wanted, "another run") == ()
    assert set(tear_down_store(target, wanted, run_id)) == set(PARTS)
    assert state(target) == before
    assert tear_down_store(target, wanted, run_id) == ()
    assert still_staged(target, wanted, run_id, ["none_%L.dmp"]) == [], "a release looks again"


def test_a_kept_store_stays(target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]) -> None:
    kept = definition(keep=True)
    set_up_store(target, kept, run_id, MB)
    made = state(target)
    assert tear_down_store(target, kept, run_id) == ()
    assert state(target) == made != before


@pytest.mark.parametrize("with_tablespace", [True, False])
def test_set_up_killed_at_a_spread_of_changes_is_completed_or_undone(
    demo_target: DemoDatabase,
    target: oracledb.Connection,
    run_id: str,
    before: dict[str, list[Any]],
    with_tablespace: bool,
) -> None:
    """The run continues or ends by turns; both leave what they would have left without a kill.

    A tablespace takes its time, so there is one only until it is made.
    """
    options = {} if with_tablespace else {"tablespace": None, "create_tablespace": None}
    wanted, parts = definition(pctfree=20, **options), PARTS if with_tablespace else PARTS[1:]
    calls, made, ledger = 0, None, Ledger(target, run_id)
    while is_killed(demo_target, calls, lambda mortal: set_up_store(mortal, wanted, run_id, MB)):
        whole = ledger.state(STEP, f"{TABLESPACE} STAGE_SET_UP") == DONE
        if calls % 2 or whole:
            if mount_folder(demo_target).exists():
                mount_folder(demo_target).chmod(0o755)  # as it may be when it was killed
            assert set(set_up_store(target, wanted, run_id, MB).made) == set(parts), f"killed at {calls}"
            assert mount_folder(demo_target).stat().st_mode & 0o777 == 0o777, f"killed at {calls}"
            made = made or state(target)
            assert state(target) == made, f"killed at {calls}"
        tear_down_store(target, wanted, run_id)
        assert state(target) == before, f"killed at {calls}"
        calls += 1 if with_tablespace else 3
        if whole:
            assert calls > 3, "the kills came too late to show anything"
            return
    assert not with_tablespace
    assert state(target) == made
    assert calls > 15, "the kills came too late to show anything"
    tear_down_store(target, wanted, run_id)


def test_taking_down_killed_at_a_spread_of_changes_is_completed(
    demo_target: DemoDatabase, target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]
) -> None:
    """The tablespace goes last: there is one for the last kills only, since it takes its time."""
    without, kills = definition(tablespace=None, create_tablespace=None), 0
    for wanted, skipped in ((without, 0), (definition(), 12)):
        calls = skipped
        set_up_store(target, wanted, run_id, MB)
        while is_killed(
            demo_target, calls, lambda mortal, wanted=wanted: tear_down_store(mortal, wanted, run_id)
        ):
            noted = {row.detail["part"] for row in Ledger(target, run_id).rows(STEP) if row.state == DONE}
            assert not skipped or noted <= {TABLESPACE}, "only the tablespace was left"
            tear_down_store(target, wanted, run_id)
            assert state(target) == before, f"killed before change {calls}"
            set_up_store(target, wanted, run_id, MB)
            calls += 1 if skipped else 3
        assert state(target) == before
        kills += calls - skipped
    assert kills > 8, f"{kills} kills came too late to show anything"


def test_what_a_killed_try_has_only_noted_is_his_who_makes_it(
    demo_target: DemoDatabase, target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]
) -> None:
    wanted, calls = definition(tablespace=None, create_tablespace=None), 0
    while not Ledger(target, run_id).rows(STEP):
        assert is_killed(demo_target, calls, lambda mortal: set_up_store(mortal, wanted, run_id, MB))
        calls += 1
    assert state(target) == before, "it was killed too late to show anything"
    later = f"{run_id}_later"
    assert set(set_up_store(target, wanted, later, MB).made) == set(PARTS[1:])
    made = state(target)
    assert tear_down_store(target, wanted, run_id) == ()
    assert state(target) == made != before
    assert set(tear_down_store(target, wanted, later)) == set(PARTS[1:])
    assert state(target) == before


def test_a_definition_that_was_changed_meanwhile_takes_nothing_else_down(
    target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]
) -> None:
    wanted, other = definition(), definition(name="FS_OTHERS", tablespace="STAGE_OTHERS")
    other = other.model_copy(update={"staging": other.staging.model_copy(update={"mount": "/OTHERS"})})
    set_up_store(target, other, f"{run_id}_other", MB)
    others = state(target)
    set_up_store(target, wanted, run_id, MB)
    assert set(tear_down_store(target, other, run_id)) == set(PARTS)
    assert state(target) == others
    tear_down_store(target, other, f"{run_id}_other")
    assert state(target) == before


def test_a_tablespace_that_is_missing(target: oracledb.Connection, run_id: str) -> None:
    with pytest.raises(StagingError, match="no such tablespace") as caught:
        set_up_store(target, definition(create_tablespace=None), run_id, MB)
    assert "create_tablespace" in str(caught.value.remedy)


def test_a_tablespace_of_another_kind(target: oracledb.Connection, run_id: str) -> None:
    with pytest.raises(StagingError, match="TEMPORARY and ONLINE"):
        set_up_store(target, definition(tablespace="TEMP"), run_id, MB)


def test_too_little_room_is_told_before_anything_is_staged(
    target: oracledb.Connection, run_id: str, before: dict[str, list[Any]]
) -> None:
    small = definition(create_tablespace={"size": "32M", "autoextend": None})
    with pytest.raises(StagingError, match="takes 31 MB more") as caught:
        set_up_store(target, small, run_id, 100 * MB)
    assert 'ALTER TABLESPACE "STAGE_SET_UP" ADD DATAFILE SIZE 80M' in str(caught.value.remedy)
    Ledger(target, run_id).record("stage", "S001", "done", {})
    assert set_up_store(target, small, run_id, 100 * MB).room.bytes < 32 * MB, "part of it is used up"


def test_a_tablespace_that_cannot_be_made_is_not_ours(target: oracledb.Connection, run_id: str) -> None:
    """Who makes it after that keeps it."""
    with target.cursor() as cursor:
        cursor.execute("SELECT MIN(FILE_NAME) FROM DBA_DATA_FILES")
        ((file,),) = cursor.fetchall()
    with pytest.raises(StagingError, match="cannot be created") as caught:
        set_up_store(target, definition(create_tablespace={"file": file}), run_id, MB)
    assert caught.value.codes == ("ORA-01537",)
    assert "another file" in str(caught.value.remedy)
    (row,) = Ledger(target, run_id).rows(STEP)
    assert (row.key, row.state) == (f"{TABLESPACE} STAGE_SET_UP", FAILED)
    assert tear_down_store(target, definition(), run_id) == ()


def test_the_server_sees_what_is_in_the_store(target: oracledb.Connection, run_id: str) -> None:
    shown = set_up_store(target, demo(), run_id, MB)
    assert shown.visible
    hidden = demo(staging=demo().staging.model_dump(mode="json") | {"target_directory": "DATA_PUMP_DIR"})
    assert not set_up_store(target, hidden, run_id, MB).visible
    with target.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM DBFS_CONTENT WHERE PATHNAME LIKE '%probe%'")
        assert cursor.fetchone() == (0,)
    text = "\n".join(shown.commands)
    assert "-o direct_io -o server_readahead=0" in text
    assert f"-createCredential {target.dsn} {target.username}" in text
    assert "refresh_target_demo" not in text
