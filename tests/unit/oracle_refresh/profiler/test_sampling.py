"""Values that the driver cannot fetch hide no other column."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog.model import Column, Table
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.profiler.sampling import Bounds, moment, sample_table
from support.fake_connection import FakeConnection
from support.samples import plain, text

TODAY = date(2026, 11, 21)
MAILS = [f"jo{number}@corp.example" for number in range(30)]


class Fetching(FakeConnection):
    """Answers each column with its values, or raises while the rows are fetched."""

    def __init__(self, **columns: list[Any] | Exception) -> None:
        self.columns = columns
        self.statements: list[str] = []
        self.chosen: list[str] = []

    def execute(self, statement: str, binds: dict[str, Any], **_: Any) -> None:
        self.statements.append(statement)
        self.chosen = re.findall(r'T\."(\w+)"', statement)

    def __iter__(self) -> Any:
        values = [self.columns[name] for name in self.chosen]
        for value in values:
            if isinstance(value, Exception):
                raise value
        return zip(*values, strict=True)


def sampled(columns: tuple[Column, ...], connection: Fetching) -> Any:
    return sample_table(connection, Table("APP", "T", 30, 1, 1, columns), Bounds(), TODAY)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (oracledb.NotSupportedError("DPY-3022: named time zones are not supported in thin mode"), "DPY-3022"),
        (oracledb.DatabaseError("ORA-01801: date format is too long for internal buffer"), "ORA-01801"),
        (ValueError("year -21 is out of range: jo1@corp.example"), "ValueError"),
    ],
)
def test_a_column_that_cannot_be_fetched_is_left_out_by_name(error: Exception, reason: str) -> None:
    found = sampled((text("C1", 60), text("C2", 60)), Fetching(C1=MAILS, C2=error))
    assert found.evidence["C1"].count("email") == 30
    assert (found.rows, found.problem, found.unread) == (30, None, {"C2": reason})


def test_a_table_of_which_no_column_can_be_read_is_a_problem_of_the_table() -> None:
    gone = oracledb.DatabaseError("ORA-00942: table or view does not exist")
    found = sampled((text("C1", 60), text("C2", 60)), Fetching(C1=gone, C2=gone))
    assert (found.problem, found.evidence, found.unread) == ("ORA-00942", None, {})


def test_an_error_that_may_pass_of_a_single_column_is_raised() -> None:
    class Lost(Fetching):
        def __iter__(self) -> Any:
            self.columns["C1"] = oracledb.DatabaseError("DPY-4011: the database closed the connection")
            return super().__iter__()

    with pytest.raises(MaskingError):
        sampled((text("C1", 60), text("C2", 60)), Lost(C1=MAILS, C2=ValueError("year 0")))


def test_object_types_with_the_name_of_a_date_are_not_read() -> None:
    named = Column("D", "DATE_RANGE", 1, 0, None, None, None, True, type_owner="APP")
    connection = Fetching(C1=MAILS)
    sampled((text("C1", 60), named), connection)
    assert [name for statement in connection.statements for name in re.findall(r'"(D)"', statement)] == []


@pytest.mark.parametrize("data_type", ["DATE", "TIMESTAMP(9) WITH TIME ZONE", "TIMESTAMP(6)"])
def test_dates_are_fetched_as_text_and_judged_as_dates(data_type: str) -> None:
    births = [f" {1940 + 2 * number}-03-15 00:00:00" for number in range(30)]
    connection = Fetching(D=[*births, "-0021-03-15 00:00:00"])
    found = sampled((plain("D", data_type),), connection)
    assert "TO_CHAR(T.\"D\", 'SYYYY-MM-DD HH24:MI:SS')" in connection.statements[0]
    assert (found.evidence["D"].count("grown"), found.unread) == (30, {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" 2020-02-29 23:59:59", datetime(2020, 2, 29, 23, 59, 59)),
        (" 9999-12-31 00:00:00", datetime(9999, 12, 31)),
        ("-4712-01-01 00:00:00", "-4712-01-01 00:00:00"),
        (" 0000-00-00 00:00:00", " 0000-00-00 00:00:00"),
        (None, None),
    ],
)
def test_a_moment_that_python_does_not_know_stays_a_text(text: str | None, value: object) -> None:
    assert moment(text) == value
