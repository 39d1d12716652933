"""What Python computes again of masked values is what the database makes of them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from oracle_refresh.catalog import Column, Table
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.masking.algorithms import (
    CharacterMapping,
    Email,
    NumericNoise,
    PoolMapping,
    SecureLookup,
)
from oracle_refresh.masking.algorithms.base import text_sql
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.validation.expected import Part, key_hash, masked_columns, masked_key, which_rule, written
from support.samples import SECRET, key, number, plain, text

MASTER = MasterKey(SECRET)
VALUES: list[tuple[Column, Any]] = [
    *((number("C", 12, 4), value) for value in (0, 7, -7, 1200, 0.5, -0.25, 10.125, Decimal("1E+3"))),
    *((plain("C", "DATE"), datetime(year, 2, 3, 4, 5, 6)) for year in (33, 1999, 9999)),
    *((text("C", 20), value) for value in ("x", " é漢😀 ", "a'b")),
    (text("C", 9, data_type="CHAR"), "ab"),
]


def test_texts_and_hashes_are_the_databases(schema: Any) -> None:
    found = []
    with schema.connection.cursor() as cursor:
        for column, value in VALUES:
            bound = text_sql(column, ":1")
            cursor.execute(f"SELECT {bound}, RAWTOHEX(STANDARD_HASH('salt' || {bound}, 'SHA256')) FROM DUAL",
                           [value, value])  # fmt: skip
            found.append(cursor.fetchone())
    assert found == [(written(value), key_hash("salt", [written(value)])) for _, value in VALUES]


RULES = (
    ColumnRule("C", "character_mapping", "de", CharacterMapping(), Condition.parse("LAND = 'DE'"), "redact"),
    ColumnRule("C", "email", "mail", Email(), Condition.parse("LAND = 'US'")),
)


def test_the_rule_of_the_row_decides() -> None:
    assert which_rule(RULES) == (
        "CASE WHEN (T.\"LAND\" = 'DE') THEN 1 WHEN (T.\"LAND\" = 'US') THEN 2 ELSE 0 END"
    )
    assert which_rule((*RULES, ColumnRule("C", "lookup", "l", SecureLookup(("a", "b"))))).endswith(
        "ELSE 3 END"
    )
    part = Part(text("C", 60), RULES)
    masked = [part.expected(["12-34", place], MASTER) for place in (0, 1, 2)]
    assert masked == [
        ("12-34", 2),
        (CharacterMapping().mask(MASTER.domain("de"), "12-34"), 2),
        (Email().mask(MASTER.domain("mail"), "12-34"), 2),
    ]
    assert part.expected(["---", 1], MASTER) == ("[redacted]", 2)  # does not conform
    assert part.expected([None, 1], MASTER) == ("", 2)
    assert Part(text("C", 60)).expected(["as it is", "of the next part"], MASTER) == ("as it is", 1)


@pytest.mark.parametrize(
    ("rule", "possible"),
    [
        (ColumnRule("C", "character_mapping", "c", CharacterMapping()), True),
        (ColumnRule("C", "mapping", "c", PoolMapping(("a", "b"))), False),
        (ColumnRule("C", "email", "c", Email(local="names", first_name="A", last_name="B")), False),
    ],
)
def test_what_cannot_be_computed_from_a_row(rule: ColumnRule, possible: bool) -> None:
    columns = (text("C", 60, nullable=False), text("A", 20), text("B", 20), number("N", 9))
    table = Table("APP", "T", 1, 1, 1, columns, constraints=(key("P", "T_PK", "C", "N"),))
    noise = ColumnRule("N", "numeric_noise", "n", NumericNoise(20, "A"))
    assert [part.column.name for part in masked_key(table, (rule,))] == (["C", "N"] if possible else [])
    assert masked_key(table, (rule, noise)) == ()
    assert [part.column.name for part in masked_columns(table, (rule, noise))] == (["C"] if possible else [])
