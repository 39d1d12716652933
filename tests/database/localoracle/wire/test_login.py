"""The unmodified driver logs in, or is told why not."""

from __future__ import annotations

import json

import oracledb
import pytest

from support.stand_in import SYSTEM_PASSWORD, Schema, Server


def test_login_shows_the_session(oracle: Server) -> None:
    with oracle.connect() as connection:
        assert connection.version.startswith("19.")
        assert connection.service_name.upper() == oracle.instance.service_name
        row = connection.cursor().execute("select user, sys_context('USERENV', 'SID') from dual").fetchone()
        assert row == ("SYSTEM", str(connection.session_id))
        connection.ping()


@pytest.mark.parametrize(("user", "password"), [("SYSTEM", "wrong"), ("NOBODY", "x"), ("SYSTEM", "x" * 200)])
def test_wrong_password_and_unknown_user_look_alike(oracle: Server, user: str, password: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
        oracle.connect(user, password)


def test_unknown_service(oracle: Server) -> None:
    with pytest.raises(oracledb.OperationalError) as caught:
        oracledb.connect(user="SYSTEM", password="x", dsn=f"127.0.0.1:{oracle.instance.port}/NOWHERE")
    assert "ORA-12514" in str(caught.value.__cause__)


def test_locked_account(schema: Schema) -> None:
    with schema.server.connect() as system:
        cursor = system.cursor()
        cursor.execute(f"ALTER USER {schema.name} ACCOUNT LOCK")
        with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
            schema.connect()
        with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
            schema.server.connect(schema.name, "wrong")
        cursor.execute(f"ALTER USER {schema.name} ACCOUNT UNLOCK")
    schema.connect().close()


def test_without_create_session(schema: Schema) -> None:
    with schema.server.connect() as system:
        system.cursor().execute(f"REVOKE CREATE SESSION FROM {schema.name}")
        with pytest.raises(oracledb.DatabaseError, match="ORA-01045"):
            schema.connect()


def test_change_password(schema: Schema) -> None:
    schema.connection.changepassword(schema.password, "another_password")
    with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
        schema.connect()
    schema.server.connect(schema.name, "another_password").close()
    with pytest.raises(oracledb.DatabaseError, match="ORA-28008"):
        schema.connection.changepassword("wrong", "third")


def test_killed_session(schema: Schema) -> None:
    with schema.server.connect() as system:
        cursor = system.cursor()
        row = cursor.execute(
            "select sid, serial# from v$session where username = :1", [schema.name]
        ).fetchone()
        cursor.execute(f"ALTER SYSTEM KILL SESSION '{row[0]},{row[1]}'")
    with pytest.raises(oracledb.DatabaseError):
        schema.connection.cursor().execute("select 1 from dual")


def test_a_killed_sessions_commit_is_not_answered_as_one(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table lost (n number)")
    cursor.execute("insert into lost values (1)")
    with schema.server.connect() as system:
        row = (
            system.cursor()
            .execute("select sid, serial# from v$session where username = :1", [schema.name])
            .fetchone()
        )
        system.cursor().execute(f"ALTER SYSTEM KILL SESSION '{row[0]},{row[1]}'")
    with pytest.raises(oracledb.DatabaseError):
        schema.connection.commit()
    with schema.connect() as again:
        assert again.cursor().execute("select count(*) from lost").fetchone() == (0,)


def test_module_and_schema(schema: Schema) -> None:
    connection = schema.connection
    connection.module, connection.action, connection.client_identifier = "loader", "step 1", "someone"
    cursor = connection.cursor()
    cursor.execute(
        "select sys_context('USERENV', 'MODULE'), sys_context('USERENV', 'ACTION'), "
        "sys_context('USERENV', 'CLIENT_IDENTIFIER') from dual"
    )
    assert cursor.fetchone() == ("loader", "step 1", "someone")
    connection.current_schema = "SYSTEM"
    assert cursor.execute("select sys_context('USERENV', 'CURRENT_SCHEMA') from dual").fetchone() == (
        "SYSTEM",
    )
    connection.rollback()


def test_pool(schema: Schema) -> None:
    pool = oracledb.create_pool(
        user=schema.name, password=schema.password, dsn=schema.server.dsn, min=1, max=2
    )
    with pool.acquire() as first, pool.acquire() as second:
        assert first.cursor().execute("select 1 from dual").fetchone() == (1,)
        assert second.cursor().execute("select 2 from dual").fetchone() == (2,)
    pool.close()


def test_statement_log_has_no_values(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("select :marker_bind from dual", marker_bind="a secret value")
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("select * from no_such_table_here")
    text = schema.server.statement_log.read_text()
    entries = [json.loads(line) for line in text.splitlines()]
    mine = next(entry for entry in entries if "marker_bind" in entry["sql"])
    assert mine["binds"] == {"MARKER_BIND": "VARCHAR2"}
    assert mine["user"] == schema.name
    assert mine["error"] is None
    assert next(entry for entry in entries if "no_such_table_here" in entry["sql"])["error"] == "ORA-00942"
    assert "a secret value" not in text


def test_garbage_does_not_disturb_the_server(oracle: Server) -> None:
    import socket

    for data in (b"GET / HTTP/1.0\r\n\r\n", b"\0\0\0\0\0\0\0\0", b"\0\x0a\0\0\1\0\0\0\0\0", b"\xff" * 5000):
        with socket.create_connection(("127.0.0.1", oracle.instance.port), timeout=5) as client:
            client.sendall(data)
    oracle.connect().close()


def test_open_cursors(schema: Schema) -> None:
    connection = schema.connect()
    assert connection.max_open_cursors == 300
    connection.stmtcachesize = 0
    kept = [connection.cursor() for _ in range(300)]
    for number, cursor in enumerate(kept):
        cursor.execute(f"select {number} from dual")
    with pytest.raises(oracledb.DatabaseError, match="ORA-01000"):
        connection.cursor().execute("select 300 from dual")
    kept.pop(0).close()
    connection.cursor().execute("select 1 from dual")


@pytest.mark.parametrize(("asked", "given"), [(512, 512), (8_192, 8_192), (2_000_000, 65_536)])
def test_packets_are_no_larger_than_the_client_asks_for(oracle: Server, asked: int, given: int) -> None:
    dsn = {"user": "SYSTEM", "password": SYSTEM_PASSWORD, "dsn": oracle.dsn}
    with oracledb.connect(**dsn, sdu=asked) as connection, connection.cursor() as cursor:
        assert connection.sdu == given
        cursor.execute("select rpad('x', 4000, 'y') from dual connect by level <= 100")
        assert {len(text) for (text,) in cursor} == {4_000}
