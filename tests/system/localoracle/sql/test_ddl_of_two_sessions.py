"""DDL of two sessions at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import oracledb

from support.stand_in import Schema


def test_views_that_two_sessions_make_valid_at_once(schema: Schema) -> None:
    """Each session's DDL looks for invalid views that compile by now: two find the same ones."""
    shared, another = f"SHARED_{schema.name}", f"ANOTHER_{schema.name}"
    with schema.server.connect() as first, schema.server.connect() as second:
        sessions = [each.cursor() for each in (first, second)]
        for table in (shared, another):
            sessions[0].execute(f"CREATE TABLE {table} (A NUMBER)")
        try:
            cursor = schema.connection.cursor()
            for number in range(20):
                cursor.execute(f"CREATE FORCE VIEW V{number} AS SELECT A FROM SYSTEM.{shared}")
            for _ in range(10):
                grants = [f"GRANT SELECT ON {table} TO {schema.name}" for table in (shared, another)]
                with ThreadPoolExecutor() as pool:
                    list(pool.map(oracledb.Cursor.execute, sessions, grants))
                assert (
                    cursor.execute("SELECT OBJECT_NAME FROM USER_OBJECTS WHERE STATUS = 'INVALID'").fetchall()
                    == []
                )
                for table in (shared, another):
                    sessions[0].execute(f"REVOKE SELECT ON {table} FROM {schema.name}")
        finally:
            for table in (shared, another):
                sessions[0].execute(f"DROP TABLE {table} PURGE")
