"""The query of a sensor, in a session of a database."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.sensors.source import is_met
from support.stand_in import Schema


def test_query_that_locks_rows_is_refused_by_the_read_only_transaction(schema: Schema) -> None:
    with schema.connect() as connection:
        connection.cursor().execute("CREATE TABLE CLOSED (PERIOD VARCHAR2(7))")
        assert not is_met(connection, "SELECT COUNT(*) FROM CLOSED")
        connection.rollback()
        with pytest.raises(oracledb.DatabaseError, match="ORA-01456"):
            is_met(connection, "SELECT 1 FROM CLOSED FOR UPDATE")
