"""SH: partitions with bitmap indexes, materialized views, Oracle Text's index; dimensions are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from support import sales_history

pytestmark = pytest.mark.slow

ROWS = {**sales_history.ROWS, "channels": 5, "countries": 35, "products": 72}


@pytest.fixture(scope="module")
def sh(installed: Callable[..., Any]) -> Iterator[tuple[Any, oracledb.Connection]]:
    outcome, connection = installed("SH", load=sales_history.load)
    yield outcome, connection
    connection.close()


@pytest.fixture
def cursor(sh: tuple[Any, oracledb.Connection]) -> Iterator[oracledb.Cursor]:
    _, connection = sh
    yield connection.cursor()
    connection.rollback()


def test_every_statement_but_the_dimensions_is_taken(sh: tuple[Any, oracledb.Connection]) -> None:
    outcome, _ = sh
    assert [refused.message.splitlines()[0] for refused in outcome.refused] == [
        "ORA-03001: unimplemented feature: CREATE DIMENSION"
    ] * 5
    assert outcome.statements == 175


@pytest.mark.parametrize(("table", "rows"), ROWS.items())
def test_the_tables_have_their_rows(cursor: oracledb.Cursor, table: str, rows: int) -> None:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    assert cursor.fetchall() == [(rows,)]


def test_rows_lie_in_the_partition_of_their_day(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT COUNT(*) FROM SALES PARTITION (SALES_Q1_2020)")
    (inside,) = cursor.fetchone() or (0,)
    cursor.execute(
        "SELECT COUNT(*) FROM SALES WHERE TIME_ID >= DATE '2020-01-01' AND TIME_ID < DATE '2020-04-01'"
    )
    assert cursor.fetchone() == (inside,)
    assert inside > 0


def test_constraints_are_enforced_again_after_the_load(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT STATUS, VALIDATED, COUNT(*) FROM USER_CONSTRAINTS WHERE CONSTRAINT_TYPE = 'R'"
        " GROUP BY STATUS, VALIDATED"
    )
    assert cursor.fetchall() == [("ENABLED", "NOT VALIDATED", 10)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-02291"):
        cursor.execute("UPDATE SALES SET CHANNEL_ID = 1 WHERE ROWNUM = 1")


def test_materialized_views_keep_the_rows_of_their_creation(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT COUNT(*) FROM CAL_MONTH_SALES_MV")
    assert cursor.fetchall() == [(0,)]
    cursor.execute("SELECT MVIEW_NAME, REWRITE_ENABLED, BUILD_MODE FROM USER_MVIEWS ORDER BY 1")
    assert cursor.fetchall() == [
        ("CAL_MONTH_SALES_MV", "Y", "IMMEDIATE"),
        ("FWEEK_PSCAT_SALES_MV", "Y", "IMMEDIATE"),
    ]


def test_bitmap_and_text_indexes_are_shown_as_such(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT INDEX_TYPE, PARTITIONED, COUNT(*) FROM USER_INDEXES"
        " GROUP BY INDEX_TYPE, PARTITIONED ORDER BY 1, 2"
    )
    assert cursor.fetchall() == [
        ("BITMAP", "NO", 8),
        ("BITMAP", "YES", 7),
        ("DOMAIN", "NO", 1),
        ("NORMAL", "NO", 9),
    ]
    cursor.execute(
        "SELECT ITYP_OWNER, ITYP_NAME, PARAMETERS FROM USER_INDEXES WHERE INDEX_NAME = 'SUP_TEXT_IDX'"
    )
    assert cursor.fetchall() == [("CTXSYS", "CONTEXT", "nopopulate")]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('INDEX', 'SALES_PROD_BIX') FROM DUAL")
    (ddl,) = cursor.fetchone() or ()
    assert ddl.read().split()[:3] == ["CREATE", "BITMAP", "INDEX"]
