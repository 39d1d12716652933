"""LIKEC and its like, TRANSLATE ... USING: what clients write for texts of the national character set."""

from __future__ import annotations

import pytest

from support.stand_in import Schema


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("'abc' LIKEC 'a%'", True),
        ("'abc' NOT LIKEC 'a%'", False),
        ("N'Ä' LIKE2 '_'", True),
        ("'abc' LIKE4 'b%'", False),
        ("'a%' LIKEC 'a!%' ESCAPE '!'", True),
        ("'ab' LIKE 'a!%' ESCAPE SUBSTR('!x', 1, 1)", False),
        ("'a%' LIKE TRANSLATE('a\\%' USING NCHAR_CS) ESCAPE TRANSLATE('\\' USING NCHAR_CS)", True),
        ("TRANSLATE('a' USING CHAR_CS) = TRANSLATE('b', 'b', 'a')", True),
    ],
)
def test_conditions(schema: Schema, condition: str, true: bool) -> None:
    found = schema.connection.cursor().execute(f"SELECT 1 FROM DUAL WHERE {condition}").fetchall()
    assert bool(found) is true
