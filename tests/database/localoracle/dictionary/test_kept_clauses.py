"""What CREATE TABLE and CREATE INDEX say of storage is what the dictionary and DBMS_METADATA say of it.

Source: Reference 19c, ALL_TABLES, ALL_INDEXES, ALL_LOBS, ALL_IND_PARTITIONS.
"""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.stand_in import Schema


def rows(connection: oracledb.Connection, query: str) -> list[tuple[Any, ...]]:
    cursor = connection.cursor()
    cursor.execute(query)
    return [tuple(value.strip() if isinstance(value, str) else value for value in row) for row in cursor]


TABLE = (
    "CREATE TABLE t (a NUMBER) SEGMENT CREATION IMMEDIATE PCTFREE 20 INITRANS 4 NOLOGGING"
    " CACHE RESULT_CACHE (MODE FORCE) ROWDEPENDENCIES ENABLE ROW MOVEMENT"
)
OF_TABLES = (
    "SELECT pct_free, ini_trans, logging, cache, result_cache, dependencies, row_movement, segment_created"
    " FROM user_tables"
)


def test_clauses_of_tables(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(TABLE)
    shown = rows(schema.connection, OF_TABLES)
    assert shown == [(20, 4, "NO", "Y", "FORCE", "ENABLED", "ENABLED", "YES")]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM dual")
    ((text,),) = cursor.fetchall()
    definition = str(text)
    cursor.execute("DROP TABLE t")
    cursor.execute(definition)
    assert rows(schema.connection, OF_TABLES) == shown


def test_clauses_of_lobs(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "CREATE TABLE t (a CLOB, b BLOB) LOB (a) STORE AS SECUREFILE texts"
        " (DISABLE STORAGE IN ROW CACHE COMPRESS HIGH DEDUPLICATE)"
    )
    query = (
        "SELECT segment_name, compression, deduplication, cache, in_row FROM user_lobs"
        " WHERE column_name = 'A'"
    )
    shown = rows(schema.connection, query)
    assert shown == [("TEXTS", "HIGH", "LOB", "YES", "NO")]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM dual")
    ((text,),) = cursor.fetchall()
    definition = str(text)
    cursor.execute("DROP TABLE t")
    cursor.execute(definition)
    assert rows(schema.connection, query) == shown


def test_clauses_of_indexes_and_partitions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10)"
        " PCTFREE 30 NOLOGGING, PARTITION p2 VALUES LESS THAN (20))"
    )
    cursor.execute("CREATE INDEX i ON r (v) LOCAL (PARTITION i1, PARTITION i2)")
    cursor.execute("CREATE INDEX j ON r (v, k) PCTFREE 5 INITRANS 7")
    assert rows(schema.connection, "SELECT pct_free, ini_trans FROM user_indexes WHERE index_name = 'J'") == [
        (5, 7)
    ]
    assert rows(
        schema.connection, "SELECT partition_name FROM user_ind_partitions ORDER BY partition_position"
    ) == [("I1",), ("I2",)]
    assert rows(
        schema.connection,
        "SELECT partition_name, pct_free, logging FROM user_tab_partitions ORDER BY partition_position",
    ) == [("P1", 30, "NO"), ("P2", 10, "YES")]


def test_a_key_says_which_index_it_uses(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE t (a NUMBER, b NUMBER, c NUMBER)")
    cursor.execute("CREATE UNIQUE INDEX one ON t (a)")
    cursor.execute("CREATE INDEX two ON t (b, c)")
    cursor.execute("ALTER TABLE t ADD CONSTRAINT first PRIMARY KEY (a) USING INDEX one")
    cursor.execute("ALTER TABLE t ADD CONSTRAINT second UNIQUE (b) USING INDEX two")
    assert rows(
        schema.connection,
        "SELECT constraint_name, index_name FROM user_constraints WHERE constraint_type IN ('P', 'U')"
        " ORDER BY 1",
    ) == [("FIRST", "ONE"), ("SECOND", "TWO")]
    assert rows(schema.connection, "SELECT index_name FROM user_indexes ORDER BY 1") == [("ONE",), ("TWO",)]
    cursor.execute("ALTER TABLE t DROP CONSTRAINT first")
    cursor.execute("ALTER TABLE t DROP CONSTRAINT second")
    assert rows(schema.connection, "SELECT index_name, uniqueness FROM user_indexes ORDER BY 1") == [
        ("ONE", "UNIQUE"),
        ("TWO", "NONUNIQUE"),
    ]


OF_KEY_INDEXES = "SELECT ini_trans, pct_free, logging, tablespace_name, partitioned FROM user_indexes"
OF_KEYS = [
    ("USING INDEX PCTFREE 5 INITRANS 7 NOLOGGING TABLESPACE users", (7, 5, "NO", "USERS", "NO")),
    ("USING INDEX LOCAL", (2, 10, None, None, "YES")),
    ("", (2, 10, "YES", "USERS", "NO")),
]


@pytest.mark.parametrize(("clause", "shown"), OF_KEYS)
@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE t (a NUMBER, CONSTRAINT t_pk PRIMARY KEY (a) {}) {}"],
        ["CREATE TABLE t (a NUMBER, PRIMARY KEY (a) {}) {}"],
        ["CREATE TABLE t (a NUMBER) {1}", "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) {0}"],
        ["CREATE TABLE t (a NUMBER) {1}", "ALTER TABLE t ADD PRIMARY KEY (a) {0}"],
        [
            "CREATE TABLE t (a NUMBER) {1}",
            "ALTER TABLE t ADD PRIMARY KEY (a) DISABLE",
            "ALTER TABLE t ENABLE PRIMARY KEY {0}",
        ],
    ],
)
def test_clauses_of_keys(schema: Schema, statements: list[str], clause: str, shown: tuple[Any, ...]) -> None:
    partitions = "PARTITION BY RANGE (a) (PARTITION p1 VALUES LESS THAN (9))" if "LOCAL" in clause else ""
    cursor = schema.connection.cursor()
    for statement in statements:
        cursor.execute(statement.format(clause, partitions))
    assert rows(schema.connection, OF_KEY_INDEXES) == [shown]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM dual")
    ((text,),) = cursor.fetchall()
    definition = str(text)
    cursor.execute("DROP TABLE t")
    cursor.execute(definition)
    assert rows(schema.connection, OF_KEY_INDEXES)[0][3:] == shown[3:]


def test_a_key_in_a_tablespace_that_is_not_there(schema: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-00959"):
        schema.connection.cursor().execute(
            "CREATE TABLE t (a NUMBER PRIMARY KEY USING INDEX TABLESPACE nowhere)"
        )
