"""Dates before Christ and time zone regions, which python-oracledb's thin mode cannot fetch."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.profiler.model import Kind
from oracle_refresh.profiler.profile import profile
from oracle_refresh.profiler.sampling import Bounds

VALUES = {
    "DATE": "TO_DATE('0304-07-09 BC', 'YYYY-MM-DD BC')",
    "TIMESTAMP": "TO_TIMESTAMP('0001-12-31 BC 23:59:59', 'YYYY-MM-DD BC HH24:MI:SS')",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP '2021-06-01 12:00:00 America/New_York'",
    "INTERVAL DAY TO SECOND": "INTERVAL '5' DAY",
}


@pytest.mark.parametrize("data_type", VALUES)
def test_the_other_columns_of_the_table_are_sampled(schema: Any, data_type: str) -> None:
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
    with schema.connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE VISITS (C1 VARCHAR2(60), D {data_type})")
        cursor.executemany("INSERT INTO VISITS (C1) VALUES (:1)", [(f"p{n}@corp.com",) for n in range(60)])
        cursor.execute(f"UPDATE VISITS SET D = {VALUES[data_type]} WHERE C1 = 'p7@corp.com'")
    schema.connection.commit()
    catalogue = read_catalogue(schema.connection, (schema.name,))
    found = profile(schema.connection, catalogue, Bounds(), date(2026, 11, 21))
    assert [(one.column, one.kind) for one in found.classifications] == [("C1", Kind.EMAIL)]
    assert (found.unread, found.sampled_rows) == ({}, 60)
