"""The profiler on the demo source: what it finds, and what it reads for that."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

import oracledb
import pytest

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.oracle.errors import MaskingError, overall_disposition
from oracle_refresh.profiler import statements
from oracle_refresh.profiler.judge import judge
from oracle_refresh.profiler.model import Kind
from oracle_refresh.profiler.profile import Profile, column_facts, profile
from oracle_refresh.profiler.sampling import Bounds, sample_table, share_of_blocks
from support.demo import DemoDatabase

TODAY = date(2026, 11, 21)
THRESHOLD = 0.6


@pytest.fixture(scope="module")
def connection(demo_source: DemoDatabase) -> Iterator[oracledb.Connection]:
    with demo_source.connect() as opened:
        yield opened


@pytest.fixture(scope="module")
def catalogue(connection: oracledb.Connection) -> Catalogue:
    return read_catalogue(connection, ("APP", "DOCS", "TEST"))


@pytest.fixture(scope="module")
def found(connection: oracledb.Connection, catalogue: Catalogue) -> Profile:
    return profile(connection, catalogue, Bounds(), TODAY)


def kinds(found: Profile) -> dict[str, Kind]:
    return {
        classification.key: classification.kind
        for classification in found.classifications
        if classification.confidence >= THRESHOLD
    }


HELD = {
    "APP.ACCOUNTS.IBAN": Kind.IBAN,
    "APP.ADDRESSES.CITY": Kind.CITY,
    "APP.ADDRESSES.RECIPIENT": Kind.FULL_NAME,
    "APP.CARDS.CARD_NUMBER": Kind.PAYMENT_CARD,
    "APP.CARDS.HOLDER": Kind.FULL_NAME,
    "APP.CUSTOMERS.BIRTH_DATE": Kind.BIRTH_DATE,
    "APP.CUSTOMERS.CITY": Kind.CITY,
    "APP.CUSTOMERS.EMAIL": Kind.EMAIL,
    "APP.CUSTOMERS.FIRST_NAME": Kind.FIRST_NAME,
    "APP.CUSTOMERS.LAST_NAME": Kind.LAST_NAME,
    "APP.CUSTOMERS.NATIONAL_ID": Kind.NATIONAL_ID,
    "APP.CUSTOMERS.PHONE": Kind.PHONE,
    "APP.CUSTOMERS.POSTCODE": Kind.POSTCODE,
    "APP.CUSTOMERS.REMARKS": Kind.FREE_TEXT,
    "APP.CUSTOMERS.STREET": Kind.STREET,
    "APP.DEPENDANTS.BIRTH_DATE": Kind.BIRTH_DATE,
    "APP.DEPENDANTS.FIRST_NAME": Kind.FIRST_NAME,
    "APP.EMPLOYEES.EMAIL": Kind.EMAIL,
    "APP.EMPLOYEES.FIRST_NAME": Kind.FIRST_NAME,
    "APP.EMPLOYEES.LAST_NAME": Kind.LAST_NAME,
    "APP.EMPLOYEES.SALARY": Kind.SALARY,
    "APP.IDENTITY_DOCUMENTS.HOLDER": Kind.FULL_NAME,
    "APP.IDENTITY_DOCUMENTS.NATIONAL_ID": Kind.NATIONAL_ID,
    "APP.INVOICES.PAY_TO_IBAN": Kind.IBAN,
    "APP.LOGINS.IP_ADDRESS": Kind.NETWORK_ADDRESS,
    "APP.ORDERS.COMMENTS": Kind.FREE_TEXT,
    "APP.PAYMENTS.CARD_HOLDER": Kind.FULL_NAME,
    "APP.PAYMENTS.CARD_NUMBER": Kind.PAYMENT_CARD,
    "APP.SUPPLIERS.CONTACT_PERSON": Kind.FULL_NAME,
    "APP.SUPPLIERS.IBAN": Kind.IBAN,
    "APP.TICKETS.MESSAGE": Kind.FREE_TEXT,
    "APP.TICKETS.REPORTER_EMAIL": Kind.EMAIL,
    "APP.TRANSFERS.COUNTERPARTY_IBAN": Kind.IBAN,
    "DOCS.DOCUMENTS.AUTHOR_EMAIL": Kind.EMAIL,
    "DOCS.DOCUMENTS.BODY": Kind.DOCUMENT,
    "DOCS.DOCUMENTS.TEXT": Kind.FREE_TEXT,
}
#: What these hold does not follow from their names.
BY_CONTENT = {
    "APP.ADDRESSES.RECIPIENT",
    "APP.CARDS.HOLDER",
    "APP.IDENTITY_DOCUMENTS.HOLDER",
    "APP.SUPPLIERS.CONTACT_PERSON",
    "APP.TICKETS.MESSAGE",
    "DOCS.DOCUMENTS.BODY",
    "DOCS.DOCUMENTS.TEXT",
}
HARMLESS = {
    "APP.COUNTRIES.NAME",
    "APP.CUSTOMERS.STATUS",
    "APP.CUSTOMERS.CREATED_AT",
    "APP.ADDRESSES.KIND",
    "APP.INVOICES.CURRENCY",
    "APP.INVOICES.DUE_ON",
    "APP.LOGINS.LOGGED_IN_AT",
    "APP.LOGINS.SUCCEEDED",
    "APP.ORDERS.ORDER_DATE",
    "APP.TRANSFERS.BOOKED_AT",
    "APP.ACCOUNTS.OPENED",
    "APP.EMPLOYEES.HIRE_DATE",
    "DOCS.DOCUMENTS.PATH",
    "TEST.TESTTABLE.PAYLOAD",
    "TEST.TESTTABLE.LABEL",
}


def test_it_finds_what_the_demo_holds(found: Profile) -> None:
    known = kinds(found)
    assert {key: known.get(key) for key in HELD} == HELD
    assert HARMLESS.isdisjoint(known)
    assert found.unread == {}


def test_several_sessions_find_the_same(
    demo_source: DemoDatabase, connection: oracledb.Connection, catalogue: Catalogue, found: Profile
) -> None:
    told = list[tuple[int, int, str]]()
    together = profile(
        *(connection, catalogue, Bounds(), TODAY),
        lambda done, total, table: told.append((done, total, table)),
        *(3, demo_source.connect),
    )
    assert kinds(together) == kinds(found)
    assert [each.key for each in together.classifications] == [each.key for each in found.classifications]
    assert (together.tables, together.columns) == (found.tables, found.columns)
    tables = {table.key for table in catalogue.tables}
    assert [done for done, _, _ in told] == list(range(1, len(tables) + 1))
    assert {(total, table) for _, total, table in told} == {(len(tables), table) for table in tables}


def test_a_session_that_is_lost_ends_the_others(
    demo_source: DemoDatabase, connection: oracledb.Connection, catalogue: Catalogue
) -> None:
    @contextmanager
    def lost() -> Iterator[oracledb.Connection]:
        with demo_source.connect() as opened:
            opened.close()
        yield opened

    with pytest.raises(MaskingError) as caught:
        profile(connection, catalogue, Bounds(), TODAY, None, 3, lost)
    assert overall_disposition(caught.value.codes) == "retry"


def test_names_alone_find_what_names_can_tell(connection: oracledb.Connection, catalogue: Catalogue) -> None:
    named = profile(connection, catalogue, Bounds(rows=0), TODAY)
    assert named.sampled_rows == 0
    assert set(HELD) - BY_CONTENT <= set(kinds(named))


def test_values_alone_find_what_renamed_columns_hold(
    connection: oracledb.Connection, catalogue: Catalogue
) -> None:
    table = catalogue.table("APP", "CUSTOMERS")
    assert table
    sample = sample_table(connection, table, Bounds(), TODAY)
    assert sample.evidence
    facts = column_facts(table, {}, sample)
    hidden = {one.column: judge(replace(one, column="ATTRIBUTE", table="T_1")) for one in facts}
    for name in (
        "FIRST_NAME",
        "LAST_NAME",
        "EMAIL",
        "PHONE",
        "NATIONAL_ID",
        "STREET",
        "BIRTH_DATE",
        "REMARKS",
    ):
        classification = hidden[name]
        assert classification, name
        assert classification.kind is HELD[f"APP.CUSTOMERS.{name}"]
        assert classification.confidence >= THRESHOLD


def test_one_bounded_query_per_table_and_no_value_in_the_log(
    connection: oracledb.Connection,
    catalogue: Catalogue,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    made: list[str] = []
    original = statements.sample
    monkeypatch.setattr(statements, "sample", lambda *given: made.append(original(*given)) or made[-1])
    with caplog.at_level(logging.DEBUG):
        few = profile(connection, catalogue, Bounds(rows=30), TODAY, keep_values=True)
    assert len(made) == len(catalogue.tables)
    assert all(text.endswith("FETCH FIRST :wanted ROWS ONLY") for text in made)
    assert few.sampled_rows <= 30 * len(made)
    documents = next(text for text in made if '"DOCUMENTS"' in text)
    assert 'DBMS_LOB.SUBSTR(T."BODY", 512, 1)' in documents
    assert 'SUBSTR(T."PATH", 1, 512)' in documents
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EMAIL, LAST_NAME FROM APP.CUSTOMERS WHERE EMAIL IS NOT NULL FETCH FIRST 5 ROWS ONLY"
        )
        for value in (text for row in cursor for text in row):
            assert value not in f"{few!r} {caplog.text}"


def test_large_tables_are_sampled_by_blocks(catalogue: Catalogue) -> None:
    orders = catalogue.table("APP", "ORDERS")
    assert orders
    large = replace(orders, rows=10_000_000, blocks=200_000)
    percent = share_of_blocks(large, 300)
    assert 0 < percent < 0.1
    assert "SAMPLE BLOCK (" in statements.sample(large, large.columns, percent)
    assert share_of_blocks(replace(large, iot=True), 300) == 100
    assert share_of_blocks(replace(large, rows=400, blocks=20), 300) == 100


def test_rows_are_bounded_by_bytes(catalogue: Catalogue) -> None:
    documents = catalogue.table("DOCS", "DOCUMENTS")
    assert documents
    assert Bounds(rows=300, bytes=100_000).rows_of(documents.columns) < 100
    assert Bounds(rows=300).rows_of(documents.columns) == 300


def test_a_table_that_cannot_be_read_is_named_by_its_code(
    connection: oracledb.Connection, catalogue: Catalogue
) -> None:
    orders = catalogue.table("APP", "ORDERS")
    assert orders
    gone = sample_table(connection, replace(orders, name="GONE"), Bounds(), TODAY)
    assert gone.problem == "ORA-00942"
    assert gone.evidence is None


def test_a_connection_that_is_lost_is_no_reason_to_judge_by_names(
    demo_source: DemoDatabase, catalogue: Catalogue
) -> None:
    with demo_source.connect() as lost:
        pass
    orders = catalogue.table("APP", "ORDERS")
    assert orders
    with pytest.raises(MaskingError) as caught:
        sample_table(lost, orders, Bounds(), TODAY)
    assert overall_disposition(caught.value.codes) == "retry"
