"""What the operators share: waiting, progress, the run's store, templates."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import oracledb
import pytest

from oracle_refresh.datapump.dumpset import EXPORT, DumpSet
from oracle_refresh.experience.degree_advice import RECOMMENDATION
from oracle_refresh.operators.tables import AwaitTable
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.run.approval import REQUEST, Request
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.target.quarantine import never_released
from oracle_refresh.target.quarantine.statements import LOCKED
from support.demo import DemoDatabase
from support.small_run import SmallRun


@pytest.fixture
def documents(target: oracledb.Connection) -> Iterator[Documents]:
    documents = Documents(target, "store race")
    documents.ensure()
    ensure_ledger(target)
    yield documents
    with target.cursor() as cursor:
        cursor.execute("""DELETE FROM "REFRESH$RUN" WHERE RUN_ID LIKE 'store %'""")
        cursor.execute("""DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID LIKE 'store %'""")
    target.commit()


def dump_set(scn: int) -> DumpSet:
    return DumpSet("S001", "R_S001", scn, "DUMPS", "s001_1.log", (), (), 1.0)


def test_waiting_fails_when_a_job_is_lost(new_run: Callable[..., SmallRun]) -> None:
    task = new_run().task(AwaitTable, unit="APP.EMPLOYEES")
    with pytest.raises(DataPumpError, match=r"APP.EMPLOYEES cannot be completed: S002 failed for good"):
        task.resume({}, {"lost": ["S002"]})


def test_facts_of_many_items_are_read_together(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle_refresh.run.documents.ITEMS", 2)
    for number in range(5):
        documents.put(EXPORT, f"S{number:03}", dump_set(number))
    items = [f"S{number:03}" for number in range(1, 7)]
    assert {item: found.scn for item, found in documents.some(EXPORT, items).items()} == {
        "S001": 1, "S002": 2, "S003": 3, "S004": 4,
    }  # fmt: skip
    assert documents.some(EXPORT, []) == {}


def test_two_tries_that_leave_the_same_result(documents: Documents, demo_target: DemoDatabase) -> None:
    barrier, failures = threading.Barrier(4), []

    def put(number: int) -> None:
        with demo_target.connect() as connection:
            barrier.wait()
            try:
                Documents(connection, "store race").put(EXPORT, "S001", dump_set(number))
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=put, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(documents.all(EXPORT)) == 1


def test_documents_longer_than_a_varchar(documents: Documents) -> None:
    value = Request(reason="ü" * 100_000)
    documents.put(REQUEST, WHOLE, value)
    documents.put(REQUEST, WHOLE, value)
    assert documents.get(REQUEST, WHOLE) == value


def test_old_runs_are_forgotten_unless_they_hold_accounts(documents: Documents) -> None:
    old, held, new = (
        (Documents(documents.connection, run), Ledger(documents.connection, run))
        for run in ("store old", "store held", "store new")
    )
    for own, ledger in (old, held, new):
        own.put(EXPORT, "S001", dump_set(1))
        ledger.record("load", "S001", DONE)
    held[1].record("quarantine", "APP_READER", LOCKED, {"status": "OPEN"})
    with documents.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE \"REFRESH$RUN\" SET SAVED_AT = SAVED_AT - NUMTODSINTERVAL(100, 'DAY')"
            " WHERE RUN_ID IN ('store old', 'store held')"
        )
    documents.connection.commit()
    assert documents.forget(90, RECOMMENDATION, never_released(documents.connection)) == 1
    assert documents.forget(90, RECOMMENDATION, never_released(documents.connection)) == 0
    assert [bool(own.all(EXPORT)) for own, _ in (old, held, new)] == [False, True, True]
    assert old[1].rows() == []
    assert held[1].state("quarantine", "APP_READER") == LOCKED
