"""Where a statement is parsed, and what the answer says."""

from __future__ import annotations

import pytest

from oracle_refresh.first_contact.judging import check_of, ends_of, first_line
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.rooms import Room, Statement

ROOM, LABORATORY = Room("catalog"), Room("tuning.cdc", ("target",), "the tuning of change capture")


def test_no_code_is_accepted() -> None:
    statement = Statement(ROOM, "one", "SELECT 1 FROM DUAL")
    assert check_of(statement, "source", 0.1, (), "").outcome is Outcome.PASSED


def test_a_refusal_has_the_statement_and_a_remedy() -> None:
    statement = Statement(ROOM, "one", "SELECT X FROM DUAL", "APP.ORDERS")
    check = check_of(statement, "source", 0.1, ("ORA-00904",), 'ORA-00904: "X": invalid identifier')
    assert (check.outcome, check.name) == (Outcome.FAILED, "one of APP.ORDERS")
    assert check.statement == "SELECT X FROM DUAL"
    assert check.remedy


def test_what_is_missing_is_a_matter_of_grants() -> None:
    check = check_of(
        Statement(ROOM, "one", "SELECT X FROM DBA_TABLES"), "source", 0.1, ("ORA-00942",), "ORA-00942"
    )
    assert check.outcome is Outcome.FAILED
    assert "grants.sql" in (check.remedy or "")


@pytest.mark.parametrize(
    ("codes", "outcome"), [(("ORA-06550", "PLS-00201"), Outcome.SKIPPED), (("PLS-00306",), Outcome.FAILED)]
)
def test_a_laboratory_may_lack_its_packages_but_not_be_wrong(
    codes: tuple[str, ...], outcome: Outcome
) -> None:
    check = check_of(Statement(LABORATORY, "one", "BEGIN X.Y; END;"), "target", 0.1, codes, "PLS")
    assert check.outcome is outcome


@pytest.mark.parametrize(
    ("text", "present", "ends"),
    [
        ('SELECT 1 FROM "A"."T"', {"A.T"}, ("target",)),
        ('SELECT 1 FROM "A"."T"', set(), ("source",)),
        ('SELECT 1 FROM "A"."T" AS OF SCN :scn', {"A.T"}, ("source",)),
        ('UPDATE "A"."T" SET X = 1', {"A.T"}, ("target",)),
        ('UPDATE "A"."T" SET X = 1', set(), ()),
    ],
)
def test_copied_tables_are_where_they_are(text: str, present: set[str], ends: tuple[str, ...]) -> None:
    assert ends_of(Statement(ROOM, "one", text, "A.T"), present) == ends


def test_the_dictionary_is_asked_where_the_room_works() -> None:
    assert ends_of(Statement(ROOM, "one", "SELECT 1 FROM DBA_TABLES"), ()) == ("source", "target")
    assert ends_of(Statement(LABORATORY, "one", "SELECT 1 FROM DBA_APPLY"), ()) == ("target",)


def test_the_place_in_a_block_stands_before_the_reason() -> None:
    stack = "ORA-06550: line 1, column 7:\nPLS-00201: identifier 'X' must be declared\nORA-06550: line 1"
    assert first_line(stack) == "ORA-06550: line 1, column 7: PLS-00201: identifier 'X' must be declared"
