"""Conditions, rules for several columns, rules that follow references, values that do not conform."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Column, Constraint, Table
from oracle_refresh.errors import MaskingError
from oracle_refresh.ledger import Ledger
from oracle_refresh.masking import ColumnRule, MaskResult, MasterKey, Ruleset, fit, load_ruleset, mask_table
from oracle_refresh.masking.algorithms import (
    CharacterMapping,
    DateShift,
    Email,
    FullName,
    Keep,
    Name,
    Null,
    NumberMapping,
    RecordLookup,
    Redaction,
    SecureLookup,
)
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.rules import Reference
from support.samples import SECRET, key, number, text

KEY = MasterKey(SECRET)
NAMES = "name\nAnna\nBert\nCleo\nDora\n"
PLACES = "city,postcode,country\nUlm,89073,DE\nLyon,69001,FR\nGhent,9000,BE\n"
PERSONS = """
name: test
lookups: {names: names.csv, places: places.csv}
tables:
  app.people:
    "first_name, last_name, email": {algorithm: person, first_names: names, last_names: names, domain: person}
    holder: {algorithm: full_name, first_names: names, last_names: names, domain: person}
    "city, postcode, country": {algorithm: place, lookup: places, domain: place}
    phone:
      - {algorithm: character_mapping, domain: phone, where: "country = 'DE' and id > 1",
         non_conforming: redact}
      - {algorithm: null, where: "country is null"}
      - {algorithm: keep}
    salary: {algorithm: constant, value: 7, where: "id in (1, 2)"}
"""


def written(folder: Path, document: str) -> Ruleset:
    for name, content in (("names.csv", NAMES), ("places.csv", PLACES), ("rules.yaml", document)):
        (folder / name).write_text(content, encoding="utf-8")
    return load_ruleset(folder / "rules.yaml")


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


COLUMNS = (
    number("ID"), text("FIRST_NAME", 20), text("LAST_NAME", 20), text("EMAIL", 60), text("HOLDER", 40),
    text("CITY", 20), text("POSTCODE", 9), text("COUNTRY", 9), text("PHONE", 20), number("SALARY", 9),
)  # fmt: skip
ROWS = [
    (1, "Peter", "Müller", "p@x.de", "Peter Müller", "Bonn", "53111", "DE", "030-1", 1),
    (2, "PETER", "MÜLLER", "q@x.de", "Müller, Peter", "Bonn", "53111", "DE", "030-1", None),
    (3, None, "Cole", None, None, None, "1", "DE", "--", 3),
    (4, "Zoe", None, "z@x.de", None, "Nice", "06000", None, "030-1", 4),
    (5, None, None, "n@x.de", None, "Nice", "06000", "FR", "030-1", 5),
]


class Database:
    def __init__(self, schema: Any) -> None:
        self.owner, self.connection = schema.name, schema.connection
        with schema.server.connect() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")

    def create(self, name: str, columns: tuple[Column, ...], rows: list[tuple[Any, ...]]) -> Table:
        types = {"NUMBER": "NUMBER", "VARCHAR2": "VARCHAR2({} CHAR)"}
        listed = ", ".join(
            f"{each.name} {types[each.data_type].format(each.char_length)}" for each in columns
        )
        with self.connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE {name} ({listed})")
            marks = ", ".join(f":{place}" for place in range(1, len(columns) + 1))
            cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        self.connection.commit()
        return Table(self.owner, name, 1, 1, 1, columns)

    def mask(self, table: Table, rules: tuple[ColumnRule, ...]) -> MaskResult:
        ruleset = Ruleset("test", {(table.owner, table.name): rules}, "f")
        return mask_table(self.connection, table, ruleset, KEY, "run", Ledger(self.connection))

    def read(self, sql: str) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor)


@pytest.fixture
def database(schema: Any) -> Iterator[Database]:
    return Database(schema)


def test_people_and_places_stay_in_accord(database: Database, tmp_path: Path) -> None:
    rules = written(tmp_path, PERSONS).rules("APP", "PEOPLE")
    result = database.mask(database.create("PEOPLE", COLUMNS, ROWS), rules)
    rows = database.read("SELECT * FROM PEOPLE ORDER BY ID")
    names = ("Anna", "Bert", "Cleo", "Dora")
    name, whole = Name(names), FullName(names, names)
    places = {tuple(line.split(",")) for line in PLACES.splitlines()[1:]}
    for before, after in zip(ROWS, rows, strict=True):
        first, last = (
            name.mask(KEY.domain("person.first"), before[1]),
            name.mask(KEY.domain("person.last"), before[2]),
        )
        assert after[1:3] == (first, last)
        local = ".".join(part.lower() for part in (first, last) if part)
        assert after[3] is None if before[3] is None else after[3].startswith(f"{local}." if local else "")
        assert after[4] == whole.mask(KEY.domain("person"), before[4])
    assert rows[0][4] == f"{rows[0][1]} {rows[0][2]}"
    assert rows[0][5:8] in places
    assert rows[0][5:8] == rows[1][5:8]
    assert rows[3][5:8] in {(*place[:2], None) for place in places}
    phones = [row[8] for row in rows]
    mapped = CharacterMapping().mask(KEY.domain("phone"), "030-1")
    assert phones == ["030-1", mapped, "[redacted]", None, "030-1"]
    assert [row[9] for row in rows] == [7, None, 3, 4, 5]
    told = result.non_conforming[0]
    assert (told.column, told.rows, told.policy, told.patterns[0].pattern) == ("PHONE", 1, "redact", "--")


def test_values_that_do_not_conform_are_told_as_patterns(database: Database) -> None:
    values = ["ABC-123", "abc-99", "é漢-'x", "Ab 1", "-+-", "()", "()", None]
    table = database.create("T", (number("ID"), text("C", 80), text("E", 20)), [
        (place, value, "no date") for place, value in enumerate([*values, "1" * 75])
    ])  # fmt: skip
    rules = (ColumnRule("C", "character_mapping", "c", CharacterMapping()),)
    with pytest.raises(MaskingError) as caught:
        database.mask(table, rules)
    message = str(caught.value)
    assert "C: 3 distinct values in 4 rows do not conform" in message
    assert "() (2 rows)" in message
    assert "-+- (1 rows)" in message
    assert "9" * 60 in message
    assert "1" * 9 not in message
    assert len(database.read("SELECT * FROM T WHERE C = '()'")) == 2
    result = database.mask(table, (replace(rules[0], policy="null"),))
    assert (result.non_conforming[0].rows, result.non_conforming[0].values) == (4, 3)
    assert database.read("SELECT COUNT(*) FROM T WHERE C IS NULL") == [(5,)]


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


def test_a_key_of_several_columns_is_proven(database: Database) -> None:
    table = database.create("T", (number("A"), text("B", 20)), [(1, "Peter"), (1, "Paul"), (1, "Mary")])
    table = replace(table, constraints=(key("P", "T_PK", "A", "B"),))
    two = ColumnRule("B", "secure_lookup", "b", SecureLookup(("Anna", "Bert")))
    with pytest.raises(MaskingError, match="values of the key T_PK would come more than once"):
        database.mask(table, (two,))
    assert database.read("SELECT B FROM T ORDER BY B") == [("Mary",), ("Paul",), ("Peter",)]
    database.mask(table, (replace(two, kind="character_mapping", algorithm=CharacterMapping()),))
    assert len(database.read("SELECT DISTINCT B FROM T")) == 3


def foreign(name: str, column: str, constraint: str) -> Constraint:
    return Constraint(
        name, "R", (column,), "APP", constraint, None, True, True, False, None, False, None, None
    )


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
        constraints=(key("P", "B_PK", "A_ID"), foreign("B_FK", "A_ID", "A_PK")),
    )
    c = Table("APP", "C", 1, 1, 1, (number("B_ID"),), constraints=(foreign("C_FK", "B_ID", "B_PK"),))
    d = Table("APP", "D", 1, 1, 1, (number("REF"), text("T", 9)))
    e = Table(
        "APP",
        "E",
        1,
        1,
        1,
        (number("ID"), number("F")),
        constraints=(key("P", "E_PK", "ID"), foreign("E_FK", "F", "F_PK")),
    )
    f = Table(
        "APP",
        "F",
        1,
        1,
        1,
        (number("ID"), number("E")),
        constraints=(key("P", "F_PK", "ID"), foreign("F_FK", "E", "E_PK")),
    )
    return Catalogue(("APP",), (c, b, a, d, e, f))


IDS = ColumnRule("ID", "number_mapping", "id", NumberMapping())
VIRTUAL = Reference(("APP", "D"), ("REF",), ("APP", "C"), ("B_ID",))


def test_rules_follow_references() -> None:
    ruleset = Ruleset("r", {("APP", "A"): (IDS,)}, "f", (VIRTUAL,))
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
    ruleset = Ruleset("r", {("APP", "E"): (IDS,)}, "f")
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
    ruleset = Ruleset("r", {("APP", name): rules for name, rules in tables.items()}, "f", (VIRTUAL,))
    assert any(complaint in problem for problem in fit(ruleset, chain()).problems)


def test_masked_keys_and_their_children_agree(database: Database) -> None:
    parents = database.create("A", (number("ID"), text("X", 9)), [(n, "x") for n in range(300)])
    children = database.create("B", (number("A_ID"),), [(n % 300,) for n in range(900)])
    parents = replace(parents, constraints=(key("P", "A_PK", "ID"),))
    database.mask(parents, (IDS,))
    database.mask(children, (replace(IDS, column="A_ID"),))
    assert database.read("SELECT COUNT(*), COUNT(DISTINCT ID) FROM A") == [(300, 300)]
    assert database.read("SELECT COUNT(*) FROM B JOIN A ON A.ID = B.A_ID") == [(900,)]


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
    problems = fit(Ruleset("r", {("APP", "T"): rules[:1]}, "f"), Catalogue(("APP",), (table,))).problems
    assert problems == ("APP.T.A: it is made of the masked B, which has no rule",) * 2


def test_what_is_promised_for_every_value() -> None:
    assert ColumnRule("C", "email", "e", Email()).every_value
    assert not ColumnRule("C", "keep", None, Keep()).every_value
    assert not ColumnRule("C", "email", "e", Email(), policy="null").every_value
    assert ColumnRule("C", "null", None, Null()).every_value
    assert not ColumnRule("C", "redaction", None, Redaction("x"), Condition.parse("c = 'x'")).every_value
    assert ColumnRule("C", "date_shift", "d", DateShift(1, 2)).every_value
