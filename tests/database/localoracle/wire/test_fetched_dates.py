"""Dates that python-oracledb does not fetch from Oracle, and not from the stand-in either."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest


def test_a_date_before_christ_is_no_date_of_python(schema: Any) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE VISITS (D DATE)")
        cursor.execute("INSERT INTO VISITS VALUES (TO_DATE('0304-07-09 BC', 'YYYY-MM-DD BC'))")
        with pytest.raises(ValueError, match="year"):
            cursor.execute("SELECT D FROM VISITS").fetchall()


def test_the_thin_mode_fetches_no_time_zone_region(schema: Any) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE VISITS (Z TIMESTAMP WITH TIME ZONE)")
        for zone in ("America/New_York", "UTC", "+05:30"):
            cursor.execute(f"INSERT INTO VISITS VALUES (TIMESTAMP '2021-06-01 12:00:00 {zone}')")
        with pytest.raises(oracledb.NotSupportedError, match="DPY-3022"):
            cursor.execute("SELECT Z FROM VISITS").fetchall()
        offsets = cursor.execute(
            "SELECT COUNT(*) FROM VISITS WHERE EXTRACT(TIMEZONE_HOUR FROM Z) = 5"
        ).fetchall()
        assert offsets == [(1,)]
