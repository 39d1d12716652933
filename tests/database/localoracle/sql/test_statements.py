# ruff: noqa: E501 - statements read better on one line
"""DML and DDL on the demo schema and on small tables."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from localoracle.sql import translate


@pytest.fixture(scope="module", autouse=True)
def demo(db: Any) -> None:
    for schema in ("APP", "DOCS"):
        db.connection.execute(
            f'DROP SCHEMA IF EXISTS "{schema}" CASCADE; CREATE SCHEMA "{schema}" AUTHORIZATION "{schema}"'
        )
    text = resources.files("localoracle.demo").joinpath("schema.sql").read_text()
    for statement in text.split("\n/"):
        lines = [line for line in statement.splitlines() if not line.startswith("--")]
        sql = "\n".join(lines).strip()
        if sql and not sql.startswith(("GRANT", "CREATE TRIGGER")):
            db.run(sql)
    db.script(
        """
INSERT INTO APP.COUNTRIES VALUES ('DE', 'Germany');
INSERT INTO APP.CUSTOMERS (CUSTOMER_ID, FIRST_NAME, LAST_NAME, COUNTRY_CODE) SELECT LEVEL, 'F' || LEVEL, 'L' || MOD(LEVEL, 7), 'DE' FROM DUAL CONNECT BY LEVEL <= 50;
INSERT INTO APP.ORDERS SELECT LEVEL, DATE '2023-06-01' + LEVEL * 10, LEVEL, LEVEL, 'NEW', NULL FROM DUAL CONNECT BY LEVEL <= 50
"""
    )


def dictionary(db: Any, query: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = db.run(query)
    return rows


def test_demo_schema_in_the_dictionary(db: Any) -> None:
    columns = dict(
        dictionary(
            db,
            "SELECT COLUMN_NAME, DATA_TYPE FROM DBA_TAB_COLUMNS WHERE OWNER = 'APP' AND TABLE_NAME = 'PAYMENTS'",
        )
    )
    assert columns["REFERENCE_ID"] == "RAW"
    assert columns["AMOUNT"] == "NUMBER"
    assert columns["PAID_AT"] == "TIMESTAMP(6)"
    checks = dictionary(
        db, "SELECT SEARCH_CONDITION_VC FROM DBA_CONSTRAINTS WHERE CONSTRAINT_NAME = 'CUSTOMERS_STATUS_CK'"
    )
    assert checks == [("STATUS IN ('A', 'C', 'S')",)]
    parts = dictionary(
        db,
        "SELECT PARTITION_NAME FROM DBA_TAB_PARTITIONS WHERE TABLE_NAME = 'ORDERS' ORDER BY PARTITION_POSITION",
    )
    assert [name for (name,) in parts] == ["ORDERS_2023", "ORDERS_2024", "ORDERS_2025", "ORDERS_MAX"]
    assert dictionary(db, "SELECT SECUREFILE FROM DBA_LOBS WHERE OWNER = 'DOCS'") == [("NO",), ("NO",)]


def test_index_on_upper_is_used(db: Any) -> None:
    statement = translate("SELECT CUSTOMER_ID FROM APP.CUSTOMERS WHERE UPPER(LAST_NAME) = 'L1'", ())
    with db.connection.transaction():
        db.connection.execute("SET LOCAL enable_seqscan = off")
        plan = " ".join(row[0] for row in db.connection.execute("EXPLAIN " + statement.sql[0]).fetchall())
    assert "CUSTOMERS_NAME_IX" in plan


def test_merge_by_rowid_and_correlated_update(db: Any) -> None:
    db.run(
        "MERGE INTO APP.CUSTOMERS t USING (SELECT ROWID rid, UPPER(FIRST_NAME) n FROM APP.CUSTOMERS WHERE CUSTOMER_ID <= 5) s"
        " ON (t.ROWID = s.rid) WHEN MATCHED THEN UPDATE SET t.CITY = s.n || '!', t.STREET = '' WHERE t.CUSTOMER_ID < 5"
    )
    assert db.rowcount == 4
    assert db.run("SELECT CITY, STREET FROM APP.CUSTOMERS WHERE CUSTOMER_ID = 4") == [("F4!", None)]
    db.run(
        "MERGE INTO APP.COUNTRIES c USING (SELECT 'FR' k, 'France' n FROM DUAL UNION ALL SELECT 'DE', 'Deutschland' FROM DUAL) s ON (c.COUNTRY_CODE = s.k)"
        " WHEN NOT MATCHED THEN INSERT (COUNTRY_CODE, NAME) VALUES (s.k, s.n) WHEN MATCHED THEN UPDATE SET c.NAME = s.n"
    )
    assert db.run("SELECT NAME FROM APP.COUNTRIES ORDER BY 1") == [("Deutschland",), ("France",)]
    db.run(
        "UPDATE APP.CUSTOMERS C SET (CITY, PHONE) = (SELECT STATUS, AMOUNT FROM APP.ORDERS O WHERE O.CUSTOMER_ID = C.CUSTOMER_ID) WHERE C.CUSTOMER_ID = 9"
    )
    assert db.run("SELECT CITY, PHONE FROM APP.CUSTOMERS WHERE CUSTOMER_ID = 9") == [("NEW", "9")]


def test_returning(db: Any) -> None:
    rows = db.run(
        "INSERT INTO DOCS.DOCUMENTS (DOCUMENT_ID, PATH, MEDIA_TYPE, BODY, STORED_AT) VALUES (:1, '/a', 'x', EMPTY_BLOB(), SYSTIMESTAMP)"
        " RETURNING BODY, DOCUMENT_ID * 2 INTO :2, :3",
        7,
        None,
        None,
    )
    assert db.statement.return_binds == (1, 2)
    assert db.statement.lob_columns == ("BODY", None)
    assert rows[0][1] == 14
    assert len(rows[0]) == 2 + db.statement.hidden_columns
    db.run("DELETE FROM DOCS.DOCUMENTS WHERE DOCUMENT_ID = 7 RETURNING PATH INTO :p", None)
    assert db.run("SELECT COUNT(*) FROM DOCS.DOCUMENTS") == [(0,)]


def test_delete_a_few_rows(db: Any) -> None:
    db.run("DELETE FROM APP.ORDERS WHERE ORDER_ID > 40 AND ROWNUM <= 3")
    assert db.rowcount == 3


def test_constraint_states(db: Any) -> None:
    db.run("ALTER TABLE APP.ORDERS DISABLE CONSTRAINT ORDERS_CUSTOMER_FK")
    db.run("INSERT INTO APP.ORDERS VALUES (999, DATE '2024-05-05', 12345, 1, 'x', NULL)")
    with pytest.raises(Exception, match="ORA-02298"):
        db.run("ALTER TABLE APP.ORDERS ENABLE CONSTRAINT ORDERS_CUSTOMER_FK")
    db.run("DELETE FROM APP.ORDERS WHERE ORDER_ID = 999")
    db.run("ALTER TABLE APP.ORDERS MODIFY CONSTRAINT ORDERS_CUSTOMER_FK ENABLE VALIDATE")
    with pytest.raises(Exception, match="ORA-02449"):
        db.run("DROP TABLE APP.CUSTOMERS")
    with pytest.raises(Exception, match="ORA-02266"):
        db.run("TRUNCATE TABLE APP.CUSTOMERS")


def test_table_as_dbms_metadata_writes_it(db: Any) -> None:
    db.run(
        """CREATE TABLE "TEST"."IMP" ("ID" NUMBER(12,0), "T" VARCHAR2(20 BYTE) DEFAULT 'a', "F" FLOAT(126), "L" CLOB, "N" NVARCHAR2(10),
        CONSTRAINT "IMP_PK" PRIMARY KEY ("ID") USING INDEX (CREATE UNIQUE INDEX "TEST"."IMP_PK" ON "TEST"."IMP" ("ID")
          PCTFREE 10 INITRANS 2 MAXTRANS 255 TABLESPACE "USERS") ENABLE)
        SEGMENT CREATION IMMEDIATE PCTFREE 10 PCTUSED 40 INITRANS 1 MAXTRANS 255 NOCOMPRESS LOGGING
        STORAGE(INITIAL 65536 NEXT 1048576 MINEXTENTS 1 MAXEXTENTS 2147483645 PCTINCREASE 0 FREELISTS 1 FREELIST GROUPS 1
          BUFFER_POOL DEFAULT FLASH_CACHE DEFAULT CELL_FLASH_CACHE DEFAULT) TABLESPACE "USERS"
        LOB ("L") STORE AS SECUREFILE (TABLESPACE "USERS" ENABLE STORAGE IN ROW 4000 CHUNK 8192 NOCACHE LOGGING NOCOMPRESS KEEP_DUPLICATES
          STORAGE(INITIAL 106496 NEXT 1048576))"""
    )
    db.run("INSERT INTO IMP (ID, T) VALUES (1, 'é')")
    with pytest.raises(Exception, match=r"localoracle\$T"):
        db.run("INSERT INTO IMP (ID, T) VALUES (2, RPAD('é', 20, 'é'))")
    assert db.run("SELECT T || N FROM IMP") == [("é",)]


def test_alter_table(db: Any) -> None:
    db.script(
        """
CREATE TABLE ALT (A NUMBER, B VARCHAR2(5));
INSERT INTO ALT VALUES (1, 'x');
ALTER TABLE ALT ADD (C DATE DEFAULT DATE '2020-01-01' NOT NULL, D NUMBER CONSTRAINT ALT_D CHECK (D > 0));
ALTER TABLE ALT MODIFY (B VARCHAR2(10) NOT NULL, C NULL);
ALTER TABLE ALT ADD CONSTRAINT ALT_PK PRIMARY KEY (A);
CREATE OR REPLACE VIEW ALT_V AS SELECT A, LENGTH(B) L FROM ALT;
ALTER TABLE ALT MODIFY B VARCHAR2(30);
ALTER TABLE ALT RENAME COLUMN D TO E
"""
    )
    assert db.run("SELECT * FROM ALT_V") == [(1, 1)]
    with pytest.raises(Exception, match="ORA-01451"):
        db.run("ALTER TABLE ALT MODIFY C NULL")
    with pytest.raises(Exception, match="ORA-02443"):
        db.run("ALTER TABLE ALT DROP CONSTRAINT NOT_THERE")
    db.run("ALTER TABLE ALT DROP PRIMARY KEY CASCADE")
    assert db.run("SELECT NULLABLE FROM DBA_TAB_COLUMNS WHERE TABLE_NAME = 'ALT' ORDER BY COLUMN_ID") == [
        ("Y",),
        ("N",),
        ("Y",),
        ("Y",),
    ]


def test_views_follow_the_name(db: Any) -> None:
    db.script(
        """
CREATE TABLE SWAP (A NUMBER);
CREATE TABLE SWAP_NEW AS SELECT 5 A FROM DUAL;
CREATE VIEW SWAP_V AS SELECT A * 2 D FROM SWAP;
ALTER TABLE SWAP RENAME TO SWAP_OLD;
ALTER TABLE SWAP_NEW RENAME TO SWAP
"""
    )
    assert db.run("SELECT D FROM SWAP_V") == [(10,)]
    db.script("DROP TABLE SWAP PURGE;\nCREATE TABLE SWAP AS SELECT 7 A FROM DUAL")
    assert db.run("SELECT D FROM SWAP_V") == [(14,)]


def test_keys_take_an_index_that_is_there(db: Any) -> None:
    db.script(
        """
CREATE TABLE KEYED (A NUMBER, B NUMBER);
CREATE UNIQUE INDEX KEYED_UX ON KEYED (A) PARALLEL 2 NOLOGGING TABLESPACE USERS COMPUTE STATISTICS;
ALTER INDEX KEYED_UX NOPARALLEL;
ALTER TABLE KEYED ADD CONSTRAINT KEYED_UX PRIMARY KEY (A) USING INDEX KEYED_UX ENABLE NOVALIDATE
"""
    )
    assert db.run("SELECT COUNT(*) FROM DBA_INDEXES WHERE TABLE_NAME = 'KEYED'") == [(1,)]


def test_partition_maintenance(db: Any) -> None:
    db.run(
        "CREATE TABLE PT (K DATE, V NUMBER) PARTITION BY RANGE (K) (PARTITION A VALUES LESS THAN (DATE '2020-01-01'))"
    )
    db.run("ALTER TABLE PT ADD PARTITION B VALUES LESS THAN (TO_DATE('2021-01-01', 'YYYY-MM-DD'))")
    db.run(
        "INSERT INTO PT SELECT ADD_MONTHS(DATE '2019-06-01', LEVEL), LEVEL FROM DUAL CONNECT BY LEVEL <= 12"
    )
    assert db.run("SELECT COUNT(*) FROM PT PARTITION (B)") == [(6,)]
    db.run("ALTER TABLE PT TRUNCATE PARTITION B")
    db.run("ALTER TABLE PT DROP PARTITION A")
    assert db.run("SELECT COUNT(*) FROM PT") == [(0,)]
    db.run("CREATE TABLE PH (K NUMBER) PARTITION BY HASH (K) PARTITIONS 4")
    db.run(
        "CREATE TABLE PL (K VARCHAR2(2)) PARTITION BY LIST (K) (PARTITION A VALUES ('a', 'b'), PARTITION Z VALUES (DEFAULT))"
    )
    db.run("INSERT INTO PL VALUES ('q')")
    assert db.run("SELECT COUNT(*) FROM PL PARTITION (Z)") == [(1,)]


def test_sequences_synonyms_identity(db: Any) -> None:
    db.script(
        """
CREATE SEQUENCE SEQ START WITH 10 INCREMENT BY 5 MAXVALUE 9999999999999999999999999999 NOCACHE ORDER;
CREATE TABLE IDENT (ID NUMBER GENERATED BY DEFAULT AS IDENTITY (START WITH 5), V VARCHAR2(5) CHECK (V IN ('a', 'b')), G NUMBER GENERATED ALWAYS AS (LENGTH(V)) VIRTUAL);
INSERT INTO IDENT (V) VALUES ('a');
CREATE SYNONYM SYN FOR TEST.IDENT
"""
    )
    assert db.run("SELECT SEQ.NEXTVAL FROM DUAL") + db.run("SELECT SEQ.NEXTVAL FROM DUAL") == [(10,), (15,)]
    assert db.run("SELECT ID / 2, G, TRUNC(ID), ID || '' FROM SYN") == [(2.5, 1, 5, "5")]
    with pytest.raises(Exception, match="check"):
        db.run("INSERT INTO IDENT (V) VALUES ('c')")
    db.run("DROP SYNONYM SYN")
    with pytest.raises(Exception, match="ORA-01434"):
        db.run("DROP SYNONYM SYN")


def test_public_synonym_over_the_wire(oracle: Any) -> None:
    with oracle.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE SYN_BASE AS SELECT 3 N FROM DUAL")
        cursor.execute("CREATE PUBLIC SYNONYM SYN_PUBLIC FOR SYN_BASE")
        try:
            cursor.execute("ALTER SESSION SET CURRENT_SCHEMA = SYS")
            assert cursor.execute("SELECT N FROM SYN_PUBLIC").fetchall() == [(3,)]
        finally:
            cursor.execute("DROP PUBLIC SYNONYM SYN_PUBLIC")
            cursor.execute("DROP TABLE SYSTEM.SYN_BASE")
