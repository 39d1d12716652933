"""Direct-path INSERT: who asks for it, the lock it takes, and what the transaction may do afterwards."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import oracledb
import pytest

from support.cursors import fails, one
from support.stand_in import Schema

QUERY = "SELECT LEVEL, 'x' FROM DUAL CONNECT BY LEVEL <= 10"
_numbers = itertools.count(1)


@pytest.fixture
def cursor(module_schema: Schema) -> Iterator[oracledb.Cursor]:
    with module_schema.connection.cursor() as cursor:
        yield cursor
    module_schema.connection.rollback()


@pytest.fixture
def table(cursor: oracledb.Cursor) -> str:
    name = f"T{next(_numbers)}"
    cursor.execute(f"CREATE TABLE {name} (N NUMBER, A VARCHAR2(10))")
    return name


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM {table}",
        "SELECT COUNT(*) FROM {table} WHERE 1 = 0",
        "SELECT 1 FROM DUAL WHERE EXISTS (SELECT 1 FROM {table} WHERE N = 3)",
        "WITH W AS (SELECT N FROM {table}) SELECT COUNT(*) FROM W",
        "SELECT COUNT(*) FROM {table}_V",
        "SELECT * FROM {table} FOR UPDATE",
        "INSERT INTO {table} VALUES (1, 'y')",
        "INSERT /*+ APPEND */ INTO {table} SELECT LEVEL, 'y' FROM DUAL CONNECT BY LEVEL < 3",
        "UPDATE {table} SET A = 'y'",
        "DELETE FROM {table} WHERE N = 1",
        "MERGE INTO {table} T USING DUAL ON (T.N = 1) WHEN MATCHED THEN UPDATE SET A = 'y'",
        "BEGIN FOR R IN (SELECT N FROM {table}) LOOP NULL; END LOOP; END;",
    ],
)
def test_the_transaction_neither_reads_nor_changes_it_again(
    cursor: oracledb.Cursor, table: str, statement: str
) -> None:
    cursor.execute(f"CREATE VIEW {table}_V AS SELECT * FROM {table}")
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table} {QUERY}")
    assert cursor.rowcount == 10
    fails(cursor, 12838, statement.format(table=table))
    cursor.connection.commit()
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 10, "the error left the load as it was"
    cursor.execute(statement.format(table=table))


def test_other_tables_and_the_table_after_a_rollback_are_free(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(f"CREATE TABLE {table}_O (N NUMBER)")
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table} {QUERY}")
    cursor.execute(f"INSERT INTO {table}_O VALUES (1)")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}_O") == 1
    cursor.connection.rollback()
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 0


@pytest.mark.parametrize("hint", ["", "/*+ append noappend */", "/*+ parallel(4) */", "/*+ append_values */"])
def test_conventional_inserts_may_be_read_at_once(cursor: oracledb.Cursor, table: str, hint: str) -> None:
    cursor.execute(f"INSERT {hint} INTO {table} {QUERY}")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 10


def test_append_is_for_queries_and_append_values_for_values(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table} VALUES (1, 'x')")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 1
    many = f"INSERT /*+ APPEND_VALUES */ INTO {table} VALUES (:1, :2)"
    cursor.executemany(many, [(number, "x") for number in range(5)])
    fails(cursor, 12838, f"SELECT COUNT(*) FROM {table}")
    with pytest.raises(oracledb.DatabaseError, match="ORA-12838"):
        cursor.executemany(many, [(6, "x"), (7, "x")])
    cursor.connection.commit()
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 6


@pytest.mark.parametrize(
    "obstacle",
    [
        "CREATE TRIGGER {table}_T BEFORE INSERT ON {table} FOR EACH ROW BEGIN :NEW.A := 'z'; END;",
        "ALTER TABLE {table} ADD CONSTRAINT {table}_FK FOREIGN KEY (N) REFERENCES {table}_P",
    ],
)
def test_triggers_and_foreign_keys_make_it_conventional(
    cursor: oracledb.Cursor, table: str, obstacle: str
) -> None:
    cursor.execute(f"CREATE TABLE {table}_P (N NUMBER PRIMARY KEY)")
    cursor.execute(f"INSERT INTO {table}_P SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 10")
    cursor.execute(obstacle.format(table=table))
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table} {QUERY}")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 10


def test_so_does_an_index_organized_table(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(f"CREATE TABLE {table}_I (N NUMBER PRIMARY KEY, A VARCHAR2(10)) ORGANIZATION INDEX")
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table}_I {QUERY}")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}_I") == 10


def test_partitions_are_loaded_with_their_table(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(
        f"CREATE TABLE {table}_P (N NUMBER, A VARCHAR2(10)) PARTITION BY RANGE (N)"
        " (PARTITION P1 VALUES LESS THAN (5), PARTITION P2 VALUES LESS THAN (MAXVALUE))"
    )
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table}_P PARTITION (P2) SELECT 7, 'x' FROM DUAL")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}_P PARTITION (P1)") == 0
    fails(cursor, 12838, f"SELECT COUNT(*) FROM {table}_P")
    cursor.connection.commit()
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table}_P {QUERY}")
    fails(cursor, 12838, f"SELECT COUNT(*) FROM {table}_P PARTITION (P1)")


def test_parallel_dml_of_the_session(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute("ALTER SESSION ENABLE PARALLEL DML")
    try:
        cursor.execute(f"INSERT INTO {table} {QUERY}")
        assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 10
        cursor.connection.commit()
        cursor.execute(f"INSERT /*+ PARALLEL(2) */ INTO {table} {QUERY}")
        fails(cursor, 12838, f"SELECT COUNT(*) FROM {table}")
        cursor.connection.commit()
        cursor.execute(f"ALTER TABLE {table} PARALLEL 2")
        cursor.execute(f"INSERT INTO {table} {QUERY}")
        fails(cursor, 12838, f"SELECT COUNT(*) FROM {table}")
        cursor.connection.commit()
    finally:
        cursor.execute("ALTER SESSION DISABLE PARALLEL DML")


def test_a_load_that_fails_leaves_no_lock_and_no_mark(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(f"CREATE UNIQUE INDEX {table}_U ON {table} (A)")
    cursor.execute(f"INSERT INTO {table} VALUES (1, 'y')")
    fails(cursor, 1, f"INSERT /*+ APPEND */ INTO {table} {QUERY}")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}") == 1


def test_others_read_the_table_but_do_not_change_it(
    cursor: oracledb.Cursor, table: str, module_schema: Schema
) -> None:
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table} {QUERY}")
    with module_schema.connect() as other, other.cursor() as theirs:
        assert one(theirs, f"SELECT COUNT(*) FROM {table}") == 0
        fails(theirs, 54, f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE NOWAIT")
        cursor.connection.commit()
        theirs.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE NOWAIT")


@pytest.mark.parametrize(
    ("properties", "degree", "logging"),
    [
        ("PARALLEL 2 NOLOGGING", "2", "NO"),
        ("PARALLEL (DEGREE 3)", "3", "YES"),
        ("PARALLEL", "DEFAULT", "YES"),
        ("NOPARALLEL", "1", "YES"),
    ],
)
def test_a_table_made_in_parallel_of_a_query(
    cursor: oracledb.Cursor, table: str, properties: str, degree: str, logging: str
) -> None:
    cursor.execute(f"INSERT INTO {table} {QUERY}")
    cursor.execute(f"CREATE TABLE {table}_C {properties} AS SELECT /*+ PARALLEL(4) */ * FROM {table}")
    assert one(cursor, f"SELECT COUNT(*) FROM {table}_C") == 10
    shown = one(cursor, "SELECT TRIM(DEGREE), LOGGING FROM USER_TABLES WHERE TABLE_NAME = :1", [f"{table}_C"])
    assert shown == (degree, logging)


def blocks(cursor: oracledb.Cursor, table: str) -> int:
    return int(one(cursor, f"SELECT COUNT(DISTINCT DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID)) FROM {table}"))


def test_pctfree_leaves_blocks_sparse(cursor: oracledb.Cursor, table: str) -> None:
    rows = "SELECT LEVEL N, RPAD('x', 1500) A FROM DUAL CONNECT BY LEVEL <= 12"
    cursor.execute(f"CREATE TABLE {table}_F PCTFREE 0 AS {rows}")
    cursor.execute(f"CREATE TABLE {table}_C PCTFREE 99 AS {rows}")
    cursor.execute(f"CREATE TABLE {table}_S (N NUMBER, A VARCHAR2(2000)) PCTFREE 99")
    cursor.execute(f"INSERT /*+ APPEND */ INTO {table}_S {rows}")
    cursor.connection.commit()
    assert blocks(cursor, f"{table}_F") <= 4
    assert blocks(cursor, f"{table}_C") == blocks(cursor, f"{table}_S") == 12
    cursor.execute(f"ALTER TABLE {table}_S PCTFREE 0")
    cursor.execute(f"TRUNCATE TABLE {table}_S")
    cursor.execute(f"INSERT INTO {table}_S {rows}")
    assert blocks(cursor, f"{table}_S") <= 4


def test_records_per_block(cursor: oracledb.Cursor, table: str) -> None:
    cursor.execute(f"ALTER TABLE {table} MODIFY A VARCHAR2(2000)")
    fails(cursor, 28603, f"ALTER TABLE {table} MINIMIZE RECORDS_PER_BLOCK")
    cursor.execute(f"INSERT INTO {table} SELECT LEVEL, RPAD('x', 1500) FROM DUAL CONNECT BY LEVEL <= 2")
    cursor.execute(f"ALTER TABLE {table} MINIMIZE RECORDS_PER_BLOCK")
    cursor.execute(f"TRUNCATE TABLE {table}")
    rows = f"INSERT INTO {table} SELECT LEVEL, RPAD('x', 1500) FROM DUAL CONNECT BY LEVEL <= 10"
    cursor.execute(rows)
    assert blocks(cursor, table) == 5
    cursor.execute(f"ALTER TABLE {table} NOMINIMIZE RECORDS_PER_BLOCK")
    cursor.execute(f"TRUNCATE TABLE {table}")
    cursor.execute(rows)
    assert blocks(cursor, table) < 5
    fails(cursor, 1735, f"ALTER TABLE {table} MINIMIZE ROWS")
