"""Rows in the archive of a table are refreshed as others: counted, moved, masked, verified, and archived.

VLDB and Partitioning Guide 19c, "Using In-Database Archiving": other sessions do not see them, the run's do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.tables import BuildIndexes
from oracle_refresh.operators.validation import VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import ValidationError
from support.demo import DemoDatabase
from support.small_run import RULES, TABLES, SmallRun

LETTERS = "APP.LETTERS"
WITH_LETTERS = RULES | {
    "tables": RULES["tables"] | {LETTERS: {"EMAIL": {"algorithm": "email", "domain": "email"}}}
}
ALL = "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL"


@pytest.fixture
def letters(demo_source: DemoDatabase) -> Iterator[None]:
    """600 rows, two thirds of them archived, with an invisible column to mask."""
    with demo_source.system() as connection:
        cursor = connection.cursor()
        cursor.execute(
            f"CREATE TABLE {LETTERS} (LETTER_ID NUMBER(10) CONSTRAINT LETTERS_PK PRIMARY KEY,"
            " EMAIL VARCHAR2(60) INVISIBLE) ROW ARCHIVAL"
        )
        cursor.execute(
            f"INSERT INTO {LETTERS} (LETTER_ID, EMAIL, ORA_ARCHIVE_STATE) SELECT LEVEL,"
            " 'a' || LEVEL || '@example.org', DECODE(MOD(LEVEL, 3), 0, '0', '1')"
            " FROM DUAL CONNECT BY LEVEL <= 600"
        )
        connection.commit()
        yield
        cursor.execute(f"DROP TABLE {LETTERS} PURGE")


def rows(connection: oracledb.Connection) -> dict[int, tuple[Any, ...]]:
    cursor = connection.cursor()
    cursor.execute(f"SELECT LETTER_ID, EMAIL, ORA_ARCHIVE_STATE FROM {LETTERS}")
    return {number: told for number, *told in cursor}


def test_they_are_moved_and_masked(
    letters: None, new_run: Callable[..., SmallRun], demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    run = new_run(WITH_LETTERS)
    run.execute(CheckPreflight)
    run.until_loaded()
    for unit in (*TABLES, LETTERS):
        for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
            run.execute(operator, unit=unit)
    run.until_checked()
    run.execute(ReleaseTarget)
    with demo_source.system() as source, demo_target.system() as target:
        assert len(rows(target)) == len(rows(source)) == 200
        for connection in (source, target):
            connection.cursor().execute(ALL)
        before, after = rows(source), rows(target)
        assert len(after) == 600
        assert {key: state for key, (_, state) in after.items()} == {
            key: state for key, (_, state) in before.items()
        }
        assert not {mail for mail, _ in after.values()} & {mail for mail, _ in before.values()}


def test_a_row_that_left_the_archive_is_found(
    letters: None, new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    run = new_run(WITH_LETTERS)
    run.until_loaded()
    with demo_target.system() as target:
        cursor = target.cursor()
        cursor.execute(ALL)
        cursor.execute(f"UPDATE {LETTERS} SET ORA_ARCHIVE_STATE = '0' WHERE LETTER_ID = 1")
        target.commit()
    with pytest.raises(ValidationError, match="LETTERS"):
        run.execute(VerifyCopy, unit=LETTERS)
