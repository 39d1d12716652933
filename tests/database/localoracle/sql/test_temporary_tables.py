"""Global temporary tables: rows of one session, gone at the commit or with the session."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

SOURCE = "sqlrf CREATE TABLE, GLOBAL TEMPORARY"
DELETE = (
    "CREATE GLOBAL TEMPORARY TABLE G (ID NUMBER PRIMARY KEY, V VARCHAR2(9) DEFAULT 'x') ON COMMIT DELETE ROWS"
)
PRESERVE = DELETE.replace("DELETE", "PRESERVE")

RULINGS = [
    Ruling("CREATE GLOBAL TEMPORARY TABLE G (A NUMBER)", "", SOURCE),
    Ruling("CREATE GLOBAL TEMPORARY TABLE G (A NUMBER) ON COMMIT KEEP ROWS", "ORA-00922", SOURCE),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE G (A NUMBER) PARTITION BY HASH (A) PARTITIONS 2", "ORA-14451", SOURCE
    ),
    Ruling("CREATE GLOBAL TEMPORARY TABLE G (A NUMBER) NOLOGGING", "ORA-14451", SOURCE),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE G (A NUMBER REFERENCES P (A))",
        "ORA-14455",
        "errmg",
        ("CREATE TABLE P (A NUMBER PRIMARY KEY)",),
    ),
    Ruling("INSERT INTO G (ID) VALUES (1)", "ORA-00001", SOURCE, (DELETE, "INSERT INTO G (ID) VALUES (1)")),
    Ruling("DROP TABLE G", "ORA-14452", "errmg", (PRESERVE, "INSERT INTO G (ID) VALUES (1)")),
    Ruling("CREATE INDEX I ON G (V)", "ORA-14452", "errmg", (PRESERVE, "INSERT INTO G (ID) VALUES (1)")),
    Ruling("DROP TABLE G", "", "errmg", (PRESERVE, "INSERT INTO G (ID) VALUES (1)", "TRUNCATE TABLE G")),
    Ruling("CREATE VIEW V AS SELECT * FROM G", "ORA-03001", "the stand-in", (DELETE,)),
    Ruling("SELECT * FROM G AS OF SCN 1", "ORA-03001", "the stand-in", (PRESERVE,)),
    Ruling("SELECT COUNT(*) FROM G AS OF SCN 1 T WHERE T.ID = 1", "ORA-03001", "the stand-in", (DELETE,)),
    Ruling("CREATE SYNONYM S FOR G", "ORA-03001", "the stand-in", (DELETE,)),
    Ruling("CREATE PRIVATE TEMPORARY TABLE ORA$PTT_P (A NUMBER)", "ORA-03001", "the stand-in"),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.mark.parametrize(("create", "left"), [(DELETE, []), (PRESERVE, [(1, "x")])])
def test_rows_are_the_sessions_and_a_commit_deletes_them(
    schema: Schema, create: str, left: list[object]
) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(create)
    cursor.execute("INSERT INTO G (ID) VALUES (1)")
    cursor.execute(f"SELECT * FROM {schema.name}.G")
    assert cursor.fetchall() == [(1, "x")]
    with schema.connect() as other:
        own = other.cursor()
        own.execute("INSERT INTO G VALUES (1, 'y')")
        own.execute("SELECT G.V FROM G")
        assert own.fetchall() == [("y",)]
    schema.connection.commit()
    cursor.execute("SELECT * FROM G")
    assert cursor.fetchall() == left


def test_all_kinds_of_dml_work_on_it(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(PRESERVE)
    cursor.executemany("INSERT INTO G (ID, V) VALUES (:1, :2)", [(1, "a"), (2, "b"), (3, "c")])
    cursor.execute("UPDATE G SET V = UPPER(V) WHERE G.ID < 3")
    cursor.execute("DELETE FROM G WHERE ID = 2")
    cursor.execute(
        "MERGE INTO G T USING (SELECT 3 ID, 'm' V FROM DUAL UNION ALL SELECT 4, 'n' FROM DUAL) S"
        " ON (T.ID = S.ID) WHEN MATCHED THEN UPDATE SET T.V = S.V"
        " WHEN NOT MATCHED THEN INSERT (ID, V) VALUES (S.ID, S.V)"
    )
    cursor.execute("BEGIN UPDATE G SET V = 'z' WHERE ID = 4; END;")
    schema.connection.commit()
    cursor.execute("SELECT ID, V FROM G ORDER BY ID")
    assert cursor.fetchall() == [(1, "A"), (3, "m"), (4, "z")]


def test_a_rollback_undoes_the_rows(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(PRESERVE)
    cursor.execute("INSERT INTO G (ID) VALUES (1)")
    schema.connection.rollback()
    cursor.execute("INSERT INTO G (ID) VALUES (1)")
    cursor.execute("SELECT COUNT(*) FROM G")
    assert cursor.fetchall() == [(1,)]


def test_as_select_fills_it_for_this_session(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE GLOBAL TEMPORARY TABLE G ON COMMIT PRESERVE ROWS AS SELECT 1 A, 'x' B FROM DUAL")
    cursor.execute("SELECT A, B FROM G")
    assert cursor.fetchall() == [(1, "x")]
    with schema.connect() as other:
        own = other.cursor()
        own.execute("SELECT COUNT(*) FROM G")
        assert own.fetchall() == [(0,)]


def test_changes_of_the_definition_reach_open_sessions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(DELETE)
    cursor.execute("INSERT INTO G (ID) VALUES (1)")
    schema.connection.commit()
    cursor.execute("ALTER TABLE G ADD (W NUMBER)")
    cursor.execute("CREATE UNIQUE INDEX G_W ON G (W)")
    cursor.execute("INSERT INTO G (ID, W) VALUES (1, 2)")
    with pytest.raises(Exception, match="ORA-00001"):
        cursor.execute("INSERT INTO G (ID, W) VALUES (2, 2)")


def test_triggers_and_identities_work_on_it(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE GLOBAL TEMPORARY TABLE G (ID NUMBER GENERATED ALWAYS AS IDENTITY, V NUMBER)")
    cursor.execute("CREATE TRIGGER G_T BEFORE INSERT ON G FOR EACH ROW BEGIN :NEW.V := :NEW.ID * 10; END;")
    cursor.execute("INSERT INTO G (V) VALUES (0)")
    cursor.execute("SELECT ID, V FROM G")
    assert cursor.fetchall() == [(1, 10)]


def test_others_need_privileges(schema: Schema, oracle: object) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(DELETE)
    with schema.server.connect() as system:
        other = system.cursor()
        other.execute('CREATE USER GUEST_OF_G IDENTIFIED BY "a_test_password"')
        other.execute("GRANT CREATE SESSION TO GUEST_OF_G")
        other.execute(f"GRANT SELECT ON {schema.name}.G TO GUEST_OF_G")
        try:
            with schema.server.connect("GUEST_OF_G", "a_test_password") as guest:
                own = guest.cursor()
                own.execute(f"SELECT * FROM {schema.name}.G")
                assert own.fetchall() == []
                with pytest.raises(Exception, match="ORA-01031"):
                    own.execute(f"INSERT INTO {schema.name}.G (ID) VALUES (1)")
        finally:
            other.execute("DROP USER GUEST_OF_G CASCADE")


def test_the_dictionary_shows_it_without_segment(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(PRESERVE)
    cursor.execute("INSERT INTO G (ID) VALUES (1)")
    cursor.execute("SELECT TEMPORARY, DURATION, TABLESPACE_NAME, LOGGING FROM USER_TABLES")
    assert cursor.fetchall() == [("Y", "SYS$SESSION", None, "NO")]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'G') FROM DUAL")
    (ddl,) = cursor.fetchone() or ()
    text = " ".join(ddl.read().split())
    assert text.startswith("CREATE GLOBAL TEMPORARY TABLE")
    assert text.endswith("ON COMMIT PRESERVE ROWS")


def test_temporary_and_index_organized_tables_have_no_segment_of_a_table(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE GLOBAL TEMPORARY TABLE SCRATCH (ID NUMBER)")
    cursor.execute("CREATE TABLE ORGANIZED (ID NUMBER PRIMARY KEY) ORGANIZATION INDEX")
    cursor.execute("CREATE TABLE HEAP (ID NUMBER)")
    for table in ("SCRATCH", "ORGANIZED", "HEAP"):
        cursor.execute(f"INSERT INTO {table} VALUES (1)")
    cursor.execute("SELECT SEGMENT_NAME FROM USER_SEGMENTS WHERE SEGMENT_TYPE = 'TABLE'")
    assert cursor.fetchall() == [("HEAP",)]
