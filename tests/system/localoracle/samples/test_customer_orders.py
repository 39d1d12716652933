"""CO: identities, JSON in BLOBs, views with LISTAGG, GROUPING SETS and JSON_TABLE."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

ROWS = {
    "CUSTOMERS": 392,
    "STORES": 23,
    "PRODUCTS": 46,
    "ORDERS": 1950,
    "SHIPMENTS": 1892,
    "ORDER_ITEMS": 3914,
    "INVENTORY": 566,
}


@pytest.fixture(scope="module")
def co(installed: Callable[..., Any]) -> Iterator[tuple[Any, oracledb.Connection]]:
    outcome, connection = installed("CO")
    yield outcome, connection
    connection.close()


@pytest.fixture
def cursor(co: tuple[Any, oracledb.Connection]) -> Iterator[oracledb.Cursor]:
    _, connection = co
    yield connection.cursor()
    connection.rollback()


def test_every_statement_of_the_script_is_taken(co: tuple[Any, oracledb.Connection]) -> None:
    outcome, _ = co
    assert [str(refused) for refused in outcome.refused] == []
    assert outcome.statements == 147


@pytest.mark.parametrize(("table", "rows"), ROWS.items())
def test_the_tables_have_their_rows(cursor: oracledb.Cursor, table: str, rows: int) -> None:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    assert cursor.fetchall() == [(rows,)]


def test_identities_go_on_behind_the_loaded_rows(cursor: oracledb.Cursor) -> None:
    cursor.execute("INSERT INTO CUSTOMERS (EMAIL_ADDRESS, FULL_NAME) VALUES ('a@internalmail', 'A')")
    cursor.execute("SELECT MAX(CUSTOMER_ID) FROM CUSTOMERS")
    assert cursor.fetchall() == [(393,)]


def test_only_json_is_taken_as_details(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-02290"):
        cursor.execute(
            "INSERT INTO PRODUCTS (PRODUCT_NAME, PRODUCT_DETAILS) VALUES ('x', UTL_RAW.CAST_TO_RAW('{no'))"
        )


def test_the_views_show_what_the_tables_hold(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT ORDER_TOTAL, ITEMS FROM CUSTOMER_ORDER_PRODUCTS WHERE ORDER_ID = 1")
    assert cursor.fetchall() == [(209.38, "Boy's Pyjamas (Grey), Boy's Shorts (Blue)")]
    cursor.execute(
        "SELECT COUNT(*), MIN(RATING), MAX(RATING), COUNT(DISTINCT PRODUCT_NAME) FROM PRODUCT_REVIEWS"
    )
    (reviews, worst, best, products) = cursor.fetchone() or ()
    assert (worst, best) == (1, 10)
    cursor.execute("SELECT COUNT(*) FROM PRODUCTS")
    assert reviews > products == (cursor.fetchone() or (0,))[0]
    cursor.execute("SELECT SUM(TOTAL_SALES), SUM(ORDER_COUNT) FROM PRODUCT_ORDERS")
    sales, items = cursor.fetchone() or (0, 0)
    assert items == ROWS["ORDER_ITEMS"]
    cursor.execute("SELECT TOTAL, ORDER_COUNT, TOTAL_SALES FROM STORE_ORDERS WHERE TOTAL = 'GRAND TOTAL'")
    assert cursor.fetchall() == [("GRAND TOTAL", ROWS["ORDERS"], sales)]


def test_nanoseconds_are_rounded_to_what_the_column_keeps(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT TO_CHAR(ORDER_TMS, 'YYYY-MM-DD HH24:MI:SS.FF6') FROM ORDERS WHERE ORDER_ID IN (2, 3)"
    )
    assert cursor.fetchall() == [("2021-02-08 20:58:10.472721",), ("2021-02-09 23:17:07.242517",)]
