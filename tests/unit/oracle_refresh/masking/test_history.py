"""How queries are kept from looking behind the masking, also where the usual way does not help."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Partition, Table
from oracle_refresh.errors import MaskingError
from oracle_refresh.masking import history
from support.samples import number, plain, text

TABLE = Table("A", "T", 0, 0, 1, (number("ID"),))


class Database:
    """A database whose former rows are to be seen until a statement of so many moves is done."""

    def __init__(self, moves: int) -> None:
        self.left = moves
        self.executed: list[str] = []

    def cursor(self) -> Database:
        return self

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def execute(self, statement: str, **_: Any) -> None:
        self.executed.append(statement)
        self.left -= " MOVE" in statement

    def fetchone(self) -> tuple[int] | None:
        return (7,) if "CURRENT_SCN" in self.executed[-1] or self.left > 0 else None


@pytest.mark.parametrize(
    ("table", "statements"),
    [
        (TABLE, ('ALTER TABLE "A"."T" MOVE',)),
        (
            replace(TABLE, partitions=(Partition("P1", 1), Partition("p 2", 2))),
            ('ALTER TABLE "A"."T" MOVE PARTITION "P1"', 'ALTER TABLE "A"."T" MOVE PARTITION "p 2"'),
        ),
        (replace(TABLE, partitions=(Partition("P1", 1, composite=True),)), ()),
        (replace(TABLE, columns=(number("ID"), plain("L", "LONG"))), ()),
        (replace(TABLE, clustered=True), ()),
    ],
)
def test_what_moves_a_table(table: Table, statements: tuple[str, ...]) -> None:
    assert history.moves(table) == statements


@pytest.mark.parametrize("moves", [0, 1])
def test_a_table_is_moved_where_a_constraint_hides_nothing(moves: int) -> None:
    database = Database(moves)
    history.close(database, TABLE)  # type: ignore[arg-type]
    assert database.executed.count('ALTER TABLE "A"."T" MOVE') == moves


def test_rows_that_nothing_hides_are_an_error() -> None:
    with pytest.raises(MaskingError, match="UNDO_RETENTION"):
        history.close(Database(9), TABLE)  # type: ignore[arg-type]


def test_a_large_first_column_is_not_the_one_compared() -> None:
    table = Table("A", "T", 0, 0, 1, (text("NOTE", 1, data_type="CLOB"), number("ID")))
    assert 'CHECK ("ID" IS NULL OR "ID" IS NOT NULL)' in history.statements(table)[0]
