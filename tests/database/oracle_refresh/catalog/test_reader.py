from __future__ import annotations

import json
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import (
    Catalogue,
    Column,
    IndexColumn,
    ReferencedKey,
    identify,
    read_catalogue,
    statements,
)
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.oracle import session
from oracle_refresh.run.freeze import Frozen, freeze
from oracle_refresh.target.objects import inventory_statements

SCHEMAS = ("APP", "DOCS", "TEST")


@pytest.fixture(scope="module")
def catalogue(demo_source) -> Catalogue:  # type: ignore[no-untyped-def]
    with demo_source.connect() as connection:
        return read_catalogue(connection, SCHEMAS)


def test_every_table_is_found_with_its_kind(catalogue: Catalogue) -> None:
    assert [table.key for table in catalogue.tables] == [
        "APP.ACCOUNTS",
        "APP.ADDRESSES",
        "APP.CARDS",
        "APP.COUNTRIES",
        "APP.CUSTOMERS",
        "APP.DEPENDANTS",
        "APP.EMPLOYEES",
        "APP.IDENTITY_DOCUMENTS",
        "APP.INVOICES",
        "APP.LOGINS",
        "APP.ORDERS",
        "APP.PAYMENTS",
        "APP.SUPPLIERS",
        "APP.TICKETS",
        "APP.TRANSFERS",
        "DOCS.DOCUMENTS",
        "TEST.TESTTABLE",
    ]
    assert [table.key for table in catalogue.tables if table.iot] == ["APP.COUNTRIES"]
    assert not any(table.temporary or table.clustered or not table.filterable for table in catalogue.tables)
    assert all(table.bytes > 0 and table.blocks > 0 for table in catalogue.tables)
    assert all(table.rows for table in catalogue.tables), "the demo's statistics are gathered"
    assert catalogue.skipped == ()


#: As the VLDB and Partitioning Guide prints USER_TAB_COLS of EMPLOYEES_INDBARCH and EMPLOYEES_TEMP, and what
#: an object type, a function-based index and SET UNUSED make: hidden, virtual, user-generated.
HIDDEN = {
    "SHOWN": ("NO", "NO", "YES"),
    "ORA_ARCHIVE_STATE": ("YES", "NO", "NO"),
    "EMP_TRACK_TIME_START": ("YES", "NO", "NO"),
    "EMP_TRACK_TIME": ("YES", "YES", "NO"),
    "UNSEEN": ("YES", "NO", "YES"),
    "SYS_NC00004$": ("YES", "NO", "NO"),
    "SYS_NC00005$": ("YES", "YES", "NO"),
    "SYS_C00003_26010203:04:05$": ("YES", "NO", "NO"),
}


@pytest.mark.parametrize("statement", [statements.COLUMNS, inventory_statements.COLUMNS])
def test_hidden_columns_that_hold_data_are_columns_like_any_other(demo_source: Any, statement: str) -> None:
    rows = " UNION ALL ".join(
        f"SELECT '{name}' AS NAME, '{hidden}' AS HIDDEN, '{virtual}' AS VIRTUAL_ONE, '{own}' AS OWN FROM DUAL"
        for name, (hidden, virtual, own) in HIDDEN.items()
    )
    with demo_source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM DBA_TAB_COLS WHERE 1 = 0")
        told = {"COLUMN_NAME": "H.NAME", "HIDDEN_COLUMN": "H.HIDDEN"}
        told |= {"VIRTUAL_COLUMN": "H.VIRTUAL_ONE", "USER_GENERATED": "H.OWN"}
        columns = ", ".join(f"{told.get(name, f'C.{name}')} AS {name}" for name, *_ in cursor.description)
        shown = (
            f"(SELECT {columns} FROM DBA_TAB_COLS C CROSS JOIN ({rows}) H"
            " WHERE C.TABLE_NAME = 'CUSTOMERS' AND C.COLUMN_NAME = 'EMAIL')"
        )
        found = session.rows(connection, statement.replace("DBA_TAB_COLS", shown), names=("APP",))
    assert {row[2] for row in found} == {"SHOWN", "ORA_ARCHIVE_STATE", "EMP_TRACK_TIME_START", "UNSEEN"}


def test_columns_are_as_declared(catalogue: Catalogue) -> None:
    customers = catalogue.table("APP", "CUSTOMERS")
    assert customers is not None
    assert [column.name for column in customers.columns][:5] == [
        "CUSTOMER_ID",
        "FIRST_NAME",
        "LAST_NAME",
        "EMAIL",
        "PHONE",
    ]
    assert customers.column("CUSTOMER_ID") == Column("CUSTOMER_ID", "NUMBER", 22, 0, None, 12, 0, False)
    email = customers.column("EMAIL")
    assert email is not None
    assert (email.data_type, email.char_length, email.nullable, email.is_character) == (
        "VARCHAR2",
        120,
        True,
        True,
    )
    status = customers.column("STATUS")
    assert status is not None
    assert (status.data_type, status.char_length, status.nullable) == ("CHAR", 1, False)
    created = customers.column("CREATED_AT")
    assert created is not None
    assert (created.data_type, created.scale) == ("TIMESTAMP(6)", 6)
    birth = customers.column("BIRTH_DATE")
    assert birth is not None
    assert (birth.data_type, birth.length) == ("DATE", 7)
    employees = catalogue.table("APP", "EMPLOYEES")
    assert employees is not None
    rating = employees.column("RATING")
    assert rating is not None
    assert rating.data_type == "BINARY_DOUBLE"
    assert not any(
        column.virtual or column.identity for table in catalogue.tables for column in table.columns
    )


def test_lobs_carry_their_storage_and_size(catalogue: Catalogue) -> None:
    documents, test = catalogue.table("DOCS", "DOCUMENTS"), catalogue.table("TEST", "TESTTABLE")
    assert documents is not None
    assert test is not None
    assert [(lob.column, lob.data_type) for lob in documents.lobs] == [("BODY", "BLOB"), ("TEXT", "CLOB")]
    for lob in (*documents.lobs, *test.lobs):
        assert (lob.securefile, lob.in_row, lob.chunk) == (False, True, 8192)
        assert lob.bytes > 0
        assert lob.segment
    assert documents.lob_bytes > documents.bytes
    assert documents.total_bytes == documents.bytes + documents.lob_bytes


def test_constraints_are_read_with_their_columns(catalogue: Catalogue) -> None:
    orders = catalogue.table("APP", "ORDERS")
    customers = catalogue.table("APP", "CUSTOMERS")
    assert orders is not None
    assert customers is not None
    assert orders.primary_key is not None
    assert orders.primary_key.columns == ("ORDER_ID", "ORDER_DATE")
    keys = {
        ReferencedKey(table.owner, table.name, key.columns): key.name
        for table in catalogue.tables
        for key in table.constraints
        if key.type in ("P", "U")
    }
    assert [
        (table.name, key.name, keys[key.references])
        for table, key in catalogue.foreign_keys()
        if key.references is not None
    ] == [
        ("ACCOUNTS", "ACCOUNTS_CUSTOMER_FK", "CUSTOMERS_PK"),
        ("ADDRESSES", "ADDRESSES_COUNTRY_FK", "COUNTRIES_PK"),
        ("ADDRESSES", "ADDRESSES_CUSTOMER_FK", "CUSTOMERS_PK"),
        ("CARDS", "CARDS_CUSTOMER_FK", "CUSTOMERS_PK"),
        ("CUSTOMERS", "CUSTOMERS_COUNTRY_FK", "COUNTRIES_PK"),
        ("DEPENDANTS", "DEPENDANTS_EMPLOYEE_FK", "EMPLOYEES_PK"),
        ("EMPLOYEES", "EMPLOYEES_MANAGER_FK", "EMPLOYEES_PK"),
        ("IDENTITY_DOCUMENTS", "IDENTITY_COUNTRY_FK", "COUNTRIES_PK"),
        ("IDENTITY_DOCUMENTS", "IDENTITY_CUSTOMER_FK", "CUSTOMERS_PK"),
        ("INVOICES", "INVOICES_SUPPLIER_FK", "SUPPLIERS_PK"),
        ("ORDERS", "ORDERS_CUSTOMER_FK", "CUSTOMERS_PK"),
        ("PAYMENTS", "PAYMENTS_ACCOUNT_FK", "ACCOUNTS_PK"),
        ("TICKETS", "TICKETS_CARD_FK", "CARDS_NUMBER_UK"),
        ("TICKETS", "TICKETS_EMPLOYEE_FK", "EMPLOYEES_PK"),
        ("TICKETS", "TICKETS_REPORTER_FK", "CUSTOMERS_EMAIL_UK"),
        ("TRANSFERS", "TRANSFERS_ACCOUNT_FK", "ACCOUNTS_PK"),
    ]
    by_name = {constraint.name: constraint for constraint in customers.constraints}
    assert by_name["CUSTOMERS_EMAIL_UK"].type == "U"
    assert by_name["CUSTOMERS_PK"].index_name == "CUSTOMERS_PK"
    check = by_name["CUSTOMERS_STATUS_CK"]
    assert check.type == "C"
    assert check.search_condition is not None
    assert "STATUS" in check.search_condition.upper()
    assert check.not_null_column is None
    assert {item.not_null_column for item in customers.constraints} >= {"FIRST_NAME", "LAST_NAME", "STATUS"}
    assert all(item.enabled and item.validated for table in catalogue.tables for item in table.constraints)


def test_indexes_are_read_with_expressions_and_their_key(catalogue: Catalogue) -> None:
    customers, orders = catalogue.table("APP", "CUSTOMERS"), catalogue.table("APP", "ORDERS")
    countries = catalogue.table("APP", "COUNTRIES")
    assert customers is not None
    assert orders is not None
    assert countries is not None
    by_name = {index.name: index for index in customers.indexes}
    assert set(by_name) == {"CUSTOMERS_EMAIL_UK", "CUSTOMERS_NAME_IX", "CUSTOMERS_PK"}
    assert by_name["CUSTOMERS_EMAIL_UK"].constraint == "CUSTOMERS_EMAIL_UK"
    assert by_name["CUSTOMERS_EMAIL_UK"].unique
    assert by_name["CUSTOMERS_EMAIL_UK"].columns == (IndexColumn("EMAIL", None, False),)
    names = by_name["CUSTOMERS_NAME_IX"]
    assert (names.type, names.unique, names.constraint) == ("FUNCTION-BASED NORMAL", False, None)
    expressions = [(column.expression or "").replace('"', "") for column in names.columns]
    assert expressions == ["UPPER(LAST_NAME)", "UPPER(FIRST_NAME)"]
    local = {index.name: index for index in orders.indexes}["ORDERS_CUSTOMER_IX"]
    assert local.partitioned
    assert countries.indexes == (), "the index of an index-organized table is the table"


def test_partitions_sequences_views_and_triggers(catalogue: Catalogue) -> None:
    orders = catalogue.table("APP", "ORDERS")
    employees = catalogue.table("APP", "EMPLOYEES")
    assert orders is not None
    assert employees is not None
    assert [partition.name for partition in orders.partitions] == [
        "ORDERS_2023",
        "ORDERS_2024",
        "ORDERS_2025",
        "ORDERS_MAX",
    ]
    assert [(item.owner, item.name, item.increment_by) for item in catalogue.sequences] == [
        ("APP", "CUSTOMER_SEQUENCE", 1)
    ]
    assert [(view.owner, view.name) for view in catalogue.views] == [
        ("APP", "CUSTOMER_BALANCES"),
        ("APP", "DOCUMENT_SIZES"),
    ]
    assert [(item.name, item.enabled) for item in employees.triggers] == [("EMPLOYEES_UPDATED", True)]
    assert catalogue.triggers == employees.triggers


def test_excluded_tables_are_told_apart(source: oracledb.Connection) -> None:
    found = read_catalogue(source, ["TEST"], [("TEST", "TESTTABLE")])
    assert found.tables == ()
    assert [(item.name, item.reason) for item in found.skipped] == [
        ("TESTTABLE", "excluded by the definition")
    ]


def test_an_unknown_schema_is_empty(source: oracledb.Connection) -> None:
    assert read_catalogue(source, ["NOBODY"]) == Catalogue(("NOBODY",), ())


def test_the_catalogue_travels_as_json(catalogue: Catalogue) -> None:
    assert Catalogue.from_json(json.loads(json.dumps(catalogue.to_json()))) == catalogue


def test_the_two_databases_are_told_apart(source: oracledb.Connection, target: oracledb.Connection) -> None:
    one, other = identify(source), identify(target)
    assert (one.db_unique_name, one.service, one.user) == ("SOURCE", "SOURCE", "REFRESH_SOURCE")
    assert (one.open_mode, one.database_role) == ("READ WRITE", "PRIMARY")
    assert one.same_database(identify(source))
    assert not one.same_database(other)


def test_the_scn_moves_on_with_commits(source: oracledb.Connection) -> None:
    first = freeze(source)
    assert Frozen.from_json(json.loads(json.dumps(first.to_json()))) == first
    with source.cursor() as cursor:
        cursor.execute("CREATE TABLE SCN_PROBE (N NUMBER)")
        cursor.execute("INSERT INTO SCN_PROBE VALUES (1)")
        source.commit()
        second = freeze(source)
        cursor.execute("DROP TABLE SCN_PROBE PURGE")
    assert second.scn > first.scn
    assert second.source == first.source


def test_limits_are_read(source: oracledb.Connection) -> None:
    limits = read_limits(source)
    assert limits.cpus >= 1
    assert limits.max_jobs >= 4
    assert min(limits.wished_degree, limits.jobs_at_once) >= 4
