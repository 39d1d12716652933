"""The rules of DDL notice what a 19c refuses, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog import Catalogue, Index, IndexColumn, Partition, Table
from support.oracle_rules.ddl import complaints
from support.samples import key, people, plain, text

PEOPLE = people()
COLUMNS = (
    *PEOPLE.columns,
    replace(plain("PLACE", "SDO_GEOMETRY", 1), type_owner="MDSYS"),
    plain("SEEN_AT", "TIMESTAMP(6) WITH TIME ZONE", 13),
)
T = Table("APP", "T", None, 0, 0, COLUMNS)
IDENTITY = replace(T, name="IDENTITY", columns=(replace(T.columns[0], identity=True), *T.columns[1:]))
TEMPORARY = replace(T, name="TEMPORARY", temporary=True)
CLUSTERED = replace(T, name="CLUSTERED", clustered=True)
KEY = key("P", "IOT_PK", "ID")
IOT = replace(T, name="IOT", iot=True, constraints=(KEY,))


def _index(name: str, kind: str = "NORMAL", partitioned: bool = False) -> Index:
    return Index("APP", name, kind, False, partitioned, (IndexColumn("ID", None, False),), None)


DIVIDED = replace(
    T,
    name="DIVIDED",
    partitions=(Partition("P1", 1),),
    partition_columns=("BORN",),
    indexes=(_index("LOCAL", partitioned=True), _index("TEXTS", "DOMAIN")),
)
TEMPORARY = replace(TEMPORARY, indexes=(_index("OF_TEMPORARY"),))
KNOWN = Catalogue(("APP",), (T, IDENTITY, TEMPORARY, CLUSTERED, IOT, DIVIDED))
EXTENDED = Catalogue(("APP",), (replace(T, columns=(text("WIDE", 32767),)),))
MANY = ", ".join(f'"C{number}"' for number in range(33))

REFUSED = [
    ('CREATE INDEX "APP"."I" ON "APP"."TEMPORARY" ("ID") PARALLEL 4', "ORA-14451"),
    ('CREATE INDEX "APP"."I" ON "APP"."TEMPORARY" ("ID") NOLOGGING', "ORA-14451"),
    ('ALTER INDEX "APP"."OF_TEMPORARY" NOPARALLEL', "ORA-14451"),
    ('CREATE UNIQUE INDEX "APP"."I" ON "APP"."T" ("ID") INDEXTYPE IS "C"."D"', "ORA-29850"),
    ('CREATE INDEX "APP"."I" ON "APP"."T" ("ID") INDEXTYPE IS "C"."D" NOLOGGING', "ORA-29850"),
    ('ALTER INDEX "APP"."TEXTS" LOGGING', "ORA-29871"),
    ('ALTER INDEX "APP"."LOCAL" REBUILD PARALLEL 4', "ORA-14086"),
    ('CREATE INDEX "APP"."I" ON "APP"."T" ("ID", "NOTE")', "ORA-02327"),
    ('CREATE INDEX "APP"."I" ON "APP"."T" ("PLACE")', "ORA-02327"),
    (f'CREATE INDEX "APP"."I" ON "APP"."T" ({MANY})', "ORA-01793"),
    ('CREATE INDEX "APP"."I" ON "APP"."T" ("ID") LOCAL', "ORA-14016"),
    (f'ALTER TABLE "APP"."T" ADD UNIQUE ({MANY})', "ORA-02257"),
    ('ALTER TABLE "APP"."T" ADD UNIQUE ("NOTE")', "ORA-02329"),
    ('ALTER TABLE "APP"."T" ADD UNIQUE ("SEEN_AT")', "ORA-02329"),
    ('ALTER TABLE "APP"."IOT" ADD PRIMARY KEY ("ID") USING INDEX NOLOGGING ENABLE', "ORA-14196"),
    ('ALTER TABLE "APP"."T" ADD UNIQUE ("ID") USING INDEX "APP"."I" DISABLE', "ORA-14196"),
    ('ALTER TABLE "APP"."DIVIDED" ADD UNIQUE ("ID") USING INDEX LOCAL ENABLE', "ORA-14039"),
    ('ALTER TABLE "APP"."TEMPORARY" ADD FOREIGN KEY ("ID") REFERENCES "APP"."T" ("ID")', "ORA-14455"),
    ('ALTER TABLE "APP"."T" ADD CHECK ("ID" IN (SELECT 1 FROM DUAL))', "ORA-02251"),
    ('ALTER TABLE "APP"."T" ADD CHECK ("BORN" < SYSDATE)', "ORA-02436"),
    ('ALTER TABLE "APP"."T" MODIFY ("ID" NOT NULL RELY)', "ORA-25127"),
    ('ALTER TABLE "APP"."IDENTITY" MODIFY ("ID" NULL)', "ORA-30671"),
    ('ALTER TABLE "APP"."IOT" DROP CONSTRAINT "IOT_PK"', "ORA-25188"),
    ('ALTER TABLE "APP"."T" RENAME TO "APP"."U"', "ORA-14047"),
    ('TRUNCATE TABLE "APP"."CLUSTERED"', "ORA-03292"),
    ('CREATE TABLE "X" (A VARCHAR2(4001 CHAR))', "ORA-00910"),
    ('CREATE TABLE "X" (A NUMBER, B NVARCHAR2(2001))', "ORA-00910"),
    ('CREATE TABLE "X" (A RAW(2001))', "ORA-00910"),
    ('CREATE TABLE "X" ("A" NUMBER) PARTITION BY HASH ("A") (PARTITION P) TABLESPACE "U"', "ORA-00922"),
    ('CREATE TABLE "X" ("A" CLOB) LOB ("A") STORE AS (TABLESPACE "U") TABLESPACE "U"', "ORA-00922"),
    ('CREATE TABLE "X" ("A" NUMBER) ORGANIZATION INDEX DEFAULT COLLATION "BINARY"', "ORA-00922"),
    ('CREATE SEQUENCE "APP"."S" MINVALUE 1 MAXVALUE 9 START WITH 10', "ORA-04008"),
    ('CREATE SEQUENCE "APP"."S" MINVALUE -5 MAXVALUE 9 START WITH -6', "ORA-04006"),
    ('GRANT SELECT ("ID") ON "APP"."T" TO "U"', "ORA-00969"),
    ('GRANT SELECT ON "APP"."T" TO "REFRESH_TARGET"', "ORA-01749"),
    ('GRANT SELECT ON "APP"."T" TO "U", "U"', "ORA-00987"),
]
TAKEN = [
    'CREATE INDEX "APP"."I" ON "APP"."TEMPORARY" ("ID")',
    'CREATE INDEX "APP"."I" ON "APP"."DIVIDED" ("ID", UPPER("EMAIL")) LOCAL (PARTITION "P1") PARALLEL 4',
    'CREATE INDEX "APP"."I" ON "APP"."T" ("ID") INDEXTYPE IS "C"."D" PARALLEL 4',
    'ALTER INDEX "APP"."LOCAL" REBUILD PARTITION "P1" NOLOGGING',
    'ALTER TABLE "APP"."DIVIDED" ADD UNIQUE ("ID", "BORN") USING INDEX LOCAL NOLOGGING ENABLE NOVALIDATE',
    'ALTER TABLE "APP"."IDENTITY" MODIFY ("EMAIL" NULL, "ID" NOT NULL ENABLE NOVALIDATE)',
    'ALTER TABLE "APP"."IOT" ADD CONSTRAINT "C" CHECK ("EMAIL" <> \'SYSDATE\') ENABLE',
    'CREATE TABLE "X" ("A" NUMBER, "B" CLOB) DEFAULT COLLATION "BINARY_CI" TABLESPACE "U" LOB ("B") STORE AS'
    ' SECUREFILE (TABLESPACE "U") PARTITION BY HASH ("A") (PARTITION P) READ ONLY PARALLEL 4',
    'CREATE TABLE "X" ("A" NUMBER) ORGANIZATION INDEX PCTTHRESHOLD 50 INCLUDING "A" OVERFLOW',
    'CREATE GLOBAL TEMPORARY TABLE "X" ("A" NUMBER) ON COMMIT PRESERVE ROWS',
    'CREATE TABLE "X" TABLESPACE "U" NOLOGGING LOB (D) STORE AS (NOCACHE) PARALLEL 31 AS SELECT 1 D FROM T',
    'CREATE SEQUENCE "APP"."S" MINVALUE 1 MAXVALUE 9 START WITH 9',
    'GRANT SELECT, UPDATE ("A", "B") ON "APP"."T" TO PUBLIC WITH GRANT OPTION',
]  # fmt: skip


@pytest.mark.parametrize(("sql", "code"), REFUSED)
def test_what_is_refused(sql: str, code: str) -> None:
    found = complaints(sql, KNOWN)
    assert any(code in each for each in found), found


@pytest.mark.parametrize("sql", TAKEN)
def test_what_is_taken(sql: str) -> None:
    assert complaints(sql, KNOWN) == []


def test_extended_strings_are_longer() -> None:
    assert complaints('CREATE TABLE "X" (A VARCHAR2(32767), B RAW(32767))', EXTENDED) == []
    assert complaints('CREATE TABLE "X" (A CHAR(2001))', EXTENDED) != []
