# ruff: noqa: E501 - statements read better on one line
"""The grammar of queries: what it takes, and where it stops by which error."""

from __future__ import annotations

import pytest

from localoracle.errors import OracleError
from localoracle.sql.grammar import check_expression, check_query
from localoracle.sql.parsing.lexer import tokenize


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1.5d, 2f, .4, 1e-5, -a ** b FROM DUAL".replace(" ** ", " * "),
        "SELECT DATE '2020-01-01' - INTERVAL '1' DAY, INTERVAL '4 5:12:10.222' DAY TO SECOND(3) FROM DUAL",
        "SELECT (a - b) DAY TO SECOND, c AT TIME ZONE 'UTC', d AT LOCAL, e COLLATE BINARY FROM t",
        "SELECT CASE a WHEN 1 THEN 2 END, CASE WHEN a = 1 OR (b + 1) * 2 > 3 THEN 2 ELSE 3 END c FROM t",
        "SELECT CAST(a AS VARCHAR2(10 CHAR)), CAST(b AS TIMESTAMP WITH TIME ZONE), EXTRACT(YEAR FROM c) FROM t",
        "SELECT TRIM(a), TRIM(LEADING 'x' FROM b), TRIM('x' FROM c), TRIM(BOTH FROM d) FROM t",
        "SELECT LISTAGG(DISTINCT a, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY b DESC NULLS LAST) FROM t",
        "SELECT SUM(a) OVER (PARTITION BY b, c ORDER BY d ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
        "SELECT FIRST_VALUE(a IGNORE NULLS) OVER (ORDER BY b), LAG(a) IGNORE NULLS OVER (ORDER BY b) FROM t",
        "SELECT MAX(a) KEEP (DENSE_RANK LAST ORDER BY b) over FROM t",
        "SELECT TO_NUMBER(a DEFAULT 0 ON CONVERSION ERROR), TRANSLATE(b USING NCHAR_CS), p.q.f(x => 1) FROM t",
        "SELECT JSON_VALUE(a, '$.b' RETURNING NUMBER ERROR ON ERROR) FROM t",
        "SELECT t.*, s.t.*, a limit, b AS text FROM s.t offset",
        "SELECT a FROM ((SELECT 1 a FROM DUAL) UNION ALL (SELECT 2 FROM DUAL)) x, (t1 JOIN t2 ON t1.a = t2.a)",
        "SELECT a FROM t1 NATURAL LEFT OUTER JOIN t2 FULL JOIN t3 USING (a, b) CROSS JOIN t4",
        "SELECT a FROM t1 JOIN t2 LEFT JOIN t3 ON t2.a = t3.a ON t1.a = t2.a",
        "SELECT a FROM t PARTITION (p) SAMPLE BLOCK (1, 2) SEED (3) x, u AS OF SCN :1 y, LATERAL (SELECT 1 FROM DUAL)",
        "SELECT a FROM t WHERE ((a) = (1) AND NOT (b IN ((SELECT 1 FROM DUAL)) OR c IS NOT NULL)) AND ((d)) LIKE 'x' ESCAPE '!'",
        "SELECT a FROM t WHERE (a, b) IN (SELECT 1, 2 FROM DUAL) AND (a, b) = ((1, 2)) AND c > ALL (1, 2) AND EXISTS (SELECT 1 FROM u)",
        "SELECT a FROM t WHERE REGEXP_LIKE(a, 'x') AND a NOT BETWEEN 1 AND 2 AND b IS NOT NAN AND c(+) ^= 1",
        "SELECT a FROM t GROUP BY GROUPING SETS ((a, b), ROLLUP(c, (d, e)), ()), CUBE(f) HAVING COUNT(*) > 1",
        "SELECT LEVEL FROM t START WITH a IS NULL CONNECT BY NOCYCLE PRIOR a = b ORDER SIBLINGS BY c",
        "SELECT a FROM t ORDER BY 1 DESC NULLS FIRST, b OFFSET 1 ROW FETCH NEXT 10 PERCENT ROWS WITH TIES",
        "SELECT (SELECT a FROM t ORDER BY a FETCH FIRST ROW ONLY) FROM DUAL",
        "WITH a (b) AS (SELECT 1 FROM DUAL ORDER BY 1), c AS (SELECT b FROM a) SELECT * FROM c MINUS SELECT * FROM a",
        "SELECT a FROM t1 left LEFT JOIN t2 ON left.a = t2.a",
        'SELECT "select"."from" "where" FROM "group" "select"',
        "SELECT q'[it's]', N'x', '' || :a || :\"B\" FROM DUAL",
    ],
)
def test_taken(sql: str) -> None:
    check_query(tokenize(sql).tokens, sql)


@pytest.mark.parametrize(
    ("sql", "code", "stops_at"),
    [
        ("SELECT a b c FROM t", 923, "c"),
        ("SELECT a = 1 FROM t", 923, "="),
        ("SELECT a, FROM t", 936, "FROM"),
        ("SELECT f(a = 1) FROM t", 907, "="),
        ("SELECT ((a) FROM t", 907, "FROM"),
        ("SELECT CASE WHEN a = 1 THEN 2 FROM t", 905, "FROM"),
        ("SELECT a FROM t WHERE a", 920, ""),
        ("SELECT a FROM t WHERE (a AND b = 1)", 920, "AND"),
        ("SELECT a FROM t WHERE (a = )", 936, ")"),
        ("SELECT a FROM t WHERE a IN (SELECT 1 FROM u ORDER BY 1)", 907, "ORDER"),
        ("SELECT a FROM t WHERE a BETWEEN 1, 2", 905, ", 2"),
        ("SELECT a FROM t JOIN u WHERE a = 1", 905, "WHERE"),
        ("SELECT a FROM t ORDER a", 924, "a"),
        ("SELECT a FROM t GROUP a", 924, "a"),
        ("SELECT a FROM t AS x", 933, "AS"),
        ("SELECT a FROM t LIMIT 5", 933, "5"),
        ("SELECT a FROM (SELECT 1 a FROM DUAL AS x)", 907, "AS"),
        ("SELECT a FROM t UNION u", 928, "u"),
        ("SELECT a FROM t, WHERE a = 1", 903, "WHERE"),
        ("SELECT t.size FROM t", 1747, "size"),
        ("SELECT a FROM t FETCH FIRST 1 ROWS", 905, ""),
        ("WITH x AS (WITH y AS (SELECT 1 a FROM DUAL) SELECT a FROM y) SELECT a FROM x", 32034, "WITH y"),
        ("SELECT 1 FROM DUAL UNION (WITH y AS (SELECT 1 a FROM DUAL) SELECT a FROM y)", 32034, "(WITH"),
        ("(WITH y AS (SELECT 1 a FROM DUAL) SELECT a FROM y) UNION SELECT 1 FROM DUAL", 32034, "(WITH"),
        ("SELECT a FROM t MODEL DIMENSION BY (a) MEASURES (b) RULES ()", 3001, None),
    ],
)
def test_refused(sql: str, code: int, stops_at: str | None) -> None:
    with pytest.raises(OracleError) as refused:
        check_query(tokenize(sql).tokens, sql)
    assert refused.value.code == code
    if stops_at is not None:
        assert sql[refused.value.position :].startswith(stops_at)


@pytest.mark.parametrize(
    "text", ["a + 1", "a = 1", "(a) > (b)", "NOT a = 1", "(a = 1 OR b = 2)", "(SELECT 1 FROM DUAL)"]
)
def test_values_and_conditions_are_expressions(text: str) -> None:
    check_expression(tokenize(text).tokens, text)


@pytest.mark.parametrize(("text", "code"), [("a +", 936), ("(a", 907), ("a b", 920), ("a = 1 2", 933)])
def test_what_is_neither(text: str, code: int) -> None:
    with pytest.raises(OracleError) as refused:
        check_expression(tokenize(text).tokens, text)
    assert refused.value.code == code


def test_nested_parentheses_take_no_exponential_time() -> None:
    text = "(" * 40 + "a" + ")" * 40 + " = 1"
    check_expression(tokenize(text).tokens, text)
