"""DEPOT: its script runs, and its keys, view, triggers and procedures work as in Oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

pytestmark = pytest.mark.slow

ROWS = {"ZONES": 2, "DEPOTS": 6, "POSTS": 3, "STAFF": 40, "POST_HISTORY": 2}


@pytest.fixture(scope="module")
def depot(installed: Callable[..., Any]) -> Iterator[tuple[Any, oracledb.Connection]]:
    outcome, connection = installed("DEPOT")
    yield outcome, connection
    connection.close()


@pytest.fixture
def cursor(depot: tuple[Any, oracledb.Connection]) -> Iterator[oracledb.Cursor]:
    _, connection = depot
    yield connection.cursor()
    connection.rollback()


def test_script_runs_every_statement(depot: tuple[Any, oracledb.Connection]) -> None:
    outcome, _ = depot
    assert [str(refused) for refused in outcome.refused] == []
    assert outcome.statements == 51


@pytest.mark.parametrize(("table", "rows"), ROWS.items())
def test_table_has_the_rows_of_the_script(cursor: oracledb.Cursor, table: str, rows: int) -> None:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    assert cursor.fetchall() == [(rows,)]


def test_keys_use_the_existing_indexes_of_the_same_name(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT COUNT(*), SUM(CASE WHEN CONSTRAINT_NAME = INDEX_NAME THEN 1 END) FROM USER_CONSTRAINTS"
        " WHERE CONSTRAINT_TYPE = 'P'"
    )
    assert cursor.fetchall() == [(6, 6)]
    with pytest.raises(
        oracledb.DatabaseError, match=r"ORA-00001: unique constraint \(DEPOT.POSTS_PK\) violated"
    ):
        cursor.execute("INSERT INTO POSTS (POST_ID, TITLE) VALUES ('HEAD', 'again')")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM STAFF_DETAILS",
        "UPDATE STAFF_DETAILS SET PAY = 1 WHERE 1 = 0",
        "INSERT INTO STAFF_DETAILS (STAFF_ID) VALUES (1)",
    ],
)
def test_change_of_a_read_only_view_fails(cursor: oracledb.Cursor, statement: str) -> None:
    cursor.execute("SELECT COUNT(*) FROM STAFF_DETAILS")
    assert cursor.fetchall() == [(39,)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-42399"):
        cursor.execute(statement)


def test_trigger_calls_the_procedure_that_writes_the_history(cursor: oracledb.Cursor) -> None:
    cursor.execute("UPDATE STAFF SET POST_ID = 'CLERK' WHERE STAFF_ID = 7")
    cursor.execute("SELECT POST_ID, TO_CHAR(STARTED, 'YYYY-MM-DD') FROM POST_HISTORY WHERE STAFF_ID = 7")
    assert cursor.fetchall() == [("MECHANIC", "2015-05-10")]


def test_trigger_calls_a_replaced_procedure(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "CREATE OR REPLACE PROCEDURE CHECK_HOURS IS BEGIN RAISE_APPLICATION_ERROR(-20205, 'not now'); END;"
    )
    cursor.execute("ALTER TRIGGER STAFF_HOURS ENABLE")
    try:
        with pytest.raises(
            oracledb.DatabaseError, match=r'ORA-20205: not now\nORA-06512: at "DEPOT.CHECK_HOURS", line 1'
        ):
            cursor.execute("DELETE FROM STAFF WHERE 1 = 0")
    finally:
        cursor.execute("ALTER TRIGGER STAFF_HOURS DISABLE")


def test_trigger_that_calls_a_procedure_with_out_parameter_is_refused(cursor: oracledb.Cursor) -> None:
    cursor.execute("CREATE PROCEDURE GIVES_BACK (P OUT NUMBER) IS BEGIN P := 1; END;")
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001: unimplemented feature: a parameter OUT"):
        cursor.execute(
            "CREATE TRIGGER CALLS_IT BEFORE INSERT ON POSTS DECLARE N NUMBER; BEGIN GIVES_BACK(N); END;"
        )
    cursor.execute("DROP PROCEDURE GIVES_BACK")
