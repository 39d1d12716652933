"""The demo source, loaded through the driver into a running stand-in, and exported by its own user."""

from __future__ import annotations

import oracledb
import pytest

from localoracle.demo import business, documents
from localoracle.demo.load import load, prepare_target
from localoracle.demo.people import ACCOUNTS, CUSTOMERS, ORDERS, PAYMENTS

SCALE = 0.02
USERS = ("APP", "DOCS", "TEST", "APP_READER", "REFRESH_SOURCE", "REFRESH_TARGET")


@pytest.fixture(scope="module")
def source(oracle):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCALORACLE_SYSTEM_PASSWORD", oracle.environment["LOCALORACLE_SYSTEM_PASSWORD"])
        assert load(oracle.instance, SCALE).rows["APP.CUSTOMERS"] == CUSTOMERS * SCALE
        yield oracle
        with oracle.connect() as connection, connection.cursor() as cursor:
            for user in USERS:
                cursor.execute("SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = :1", [user])
                if cursor.fetchone()[0]:
                    cursor.execute(f"DROP USER {user} CASCADE")
            cursor.execute("ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = FALSE")


def query(source, text, user="SYSTEM", password=None):
    connection = source.connect(user, password) if password else source.connect()
    with connection, connection.cursor() as cursor:
        return cursor.execute(text).fetchall()


def test_row_counts(source):
    expected = {
        "APP.COUNTRIES": 195,
        "APP.CUSTOMERS": CUSTOMERS,
        "APP.ACCOUNTS": ACCOUNTS,
        "APP.ORDERS": ORDERS,
        "APP.PAYMENTS": PAYMENTS,
        "APP.ADDRESSES": business.ADDRESSES,
        "APP.IDENTITY_DOCUMENTS": business.IDENTITY_DOCUMENTS,
        "APP.CARDS": business.CARDS,
        "APP.SUPPLIERS": business.SUPPLIERS,
        "APP.INVOICES": business.INVOICES,
        "APP.TRANSFERS": business.TRANSFERS,
        "APP.TICKETS": business.TICKETS,
        "APP.LOGINS": business.LOGINS,
        "APP.DEPENDANTS": business.DEPENDANTS,
        "TEST.TESTTABLE": documents.TEST_ROWS,
    }
    for table, rows in expected.items():
        wanted = rows if table == "APP.COUNTRIES" else rows * SCALE
        assert query(source, f"SELECT COUNT(*) FROM {table}") == [(wanted,)]


def test_lobs_are_stored_whole(source):
    rows = {row[0]: row for row in documents.documents(SCALE, ["a.example"])}
    stored = query(
        source,
        "SELECT COUNT(*), SUM(DBMS_LOB.GETLENGTH(BODY)), SUM(DBMS_LOB.GETLENGTH(TEXT)) FROM DOCS.DOCUMENTS",
    )
    assert stored == [
        (
            len(rows),
            sum(len(row[4] or b"") for row in rows.values()),
            sum(len(row[5] or "") for row in rows.values()),
        )
    ]


def test_constraints_are_enabled_again(source):
    assert query(
        source, "SELECT DISTINCT STATUS FROM DBA_CONSTRAINTS WHERE OWNER IN ('APP', 'DOCS', 'TEST')"
    ) == [("ENABLED",)]


def test_the_application_account_sees_what_it_was_granted(source):
    assert (
        query(source, "SELECT COUNT(*) FROM APP.CUSTOMER_BALANCES", "APP_READER", "app_reader_demo")[0][0] > 0
    )
    with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
        query(source, "SELECT COUNT(*) FROM APP.EMPLOYEES", "APP_READER", "app_reader_demo")


def test_a_second_load_does_nothing(source):
    made = "SELECT OWNER, OBJECT_NAME, OBJECT_ID, LAST_DDL_TIME FROM DBA_OBJECTS ORDER BY OBJECT_ID"
    before = query(source, made)
    assert load(source.instance, SCALE).already
    assert query(source, made) == before


@pytest.mark.slow
def test_data_of_another_scale_are_loaded_anew(source):
    """And then those of the former scale again, which the other tests see."""
    for scale in (SCALE / 2, SCALE):
        assert load(source.instance, scale).rows["APP.CUSTOMERS"] == CUSTOMERS * scale
        assert query(source, "SELECT COUNT(*) FROM APP.CUSTOMERS") == [(CUSTOMERS * scale,)]
        assert query(source, "SELECT COUNT(*) FROM APP.CUSTOMER_BALANCES") == [(CUSTOMERS * scale,)]


@pytest.mark.slow
def test_a_target_can_be_prepared_twice(source):
    prepare_target(source.instance)
    prepare_target(source.instance)
    assert query(source, "SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = 'REFRESH_TARGET'") == [(1,)]


@pytest.mark.parametrize("scale", [0, -1])
def test_a_scale_must_be_positive(source, scale):
    with pytest.raises(ValueError, match="scale"):
        load(source.instance, scale)


def test_the_refresh_user_exports_with_the_plain_driver(source):
    with source.connect("REFRESH_SOURCE", "refresh_source_demo") as connection, connection.cursor() as cursor:
        scn = int(cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE").fetchone()[0])
        handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["EXPORT", "TABLE", None, "DEMO_EXPORT"])
        cursor.callproc("DBMS_DATAPUMP.ADD_FILE", [handle, "demo%L.dmp", "REFRESH_DUMPS"])
        cursor.callproc("DBMS_DATAPUMP.ADD_FILE", [handle, "demo.log", "REFRESH_DUMPS"], {"filetype": 3})
        cursor.callproc("DBMS_DATAPUMP.SET_PARAMETER", [handle, "FLASHBACK_SCN", scn])
        cursor.callproc("DBMS_DATAPUMP.SET_PARAMETER", [handle, "INCLUDE_METADATA", 0])
        cursor.callproc("DBMS_DATAPUMP.SET_PARALLEL", [handle, 2])
        cursor.callproc("DBMS_DATAPUMP.METADATA_FILTER", [handle, "SCHEMA_EXPR", "IN ('APP')"])
        cursor.callproc("DBMS_DATAPUMP.START_JOB", [handle])
        state = cursor.var(str)
        cursor.callproc("DBMS_DATAPUMP.WAIT_FOR_JOB", [handle, state])
    assert state.getvalue() == "COMPLETED"
    folder = source.instance.dump_directory / "refresh"
    log = (folder / "demo.log").read_text()
    assert "successfully completed" in log
    assert '. . exported "APP"."ORDERS":"ORDERS_2023"' in log
    assert '. . exported "APP"."CUSTOMERS"' in log
    assert (folder / "demo01.dmp").stat().st_size > 4096
