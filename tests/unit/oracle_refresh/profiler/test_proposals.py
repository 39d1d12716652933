"""Proposals: valid rulesets with reasons, linked columns alike, nothing that does not fit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.catalog.model import Catalogue, Column, Constraint, ConstraintType, ReferencedKey, Table
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.propose import Proposer, render, taken_of
from oracle_refresh.profiler.relations import judged_alike
from support.masking_cases import UNMAPPED
from support.masking_values import STRANGE

ROOT = Path(__file__).parents[4]
LOOKUPS = {path.stem: path for path in (ROOT / "include" / "lookups").glob("*.csv")}


def column(name: str, data_type: str = "VARCHAR2", length: int = 60, *, nullable: bool = True) -> Column:
    chars = length if data_type in ("VARCHAR2", "CHAR") else 0
    return Column(name, data_type, length, chars, "C" if chars else None, None, None, nullable)


def key(name: str, kind: ConstraintType, *columns: str, refers: ReferencedKey | None = None) -> Constraint:
    return Constraint(name, kind, columns, refers, None, True, True, False, None, False, None, None)


def table(name: str, columns: tuple[Column, ...], *constraints: Constraint) -> Table:
    return Table("APP", name, None, 0, 0, columns, constraints=constraints)


PEOPLE = table(
    "PEOPLE",
    (column("TAX_NO", length=20, nullable=False), column("BORN", "DATE", 7), column("SEX", "CHAR", 1)),
    key("PEOPLE_PK", "P", "TAX_NO"),
)
CLAIMS = table(
    "CLAIMS",
    (
        column("CLAIM_ID", "NUMBER", 22),
        column("PERSON", length=20),
        column("SHAPE", "SDO_GEOMETRY", 1, nullable=False),
    ),
    key("CLAIMS_PK", "P", "CLAIM_ID"),
    key("CLAIMS_FK", "R", "PERSON", refers=ReferencedKey("APP", "PEOPLE", ("TAX_NO",))),
)
CATALOGUE = Catalogue(("APP",), (CLAIMS, PEOPLE))


def classification(name: str, kind: Kind, confidence: float = 0.9) -> Classification:
    owner, table_name, column_name = name.split(".")
    return Classification(owner, table_name, column_name, kind, confidence, ("because",))


def test_what_is_true_of_a_key_is_true_of_what_refers_to_it() -> None:
    found = judged_alike([classification("APP.PEOPLE.TAX_NO", Kind.NATIONAL_ID)], CATALOGUE)
    assert [(one.key, one.kind) for one in found] == [
        ("APP.CLAIMS.PERSON", Kind.NATIONAL_ID),
        ("APP.PEOPLE.TAX_NO", Kind.NATIONAL_ID),
    ]
    assert "a foreign key links it with APP.PEOPLE.TAX_NO" in found[0].reasons
    proposed = Proposer(CATALOGUE, LOOKUPS).propose(found)
    assert proposed[0].rule == proposed[1].rule
    assert proposed[0].rule is not None
    assert proposed[0].rule["domain"] == "national_id"


def test_no_rule_is_proposed_that_makes_rows_equal_in_a_composite_key() -> None:
    members = table(
        "MEMBERS", (column("BRANCH", "NUMBER", 22), column("LAST_NAME")), key("U", "U", "BRANCH", "LAST_NAME")
    )
    proposer = Proposer(Catalogue(("APP",), (members,)), LOOKUPS)
    (found,) = proposer.propose([classification("APP.MEMBERS.LAST_NAME", Kind.LAST_NAME)])
    assert found.rule is not None
    assert found.rule["algorithm"] == "character_mapping"


def test_the_stronger_kind_wins_along_a_foreign_key() -> None:
    found = judged_alike(
        [
            classification("APP.PEOPLE.TAX_NO", Kind.NATIONAL_ID),
            classification("APP.CLAIMS.PERSON", Kind.USER_NAME, 0.4),
        ],
        CATALOGUE,
    )
    assert {one.kind for one in found} == {Kind.NATIONAL_ID}


def test_dates_move_with_their_person() -> None:
    (born,) = Proposer(CATALOGUE, {}).propose([classification("APP.PEOPLE.BORN", Kind.BIRTH_DATE)])
    assert born.rule is not None
    assert born.rule["algorithm"] == "date_shift"
    assert born.rule["subject"] == "TAX_NO"


@pytest.mark.parametrize("nullable", [True, False])
def test_every_kind_has_a_rule_for_a_text_column(nullable: bool) -> None:
    people = table("PEOPLE", (column("X", length=200, nullable=nullable),))
    proposer = Proposer(Catalogue(("APP",), (people,)), LOOKUPS)
    for kind in Kind:
        (proposed,) = proposer.propose([classification("APP.PEOPLE.X", kind)])
        assert proposed.rule, kind


def test_a_unique_column_gets_a_unique_mask() -> None:
    people = table("PEOPLE", (column("NAME", length=80),), key("PEOPLE_PK", "P", "NAME"))
    (proposed,) = Proposer(Catalogue(("APP",), (people,)), LOOKUPS).propose(
        [classification("APP.PEOPLE.NAME", Kind.LAST_NAME)]
    )
    assert proposed.rule is not None
    assert proposed.rule["algorithm"] == "character_mapping"


def test_a_column_that_no_algorithm_takes_is_told(tmp_path: Path) -> None:
    (shape,) = Proposer(CATALOGUE, {}).propose([classification("APP.CLAIMS.SHAPE", Kind.LOCATION)])
    assert shape.rule is None
    text = render([shape], {}, 0.6, "x")
    assert "no algorithm fits SHAPE" in text
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    assert load_ruleset(path).tables == {}


def test_names_and_reasons_cannot_break_out_of_their_line(tmp_path: Path) -> None:
    odd = table("Odd: #\n'", (column("a\n: {b}"),))
    catalogue = Catalogue(("APP",), (odd,))
    found = [Classification("APP", odd.name, "a\n: {b}", Kind.FREE_TEXT, 0.9, ("one\nevil: true",))]
    path = tmp_path / "rules.yaml"
    path.write_text(render(Proposer(catalogue, {}).propose(found), {}, 0.6, "x: y\n"))
    ruleset = load_ruleset(path)
    assert [(owner, name) for owner, name in ruleset.tables] == [("APP", odd.name)]
    assert [rule.column for rule in ruleset.rules("APP", odd.name)] == ["a\n: {b}"]


def proposed(kind: Kind, values: Collection[Any], length: int = 60, data_type: str = "VARCHAR2") -> Any:
    people = table("PEOPLE", (column("X", data_type, length),))
    proposer = Proposer(Catalogue(("APP",), (people,)), LOOKUPS, {("APP", "PEOPLE", "X"): values})
    (found,) = proposer.propose([classification("APP.PEOPLE.X", kind)])
    return found


@pytest.mark.parametrize(
    ("kind", "values", "algorithm"),
    [
        (Kind.USER_NAME, ("hking", "jo.w-7"), "character_mapping"),
        (Kind.USER_NAME, ("hking", "佐藤"), "secure_lookup"),
        (Kind.PHONE, ("+49 30 1234567", "030 1234568"), "phone"),
        (Kind.PHONE, ("+49 30 1234567", "ext. 17"), "character_mapping"),
        (Kind.PHONE, ("тел. 12345",), "null"),
        (Kind.PAYMENT_CARD, ("4111111111111111", "n/a"), "null"),
        (Kind.IBAN, ("DE89370400440532013000",), "iban"),
        (Kind.IBAN, ("DE88370400440532013000",), "character_mapping"),
        (Kind.NATIONAL_ID, ("ABC-123", "Ä-9"), "null"),
        (Kind.FULL_NAME, ("Ann Lee", "a b c d e f g"), "secure_lookup"),
        (Kind.POSTCODE, ("10115", "〒100-0001"), "null"),
        (Kind.FIRST_NAME, ("王", "José"), "name"),
    ],
)
def test_a_proposal_takes_every_value_of_its_sample(
    kind: Kind, values: tuple[str, ...], algorithm: str
) -> None:
    found = proposed(kind, values)
    assert found.rule["algorithm"] == algorithm
    assert f"takes {len(values)} of {len(values)} different sampled values" in found.reasons[-1]


def test_a_candidate_that_refuses_values_is_named_with_its_share() -> None:
    found = proposed(Kind.USER_NAME, ("hking", "jo", "佐藤"))
    assert "character_mapping takes 2 of 3 different sampled values" in found.reasons
    assert "secure_lookup takes 3 of 3 different sampled values" in found.reasons
    assert not any("佐藤" in reason for reason in found.reasons)


def test_padding_of_a_fixed_width_is_no_value() -> None:
    assert proposed(Kind.IBAN, ("DE89370400440532013000".ljust(40),), 40, "CHAR").rule["algorithm"] == "iban"


@pytest.mark.parametrize("kind", Kind)
def test_no_kind_gets_a_rule_that_refuses_its_sample(kind: Kind) -> None:
    values = {value for value in (*STRANGE, *UNMAPPED, "1", "x" * 60) if len(value) <= 60}
    found = proposed(kind, values)
    rule = Proposer(CATALOGUE, LOOKUPS)._parsed(found.rule)
    assert rule is not None
    assert taken_of(rule.algorithm, column("X"), values) == len(values)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Kind.BIRTH_DATE, {datetime(1980, 2, 29), "-0044-03-15 00:00:00"}),
        (Kind.BIRTH_DATE, set()),
    ],
)
def test_dates_are_taken_whatever_python_makes_of_them(kind: Kind, values: set[Any]) -> None:
    assert proposed(kind, values, 7, "DATE").rule["algorithm"] == "date_shift"


def test_columns_that_hold_the_same_values_share_one_rule() -> None:
    users = table("USERS", (column("LOGIN", length=30),))
    logs = table("LOGS", (column("CREATED_BY"), column("CLERK", length=9)))
    login, by, clerk = (
        classification(f"APP.{name}", Kind.USER_NAME)
        for name in ("USERS.LOGIN", "LOGS.CREATED_BY", "LOGS.CLERK")
    )
    like = ("APP", "USERS", "LOGIN")
    proposer = Proposer(Catalogue(("APP",), (logs, users)), LOOKUPS, {like: ("Ольга", "jo")})
    found = proposer.propose([replace(by, like=like), replace(clerk, like=like), login])
    assert found[0].rule == found[2].rule
    assert found[0].rule is not None
    assert found[0].rule["algorithm"] == "secure_lookup"
    # No name of the list fits nine characters; the logins keep their rule all the same.
    assert found[1].rule is not None
    assert found[1].rule["algorithm"] != "secure_lookup"


@pytest.mark.parametrize("nullable", [True, False])
def test_a_year_of_birth_next_to_a_shifted_date_is_removed_or_reported(nullable: bool) -> None:
    year = Column("YEAR", "NUMBER", 22, 0, None, 4, 0, nullable)
    people = table(
        "PERSON", (year, column("BORN", "DATE", 7), column("ID", "NUMBER", 22)), key("PK", "P", "ID")
    )
    found, _ = Proposer(Catalogue(("APP",), (people,)), {}).propose(
        [classification(f"APP.PERSON.{name}", Kind.BIRTH_DATE) for name in ("YEAR", "BORN")]
    )
    assert found.rule is not None
    assert found.rule["algorithm"] == ("null" if nullable else "redaction")
    assert ("a constant contradicts the shifted dates in BORN" in found.reasons) is not nullable


def test_a_column_without_values_takes_what_columns_of_its_name_take() -> None:
    used, empty = table("USERS", (column("NICK"),)), table("OLD_USERS", (column("NICK"),))
    dated = table("DATED_USERS", (column("NICK", "DATE", 7),))
    catalogue = Catalogue(("APP",), (dated, empty, used))
    values: dict[Any, Collection[Any]] = {("APP", "USERS", "NICK"): {"若"}}
    values |= {("APP", "DATED_USERS", "NICK"): {datetime(2020, 1, 1)}}
    found = Proposer(catalogue, LOOKUPS, values).propose(
        [classification(f"APP.{name}.NICK", Kind.USER_NAME) for name in ("OLD_USERS", "USERS")]
    )
    assert found[0].rule == found[1].rule
    assert found[0].rule is not None
    assert found[0].rule["algorithm"] == "secure_lookup"
