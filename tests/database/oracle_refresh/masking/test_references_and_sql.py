"""Every algorithm gives in the database what its Python reference gives, for ordinary and strange values."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import oracledb
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Column, Table
from oracle_refresh.masking import ColumnRule, MaskResult, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.records import Document, Records
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from support.masking_cases import CASES, FIRST, KEY, LAST, reference
from support.masking_values import random_digits
from support.samples import key, number, plain, text

PLACES = Records(
    ("city", "postcode", "country"),
    (("Ulm", "89073", "DE"), ("Lyon", "69001", "FR"), ("Ghent", "9000", "BE"), ("Ulm", "89075", "DE")),
)
DOCUMENTS = (
    Document("a.pdf", "1", b"%PDF-1.4 replacement one"),
    Document("b.pdf", "2", b"%PDF-1.4 replacement two"),
    Document("c.png", "3", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 300),
    Document("d.txt", "4", "A replacement. \u00e9".encode()),
)


class Bench:
    """A table of one column (and what others the rule reads), masked by one rule."""

    def __init__(self, schema: Any) -> None:
        self.schema, self.connection = schema, schema.connection
        self.runs = 0
        with schema.server.connect() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")

    def mask(
        self,
        algorithm: Algorithm,
        column: Column,
        values: Any,
        others: tuple[Column, ...] = (),
        *,
        unique: bool = False,
        master: MasterKey = KEY,
        policy: Any = "null",
        ddl: str | None = None,
        domain: str = "test",
    ) -> tuple[dict[int, Any], MaskResult]:
        self.runs += 1
        name = f"T{self.runs}"
        columns = (number("ID"), column, *others)
        declared = ", ".join(
            f"{each.name} {ddl if each is column and ddl else _ddl(each)}" for each in columns
        )
        rows = [(place, *(value if others else (value,))) for place, value in enumerate(values)]
        with self.connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE {name} ({declared})")
            types = {"BLOB": oracledb.DB_TYPE_BLOB, "CLOB": oracledb.DB_TYPE_CLOB}
            cursor.setinputsizes(*[types.get(each.data_type) for each in columns])
            marks = ", ".join(f":{place}" for place in range(1, len(columns) + 1))
            cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        self.connection.commit()
        constraints = (key("U", "TEST_UK", column.name),) if unique else ()
        table = Table(self.schema.name, name, 1, 1, 1, columns, constraints=constraints)
        rule = ColumnRule(
            column.name, algorithm.kind, domain if algorithm.keyed else None, algorithm, policy=policy
        )
        ruleset = Ruleset("test", {(table.owner, name): (rule,)}, "f")
        result = mask_table(table, ruleset, master, Ledger(self.connection, "run"))
        with self.connection.cursor() as cursor:
            cursor.execute(f"SELECT ID, {column.name} FROM {name}", fetch_lobs=False, fetch_decimals=True)
            return dict(cursor.fetchall()), result


def _ddl(column: Column) -> str:
    if column.is_character:
        return f"{column.data_type}({column.char_length} CHAR)"
    if column.data_type == "NUMBER":
        return f"NUMBER({column.precision}, {column.scale})" if column.precision else "NUMBER"
    return column.data_type


@pytest.fixture(scope="module")
def bench(module_schema: Any) -> Bench:
    return Bench(module_schema)


def _fits(column: Column, value: Any) -> bool:
    return not column.is_character or len(value) <= column.char_length


@pytest.mark.parametrize(("algorithm", "column", "values"), CASES)
def test_sql_is_the_reference(bench: Bench, algorithm: Algorithm, column: Column, values: Any) -> None:
    given_values = (*(value for value in values if _fits(column, value)), None)
    found, _ = bench.mask(algorithm, column, given_values)
    expected = {place: reference(algorithm, column, value) for place, value in enumerate(given_values)}
    assert found == expected
    if algorithm.guarantees.changes and not algorithm.empties:
        masked = [
            (value, found[place]) for place, value in enumerate(given_values) if found[place] is not None
        ]
        assert masked
        assert all(one != other for one, other in masked)


@pytest.mark.slow
def test_guarantees_over_many_values(bench: Bench) -> None:
    """Unique stays unique, nothing stays as it was: what the map proves, over values by the thousand."""
    plain_numbers = random_digits(3, 1000, 9)
    spelt = [f"+49 {value}" for value in plain_numbers if value[:2] != "00"]
    for algorithm, values in (
        (CharacterMapping(), plain_numbers),
        (SegmentMapping(("999", "999", "999"), chained=True), plain_numbers),
        (Phone(), spelt),
    ):
        found, result = bench.mask(algorithm, text("C", 20), values, unique=True, policy="fail")
        assert len(set(found.values())) == len(values) == result.rows
        assert all(found[place] != value for place, value in enumerate(values))
        some = random.Random(5).sample(range(len(values)), 200)
        assert {place: found[place] for place in some} == {
            place: reference(algorithm, text("C", 20), values[place]) for place in some
        }


def test_numbers_stay_apart(bench: Bench) -> None:
    values = [*range(-120, 1200), *random.Random(9).sample(range(10**9), 2000)]
    found, _ = bench.mask(NumberMapping(), number("C", 38), values, unique=True, policy="fail")
    assert len(set(found.values())) == len(set(values))
    assert found == {
        place: NumberMapping().mask(KEY.domain("test"), value) for place, value in enumerate(values)
    }


_CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=("Cs", "Cn"))


# The first example is the simplest one.
@pytest.mark.slow
@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(st.lists(st.text(_CHARACTERS, min_size=1, max_size=25), min_size=80, max_size=120))
def test_any_unicode_text(bench: Bench, values: list[str]) -> None:
    """Accents, CJK, control characters: SQL and reference agree for the algorithms that take any text."""
    column = text("C", 80)
    for algorithm in (
        CharacterMapping(),
        SecureLookup(FIRST),
        Name(FIRST),
        FullName(FIRST, LAST),
        FreeText(("a", "b"), ("[0-9]+",)),
        Email(hosts=("example.test", "b.test")),
        Decomposition((Part(".*", SecureLookup(FIRST)),)),
    ):
        found, _ = bench.mask(algorithm, column, values)
        assert found == {place: reference(algorithm, column, value) for place, value in enumerate(values)}


def test_bytes_and_maximum_width(bench: Bench) -> None:
    """A column of 12 bytes: what is kept, and lookups that just fit."""
    column = Column("C", "VARCHAR2", 12, 12, "B", None, None, True)
    values = ("éééééé", "123456789012", "漢字漢字", "a")
    for algorithm in (CharacterMapping(), Name(("Ånders", "éééééé")), FullName(("Éa", "Bé"), ("Çeé", "Dé"))):
        found, _ = bench.mask(algorithm, column, values, ddl="VARCHAR2(12 BYTE)")
        assert found == {place: reference(algorithm, column, value) for place, value in enumerate(values)}
    with pytest.raises(MaskingError, match="needs 13 bytes, the column holds 12"):
        bench.mask(SecureLookup(("éééééée", "b")), column, values, ddl="VARCHAR2(12 BYTE)")


def test_a_record_for_several_columns(bench: Bench) -> None:
    column, others = text("CITY", 20), (text("POSTCODE", 9), number("NR", 5))
    values = [
        ("Ulm", "1", 1),
        ("ulm ", "1", 1),
        ("Ulm", "1", None),
        ("漢字", "é", 3),
        (None, "1", 1),
        ("Lyon", None, 2),
    ]
    for field in (1, 3):
        algorithm = RecordLookup(PLACES, field, ("CITY", "POSTCODE", "NR"))
        found, _ = bench.mask(algorithm, column, values, others)
        assert found == {
            place: algorithm.mask(KEY.domain("test"), city, city, code, None if nr is None else str(nr))
            for place, (city, code, nr) in enumerate(values)
        }
        assert found[0] == found[1]


@pytest.mark.slow
def test_documents_of_the_same_kind(bench: Bench) -> None:
    column, others = plain("BODY", "BLOB", 4000), (number("SUBJECT", 9), text("MEDIA", 40))
    png = b"\x89PNG\r\n\x1a\n original" * 5000
    values = [
        (b"%PDF-1.7 original", 1, "application/pdf"),
        (png, 2, "image/png"),
        (b"\xff\xd8\xff", 3, "image/jpeg"),
        (None, 4, "image/png"),
        (b"", 5, "application/pdf"),
        (b"%PDF-1.7", None, None),
    ]
    by_bytes = BinaryLookup(DOCUMENTS, "SUBJECT")
    by_type = replace(by_bytes, type_column="MEDIA", kinds={"jpeg": "png"})
    for algorithm in (by_bytes, by_type):
        found, result = bench.mask(algorithm, column, values, others)
        for place, (body, subject, media) in enumerate(values):
            try:
                expected = algorithm.mask(
                    KEY.domain("test"), body, None if subject is None else str(subject), media
                )
            except MaskingError:
                expected = None
            assert (found[place] or None) == (expected or None), place
        assert sum(each.rows for each in result.non_conforming) == 1
    told = bench.mask(by_bytes, column, values, others)[1].non_conforming[0].patterns
    assert [(each.pattern, each.rows) for each in told] == [("jpg", 1)]
    texts = replace(by_bytes, documents=DOCUMENTS[3:])
    found, _ = bench.mask(
        texts, plain("BODY", "CLOB", 4000), [("secret" * 9999, 1, None), ("x", 2, None)], others
    )
    assert set(found.values()) == {DOCUMENTS[3].content.decode()}


@pytest.mark.parametrize("total", [None, "GRP"])
def test_noise_keeps_totals(bench: Bench, total: str | None) -> None:
    some = random.Random(4)
    values = [
        (
            None if row % 17 == 0 else Decimal(some.randint(-5000, 90000)) / 100,
            f"s{row}",
            some.choice("ABCDEFGH"),
        )
        for row in range(301)
    ]
    values += [(Decimal("5.00"), "alone", "Z"), (Decimal(0), "zero", "Y"), (Decimal(0), "other", "Y")]
    algorithm = NumericNoise(20, "SUBJECT", total)
    others = (text("SUBJECT", 9), text("GRP", 1))
    found, _ = bench.mask(algorithm, number("C", 12, 2), values, others)
    rows = values if total else [row[:2] for row in values]
    assert [found[place] for place in range(len(values))] == algorithm.mask_column(KEY.domain("test"), rows)
    assert all(row[0] is None or found[place] != row[0] for place, row in enumerate(values))
    for group in set("ABCDEFGHY") if total else {None}:
        places = [place for place, row in enumerate(values) if row[0] is not None and group in (None, row[2])]
        assert sum(found[place] for place in places) == sum(values[place][0] for place in places)


def test_a_pool_gives_every_value_one_of_its_own(bench: Bench) -> None:
    pool = tuple(f"Dept {number:03}" for number in range(60))
    algorithm, column = PoolMapping(pool), text("C", 20)
    first = [f"value {number % 40}" for number in range(100)]
    found, _ = bench.mask(algorithm, column, first, policy="fail", domain="pool")
    known = algorithm.assign(KEY.domain("pool"), first)
    assert found == {place: known[value] for place, value in enumerate(first)}
    # Another table of the run extends the map; its domain is the same, so equal values stay equal.
    more = [*first[:5], *(f"new {number}" for number in range(25))]
    with pytest.raises(MaskingError, match="5 distinct values in 5 rows do not conform"):
        bench.mask(algorithm, column, more, policy="fail", domain="pool")
    found, _ = bench.mask(algorithm, column, more[:20], policy="fail", domain="pool")
    known = algorithm.assign(KEY.domain("pool"), more[:20], known)
    assert found == {place: known[value] for place, value in enumerate(more[:20])}
    assert len(set(known.values())) == len(known)
