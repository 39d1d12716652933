"""Tuning and restoring, killed before every other statement that changes something: the real driver, a real
database, and a full dump of it before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.records import Records, forget
from oracle_refresh.tuning.restore import restore
from support.demo import DemoDatabase
from support.tuning import Silent, at_work, whole

#: What a profile can want, each for itself, so that only kills among redo logs cost an exchange of redo logs.
KINDS: dict[str, dict[str, Any]] = {
    "parameters": {
        "parameters": {"undo_retention": 3600, "recyclebin": "ON", "commit_wait": "NOWAIT"},
        "scope": "both",
    },
    "redo": {"redo": {"size": "210M"}},
    "undo": {"undo": {"size": "64M"}},
    "temp": {"temp": {"size": "40G"}},
    "force_logging": {"force_logging": True},
}
PHASE = Phase.model_validate({field: wanted for kind in KINDS.values() for field, wanted in kind.items()})
RUN = "a_run"
#: What changes something begins with one of these.
CHANGING = ("ALTER", "CREATE", "DROP", "INSERT", "UPDATE", "DELETE")


class Killed(BaseException):
    """Not an Exception, as SIGKILL is none: nothing may catch it and tidy up."""


class MortalCursor:
    def __init__(self, cursor: oracledb.Cursor, mortal: Mortal) -> None:
        self._cursor, self._mortal = cursor, mortal

    def execute(self, statement: str, *arguments: Any, **binds: Any) -> Any:
        if statement.startswith(CHANGING):
            self._mortal.live()
        return self._cursor.execute(statement, *arguments, **binds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            setattr(self._cursor, name, value)

    def __iter__(self) -> Any:
        return iter(self._cursor)

    def __enter__(self) -> MortalCursor:
        return self

    def __exit__(self, *_: object) -> None:
        self._cursor.close()


class Mortal:
    """A connection whose process dies before its nth change or commit; the session ends with it."""

    def __init__(self, connection: oracledb.Connection, lives: int) -> None:
        self.connection, self.lives = connection, lives

    def live(self) -> None:
        self.lives -= 1
        if self.lives < 0:
            self.connection.close()  # rolls back, as the database does when a client is gone
            raise Killed

    def commit(self) -> None:
        self.live()
        self.connection.commit()

    def cursor(self) -> MortalCursor:
        return MortalCursor(self.connection.cursor(), self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


@pytest.fixture
def before(target: oracledb.Connection) -> Iterator[dict[str, list[Any]]]:
    found = whole(target)
    yield found
    restore(target)  # what a test that failed has left does not fail the next one


def tune(connection: Any, phase: Phase = PHASE, run_id: str = RUN) -> None:
    apply_changes(connection, plan_changes(phase, read_instance(connection)), run_id, "load", Silent())


def is_killed(database: DemoDatabase, lives: int, work: Any) -> bool:
    with database.connect() as connection:
        try:
            work(Mortal(connection, lives))
        except Killed:
            return True
    return False


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Phase:
    return Phase.model_validate(KINDS[request.param])


def test_applying_killed_at_every_other_step_is_restored(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]], kind: Phase
) -> None:
    lives = 0
    while is_killed(demo_target, lives, lambda connection: tune(connection, kind)):
        restore(target, RUN)
        assert whole(target) == before, f"killed before change {lives}"
        assert Records(target).open() == []
        lives += 2
    assert whole(target) != before
    restore(target, RUN)
    assert whole(target) == before
    assert lives >= 5, "the kills came too late to show anything"


def test_restoring_killed_at_every_other_step_is_completed(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]], kind: Phase
) -> None:
    lives = 0
    tune(target, kind)
    while is_killed(demo_target, lives, lambda connection: restore(connection, RUN)):
        restore(target, RUN)
        assert whole(target) == before, f"killed before change {lives}"
        tune(target, kind)
        lives += 2
    assert whole(target) == before
    assert lives >= 4, "the kills came too late to show anything"


def test_a_killed_try_is_repeated_and_restored(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """Airflow's next try goes on with what the killed one has left, and forgets nothing of before."""
    tune(target)
    tuned = whole(target)
    restore(target)
    for lives in range(5, 45, 15):
        assert is_killed(demo_target, lives, tune)
        tune(target)
        found = whole(target)
        for query in tuned:
            if "V$LOG" not in query:  # the numbers of groups depend on where the killed try was
                assert found[query] == tuned[query]
        restore(target, RUN)
        assert whole(target) == before, f"killed before change {lives}"


def test_what_oracle_refuses_leaves_nothing_behind(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """A privilege is gone between the plan and its execution, when redo logs are exchanged already."""
    changes = plan_changes(PHASE, read_instance(target))
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("REVOKE ALTER TABLESPACE FROM REFRESH_TARGET")
        try:
            with pytest.raises(TuningError, match=r"ORA-01031.*everything of this run was restored"):
                apply_changes(target, changes, RUN, "load", Silent())
        finally:
            cursor.execute("GRANT ALTER TABLESPACE TO REFRESH_TARGET")
    assert whole(target) == before
    assert Records(target).open() == []


def test_what_the_session_of_a_killed_task_still_makes_is_waited_for(
    demo_target: DemoDatabase,
    target: oracledb.Connection,
    before: dict[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its statement goes on in the database: until it ends, nothing shows what there is to take back."""
    monkeypatch.setattr("oracle_refresh.tuning.restore.ATTEMPTS", 1)
    with at_work(demo_target) as killed:
        tune(killed.connection, Phase.model_validate(KINDS["force_logging"]))
        tuned = whole(target)
        with killed.call():
            restored = restore(target, RUN)
            assert "KILL SESSION" in restored.text
            assert whole(target) == tuned
            ((note, session),) = [(one.note, one.session) for one in Records(target).open(RUN)]
            assert "ORA-00054" in str(note)
            assert session == killed.session
        assert restore(target, RUN).restored == ("force logging",)
    assert whole(target) == before


def test_a_connection_that_is_lost_before_the_first_change_is_told(
    demo_target: DemoDatabase, before: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_target.connect() as connection:
        changes = plan_changes(PHASE, read_instance(connection))

        def lost(_: Any) -> None:
            connection.close()
            connection.ping()

        monkeypatch.setattr("oracle_refresh.tuning.apply.durable", lost)
        with pytest.raises(TuningError, match="DPY-1001"):
            apply_changes(connection, changes, RUN, "load", Silent())


def test_what_others_change_meanwhile_is_left_alone(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    tune(target)
    with target.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET undo_retention = 7200 SCOPE = BOTH")
    restored = restore(target, RUN)
    assert [drift.item for drift in restored.drifted] == ["parameter undo_retention"]
    assert "7200" in restored.text
    after = whole(target)
    changed = {row for query in before for row in set(after[query]) ^ set(before[query])}
    assert {row[0] for row in changed} == {"undo_retention"}
    assert restore(target, RUN).text == "nothing is to be restored"
    with target.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET undo_retention = 900 SCOPE = MEMORY")
        cursor.execute("ALTER SYSTEM RESET undo_retention SCOPE = SPFILE SID = '*'")


def test_one_run_at_a_time(target: oracledb.Connection, before: dict[str, list[Any]]) -> None:
    tune(target)
    other = Phase.model_validate({"parameters": {"resumable_timeout": 60}, "force_logging": True})
    with pytest.raises(TuningError, match="still tuned by a_run; nothing was changed"):
        tune(target, other, "another_run")
    restore(target)
    tune(target, other, "another_run")
    assert whole(target) != before
    restore(target)
    assert whole(target) == before


def test_a_second_phase_of_a_run_goes_back_to_before_the_first(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    tune(target)
    tune(
        target,
        Phase.model_validate(
            {
                "parameters": {"undo_retention": 7200, "commit_wait": "WAIT"},
                "redo": {"size": "220M"},
                "force_logging": False,
            }
        ),
    )
    restore(target, RUN)
    assert whole(target) == before


def test_an_object_of_somebody_else_is_not_taken_over(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    with target.cursor() as cursor:
        cursor.execute("CREATE BIGFILE UNDO TABLESPACE REFRESH_UNDO_1 DATAFILE '/u01/theirs.dbf' SIZE 16M")
    theirs = whole(target)
    with pytest.raises(TuningError, match="REFRESH_UNDO_1 exists already"):
        tune(target)
    assert whole(target) == theirs
    with target.cursor() as cursor:
        cursor.execute("DROP TABLESPACE REFRESH_UNDO_1 INCLUDING CONTENTS AND DATAFILES")
    assert whole(target) == before


def test_records_of_another_database_are_not_its_own(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """A clone made of a tuned database holds the record of its origin."""
    tune(target)
    with target.cursor() as cursor:
        cursor.execute("UPDATE REFRESH$TUNING SET DATABASE = 'origin ' || DATABASE")
        target.commit()
        tuned = whole(target)
        assert restore(target).text == "nothing is to be restored"
        assert whole(target) == tuned
        cursor.execute("UPDATE REFRESH$TUNING SET DATABASE = SUBSTR(DATABASE, 8)")
        target.commit()
    restore(target)
    assert whole(target) == before


def test_old_records_are_forgotten_unless_they_are_open(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    phase = Phase.model_validate({"parameters": {"undo_retention": 1200}})
    for run in ("ended", "still_open"):
        tune(target, phase, run)
        if run == "ended":
            restore(target, run)
    with target.cursor() as cursor:
        cursor.execute("UPDATE REFRESH$TUNING SET ENDED_AT = ENDED_AT - 100, RECORDED_AT = RECORDED_AT - 100")
    target.commit()
    forget(target, 99)
    assert Records(target).all("ended") == []
    assert [record.state for record in Records(target).all("still_open")] == ["open"]
    restore(target)
    assert whole(target) == before
