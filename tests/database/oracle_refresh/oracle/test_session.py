"""What rooms ask a session, against a running database."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.oracle.errors import MaskingError, PlanError, ValidationError
from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows, scalar, translated

NAMES = "SELECT USERNAME FROM ALL_USERS WHERE USERNAME IN ({names}) AND USERNAME LIKE :pattern ORDER BY 1"


@pytest.fixture
def session(demo_target):  # type: ignore[no-untyped-def]
    with demo_target.connect() as connection:
        yield connection


def test_a_query_gives_rows_a_row_or_a_value(session: oracledb.Connection) -> None:
    numbers = "SELECT LEVEL, LEVEL * :factor FROM DUAL CONNECT BY LEVEL <= :most"
    assert rows(session, numbers, factor=2, most=2500)[-1] == (2500, 5000)
    assert row(session, numbers, factor=2, most=2) == (1, 2)
    assert scalar(session, numbers, factor=2, most=2) == 1


def test_where_nothing_is_there_nothing_is_returned(session: oracledb.Connection) -> None:
    nothing = "SELECT DUMMY FROM DUAL WHERE 1 = 0"
    assert (rows(session, nothing), row(session, nothing), scalar(session, nothing)) == ([], None, None)


def test_lobs_come_as_text(session: oracledb.Connection) -> None:
    text = "SELECT TO_CLOB(:text) FROM DUAL"
    assert rows(session, text, text="a") == [("a",)]
    assert scalar(session, text, text="b") == "b"


def test_a_list_of_names_is_bound(session: oracledb.Connection) -> None:
    assert rows(session, NAMES, names=("SYS", "APP", "') OR 1=1 --"), pattern="S%") == [("SYS",)]
    assert scalar(session, NAMES, names=("SYS", "APP"), pattern="A%") == "APP"


def test_what_was_done_before_is_tolerated_by_its_code_only(session: oracledb.Connection) -> None:
    create = 'CREATE TABLE "SESSION_TEST" (N NUMBER PRIMARY KEY)'
    drop = 'DROP TABLE "SESSION_TEST" PURGE'
    execute_tolerating(session, {"ORA-00942"}, drop)
    assert execute_tolerating(session, {"ORA-00955"}, create) == frozenset()
    try:
        assert execute_tolerating(session, {"ORA-00955"}, create) == {"ORA-00955"}
        assert (
            execute(session, 'INSERT INTO "SESSION_TEST" SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 3') == 3
        )
        with pytest.raises(oracledb.DatabaseError, match="ORA-00001"):
            execute_tolerating(session, {"ORA-00955"}, 'INSERT INTO "SESSION_TEST" VALUES (:n)', n=1)
    finally:
        execute(session, drop)


def test_an_error_says_what_was_done_and_what_to_do(session: oracledb.Connection) -> None:
    with pytest.raises(MaskingError, match="ORA-00942") as caught, translated("mask", "APP.T", MaskingError):
        execute(session, "SELECT 1 FROM NOWHERE")
    assert (caught.value.step, caught.value.object_name) == ("mask", "APP.T")
    assert isinstance(caught.value.__cause__, oracledb.DatabaseError)


def test_an_error_of_the_provider_stays_as_it_is() -> None:
    with pytest.raises(PlanError) as caught, translated("mask", kind=ValidationError):
        raise PlanError("no plan")
    assert caught.value.step is None


def test_an_error_of_the_program_stays_as_it_is() -> None:
    with pytest.raises(TypeError), translated("mask", kind=ValidationError):
        raise TypeError("no error of the database")


def test_only_binds_that_a_statement_names_are_given_to_it(session: oracledb.Connection) -> None:
    statement = "SELECT :b1 || :salt FROM DUAL"
    binds = named(statement, {"b1": "x", "b12": "y", "salt": "z", "scn": 1})
    assert binds == {"b1": "x", "salt": "z"}
    assert scalar(session, statement, **binds) == "xz"
