"""Nobody looks back behind the masking: AS OF SCN, with the real driver."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import Partition, Table
from oracle_refresh.masking import history
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.validation.history import check_history
from support.samples import number, text

COLUMNS = (number("ID"), text("NAME", 20))


class People:
    def __init__(self, schema: Any) -> None:
        self.connection: oracledb.Connection = schema.connection
        self.table = Table(schema.name, "PEOPLE", 3, 8192, 1, COLUMNS)
        self.execute("CREATE TABLE PEOPLE (ID NUMBER, NAME VARCHAR2(20))")
        self.execute("INSERT INTO PEOPLE SELECT LEVEL, 'Jane ' || LEVEL FROM DUAL CONNECT BY LEVEL <= 3")
        self.connection.commit()
        self.before = history.current_scn(self.connection)
        self.execute("UPDATE PEOPLE SET NAME = 'masked'")
        self.connection.commit()

    def execute(self, statement: str) -> list[Any]:
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def verdict(self) -> Any:
        return check_history(self.connection, {TableName(self.table.owner, self.table.name): self.before})


@pytest.fixture
def people(schema: Any) -> People:
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
    return People(schema)


def test_originals_that_undo_still_shows_are_found(people: People) -> None:
    assert people.execute(f"SELECT NAME FROM PEOPLE AS OF SCN {people.before} WHERE ID = 1") == [("Jane 1",)]
    verdict = people.verdict()
    assert not verdict.holds
    assert people.table.key in verdict.detail


def test_a_closed_history_shows_nothing_and_leaves_nothing(people: People) -> None:
    history.close(people.connection, people.table)
    with pytest.raises(oracledb.DatabaseError, match="ORA-01466"):
        people.execute(f"SELECT NAME FROM PEOPLE AS OF SCN {people.before}")
    assert people.verdict().holds
    assert people.execute("SELECT COUNT(*) FROM USER_CONSTRAINTS") == [(0,)]
    assert people.execute("SELECT COUNT(*) FROM PEOPLE WHERE NAME = 'masked'") == [(3,)]


def test_what_a_killed_call_left_does_not_stop_the_next(people: People) -> None:
    add, _ = history.statements(people.table)
    people.execute(add)
    history.close(people.connection, people.table)
    assert people.execute("SELECT COUNT(*) FROM USER_CONSTRAINTS") == [(0,)]


def test_a_table_that_cannot_be_changed_is_told(people: People) -> None:
    people.execute("DROP TABLE PEOPLE PURGE")
    with pytest.raises(MaskingError, match="ORA-00942"):
        history.close(people.connection, people.table)


@pytest.fixture
def nothing_hidden(people: People, monkeypatch: pytest.MonkeyPatch) -> People:
    """The constraint is one that Oracle would look across."""
    owner = people.table.owner
    monkeypatch.setattr(
        history,
        "statements",
        lambda table: (
            f"COMMENT ON TABLE {owner}.PEOPLE IS 'added'",
            f"COMMENT ON TABLE {owner}.PEOPLE IS 'dropped'",
        ),
    )
    return people


def test_a_table_is_moved_where_the_constraint_hides_nothing(nothing_hidden: People) -> None:
    people = nothing_hidden
    history.close(people.connection, people.table)
    with pytest.raises(oracledb.DatabaseError, match="ORA-01466"):
        people.execute(f"SELECT NAME FROM PEOPLE AS OF SCN {people.before}")
    assert people.verdict().holds
    assert people.execute("SELECT COUNT(*) FROM PEOPLE WHERE NAME = 'masked'") == [(3,)]


def test_partitions_are_moved_under_the_names_that_this_database_gave_them(nothing_hidden: People) -> None:
    people = nothing_hidden
    people.execute("DROP TABLE PEOPLE PURGE")
    people.execute(
        "CREATE TABLE PEOPLE (ID NUMBER, NAME VARCHAR2(20)) PARTITION BY RANGE (ID) INTERVAL (1)"
        " (PARTITION FIRST VALUES LESS THAN (2))"
    )
    people.execute("INSERT INTO PEOPLE SELECT LEVEL, 'Jane ' || LEVEL FROM DUAL CONNECT BY LEVEL <= 3")
    people.connection.commit()
    before = history.current_scn(people.connection)
    of_the_source = (Partition("FIRST", 1), Partition("SYS_P1", 2), Partition("SYS_P2", 3))
    table = replace(people.table, partitions=of_the_source, grows=True)
    history.close(people.connection, table)
    with pytest.raises(oracledb.DatabaseError, match="ORA-01466"):
        people.execute(f"SELECT NAME FROM PEOPLE AS OF SCN {before}")
    assert people.execute("SELECT COUNT(*) FROM PEOPLE") == [(3,)]
