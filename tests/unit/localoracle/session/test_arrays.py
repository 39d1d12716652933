"""Which INSERTs go to PostgreSQL as arrays."""

from __future__ import annotations

import pytest

from localoracle.session.batch import _INSERT


@pytest.mark.parametrize(
    ("sql", "is_array"),
    [
        ('INSERT INTO "T" VALUES ($1::numeric, $2::text)', True),
        ('INSERT INTO "S"."T" ("A", "B)") VALUES ($1::numeric, upper($2::text))', True),
        ('INSERT INTO "T" ("A") SELECT $1::numeric', False),
    ],
)
def test_inserts_that_go_as_arrays(sql: str, is_array: bool) -> None:
    assert (_INSERT.match(sql) is not None) is is_array
