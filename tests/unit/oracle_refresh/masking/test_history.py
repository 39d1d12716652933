"""How queries are kept from looking behind the masking, also where the usual way does not help."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Column, Partition, Table
from oracle_refresh.masking import history
from oracle_refresh.oracle.errors import MaskingError
from support.fake_connection import FakeConnection
from support.samples import number, plain, text

TABLE = Table("A", "T", 0, 0, 1, (number("ID"),))


class Database(FakeConnection):
    """A database whose former rows are to be seen until a statement of so many moves is done."""

    rowcount = 0

    def __init__(self, moves: int) -> None:
        self.left = moves
        self.executed: list[str] = []

    def execute(self, statement: str, *_: Any, **__: Any) -> None:
        self.executed.append(statement)
        self.left -= " MOVE" in statement

    def fetchone(self) -> tuple[int] | None:
        return (7,) if "CURRENT_SCN" in self.executed[-1] or self.left > 0 else None


IN_PARTS = replace(TABLE, partitions=(Partition("SYS_P1", 1), Partition("SYS_P2", 2)))


@pytest.mark.parametrize(
    ("table", "parts", "statements"),
    [
        (TABLE, [], ('ALTER TABLE "A"."T" MOVE',)),
        (
            IN_PARTS,
            [("PARTITION", "SYS_P77"), ("SUBPARTITION", "p 2")],
            ('ALTER TABLE "A"."T" MOVE PARTITION "SYS_P77"', 'ALTER TABLE "A"."T" MOVE SUBPARTITION "p 2"'),
        ),
        (replace(TABLE, columns=(number("ID"), plain("L", "LONG"))), [], ()),
        (replace(TABLE, clustered=True), [], ()),
        (replace(TABLE, temporary=True), [], ()),
    ],
)
def test_what_moves_a_table(table: Table, parts: list[tuple[str, str]], statements: tuple[str, ...]) -> None:
    """Partitions are those of the target: it names those that rows make itself."""
    assert history.moves(table, parts) == statements


@pytest.mark.parametrize("moves", [0, 1])
def test_a_table_is_moved_where_a_constraint_hides_nothing(moves: int) -> None:
    database = Database(moves)
    history.close(database, TABLE)  # type: ignore[arg-type]
    assert database.executed.count('ALTER TABLE "A"."T" MOVE') == moves


def test_rows_that_nothing_hides_are_an_error() -> None:
    with pytest.raises(MaskingError, match="UNDO_RETENTION"):
        history.close(Database(9), TABLE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "first", [text("NOTE", 1, data_type="CLOB"), replace(plain("HOME", "ADDRESS_T", 1), type_owner="A")]
)
def test_a_large_or_an_objects_column_is_not_the_one_compared(first: Column) -> None:
    table = Table("A", "T", 0, 0, 1, (first, number("ID")))
    assert 'CHECK ("ID" IS NULL OR "ID" IS NOT NULL)' in history.statements(table)[0]
