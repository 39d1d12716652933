"""Database links: their statements, views and rights."""

from __future__ import annotations

import oracledb
import pytest

from localoracle.engine import links
from support.stand_in import SYSTEM_PASSWORD


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
