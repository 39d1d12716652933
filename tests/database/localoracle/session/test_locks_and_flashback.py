"""How long locks are waited for, and what a flashback query may not read across."""

from __future__ import annotations

import time

import oracledb
import pytest

from support.stand_in import Schema


def _code(caught: pytest.ExceptionInfo[oracledb.DatabaseError]) -> int:
    return int(caught.value.args[0].code)


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    with schema.server.sys() as system:
        system.cursor().execute(f"grant execute on dbms_flashback to {schema.name}")
    cursor = schema.connection.cursor()
    cursor.execute("create table held (n number primary key, s varchar2(10))")
    cursor.execute("insert into held select level, 'x' from dual connect by level <= 5")
    schema.connection.commit()
    return cursor


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "code", "seconds"),
    [
        ("select n from held for update nowait", 54, 0),
        ("select n from held for update wait 0", 54, 0),
        ("select n from held for update wait 1", 30006, 1),
        ("select n from held where n = 1 for update of s wait 1", 30006, 1),
        ("lock table held in exclusive mode nowait", 54, 0),
        ("lock table held in exclusive mode wait 1", 54, 1),
    ],
)
def test_lock_that_another_holds(
    schema: Schema, cursor: oracledb.Cursor, statement: str, code: int, seconds: int
) -> None:
    cursor.execute("update held set s = 'held' where n = 1")
    with schema.connect() as other:
        second = other.cursor()
        second.execute("insert into held values (6, 'kept')")
        begin = time.monotonic()
        with pytest.raises(oracledb.DatabaseError) as caught:
            second.execute(statement)
        assert _code(caught) == code
        # The time that a client of a busy machine waits besides is nobody's; minutes would be another unit.
        assert seconds <= time.monotonic() - begin < seconds + 30
        # The failed statement is undone, the transaction is not; WAIT holds for its statement only.
        other.commit()
        schema.connection.commit()
        second.execute(statement)
        assert second.execute("select s from held where n = 6").fetchone() == ("kept",)
        (timeout,) = second.execute("select count(*) n from held").fetchone()
        assert timeout == 6


def test_skip_locked(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("update held set s = 'held' where n = 1")
    with schema.connect() as other:
        found = other.cursor().execute("select n from held for update skip locked").fetchall()
    assert sorted(found) == [(2,), (3,), (4,), (5,)]


def _scn(cursor: oracledb.Cursor) -> int:
    (scn,) = cursor.execute("select dbms_flashback.get_system_change_number from dual").fetchone()
    return int(scn)


@pytest.mark.parametrize(
    "change",
    [
        "truncate table held",
        "alter table held modify s number",
        "alter table held modify s default 'y'",
        "alter table held add constraint positive check (n > 0) enable novalidate",
        "alter table held add constraint few unique (s) disable",
        "alter table held drop column s",
        "drop table held purge",
    ],
)
def test_definition_changed_since(schema: Schema, cursor: oracledb.Cursor, change: str) -> None:
    """TRUNCATE would show nothing where there were rows: ORA-01466, as for Data Pump."""
    cursor.execute("create view shown as select n from held")
    scn = _scn(cursor)
    count = f"select count(*) n from held as of scn {scn}"
    assert cursor.execute(count).fetchone() == (5,)
    cursor.execute("insert into held values (7, 'x')")
    schema.connection.commit()
    assert cursor.execute(count).fetchone() == (5,)
    if "modify s number" in change:
        cursor.execute("delete from held")
        schema.connection.commit()
    cursor.execute(change)
    for statement in (count, f"select * from shown as of scn {scn}", f"create table copied as {count}"):
        with pytest.raises(oracledb.DatabaseError) as caught:
            cursor.execute(statement).fetchall()
        gone = 4063 if "from shown" in statement else 942  # the view has errors, the table is not there
        assert _code(caught) == (gone if "drop table" in change else 1466), statement
    assert cursor.execute("select count(*) from user_tables where table_name = 'COPIED'").fetchone() == (0,)


def test_made_since(schema: Schema, cursor: oracledb.Cursor) -> None:
    scn = _scn(cursor)
    cursor.execute("create table later (n number)")
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute(f"select n from later as of scn {scn}")
    assert _code(caught) == 1466


def test_partitions_and_indexes_since(schema: Schema, cursor: oracledb.Cursor) -> None:
    """An index that was made since does not matter, a partition does."""
    cursor.execute(
        "create table parted (n number) partition by range (n) "
        "(partition p1 values less than (10), partition p2 values less than (20))"
    )
    cursor.execute("insert into parted values (15)")
    schema.connection.commit()
    scn = _scn(cursor)
    query = f"select count(*) from parted as of scn {scn}"
    cursor.execute("create index parted_n on parted (n)")
    assert cursor.execute(query).fetchone() == (1,)
    cursor.execute(f"create table copied as select n from parted as of scn {scn} where n = 15")
    cursor.execute("alter table parted drop partition p2")
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute(query)
    assert _code(caught) == 1466
