"""Rules for several columns, along references and for values that do not conform, in the database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.catalog import Column, Table
from oracle_refresh.masking import ColumnRule, MaskResult, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from support.masking_rules import IDS, PERSONS, PLACES, written
from support.samples import SECRET, key, number, text

KEY = MasterKey(SECRET)


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
        return mask_table(table, ruleset, KEY, Ledger(self.connection, "run"))

    def read(self, sql: str) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor)


@pytest.fixture
def database(schema: Any) -> Iterator[Database]:
    return Database(schema)


@pytest.mark.slow
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
    values = ["ABC-123", "abc-99", "«·-'x", "Ab 1", "-+-", "()", "()", "Jörg1", None]
    table = database.create("T", (number("ID"), text("C", 80), text("E", 20)), [
        (place, value, "no date") for place, value in enumerate([*values, "1" * 75])
    ])  # fmt: skip
    rules = (ColumnRule("C", "character_mapping", "c", CharacterMapping()),)
    with pytest.raises(MaskingError) as caught:
        database.mask(table, rules)
    message = str(caught.value)
    assert "C: 4 distinct values in 5 rows do not conform" in message
    assert "A?aa9 (1 rows)" in message
    assert "() (2 rows)" in message
    assert "-+- (1 rows)" in message
    assert "9" * 60 in message
    assert "1" * 9 not in message
    assert len(database.read("SELECT * FROM T WHERE C = '()'")) == 2
    result = database.mask(table, (replace(rules[0], policy="null"),))
    assert (result.non_conforming[0].rows, result.non_conforming[0].values) == (5, 4)
    assert database.read("SELECT COUNT(*) FROM T WHERE C IS NULL") == [(6,)]


def test_a_key_of_several_columns_is_proven(database: Database) -> None:
    table = database.create("T", (number("A"), text("B", 20)), [(1, "Peter"), (1, "Paul"), (1, "Mary")])
    table = replace(table, constraints=(key("P", "T_PK", "A", "B"),))
    two = ColumnRule("B", "secure_lookup", "b", SecureLookup(("Anna", "Bert")))
    with pytest.raises(MaskingError, match="values of the key T_PK would come more than once"):
        database.mask(table, (two,))
    assert database.read("SELECT B FROM T ORDER BY B") == [("Mary",), ("Paul",), ("Peter",)]
    database.mask(table, (replace(two, kind="character_mapping", algorithm=CharacterMapping()),))
    assert len(database.read("SELECT DISTINCT B FROM T")) == 3


def test_masked_keys_and_their_children_agree(database: Database) -> None:
    parents = database.create("A", (number("ID"), text("X", 9)), [(n, "x") for n in range(300)])
    children = database.create("B", (number("A_ID"),), [(n % 300,) for n in range(900)])
    parents = replace(parents, constraints=(key("P", "A_PK", "ID"),))
    database.mask(parents, (IDS,))
    database.mask(children, (replace(IDS, column="A_ID"),))
    assert database.read("SELECT COUNT(*), COUNT(DISTINCT ID) FROM A") == [(300, 300)]
    assert database.read("SELECT COUNT(*) FROM B JOIN A ON A.ID = B.A_ID") == [(900,)]
