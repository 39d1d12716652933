"""Calls of supplied packages against the documented signatures, in PL/SQL and in SQL."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema, Server

IN_PLSQL = [
    # a function is no statement, a procedure no expression
    Ruling("begin dbms_fuse.fs_chmod('/x', 1); end;", "PLS-00221", "errmg PLS-00221"),
    Ruling("declare n number; begin n := dbms_output.put_line('x'); end;", "PLS-00222", "errmg PLS-00222"),
    Ruling("begin dbms_crypto.hash_sh256; end;", "PLS-00221", "errmg PLS-00221"),
    Ruling(
        "declare l dbms_dbfs_content_list_items_t; begin l := dbms_dbfs_content.list('/x'); end;",
        "PLS-00653",
        "errmg PLS-00653",
    ),
    Ruling("begin dbms_dbfs_content.list('/x'); end;", "PLS-00221", "errmg PLS-00221"),
    # names
    Ruling("begin dbms_output.no_such('x'); end;", "PLS-00302", "errmg PLS-00302"),
    Ruling("declare n number; begin n := dbms_output.no_such; end;", "PLS-00302", "errmg PLS-00302"),
    Ruling("begin dbms_nothing.put_line('x'); end;", "PLS-00201", "errmg PLS-00201"),
    # number, names, types and directions of arguments
    Ruling("begin dbms_output.put_line; end;", "PLS-00306", "arpls DBMS_OUTPUT"),
    Ruling("begin dbms_output.put_line('a', 'b'); end;", "PLS-00306", "arpls DBMS_OUTPUT"),
    Ruling("begin dbms_output.put_line(text => 'a'); end;", "PLS-00306", "dbmsotpt.sql"),
    Ruling("begin dbms_output.put_line(true); end;", "PLS-00306", "arpls DBMS_OUTPUT"),
    Ruling("begin dbms_output.get_line('a', 1); end;", "PLS-00306", "arpls DBMS_OUTPUT"),
    Ruling(
        "declare d date; begin dbms_output.enable(d); end;",
        "PLS-00306",
        "lnpls, PL/SQL Data Type Conversion",
    ),
    Ruling(
        "declare l dbms_output.chararr; begin dbms_output.put_line(l); end;", "PLS-00306", "arpls DBMS_OUTPUT"
    ),
    Ruling("begin dbms_output.put_line(dbms_lob.getlength(true)); end;", "PLS-00306", "arpls DBMS_LOB"),
    Ruling("begin dbms_random.seed(null); end;", "PLS-00307", "errmg PLS-00307, arpls DBMS_RANDOM"),
    # documented, but not here
    Ruling("begin dbms_scheduler.run_job('J'); end;", "ORA-03001", "arpls DBMS_SCHEDULER"),
    Ruling("begin dbms_sqltune.drop_sqlset('S'); end;", "ORA-03001", "arpls DBMS_SQLTUNE"),
    Ruling("declare n number; begin n := utl_http.request('x'); end;", "ORA-03001", "arpls UTL_HTTP"),
]

IN_SQL = [
    Ruling("select dbms_crypto.hash_sh256 from dual", "ORA-06553: PLS-221", "errmg ORA-06553"),
    Ruling("select dbms_lob.no_such(1) from dual", "ORA-00904", "errmg ORA-00904"),
    Ruling("select dbms_lob.no_such from dual", "ORA-00904", "errmg ORA-00904"),
    Ruling("select dbms_output.put_line('x') from dual", "ORA-06553: PLS-222", "errmg ORA-06553"),
    Ruling("select utl_raw.length() from dual", "ORA-06553: PLS-306", "arpls UTL_RAW"),
    Ruling("select utl_raw.length(raw_value => 'AB') from dual", "ORA-06553: PLS-306", "arpls UTL_RAW"),
    Ruling("select utl_raw.length('AB', 1) from dual", "ORA-06553: PLS-306", "arpls UTL_RAW"),
    Ruling("select dbms_random.value(1) from dual", "ORA-06553: PLS-306", "arpls DBMS_RANDOM"),
    Ruling("select dbms_crypto.hash('abc', 4) from dual", "ORA-06553: PLS-307", "arpls DBMS_CRYPTO"),
    Ruling("select dbms_session.is_role_enabled('DBA') from dual", "ORA-06552", "lnpls, functions in SQL"),
    Ruling("select dbms_lock.allocate_unique('x') from dual", "ORA-06553: PLS-222", "errmg ORA-06553"),
    Ruling(
        "select dbms_fuse.fs_getattr('/x', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) from dual",
        "ORA-06572",
        "errmg ORA-06572, dbmsfuse.sql",
    ),
    Ruling("select dbms_dbfs_content.list('/x') from dual", "ORA-03001", "arpls DBMS_DBFS_CONTENT"),
    Ruling("select * from table(dbms_xplan.display)", "ORA-03001", "arpls DBMS_XPLAN"),
    Ruling("select utl_http.request('x') from dual", "ORA-03001", "arpls UTL_HTTP"),
    Ruling("select utl_match.edit_distance('a', 'b') from dual", "ORA-03001", "arpls UTL_MATCH"),
]


@pytest.fixture(scope="module")
def connection(module_schema: Schema, oracle: Server) -> oracledb.Connection:
    """A user who may execute what roles and explicit grants give."""
    with oracle.sys() as system:
        cursor = system.cursor()
        for package in ("DBMS_CRYPTO", "DBMS_LOCK"):
            cursor.execute(f"grant execute on {package} to {module_schema.name}")
        cursor.execute(f"grant dbfs_role to {module_schema.name}")
    return module_schema.connection


@pytest.mark.parametrize("ruling", [*IN_PLSQL, *IN_SQL], ids=str)
def test_rulings(ruling: Ruling, connection: oracledb.Connection) -> None:
    ruling.hold(connection)


def test_nothing_runs_of_a_block_that_does_not_compile(connection: oracledb.Connection) -> None:
    cursor = connection.cursor()
    cursor.execute("create table written (n number)")
    with pytest.raises(oracledb.DatabaseError, match="PLS-00306"):
        cursor.execute("begin insert into written values (1); commit; dbms_output.put_line(true); end;")
    cursor.execute("select count(*) from written")
    assert cursor.fetchone() == (0,)


def test_pipelined_functions_are_read_as_tables(connection: oracledb.Connection) -> None:
    cursor = connection.cursor()
    cursor.execute("select count(*) from table(dbms_dbfs_content.listMounts) m where m.store_name = 'NONE'")
    assert cursor.fetchone() == (0,)
    with pytest.raises(oracledb.DatabaseError, match="ORA-64002"):
        cursor.execute("select item_name from table(sys.dbms_dbfs_content.list(path => '/nowhere'))")


def test_functions_without_parentheses(connection: oracledb.Connection) -> None:
    cursor = connection.cursor()
    cursor.execute("select dbms_random.value, sys.dbms_utility.get_time from dual")
    fraction, hundredths = cursor.fetchone()
    assert 0 <= fraction < 1
    assert isinstance(hundredths, int)
