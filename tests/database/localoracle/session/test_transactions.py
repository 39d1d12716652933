"""Transactions as Oracle has them: statement-level rollback, DDL commits, open cursors survive, breaks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> Iterator[oracledb.Cursor]:
    with schema.connection.cursor() as cursor:
        cursor.execute("create table t (id number primary key, v varchar2(10))")
        yield cursor


def _ids(cursor: oracledb.Cursor) -> list[int]:
    return [row[0] for row in cursor.execute("select id from t order by id").fetchall()]


def _other(schema: Schema) -> list[int]:
    with schema.connect() as connection:
        return _ids(connection.cursor())


def test_failed_statement_undoes_only_itself(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    with pytest.raises(oracledb.IntegrityError):
        cursor.execute("insert into t (id) select 2 - level from dual connect by level <= 2")
    cursor.execute("insert into t (id) values (3)")
    schema.connection.commit()
    assert _other(schema) == [1, 3]


def test_failed_first_statement(schema: Schema, cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("insert into t (id) values ('x')")
    cursor.execute("insert into t (id) values (1)")
    schema.connection.rollback()
    assert _ids(cursor) == []


def test_failed_block_is_undone_as_a_whole(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    with pytest.raises(oracledb.DatabaseError, match="ORA-00001"):
        cursor.execute("begin insert into t (id) values (2); insert into t (id) values (1); end;")
    assert _ids(cursor) == [1]
    with pytest.raises(oracledb.DatabaseError, match="ORA-20001"):
        cursor.execute(
            "begin insert into t (id) values (3); commit; raise_application_error(-20001, 'x'); end;"
        )
    schema.connection.rollback()
    assert _ids(cursor) == [1, 3]


def test_ddl_commits(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("create table t (x number)")
    schema.connection.rollback()
    assert _ids(cursor) == [1]


def test_autocommit(schema: Schema, cursor: oracledb.Cursor) -> None:
    schema.connection.autocommit = True
    cursor.execute("insert into t (id) values (1)")
    cursor.executemany("insert into t (id) values (:1)", [(2,), (3,)])
    assert _other(schema) == [1, 2, 3]


def test_savepoints(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    cursor.execute("savepoint one")
    cursor.execute("insert into t (id) values (2)")
    cursor.execute("rollback to savepoint ONE")
    cursor.execute("insert into t (id) values (3)")
    cursor.execute("rollback to one")
    cursor.execute("commit work")
    assert _other(schema) == [1]
    with pytest.raises(oracledb.DatabaseError, match="ORA-01086"):
        cursor.execute("rollback to one")


def test_read_only_transaction(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("set transaction read only")
    assert _ids(cursor) == []
    with schema.connect() as other:
        other.cursor().execute("insert into t (id) values (1)")
        other.commit()
    assert _ids(cursor) == []
    with pytest.raises(oracledb.DatabaseError, match="ORA-01456"):
        cursor.execute("insert into t (id) values (2)")
    schema.connection.commit()
    assert _ids(cursor) == [1]


@pytest.mark.parametrize("ending", ["commit", "rollback"])
def test_open_query_survives(schema: Schema, cursor: oracledb.Cursor, ending: str) -> None:
    cursor.executemany("insert into t (id) values (:1)", [(number,) for number in range(5000)])
    schema.connection.commit()
    reader = schema.connection.cursor()
    reader.execute("select id from t order by id")
    first = reader.fetchmany(10)
    cursor.execute("delete from t")
    getattr(schema.connection, ending)()
    rest = reader.fetchall()
    assert [row[0] for row in first + rest] == list(range(5000))


def test_error_while_fetching_leaves_the_transaction(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    with pytest.raises(oracledb.DatabaseError, match="ORA-01476"):
        cursor.execute("select 1 / (level - 4000) from dual connect by level <= 5000").fetchall()
    schema.connection.commit()
    assert _other(schema) == [1]


def test_row_locks(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t (id) values (1)")
    schema.connection.commit()
    cursor.execute("select id from t for update").fetchall()
    with schema.connect() as other:
        with pytest.raises(oracledb.DatabaseError, match="ORA-00054"):
            other.cursor().execute("select id from t for update nowait")
        assert other.cursor().execute("select id from t for update skip locked").fetchall() == []
    schema.connection.rollback()


@pytest.mark.slow
def test_deadlock(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into t (id) values (:1)", [(1,), (2,)])
    schema.connection.commit()
    codes = []

    def work(connection: oracledb.Connection, first: int, second: int, ready: threading.Barrier) -> None:
        mine = connection.cursor()
        mine.execute("update t set v = 'x' where id = :1", [first])
        ready.wait()
        try:
            mine.execute("update t set v = 'x' where id = :1", [second])
        except oracledb.DatabaseError as error:
            codes.append(error.args[0].full_code)
        connection.rollback()

    barrier = threading.Barrier(2)
    with schema.connect() as one, schema.connect() as two:
        threads = [
            threading.Thread(target=work, args=(one, 1, 2, barrier)),
            threading.Thread(target=work, args=(two, 2, 1, barrier)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert codes == ["ORA-00060"]


SLOW = [
    "begin dbms_session.sleep(600); end;",
    "select count(*) from (select level from dual connect by level <= 1000000000)",
]


CALL_TIMEOUT, PATIENT = 1000, 60_000
"""Milliseconds. The driver waits as long for the answer to its break, which a busy machine may exceed."""


@pytest.mark.parametrize("sql", SLOW)
def test_cancel(schema: Schema, cursor: oracledb.Cursor, sql: str) -> None:
    cursor.execute("insert into t (id) values (1)")
    timer = threading.Timer(0.3, schema.connection.cancel)
    timer.start()
    with pytest.raises(oracledb.DatabaseError, match="ORA-01013"):
        cursor.execute(sql)
    assert _ids(cursor) == [1]
    schema.connection.commit()


@pytest.mark.slow
@pytest.mark.parametrize("sql", SLOW)
def test_call_timeout(schema: Schema, cursor: oracledb.Cursor, sql: str) -> None:
    cursor.execute("insert into t (id) values (1)")
    schema.connection.call_timeout = CALL_TIMEOUT
    # The call's own has begun by then: what is set now is for the answer to the break.
    timer = threading.Timer(CALL_TIMEOUT / 2000, setattr, (schema.connection, "call_timeout", PATIENT))
    timer.start()
    with pytest.raises(oracledb.DatabaseError, match="DPY-4024"):
        cursor.execute(sql)
    timer.join()
    schema.connection.call_timeout = 0
    assert _ids(cursor) == [1]


@pytest.mark.slow
async def test_call_timeout_async(schema: Schema) -> None:
    async with await schema.connect_async() as connection:
        connection.call_timeout = 5 * CALL_TIMEOUT  # which cannot be changed during a call here
        with pytest.raises(oracledb.DatabaseError, match="DPY-4024"):
            await connection.execute(SLOW[0])
        connection.call_timeout = 0
        assert await connection.fetchone("select 1 from dual") == (1,)


def test_cancel_when_idle(schema: Schema, cursor: oracledb.Cursor) -> None:
    """A break that comes too late must not leave the session unusable."""
    schema.connection.cancel()
    for _ in range(2):
        try:
            assert _ids(cursor) == []
        except oracledb.DatabaseError as error:
            assert error.args[0].full_code == "ORA-01013"  # noqa: PT017
    assert _ids(cursor) == []


def test_lost_client(schema: Schema, cursor: oracledb.Cursor) -> None:
    """A client process that dies mid-statement: cancelled, rolled back, its session gone."""
    import subprocess
    import sys

    program = (
        "import oracledb, sys\n"
        f"c = oracledb.connect(user='{schema.name}', password='{schema.password}', "
        f"dsn='{schema.server.dsn}')\n"
        "c.cursor().execute('insert into t (id) values (9)')\n"
        "print(c.session_id, flush=True)\n"
        f"c.cursor().execute('{SLOW[1]}')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    sid = int(process.stdout.readline())
    time.sleep(0.3)
    process.kill()
    process.wait()
    with schema.server.connect() as system:
        end = time.monotonic() + 60
        while system.cursor().execute("select count(*) from v$session where sid = :1", [sid]).fetchone()[0]:
            assert time.monotonic() < end
            time.sleep(0.05)
    assert _ids(cursor) == []
    cursor.execute("insert into t (id) values (9)")
    schema.connection.rollback()


async def test_many_sessions_at_once(schema: Schema, cursor: oracledb.Cursor) -> None:
    async def work(number: int) -> int:
        async with await schema.connect_async() as connection:
            await connection.executemany(
                "insert into t (id) values (:1)", [(number * 100 + i,) for i in range(50)]
            )
            await connection.commit()
            row = await connection.fetchone("select count(*) from t where trunc(id / 100) = :1", [number])
            return int(row[0])

    assert await asyncio.gather(*(work(number) for number in range(8))) == [50] * 8
