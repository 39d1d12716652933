# ruff: noqa: E501 - statements read better on one line
"""INSERT, UPDATE, DELETE and MERGE: their form and the values that columns take."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

RULINGS = [
    Ruling("INSERT INTO PERSON (ID) VALUES (ID)", "ORA-00984", "Error Messages, ORA-00984"),
    Ruling("INSERT INTO PERSON (ID) VALUES (701 + PAY)", "ORA-00984", "Error Messages, ORA-00984"),
    Ruling("INSERT INTO PERSON (ID) VALUES (NOSUCH(1))", "ORA-00904", "Error Messages, ORA-00904"),
    Ruling(
        "MERGE INTO ADDRESS P USING PERSON A ON (P.ID = A.ID + 900) WHEN NOT MATCHED THEN INSERT VALUES (1)",
        "ORA-00947",
        "SQL Language Reference, MERGE; Error Messages, ORA-00947",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, BORN) VALUES (100, '2020-01-01')",
        "ORA-01861",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, BORN) VALUES (100, 5)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, BORN) VALUES (100, '01-JAN-20')",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PAY) VALUES (100, 'x')",
        "ORA-01722",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PAY) VALUES (100, '5.5')",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PAY) VALUES (100, SYSDATE)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PAY) VALUES (100, 1e9)",
        "ORA-01438",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PIN) VALUES (100, 'XY')",
        "ORA-01465",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PIN) VALUES (100, 5)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PIN) VALUES (100, 'AABB')",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NAME) VALUES (100, SYSDATE)",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NAME) VALUES (100, 5)", "", "SQL Language Reference, INSERT; Data Conversion"
    ),
    Ruling("UPDATE PERSON SET BORN = 5", "ORA-00932", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("UPDATE PERSON SET PAY = BORN", "ORA-00932", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("UPDATE PERSON SET PAY = NULL", "", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (1)", "ORA-00001", "SQL Language Reference, INSERT; Data Conversion"
    ),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (NULL)",
        "ORA-01400",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (1), (2)",
        "ORA-00933",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (DEFAULT)",
        "ORA-01400",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling("INSERT PERSON VALUES (1)", "ORA-00925", "SQL Language Reference, INSERT; Data Conversion"),
    Ruling(
        "INSERT INTO PERSON (NOSUCH) VALUES (1)",
        "ORA-00904",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (PERSON.ID) VALUES (300)", "", "SQL Language Reference, INSERT; Data Conversion"
    ),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES ((SELECT MAX(ID) + 500 FROM PERSON))",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID) (SELECT 501 FROM DUAL)",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling("INSERT INTO PERSON P (ID) VALUES (502)", "", "SQL Language Reference, INSERT; Data Conversion"),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (504) ON CONFLICT DO NOTHING",
        "ORA-00933",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID) VALUES (505) RETURNING ID",
        "ORA-00925",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON P SET P.NAME = 'x' WHERE P.ID = 1",
        "",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON AS P SET NAME = 'x'", "ORA-00971", "SQL Language Reference, UPDATE; Data Conversion"
    ),
    Ruling(
        "UPDATE PERSON SET (NAME) = ('x')", "ORA-01767", "SQL Language Reference, UPDATE; Data Conversion"
    ),
    Ruling(
        "UPDATE PERSON SET (NAME, CODE) = ('x', 'y')",
        "ORA-01767",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON SET (NAME, CODE) = (SELECT 'x', 'y' FROM DUAL WHERE 1 = 0)",
        "",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON SET NAME = (SELECT CITY FROM ADDRESS)",
        "ORA-01427",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON SET NAME = (SELECT CITY, ID FROM ADDRESS WHERE ID = 1)",
        "ORA-00913",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling("UPDATE PERSON SET NAME = DEFAULT", "", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("UPDATE PERSON SET ID = DEFAULT", "ORA-01407", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("UPDATE PERSON SET NAME 'x'", "ORA-00927", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("UPDATE PERSON WHERE ID = 1", "ORA-00971", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling("DELETE PERSON WHERE ID = 999", "", "SQL Language Reference, DELETE"),
    Ruling("DELETE FROM PERSON P WHERE P.ID = 999", "", "SQL Language Reference, DELETE"),
    Ruling("DELETE FROM PERSON AS P WHERE P.ID = 999", "ORA-00933", "SQL Language Reference, DELETE"),
    Ruling(
        "DELETE FROM PERSON USING ADDRESS WHERE PERSON.ID = 999",
        "ORA-00933",
        "SQL Language Reference, DELETE",
    ),
    Ruling("DELETE P FROM PERSON P", "ORA-00933", "SQL Language Reference, DELETE"),
    Ruling("DELETE FROM PERSON ORDER BY ID", "ORA-00933", "SQL Language Reference, DELETE"),
    Ruling("DELETE FROM PERSON WHERE ROWNUM <= 0", "", "SQL Language Reference, DELETE"),
    Ruling("TRUNCATE TABLE CITIES", "ORA-01702", "SQL Language Reference, DELETE"),
    Ruling("DELETE FROM CITIES", "ORA-01732", "SQL Language Reference, DELETE"),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.PERSON_ID) WHEN MATCHED THEN UPDATE SET P.NAME = A.CITY",
        "ORA-30926",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.ID) WHEN MATCHED THEN DELETE",
        "ORA-00905",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.ID) WHEN MATCHED THEN UPDATE SET A.CITY = 'x'",
        "ORA-00904",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.ID) WHEN NOT MATCHED THEN INSERT VALUES (1)",
        "ORA-00947",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.ID) WHEN MATCHED THEN UPDATE SET P.PAY = 1 WHEN MATCHED THEN UPDATE SET P.PAY = 2",
        "ORA-00",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING ADDRESS A ON (P.ID = A.ID) WHEN NOT MATCHED THEN INSERT (ID) VALUES (A.ID + 600) WHERE A.ID > 0",
        "",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO CITIES C USING DUAL ON (1 = 1) WHEN MATCHED THEN UPDATE SET CITY = 'x'",
        "ORA-01732",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "MERGE INTO PERSON P USING (SELECT 1 ID FROM DUAL) S ON (P.ID = S.ID) WHEN MATCHED THEN UPDATE SET P.ID = 3",
        "ORA-38104",
        "SQL Language Reference, MERGE",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, SEEN) VALUES (100, '2020-01-01 00:00:00')",
        "ORA-01",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "UPDATE PERSON SET BORN = '2020-01-01'",
        "ORA-01861",
        "SQL Language Reference, UPDATE; Data Conversion",
    ),
    Ruling(
        "MERGE INTO ADDRESS P USING PERSON A ON (P.ID = A.ID + 900) WHEN NOT MATCHED THEN INSERT VALUES (1)",
        "ORA-00947",
        "SQL Language Reference, MERGE",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
