"""Readings of a database."""

from __future__ import annotations

import time

import oracledb
import pytest

from oracle_refresh.tuning import statements
from oracle_refresh.tuning.evidence import Counters, delta, read_counters
from oracle_refresh.tuning.instance import read_temp


def test_readings_of_a_database(target: oracledb.Connection) -> None:
    before = read_counters(target)
    assert Counters.from_json(before.to_json()) == before
    with target.cursor() as cursor:
        cursor.execute("CREATE TABLE SOME_REDO (TEXT VARCHAR2(200))")
        cursor.executemany("INSERT INTO SOME_REDO VALUES (:1)", [["x" * 200]] * 5000)
        target.commit()
        cursor.execute("ALTER SYSTEM SWITCH LOGFILE")
        cursor.execute("DROP TABLE SOME_REDO PURGE")
    for _ in range(600):  # a database may show its counters a little late
        happened = delta(before, read_counters(target))
        if happened.statistics.get("redo size", 0) > 5000 * 200 and happened.switches:
            break
        time.sleep(0.1)
    assert happened.switches >= 1
    assert happened.statistics["redo size"] > 5000 * 200
    assert not happened.restarted


def test_the_temporary_tablespaces_of_a_group_count_together(
    target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Database Reference 19c, DBA_USERS: TEMPORARY_TABLESPACE may be the name of a tablespace group."""
    alone = read_temp(target)
    assert (alone.elsewhere, alone.max_bytes) == (0, alone.own_bytes)
    with target.cursor() as cursor:
        cursor.execute(
            "CREATE BIGFILE TEMPORARY TABLESPACE AHEAD"
            " TEMPFILE '/u01/ahead.dbf' SIZE 1M AUTOEXTEND ON MAXSIZE 8M"
        )
        groups = (
            f"(SELECT 'SEVERAL' AS GROUP_NAME, '{alone.tablespace}' AS TABLESPACE_NAME FROM DUAL"
            " UNION ALL SELECT 'SEVERAL', 'AHEAD' FROM DUAL)"
        )
        users = "(SELECT USERNAME, 'SEVERAL' AS TEMPORARY_TABLESPACE FROM DBA_USERS)"
        text = statements.TEMP_TABLESPACES.replace("DBA_TABLESPACE_GROUPS", groups)
        monkeypatch.setattr(statements, "TEMP_TABLESPACES", text.replace("DBA_USERS", users))
        found = read_temp(target)
        cursor.execute("DROP TABLESPACE AHEAD INCLUDING CONTENTS AND DATAFILES")
    assert (found.tablespace, found.bigfile, found.files) == (alone.tablespace, False, alone.files)
    assert (found.elsewhere, found.max_bytes) == (8 << 20, alone.own_bytes + (8 << 20))
