"""The calibration's own statements are Oracle's SQL and PL/SQL."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.store import matrix, statements
from support.grammar import Grammar, call_complaints

NAMES = {
    "table": '"REFRESH$CAL_1_X"',
    "external": '"Y"',
    "directory": '"D"',
    "locations": "'a', 'b'",
    "degree": 2,
}
TEXTS = [
    matrix.READ_FILE,
    *(
        text.format(**NAMES) if "{" in text else text
        for name, text in vars(statements).items()
        if isinstance(text, str) and name.isupper() and not name.startswith("_")
    ),
]


def test_they_are_oracles(request: pytest.FixtureRequest) -> None:
    assert len(TEXTS) > 8
    assert "forupdate" not in matrix.READ_FILE
    assert {text: wrong for text in TEXTS if (wrong := call_complaints(text))} == {}
    grammar = Grammar.installed(request.config.cache)
    # The grammar takes no names for the DIRECTORY of an external table, which its documentation does.
    texts = [text for text in TEXTS if "ORGANIZATION EXTERNAL" not in text]
    assert grammar.complaints(texts) == {}
