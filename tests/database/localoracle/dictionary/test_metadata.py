"""DBMS_METADATA: its DDL can be executed again and makes the same objects."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.stand_in import Schema, Server

OBJECTS = [
    (
        "CREATE TABLE COUNTRIES (CODE CHAR(2) CONSTRAINT COUNTRIES_PK PRIMARY KEY, NAME VARCHAR2(80) NOT"
        " NULL) ORGANIZATION INDEX"
    ),
    """CREATE TABLE PEOPLE (
  ID NUMBER(12) CONSTRAINT PEOPLE_PK PRIMARY KEY, NAME VARCHAR2(60) NOT NULL,
  CODE VARCHAR2(10 BYTE), NOTE NVARCHAR2(20),
  COUNTRY CHAR(2) CONSTRAINT PEOPLE_COUNTRY_FK REFERENCES COUNTRIES (CODE) ON DELETE SET NULL,
  STATE CHAR(1) DEFAULT 'A' NOT NULL CONSTRAINT PEOPLE_STATE_CK CHECK (STATE IN ('A', 'it''s')),
  CHANGED TIMESTAMP(6) DEFAULT SYSTIMESTAMP, WEIGHT FLOAT, SHARE_OF NUMBER, KEY RAW(16), BODY BLOB, TEXT CLOB)
LOB (BODY) STORE AS BASICFILE (ENABLE STORAGE IN ROW CHUNK 8192)""",
    """CREATE TABLE SALES (ID NUMBER NOT NULL, SOLD DATE NOT NULL, CONSTRAINT SALES_PK PRIMARY KEY (ID, SOLD))
PARTITION BY RANGE (SOLD) (PARTITION OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')),
PARTITION NEW VALUES LESS THAN (MAXVALUE))""",
    "CREATE INDEX PEOPLE_NAME_IX ON PEOPLE (UPPER(NAME), ID DESC)",
    "CREATE INDEX SALES_IX ON SALES (SOLD) LOCAL",
    "CREATE SEQUENCE NUMBERS START WITH 5 INCREMENT BY 5 NOCACHE",
    "CREATE VIEW NAMES AS SELECT ID, NAME FROM PEOPLE WHERE STATE = 'A'",
    (
        "CREATE TRIGGER PEOPLE_CHANGED BEFORE UPDATE ON PEOPLE FOR EACH ROW BEGIN :NEW.CHANGED :="
        " SYSTIMESTAMP; END;"
    ),
    "COMMENT ON TABLE PEOPLE IS 'one row each, it''s said'",
]
KINDS = [
    ("TABLE", "COUNTRIES"),
    ("TABLE", "PEOPLE"),
    ("TABLE", "SALES"),
    ("INDEX", "PEOPLE_NAME_IX"),
    ("INDEX", "SALES_IX"),
    ("SEQUENCE", "NUMBERS"),
    ("VIEW", "NAMES"),
    ("TRIGGER", "PEOPLE_CHANGED"),
]
COMPARED = [
    (
        "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, DATA_LENGTH, DATA_PRECISION, DATA_SCALE, NULLABLE,"
        " COLUMN_ID, CHAR_USED, DATA_DEFAULT FROM USER_TAB_COLUMNS ORDER BY 1, 8"
    ),
    (
        "SELECT TABLE_NAME, CONSTRAINT_TYPE, SEARCH_CONDITION_VC, R_CONSTRAINT_NAME, DELETE_RULE, STATUS,"
        " VALIDATED, GENERATED FROM USER_CONSTRAINTS ORDER BY 1, 2, 3"
    ),
    "SELECT INDEX_NAME, INDEX_TYPE, UNIQUENESS, PARTITIONED FROM USER_INDEXES ORDER BY 1",
    "SELECT INDEX_NAME, COLUMN_EXPRESSION, COLUMN_POSITION FROM USER_IND_EXPRESSIONS ORDER BY 1, 3",
    "SELECT SEQUENCE_NAME, INCREMENT_BY, LAST_NUMBER, CACHE_SIZE FROM USER_SEQUENCES",
    "SELECT TABLE_NAME, COLUMN_NAME, SECUREFILE, IN_ROW, CHUNK FROM USER_LOBS ORDER BY 1, 2",
    "SELECT TABLE_NAME, PARTITION_NAME, HIGH_VALUE FROM USER_TAB_PARTITIONS ORDER BY 1, 2",
    "SELECT TRIGGER_NAME, TRIGGER_TYPE, TRIGGERING_EVENT, STATUS FROM USER_TRIGGERS",
    "SELECT VIEW_NAME FROM USER_VIEWS",
    "SELECT TABLE_NAME, IOT_TYPE, PARTITIONED, TEMPORARY FROM USER_TABLES ORDER BY 1",
]


def fill(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    for statement in OBJECTS:
        cursor.execute(statement)
    return cursor


def ddl(cursor: oracledb.Cursor, kind: str, name: str, schema: str | None = None) -> str:
    text: Any = cursor.callfunc("DBMS_METADATA.GET_DDL", oracledb.DB_TYPE_CLOB, [kind, name, schema])
    return str(text.read())


def statements(text: str) -> list[str]:
    return [one.strip().removesuffix(";") if "TRIGGER" not in one else one.strip() for one in split(text)]


def split(text: str) -> list[str]:
    """The statements of a text with SQLTERMINATOR: a trigger ends with a slash, others with a semicolon."""
    if "\n/" in text:
        trigger, _, rest = text.partition("\n/")
        return [trigger, rest.strip().removesuffix(";")]
    return [text.strip().removesuffix(";")]


@pytest.mark.slow
@pytest.mark.parametrize("physical", [True, False])
def test_ddl_makes_the_same_objects_again(schema: Schema, physical: bool) -> None:
    cursor = fill(schema)
    before = [cursor.execute(sql).fetchall() for sql in COMPARED]
    if not physical:
        cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "SEGMENT_ATTRIBUTES", False])
        cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "PRETTY", False])
    cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "SQLTERMINATOR", True])
    texts = [ddl(cursor, kind, name) for kind, name in KINDS]
    comment: Any = cursor.callfunc(
        "DBMS_METADATA.GET_DEPENDENT_DDL", oracledb.DB_TYPE_CLOB, ["COMMENT", "PEOPLE"]
    )
    texts.append(comment.read())
    cursor.execute("DROP VIEW NAMES")
    for table in ("PEOPLE", "COUNTRIES", "SALES"):
        cursor.execute(f"DROP TABLE {table} CASCADE CONSTRAINTS PURGE")
    cursor.execute("DROP SEQUENCE NUMBERS")
    for text in texts:
        for statement in statements(text):
            cursor.execute(statement)
    after = [cursor.execute(sql).fetchall() for sql in COMPARED]
    if not physical:
        lobs = COMPARED.index(next(sql for sql in COMPARED if "USER_LOBS" in sql))
        assert [row[2] for row in after[lobs]] == [
            "YES",
            "YES",
        ], "without segment attributes LOBs are SecureFiles"
        before[lobs] = after[lobs] = []
    assert after == before
    assert cursor.execute(
        "SELECT COMMENTS FROM USER_TAB_COMMENTS WHERE TABLE_NAME = 'PEOPLE'"
    ).fetchone() == ("one row each, it's said",)


def test_constraints_apart(schema: Schema) -> None:
    cursor = fill(schema)
    cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "CONSTRAINTS", False])
    cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "REF_CONSTRAINTS", False])
    assert "CONSTRAINT" not in ddl(cursor, "TABLE", "PEOPLE")
    assert "NOT NULL" not in ddl(cursor, "TABLE", "PEOPLE")
    assert "PRIMARY KEY" in ddl(cursor, "TABLE", "COUNTRIES"), (
        "an index-organized table cannot be without its key"
    )
    cursor.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "DEFAULT", True])
    assert "CONSTRAINT" in ddl(cursor, "TABLE", "PEOPLE")
    assert ddl(cursor, "REF_CONSTRAINT", "PEOPLE_COUNTRY_FK").strip().startswith("ALTER TABLE")


def test_from_sql(schema: Schema) -> None:
    cursor = fill(schema)
    text: Any = cursor.execute("SELECT DBMS_METADATA.GET_DDL('SEQUENCE', 'NUMBERS') FROM DUAL").fetchone()
    assert "START WITH 5 NOCACHE" in text[0].read()


@pytest.mark.parametrize(
    ("call", "arguments", "code"),
    [
        ("GET_DDL", ["TABLE", "NOT_THERE"], 31603),
        ("GET_DDL", ["TEAPOT", "PEOPLE"], 31600),
        ("GET_DDL", ["TABLESPACE", "USERS"], 3001),
        ("GET_DEPENDENT_DDL", ["OBJECT_GRANT", "PEOPLE"], 31608),
        ("GET_DEPENDENT_DDL", ["TEAPOT", "PEOPLE"], 31600),
    ],
)
def test_what_cannot_be_described(schema: Schema, call: str, arguments: list[str], code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as caught:
        schema.connection.cursor().callfunc(f"DBMS_METADATA.{call}", oracledb.DB_TYPE_CLOB, arguments)
    assert caught.value.args[0].code == code


def test_other_schemas_need_the_catalogue_role(oracle: Server, schema: Schema) -> None:
    with oracle.connect() as connection:
        system = connection.cursor()
        system.execute("CREATE TABLE SYSTEM.HIDDEN_FROM_OTHERS (ID NUMBER)")
        try:
            cursor = schema.connection.cursor()
            with pytest.raises(oracledb.DatabaseError, match="ORA-31603"):
                ddl(cursor, "TABLE", "HIDDEN_FROM_OTHERS", "SYSTEM")
            system.execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
            assert "HIDDEN_FROM_OTHERS" in ddl(cursor, "TABLE", "HIDDEN_FROM_OTHERS", "SYSTEM")
        finally:
            system.execute("DROP TABLE SYSTEM.HIDDEN_FROM_OTHERS PURGE")


def test_statistics_of_a_schema(schema: Schema) -> None:
    cursor = fill(schema)
    cursor.execute("INSERT INTO COUNTRIES VALUES ('DE', 'Germany')")
    cursor.callproc("DBMS_STATS.GATHER_SCHEMA_STATS", [schema.name])
    schema.connection.rollback()
    assert cursor.execute("SELECT TABLE_NAME, NUM_ROWS FROM USER_TABLES ORDER BY 1").fetchall() == [
        ("COUNTRIES", 1),
        ("PEOPLE", 0),
        ("SALES", 0),
    ]
    cursor.callproc("DBMS_STATS.DELETE_TABLE_STATS", [None, "COUNTRIES"])
    assert cursor.execute("SELECT NUM_ROWS FROM USER_TABLES WHERE TABLE_NAME = 'COUNTRIES'").fetchone() == (
        None,
    )
    with pytest.raises(oracledb.DatabaseError, match="ORA-20000"):
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [schema.name, "NOT_THERE"])
    with pytest.raises(oracledb.DatabaseError, match="ORA-20000"):
        cursor.callproc("DBMS_STATS.GATHER_SCHEMA_STATS", ["SYSTEM"])
