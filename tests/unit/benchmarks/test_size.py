"""Amounts that the environment names: a list for one benchmark does no harm to the others."""

from __future__ import annotations

import pytest

from benchmarks.size import amount, amounts


@pytest.mark.parametrize(
    ("named", "several", "one"),
    [("10,20", [10, 20], 20), ("30", [30], 30), ("", [1, 2], 5), (None, [1, 2], 5)],
)
def test_amounts(monkeypatch, named, several, one):
    monkeypatch.delenv("ROWS", raising=False)
    if named is not None:
        monkeypatch.setenv("ROWS", named)
    assert amounts("ROWS", (1, 2), (1,)) == several
    assert amount("ROWS", 5, 1) == one
