"""Conditions, rules for several columns, rules that follow references, values that do not conform."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracle_refresh.catalog import Catalogue, Constraint, ReferencedKey, Table
from oracle_refresh.masking import ColumnRule, Ruleset, fit
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.rules import Reference
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import TableName
from support.masking_rules import IDS, PERSONS, written
from support.samples import key, number, text


@pytest.mark.parametrize(
    ("condition", "sql"),
    [
        ("id = 1", '(T."ID" = 1)'),
        ("a is not null and (b in ('x', 'it''s') or upper(c) like 'Z%')",
         '(T."A" IS NOT NULL AND ( T."B" IN ( \'x\' , \'it\'\'s\' ) OR UPPER ( T."C" ) LIKE \'Z%\' ))'),
        ("\"Mixed\" >= date '2020-01-01'", '(T."Mixed" >= DATE \'2020-01-01\')'),
    ],
)  # fmt: skip
def test_conditions(condition: str, sql: str) -> None:
    assert Condition.parse(condition).sql() == sql


@pytest.mark.parametrize(
    ("condition", "complaint"),
    [
        ("id = 1; drop table x", "';"),
        ("id = 1 -- x", "'-- x'"),
        ("id = 1 /* x */", "'/* x"),
        ("id = :b", "':b'"),
        ("id in (select 1 from dual)", "select cannot"),
        ("f(id) = 1", "f cannot be called"),
        ("sys.f(id) = 1", "'.f(id)"),
        ("id = sysdate", "sysdate cannot"),
        ("(id = 1", "not closed"),
        ("id = 1)", "not opened"),
        ("1 = 1", "at least one column"),
        ("id = 'x", '"\'x"'),
    ],
)
def test_what_is_no_condition(condition: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Condition.parse(condition)
    assert complaint in str(caught.value)


def test_rules_for_several_columns_unfold(tmp_path: Path) -> None:
    rules = {rule.column: rule for rule in written(tmp_path, PERSONS).rules("APP", "PEOPLE")}
    assert rules["EMAIL"].algorithm.reads == ("FIRST_NAME", "LAST_NAME")
    assert rules["FIRST_NAME"].domain == "person.first"
    place = rules["POSTCODE"].algorithm
    assert isinstance(place, RecordLookup)
    assert (place.field, place.key) == (2, ("CITY", "POSTCODE", "COUNTRY"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("city, postcode, country", "city, postcode, country, id"), "has 3 fields, not 4"),
        (("first_name, last_name, email", "first_name, last_name"), "masks three columns"),
        (
            ("{algorithm: keep}", "{algorithm: keep}\n      - {algorithm: null}"),
            "all but the last have a condition",
        ),
        (("country is null", "delete from x"), "from cannot"),
        (("non_conforming: redact", "non_conforming: ignore"), "fail, null or redact"),
        (("algorithm: place", "algorithm: name"), "no algorithm for several columns"),
        (("value: 7", "value: 7, domain: x"), "is not keyed"),
        (("value: 7", "valeu: 7"), "no parameter valeu"),
    ],
)
def test_rulesets_that_are_refused(tmp_path: Path, change: tuple[str, str], complaint: str) -> None:
    with pytest.raises(MaskingError) as caught:
        written(tmp_path, PERSONS.replace(*change))
    assert complaint in str(caught.value)


def test_policies_are_held_against_the_column() -> None:
    from oracle_refresh.masking import check_table

    rule = ColumnRule("C", "character_mapping", "c", CharacterMapping())
    table = Table(
        "APP", "T", 1, 1, 1, (text("C", 9, nullable=False), number("N")), constraints=(key("U", "UK", "C"),)
    )
    for policy, complaint in (("null", "NOT NULL"), ("redact", "unique key")):
        with pytest.raises(MaskingError, match=complaint):
            check_table(table, (replace(rule, policy=policy),))  # type: ignore[arg-type]
    numbers = ColumnRule("N", "number_mapping", "n", NumberMapping(), policy="redact")
    with pytest.raises(MaskingError, match="redact masks texts"):
        check_table(table, (numbers,))


def foreign(name: str, column: str, table: str, key: str) -> Constraint:
    references = ReferencedKey("APP", table, (key,))
    return Constraint(name, "R", (column,), references, None, True, True, False, None, False, None, None)


def chain() -> Catalogue:
    """A <- B <- C by foreign keys, D refers to C without one, E and F refer to each other."""
    a = Table("APP", "A", 1, 1, 1, (number("ID"), text("X", 9)), constraints=(key("P", "A_PK", "ID"),))
    b = Table(
        "APP",
        "B",
        1,
        1,
        1,
        (number("A_ID"),),
        constraints=(key("P", "B_PK", "A_ID"), foreign("B_FK", "A_ID", "A", "ID")),
    )
    c = Table("APP", "C", 1, 1, 1, (number("B_ID"),), constraints=(foreign("C_FK", "B_ID", "B", "A_ID"),))
    d = Table("APP", "D", 1, 1, 1, (number("REF"), text("T", 9)))
    e = Table(
        "APP",
        "E",
        1,
        1,
        1,
        (number("ID"), number("F")),
        constraints=(key("P", "E_PK", "ID"), foreign("E_FK", "F", "F", "ID")),
    )
    f = Table(
        "APP",
        "F",
        1,
        1,
        1,
        (number("ID"), number("E")),
        constraints=(key("P", "F_PK", "ID"), foreign("F_FK", "E", "E", "ID")),
    )
    return Catalogue(("APP",), (c, b, a, d, e, f))


VIRTUAL = Reference(TableName("APP", "D"), ("REF",), TableName("APP", "C"), ("B_ID",))


def test_rules_follow_references() -> None:
    ruleset = Ruleset("r", {TableName("APP", "A"): (IDS,)}, "f", (VIRTUAL,))
    found = fit(ruleset, chain())
    assert found.problems == ()
    assert [(item.name, item.parent_name) for item in found.inherited.items] == [
        ("B", "A"),
        ("C", "B"),
        ("D", "C"),
    ]
    whole = ruleset.inheriting(found.inherited.items)
    assert whole.rules("APP", "D")[0] == replace(IDS, column="REF", inherited="APP.C.B_ID")
    assert whole.fingerprint == "f"


def test_circles_are_told_and_end() -> None:
    ruleset = Ruleset("r", {TableName("APP", "E"): (IDS,)}, "f")
    found = fit(ruleset, chain())
    assert found.notes == ("tables refer to each other in a circle: APP.E -> APP.F -> APP.E",)
    assert [(item.name, item.column) for item in found.inherited.items] == [("F", "E")]
    whole = replace(ruleset, tables={**ruleset.tables, ("APP", "F"): (IDS,)})
    assert {(item.name, item.column) for item in fit(whole, chain()).inherited.items} == {
        ("F", "E"),
        ("E", "F"),
    }


@pytest.mark.parametrize(
    ("tables", "complaint"),
    [
        ({"A": (IDS,), "B": (replace(IDS, column="A_ID", domain="b"),)}, "B_FK would break"),
        ({"B": (replace(IDS, column="A_ID"),)}, "APP.A.ID are not masked by the same domain"),
        ({"A": (replace(IDS, where=Condition.parse("id > 1")),)}, "looks at other columns of its row"),
        ({"D": (replace(IDS, column="REF"),)}, "declared reference would break"),
    ],
)
def test_contradictions_are_problems(tables: dict[str, tuple[ColumnRule, ...]], complaint: str) -> None:
    ruleset = Ruleset("r", {TableName("APP", name): rules for name, rules in tables.items()}, "f", (VIRTUAL,))
    assert any(complaint in problem.message for problem in fit(ruleset, chain()).problems)


def test_a_rule_of_a_circle_of_its_own_is_refused() -> None:
    from oracle_refresh.masking import compile_table

    table = Table("APP", "T", 1, 1, 1, (text("A", 60), text("B", 60)))
    email = Email(local="names", first_name="B", last_name="B")
    rules = (
        ColumnRule("A", "email", "a", email),
        ColumnRule("B", "email", "b", replace(email, first_name="A", last_name="A")),
    )
    with pytest.raises(MaskingError, match="made of its own masked value"):
        compile_table(table, rules, "run")
    with pytest.raises(MaskingError, match="B has no rule"):
        compile_table(table, rules[:1], "run")
    problems = fit(
        Ruleset("r", {TableName("APP", "T"): rules[:1]}, "f"), Catalogue(("APP",), (table,))
    ).problems
    assert [problem.message for problem in problems] == [
        "APP.T.A: it is made of the masked B, which has no rule"
    ] * 2
