"""FOR UPDATE, FETCH FIRST, AS OF, SAMPLE, ROWID and what else depends on where the rows come from."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_LIMIT = "SQL Language Reference, SELECT, row_limiting_clause"
_LOCK = "SQL Language Reference, SELECT, for_update_clause"
_FLASHBACK = "SQL Language Reference, SELECT, flashback_query_clause"
_SAMPLE = "SQL Language Reference, SELECT, sample_clause"
_ROWID = "SQL Language Reference, Data Types, ROWID; Error Messages"
_ERRORS = "Error Messages"
_NOW = "(SELECT CURRENT_SCN FROM V$DATABASE)"

RULINGS = [
    # FETCH FIRST
    Ruling("SELECT NAME FROM PERSON ORDER BY ID FETCH FIRST 1 ROWS ONLY", "", _LIMIT),
    Ruling("SELECT NAME FROM PERSON FETCH FIRST 50 PERCENT ROWS ONLY", "", _LIMIT),
    Ruling("SELECT NAME FROM PERSON FETCH FIRST 1 ROWS ONLY FOR UPDATE", "ORA-02014", _LIMIT),
    Ruling("SELECT P.ID, A.ID FROM PERSON P, ADDRESS A FETCH FIRST 1 ROWS ONLY", "ORA-00918", _LIMIT),
    Ruling("SELECT P.ID, A.ID AS AID FROM PERSON P, ADDRESS A FETCH FIRST 1 ROWS ONLY", "", _LIMIT),
    Ruling("SELECT NAME FROM PERSON FETCH FIRST 1 ROWS", "ORA-00905", _LIMIT),
    Ruling("SELECT NAME FROM PERSON OFFSET 1", "ORA-00905", _LIMIT),
    Ruling("SELECT NAME FROM PERSON FETCH 1 ROWS ONLY", "ORA-00933", _LIMIT),
    # FOR UPDATE
    Ruling("SELECT NAME FROM PERSON FOR UPDATE", "", _LOCK),
    Ruling("SELECT NAME FROM PERSON FOR UPDATE OF NAME NOWAIT", "", _LOCK),
    Ruling("SELECT DISTINCT NAME FROM PERSON FOR UPDATE", "ORA-01786", _LOCK),
    Ruling("SELECT NAME FROM PERSON GROUP BY NAME FOR UPDATE", "ORA-01786", _LOCK),
    Ruling("SELECT COUNT(*) FROM PERSON FOR UPDATE", "ORA-01786", _LOCK),
    Ruling("SELECT ID FROM (SELECT DISTINCT ID FROM PERSON) FOR UPDATE", "ORA-02014", _LOCK),
    Ruling("SELECT ID FROM PERSON WHERE ID IN (SELECT ID FROM ADDRESS FOR UPDATE)", "ORA-00907", _LOCK),
    Ruling("SELECT ID FROM PERSON ORDER BY ID FOR UPDATE", "", _LOCK),
    Ruling("SELECT ID FROM PERSON FOR UPDATE WAIT", "ORA-30005", _ERRORS),
    # AS OF
    Ruling("SELECT NAME FROM PERSON P AS OF SCN 1", "ORA-00933", _FLASHBACK),
    Ruling("SELECT NAME FROM PERSON AS OF SCN 1 FOR UPDATE", "ORA-08187", _FLASHBACK),
    Ruling(f"SELECT NAME FROM PERSON AS OF SCN {_NOW}", "ORA-08187", _FLASHBACK),
    Ruling("SELECT NAME FROM PERSON AS OF SCN ID", "ORA-08187", _FLASHBACK),
    Ruling("WITH Q AS (SELECT ID FROM PERSON) SELECT ID FROM Q AS OF SCN 1", "ORA-08187", _FLASHBACK),
    Ruling("SELECT NAME FROM PERSON AS OF NOSUCH 1", "ORA-00905", _FLASHBACK),
    Ruling(
        "SELECT NAME FROM PERSON AS OF TIMESTAMP SYSTIMESTAMP",
        "ORA-03001",
        "valid; the stand-in has AS OF SCN only",
    ),
    Ruling(
        "SELECT NAME FROM PERSON VERSIONS BETWEEN SCN 1 AND 2",
        "ORA-03001",
        "valid; the stand-in has no versions",
    ),
    # SAMPLE
    Ruling("SELECT NAME FROM PERSON SAMPLE (10)", "", _SAMPLE),
    Ruling("SELECT NAME FROM PERSON SAMPLE BLOCK (10) SEED (3)", "", _SAMPLE),
    Ruling("SELECT NAME FROM PERSON SAMPLE (99.9) P", "", _SAMPLE),
    Ruling("SELECT NAME FROM PERSON SAMPLE (100)", "ORA-30562", _SAMPLE),
    Ruling("SELECT NAME FROM PERSON SAMPLE (0)", "ORA-30562", _SAMPLE),
    Ruling("SELECT NAME FROM PERSON P SAMPLE (10)", "ORA-00933", _SAMPLE),
    Ruling("SELECT CITY FROM CITIES SAMPLE (10)", "ORA-01446", _SAMPLE),
    Ruling("DELETE FROM PERSON WHERE ID IN (SELECT ID FROM ADDRESS SAMPLE (10))", "ORA-30561", _SAMPLE),
    # ROWID
    Ruling("SELECT ROWID FROM PERSON", "", _ROWID),
    Ruling("SELECT P.ROWID FROM PERSON P, ADDRESS A", "", _ROWID),
    Ruling("SELECT ROWID FROM PERSON P, ADDRESS A", "ORA-00918", _ROWID),
    Ruling("SELECT ROWID FROM (SELECT ID FROM PERSON)", "", _ROWID),
    Ruling("SELECT V.ROWID, V.ID FROM (SELECT ID FROM PERSON P WHERE ID > 0) V", "", _ROWID),
    Ruling("SELECT ROWID FROM (SELECT DISTINCT CITY FROM ADDRESS)", "ORA-01446", _ROWID),
    Ruling("SELECT ROWID FROM (SELECT MAX(ID) FROM PERSON)", "ORA-01446", _ROWID),
    Ruling("SELECT ROWID FROM (SELECT P.ID FROM PERSON P, ADDRESS A)", "ORA-01445", _ROWID),
    Ruling("SELECT 1 AS ROWID FROM DUAL", "ORA-00923", "SQL Language Reference, Oracle SQL Reserved Words"),
    Ruling("SELECT ROWID FROM COUNTRY", "", _ROWID),
    Ruling("SELECT CHARTOROWID('x') FROM DUAL", "ORA-01410", _ROWID),
    Ruling("SELECT NAME FROM PERSON WHERE ROWID = 'x'", "ORA-01410", _ROWID),
    # Valid syntax that the stand-in does not have is named
    Ruling(
        "SELECT * FROM (SELECT ID, NAME FROM PERSON) PIVOT (COUNT(*) FOR NAME IN ('Ada'))",
        "ORA-03001",
        "valid in Oracle",
    ),
    Ruling("SELECT * FROM PERSON UNPIVOT (V FOR C IN (NAME, CODE))", "ORA-03001", "valid in Oracle"),
    Ruling(
        "SELECT ID FROM PERSON START WITH ID = 1 CONNECT BY PRIOR ID = PAY", "ORA-03001", "valid in Oracle"
    ),
    Ruling("SELECT CURSOR(SELECT 1 FROM DUAL) FROM DUAL", "ORA-03001", "valid in Oracle"),
    Ruling("SELECT ID FROM PERSON PARTITION FOR (1)", "ORA-03001", "valid in Oracle"),
    Ruling(
        "SELECT * FROM PERSON P CROSS APPLY (SELECT CITY FROM ADDRESS A WHERE A.ID = P.ID)",
        "ORA-03001",
        "valid in Oracle",
    ),
    Ruling("SELECT MULTISET(SELECT 1 FROM DUAL) FROM DUAL", "ORA-03001", "valid in Oracle"),
    Ruling("SELECT ID FROM PERSON WHERE ID MEMBER OF NUMBERS_TYPE(1)", "ORA-03001", "valid in Oracle"),
    Ruling("SELECT NAME COLLATE BINARY_CI FROM PERSON", "ORA-03001", "valid in Oracle"),
    Ruling(
        "SELECT ID FROM PERSON MODEL DIMENSION BY (ID) MEASURES (PAY) RULES ()",
        "ORA-03001",
        "valid in Oracle",
    ),
    Ruling("SELECT LAG(ID) IGNORE NULLS OVER (ORDER BY ID) FROM PERSON", "ORA-03001", "valid in Oracle"),
    Ruling("SELECT NAME FROM PERSON WHERE NAME LIKEC 'a%'", "", "SQL Language Reference, LIKE Condition"),
    Ruling("SELECT * FROM TABLE(NUMBERS_TYPE(1, 2))", "ORA-00904", "a type that is not there"),
    Ruling(
        "SELECT * FROM PERSON MATCH_RECOGNIZE (ORDER BY ID PATTERN (A) DEFINE A AS ID > 1)",
        "ORA-03001",
        "valid in Oracle",
    ),
    Ruling("SELECT BORN - BORN DAY TO SECOND FROM PERSON", "ORA-03001", "valid in Oracle"),
    Ruling(
        "SELECT NAME FROM PERSON FOR UPDATE OF NOTHING",
        "ORA-00904",
        "SQL Language Reference, SELECT, for_update_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P WHERE P.ID = 1 OR P.ID = 2 FOR UPDATE OF P.NOTHING",
        "ORA-00904",
        "SQL Language Reference, SELECT, for_update_clause",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
