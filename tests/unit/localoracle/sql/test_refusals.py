"""What is not understood is refused, with Oracle's error and where it was found."""

from __future__ import annotations

import pytest

from localoracle.errors import OracleError
from localoracle.sql import bind_names, translate


@pytest.mark.parametrize(
    ("sql", "code", "position"),
    [
        ("SELEC 1 FROM dual", 900, 0),
        ("", 900, 0),
        ("SELECT", 936, None),
        ("SELECT a, FROM t", 936, 10),
        ("SELECT FROM t", 936, None),
        ("SELECT 1", 923, None),
        ("SELECT * FROM t WHERE", 936, None),
        ("SELECT a b c FROM t", None, 11),
        ("SELECT (1 FROM dual", 907, 10),
        ("SELECT a FROM t WHERE a == 1", 936, 25),
        ("SELECT a FROM t LIMIT 5", 933, None),
        ("SELECT a::int FROM t", 911, 8),
        ("SELECT 'abc FROM dual", 1756, None),
        ("SELECT 1 FROM dual; SELECT 2 FROM dual", 911, 18),
        ("SELECT nofunction(*) FROM dual", 907, None),
        ("SELECT SUBSTR('a') FROM dual", 938, None),
        ("SELECT SUBSTR('a',1,2,3) FROM dual", 939, None),
        ("SELECT LEVEL FROM t", 1788, None),
        ("SELECT * FROM t@link", 3001, None),
        ('SELECT XMLAGG(XMLELEMENT("A", a)) FROM t', 3001, None),
        ("SELECT * FROM t START WITH a = 1 CONNECT BY PRIOR a = b", 3001, None),
        ("SELECT * FROM t PIVOT (SUM(a) FOR b IN (1))", 3001, None),
        ("SELECT * FROM a, b AS OF SCN 5", 3001, None),
        ("SELECT * FROM a AS OF SCN 4, b AS OF SCN 5", 3001, None),
        ("SELECT * FROM a AS OF TIMESTAMP SYSDATE", 3001, None),
        ("SELECT a FROM t AS OF SCN 5 FOR UPDATE", 8187, None),
        ("SELECT a FROM t FOR UPDATE WAIT x", 30005, None),
        ("LOCK TABLE t IN SHARE MODE WAIT", 30005, None),
        ("EXPLAIN PLAN FOR SELECT 1 FROM dual", 3001, None),
        ("FLASHBACK TABLE t TO BEFORE DROP", 3001, None),
        ("SELECT a FROM t WHERE ROWNUM + 1 < a", 3001, None),
        ("SELECT * FROM a, b WHERE a.x(+) = b.x(+)", 1468, None),
        ("SELECT * FROM a LEFT JOIN c ON a.x = c.x, b WHERE a.x = b.x(+)", 25156, None),
        ("SELECT * FROM a, b WHERE a.x = b.x(+) OR a.y = 1", 1719, None),
        ("SELECT * FROM a, b WHERE a.x(+) = b.x AND b.y(+) = a.y", 1416, None),
        (f"SELECT a AS {'x' * 129} FROM t", 972, None),
        (f"SELECT a AS {'x' * 64} FROM t", 3001, None),
        ("INSERT INTO t (a, a) VALUES (1, 2)", 957, None),
        ("INSERT INTO t VALUES", 906, None),
        ("INSERT t VALUES (1)", 925, 7),
        ("UPDATE t WHERE a = 1", 971, 9),
        ("UPDATE t SET a = 1 WHERE", 936, None),
        ("UPDATE t SET (a, b) = 5", 1767, None),
        ("UPDATE t SET x.a = 5", 904, None),
        ("UPDATE (SELECT * FROM t) SET a = 1", 3001, None),
        ("DELETE FROM t WHERE a = 1 LOG ERRORS", 3001, None),
        ("MERGE INTO t USING s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET t.a = 1", 38104, None),
        (
            "MERGE INTO t USING s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET t.b = 1 DELETE WHERE t.b = 1",
            3001,
            None,
        ),
        ("LOCK TABLE t IN NO MODE", 1737, None),
        ("CREATE TABLE t (a NOTYPE)", 902, 18),
        ("CREATE TABLE t (a NUMBER(40))", 1727, None),
        ("CREATE TABLE t (a VARCHAR2(40000))", 910, None),
        ("CREATE TABLE t (a VARCHAR2)", 906, None),
        ("CREATE TABLE t (a NUMBER, a NUMBER)", 957, None),
        ("CREATE TABLE t (a BFILE)", 3001, None),
        ("CREATE TABLE t (a NUMBER) ORGANIZATION INDEX", 25175, None),
        ("CREATE TABLE t (a NUMBER) ORGANIZATION EXTERNAL (TYPE ORACLE_HIVE)", 3001, None),
        ("CREATE TABLE t (a NUMBER) STORAGE (BOGUS 5)", 2143, None),
        ("CREATE TABLE t (a NUMBER) NONSENSE", 922, 26),
        ("CREATE TABLE t (a NUMBER PRIMARY KEY, b NUMBER PRIMARY KEY)", 2260, None),
        ("CREATE PRIVATE TEMPORARY TABLE ora$ptt_t (a NUMBER)", 3001, None),
        ("CREATE INDEX i ON t (a) INDEXTYPE IS mdsys.spatial_index", 3001, None),
        ("CREATE TABLE t (a NUMBER DEFAULT :1)", 1027, None),
        ("CREATE TYPE t AS OBJECT (a NUMBER)", 3001, None),
        ("ALTER TABLE t SHRINK SPACE", 3001, None),
        ("ALTER TABLE t", 2210, None),
        ("ALTER TABLE t BOGUS", 1735, 14),
        ("TRUNCATE t", 3290, None),
        ("GRANT SELECT ON t TO u", 900, 0),
    ],
)
def test_refused(sql: str, code: int | None, position: int | None) -> None:
    with pytest.raises(OracleError) as caught:
        translate(sql, ())
    if code is not None:
        assert caught.value.code == code, caught.value
    if position is not None:
        assert caught.value.position == position


def test_text_in_literals_is_no_syntax() -> None:
    statement = translate("SELECT 'a (+) :x -- no' x, q'[it's :y]' FROM dual WHERE '/*' = '*/' -- :z", ())
    assert bind_names("SELECT ':a', :b, \":c\" /* :d */ FROM t -- :e") == ["B"]
    assert "'a (+) :x -- no'" in statement.sql[0]
    assert "'it''s :y'" in statement.sql[0]


def test_bind_names_by_occurrence_and_by_name() -> None:
    sql = 'SELECT :a, :"b", :1, :A FROM dual'
    assert bind_names(sql) == ["A", "b", "1", "A"]
    assert translate(sql, (None,) * 4).parameters == (0, 1, 2, 3)
    assert translate(sql, (None,) * 3, binds_by_name=True).parameters == (0, 1, 2, 0)


def test_words_that_are_keywords_elsewhere_are_names() -> None:
    text = translate(
        "SELECT limit, text, remark, label, x.path, temp AS top FROM columns x WHERE ilike = 1", ()
    ).sql[0]
    assert '"LIMIT"' in text
    assert '"TEXT"' in text
    assert 'FROM "COLUMNS" AS "X"' in text
    assert '"ILIKE" = 1' in text
