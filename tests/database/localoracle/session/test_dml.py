"""Array DML, RETURNING, Oracle's error numbers and texts, the size of results."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> Iterator[oracledb.Cursor]:
    with schema.connection.cursor() as cursor:
        cursor.execute(
            "create table parent (id number(10) constraint parent_pk primary key, "
            "name varchar2(10) not null, amount number(5,2), kind varchar2(3) constraint parent_kind "
            "check (kind in ('a', 'b')), day date)"
        )
        cursor.execute(
            "create table child (id number(10), "
            "parent_id number(10) constraint child_fk references parent (id))"
        )
        yield cursor


def _count(cursor: oracledb.Cursor, table: str = "parent") -> int:
    return int(cursor.execute(f"select count(*) from {table}").fetchone()[0])


def test_array_insert_of_every_type(schema: Schema) -> None:
    """Many rows go in as one array; they must arrive as single rows would."""
    cursor = schema.connection.cursor()
    cursor.execute(
        "create table wide (n number, v varchar2(20), d date, ts timestamp, r raw(4), f binary_double, "
        "b blob, c clob, i interval day to second)"
    )
    rows: list[tuple[Any, ...]] = [
        (
            Decimal(number) / 8,
            f"näme '{number}'\\",
            datetime(2024, 1, 1) + timedelta(hours=number),
            datetime(2024, 1, 1, 0, 0, 0, number),
            bytes([number % 256]),
            number / 3,
            b"b" * number,
            "c" * number,
            timedelta(seconds=number),
        )
        for number in range(1, 300)
    ] + [(None,) * 9]
    sizes = [
        None,
        None,
        None,
        oracledb.DB_TYPE_TIMESTAMP,
        None,
        oracledb.DB_TYPE_BINARY_DOUBLE,
        None,
        None,
        None,
    ]
    cursor.setinputsizes(*sizes)
    cursor.executemany("insert into wide values (:1, :2, :3, :4, :5, :6, :7, :8, :9)", rows)
    assert cursor.rowcount == 300
    cursor.execute("select n, v, d, ts, r, f, b, c, i from wide order by n nulls last")
    got = [
        tuple(value.read() if isinstance(value, oracledb.LOB) else value for value in row) for row in cursor
    ]
    assert got == [(float(row[0]), *row[1:]) if row[0] is not None else row for row in rows]


def test_array_insert_with_expressions(cursor: oracledb.Cursor) -> None:
    cursor.execute("create sequence numbers")
    cursor.executemany(
        "insert into parent (id, name, day) "
        "values (numbers.nextval, upper(:1) || ' $1', to_date(:2, 'YYYYMMDD'))",
        [("a", "20240101"), ("b", "20240102"), ("c", None)],
    )
    cursor.execute("select id, name, day from parent order by id")
    assert cursor.fetchall() == [
        (1, "A $1", datetime(2024, 1, 1)),
        (2, "B $1", datetime(2024, 1, 2)),
        (3, "C $1", None),
    ]


def test_failing_row_keeps_the_rows_before_it(cursor: oracledb.Cursor) -> None:
    rows = [(number, "x") for number in range(3000)]
    rows[2500] = (2500, "much too long")
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.executemany("insert into parent (id, name) values (:1, :2)", rows)
    (error,) = caught.value.args
    assert error.full_code == "ORA-12899"
    assert error.offset == 2500
    assert cursor.rowcount == 2500
    assert _count(cursor) == 2500


def test_batch_errors(cursor: oracledb.Cursor) -> None:
    rows = [(number, "x" if number % 100 else None) for number in range(1, 1501)]
    cursor.executemany("insert into parent (id, name) values (:1, :2)", rows, batcherrors=True)
    errors = cursor.getbatcherrors()
    assert [error.offset for error in errors] == [99 + 100 * i for i in range(15)]
    assert errors[0].full_code == "ORA-01400"
    assert cursor.rowcount == _count(cursor) == 1485


def test_row_counts_of_array_dml(cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into parent (id, name) values (:1, :2)", [(1, "a"), (2, "b"), (3, "b")])
    cursor.executemany(
        "update parent set amount = 1 where name = :1", [("a",), ("none",), ("b",)], arraydmlrowcounts=True
    )
    assert cursor.getarraydmlrowcounts() == [1, 0, 2]
    assert cursor.rowcount == 3


UPDATE = "update parent set amount = 1 where name = :1"


def test_row_counts_of_a_cursor_that_is_executed_again(cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into parent (id, name) values (:1, :2)", [(1, "a"), (2, "b"), (3, "b")])
    for names, counts in ((["b", "none"], [2, 0]), (["none", "a", "b"], [0, 1, 2]), (["a"], [1])):
        cursor.executemany(UPDATE, [(name,) for name in names], arraydmlrowcounts=True)
        assert cursor.getarraydmlrowcounts() == counts
        assert cursor.rowcount == sum(counts)


def test_row_counts_with_failing_rows_of_a_cursor_that_is_executed_again(cursor: oracledb.Cursor) -> None:
    insert = "insert into parent (id, name) values (:1, :2)"
    for start in (1, 3):
        rows = [(start, "a"), (start + 1, None), (start + 1, "b")]
        cursor.executemany(insert, rows, batcherrors=True, arraydmlrowcounts=True)
        assert [(error.offset, error.full_code) for error in cursor.getbatcherrors()] == [(1, "ORA-01400")]
        assert cursor.getarraydmlrowcounts() == [1, 0, 1]
    # Nothing fails, nothing is counted, row by row or in one array: the next answer has neither.
    cursor.executemany(UPDATE, [("a",), ("b",)])
    cursor.executemany(UPDATE, [("a",), ("b",)])
    assert cursor.rowcount == _count(cursor) == 4


def test_row_counts_end_with_an_execution_in_full(cursor: oracledb.Cursor) -> None:
    """The driver describes its binds anew where they grow: that execution asks for no counts."""
    cursor.executemany("insert into parent (id, name) values (:1, :2)", [(1, "a"), (2, "b")])
    cursor.executemany(UPDATE, [("a",)], arraydmlrowcounts=True)
    cursor.executemany(UPDATE, [("a longer name",), ("b",)])
    assert cursor.rowcount == 1
    cursor.executemany(UPDATE, [("b",), ("b",)])
    assert cursor.rowcount == 2


def test_returning(cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into parent (id, name) values (:1, :2)", [(1, "a"), (2, "b")])
    ids, names = cursor.var(int), cursor.var(str)
    cursor.execute(
        "update parent set name = name || '!' where id < :1 returning id, name into :2, :3", [9, ids, names]
    )
    assert sorted(zip(ids.getvalue(), names.getvalue(), strict=True)) == [(1, "a!"), (2, "b!")]
    cursor.execute("delete from parent where id = 77 returning id, name into :1, :2", [ids, names])
    assert ids.getvalue() == []


def test_returning_of_many_rows(cursor: oracledb.Cursor) -> None:
    out = cursor.var(int, arraysize=3)
    cursor.setinputsizes(None, None, out)
    cursor.executemany(
        "insert into parent (id, name) values (:1, :2) returning id * 10 into :3",
        [(1, "a"), (2, "b"), (3, "c")],
    )
    assert [out.getvalue(i) for i in range(3)] == [[10], [20], [30]]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "insert into parent (id, name) values (1, 'dup')",
            "ORA-00001: unique constraint ({s}.PARENT_PK) violated",
        ),
        ("insert into parent (id) values (2)", 'ORA-01400: cannot insert NULL into ("{s}"."PARENT"."NAME")'),
        ("update parent set name = null", 'ORA-01407: cannot update ("{s}"."PARENT"."NAME") to NULL'),
        (
            "insert into parent (id, name, amount) values (2, 'x', 1000)",
            "ORA-01438: value larger than specified",
        ),
        ("insert into parent (id, name) values ('x', 'x')", "ORA-01722: invalid number"),
        ("select 1 / 0 from dual", "ORA-01476: divisor is equal to zero"),
        (
            "insert into parent (id, name, kind) values (2, 'x', 'c')",
            "ORA-02290: check constraint ({s}.PARENT_KIND)",
        ),
        (
            "insert into child values (1, 99)",
            "ORA-02291: integrity constraint ({s}.CHILD_FK) violated - parent key",
        ),
        (
            "delete from parent",
            "ORA-02292: integrity constraint ({s}.CHILD_FK) violated - child record found",
        ),
        ("update parent set id = (select level from dual connect by level < 3)", "ORA-01427"),
        ("select * from nothing_here", "ORA-00942: table or view does not exist"),
        ("select nothing from parent", 'ORA-00904: "NOTHING": invalid identifier'),
        ("create table parent (a number)", "ORA-00955: name is already used by an existing object"),
        ("select a.nextval from dual", "ORA-02289: sequence does not exist"),
        ("insert into parent (id, name) values (1)", "ORA-00947: not enough values"),
        ("insert into parent (id, name) values (1, 'a', 3)", "ORA-00913: too many values"),
        ("drop index nothing_here", "ORA-01418: specified index does not exist"),
    ],
)
def test_error_texts(schema: Schema, cursor: oracledb.Cursor, sql: str, message: str) -> None:
    cursor.execute("insert into parent (id, name) values (1, 'one')")
    cursor.execute("insert into child values (1, 1)")
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute(sql)
    assert message.format(s=schema.name) in str(caught.value)
    assert _count(cursor) == 1


def test_too_long_names_the_column(schema: Schema, cursor: oracledb.Cursor) -> None:
    expected = f'"{schema.name}"."PARENT"."NAME" (actual: 11, maximum: 10)'
    for sql in ("insert into parent (id, name) values (1, :1)", "update parent set name = :1"):
        cursor.execute("delete from parent")
        cursor.execute("insert into parent (id, name) values (7, 'x')")
        with pytest.raises(oracledb.DatabaseError) as caught:
            cursor.execute(sql, ["x" * 11])
        assert expected in str(caught.value)


def test_missing_bind(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("select :1, :2 from dual", [1])
    assert _count(cursor) == 0


@pytest.mark.slow
def test_big_result_streams(schema: Schema, cursor: oracledb.Cursor) -> None:
    """A result of some 100 MB must not pile up in the server."""
    import os
    from pathlib import Path

    pid = int(schema.server.instance.pid_file.read_text())

    def resident() -> int:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    cursor.arraysize = cursor.prefetchrows = 2000
    cursor.execute("select level, rpad('x', 500, 'y') from dual connect by level <= 200000")
    total = peak = 0
    while rows := cursor.fetchmany(20_000):
        total += len(rows)
        peak = max(peak, resident())
    assert total == 200_000
    assert peak - before < 60 << 20
