"""RENTAL: identities, JSON, views, partitions, bitmap and text indexes, a materialized view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

pytestmark = pytest.mark.slow

ROWS = {
    "RIDERS": 120,
    "STATIONS": 2,
    "BIKES": 12,
    "RIDES": 200,
    "RIDE_BIKES": 300,
    "DAYS": 549,
    "FARES": 400,
    "UPKEEP": 100,
    "NOTES": 120,
}


@pytest.fixture(scope="module")
def rental(installed: Callable[..., Any]) -> Iterator[tuple[Any, oracledb.Connection]]:
    outcome, connection = installed("RENTAL")
    yield outcome, connection
    connection.close()


@pytest.fixture
def cursor(rental: tuple[Any, oracledb.Connection]) -> Iterator[oracledb.Cursor]:
    _, connection = rental
    yield connection.cursor()
    connection.rollback()


def test_script_runs_every_statement_but_create_dimension(rental: tuple[Any, oracledb.Connection]) -> None:
    outcome, _ = rental
    assert [refused.message.splitlines()[0] for refused in outcome.refused] == [
        "ORA-03001: unimplemented feature: CREATE DIMENSION"
    ]
    assert outcome.statements == 74


@pytest.mark.parametrize(("table", "rows"), ROWS.items())
def test_table_has_the_rows_of_the_script(cursor: oracledb.Cursor, table: str, rows: int) -> None:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    assert cursor.fetchall() == [(rows,)]


def test_identity_continues_after_the_loaded_rows(cursor: oracledb.Cursor) -> None:
    cursor.execute("INSERT INTO RIDERS (EMAIL, FULL_NAME, GENDER) VALUES ('a@internalmail', 'A', 'F')")
    cursor.execute("SELECT RIDER_ID, TARIFF FROM RIDERS WHERE RIDER_ID = (SELECT MAX(RIDER_ID) FROM RIDERS)")
    assert cursor.fetchall() == [(121, "DAY")]


def test_json_check_refuses_other_text(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-02290"):
        cursor.execute("INSERT INTO BIKES (NAME, DETAILS) VALUES ('x', UTL_RAW.CAST_TO_RAW('{no'))")


def test_views_show_the_rows_of_their_tables(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT TOTAL, BIKES FROM RIDE_TOTALS WHERE RIDE_ID = 11")
    assert cursor.fetchall() == [(15, "Tom & Ada's tandem, City bike 2")]
    cursor.execute("SELECT COUNT(*), MIN(RATING), MAX(RATING), COUNT(DISTINCT NAME) FROM BIKE_REVIEWS")
    reviews, worst, best, bikes = cursor.fetchone() or ()
    assert (worst, best) == (1, 10)
    assert reviews > bikes == ROWS["BIKES"]
    cursor.execute("SELECT AVG_RATING, REVIEW FROM BIKE_REVIEWS WHERE NAME = 'City bike 3' ORDER BY RATING")
    assert cursor.fetchall() == [(5.5, "It's fine"), (5.5, "Round")]
    cursor.execute("SELECT SUM(HOURS * PRICE) FROM RIDE_BIKES")
    (sales,) = cursor.fetchone() or ()
    cursor.execute("SELECT TOTAL, RIDES, SALES FROM STATION_TOTALS WHERE TOTAL = 'GRAND TOTAL'")
    assert cursor.fetchall() == [("GRAND TOTAL", ROWS["RIDES"], sales)]
    cursor.execute("SELECT SUM(SALES), SUM(RIDES) FROM STATION_TOTALS WHERE TOTAL = 'STATUS TOTAL'")
    assert cursor.fetchall() == [(sales, ROWS["RIDES"])]


def test_timestamp_rounds_nanoseconds_to_the_precision_of_the_column(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT TO_CHAR(STARTED, 'YYYY-MM-DD HH24:MI:SS.FF6') FROM RIDES WHERE RIDE_ID IN (1, 2) ORDER BY 1"
    )
    assert cursor.fetchall() == [("2025-02-08 20:58:10.472721",), ("2025-02-09 23:17:07.242517",)]


def test_partition_holds_the_rows_of_its_days(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT COUNT(*) FROM FARES PARTITION (FARES_Q1_2025)")
    (inside,) = cursor.fetchone() or (0,)
    cursor.execute("SELECT COUNT(*) FROM FARES WHERE DAY >= DATE '2025-01-01' AND DAY < DATE '2025-04-01'")
    assert cursor.fetchone() == (inside,)
    assert inside > 0


def test_constraint_enabled_without_validation_is_enforced(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT VALIDATED, COUNT(*) FROM USER_CONSTRAINTS WHERE CONSTRAINT_TYPE = 'R' AND STATUS = 'ENABLED'"
        " GROUP BY VALIDATED ORDER BY 1"
    )
    assert cursor.fetchall() == [("NOT VALIDATED", 3), ("VALIDATED", 4)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-02291"):
        cursor.execute("UPDATE FARES SET BIKE_ID = 99 WHERE ROWNUM = 1")


def test_materialized_view_keeps_the_rows_of_its_creation(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT COUNT(*) FROM MONTH_FARES_MV")
    assert cursor.fetchall() == [(0,)]
    cursor.execute("SELECT MVIEW_NAME, REWRITE_ENABLED, BUILD_MODE FROM USER_MVIEWS")
    assert cursor.fetchall() == [("MONTH_FARES_MV", "Y", "IMMEDIATE")]


def test_dictionary_shows_types_of_bitmap_and_text_indexes(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT INDEX_TYPE, PARTITIONED, COUNT(*) FROM USER_INDEXES WHERE INDEX_TYPE <> 'LOB'"
        " GROUP BY INDEX_TYPE, PARTITIONED ORDER BY 1, 2"
    )
    assert cursor.fetchall() == [
        ("BITMAP", "NO", 2),
        ("BITMAP", "YES", 2),
        ("DOMAIN", "NO", 1),
        ("NORMAL", "NO", 12),
    ]
    cursor.execute(
        "SELECT ITYP_OWNER, ITYP_NAME, PARAMETERS FROM USER_INDEXES WHERE INDEX_NAME = 'NOTES_TEXT_IDX'"
    )
    assert cursor.fetchall() == [("CTXSYS", "CONTEXT", "nopopulate")]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('INDEX', 'FARES_BIKE_BIX') FROM DUAL")
    (ddl,) = cursor.fetchone() or ()
    assert ddl.read().split()[:3] == ["CREATE", "BITMAP", "INDEX"]
