"""STORAGE of tables and indexes.

Sources: SQL Language Reference 19c, storage_clause (STORAGE); Database Reference 19c (VIEWS);
Error Messages 19c (ERR).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Bench, Ruling
from support.stand_in import Schema

STORAGE = "STORAGE; Error Messages"
T = "CREATE TABLE t (a NUMBER) STORAGE (INITIAL 100K NEXT 2M MINEXTENTS 3 BUFFER_POOL KEEP FLASH_CACHE NONE)"
INDEX = "CREATE INDEX i ON t (a) STORAGE (INITIAL 1M BUFFER_POOL RECYCLE)"
OF_TABLES = (
    "SELECT initial_extent, next_extent, min_extents, max_extents, buffer_pool, flash_cache, cell_flash_cache"
)
PARTITIONED = (
    "CREATE TABLE p (a NUMBER) STORAGE (INITIAL 1M BUFFER_POOL KEEP) PARTITION BY RANGE (a) "
    "(PARTITION p1 VALUES LESS THAN (1), PARTITION p2 VALUES LESS THAN (2) STORAGE (BUFFER_POOL RECYCLE))"
)

RULINGS = [
    Ruling("CREATE TABLE t (a NUMBER) STORAGE ()", "ORA-02143", STORAGE),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (SIZE 1M)", "ORA-02143", STORAGE),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (BUFFER_POOL NONE)", "ORA-02143", STORAGE),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (INITIAL 1M INITIAL 2M)", "ORA-02217", "ERR, ORA-02217"),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (INITIAL x)", "ORA-02218", "ERR, ORA-02218"),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (NEXT KEEP)", "ORA-02219", "ERR, ORA-02219"),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (MINEXTENTS 0)", "ORA-02220", "ERR, ORA-02220"),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (MAXEXTENTS x)", "ORA-02221", "ERR, ORA-02221"),
    Ruling("CREATE TABLE t (a NUMBER) STORAGE (PCTINCREASE x)", "ORA-02222", "ERR, ORA-02222"),
    Ruling(
        "CREATE TABLE t (a NUMBER) STORAGE (INITIAL 64 K NEXT 1M MINEXTENTS 1 MAXEXTENTS UNLIMITED "
        "PCTINCREASE 0 FREELISTS 1 FREELIST GROUPS 1 MAXSIZE UNLIMITED CELL_FLASH_CACHE KEEP)",
        "",
        STORAGE,
    ),
    Ruling("ALTER TABLE t STORAGE (INITIAL 1M)", "ORA-02203", "STORAGE, Restriction on INITIAL", (T,)),
    Ruling("ALTER INDEX i STORAGE (INITIAL 1M)", "ORA-02203", "STORAGE, Restriction on INITIAL", (T, INDEX)),
    Ruling("ALTER TABLE t STORAGE (NEXT 1M)", "ORA-25150", "ERR, ORA-25150: automatic extents", (T,)),
    Ruling("ALTER TABLE t STORAGE (MINEXTENTS 2)", "ORA-25150", "STORAGE, Restrictions on MINEXTENTS", (T,)),
    Ruling("ALTER TABLE t STORAGE (BUFFER_POOL DEFAULT)", "", STORAGE, (T,)),
    Ruling("ALTER INDEX i REBUILD STORAGE (INITIAL 2M)", "", "SQL, ALTER INDEX, REBUILD", (T, INDEX)),
]

ANSWERS = [
    # 100 KB are 13 blocks; the tablespace's extents are automatic, so that NEXT and MINEXTENTS are its own.
    Answer(
        f"{OF_TABLES} FROM user_tables",
        [(106496, 1048576, 1, 2147483645, "KEEP", "NONE", "DEFAULT")],
        "VIEWS, ALL_TABLES",
        (T,),
    ),
    Answer(
        "SELECT initial_extent, buffer_pool FROM user_indexes", [(1048576, "RECYCLE")], "VIEWS", (T, INDEX)
    ),
    Answer(
        "SELECT segment_type, initial_extent, buffer_pool FROM user_segments ORDER BY 1",
        [("INDEX", 1048576, "RECYCLE"), ("TABLE", 106496, "KEEP")],
        "VIEWS, DBA_SEGMENTS",
        (T, INDEX, "INSERT INTO t VALUES (1)"),
    ),
    Answer(
        "SELECT buffer_pool FROM user_tables",
        [("RECYCLE",)],
        STORAGE,
        (T, "ALTER TABLE t STORAGE (BUFFER_POOL RECYCLE)"),
    ),
    Answer(
        "SELECT partition_name, initial_extent, buffer_pool FROM user_tab_partitions ORDER BY 1",
        [("P1", 1048576, "KEEP"), ("P2", 1048576, "RECYCLE")],
        "STORAGE, BUFFER_POOL: partitions inherit it",
        (PARTITIONED,),
    ),
    Answer(
        "SELECT def_initial_extent, def_buffer_pool FROM user_part_tables",
        [("128", "KEEP")],
        "VIEWS, ALL_PART_TABLES: in blocks",
        (PARTITIONED,),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_rulings(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answers(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)


def test_ddl_repeats_it(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute(T)
        cursor.execute(INDEX)
        texts = []
        for kind, name in (("TABLE", "T"), ("INDEX", "I")):
            cursor.execute("SELECT DBMS_METADATA.GET_DDL(:1, :2) FROM dual", [kind, name])
            lob: oracledb.LOB
            (lob,) = cursor.fetchone()
            texts.append(str(lob.read()))
    assert "STORAGE(INITIAL 106496 NEXT 1048576 MINEXTENTS 1" in texts[0]
    assert "BUFFER_POOL KEEP FLASH_CACHE NONE CELL_FLASH_CACHE DEFAULT" in texts[0]
    assert "STORAGE(INITIAL 1048576 " in texts[1]
    assert "BUFFER_POOL RECYCLE" in texts[1]
