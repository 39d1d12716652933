"""The ledger's row of a job: whose it is, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from oracle_refresh.oracle.errors import RefreshError, TakenOverError
from oracle_refresh.run import ledger as ledgers
from oracle_refresh.run import possession
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.run.possession import Possession
from support.demo import DemoDatabase
from support.frozen import TAKEN_OVER, claim


@pytest.fixture
def ledger(target: oracledb.Connection) -> Iterator[Ledger]:
    ensure_ledger(target)
    made = Ledger(target, "frozen tries")
    yield made
    made.drop(possession.STEP, "load X")


def test_a_try_that_comes_late_takes_nothing_from_a_later_one(ledger: Ledger) -> None:
    first, second = (claim(ledger.run_id, number) for number in (1, 2))
    second.take(ledger)
    with pytest.raises(TakenOverError, match=TAKEN_OVER):
        first.take(ledger)
    second.take(ledger)  # it comes back from the triggerer
    for entitled in (
        claim(ledger.run_id, 1, task="reload_3"),  # another task that loads the same
        Possession("oracle_target", ledger.run_id, "load X", "02990001", 1, "move_3"),  # the run began anew
        claim(ledger.run_id, 3),
    ):
        entitled.take(ledger)


def test_a_job_that_was_given_up_is_not_held_any_more(ledger: Ledger, demo_target: DemoDatabase) -> None:
    mine = claim(ledger.run_id, 1)
    with pytest.raises(TakenOverError), mine.held(demo_target.connect):
        pass
    mine.take(ledger)
    with mine.held(demo_target.connect) as still_held:
        still_held()
    with mine.given_up(ledger.connection) as own:
        assert own
    with pytest.raises(TakenOverError, match="clear the task"), mine.held(demo_target.connect):
        pass


def test_a_killed_owner_holds_up_nobody(ledger: Ledger, demo_target: DemoDatabase) -> None:
    first, second = (claim(ledger.run_id, number) for number in (1, 2))
    first.take(ledger)
    connection = demo_target.connect()
    with first.held(lambda: connection) as still_held:
        with demo_target.system() as system, system.cursor() as cursor:
            cursor.execute("SELECT SID, SERIAL# FROM V$SESSION WHERE SID = :1", [connection.session_id])
            (session,) = cursor
            cursor.execute(f"ALTER SYSTEM KILL SESSION '{session[0]},{session[1]}' IMMEDIATE")
        second.take(ledger)
        with pytest.raises(oracledb.Error):
            still_held()


@pytest.mark.slow
def test_nobody_is_waited_for_without_end(
    ledger: Ledger, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possession, "PATIENCE", 1.5)
    monkeypatch.setattr(ledgers, "LOCK_ONE", f"{ledgers.SELECT_ONE} FOR UPDATE WAIT 1")
    first, second = (claim(ledger.run_id, number) for number in (1, 2))
    first.take(ledger)
    with (
        first.held(demo_target.connect),
        pytest.raises(RefreshError, match="holds a job") as caught,
    ):
        second.take(ledger)
    assert "ORA-30006" in caught.value.codes
    second.take(ledger)
