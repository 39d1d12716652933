"""What single values look like, and what of that counts beyond luck."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.profiler import content
from oracle_refresh.profiler.evidence import look
from oracle_refresh.profiler.judge import WORTH_TELLING, judge, judge_table
from oracle_refresh.profiler.model import ColumnEvidence, ColumnFacts, Kind
from oracle_refresh.profiler.recognise import as_day, contents, marks

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        ("anna.lee@mail.example.com", "email"),
        ("4111 1111 1111 1111", "card"),
        ("5500-0000-0000-0004", "card"),
        ("378282246310005", "card"),
        ("DE89 3704 0044 0532 0130 00", "iban"),
        ("GB82WEST12345698765432", "iban"),
        ("+49 30 901820", "phone"),
        ("0049 30 901820", "phone"),
        ("(212) 555-0142", "phone"),
        ("030 / 901820", "phone"),
        ("536-90-4399", "id:US social security number"),
        ("AB 12 34 56 C", "id:UK national insurance number"),
        ("943 476 5919", "id:UK NHS number"),
        ("36 574 261 809", "id:German tax id"),
        ("54362315K", "id:Spanish DNI"),
        ("RCCMNL83S18D969H", "id:Italian codice fiscale"),
        ("192.168.1.17", "ip"),
        ("2001:db8::ff00:42:8329", "ip"),
        ("00:1B:44:11:3A:B7", "ip"),
        ("SW1A 1AA", "postcode!"),
        ("12 Baker Street", "street"),
        ("Lindenstraße 7a", "street"),
        ("Hauptstr. 12", "street"),
        ("Calle de Alcalá 45", "street"),
        ("12 rue de la Paix", "street"),
        ("Jean-Pierre", "first"),
        ("de Vries", "last"),
        ("Dr. Maria Schmidt", "full"),
        ("Schmidt, Maria", "full"),
        ("1980-02-29", "date"),
        ("29.02.1980", "date"),
    ],
)
def test_values_are_recognised(value: str, mark: str) -> None:
    assert mark in marks(value)


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        ("4111 1111 1111 1112", "card"),
        ("DE89370400440532013001", "iban"),
        ("000-12-3456", "id:US social security number"),
        ("12.4.0.1", "ip"),
        ("not@an@address", "email"),
        ("2026-11-21", "phone"),
        ("2026-02-30", "date"),
        ("North West", "full"),
        ("550e8400-e29b-41d4-a716-446655440000", "phone"),
        ("", "text"),
    ],
)
def test_near_misses_are_not(value: str, mark: str) -> None:
    assert mark not in marks(value)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Please write to anna@example.com by Monday", "holds email"),
        ("Card 4111111111111111 was refused twice today", "holds card"),
        ("Refund to DE89370400440532013000 as agreed", "holds iban"),
        ("She can be reached at +49 30 901820 after five", "holds phone"),
        ("SSN on file is 219-09-9999 says the clerk", "holds id"),
        ("spoke with Maria Schmidt about the late delivery", "holds name"),
    ],
)
def test_texts_are_searched(text: str, mark: str) -> None:
    assert mark in contents(text)
    assert contents("the parcel was left at the front door as usual") == set()


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [
        (b"%PDF-1.7\n", {"file", "file pdf"}),
        (b"\x89PNG\r\n\x1a\n\0\0", {"file", "file png"}),
        (b"\xff\xd8\xff\xe0", {"file", "file jpeg"}),
        (b"PK\x03\x04\x14", {"file", "file office"}),
        (b"\x00\x01\x02\x03", {"unknown bytes"}),
        (b"", {"unknown bytes"}),
        ("<a>ü</a>".encode()[:-6], {"file text", "text", "markup"}),
        (b"mail anna@example.com now", {"file text", "text", "holds email"}),
    ],
)
def test_lobs_are_told_by_their_first_bytes(beginning: bytes, expected: set[str]) -> None:
    assert content.marks(beginning) == expected


@given(st.text(max_size=300))
def test_any_text_is_looked_at(text: str) -> None:
    marks(text)
    contents(text)
    assert look([text, text], TODAY).distinct <= 1


@given(st.binary(max_size=600))
def test_any_bytes_are_looked_at(beginning: bytes) -> None:
    assert content.marks(beginning)


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.text(max_size=40),
            st.integers(),
            st.floats(),
            st.decimals(allow_nan=False),
            st.dates(),
            st.datetimes(),
        ),
        max_size=40,
    )
)
def test_any_values_give_evidence_that_survives_json(values: list[object]) -> None:
    evidence = look(values, TODAY)
    assert ColumnEvidence.from_json(evidence.to_json()) == evidence
    assert evidence.distinct <= evidence.values <= len(values)


def judged(values: list[object], data_type: str = "VARCHAR2", name: str = "ATTRIBUTE") -> Kind | None:
    classification = judge(ColumnFacts("A", "T", name, data_type, 100, evidence=look(values, TODAY)))
    return classification.kind if classification and classification.confidence >= 0.6 else None


def test_order_numbers_pass_the_check_of_cards_by_luck_only() -> None:
    draw = random.Random(1)
    numbers: list[object] = [f"4{draw.randrange(10**15):015d}" for _ in range(300)]
    evidence = look(numbers, TODAY)
    assert 10 < evidence.count("card") < 60
    assert judged(numbers) is None
    assert judged([*numbers[:200], *["4111111111111111"] * 100]) is None, "one value often is one value"


def test_a_column_with_some_cards_is_one_of_cards() -> None:
    draw = random.Random(2)
    cards = []
    while len(cards) < 60:
        number = f"4{draw.randrange(10**15):015d}"
        if "card" in marks(number):
            cards.append(number)
    assert judged([*cards, *(f"INV-{number}" for number in range(140))]) is Kind.PAYMENT_CARD


def test_numbers_keep_their_digits() -> None:
    values: list[object] = [Decimal("4111111111111111"), 5500000000000004, 4.0]
    assert look(values, TODAY).count("card") == 2


@pytest.mark.parametrize(
    ("first", "days", "kind"),
    [
        (date(1940, 1, 1), 24_000, Kind.BIRTH_DATE),
        (date(2019, 1, 1), 2_800, None),
        (date(2026, 12, 1), 3_000, None),
    ],
)
def test_dates_of_birth_lie_as_ages_do(first: date, days: int, kind: Kind | None) -> None:
    draw = random.Random(3)
    values = [datetime(first.year, first.month, 1) + timedelta(days=draw.randrange(days)) for _ in range(200)]
    assert judged(list(values), "DATE") is kind
    moments = [value + timedelta(seconds=draw.randrange(86_400)) for value in values]
    assert judged(list(moments), "DATE") is None, "a moment is no birthday"


def test_a_name_is_contradicted_by_its_values() -> None:
    flags: list[object] = ["Y", "N"] * 50
    assert judged(flags, name="EMAIL") is None
    codes: list[object] = [f"X{number:04d}" for number in range(100)]
    assert judged(codes, name="CITY") is None
    assert judged([], name="EMAIL") is Kind.EMAIL, "an empty column will be filled"


@pytest.mark.parametrize("name", ["EMAIL", "IBAN", "LAST_NAME", "PHONE", "CREDIT_CARD_NO", "PASSWORD"])
def test_a_plain_name_is_not_talked_away(name: str) -> None:
    """HR.EMPLOYEES.EMAIL holds SKING and its like: no address, and personal all the same."""
    codes: list[object] = [f"X{number:04d}" for number in range(100)]
    assert judged(codes, name=name) is not None
    assert judged(["secret", "secrets"] * 50, name=name) is not None


def test_what_a_sample_dismisses_is_told() -> None:
    codes: list[object] = [f"X{number:04d}" for number in range(100)]
    found = judge(ColumnFacts("APP", "T", "CITY", "VARCHAR2", 200, evidence=look(codes, TODAY)))
    assert found is not None
    assert found.confidence < WORTH_TELLING
    assert found.reasons[:2] == ("the name says CITY", "values are codes, not words")


@pytest.mark.parametrize(
    ("table", "column", "sensitive"),
    [
        ("PRODUCTS", "PRODUCT_IMAGE", False),
        ("STORES", "LOGO", False),
        ("T_DATA", "PICTURE", False),
        ("EMPLOYEES", "PHOTO", True),
    ],
)
def test_empty_columns_of_files(table: str, column: str, sensitive: bool) -> None:
    """A type that can hold anything is no reason to suspect a column that holds nothing."""
    facts = ColumnFacts("APP", table, column, "BLOB", 4000, evidence=look([], TODAY))
    found = [classification for classification in judge_table([facts]) if classification.confidence >= 0.6]
    assert bool(found) is sensitive


@pytest.mark.parametrize(
    "value", ["19800229", "1980-02-29T10:00:00", "29/02/1980", datetime(1980, 2, 29), date(1980, 2, 29)]
)
def test_days(value: object) -> None:
    assert as_day(value) == date(1980, 2, 29)
