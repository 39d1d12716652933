from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import PreflightError, RefreshError
from oracle_refresh.oracle.session import limit_short_calls
from oracle_refresh.run.ledger import (
    CREATE,
    DONE,
    FAILED,
    RUNNING,
    TABLE,
    WRITERS,
    Ledger,
    ensure_ledger,
)
from oracle_refresh.run.possession import Possession


@pytest.fixture
def ledger(target: oracledb.Connection, run: str) -> Ledger:
    ensure_ledger(target)
    return Ledger(target, run)


@pytest.fixture
def run() -> str:
    return f"manual__2026-01-02T03:04:05+00:00_{uuid.uuid4().hex[:8]}"


@pytest.fixture
def second(demo_target: Any) -> Iterator[oracledb.Connection]:
    with demo_target.connect() as connection:
        yield connection


def test_the_table_is_made_once(ledger: Ledger) -> None:
    ensure_ledger(ledger.connection)
    with ledger.connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :1", [TABLE])
        assert cursor.fetchone() == (1,)


def test_transactions_of_many_tasks_have_entries_in_its_blocks(ledger: Ledger) -> None:
    """SQL Language Reference 19c, physical_attributes_clause, INITRANS: 1 of a table, 2 of an index else."""
    with ledger.connection.cursor() as cursor:
        cursor.execute("SELECT INI_TRANS FROM USER_TABLES WHERE TABLE_NAME = :1", [TABLE])
        assert cursor.fetchall() == [(WRITERS,)]
    assert f"USING INDEX INITRANS {WRITERS}" in CREATE  # localoracle keeps no attributes of a key's index


def test_without_the_privilege_it_is_refused_with_a_remedy(demo_target: Any) -> None:
    with demo_target.connect("APP_READER") as connection, pytest.raises(PreflightError) as caught:
        ensure_ledger(connection)
    assert "ORA-01031" in caught.value.codes
    assert "grant CREATE TABLE" in str(caught.value)


def test_what_is_recorded_is_read_back(ledger: Ledger, run: str) -> None:
    assert ledger.state("load", "S001") is None
    ledger.record("load", "S001", RUNNING)
    ledger.record("load", "S001", DONE, {"rows": 2**60, "text": "Füße ☃ '"})
    ledger.record("load", "S002", FAILED)
    ledger.record("stage", "S001", DONE)
    row = ledger.entry("load", "S001")
    assert row is not None
    assert (row.state, row.detail) == (DONE, {"rows": 2**60, "text": "Füße ☃ '"})
    assert row.updated_at >= row.started_at
    assert [(one.step, one.key) for one in ledger.rows()] == [
        ("load", "S001"),
        ("load", "S002"),
        ("stage", "S001"),
    ]
    assert [one.key for one in ledger.rows("load")] == ["S001", "S002"]
    assert Ledger(ledger.connection, run + "x").rows() == []


def test_an_uncommitted_record_shares_the_fate_of_its_change(
    ledger: Ledger, run: str, second: oracledb.Connection
) -> None:
    ledger.record("mask", "APP.T", DONE, commit=False)
    assert Ledger(second, run).state("mask", "APP.T") is None
    ledger.connection.rollback()
    assert ledger.state("mask", "APP.T") is None
    ledger.record("mask", "APP.T", DONE, commit=False)
    ledger.connection.commit()
    assert Ledger(second, run).state("mask", "APP.T") == DONE


def test_a_change_is_claimed_once(ledger: Ledger) -> None:
    assert ledger.claim("mask", "APP.T", {"rows": 1})
    ledger.connection.rollback()
    assert ledger.claim("mask", "APP.T", {"rows": 2})
    ledger.connection.commit()
    assert not ledger.claim("mask", "APP.T", {"rows": 3})
    assert not ledger.begin("mask", "APP.T")
    ledger.connection.commit()
    row = ledger.entry("mask", "APP.T")
    assert row is not None
    assert row.detail == {"rows": 2}


def test_a_try_ends_only_what_it_has_begun(ledger: Ledger) -> None:
    first, second = {"try": "a"}, {"try": "b"}
    assert not ledger.settle("mask", "APP.T", first, {}), "nothing has begun"
    for begun in (first, second):
        assert ledger.begin("mask", "APP.T", begun)
    assert not ledger.settle("mask", "APP.T", first, {"rows": 1})
    assert ledger.settle("mask", "APP.T", second, {"rows": 2})
    ledger.connection.commit()
    assert not ledger.settle("mask", "APP.T", second, {"rows": 3})
    row = ledger.entry("mask", "APP.T")
    assert row is not None
    assert (row.state, row.detail) == (DONE, {"rows": 2})


def test_what_began_or_failed_can_be_claimed(ledger: Ledger) -> None:
    for key, state in (("a", RUNNING), ("b", FAILED)):
        assert ledger.begin("load", key)
        ledger.record("load", key, state)
        assert ledger.begin("load", key), "a repeated try may begin again"
        assert ledger.claim("load", key)
        ledger.connection.commit()
        assert ledger.state("load", key) == DONE


@pytest.mark.parametrize("began", [False, True])
@pytest.mark.parametrize("outcome", ["commit", "rollback"])
def test_of_two_sessions_one_makes_the_change(
    ledger: Ledger, run: str, second: oracledb.Connection, began: bool, outcome: str
) -> None:
    if began:
        ledger.begin("mask", "APP.T")
    assert ledger.claim("mask", "APP.T", {"by": 1})
    answers: list[bool] = []

    def other() -> None:
        answers.append(Ledger(second, run).claim("mask", "APP.T", {"by": 2}))
        second.commit()

    thread = threading.Thread(target=other)
    thread.start()
    thread.join(0.5)
    assert thread.is_alive(), "the second session waits for the first one's end"
    getattr(ledger.connection, outcome)()
    thread.join(120)
    assert not thread.is_alive()
    row = ledger.entry("mask", "APP.T")
    assert row is not None
    assert row.state == DONE
    assert (answers, row.detail) == (([False], {"by": 1}) if outcome == "commit" else ([True], {"by": 2}))


def test_many_items_are_recorded_at_once(ledger: Ledger) -> None:
    ledger.record("build_table", "APP.A", RUNNING, {"n": 1})
    ledger.record_all("build_table", DONE, {"APP.A": None, "APP.B": {"n": 2}, "APP.C": None})
    ledger.record_all("build_table", DONE, {})
    ledger.connection.rollback()
    assert {row.key: (row.state, row.detail) for row in ledger.rows("build_table")} == {
        "APP.A": (DONE, {}), "APP.B": (DONE, {"n": 2}), "APP.C": (DONE, {}),
    }  # fmt: skip


def test_many_items_some_of_which_another_try_records_meanwhile(
    ledger: Ledger, run: str, second: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = ledger.states

    def states(step: str) -> dict[str, str]:
        found = inner(step)
        Ledger(second, run).record(step, "APP.B", RUNNING)
        return found

    monkeypatch.setattr(ledger, "states", states)
    ledger.record_all("build_table", DONE, {"APP.A": None, "APP.B": None, "APP.C": None})
    assert inner("build_table") == dict.fromkeys(("APP.A", "APP.B", "APP.C"), DONE)


def test_a_detail_that_does_not_fit_is_refused_before_anything_is_written(ledger: Ledger) -> None:
    with pytest.raises(RefreshError, match="a ledger row holds 4000"):
        ledger.record("load", "S001", DONE, {"text": "ü" * 1000})
    assert ledger.rows() == []
    ledger.record("load", "S001", DONE, {"text": "x" * 3980})


def test_other_errors_are_not_swallowed(ledger: Ledger) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
        ledger.record("load", "S001", "x" * 31)
    ledger.connection.rollback()


@pytest.mark.slow
def test_a_try_waits_for_the_end_of_a_job_that_another_one_discards(
    ledger: Ledger, second: oracledb.Connection, run: str
) -> None:
    """Longer than a short call may take: a try that gave up would not get the job that it is to find."""
    former, later = (Possession("target", run, "load S001", name, 1) for name in ("former", "later"))
    limit_short_calls(second, 0.2)
    former.take(ledger)

    def take() -> None:
        later.take(Ledger(second, run))

    with ThreadPoolExecutor() as pool:
        with former.given_up(ledger.connection) as mine:
            assert mine
            taken = pool.submit(take)
            with pytest.raises(TimeoutError):
                taken.result(1.0)
        taken.result()
    with former.given_up(ledger.connection) as mine:
        assert not mine
    with later.given_up(second) as mine:
        assert mine
