"""The rules of queries notice what a 19c refuses, and nothing else."""

from __future__ import annotations

import pytest

from oracle_refresh.catalog import Catalogue, Table
from support.oracle_rules.described import described
from support.oracle_rules.queries import complaints
from support.samples import people, plain, text

EXTRA = (
    text("NATIONAL", 60, data_type="NVARCHAR2"),
    text("WIDE", 1000),
    plain("OLD", "LONG", 0),
    plain("PLACE", "SDO_GEOMETRY", 1),
    plain("FILE", "BFILE", 530),
    plain("IMAGE", "BLOB", 4000),
)
PEOPLE = people()
TABLE = Table("APP", "T", None, 0, 0, (*PEOPLE.columns, *EXTRA))
IOT = Table("APP", "IOT", None, 0, 0, PEOPLE.columns, iot=True)
KNOWN = described(
    Catalogue(("APP",), (TABLE, IOT)),
    [
        'CREATE TABLE "ROWS" (RID ROWID)',
        'CREATE TABLE "MAP" (ORIGINAL NVARCHAR2(60), MASKED VARCHAR2(10 CHAR))',
    ],
)
FROM = 'FROM "APP"."T" T'

REFUSED = [
    (f"SELECT T.NOPE {FROM}", "ORA-00904"),
    ("SELECT S.NOPE FROM DBA_TABLES S", "ORA-00904"),
    (f"SELECT X.ID {FROM}", "ORA-00904"),
    (f'SELECT ID {FROM} JOIN "APP"."T" U ON U.ID = T.ID', "ORA-00918"),
    (f"SELECT (SELECT COUNT(*) FROM DUAL) + COUNT(*) {FROM}", "ORA-00937"),
    (f"SELECT T.ID, COUNT(*) {FROM}", "ORA-00937"),
    (f"SELECT T.ID, COUNT(*) {FROM} GROUP BY T.EMAIL", "ORA-00979"),
    (f"SELECT 1 {FROM} WHERE T.NOTE = 'x'", "ORA-00932"),
    (f"SELECT 1 {FROM} WHERE T.NOTE IN ('x', 'y')", "ORA-00932"),
    (f"SELECT DISTINCT T.NOTE {FROM}", "ORA-00932"),
    (f"SELECT COUNT(DISTINCT T.NOTE) {FROM}", "ORA-00932"),
    (f"SELECT COUNT(*) {FROM} GROUP BY T.IMAGE", "ORA-00932"),
    (f"SELECT T.ID {FROM} ORDER BY T.NOTE", "ORA-00932"),
    (f"SELECT MAX(T.NOTE) {FROM}", "ORA-00932"),
    (f"SELECT STANDARD_HASH(T.NOTE, 'SHA256') {FROM}", "ORA-00932"),
    (f"SELECT ROW_NUMBER() OVER (ORDER BY T.NOTE) {FROM}", "ORA-00932"),
    (f"SELECT T.EMAIL {FROM} UNION SELECT T.NOTE {FROM}", "ORA-00932"),
    (f"SELECT T.ID {FROM} UNION ALL SELECT T.EMAIL {FROM}", "ORA-01790"),
    (f"SELECT T.ID {FROM} UNION ALL SELECT T.ID, 1 {FROM}", "ORA-01789"),
    (f"SELECT UPPER(T.OLD) {FROM}", "ORA-00997"),
    (f"SELECT X.OLD FROM (SELECT T.OLD {FROM}) X WHERE UPPER(X.OLD) = 'A'", "ORA-00997"),
    (f'INSERT INTO "APP"."T" (OLD) SELECT T.OLD {FROM}', "ORA-00997"),
    (f"SELECT T.PLACE || 'x' {FROM}", "ORA-00932"),
    (f"SELECT TO_CHAR(T.FILE) {FROM}", "ORA-00932"),
    (f"SELECT CASE WHEN T.ID > 1 THEN T.NATIONAL ELSE T.EMAIL END {FROM}", "ORA-12704"),
    (f"SELECT COALESCE(T.NATIONAL, 'x') {FROM}", "ORA-12704"),
    (f"SELECT CASE WHEN T.ID > 1 THEN T.ID ELSE T.EMAIL END {FROM}", "ORA-00932"),
    (f"SELECT T.WIDE || 'x' {FROM}", "ORA-01489"),
    (f"SELECT RAWTOHEX(T.WIDE) {FROM}", "ORA-01489"),
    (f"SELECT T.ID = 1 AS SAME {FROM}", "ORA-00923"),
    (f"SELECT CASE WHEN T.ID > 1 THEN T.NOTE ELSE T.EMAIL END {FROM}", "ORA-00932"),
    (f"SELECT 1 {FROM} WHERE COUNT(*) > 1", "ORA-00934"),
    (f"SELECT 1 {FROM} WHERE ROW_NUMBER() OVER (ORDER BY T.ID) = 1", "ORA-30483"),
    (f"SELECT MAX(COUNT(*)) {FROM}", "ORA-00978"),
    (f"SELECT DISTINCT T.ID {FROM} ORDER BY T.EMAIL", "ORA-01791"),
    (f"SELECT REGEXP_REPLACE(T.EMAIL, '{'x' * 513}') {FROM}", "ORA-12733"),
    (f"SELECT TO_NUMBER(T.EMAIL, '{'X' * 64}') {FROM}", "ORA-01481"),
    ('SELECT DBMS_ROWID.ROWID_BLOCK_NUMBER(T.ROWID) FROM "APP"."IOT" T', "ORA-01410"),
    ('INSERT INTO "ROWS" (RID) SELECT T.ROWID FROM "APP"."IOT" T', "ORA-00932"),
    (f"SELECT '{'x' * 4001}' {FROM}", "ORA-01704"),
    (f"SELECT 1 {FROM} WHERE T.ID IN ({', '.join(map(str, range(1001)))})", "ORA-01795"),
    (f"SELECT {', '.join(f'T.ID AS C{n}' for n in range(1001))} {FROM}", "ORA-01792"),
    ("WITH A AS (WITH B AS (SELECT 1 AS N FROM DUAL) SELECT N FROM B) SELECT N FROM A", "ORA-32034"),
    ('INSERT INTO "MAP" (ORIGINAL, NOPE) SELECT 1, 2 FROM DUAL', "ORA-00904"),
    ('INSERT INTO "MAP" (ORIGINAL) SELECT 1, 2 FROM DUAL', "ORA-00913"),
    ("UPDATE \"APP\".\"T\" T SET T.PLACE = 'x'", "ORA-00932"),
    ('UPDATE "APP"."T" T SET T.BORN = 7', "ORA-00932"),
    (f'MERGE INTO "APP"."T" G USING (SELECT T.ROWID AS RID {FROM}) S ON (G.ROWID = S.RIDD)'
     " WHEN MATCHED THEN UPDATE SET G.EMAIL = 'x'", "ORA-00904"),
]  # fmt: skip
TAKEN = [
    'INSERT INTO "ROWS" (RID) SELECT T.ROWID FROM "APP"."T" T',
    f"SELECT DISTINCT T.ID AS N, T.EMAIL {FROM} WHERE T.ID = (SELECT MAX(T.ID) {FROM}) ORDER BY N, T.EMAIL",
    f"SELECT MAX(COUNT(*)) {FROM} GROUP BY T.ID",
    f"SELECT CASE WHEN T.ID > 1 THEN T.NOTE ELSE TO_CLOB(T.EMAIL) END, NVL(T.NOTE, 'x') {FROM}",
    f"SELECT REGEXP_REPLACE(T.EMAIL, '{'x' * 512}'), TO_NUMBER(T.EMAIL, 'XX') {FROM}",
    f"SELECT T.OLD, T.PLACE, T.FILE, T.NOTE {FROM} WHERE T.OLD IS NOT NULL",
    f"SELECT T.*, T.ROWID, ROWNUM, USER {FROM}",
    f"SELECT T.EMAIL, COUNT(*) + 1, MAX(T.ID) {FROM} GROUP BY T.EMAIL HAVING COUNT(*) > 1 ORDER BY 2, EMAIL",
    f"SELECT UPPER(T.EMAIL), NVL(SUM(T.ID), 0) {FROM} GROUP BY UPPER(T.EMAIL)",
    f"SELECT NVL(T.NATIONAL, 'x'), NVL2(T.NOTE, 1, 0), DBMS_LOB.GETLENGTH(T.NOTE) {FROM}",
    f"SELECT CASE WHEN T.ID > 1 THEN TO_NCHAR(T.EMAIL) ELSE T.NATIONAL END {FROM}",
    f"SELECT T.EMAIL || TO_CHAR(T.ID, 'TM9') || RAWTOHEX(T.TOKEN) {FROM}",
    f"SELECT STANDARD_HASH(SUBSTR(T.WIDE, 1, 900) || 'x', 'SHA256') {FROM}",
    f"SELECT T.NOTE {FROM} UNION ALL SELECT T.NOTE {FROM}",
    "WITH A AS (SELECT 1 AS N FROM DUAL), B AS (SELECT N + 1 AS M FROM A) SELECT N, M FROM A CROSS JOIN B",
    f'SELECT 1 {FROM} WHERE EXISTS (SELECT 1 FROM "MAP" M WHERE M.ORIGINAL = T.EMAIL)',
    'INSERT INTO "MAP" (ORIGINAL, MASKED) VALUES (:1, :2)',
    f'MERGE INTO "APP"."T" G USING (SELECT T.ROWID AS RID, T.PHONE AS M {FROM}) S ON (G.ROWID = S.RID)'
    " WHEN MATCHED THEN UPDATE SET G.EMAIL = S.M",
    'UPDATE "APP"."T" T SET "PLACE" = NULL, "BORN" = T."BORN" + 1 WHERE T."PLACE" IS NOT NULL',
]


@pytest.mark.parametrize(("sql", "code"), REFUSED)
def test_what_is_refused(sql: str, code: str) -> None:
    found = complaints(sql, KNOWN)
    assert any(code in each for each in found), found


@pytest.mark.parametrize("sql", TAKEN)
def test_what_is_taken(sql: str) -> None:
    assert complaints(sql, KNOWN) == []
