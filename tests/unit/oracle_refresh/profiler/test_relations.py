"""Columns that hold the values of another column, or have its name, get its verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from oracle_refresh.profiler.evidence import look
from oracle_refresh.profiler.judge import in_table, judge
from oracle_refresh.profiler.model import Classification, ColumnFacts, Kind
from oracle_refresh.profiler.relations import SURE, holding_alike, named_alike, prints

TODAY = date(2026, 11, 21)
LOGINS = [f"{name}{number}" for number in range(9) for name in ("mhorn", "jo", "petra.w", "kxu")]
USERS = ("APP", "SYS_USER", "USER_NAME")


def known(kind: Kind = Kind.USER_NAME, confidence: float = 0.8) -> list[Classification]:
    return [Classification(*USERS, kind, confidence, ("the name says so",))]


def holding(column: str, values: list[str], found: list[Classification] | None = None) -> list[str]:
    key = ("APP", "LOG", column)
    result = holding_alike(found or known(), {USERS: prints(LOGINS), key: prints(values)})
    return [one.key for one in result if one.table == "LOG" and one.confidence >= SURE]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("CREATED_BY", ["mhorn1"]),
        ("CREATE_BY", ["MHORN1 ", "jo0"]),
        ("UPDATEDBY", ["kxu7", "batch"]),
        ("LAST_UPDATED_BY", LOGINS),
        ("USER_ID_", ["petra.w3", "jo1"]),
        ("CHANGED_BY", [*(f"batch{number}" for number in range(30)), "jo1"]),
        ("LEADER", ["jo8"]),
        ("ASSIGNEE_", ["jo8"]),
        ("TASK_OWNER_ID", ["jo8", "kxu0"]),
        ("XYZ", LOGINS[:20]),
    ],
)
def test_a_column_with_logins_of_a_masked_column_is_found(column: str, values: list[str]) -> None:
    assert holding(column, values) == [f"APP.LOG.{column}"]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("CREATED_BY", ["batch", "etl"]),
        ("CREATED_BY", []),
        ("CREATED_BY", ["12", "1", "x"]),
        ("STATUS", ["jo8"]),
        ("MONTH", LOGINS[:7]),
        ("TITLE", [*LOGINS[:3], *(f"title {number}" for number in range(9))]),
    ],
)
def test_other_values_say_nothing(column: str, values: list[str]) -> None:
    assert holding(column, values) == []


def test_values_of_what_identifies_nobody_or_is_doubtful_say_nothing() -> None:
    assert holding("CREATED_BY", LOGINS, known(Kind.CITY)) == []
    assert holding("CREATED_BY", LOGINS, known(confidence=0.5)) == []


def test_no_reason_holds_a_value() -> None:
    key = ("APP", "LOG", "CREATED_BY")
    (found,) = [
        one
        for one in holding_alike(known(), {USERS: prints(LOGINS), key: prints(LOGINS[:4])})
        if one.table == "LOG"
    ]
    assert (found.kind, found.like) == (Kind.USER_NAME, USERS)
    assert found.reasons == (
        "4 of 4 different sampled values are values of sensitive columns, most of APP.SYS_USER.USER_NAME",
    )


def facts(
    table: str, column: str, values: list[str] | None = None, data_type: str = "VARCHAR2"
) -> ColumnFacts:
    evidence = None if values is None else look(values, TODAY)
    return ColumnFacts("APP", table, column, data_type, 40, evidence=evidence)


MAILS = [f"{login}@corp.com" for login in LOGINS]


def named(*columns: ColumnFacts) -> dict[str, Kind]:
    known = {(one.owner, one.table, one.column): one for each in columns for one in in_table([each])}
    first = [found for one in known.values() if (found := judge(one))]
    return {one.key: one.kind for one in named_alike(first, known) if one.confidence >= SURE}


def test_the_same_name_in_another_table_gets_the_same_verdict() -> None:
    found = named(facts("T1", "KONTAKT_X", MAILS), facts("T2", "KONTAKT_X"), facts("T3", "KONTAKTX"))
    assert found == {"APP.T1.KONTAKT_X": Kind.EMAIL, "APP.T2.KONTAKT_X": Kind.EMAIL}
    few = facts("T2", "KONTAKT_X", ["a", "b"] * 30)
    assert "APP.T2.KONTAKT_X" not in named(facts("T1", "KONTAKT_X", MAILS), few)


@pytest.mark.parametrize(
    "other",
    [
        facts("T2", "KONTAKT_X", [f"order {number}" for number in range(40)]),
        facts("T2", "KONTAKT_X", data_type="NUMBER"),
        facts("T2", "KONTAKT_X", ["Y", "N"] * 20),
    ],
)
def test_a_sample_or_type_that_contradicts_outweighs_the_name(other: ColumnFacts) -> None:
    assert named(facts("T1", "KONTAKT_X", MAILS), other) == {"APP.T1.KONTAKT_X": Kind.EMAIL}


@pytest.mark.parametrize("column", ["NAME", "VALUE_", "CODE", "TITLE", "DATA"])
def test_names_that_mean_something_else_in_each_table_are_left_alone(column: str) -> None:
    assert list(named(facts("T1", column, MAILS), facts("T2", column))) == [f"APP.T1.{column}"]


def test_places_of_things_stay_harmless() -> None:
    people, things = (facts(table, "CITY") for table in ("CUSTOMERS", "WAREHOUSES"))
    assert named(people, things) == {"APP.CUSTOMERS.CITY": Kind.CITY}


@pytest.mark.parametrize(
    ("table", "column", "values", "login"),
    [
        ("ACT_ID_USER", "ID_", LOGINS, True),
        ("APP_USERS", "USER_ID", LOGINS, True),
        ("APP_USERS", "USER_ID", [f"U{number:06}" for number in range(40)], False),
        ("APP_USERS", "ID", [f"{number:032x}" for number in range(40)], False),
        ("PRODUCTS", "ID", LOGINS, False),
    ],
)
def test_the_key_of_a_table_of_users_may_be_a_login(
    table: str, column: str, values: list[str], login: bool
) -> None:
    (one,) = in_table([replace(facts(table, column, values))])
    found = judge(one)
    assert (found is not None and found.kind is Kind.USER_NAME and found.confidence >= SURE) is login


@pytest.mark.parametrize(
    ("column", "postcode"), [("ITEM_CODE", False), ("BRANCHCODE", False), ("C1", True), ("ZIP_CODE", True)]
)
def test_codes_in_the_shape_of_postcodes_are_codes_where_the_name_says_so(
    column: str, postcode: bool
) -> None:
    values = [f"{1000 + number} {chr(65 + number)}B" for number in range(25)]
    (one,) = in_table([facts("T1", column, values)])
    found = judge(one)
    assert (found is not None and found.kind is Kind.POSTCODE) is postcode
