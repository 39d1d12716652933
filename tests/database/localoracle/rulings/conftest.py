# ruff: noqa: E501 - statements read better on one line
"""The tables that rulings about queries are put to."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from support.rulings import Bench, Case
from support.stand_in import Schema, Server, new_schema

_OBJECTS = (
    "CREATE TABLE PERSON (ID NUMBER(10) PRIMARY KEY, NAME VARCHAR2(40), NICK NVARCHAR2(40), CODE CHAR(4), "
    "BORN DATE, SEEN TIMESTAMP(3), PIN RAW(8), NOTE CLOB, PICTURE BLOB, PAY NUMBER(10,2))",
    "CREATE TABLE ADDRESS (ID NUMBER(10), PERSON_ID NUMBER(10), CITY VARCHAR2(40), NOTE CLOB)",
    "CREATE TABLE DIARY (ID NUMBER(10), TEXT LONG)",
    "CREATE TABLE COUNTRY (CODE VARCHAR2(4) PRIMARY KEY, NAME VARCHAR2(40)) ORGANIZATION INDEX",
    "CREATE SEQUENCE NUMBERS",
    "CREATE VIEW CITIES AS SELECT DISTINCT CITY FROM ADDRESS",
    "CREATE VIEW ADULTS AS SELECT ID, NAME FROM PERSON WHERE BORN < DATE '2000-01-01'",
    "INSERT INTO PERSON (ID, NAME, NICK, BORN, NOTE, PAY) VALUES (1, 'Ada', N'A', DATE '1990-01-31', 'long', 10)",
    "INSERT INTO PERSON (ID, NAME, NICK, BORN, NOTE, PAY) VALUES (2, 'Bob', N'B', DATE '2010-01-31', 'text', 20)",
    "INSERT INTO ADDRESS (ID, PERSON_ID, CITY) VALUES (1, 1, 'Oslo')",
    "INSERT INTO ADDRESS (ID, PERSON_ID, CITY) VALUES (2, 1, 'Rome')",
    "INSERT INTO COUNTRY VALUES ('NO', 'Norway')",
)


@pytest.fixture(scope="session")
def _query_schema(oracle: Server) -> Iterator[Schema]:
    for schema in new_schema(oracle):
        cursor = schema.connection.cursor()
        for statement in _OBJECTS:
            cursor.execute(statement)
        schema.connection.commit()
        yield schema


@pytest.fixture(scope="module")
def bench(oracle: Server) -> Iterator[Bench]:
    bench = Bench(oracle)
    yield bench
    bench.close()


@pytest.fixture
def people(request: pytest.FixtureRequest, _query_schema: Schema) -> Iterator[oracledb.Connection]:
    """A connection to a schema with people, their addresses, diaries (LONG) and countries (index-organized).

    Cases that leave nothing in their session share one.
    """
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    case = next((value for value in parameters.values() if isinstance(value, Case)), None)
    if case is None or case.before or not case.leaves_nothing:
        with _query_schema.connect() as connection:
            yield connection
        return
    if not _query_schema.connection.is_healthy():
        _query_schema.connection = _query_schema.connect()
    yield _query_schema.connection
    if _query_schema.connection.transaction_in_progress:
        _query_schema.connection.rollback()


@pytest.fixture
def same_people(_query_schema: Schema) -> Iterator[oracledb.Connection]:
    """Another connection to the same schema."""
    with _query_schema.connect() as connection:
        yield connection
