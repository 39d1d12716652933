"""The tests of masked values as SQL, against the same in Python."""

from __future__ import annotations

import re
from typing import Any

import pytest

from oracle_refresh.masking.algorithms import iban, payment_card, proofs
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from support.samples import text as text_column


class Scope:
    """What is computed once is written out where it is used."""

    def bind(self, value: str | int | float) -> str:
        return "'" + str(value).replace("'", "''") + "'"

    def once(self, expression: str) -> str:
        return f"({expression})"


def evaluated(schema: Any, sql: str, value: str) -> Any:
    with schema.connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql} FROM (SELECT CAST(:1 AS VARCHAR2(60)) AS V FROM DUAL) T", [value])
        return cursor.fetchone()[0]


@pytest.mark.parametrize(
    "text",
    [
        "4111111111111111",
        "0",
        "4111 1111-1111.1111",
        "+49 (30) 12/34",
        "DE89 370x",
        "abcXYZ09",
        "é漢7-",
        "#1_a",
    ],
)
def test_the_shape_of_a_text(schema: Any, text: str) -> None:
    expected = re.sub("[a-z]", "a", re.sub("[A-Z]", "A", re.sub("[0-9]", "9", text)))
    assert evaluated(schema, proofs.shape("T.V"), text) == expected


@pytest.mark.parametrize(
    ("number", "right"),
    [
        ("DE89370400440532013000", True),
        ("DE88370400440532013000", False),
        ("ED89370400440532013000", False),
        ("GB29NWBK60161331926819", True),
        ("GB29NWBK60161331926818", False),
        ("FR1420041010050500013M02606", True),
        ("NO9386011117947", True),
        ("MT84MALT011000012345MTLCAST001S", True),
    ],
)
def test_the_check_digits_of_an_iban(schema: Any, number: str, right: bool) -> None:
    rest = iban.remainder(f"({iban.as_number('T.V')})")
    assert (evaluated(schema, rest, number) == 1) is right


@pytest.mark.parametrize(
    ("digits", "right"),
    [
        ("4111111111111111", True),
        ("4111111111111112", False),
        ("378282246310005", True),
        ("6011000990139424", True),
        ("0", True),
        ("41111111111111x1", False),
    ],
)
def test_luhn(schema: Any, digits: str, right: bool) -> None:
    passes = payment_card.passes_luhn("T.V", Scope())
    assert evaluated(schema, f"CASE WHEN {passes} THEN 1 END", digits) == (1 if right else None)


@pytest.mark.parametrize(
    ("masked", "right"),
    [
        ("ab-7 «x»", True),
        ("Ivanов1", False),
        ("山田7", False),
        ("éab2é", True),
        ("aéb", False),
        ("ab1", True),
    ],
)
def test_a_letter_left_in_clear_breaks_the_promise(schema: Any, masked: str, right: bool) -> None:
    """The first and the last character are kept ends."""
    promise = CharacterMapping(1, 1).proof(text_column("V", 60), Scope()).always
    assert evaluated(schema, f"CASE WHEN {promise} THEN 1 ELSE 0 END", masked) == right
