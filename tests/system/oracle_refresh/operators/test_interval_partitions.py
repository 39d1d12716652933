"""A table with interval partitions is refreshed as one.

SQL Language Reference 19c, CREATE TABLE, INTERVAL Clause: its partitions are made by the rows, and their
names by the database that makes them.
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
from support.demo import DemoDatabase
from support.small_run import TABLES, SmallRun

VISITS = "APP.VISITS"


@pytest.fixture
def visits(demo_source: DemoDatabase) -> Iterator[None]:
    """A table by months in the source: rows of three of them and of the time before."""
    with demo_source.system() as connection:
        cursor = connection.cursor()
        cursor.execute(
            f"CREATE TABLE {VISITS} (VISIT_ID NUMBER(10), VISITED DATE,"
            " CONSTRAINT VISITS_PK PRIMARY KEY (VISIT_ID, VISITED) USING INDEX LOCAL)"
            " PARTITION BY RANGE (VISITED) INTERVAL (NUMTOYMINTERVAL(1, 'MONTH'))"
            " (PARTITION P_OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')))"
        )
        cursor.execute(f"CREATE INDEX APP.VISITS_DAY ON {VISITS} (VISITED) LOCAL")
        cursor.execute(
            f"INSERT INTO {VISITS} SELECT LEVEL, DATE '2023-12-01' + MOD(LEVEL, 120) FROM DUAL"
            " CONNECT BY LEVEL <= 600"
        )
        connection.commit()
        yield
        cursor.execute(f"DROP TABLE {VISITS} PURGE")


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


def test_it_arrives_with_its_interval_and_its_partitions(
    visits: None, new_run: Callable[..., SmallRun], demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    run = new_run()
    run.execute(CheckPreflight)
    run.until_loaded()
    for unit in (*TABLES, VISITS):
        for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
            run.execute(operator, unit=unit)
    run.until_checked()
    run.execute(ReleaseTarget)
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
