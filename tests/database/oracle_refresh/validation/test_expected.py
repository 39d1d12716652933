"""What is expected of a masked column, in the database."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from oracle_refresh.catalog import Column
from oracle_refresh.masking.algorithms.base import text_sql
from oracle_refresh.validation.expected import key_hash, written
from support.samples import number, plain, text

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
