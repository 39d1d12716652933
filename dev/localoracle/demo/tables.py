"""The demo's tables: their columns, their rows, and how rows get into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import oracledb

from localoracle.demo import documents
from localoracle.demo.business import Business
from localoracle.demo.people import People, Row

BATCH_ROWS = 5_000
BATCH_BYTES = 8 << 20

COLUMNS = {
    "APP.COUNTRIES": "COUNTRY_CODE, NAME",
    "APP.CUSTOMERS": "CUSTOMER_ID, FIRST_NAME, LAST_NAME, EMAIL, PHONE, BIRTH_DATE, NATIONAL_ID, "
    "STREET, CITY,"
    " POSTCODE, COUNTRY_CODE, STATUS, REMARKS, CREATED_AT",
    "APP.ACCOUNTS": "ACCOUNT_ID, CUSTOMER_ID, IBAN, BALANCE, OPENED",
    "APP.ORDERS": "ORDER_ID, ORDER_DATE, CUSTOMER_ID, AMOUNT, STATUS, COMMENTS",
    "APP.PAYMENTS": "PAYMENT_ID, ACCOUNT_ID, CARD_NUMBER, CARD_HOLDER, AMOUNT, PAID_AT, REFERENCE_ID",
    "APP.EMPLOYEES": "EMPLOYEE_ID, FIRST_NAME, LAST_NAME, EMAIL, HIRE_DATE, SALARY, RATING, MANAGER_ID",
    "APP.ADDRESSES": "ADDRESS_ID, CUSTOMER_ID, KIND, RECIPIENT, STREET, CITY, POSTCODE, COUNTRY_CODE",
    "APP.IDENTITY_DOCUMENTS": "DOCUMENT_NUMBER, CUSTOMER_ID, KIND, COUNTRY_CODE, HOLDER, NATIONAL_ID,"
    " ISSUED_ON, EXPIRES_ON",
    "APP.CARDS": "CARD_ID, CARD_NUMBER, CUSTOMER_ID, HOLDER, VERIFICATION, EXPIRES_ON, CREDIT_LIMIT",
    "APP.SUPPLIERS": "SUPPLIER_CODE, NAME, CONTACT_PERSON, EMAIL, PHONE, IBAN, TAX_NUMBER",
    "APP.INVOICES": "INVOICE_ID, SUPPLIER_CODE, CURRENCY, AMOUNT, PAY_TO_IBAN, DUE_ON",
    "APP.TRANSFERS": "TRANSFER_ID, ACCOUNT_ID, COUNTERPARTY, COUNTERPARTY_IBAN, PURPOSE, AMOUNT, BOOKED_AT",
    "APP.TICKETS": "TICKET_ID, REPORTER_EMAIL, CARD_NUMBER, HANDLED_BY, SUBJECT, MESSAGE",
    "APP.LOGINS": "LOGIN_ID, LOGIN_NAME, IP_ADDRESS, SUCCEEDED, LOGGED_IN_AT",
    "APP.DEPENDANTS": "DEPENDANT_ID, EMPLOYEE_ID, FIRST_NAME, LAST_NAME, BIRTH_DATE, INSURANCE_NUMBER",
    "DOCS.DOCUMENTS": "DOCUMENT_ID, PATH, MEDIA_TYPE, AUTHOR_EMAIL, BODY, TEXT, STORED_AT",
    "TEST.TESTTABLE": "ID, LABEL, PAYLOAD",
}


LARGE_COLUMNS = ("BODY", "TEXT", "PAYLOAD")


def rows_by_table(scale: float) -> dict[str, Callable[[], Iterable[Row]]]:
    """What makes the rows of each table, those first that take longest to fill."""
    people = People(scale)
    business = Business(people)
    return {
        "DOCS.DOCUMENTS": lambda: documents.documents(scale, people.pools.domains),
        "APP.PAYMENTS": people.payments,
        "APP.ORDERS": people.orders,
        "TEST.TESTTABLE": lambda: documents.test_table(scale),
        "APP.CUSTOMERS": people.customers,
        "APP.ACCOUNTS": people.accounts,
        "APP.TRANSFERS": business.transfers,
        "APP.LOGINS": business.logins,
        "APP.ADDRESSES": business.addresses,
        "APP.CARDS": business.cards,
        "APP.INVOICES": business.invoices,
        "APP.IDENTITY_DOCUMENTS": business.identity_documents,
        "APP.TICKETS": business.tickets,
        "APP.DEPENDANTS": business.dependants,
        "APP.EMPLOYEES": people.employees,
        "APP.SUPPLIERS": business.suppliers,
        "APP.COUNTRIES": people.countries,
    }


def insert(connection: oracledb.Connection, table: str, rows: Iterable[Row]) -> int:
    """Insert the rows and commit them; their number."""
    columns = [name.strip() for name in COLUMNS[table].split(",")]
    binds = ", ".join(f":{place}" for place in range(1, len(columns) + 1))
    text = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({binds})"
    # Declared types: LOB values go with the row instead of through temporary LOBs, times keep microseconds.
    types: dict[str, Any] = {
        "BODY": oracledb.DB_TYPE_LONG_RAW,
        "PAYLOAD": oracledb.DB_TYPE_LONG_RAW,
        "TEXT": oracledb.DB_TYPE_LONG,
        "REFERENCE_ID": oracledb.DB_TYPE_RAW,
        "CREATED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "PAID_AT": oracledb.DB_TYPE_TIMESTAMP,
        "STORED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "BOOKED_AT": oracledb.DB_TYPE_TIMESTAMP,
        "LOGGED_IN_AT": oracledb.DB_TYPE_TIMESTAMP,
        "RATING": oracledb.DB_TYPE_BINARY_DOUBLE,
    }
    count = 0
    with connection.cursor() as cursor:
        large = [place for place, name in enumerate(columns) if name in LARGE_COLUMNS]
        for batch in _batches(iter(rows), large):
            cursor.setinputsizes(*[types.get(name) for name in columns])
            cursor.executemany(text, batch)
            count += len(batch)
        connection.commit()
    return count


def _batches(rows: Iterator[Row], large: list[int]) -> Iterator[list[Row]]:
    """Batches of bounded rows; of bounded bytes too, where there are columns with large values."""
    if not large:
        while batch := list(islice(rows, BATCH_ROWS)):
            yield batch
        return
    batch, size = [], 0
    for row in rows:
        batch.append(row)
        size += sum(len(row[place] or b"") for place in large)
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
