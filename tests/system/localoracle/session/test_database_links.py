"""Database links: their statements, views and rights."""

from __future__ import annotations

import datetime
import threading

import oracledb
import pytest

from localoracle.instance import links
from localoracle.instance.cluster import Cluster
from support.stand_in import SYSTEM_PASSWORD
from support.waiting import until


@pytest.fixture
def cursor(pair):
    with pair.near.connect() as connection, connection.cursor() as cursor:
        yield cursor


def refused(cursor, statement: str) -> str:
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute(statement)
    return caught.value.args[0].full_code


def test_a_link_shows_in_the_views_of_those_who_may_use_it(pair, cursor):
    cursor.execute(f"create public database link everybodys {pair.link('scott', 'tiger')}")
    cursor.execute('create user linkless identified by "pw"')
    cursor.execute("grant create session to linkless")
    cursor.execute("select db_link, username, host from user_db_links")
    assert cursor.fetchall() == [("FAR", "SYSTEM", pair.far.dsn)]
    with pair.near.connect("LINKLESS", "pw") as other, other.cursor() as theirs:
        theirs.execute("select owner, db_link, valid from all_db_links")
        assert theirs.fetchall() == [("PUBLIC", "EVERYBODYS", "YES")]
        assert (
            refused(theirs, "create database link mine connect to a identified by b using 'c'") == "ORA-01031"
        )
        assert refused(theirs, "drop public database link everybodys") == "ORA-01031"
    cursor.execute("drop public database link everybodys")
    cursor.execute("drop user linkless cascade")


def test_duplicates_and_absent_links(pair, cursor):
    assert refused(cursor, f"create database link far {pair.link('a', 'b')}") == "ORA-02011"
    assert refused(cursor, "drop database link nowhere") == "ORA-02024"
    assert refused(cursor, "drop public database link far") == "ORA-02024"
    assert refused(cursor, "alter session close database link far") == "ORA-02081"
    assert (
        refused(cursor, "create shared database link s connect to a identified by b using 'c'") == "ORA-03001"
    )
    assert refused(cursor, "create database link s using 'c'") == "ORA-03001"


def test_a_users_links_go_with_the_user(pair, cursor):
    cursor.execute('create user shortlived identified by "pw"')
    cursor.execute("grant create session, create database link to shortlived")
    with pair.near.connect("SHORTLIVED", "pw") as other, other.cursor() as theirs:
        theirs.execute(f"create database link own.domain {pair.link('scott', 'tiger')}")
        theirs.execute("alter database link own.domain connect to scott identified by lion")
        theirs.execute("select db_link from user_db_links")
        assert theirs.fetchall() == [("OWN.DOMAIN",)]
    cursor.execute("drop user shortlived cascade")
    cursor.execute("select count(*) from dba_db_links where owner = 'SHORTLIVED'")
    assert cursor.fetchone() == (0,)


def test_the_password_is_written_nowhere_in_clear(pair, cursor):
    cursor.execute(f"create database link secretive {pair.link('scott', 'Tr0ub4dor')}")
    cursor.execute("select * from dba_db_links")
    assert "Tr0ub4dor" not in str(cursor.fetchall())
    assert "Tr0ub4dor" not in pair.near.statement_log.read_text()
    cursor.execute("drop database link secretive")


def test_sealed_passwords_need_the_key_of_their_instance(pair):
    sealed = links.seal(pair.near.instance, SYSTEM_PASSWORD)
    assert SYSTEM_PASSWORD.encode() not in sealed
    assert links.unseal(pair.near.instance, sealed) == SYSTEM_PASSWORD
    assert (pair.near.instance.root / "links.key").stat().st_mode & 0o077 == 0


@pytest.fixture
def remote_tables(pair):
    with pair.far.connect() as far, far.cursor() as cursor:
        cursor.execute("create table STOCK (id number, name varchar2(40), price number(9,2), since date)")
        cursor.execute("create table PLACES (id number, place nvarchar2(20), plan clob)")
        rows = [(n, f"part {n}", n / 4, datetime.datetime(2024, 1, 1, 12, 0, n % 60)) for n in range(450)]
        cursor.executemany("insert into STOCK values (:1, :2, :3, :4)", rows)
        cursor.executemany("insert into PLACES values (:1, :2, 'x')", [(n, f"né {n}") for n in range(3)])
        far.commit()
        yield rows
        cursor.execute("drop table STOCK")
        cursor.execute("drop table PLACES")


def test_queries_run_at_the_other_end(pair, cursor, remote_tables):
    cursor.execute("select * from stock@far order by id")
    assert cursor.fetchall() == remote_tables
    assert [column[0] for column in cursor.description] == ["ID", "NAME", "PRICE", "SINCE"]
    cursor.execute("select name from system.STOCK@far s where s.id = :1 and s.name <> 'x@y'", [7])
    assert cursor.fetchall() == [("part 7",)]
    cursor.execute(
        "with few as (select id, place from places@far) select s.id, f.place from few f"
        ' join "STOCK"@far s on s.id = f.id where s.price >= :low order by 1',
        low=0.25,
    )
    assert cursor.fetchall() == [(1, "né 1"), (2, "né 2")]
    cursor.execute("select name, '@far' from v$database@far")
    assert cursor.fetchone() == ("FAR", "@far")
    cursor.execute("select count(*) from dual@far where 1 = :1", [None])
    assert cursor.fetchone() == (0,)
    assert r'"sql": "select * from \"STOCK\" order by id"' in pair.far.statement_log.read_text()


def test_what_a_query_over_a_link_cannot_do(pair, cursor, remote_tables):
    cursor.execute("create table HERE (id number)")
    for statement, code in {
        "select * from nothing@far": "ORA-00942",
        "select * from stock@nowhere": "ORA-02019",
        "select plan from places@far": "ORA-22992",
        "select * from stock@far s join here h on h.id = s.id": "ORA-03001",
        "select * from stock@far where id in (select id from here)": "ORA-03001",
        "select * from stock@far, stock@elsewhere": "ORA-03001",
        "insert into here select id from stock@far": "ORA-03001",
        "begin for r in (select id from stock@far) loop null; end loop; end;": "ORA-03001",
    }.items():
        assert refused(cursor, statement) == code, statement
    with pytest.raises(oracledb.DatabaseError, match="ORA-02063: preceding line from FAR"):
        cursor.execute("select * from nothing@far")
    cursor.execute("drop table HERE")


def test_the_rights_of_the_links_user_count(pair, cursor, remote_tables):
    with pair.far.connect() as far, far.cursor() as theirs:
        theirs.execute('create user reader identified by "reader"')
        theirs.execute("grant create session to reader")
        cursor.execute(f"create database link as_reader {pair.link('reader', 'reader')}")
        assert refused(cursor, "select count(*) from system.stock@as_reader") == "ORA-00942"
        theirs.execute("grant select on stock to reader")
        cursor.execute("select count(*) from system.stock@as_reader")
        assert cursor.fetchone() == (450,)
        cursor.execute("alter session close database link as_reader")
        theirs.execute("drop user reader")
        assert refused(cursor, "select count(*) from system.stock@as_reader") == "ORA-01017"
        cursor.execute("drop database link as_reader")


def test_a_cancelled_query_ends_at_the_other_end_too(pair, cursor, remote_tables):
    """The link would be of no use until it has ended there: it has 41 billion combinations to count."""
    query = "select count(*) from stock@far a, stock@far b, stock@far c, stock@far d"
    log = pair.far.statement_log
    before = len(log.read_text())

    def cancel_it_at_work():
        running = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%STOCK%' AND state = 'active' AND pid <> "
        with Cluster(pair.far.instance).connect() as postgres:
            until(lambda: postgres.execute(f"{running} pg_backend_pid()").fetchone())
        cursor.connection.cancel()

    threading.Thread(target=cancel_it_at_work).start()
    with pytest.raises(oracledb.DatabaseError, match="ORA-01013"):
        cursor.execute(query)
    until(lambda: '"error": "ORA-01013"' in log.read_text()[before:], "for the other end's log")
    cursor.execute("select 1 from dual@far")
    assert cursor.fetchone() == (1,)
