"""Every statement of a data load.

Direct-path INSERT, NOLOGGING, PCTFREE, MINIMIZE RECORDS_PER_BLOCK and CREATE TABLE ... PARALLEL AS SELECT:
SQL Language Reference 19c. DDL takes no bind variables: the numbers in it are whole numbers of the plan.
"""

from __future__ import annotations

from oracle_refresh.labs.data_load.model import Work
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName

#: The loaded table and its index bear SLOB's names.
TABLE, UNIQUE_INDEX = "CF1", "I_CF1"
SEED, PEOPLE, PIECES = "SEED", "PEOPLE", "PIECES"

#: Of each person, as the pool holds them.
PERSON = {
    "FIRST_NAME": "VARCHAR2(60 CHAR)",
    "LAST_NAME": "VARCHAR2(60 CHAR)",
    "BORN": "DATE",
    "STREET": "VARCHAR2(120 CHAR)",
    "POSTCODE": "VARCHAR2(20 CHAR)",
    "CITY": "VARCHAR2(80 CHAR)",
    "PHONE": "VARCHAR2(40 CHAR)",
    "IBAN": "VARCHAR2(34 CHAR)",
    "NATIONAL_ID": "VARCHAR2(20 CHAR)",
    "EMPLOYER": "VARCHAR2(120 CHAR)",
    "MAIL_NAME": "VARCHAR2(120 CHAR)",
    "MAIL_DOMAIN": "VARCHAR2(80 CHAR)",
}
#: Between them stands the row's number: every row has an address of its own.
MAIL = ("MAIL_NAME", "MAIL_DOMAIN")
#: SLOB's rows are about as long: 19 columns of 128 characters.
FILLERS, FILLER_CHARACTERS = 14, 128
TEXT_CHARACTERS = FILLERS * FILLER_CHARACTERS
_FILLERS = [f"C{number}" for number in range(1, FILLERS + 1)]

CREATE_PEOPLE = (
    "CREATE TABLE {table} (ID NUMBER(10) NOT NULL, "
    + ", ".join(f"{name} {kind}" for name, kind in PERSON.items())
    + f", TEXT VARCHAR2({TEXT_CHARACTERS} CHAR))"
)
INSERT_PERSON = (
    f"INSERT INTO {{table}} (ID, {', '.join(PERSON)}, TEXT) VALUES (:id, "
    + ", ".join(f":{name.lower()}" for name in PERSON)
    + ", :text)"
)
CREATE_PIECES = "CREATE TABLE {table} (ID NUMBER(10) NOT NULL, DOC {datatype})"
INSERT_PIECE = "INSERT INTO {table} (ID, DOC) VALUES (:id, :doc)"

#: One row is needed before: the clause is not for empty tables (ORA-28603).
FIRST_ROW = "INSERT INTO {table} SELECT * FROM {seed} WHERE ROWNUM = 1"
MINIMIZE = "ALTER TABLE {table} MINIMIZE RECORDS_PER_BLOCK"
TRUNCATE = "TRUNCATE TABLE {table}"
LOAD = "INSERT /*+ APPEND */ INTO {table} SELECT * FROM {seed} WHERE CUSTID <= :number_of_rows"
GATHER = "BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => :owner, tabname => :name); END;"
BYTES = "SELECT NVL(SUM(BYTES), 0) FROM DBA_SEGMENTS WHERE OWNER = :owner"
TABLESPACE = "SELECT CONTENTS, STATUS, BLOCK_SIZE FROM DBA_TABLESPACES WHERE TABLESPACE_NAME = :name"
OWNERS = "SELECT OWNER, SUM(BYTES) FROM DBA_SEGMENTS WHERE TABLESPACE_NAME = :name GROUP BY OWNER"

#: Counters of all open instances and of their hosts, since these were started.
HOST_TIMES = """\
SELECT O.INST_ID, O.STAT_NAME, O.VALUE FROM GV$OSSTAT O
WHERE O.STAT_NAME IN ('BUSY_TIME', 'IDLE_TIME', 'USER_TIME', 'SYS_TIME', 'IOWAIT_TIME')"""
BLOCKS = """\
SELECT S.INST_ID, S.NAME, S.VALUE FROM GV$SYSSTAT S
WHERE S.NAME IN ('session logical reads', 'db block changes', 'physical reads', 'physical writes',
 'physical read total bytes', 'physical write total bytes')"""
#: The last intervals of short duration, which are of 15 seconds and not of 60; the third is how long ago.
METRICS = """\
SELECT M.INST_ID, M.END_TIME, (SYSDATE - M.END_TIME) * 86400, M.INTSIZE_CSEC, M.METRIC_NAME, M.VALUE
FROM GV$SYSMETRIC M WHERE M.INTSIZE_CSEC < 3000 AND M.METRIC_NAME IN
 ('Logical Reads Per Sec', 'DB Block Changes Per Sec', 'Physical Reads Per Sec', 'Physical Writes Per Sec')"""


def create_seed(work: Work, degree: int, people: int) -> str:
    """The table of `work.rows` rows that all schemas copy: people and LOBs of the pools, dealt out by hash.

    :param degree: of the parallel query that makes it.
    :param people: rows of the pool.
    """
    person = ", ".join(f"P.{name}" for name in PERSON if name not in MAIL)
    fillers = ", ".join(
        f"SUBSTR(P.TEXT, {1 + number * FILLER_CHARACTERS}, {FILLER_CHARACTERS}) {name}"
        for number, name in enumerate(_FILLERS)
    )
    mail = "P.MAIL_NAME || N.N || P.MAIL_DOMAIN EMAIL"
    document = join = ""
    if work.lobs.datatype:
        document = ", D.DOC"
        pieces, last = TableName(work.seed_schema, PIECES).sql, work.lobs.pieces - 1
        join = f" LEFT JOIN {pieces} D ON D.ID = ORA_HASH(N.N, {last}, 2)"
    return (
        f"CREATE TABLE {TableName(work.seed_schema, SEED).sql} {storage(work)} PARALLEL {degree} AS"
        f" SELECT N.N CUSTID, {person}, {mail}, {fillers}{document}"
        f" FROM (SELECT A.L * 1000 + B.L N FROM"
        f" (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= {work.rows // 1000 + 1}) A,"
        f" (SELECT LEVEL L FROM DUAL CONNECT BY LEVEL <= 1000) B) N"
        f" JOIN {TableName(work.seed_schema, PEOPLE).sql} P ON P.ID = ORA_HASH(N.N, {people - 1}, 1){join}"
        f" WHERE N.N <= {work.rows}"
    )


def create_table(work: Work, schema: str) -> str:
    """An empty table of the seed's columns."""
    columns = ["CUSTID NUMBER(10)"]
    columns += [f"{name} {kind}" for name, kind in PERSON.items() if name not in MAIL]
    columns += ["EMAIL VARCHAR2(240 CHAR)"]
    columns += [f"{name} VARCHAR2({FILLER_CHARACTERS} CHAR)" for name in _FILLERS]
    if work.lobs.datatype:
        columns.append(f"DOC {work.lobs.datatype}")
    return f"CREATE TABLE {TableName(schema, TABLE).sql} ({', '.join(columns)}) {storage(work)}"


def storage(work: Work) -> str:
    """Sparse: nothing but updates may use 99 % of a block, so that each holds one row."""
    clause = f"TABLESPACE {Identifier(work.tablespace).sql} PCTFREE {99 if work.sparse else 0} NOLOGGING"
    return f"{clause} LOB (DOC) {work.lobs.storage}" if work.lobs.datatype else clause


def create_index(work: Work, schema: str) -> str:
    index, table = ObjectName(schema, UNIQUE_INDEX), TableName(schema, TABLE)
    return (
        f"CREATE UNIQUE INDEX {index.sql} ON {table.sql} (CUSTID)"
        f" TABLESPACE {Identifier(work.tablespace).sql} NOLOGGING"
    )
