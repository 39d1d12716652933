"""How much undo a source wrote while it was read as of the SCN."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.validation.held import held_seconds, undo_written
from oracle_refresh.validation.model import COPY_CHECK, TableCheck
from support import planner_tables

if TYPE_CHECKING:
    from support.stand_in import Schema, Server

CHECK = TableCheck("APP", "T", 1, 1, "1-2", "1-2", (), (), (), (), "equal", 1.0)
INTERVAL = timedelta(minutes=10)
#: Times of a source whose clock has nothing to do with that of the target.
TAKEN = datetime(2026, 3, 4, 5, 16)


@pytest.fixture
def documents(schema: Schema) -> Documents:
    documents = Documents(schema.connection, "run")
    documents.ensure()
    return documents


def held(documents: Documents) -> None:
    documents.put(FROZEN, WHOLE, replace(planner_tables.FROZEN, taken_at=TAKEN))
    documents.put(COPY_CHECK, "APP.T", CHECK)
    with documents.connection.cursor() as cursor:
        later = "UPDATE \"REFRESH$RUN\" SET SAVED_AT = SAVED_AT + INTERVAL '25' MINUTE WHERE KIND = :1"
        cursor.execute(later, [COPY_CHECK.name])
    documents.connection.commit()


def test_nothing_is_told_before_a_table_was_compared(schema: Schema, documents: Documents) -> None:
    documents.put(FROZEN, WHOLE, planner_tables.FROZEN)
    assert held_seconds(documents) is None
    assert undo_written(schema.connection, documents) is None


def test_a_database_that_counts_no_undo_blocks_says_nothing(oracle: Server, documents: Documents) -> None:
    held(documents)
    with oracle.connect() as system:
        assert undo_written(system, documents) is None


def test_the_intervals_in_which_the_scn_was_held_are_added_up(schema: Schema, documents: Documents) -> None:
    """From 05:16 to 05:41: the intervals that begin at 05:10, 05:20, 05:30 and 05:40 (10² to 10⁵ blocks)."""
    held(documents)
    assert held_seconds(documents) == pytest.approx(25 * 60, abs=5)
    first = datetime(2026, 3, 4, 4, 50)
    with schema.connection.cursor() as cursor:
        cursor.execute('CREATE TABLE "V$PARAMETER" (NAME VARCHAR2(80), VALUE VARCHAR2(100))')
        cursor.execute('CREATE TABLE "V$UNDOSTAT" (BEGIN_TIME DATE, END_TIME DATE, UNDOBLKS NUMBER)')
        cursor.execute("INSERT INTO \"V$PARAMETER\" VALUES ('db_block_size', '16384')")
        cursor.execute("INSERT INTO \"V$PARAMETER\" VALUES ('undo_retention', '900')")
        cursor.executemany(
            'INSERT INTO "V$UNDOSTAT" VALUES (:1, :2, :3)',
            [(first + number * INTERVAL, first + (number + 1) * INTERVAL, 10**number) for number in range(8)],
        )
    schema.connection.commit()
    assert undo_written(schema.connection, documents) == 111_100 * 16384


def test_a_source_that_cannot_be_asked_is_an_error_with_its_code(
    schema: Schema, documents: Documents
) -> None:
    held(documents)
    closed = schema.connect()
    closed.close()
    with pytest.raises(ValidationError, match=r"V\$UNDOSTAT.*DPY-1001"):
        undo_written(closed, documents)
