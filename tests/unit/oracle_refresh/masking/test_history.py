"""Which column tells whether undo still shows originals."""

from __future__ import annotations

from oracle_refresh.catalog import Table
from oracle_refresh.masking import history
from support.samples import number, text


def test_a_large_first_column_is_not_the_one_compared() -> None:
    table = Table("A", "T", 0, 0, 1, (text("NOTE", 1, data_type="CLOB"), number("ID")))
    assert 'CHECK ("ID" IS NULL OR "ID" IS NOT NULL)' in history.statements(table)[0]
