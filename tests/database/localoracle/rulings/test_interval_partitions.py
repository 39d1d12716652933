# ruff: noqa: E501 - statements read better on one line
"""Interval partitions: what may be said of them, and that they come with the rows.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR), VLDB and Partitioning Guide 19c (VLDB).
"""

from __future__ import annotations

import datetime

import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema

INTERVAL = "SQL, CREATE TABLE, INTERVAL Clause, Restrictions on Interval Partitioning"
ALTER = "SQL, ALTER TABLE, alter_interval_partitioning"
ERR = "ERR, the message"

NUMBERS = "CREATE TABLE n (k NUMBER, v NUMBER) PARTITION BY RANGE (k) INTERVAL (10) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
DAYS = "CREATE TABLE d (k DATE, v NUMBER) PARTITION BY RANGE (k) INTERVAL (NUMTODSINTERVAL(1, 'DAY')) (PARTITION p1 VALUES LESS THAN (DATE '2020-01-01'))"
MONTHS = "CREATE TABLE m (k DATE, v NUMBER) PARTITION BY RANGE (k) INTERVAL (NUMTOYMINTERVAL(1, 'MONTH')) (PARTITION p1 VALUES LESS THAN (DATE '2020-01-01'))"
RANGE = "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10))"
OPEN = "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (MAXVALUE))"
LIST = "CREATE TABLE l (k NUMBER, v NUMBER) PARTITION BY LIST (k) (PARTITION p1 VALUES (1))"


def by(columns: str, key: str, interval: str, bound: str) -> str:
    return f"CREATE TABLE n ({columns}) PARTITION BY RANGE ({key}) INTERVAL ({interval}) (PARTITION p1 VALUES LESS THAN ({bound}))"


RULINGS = [
    Ruling(NUMBERS, "", INTERVAL),
    Ruling(DAYS, "", INTERVAL),
    Ruling(MONTHS, "", INTERVAL),
    Ruling(by("k TIMESTAMP", "k", "INTERVAL '1' HOUR", "TIMESTAMP '2020-01-01 00:00:00'"), "", INTERVAL),
    Ruling(by("k FLOAT", "k", "0.5", "1"), "", INTERVAL),
    Ruling(by("k DATE", "k", "INTERVAL '1' YEAR", "DATE '2020-01-01'"), "", INTERVAL),
    Ruling(by("k DATE", "k", "INTERVAL '7' DAY", "DATE '2020-01-31'"), "", INTERVAL),
    Ruling(by("a NUMBER, b NUMBER", "a, b", "1", "1, 1"), "ORA-14750", ERR),
    Ruling(by("k VARCHAR2(9)", "k", "1", "'1'"), "ORA-14751", ERR),
    Ruling(
        by("k TIMESTAMP WITH LOCAL TIME ZONE", "k", "INTERVAL '1' DAY", "TIMESTAMP '2020-01-01 00:00:00'"),
        "ORA-14751",
        ERR,
    ),
    Ruling(by("k DATE", "k", "1", "DATE '2020-01-01'"), "ORA-14752", ERR),
    Ruling(by("k NUMBER", "k", "INTERVAL '1' DAY", "1"), "ORA-14752", ERR),
    Ruling(by("k NUMBER, v NUMBER", "k", "v", "1"), "ORA-14752", ERR),
    Ruling(by("k NUMBER", "k", "'1'", "1"), "ORA-14752", ERR),
    Ruling(by("k NUMBER", "k", "0", "1"), "ORA-14753", ERR),
    Ruling(by("k NUMBER", "k", "10", "MAXVALUE"), "ORA-14761", ERR),
    Ruling(by("k DATE", "k", "INTERVAL '1' MONTH", "DATE '2020-01-31'"), "ORA-14767", ERR),
    Ruling(by("k DATE", "k", "INTERVAL '1' MONTH", "DATE '2020-01-28'"), "", ERR),
    Ruling("INSERT INTO n VALUES (20, 1)", "", INTERVAL, (NUMBERS,)),
    Ruling("INSERT INTO n VALUES (1234567, 1)", "", INTERVAL, (NUMBERS,)),
    Ruling("INSERT INTO n VALUES (NULL, 1)", "ORA-14400", "SQL: no NULL for the key", (NUMBERS,)),
    Ruling("INSERT INTO n VALUES (10485760, 1)", "ORA-14300", ERR, (NUMBERS,)),
    Ruling("INSERT INTO n SELECT LEVEL * 7, 1 FROM dual CONNECT BY LEVEL < 20", "", INTERVAL, (NUMBERS,)),
    Ruling(
        "UPDATE n SET k = 99",
        "ORA-14402",
        "SQL, row_movement_clause",
        (NUMBERS, "INSERT INTO n VALUES (1, 1)"),
    ),
    Ruling(
        "UPDATE n SET k = 99",
        "",
        "SQL, row_movement_clause",
        (f"{NUMBERS} ENABLE ROW MOVEMENT", "INSERT INTO n VALUES (1, 1)"),
    ),
    Ruling(
        "MERGE INTO n USING (SELECT 77 k FROM dual) s ON (n.k = s.k) WHEN NOT MATCHED THEN INSERT VALUES (s.k, 1)",
        "",
        INTERVAL,
        (NUMBERS,),
    ),
    Ruling(
        "BEGIN INSERT INTO n VALUES (55, 1); INSERT INTO n VALUES (66, 1); END;", "", INTERVAL, (NUMBERS,)
    ),
    Ruling("ALTER TABLE n ADD PARTITION p3 VALUES LESS THAN (30)", "ORA-14760", ERR, (NUMBERS,)),
    Ruling("ALTER TABLE n DROP PARTITION p1", "", "VLDB, Dropping Interval Partitions", (NUMBERS,)),
    Ruling("ALTER TABLE n DROP PARTITION p2", "ORA-14758", ERR, (NUMBERS,)),
    Ruling("ALTER TABLE r SET INTERVAL (10)", "", ALTER, (RANGE,)),
    Ruling("INSERT INTO r VALUES (99, 1)", "", ALTER, (RANGE, "ALTER TABLE r SET INTERVAL (10)")),
    Ruling("INSERT INTO n VALUES (99, 1)", "ORA-14400", ALTER, (NUMBERS, "ALTER TABLE n SET INTERVAL ()")),
    Ruling(
        "INSERT INTO n VALUES (29, 1)",
        "",
        ALTER,
        (NUMBERS, "INSERT INTO n VALUES (25, 1)", "ALTER TABLE n SET INTERVAL ()"),
    ),
    Ruling(
        "ALTER TABLE n ADD PARTITION p3 VALUES LESS THAN (30)",
        "",
        ALTER,
        (NUMBERS, "ALTER TABLE n SET INTERVAL ()"),
    ),
    Ruling(
        "INSERT INTO n VALUES (99, 1)",
        "",
        ALTER,
        (NUMBERS, "INSERT INTO n VALUES (25, 1)", "ALTER TABLE n SET INTERVAL (100)"),
    ),
    Ruling("ALTER TABLE r SET INTERVAL (10)", "ORA-14761", ERR, (OPEN,)),
    Ruling("ALTER TABLE l SET INTERVAL (10)", "ORA-14759", ERR, (LIST,)),
    Ruling("ALTER TABLE t SET INTERVAL (10)", "ORA-14501", ERR, ("CREATE TABLE t (k NUMBER)",)),
    Ruling("CREATE UNIQUE INDEX i ON n (v) LOCAL", "ORA-14039", "SQL, CREATE INDEX", (NUMBERS,)),
    Ruling(
        "INSERT INTO n VALUES (55, 1)",
        "ORA-00001",
        "SQL, constraint",
        (NUMBERS, "ALTER TABLE n ADD PRIMARY KEY (k)", "INSERT INTO n VALUES (55, 1)"),
    ),
    Ruling(
        "INSERT INTO n VALUES (55, NULL)",
        "ORA-01400",
        "SQL, constraint",
        (NUMBERS, "ALTER TABLE n MODIFY v NOT NULL"),
    ),
    Ruling(
        "INSERT INTO n VALUES (55, -1)",
        "ORA-02290",
        "SQL, constraint",
        (NUMBERS, "ALTER TABLE n ADD CHECK (v > 0)"),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_interval_partitions(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


def test_rows_make_their_partitions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(MONTHS)
    cursor.execute("CREATE INDEX m_v ON m (v) LOCAL")
    rows = [(datetime.datetime(2020, month, 15), month) for month in (3, 1, 3, 12)]
    cursor.executemany("INSERT INTO m VALUES (:1, :2)", rows)
    cursor.execute("INSERT INTO m VALUES (DATE '2019-12-31', 0)")
    cursor.execute(
        "SELECT partition_name, high_value, interval FROM user_tab_partitions ORDER BY partition_position"
    )
    names, highs, intervals = zip(*cursor.fetchall(), strict=True)
    assert intervals == ("NO", "YES", "YES", "YES")
    assert [high.split("'")[1].strip() if high.startswith("TO_DATE") else high for high in highs] == [
        "DATE '2020-01-01'", "2020-02-01 00:00:00", "2020-04-01 00:00:00", "2021-01-01 00:00:00"
    ]  # fmt: skip
    assert names[0] == "P1"
    assert all(name.startswith("SYS_P") for name in names[1:])
    cursor.execute(f"SELECT v FROM m PARTITION ({names[2]}) ORDER BY v")
    assert cursor.fetchall() == [(3,), (3,)]
    cursor.execute("SELECT partition_name, interval FROM user_ind_partitions ORDER BY partition_position")
    assert cursor.fetchall() == list(zip(names, intervals, strict=True))
    cursor.execute("SELECT interval, partition_count, partitioning_type FROM user_part_tables")
    assert cursor.fetchall() == [("NUMTOYMINTERVAL(1, 'MONTH')", 1048575, "RANGE")]
    schema.connection.rollback()
    cursor.execute("SELECT COUNT(*) FROM user_tab_partitions")
    assert cursor.fetchone() == (4,), "they stay when the rows go"


@pytest.mark.parametrize(
    ("interval", "first", "key", "bound"),
    [
        ("INTERVAL '1' DAY", "DATE '2020-02-28'", "DATE '2020-02-29'", "2020-03-01 00:00:00"),
        ("INTERVAL '6' HOUR", "DATE '2020-01-01'", "TO_DATE('2020-01-01 17:59:59', 'YYYY-MM-DD HH24:MI:SS')", "2020-01-01 18:00:00"),
        ("INTERVAL '7' DAY", "DATE '2020-01-01'", "DATE '2020-01-15'", "2020-01-22 00:00:00"),
        ("INTERVAL '1' MONTH", "DATE '2020-01-28'", "DATE '2021-03-01'", "2021-03-28 00:00:00"),
        ("INTERVAL '3' MONTH", "DATE '2020-01-01'", "DATE '2020-12-31'", "2021-01-01 00:00:00"),
        ("NUMTOYMINTERVAL(1, 'YEAR')", "DATE '2020-01-01'", "DATE '2024-02-29'", "2025-01-01 00:00:00"),
    ],
)  # fmt: skip
def test_the_bounds_are_whole_intervals_behind_the_last_range(
    schema: Schema, interval: str, first: str, key: str, bound: str
) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(by("k DATE", "k", interval, first))
    cursor.execute(f"INSERT INTO n VALUES ({key})")
    cursor.execute("SELECT high_value FROM user_tab_partitions WHERE interval = 'YES'")
    ((high,),) = cursor.fetchall()
    assert high == f"TO_DATE(' {bound}', 'SYYYY-MM-DD HH24:MI:SS', 'NLS_CALENDAR=GREGORIAN')"


def test_the_definition_holds_the_interval_and_makes_the_table_again(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(NUMBERS)
    cursor.execute("INSERT INTO n VALUES (35, 1)")
    schema.connection.commit()
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'N') FROM dual")
    ((text,),) = cursor.fetchall()
    definition = str(text)
    assert "INTERVAL (10)" in definition
    assert "SYS_P" not in definition
    cursor.execute("DROP TABLE n")
    cursor.execute(definition)
    cursor.execute("INSERT INTO n VALUES (35, 1)")
    cursor.execute("SELECT COUNT(*) FROM user_tab_partitions WHERE interval = 'YES'")
    assert cursor.fetchone() == (1,)


def test_sessions_that_ask_for_the_same_partition_share_it(schema: Schema) -> None:
    schema.connection.cursor().execute(NUMBERS)
    with schema.connect() as other:
        for connection in (schema.connection, other):
            connection.cursor().execute("INSERT INTO n VALUES (35, 1)")
        for connection in (schema.connection, other):
            connection.commit()
    cursor = schema.connection.cursor()
    cursor.execute("SELECT COUNT(*) FROM n")
    assert cursor.fetchone() == (2,)
    cursor.execute("SELECT COUNT(*) FROM user_tab_partitions WHERE interval = 'YES'")
    assert cursor.fetchone() == (1,)


def test_a_transaction_that_holds_the_table_gets_its_partition(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(NUMBERS)
    cursor.execute("LOCK TABLE n IN EXCLUSIVE MODE")
    cursor.execute("INSERT INTO n VALUES (35, 1)")
    schema.connection.commit()
    cursor.execute("SELECT COUNT(*) FROM n")
    assert cursor.fetchone() == (1,)
