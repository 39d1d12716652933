"""Views and synonyms whose objects are gone, not there yet, or they themselves.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema

VIEW = "ERR, ORA-04063"
SYNONYM = "ERR, ORA-00980"
CREATE = "SQL, CREATE SYNONYM, FOR clause: the object need not exist"
LOOP = "ERR, ORA-01775"
T = "CREATE TABLE t (a NUMBER, b NUMBER)"
LOST_VIEW = (T, "CREATE VIEW v AS SELECT a, b FROM t", "DROP TABLE t")
LOST_SYNONYM = (T, "CREATE SYNONYM s FOR t", "DROP TABLE t")
LOOPING = ("CREATE SYNONYM s1 FOR s2", "CREATE SYNONYM s2 FOR s3", "CREATE SYNONYM s3 FOR s1")

RULINGS = [
    Ruling("SELECT * FROM v", "ORA-04063", VIEW, LOST_VIEW),
    Ruling("INSERT INTO v VALUES (1, 1)", "ORA-04063", VIEW, LOST_VIEW),
    Ruling("UPDATE v SET a = 1", "ORA-04063", VIEW, LOST_VIEW),
    Ruling("DELETE FROM v", "ORA-04063", VIEW, LOST_VIEW),
    Ruling(
        "MERGE INTO v USING dual ON (v.a = 1) WHEN MATCHED THEN UPDATE SET b = 1",
        "ORA-04063",
        VIEW,
        LOST_VIEW,
    ),
    Ruling("SELECT * FROM v", "ORA-04063", VIEW, ("CREATE FORCE VIEW v AS SELECT x FROM nowhere",)),
    Ruling("SELECT * FROM w", "ORA-04063", VIEW, (*LOST_VIEW, "CREATE FORCE VIEW w AS SELECT a FROM v")),
    Ruling("CREATE VIEW w AS SELECT a FROM v", "ORA-04063", VIEW, LOST_VIEW),
    Ruling("SELECT * FROM s", "ORA-04063", VIEW, (*LOST_VIEW[:2], "CREATE SYNONYM s FOR v", "DROP TABLE t")),
    Ruling("SELECT * FROM v", "", VIEW, (*LOST_VIEW, T)),
    Ruling("DROP VIEW v", "", "SQL, DROP VIEW", LOST_VIEW),
    Ruling("SELECT * FROM v", "ORA-00942", "SQL, DROP VIEW", (*LOST_VIEW, "DROP VIEW v")),
    Ruling("DROP VIEW s", "ORA-00942", "SQL, DROP VIEW", LOST_SYNONYM),
    Ruling("SELECT * FROM s", "ORA-00980", SYNONYM, LOST_SYNONYM),
    Ruling("INSERT INTO s VALUES (1, 1)", "ORA-00980", SYNONYM, LOST_SYNONYM),
    Ruling("UPDATE s SET a = 1", "ORA-00980", SYNONYM, LOST_SYNONYM),
    Ruling("DELETE FROM s", "ORA-00980", SYNONYM, LOST_SYNONYM),
    Ruling("CREATE VIEW w AS SELECT * FROM s", "ORA-00980", SYNONYM, LOST_SYNONYM),
    Ruling("SELECT * FROM s", "", SYNONYM, (*LOST_SYNONYM, T)),
    Ruling("CREATE SYNONYM s FOR nowhere", "", CREATE),
    Ruling("CREATE SYNONYM s FOR no_schema.nowhere", "", CREATE),
    Ruling("SELECT * FROM s", "ORA-00980", SYNONYM, ("CREATE SYNONYM s FOR nowhere",)),
    Ruling("SELECT * FROM s", "ORA-00980", SYNONYM, ("CREATE SYNONYM s FOR no_schema.nowhere",)),
    Ruling("SELECT * FROM s", "", CREATE, ("CREATE SYNONYM s FOR t", T)),
    Ruling(
        "SELECT * FROM s",
        "ORA-03001",
        "what the stand-in lacks",
        ("CREATE SYNONYM s FOR g", "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER)"),
    ),
    Ruling("SELECT * FROM s", "ORA-03001", "what it lacks", ("CREATE SYNONYM s FOR q", "CREATE SEQUENCE q")),
    Ruling("INSERT INTO s VALUES (1, 1)", "", CREATE, ("CREATE SYNONYM s FOR t", T)),
    Ruling("CREATE SYNONYM s FOR t", "ORA-00955", "SQL, CREATE SYNONYM", ("CREATE SYNONYM s FOR t", T)),
    Ruling("CREATE SYNONYM s FOR t", "ORA-00955", "SQL, CREATE SYNONYM", ("CREATE SYNONYM s FOR nowhere",)),
    Ruling("CREATE OR REPLACE SYNONYM s FOR t", "", "SQL, CREATE SYNONYM", LOST_SYNONYM),
    Ruling("CREATE TABLE s (a NUMBER)", "ORA-00955", "SQL, Naming Rules", LOST_SYNONYM),
    Ruling("CREATE SEQUENCE s", "ORA-00955", "SQL, Naming Rules", LOST_SYNONYM),
    Ruling("CREATE TABLE v (a NUMBER)", "ORA-00955", "SQL, Naming Rules", LOST_VIEW),
    Ruling("CREATE OR REPLACE VIEW s AS SELECT 1 x FROM t", "ORA-00955", "SQL, Naming Rules", LOST_SYNONYM),
    Ruling("CREATE SYNONYM v FOR t", "ORA-00955", "SQL, Naming Rules", LOST_VIEW),
    Ruling("CREATE SYNONYM t FOR t", "ORA-01471", "ERR, ORA-01471", (T,)),
    Ruling("CREATE SYNONYM nowhere FOR nowhere", "ORA-01471", "ERR, ORA-01471"),
    Ruling("CREATE OR REPLACE SYNONYM s FOR s", "ORA-01471", "ERR, ORA-01471", LOST_SYNONYM),
    Ruling("DROP SYNONYM s", "", "SQL, DROP SYNONYM", LOST_SYNONYM),
    Ruling("SELECT * FROM s1", "ORA-01775", LOOP, LOOPING),
    Ruling("INSERT INTO s2 VALUES (1)", "ORA-01775", LOOP, LOOPING),
    Ruling("SELECT * FROM s1", "", LOOP, (*LOOPING, T, "CREATE OR REPLACE SYNONYM s3 FOR t")),
]

DEFAULTS = [
    Ruling("CREATE TABLE t (a NUMBER DEFAULT LEVEL)", "ORA-00976", "ERR, ORA-00976"),
    Ruling("CREATE TABLE t (a NUMBER DEFAULT ROWNUM)", "ORA-00976", "ERR, ORA-00976"),
    Ruling("CREATE TABLE t (a NUMBER DEFAULT PRIOR 1)", "ORA-00976", "ERR, ORA-00976"),
    Ruling("ALTER TABLE t MODIFY a DEFAULT LEVEL", "ORA-00976", "ERR, ORA-00976", (T,)),
    Ruling("CREATE TABLE t (a NUMBER DEFAULT (SELECT 1 FROM dual))", "ORA-22818", "ERR, ORA-22818"),
    Ruling("CREATE TABLE t (a NUMBER DEFAULT b, b NUMBER)", "ORA-00984", "ERR, ORA-00984"),
]


@pytest.mark.parametrize("ruling", [*RULINGS, *DEFAULTS], ids=str)
def test_invalid_objects(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


def test_others_learn_of_an_invalid_view_what_they_may(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute(T)
        cursor.execute("CREATE VIEW v AS SELECT a FROM t")
        cursor.execute("CREATE VIEW w AS SELECT a FROM t")
        cursor.execute("GRANT SELECT ON v TO DBFS_ROLE")
        cursor.execute("DROP TABLE t")
    with schema.server.connect() as system, system.cursor() as cursor:
        cursor.execute(f'CREATE USER {schema.name}_B IDENTIFIED BY "b_test_password"')
        cursor.execute(f"GRANT CREATE SESSION, DBFS_ROLE TO {schema.name}_B")
        try:
            with (
                schema.server.connect(f"{schema.name}_B", "b_test_password") as other,
                other.cursor() as reader,
            ):
                with pytest.raises(oracledb.DatabaseError, match=f'ORA-04063: view "{schema.name}.V"'):
                    reader.execute(f"SELECT * FROM {schema.name}.v")
                with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
                    reader.execute(f"SELECT * FROM {schema.name}.w")
        finally:
            cursor.execute(f"DROP USER {schema.name}_B CASCADE")


def test_public_synonyms_of_dropped_tables_loop(schema: Schema) -> None:
    """Behind the schema's own objects the name means the public synonym again."""
    with (
        schema.connection.cursor() as cursor,
        schema.server.connect() as system,
        system.cursor() as administrator,
    ):
        cursor.execute("CREATE TABLE looping_books (a NUMBER)")
        administrator.execute(f"CREATE PUBLIC SYNONYM looping_books FOR {schema.name}.looping_books")
        try:
            cursor.execute("DROP TABLE looping_books")
            with pytest.raises(oracledb.DatabaseError, match="ORA-01775"):
                cursor.execute("SELECT * FROM looping_books")
        finally:
            administrator.execute("DROP PUBLIC SYNONYM looping_books")
