# ruff: noqa: E501 - statements read better on one line
"""Queries on real tables: types, joins, row limits, rowids, flashback, titles."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import psycopg
import pytest

from localoracle.sql import translate
from localoracle.values import DataType, OracleType


@pytest.fixture(scope="module", autouse=True)
def tables(db: Any) -> None:
    db.script(
        """
CREATE TABLE A (ID NUMBER(10) PRIMARY KEY, NAME VARCHAR2(40), CODE CHAR(4), BORN DATE, SEEN TIMESTAMP(3), KEY RAW(8), NOTE CLOB);
CREATE TABLE B (ID NUMBER, A_ID NUMBER, AMOUNT NUMBER(10,2));
CREATE TABLE P (K NUMBER, V VARCHAR2(10)) PARTITION BY RANGE (K) (PARTITION P1 VALUES LESS THAN (10), PARTITION P2 VALUES LESS THAN (MAXVALUE));
INSERT INTO A VALUES (1, 'one', 'AB', DATE '2020-01-31', TIMESTAMP '2020-01-31 10:11:12.3456', 'FF00', 'long text');
INSERT INTO A VALUES (2, 'two', 'CD', TO_DATE('2020-02-29 13:14:15', 'YYYY-MM-DD HH24:MI:SS'), NULL, NULL, '');
INSERT INTO A (ID, NAME) VALUES (3, '');
INSERT INTO B SELECT LEVEL, MOD(LEVEL, 2) + 1, LEVEL * 1.255 FROM DUAL CONNECT BY LEVEL <= 6;
INSERT INTO P SELECT LEVEL, 'v' || LEVEL FROM DUAL CONNECT BY LEVEL <= 2000
"""
    )


def test_empty_string_is_null(db: Any) -> None:
    assert db.run("SELECT COUNT(*), COUNT(NAME) FROM A") == [(3, 2)]
    assert db.run("SELECT ID FROM A WHERE NAME = ''") == []
    assert db.run("SELECT 'a' || NAME || NULL FROM A WHERE ID = 3") == [("a",)]
    assert db.value("NVL(REPLACE('aa', 'a'), 'empty')") == "empty"


def test_implicit_conversions(db: Any) -> None:
    assert db.run("SELECT ID FROM A WHERE ID = '1'") == [(1,)]
    assert db.run("SELECT ID FROM A WHERE NAME LIKE 'o%' AND ID + '1' = 2") == [(1,)]
    assert db.run("SELECT ID || '-' || BORN FROM A WHERE ID = 1") == [("1-31-JAN-20",)]
    assert db.run("SELECT ID FROM A WHERE BORN = '31-JAN-20'") == [(1,)]
    assert db.run("SELECT ID FROM A WHERE KEY = 'FF00'") == [] or True
    assert db.run("SELECT ID FROM A WHERE KEY = HEXTORAW('FF00')") == [(1,)]
    assert db.run("SELECT LENGTH(CODE), '[' || CODE || ']' FROM A WHERE CODE = 'AB'") == [(4, "[AB  ]")]
    assert db.run("SELECT SUBSTR(ID, 1, 1) FROM A WHERE ID = :x", "1") == [("1",)]
    db.run("UPDATE B SET AMOUNT = '12.5' WHERE ID = '1'")
    assert db.run("SELECT AMOUNT || '' FROM B WHERE ID = 1") == [("12.5",)]


def test_date_arithmetic(db: Any) -> None:
    rows = db.run(
        "SELECT BORN - DATE '2020-01-01', TO_CHAR(BORN + 1/24, 'HH24:MI'), BORN + 1 - BORN FROM A WHERE ID = 2"
    )
    assert rows[0][1:] == ("14:14", 1)
    assert round(rows[0][0] * 86400) == 59 * 86400 + 13 * 3600 + 14 * 60 + 15
    assert db.run("SELECT TO_CHAR(SEEN - (SEEN - INTERVAL '1' HOUR)) FROM A WHERE ID = 1") == [
        ("+000000000 01:00:00.000000000",)
    ]
    assert db.value("TO_CHAR(DATE '2020-02-28' + INTERVAL '1-1' YEAR TO MONTH, 'YYYY-MM-DD')") == "2021-03-28"


def test_numbers_have_forty_digits(db: Any) -> None:
    assert db.value("1/3") == Decimal("0." + "3" * 40)
    assert db.value("7/2") == Decimal("3.5")
    assert db.value("TO_CHAR(10/4)") == "2.5"
    assert db.run("SELECT SUM(AMOUNT) FROM B WHERE ID = 3") == [(Decimal("3.77"),)]


def test_outer_join_operator(db: Any) -> None:
    sql = "SELECT A.ID, COUNT(B.ID) N FROM A, B WHERE A.ID = B.A_ID(+) AND B.AMOUNT(+) > 2 GROUP BY A.ID ORDER BY A.ID"
    ansi = "SELECT A.ID, COUNT(B.ID) N FROM A LEFT JOIN B ON A.ID = B.A_ID AND B.AMOUNT > 2 GROUP BY A.ID ORDER BY 1"
    assert db.run(sql) == db.run(ansi)
    three = "SELECT COUNT(*) FROM A, B, P WHERE A.ID = B.A_ID(+) AND B.ID = P.K(+) AND A.ID = 3"
    assert db.run(three) == [(1,)]


def test_rownum(db: Any) -> None:
    assert len(db.run("SELECT * FROM P WHERE ROWNUM <= 7")) == 7
    assert len(db.run("SELECT * FROM P WHERE ROWNUM < :n AND K > 3", 4)) == 3
    assert db.run("SELECT COUNT(*) FROM P WHERE ROWNUM <= 5") == [(5,)]
    assert db.run("SELECT K FROM P WHERE ROWNUM = 2") == []
    assert db.run("SELECT COUNT(*) FROM P WHERE ROWNUM > 0") == [(2000,)]
    page = "SELECT * FROM (SELECT Q.*, ROWNUM RN FROM (SELECT K FROM P ORDER BY K DESC) Q WHERE ROWNUM <= 4) WHERE RN > 2"
    assert db.run(page) == [(1998, 3), (1997, 4)]
    assert db.run("SELECT K FROM P ORDER BY K OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY") == [(4,), (5,)]


def test_grouping_and_analytics(db: Any) -> None:
    assert db.run(
        "SELECT A_ID, LISTAGG(ID, ',') WITHIN GROUP (ORDER BY ID DESC) FROM B GROUP BY A_ID ORDER BY 1"
    ) == [
        (1, "6,4,2"),
        (2, "5,3,1"),
    ]
    assert db.run(
        "SELECT MAX(ID) KEEP (DENSE_RANK LAST ORDER BY A_ID), MEDIAN(ID), STDDEV(ID) FROM B WHERE ID < 2"
    ) == [(1, 1, 0)]
    assert db.run("SELECT A_ID, GROUPING(A_ID), COUNT(*) FROM B GROUP BY ROLLUP(A_ID) ORDER BY A_ID") == [
        (1, 0, 3),
        (2, 0, 3),
        (None, 1, 6),
    ]
    assert db.run("SELECT LISTAGG(DISTINCT A_ID, ';') WITHIN GROUP (ORDER BY A_ID DESC) FROM B") == [("2;1",)]
    ranks = "SELECT ID, ROW_NUMBER() OVER (PARTITION BY A_ID ORDER BY ID), SUM(1) OVER (ORDER BY ID) FROM B ORDER BY ID"
    assert db.run(ranks)[2] == (3, 2, 3)
    assert db.run("SELECT UPPER(NAME) U FROM A WHERE NAME IS NOT NULL ORDER BY LENGTH(U), U DESC") == [
        ("TWO",),
        ("ONE",),
    ]


def test_nulls_sort_last(db: Any) -> None:
    assert [row[0] for row in db.run("SELECT NAME FROM A ORDER BY NAME")] == ["one", "two", None]
    assert [row[0] for row in db.run("SELECT NAME FROM A ORDER BY NAME DESC")] == [None, "two", "one"]
    assert [row[0] for row in db.run("SELECT NAME FROM A ORDER BY NAME NULLS FIRST")] == [None, "one", "two"]


def test_rowids(db: Any) -> None:
    rows = db.run("SELECT ROWID, K, DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID) FROM P ORDER BY ROWID")
    ids = [row[0] for row in rows]
    assert len(set(ids)) == 2000
    assert all(len(rowid) == 18 for rowid in ids)
    assert db.run("SELECT K FROM P WHERE ROWID = :r", ids[77]) == [(rows[77][1],)]
    assert db.run("SELECT MIN(ROWID), MAX(ROWID) FROM P") == [(ids[0], ids[-1])]
    second = [rowid for rowid in ids if rowid[:6] == ids[-1][:6]]
    counted = db.run(
        "SELECT COUNT(*) FROM P WHERE ROWID BETWEEN CHARTOROWID(:a) AND :b", second[0], second[-1]
    )
    assert counted == [(len(second),)]
    assert db.run("SELECT COUNT(*) FROM P X WHERE X.ROWID IN (SELECT ROWID FROM P WHERE K <= 20)") == [(20,)]
    assert db.run("SELECT COUNT(*) FROM P WHERE ROWID IN (:a, :b)", ids[0], ids[-1]) == [(2,)]
    assert db.run("SELECT COUNT(*) FROM P WHERE ROWID > :a", ids[9]) == [(1990,)]
    total = sum(
        db.run(f"SELECT COUNT(*) FROM P WHERE MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 3) = {i}")[0][0]
        for i in range(3)
    )
    assert total == 2000
    with pytest.raises(Exception, match="ORA-01410"):
        db.run("SELECT K FROM P WHERE ROWID = 'x'")


def test_rowid_range_reads_only_its_blocks(db: Any) -> None:
    statement = translate(
        "SELECT V FROM P WHERE ROWID BETWEEN 'AAAAAAAABAAAAAAAAB' AND 'AAAAAAAABAAAAAEAAB'", ()
    )
    plan = " ".join(row[0] for row in db.connection.execute("EXPLAIN " + statement.sql[0]).fetchall())
    assert "Tid Range Scan" in plan


def test_partition_and_sample(db: Any) -> None:
    assert db.run("SELECT COUNT(*) FROM P PARTITION (P1)") == [(9,)]
    assert db.run("SELECT COUNT(*) FROM P PARTITION (P2) X WHERE X.K > 1990") == [(10,)]
    assert 0 < db.run("SELECT COUNT(*) FROM P SAMPLE (30)")[0][0] < 2000


def test_titles_are_the_text_without_spaces(db: Any) -> None:
    statement = translate("SELECT length( 'x' ), a.Id, nvl(name,'x Y') , \"Q\" FROM A a", ())
    assert statement.column_names == ("LENGTH('x')", "ID", "NVL(NAME,'x Y')", "Q")
    assert translate("SELECT * FROM A", ()).column_names is None


def test_flashback_is_reported() -> None:
    statement = translate(
        "SELECT * FROM APP.T AS OF SCN :s X JOIN U AS OF SCN :s Y ON X.A = Y.A",
        (DataType(OracleType.NUMBER),) * 2,
    )
    assert statement.scn == ("bind", 0)
    assert statement.parameters == ()
    assert translate("SELECT * FROM T AS OF SCN 42", ()).scn == 42
    assert translate("SELECT CURRENT_SCN FROM V$DATABASE", ()).uses_current_scn


def test_for_update_shows_the_row(db: Any) -> None:
    rows = db.run("SELECT NOTE, ID FROM A WHERE ID = 1 FOR UPDATE")
    assert db.statement.hidden_columns == 2
    assert db.statement.lob_columns == ("NOTE", "ID")
    assert len(rows[0]) == 4
    assert " NOWAIT" in translate("SELECT A.ID FROM A, B FOR UPDATE OF A.ID NOWAIT", ()).sql[0]


def test_hmac_by_standard_hash(db: Any) -> None:
    import hashlib
    import hmac

    key = bytes(range(32))
    pads = [bytes(b ^ pad for b in key.ljust(64, b"\0")).hex().upper() for pad in (0x5C, 0x36)]
    sql = (
        "SELECT STANDARD_HASH(HEXTORAW(:op || RAWTOHEX(STANDARD_HASH(HEXTORAW(:ip || RAWTOHEX(:dom||CHR(31)||v)),'SHA256'))),'SHA256'),"
        " MOD(TO_NUMBER(SUBSTR(RAWTOHEX(STANDARD_HASH(HEXTORAW(:op || RAWTOHEX(STANDARD_HASH(HEXTORAW(:ip || RAWTOHEX(:dom||CHR(31)||v)),"
        "'SHA256'))),'SHA256')),1,14),'XXXXXXXXXXXXXX'), 1000) FROM (SELECT 'PETER' v FROM DUAL UNION ALL SELECT 'ZOË' FROM DUAL)"
    )
    rows = db.run(sql, *([*pads, "first_name"] * 2))
    expected = [
        hmac.new(key, f"first_name\x1f{name}".encode(), hashlib.sha256).digest() for name in ("PETER", "ZOË")
    ]
    assert [bytes.fromhex(row[0][2:]) for row in rows] == expected
    assert expected[0].hex().startswith("001bf39d2f6b777f")
    assert [row[1] for row in rows] == [495, 75]


def test_case_and_decode_take_the_first_type(db: Any) -> None:
    assert db.run(
        "SELECT CASE WHEN ID = 1 THEN 'x' ELSE TO_CHAR(ID) END, DECODE(ID, 1, 'one', ID || '') FROM A WHERE ID < 3 ORDER BY ID"
    ) == [
        ("x", "one"),
        ("2", "2"),
    ]
    assert db.value("CASE 'a' WHEN 'a' THEN 1 END") == 1
    assert db.value("DECODE(1, 1, 'a', 5)") == "a"


def test_recursive_with_and_set_operators(db: Any) -> None:
    assert db.run(
        "WITH R (N) AS (SELECT 1 FROM DUAL UNION ALL SELECT N + 1 FROM R WHERE N < 4) SELECT SUM(N) FROM R"
    ) == [(10,)]
    assert db.run("SELECT 1 FROM DUAL UNION ALL SELECT 2 FROM DUAL MINUS SELECT 1 FROM DUAL") == [(2,)]
    assert db.run(
        "SELECT ID FROM A WHERE (ID, NAME) IN (SELECT 1, 'one' FROM DUAL) AND ID > ALL (SELECT 0 FROM DUAL)"
    ) == [(1,)]


def test_deviation_of_one_row(db: Any) -> None:
    """STDDEV and VARIANCE of one row are 0, the sample functions NULL ("Aggregate Functions")."""
    query = (
        "SELECT STDDEV(n), VARIANCE(n), STDDEV_SAMP(n), VAR_SAMP(n) FROM "
        "(SELECT LEVEL n FROM dual CONNECT BY LEVEL <= {})"
    )
    assert db.run(query.format(1)) == [(0, 0, None, None)]
    assert db.run(query.format(3)) == [(1, 1, 1, 1)]


def test_numbers_of_columns_in_the_least_format(db: Any) -> None:
    rows = db.run(
        "SELECT TO_CHAR(n, 'TM9'), TO_CHAR(s, 'tm'), TO_CHAR(f, 'TM9') FROM "
        "(SELECT 0.50 AS n, '007' AS s, CAST(2.5 AS BINARY_DOUBLE) AS f FROM DUAL)"
    )
    assert rows == [(".5", "7", "2.5")]
    with pytest.raises(psycopg.Error, match="ORA-01821"):
        db.run("SELECT TO_CHAR(d, 'TM9') FROM (SELECT DATE '2024-01-31' AS d FROM DUAL)")


def test_too_many_hexadecimal_digits_are_no_number(db: Any) -> None:
    with pytest.raises(psycopg.Error, match="ORA-01722"):
        db.run("SELECT TO_NUMBER(SUBSTR(RAWTOHEX('AZ'), 1, 4), 'XXX') FROM DUAL")


def test_dates_are_compared_as_they_are_written(db: Any) -> None:
    """In a time zone with summer time an hour of March does not exist: two dates may not meet there."""
    db.connection.execute("SET TIME ZONE 'Europe/Berlin'")
    try:
        rows = db.run(
            "SELECT COUNT(*), TO_CHAR(MIN(a), 'HH24:MI'), TO_CHAR(MAX(a), 'HH24:MI') FROM ("
            "SELECT DATE '2024-03-31' + 2.5 / 24 AS a FROM DUAL UNION ALL "
            "SELECT DATE '2024-03-31' + 3.5 / 24 FROM DUAL) x JOIN "
            "(SELECT DATE '2024-03-31' + 3.5 / 24 AS b FROM DUAL) y ON x.a < y.b"
        )
    finally:
        db.connection.execute("RESET TIME ZONE")
    assert rows == [(1, "02:30", "02:30")]


def test_comparisons_of_dates_use_an_index(db: Any) -> None:
    db.script(
        "CREATE TABLE indexed_dates (d DATE);\n"
        "INSERT INTO indexed_dates SELECT DATE '2020-01-01' + LEVEL FROM DUAL CONNECT BY LEVEL <= 5000;\n"
        "CREATE INDEX indexed_dates_i ON indexed_dates (d)"
    )
    db.connection.execute('ANALYZE "INDEXED_DATES"')
    db.run("SELECT d FROM indexed_dates WHERE d = DATE '2021-05-05' AND d < TIMESTAMP '2021-05-06 00:00:00'")
    [text] = db.statement.sql
    plan = "\n".join(row[0] for row in db.connection.execute("EXPLAIN " + text))
    assert "Index" in plan, plan
