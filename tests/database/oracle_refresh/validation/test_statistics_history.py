"""The history of statistics is read by the clock of the ledger, and no farther back than it matters."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.ledger import DONE, RUNNING, Ledger, ensure_ledger
from oracle_refresh.target.objects.build import TABLE_STEP
from oracle_refresh.target.objects.statistics import GATHER_STEP, gather_statistics
from oracle_refresh.validation import statistics_history
from oracle_refresh.validation.statistics_history import check_statistics_history
from support.samples import number

ZONES = ["+00:00", "-11:00", "+13:00"]


class Gathered:
    """A table whose statistics are gathered twice, so that the former ones are in the history."""

    def __init__(self, schema: Any) -> None:
        self.schema, self.table = schema, TableName(schema.name, "PEOPLE")
        ensure_ledger(schema.connection)
        self.ledger = Ledger(schema.connection, "run")
        self.execute("CREATE TABLE PEOPLE (ID NUMBER)", "INSERT INTO PEOPLE VALUES (1)", "COMMIT")

    def execute(self, *statements: str) -> None:
        with self.schema.connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def gather(self, zone: str) -> None:
        self.execute(f"ALTER SESSION SET TIME_ZONE = '{zone}'")
        self.execute(*["BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'PEOPLE'); END;"] * 2)

    def passes(self, zone: str) -> bool:
        with self.schema.server.connect() as system:
            system.cursor().execute(f"ALTER SESSION SET TIME_ZONE = '{zone}'")
            system.cursor().execute(f"ALTER SESSION SET CURRENT_SCHEMA = {self.schema.name}")
            return check_statistics_history(system, "run", [self.table]).holds


@pytest.fixture
def gathered(schema: Any) -> Gathered:
    return Gathered(schema)


@pytest.mark.parametrize("gathering", ZONES)
def test_time_zones_of_sessions_do_not_matter(gathered: Gathered, gathering: str) -> None:
    gathered.gather(gathering)
    gathered.ledger.record(TABLE_STEP, gathered.table.key, DONE)
    assert [gathered.passes(zone) for zone in ZONES] == [True] * 3, "the table was built after it"
    gathered.gather(gathering)
    assert [gathered.passes(zone) for zone in ZONES] == [False] * 3
    gathered.execute("DROP TABLE PEOPLE PURGE", "CREATE TABLE PEOPLE (ID NUMBER)")
    gathered.ledger.record(GATHER_STEP, gathered.table.key, RUNNING)
    gathered.gather(gathering)
    assert [gathered.passes(zone) for zone in ZONES] == [True] * 3, "the refresh has begun to gather before"


def test_statistics_that_the_refresh_gathers_before_it_masks_are_those_of_originals(
    gathered: Gathered,
) -> None:
    key = gathered.table.key
    gathered.ledger.record(TABLE_STEP, key, DONE)
    people = Table(*gathered.table, rows=1, blocks=1, bytes=1, columns=(number("ID"),))
    for masked in ((), (), (key,)):
        gather_statistics(
            gathered.schema.connection, Catalogue(("APP",), (people,)), gathered.ledger, masked=masked
        )
    assert not gathered.passes("+00:00")
    gathered.execute("DROP TABLE PEOPLE PURGE", "CREATE TABLE PEOPLE (ID NUMBER)")
    gathered.ledger.record(TABLE_STEP, key, DONE)
    for _ in range(3):
        gather_statistics(
            gathered.schema.connection, Catalogue(("APP",), (people,)), gathered.ledger, masked=(key,)
        )
    assert gathered.passes("+00:00")


def test_the_history_is_read_since_the_first_build_and_each_time_once(
    gathered: Gathered, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[Any]] = []
    inner = statistics_history.rows

    def rows(connection: Any, statement: str, **binds: Any) -> list[Any]:
        found = inner(connection, statement, **binds)
        if statement == statistics_history.CHANGES:
            asked.append(found)
        return found

    monkeypatch.setattr(statistics_history, "rows", rows)
    gathered.gather("+00:00")
    assert gathered.passes("+00:00")
    assert asked == [], "nothing was built"
    gathered.ledger.record(TABLE_STEP, gathered.table.key, DONE)
    gathered.execute(
        "UPDATE REFRESH$LEDGER SET STARTED_AT = STARTED_AT + NUMTODSINTERVAL(28, 'HOUR')", "COMMIT"
    )
    assert gathered.passes("+00:00")
    gathered.execute(
        "UPDATE REFRESH$LEDGER SET STARTED_AT = STARTED_AT - NUMTODSINTERVAL(28, 'HOUR')", "COMMIT"
    )
    assert gathered.passes("+00:00")
    assert [bool(found) for found in asked] == [False, True]
    assert len(asked[1]) == len(set(asked[1]))
