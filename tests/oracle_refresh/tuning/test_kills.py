"""Tuning and restoring, killed before every single statement that changes something: the real driver, a real
database, and a full dump of it before and after."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.errors import TuningError
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore
from support.demo import DemoDatabase
from support.tuning import Silent, whole

PHASE = Phase.model_validate(
    {
        "parameters": {
            "pga_aggregate_target": "= max(current, 128M)",
            "undo_retention": 3600,
            "db_block_checking": "MEDIUM",
            "commit_wait": "NOWAIT",
            "recyclebin": "ON",
        },
        "redo": {"size": "210M"},
        "undo": {"size": "64M"},
        "temp": {"size": "40G"},
        "force_logging": True,
        "scope": "both",
    }
)
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
def before(target: oracledb.Connection) -> dict[str, list[Any]]:
    return whole(target)


def tune(connection: Any, phase: Phase = PHASE, run_id: str = RUN) -> None:
    apply_changes(connection, plan_changes(phase, read_instance(connection)), run_id, "load", Silent())


def is_killed(database: DemoDatabase, lives: int, work: Any) -> bool:
    with database.connect() as connection:
        try:
            work(Mortal(connection, lives))
        except Killed:
            return True
    return False


def test_applying_is_killed_at_every_step(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    lives = 0
    while is_killed(demo_target, lives, tune):
        restore(target, RUN)
        assert whole(target) == before, f"killed before change {lives}"
        assert Records(target).open() == []
        lives += 1
    assert whole(target) != before
    restore(target, RUN)
    assert whole(target) == before
    assert lives > 40, "the kills came too late to show anything"


def test_restoring_is_killed_at_every_step(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """Each try is killed one change later than the one before, and the next goes on where it was."""
    lives = 0
    tune(target)
    while is_killed(demo_target, lives, lambda connection: restore(connection, RUN)):
        lives += 1
        if lives % 5 == 0:  # from the beginning, so that late steps are reached as well as early ones
            restore(target, RUN)
            assert whole(target) == before
            tune(target)
    assert whole(target) == before
    assert lives > 20, "the kills came too late to show anything"


def test_a_killed_try_is_repeated_and_restored(
    demo_target: DemoDatabase, target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """Airflow's next try goes on with what the killed one has left, and forgets nothing of before."""
    tune(target)
    tuned = whole(target)
    restore(target)
    for lives in range(0, 200, 7):
        if not is_killed(demo_target, lives, tune):
            break
        tune(target)
        found = whole(target)
        for query in tuned:
            if "V$LOG" not in query:  # the numbers of groups depend on where the killed try was
                assert found[query] == tuned[query]
        restore(target, RUN)
        assert whole(target) == before, f"killed before change {lives}"


def test_what_oracle_refuses_leaves_nothing_behind(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    """A value that only Oracle knows to be wrong: a server parameter file names no such file."""
    wrong = PHASE.model_copy(update={"parameters": {**PHASE.parameters, "nls_language": "KLINGON"}})
    with pytest.raises(TuningError) as caught:
        tune(target, wrong)
    assert "ORA-" in str(caught.value)
    assert whole(target) == before
    assert Records(target).open() == []


def test_what_others_change_meanwhile_is_left_alone(
    target: oracledb.Connection, before: dict[str, list[Any]]
) -> None:
    tune(target)
    with target.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET undo_retention = 7200 SCOPE = BOTH")
        cursor.execute("ALTER SYSTEM SET pga_aggregate_target = 67108864 SCOPE = MEMORY")
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
    other = Phase.model_validate({"parameters": {"resumable_timeout": 60}})
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
