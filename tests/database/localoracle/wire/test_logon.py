"""What a login asks for beyond user and password: proxy, edition, application contexts, a new password."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from support.stand_in import Schema, Server, new_schema


@pytest.fixture
def other(oracle: Server) -> Iterator[Schema]:
    yield from new_schema(oracle)


def _connect(schema: Schema, **parameters: object) -> oracledb.Connection:
    return oracledb.connect(
        **{"user": schema.name, "password": schema.password, "dsn": schema.server.dsn, **parameters}
    )


def _context(connection: oracledb.Connection, namespace: str, *names: str) -> list[str | None]:
    cursor = connection.cursor()
    return [
        cursor.execute("select sys_context(:1, :2) from dual", [namespace, name]).fetchone()[0]
        for name in names
    ]


def test_a_proxy_user_works_as_its_client(schema: Schema, other: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-28150"):
        _connect(schema, user=f"{schema.name}[{other.name}]")
    other.connection.cursor().execute("create table of_the_client (a number)")
    with schema.server.connect() as system:
        cursor = system.cursor()
        cursor.execute(f"alter user {other.name} grant connect through {schema.name}")
        with _connect(schema, user=f"{schema.name}[{other.name}]") as connection:
            assert _context(connection, "userenv", "session_user", "current_user", "proxy_user") == [
                other.name,
                other.name,
                schema.name,
            ]
            assert connection.cursor().execute("select count(*) from of_the_client").fetchone() == (0,)
        with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
            _connect(schema, user=f"{schema.name}[{other.name}]", password=other.password + "x")
        cursor.execute(f"alter user {other.name} account lock")
        with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
            _connect(schema, user=f"{schema.name}[{other.name}]")
        cursor.execute(f"alter user {other.name} account unlock")
        cursor.execute(f"alter user {other.name} revoke connect through {schema.name}")
    with pytest.raises(oracledb.DatabaseError, match="ORA-28150"):
        _connect(schema, user=f"{schema.name}[{other.name}]")
    assert _context(schema.connection, "userenv", "proxy_user") == [None]


@pytest.mark.parametrize(
    ("clause", "code"),
    [
        ("grant connect through nobody_at_all", "ORA-01918"),
        ("grant connect through {0} with role connect", "ORA-03001"),
        ("grant connect through {0} authentication required", "ORA-03001"),
        ("grant connect through enterprise users", "ORA-03001"),
        ("grant connect {0}", "ORA-00905"),
        ("grant connect through {0} account lock", "ORA-00933"),
    ],
)
def test_grants_that_are_refused(schema: Schema, clause: str, code: str) -> None:
    with schema.server.connect() as system, pytest.raises(oracledb.DatabaseError, match=code):
        system.cursor().execute(f"alter user {schema.name} {clause.format('SYSTEM')}")


def test_application_context(schema: Schema) -> None:
    entries = [("clientcontext", "One", "first"), ("CLIENTCONTEXT", "two", "x" * 300)]
    with _connect(schema, appcontext=entries) as connection:
        assert _context(connection, "ClientContext", "ONE", "two", "three") == ["first", "x" * 256, None]
        connection.rollback()
        connection.set_app_context("CLIENTCONTEXT", one="second")
        assert _context(connection, "CLIENTCONTEXT", "one", "TWO") == ["second", "x" * 256]
        connection.clear_app_context("CLIENTCONTEXT")
        assert _context(connection, "CLIENTCONTEXT", "one", "two") == [None, None]
        connection.set_app_context("SOMETHING", one="1")
        with pytest.raises(oracledb.DatabaseError, match="ORA-28267"):
            connection.cursor().execute("select 1 from dual")
        assert connection.cursor().execute("select 1 from dual").fetchone() == (1,)
    with pytest.raises(oracledb.DatabaseError, match="ORA-28267"):
        _connect(schema, appcontext=[("SOMETHING", "one", "1")])


def test_edition(schema: Schema) -> None:
    with _connect(schema, edition="ora$base") as connection:
        assert _context(connection, "userenv", "current_edition_name", "session_edition_name") == [
            "ORA$BASE",
            "ORA$BASE",
        ]
        with pytest.raises(oracledb.DatabaseError, match="ORA-38802"):
            connection.cursor().execute("alter session set edition = nowhere")
        connection.cursor().execute("alter session set edition = ora$base")
        assert connection.edition.upper() == "ORA$BASE"
    with pytest.raises(oracledb.DatabaseError, match="ORA-38802"):
        _connect(schema, edition="nowhere")


def test_a_new_password_with_the_login(schema: Schema) -> None:
    with schema.server.connect() as system:
        system.cursor().execute(f"alter user {schema.name} password expire")
    with pytest.raises(oracledb.DatabaseError, match="ORA-28001"):
        schema.connect()
    with pytest.raises(oracledb.DatabaseError, match="ORA-00988"):
        _connect(schema, newpassword="x" * 31)
    _connect(schema, newpassword="another_password").close()
    with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
        schema.connect()
    _connect(schema, password="another_password").close()
    with pytest.raises(oracledb.DatabaseError, match="ORA-00988"):
        schema.connection.changepassword("another_password", "1" * 1500)


@pytest.mark.parametrize(
    "mode",
    [
        oracledb.AUTH_MODE_SYSDBA,
        oracledb.AUTH_MODE_SYSOPER,
        oracledb.AUTH_MODE_SYSASM,
        oracledb.AUTH_MODE_SYSBKP,
        oracledb.AUTH_MODE_SYSRAC,
    ],
)
def test_administrators_modes(schema: Schema, mode: oracledb.AuthMode) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-01031"):
        _connect(schema, mode=mode)


def test_a_debugger_is_refused(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORA_DEBUG_JDWP", "host=127.0.0.1;port=4000")
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-03001.*JDWP"):
        schema.connect()


def test_the_client_is_told_of_its_schema(schema: Schema) -> None:
    connection = schema.connect()
    cursor = connection.cursor()
    cursor.execute("alter session set current_schema = system")
    assert connection.current_schema == "SYSTEM"
    cursor.execute(f"begin execute immediate 'alter session set current_schema = {schema.name}'; end;")
    assert connection.current_schema == schema.name
