"""Readings of a database."""

from __future__ import annotations

import time

import oracledb

from oracle_refresh.tuning.counters import Counters, delta, read_counters


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
