"""Two shards of ten rows: every transport that can be, how they are loaded, and nothing left of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.first_contact import leftovers, loading, moving, writing
from oracle_refresh.first_contact import throwaway as room
from oracle_refresh.first_contact.model import Check, Outcome
from oracle_refresh.first_contact.moving import move_ten_rows
from oracle_refresh.oracle.errors import DataPumpError, StagingError
from support.demo import DemoDatabase
from support.staging import LINK, folder, make_link
from support.transfer import demo


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def target(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[oracledb.Connection]:
    """A connection of REFRESH_TARGET, which has a link to the source."""
    with make_link(demo_source, demo_target), demo_target.connect() as connection:
        yield connection


def definition(link: str | None = LINK, **datapump: Any) -> RefreshDefinition:
    """The demo's with a database link to the source. Without it, `stream` is the only transport."""
    staging = demo().staging.model_dump(mode="json") | {"database_link": link}
    return demo(schemas=["APP"], staging=staging, datapump=datapump)


def held(source: oracledb.Connection, target: oracledb.Connection) -> list[Any]:
    """Objects, users and jobs of both ends, and the files behind their DIRECTORYs."""
    found: list[Any] = []
    for connection, directory in ((source, "REFRESH_DUMPS"), (target, "REFRESH_STAGE")):
        with connection.cursor() as cursor:
            cursor.execute("SELECT OWNER, OBJECT_TYPE, OBJECT_NAME FROM DBA_OBJECTS ORDER BY 1, 2, 3")
            found.append(cursor.fetchall())
            cursor.execute("SELECT USERNAME FROM DBA_USERS ORDER BY 1")
            found.append(cursor.fetchall())
            cursor.execute("SELECT JOB_NAME FROM USER_DATAPUMP_JOBS")
            found.append(cursor.fetchall())
        path = folder(connection, directory)
        found.append(sorted(str(one.relative_to(path)) for one in path.rglob("*")) if path.exists() else [])
    return found


Climbs = Callable[[RefreshDefinition], tuple[tuple[Check, ...], dict[str, Any]]]


@pytest.fixture
def climb(source: oracledb.Connection, target: oracledb.Connection, demo_target: DemoDatabase) -> Climbs:
    """Climbs the step with a definition: nothing fails, and nothing of it is left."""

    def climbs(wanted: RefreshDefinition) -> tuple[tuple[Check, ...], dict[str, Any]]:
        before = held(source, target)
        checks, facts = move_ten_rows(source, target, wanted, demo_target.connect)
        assert [check for check in checks if check.outcome is Outcome.FAILED] == []
        assert held(source, target) == before
        return checks, facts

    return climbs


@pytest.fixture
def _short_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "LONGEST_HOLD", 0.5)


def test_two_shards_go_by_every_transport_and_nothing_is_left(climb: Climbs) -> None:
    checks, facts = climb(definition())
    for way in ("stream", "file_transfer"):
        assert facts[way] == facts[way] | {"rows": 20, "tm_waits": False, "methods": ["external_table"]}
    untried = [check for check in checks if check.problem]
    assert [check.name for check in untried] == ["network_link", "mounted", "shared"]
    assert all(check.outcome is Outcome.SKIPPED and check.remedy for check in untried)


@pytest.mark.usefixtures("_short_hold")
def test_rows_over_a_link_need_no_files(climb: Climbs, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_dbfs_role(*_: object) -> bool:
        raise oracledb.DatabaseError("ORA-00942: table or view does not exist")

    monkeypatch.setattr(leftovers, "is_there", without_dbfs_role)
    wanted = definition(transport="network_link", database_link=LINK).to_json()
    wanted["staging"]["target_directory"] = "DATA_PUMP_DIR"  # for logs: no store is made
    _, facts = climb(RefreshDefinition.from_json(wanted))
    assert facts["network_link"]["rows"] == 20


def test_loads_that_want_the_table_for_themselves_are_told(climb: Climbs) -> None:
    checks, facts = climb(definition(access_method="direct_path"))
    for way in ("stream", "file_transfer"):
        assert facts[way] == facts[way] | {"rows": 20, "tm_waits": True, "methods": ["direct_path"]}
    (told,) = [check for check in checks if check.name == "stream: loads at the same time"]
    assert told.outcome is Outcome.PASSED
    assert "queue" in (told.problem or "")


@pytest.mark.usefixtures("_short_hold")
def test_loads_whose_waiting_cannot_be_seen_are_told(climb: Climbs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        loading, "TM_WAITS", "SELECT 0 FROM DUAL WHERE :owner IS NOT NULL AND :name IS NOT NULL"
    )
    checks, facts = climb(definition(None, access_method="direct_path"))
    assert facts["stream"]["rows"] == 20
    assert facts["stream"]["tm_waits"] is None
    assert facts["stream"]["methods"] == ["direct_path"]
    (told,) = [check for check in checks if check.name == "stream: loads at the same time"]
    assert told.outcome is Outcome.SKIPPED
    assert "had not ended" in (told.problem or "")


def test_everything_left_is_named(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Files of a removal that failed, and sessions, directories and partial files of others."""
    real, begun = moving.remove_left, moving.unfinished
    monkeypatch.setattr(leftovers, "ENDING_SECONDS", 0.0)
    with ExitStack() as held_open:
        system = held_open.enter_context(demo_target.system())

        names: list[str] = []

        def broken(*_: Any) -> None:
            system.cursor().execute("CREATE DIRECTORY FORGOTTEN AS '/tmp'")
            held_open.callback(lambda: system.cursor().execute("DROP DIRECTORY FORGOTTEN"))
            open_still = held_open.enter_context(demo_target.connect())
            open_still.module = "forgotten@a_host"
            open_still.ping()
            path = folder(target, "REFRESH_STAGE") / names[0]  # what file_transfer has begun
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            raise StagingError("no", codes=("ORA-29283",))

        def noted(connection: oracledb.Connection, run_id: str) -> list[str]:
            names.extend(begun(connection, run_id))
            return names

        for end, directory in ((source, "REFRESH_DUMPS"), (target, "REFRESH_STAGE")):
            held_open.callback(lambda path: [one.unlink() for one in path.glob("*")], folder(end, directory))
        removals = iter([real])
        monkeypatch.setattr(moving, "remove_left", lambda *ends: next(removals, broken)(*ends))
        monkeypatch.setattr(moving, "unfinished", noted)
        checks, _ = move_ten_rows(source, target, definition(), demo_target.connect)
    removal, left = [check for check in checks if check.outcome is Outcome.FAILED]
    assert (removal.name, removal.codes) == ("removal of jobs and files", ("ORA-29283",))
    assert left.name == "nothing is left"
    told = left.problem or ""
    assert "source: file" in told
    assert "target: DIRECTORY FORGOTTEN" in told
    assert " of forgotten" in told
    assert "a_host" not in told
    assert ".1.part in REFRESH_STAGE" in told


def test_what_fails_leaves_nothing(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = held(source, target)

    def broken(*_: Any, **__: Any) -> None:
        raise DataPumpError("no", codes=("ORA-39002",))

    monkeypatch.setattr(moving, "load_together", broken)
    checks, _ = move_ten_rows(source, target, definition(), demo_target.connect)
    failed = [check for check in checks if check.outcome is Outcome.FAILED]
    assert [check.codes for check in failed] == [("ORA-39002",)] * 2
    assert held(source, target) == before


def test_the_next_command_removes_what_a_killed_one_has_left(
    source: oracledb.Connection,
    target: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = held(source, target)
    real = moving.load_together

    def dies(*arguments: Any, **named: Any) -> None:
        real(*arguments, **named)
        raise Killed

    with monkeypatch.context() as dead, demo_target.connect() as first:
        dead.setattr(moving, "load_together", dies)
        dead.setattr(moving, "_cleared", lambda *_: None)
        removals = iter([moving.remove_left])  # the first looks for what others have left
        dead.setattr(moving, "remove_left", lambda *ends: next(removals, lambda *_: None)(*ends))
        for tidying in ("_forget", "_drop_control_tables"):
            dead.setattr(room, tidying, lambda *_: None)
        dead.setattr(room.OwnSchemas, "drop", lambda *_: False)
        with pytest.raises(Killed):
            move_ten_rows(source, first, definition(), demo_target.connect)
    assert held(source, target) != before
    # The step below comes first in every climb. `test_writing.py` checks the rest of it.
    for trial in ("make_tables", "rebuild", "name_exotics", "try_algorithms", "try_rules"):
        monkeypatch.setattr(writing, trial, lambda *_: ())
    writing.try_in_throwaway_schema(source, target, definition())
    assert held(source, target) == before
