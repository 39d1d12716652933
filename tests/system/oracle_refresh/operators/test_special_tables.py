"""One refresh of a table with rows in the archive and of one with interval partitions.

VLDB and Partitioning Guide 19c, "Using In-Database Archiving": other sessions do not see archived rows, the
run's do. SQL Language Reference 19c, CREATE TABLE, INTERVAL Clause: rows create the partitions, and the
database that creates them names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.validation import VerifyCopy
from oracle_refresh.oracle.errors import ValidationError
from support.demo import DemoDatabase
from support.small_run import RULES, SmallRun

LETTERS, VISITS = "APP.LETTERS", "APP.VISITS"
WITH_LETTERS = RULES | {
    "tables": RULES["tables"] | {LETTERS: {"EMAIL": {"algorithm": "email", "domain": "email"}}}
}
ALL = "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL"
CREATED = (
    f"CREATE TABLE {LETTERS} (LETTER_ID NUMBER(10) CONSTRAINT LETTERS_PK PRIMARY KEY,"
    " EMAIL VARCHAR2(60) INVISIBLE) ROW ARCHIVAL",
    f"INSERT INTO {LETTERS} (LETTER_ID, EMAIL, ORA_ARCHIVE_STATE) SELECT LEVEL,"
    " 'a' || LEVEL || '@example.org', DECODE(MOD(LEVEL, 3), 0, '0', '1')"
    " FROM DUAL CONNECT BY LEVEL <= 600",
    f"CREATE TABLE {VISITS} (VISIT_ID NUMBER(10), VISITED DATE,"
    " CONSTRAINT VISITS_PK PRIMARY KEY (VISIT_ID, VISITED) USING INDEX LOCAL)"
    " PARTITION BY RANGE (VISITED) INTERVAL (NUMTOYMINTERVAL(1, 'MONTH'))"
    " (PARTITION P_OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')))",
    f"CREATE INDEX APP.VISITS_DAY ON {VISITS} (VISITED) LOCAL",
    f"INSERT INTO {VISITS} SELECT LEVEL, DATE '2023-12-01' + MOD(LEVEL, 120) FROM DUAL"
    " CONNECT BY LEVEL <= 600",
)


@pytest.fixture(scope="module")
def refreshed(
    demo_source: DemoDatabase, demo_target: DemoDatabase, new_shared_run: Callable[..., SmallRun]
) -> Iterator[pytest.ExceptionInfo[ValidationError]]:
    """The refresh of both tables, and its complaint about a row that had left the archive of the target.

    Of 600 letters two thirds are archived; an invisible column is masked. Visits lie in three months and in
    the time before.
    """
    with demo_source.system() as connection, connection.cursor() as cursor:
        for statement in CREATED:
            cursor.execute(statement)
        connection.commit()
        run = new_shared_run(WITH_LETTERS).all(CheckPreflight).until_loaded()
        with demo_target.system() as target:
            target.cursor().execute(ALL)
            state = f"UPDATE {LETTERS} SET ORA_ARCHIVE_STATE = :1 WHERE LETTER_ID = 1"
            target.cursor().execute(state, ["0"])
            target.commit()
            with pytest.raises(ValidationError) as caught:
                run.execute(VerifyCopy, unit=LETTERS)
            target.cursor().execute(state, ["1"])
            target.commit()
        run.verified_and_masked().until_checked().all(ReleaseTarget)
        yield caught
        for table in (LETTERS, VISITS):
            cursor.execute(f"DROP TABLE {table} PURGE")


def rows(connection: oracledb.Connection) -> dict[int, tuple[Any, ...]]:
    cursor = connection.cursor()
    cursor.execute(f"SELECT LETTER_ID, EMAIL, ORA_ARCHIVE_STATE FROM {LETTERS}")
    return {number: told for number, *told in cursor}


def test_archived_rows_are_moved_and_masked(
    refreshed: object, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
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


def test_a_row_that_left_the_archive_is_found(refreshed: pytest.ExceptionInfo[ValidationError]) -> None:
    refreshed.match("LETTERS")


def partitions(connection: oracledb.Connection) -> list[tuple[Any, ...]]:
    """Per partition: its upper bound, whether an interval made it, its rows."""
    cursor = connection.cursor()
    cursor.execute(
        "SELECT PARTITION_NAME, HIGH_VALUE, INTERVAL FROM DBA_TAB_PARTITIONS WHERE TABLE_OWNER = 'APP'"
        " AND TABLE_NAME = 'VISITS' ORDER BY PARTITION_POSITION"
    )
    found = []
    for name, bound, interval in cursor.fetchall():
        cursor.execute(f'SELECT COUNT(*), MIN(VISITED), MAX(VISITED) FROM {VISITS} PARTITION ("{name}")')
        found.append((bound, interval, *(cursor.fetchone() or ())))
    return found


def test_a_table_arrives_with_its_interval_and_its_partitions(
    refreshed: object, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    with demo_source.system() as source, demo_target.system() as target:
        before, after = partitions(source), partitions(target)
        assert [interval for _, interval, *_ in after] == ["NO", "YES", "YES", "YES"]
        assert after == before
        cursor = target.cursor()
        cursor.execute("SELECT INTERVAL FROM DBA_PART_TABLES WHERE OWNER = 'APP' AND TABLE_NAME = 'VISITS'")
        assert cursor.fetchone() == ("NUMTOYMINTERVAL(1, 'MONTH')",)
        cursor.execute(f"INSERT INTO {VISITS} VALUES (-1, DATE '2030-06-15')")
        target.rollback()
        assert len(partitions(target)) == len(after) + 1
