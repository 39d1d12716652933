"""Proposals: valid rulesets with reasons, linked columns alike, nothing that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_refresh.catalog.model import Catalogue, Column, Constraint, ConstraintType, ReferencedKey, Table
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.propose import Proposer, render
from oracle_refresh.profiler.relations import judged_alike

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
