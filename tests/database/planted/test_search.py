"""The search for planted values in what a database keeps besides the tables of applications."""

from __future__ import annotations

from support.demo import DemoDatabase
from support.planted import in_target

VALUE = "Ünsal <Planted> 4711"


def test_values_are_found_in_own_tables_and_the_dictionary(demo_target: DemoDatabase) -> None:
    with demo_target.connect() as connection, connection.cursor() as cursor:
        assert in_target([VALUE], connection) == []
        cursor.execute("CREATE TABLE KEPT (A VARCHAR2(40))")
        cursor.execute("INSERT INTO KEPT VALUES (:1)", [VALUE])
        assert in_target([VALUE], connection) == [f'SELECT * FROM "KEPT": {VALUE}']
        cursor.execute(f"COMMENT ON COLUMN KEPT.A IS '{VALUE}'")
        assert f"SELECT * FROM DBA_COL_COMMENTS: {VALUE}" in in_target([VALUE], connection)
        cursor.execute("DROP TABLE KEPT PURGE")


def test_values_are_found_in_named_tables(demo_source: DemoDatabase) -> None:
    with demo_source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT NAME FROM APP.COUNTRIES WHERE LENGTH(NAME) > 5 AND ROWNUM = 1")
        (name,) = cursor.fetchone()
        query = "SELECT * FROM APP.COUNTRIES"
        assert f"{query}: {name}" in in_target([name], connection, ["APP.COUNTRIES"])
