"""HR: its script runs unmodified, and its views, triggers and procedures do what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

pytestmark = pytest.mark.slow

ROWS = {
    "REGIONS": 5,
    "COUNTRIES": 25,
    "LOCATIONS": 23,
    "DEPARTMENTS": 27,
    "JOBS": 19,
    "EMPLOYEES": 107,
    "JOB_HISTORY": 10,
}


@pytest.fixture(scope="module")
def hr(installed: Callable[..., Any]) -> Iterator[tuple[Any, oracledb.Connection]]:
    outcome, connection = installed("HR")
    yield outcome, connection
    connection.close()


@pytest.fixture
def cursor(hr: tuple[Any, oracledb.Connection]) -> Iterator[oracledb.Cursor]:
    _, connection = hr
    yield connection.cursor()
    connection.rollback()


def test_every_statement_of_the_script_is_taken(hr: tuple[Any, oracledb.Connection]) -> None:
    outcome, _ = hr
    assert [str(refused) for refused in outcome.refused] == []
    assert outcome.statements == 107


@pytest.mark.parametrize(("table", "rows"), ROWS.items())
def test_the_tables_have_their_rows(cursor: oracledb.Cursor, table: str, rows: int) -> None:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    assert cursor.fetchall() == [(rows,)]


def test_keys_use_the_indexes_that_were_made_for_them(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT COUNT(*), SUM(CASE WHEN CONSTRAINT_NAME = INDEX_NAME THEN 1 END) FROM USER_CONSTRAINTS"
        " WHERE CONSTRAINT_TYPE = 'P'"
    )
    assert cursor.fetchall() == [(7, 7)]
    with pytest.raises(
        oracledb.DatabaseError, match=r"ORA-00001: unique constraint \(HR.REG_ID_PK\) violated"
    ):
        cursor.execute("INSERT INTO REGIONS VALUES (10, 'again')")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM EMP_DETAILS_VIEW",
        "UPDATE EMP_DETAILS_VIEW SET SALARY = 1 WHERE 1 = 0",
        "INSERT INTO EMP_DETAILS_VIEW (EMPLOYEE_ID) VALUES (1)",
    ],
)
def test_the_view_is_read_only(cursor: oracledb.Cursor, statement: str) -> None:
    cursor.execute("SELECT COUNT(*) FROM EMP_DETAILS_VIEW")
    assert cursor.fetchall() == [(106,)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-42399"):
        cursor.execute(statement)


def test_a_trigger_calls_the_procedure_that_keeps_the_history(cursor: oracledb.Cursor) -> None:
    cursor.execute("UPDATE EMPLOYEES SET JOB_ID = 'SA_REP' WHERE EMPLOYEE_ID = 105")
    cursor.execute(
        "SELECT JOB_ID, TO_CHAR(START_DATE, 'YYYY-MM-DD') FROM JOB_HISTORY WHERE EMPLOYEE_ID = 105"
    )
    assert cursor.fetchall() == [("IT_PROG", "2015-06-25")]


def test_a_procedure_that_is_replaced_is_what_the_trigger_calls(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "CREATE OR REPLACE PROCEDURE SECURE_DML IS BEGIN RAISE_APPLICATION_ERROR(-20205, 'not now'); END;"
    )
    cursor.execute("ALTER TRIGGER SECURE_EMPLOYEES ENABLE")
    try:
        with pytest.raises(
            oracledb.DatabaseError, match=r'ORA-20205: not now\nORA-06512: at "HR.SECURE_DML", line 1'
        ):
            cursor.execute("DELETE FROM EMPLOYEES WHERE 1 = 0")
    finally:
        cursor.execute("ALTER TRIGGER SECURE_EMPLOYEES DISABLE")


def test_a_trigger_cannot_call_what_has_no_counterpart(cursor: oracledb.Cursor) -> None:
    cursor.execute("CREATE PROCEDURE GIVES_BACK (P OUT NUMBER) IS BEGIN P := 1; END;")
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001: unimplemented feature: a parameter OUT"):
        cursor.execute(
            "CREATE TRIGGER CALLS_IT BEFORE INSERT ON JOBS DECLARE N NUMBER; BEGIN GIVES_BACK(N); END;"
        )
    cursor.execute("DROP PROCEDURE GIVES_BACK")
