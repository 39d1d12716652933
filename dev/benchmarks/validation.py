"""Verification of a copy side by side with others on the same rows: reladiff, and a bare scan of LOBs.

rows    `verify_copy` and reladiff (github.com/erezsh/reladiff) compare all rows and all columns of one table
        between two databases. Both have to find the copy equal.
LOBs    the checksums of `verify_copy` against one query a side that does nothing but hash the same LOBs with
        SHA-256, both sides at the same time.

It runs in a home of its own, on ports of its own. Needs nothing that runs. ROWS and LOB_MB scale it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Any

import oracledb

from benchmarks.own_database import PASSWORD, own_databases
from benchmarks.result import Result
from benchmarks.size import amount
from localoracle.instance.config import Instance
from oracle_refresh.catalog import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.history import current_scn
from oracle_refresh.validation import require, verify_copy

PORTS = {"compared_source": 15361, "compared_target": 15362}
ROWS = amount("ROWS", 1_000_000, 1_000)
LOB_MB = amount("LOB_MB", 400, 4)
SESSIONS = 2
"""Of reladiff on each side; the machine has as many cores."""
OWNER = "COMPARED"
COLUMNS = {
    "ID": "NUMBER(12) NOT NULL CONSTRAINT WIDE_PK PRIMARY KEY",
    "FIRST_NAME": "VARCHAR2(40)",
    "LAST_NAME": "VARCHAR2(40)",
    "CITY": "VARCHAR2(40)",
    "EMAIL": "VARCHAR2(120)",
    "CARD": "VARCHAR2(16)",
    "STATUS": "VARCHAR2(1)",
    "QUANTITY": "NUMBER(8)",
    "AMOUNT": "NUMBER(12,2)",
    "BORN": "DATE",
    "CREATED": "DATE",
    "NOTE": "VARCHAR2(100)",
}
FILL = """\
INSERT INTO COMPARED.WIDE
SELECT N, 'Anna' || MOD(N * 7, 5000), 'Smith' || MOD(N * 11, 50000), 'Town' || MOD(N * 13, 5000),
  'person.' || N || '@example.org', '400000' || LPAD(N, 10, '0'), SUBSTR('ABCDE', MOD(N, 5) + 1, 1),
  MOD(N * 17, 100000), MOD(N * 19, 1000000) / 100, DATE '1950-01-01' + MOD(N, 20000),
  DATE '2020-01-01' + MOD(N, 1000),
  'note of row ' || N || ' with some more text'
FROM (SELECT A.L * 1000 + B.L N FROM (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= {thousands}) A,
  (SELECT LEVEL L FROM DUAL CONNECT BY LEVEL <= 1000) B)"""
LOB = 1 << 20
# 4 is DBMS_CRYPTO.HASH_SH256 (PL/SQL Packages and Types Reference 19c).
BARE_SCAN = "SELECT COUNT(*), MAX(DBMS_CRYPTO.HASH(BODY, 4)) FROM COMPARED.DOCUMENTS"


def run() -> Result:
    with own_databases("validation", PORTS) as databases, ExitStack() as opened:
        source, target = (opened.enter_context(connect(databases[name])) for name in PORTS)
        for connection in (source, target):
            create(connection)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(_fill, (source, target)))
        catalogue = read_catalogue(source, [OWNER])
        wide, documents = (catalogue.table(OWNER, name) for name in ("WIDE", "DOCUMENTS"))
        assert wide is not None
        assert documents is not None
        rows_seconds = _timed("verify_copy, rows", lambda: verify(source, target, wide))
        reladiff = _timed("reladiff", lambda: _reladiff(*databases.values()))
        lobs = _timed("verify_copy, LOBs", lambda: verify(source, target, documents))
        bare = _timed("bare scan of LOBs", lambda: _bare_scan(source, target))
    rows = max(1, ROWS // 1000) * 1000
    return Result(
        "validation",
        ratios={"reladiff_over_verify": reladiff / rows_seconds, "lob_checksum_over_bare_scan": bare / lobs},
        figures={
            "rows": float(rows),
            "columns": float(len(COLUMNS)),
            "verify_seconds": rows_seconds,
            "reladiff_seconds": reladiff,
            "lob_mb": float(LOB_MB),
            "lob_checksum_seconds": lobs,
            "bare_scan_seconds": bare,
            "lob_checksum_mb_per_second": 2 * LOB_MB * LOB / 1e6 / lobs,
        },
    )


def _timed(name: str, work: Callable[[], None]) -> float:
    began = time.monotonic()
    work()
    seconds = time.monotonic() - began
    print(f"  {name:20} {seconds:8.2f} s", flush=True)
    return seconds


def connect(database: Instance) -> oracledb.Connection:
    return oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)


def create(connection: oracledb.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "{PASSWORD}"')
        cursor.execute(f"GRANT CREATE SESSION, UNLIMITED TABLESPACE TO {OWNER}")
        columns = ", ".join(f"{name} {described}" for name, described in COLUMNS.items())
        cursor.execute(f"CREATE TABLE {OWNER}.WIDE ({columns})")
        key = "NUMBER(12) CONSTRAINT DOCUMENTS_PK PRIMARY KEY"
        cursor.execute(f"CREATE TABLE {OWNER}.DOCUMENTS (ID {key}, BODY BLOB)")


def _fill(connection: oracledb.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute(FILL.format(thousands=max(1, ROWS // 1000)))
        connection.commit()
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [OWNER, "WIDE"])
    fill_lobs(connection, LOB_MB)


def fill_lobs(connection: oracledb.Connection, megabytes: int) -> None:
    """The same LOBs on both sides, in place of those that are there."""
    draw = Random(19)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE TABLE {OWNER}.DOCUMENTS")
        for number in range(megabytes):
            cursor.setinputsizes(None, oracledb.DB_TYPE_LONG_RAW)
            cursor.execute(f"INSERT INTO {OWNER}.DOCUMENTS VALUES (:1, :2)", [number, draw.randbytes(LOB)])
        connection.commit()
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [OWNER, "DOCUMENTS"])


def verify(source: oracledb.Connection, target: oracledb.Connection, table: Table) -> None:
    require(verify_copy(source, target, current_scn(source), table))


def _reladiff(source: Instance, target: Instance) -> None:
    """All columns, as many sessions a side as there are cores."""
    # What it imports is the driver's former name, whose interface the driver has kept.
    sys.modules["cx_Oracle"] = oracledb
    import reladiff

    def side(database: Instance) -> Any:
        where = {"driver": "oracle", "host": f"127.0.0.1:{database.port}", "database": database.service_name}
        credentials = {"user": OWNER, "password": PASSWORD}
        others = tuple(column for column in COLUMNS if column != "ID")
        return reladiff.connect_to_table(
            where | credentials, "WIDE", "ID", thread_count=SESSIONS, extra_columns=others
        )

    differences = list(reladiff.diff_tables(side(source), side(target), threaded=True))
    if differences:
        raise SystemExit(f"reladiff finds {len(differences)} differences between equal tables")


def _bare_scan(source: oracledb.Connection, target: oracledb.Connection) -> None:
    def scan(connection: oracledb.Connection) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(BARE_SCAN)
            return cursor.fetchone()

    with ThreadPoolExecutor(2) as pool:
        hashed = list(pool.map(scan, (source, target)))
    assert hashed[0] == hashed[1]
