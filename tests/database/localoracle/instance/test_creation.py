"""What a database is created with: the options of `localoracle start`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema, Server, new_schema, new_server

Start = Callable[..., Server]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts databases with options; they are removed at the end."""
    ends = []

    def begin(**options: str) -> Server:
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        server, end = new_server(options=tuple(words))
        ends.append(end)
        return server

    yield begin
    for end in ends:
        assert end()


def owner(server: Server) -> Iterator[Schema]:
    return new_schema(server, "OWNER")


def one(connection: oracledb.Connection, sql: str, *binds: Any) -> Any:
    rows = connection.cursor().execute(sql, binds).fetchall()
    assert len(rows) == 1, rows
    return rows[0][0] if len(rows[0]) == 1 else rows[0]


def property_of(connection: oracledb.Connection, name: str) -> Any:
    return one(connection, "SELECT PROPERTY_VALUE FROM DATABASE_PROPERTIES WHERE PROPERTY_NAME = :1", name)


@pytest.mark.slow
def test_an_existing_database_keeps_what_it_was_created_with(start: Start) -> None:
    server = start(character_set="we8mswin1252", log_mode="archivelog")
    same = server.command("start", "--character-set", "WE8MSWIN1252")
    assert same.returncode == 0
    other = server.command("start", "--character-set", "AL32UTF8")
    assert other.returncode == 2
    assert "was created with character_set WE8MSWIN1252, not AL32UTF8" in other.stderr
    with server.connect() as connection:
        assert one(connection, "SELECT LOG_MODE FROM V$DATABASE") == "ARCHIVELOG"
    assert server.command("stop").returncode == 0
    assert server.command("start", "--language", "GERMAN").returncode == 2
    assert server.command("start").returncode == 0
    with server.connect() as connection:
        assert property_of(connection, "NLS_CHARACTERSET") == "WE8MSWIN1252"


def test_a_single_byte_character_set(start: Start) -> None:
    server = start(character_set="WE8MSWIN1252")
    for schema in owner(server):
        connection = schema.connection
        cursor = connection.cursor()
        assert one(connection, "SELECT SYS_CONTEXT('USERENV', 'LANGUAGE') FROM DUAL") == (
            "AMERICAN_AMERICA.WE8MSWIN1252"
        )
        cursor.execute("CREATE TABLE T (V VARCHAR2(4 BYTE), C VARCHAR2(9 CHAR), N NVARCHAR2(9), L CLOB)")
        cursor.execute("INSERT INTO T VALUES ('Käse', :1, :2, :3)", ["ä→€", "x", "→ä"])
        bind = cursor.var(oracledb.DB_TYPE_NVARCHAR, 9)
        bind.setvalue(0, "ä→€")
        cursor.execute("UPDATE T SET N = :1", [bind])
        row = cursor.execute("SELECT V, C, N, L FROM T").fetchone()
        assert row is not None
        assert (*row[:3], row[3].read()) == ("Käse", "ä¿€", "ä→€", "¿ä")
        assert one(connection, "SELECT LENGTHB(V), VSIZE(V), ASCII(SUBSTRB(V, 2)) FROM T") == (4, 4, 228)
        assert one(connection, "SELECT CHR(228), UTL_RAW.CAST_TO_RAW(V) FROM T") == ("ä", b"K\xe4se")
        assert one(connection, "SELECT DUMP(V, 16) FROM T") == "Typ=1 Len=4: 4b,e4,73,65"
        digest = hashlib.md5(b"K\xe4se").hexdigest().upper()
        assert one(connection, "SELECT RAWTOHEX(STANDARD_HASH(V, 'MD5')) FROM T") == digest
        lengths = cursor.execute(
            "SELECT COLUMN_NAME, DATA_LENGTH FROM USER_TAB_COLUMNS WHERE COLUMN_NAME IN ('V', 'C', 'N')"
        )
        assert dict(lengths.fetchall()) == {"V": 4, "C": 9, "N": 18}
        Ruling("UPDATE T SET V = 'Käse!'", "ORA-12899", "sqlrf Data Types").hold(connection)


@pytest.mark.slow
def test_extended_strings(start: Start) -> None:
    server = start(max_string_size="EXTENDED")
    for schema in owner(server):
        connection = schema.connection
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE T (V VARCHAR2(32767), R RAW(32767), N NVARCHAR2(16383))")
        cursor.execute("INSERT INTO T (V, R) VALUES (:1, :2)", ["ä" * 16_000, b"r" * 32_767])
        assert one(connection, "SELECT LENGTHB(V), LENGTH(R) FROM T") == (32_000, 65_534)
        assert property_of(connection, "MAX_STRING_SIZE") == "EXTENDED"
        for length in ("VARCHAR2(32768)", "RAW(32768)", "NVARCHAR2(16384)"):
            Ruling(f"CREATE TABLE U (V {length})", "ORA-00910", "sqlrf Data Types").hold(connection)


@pytest.mark.parametrize("length", ["VARCHAR2(4001)", "RAW(2001)", "NVARCHAR2(2001)", "CHAR(2001)"])
def test_standard_strings(schema: Schema, length: str) -> None:
    Ruling(f"CREATE TABLE U (V {length})", "ORA-00910", "sqlrf Data Types").hold(schema.connection)


@pytest.mark.slow
def test_bigfile_tablespaces_are_the_default(start: Start) -> None:
    server = start(tablespaces="BIGFILE")
    with server.connect() as connection:
        assert property_of(connection, "DEFAULT_TBS_TYPE") == "BIGFILE"
        cursor = connection.cursor()
        cursor.execute("CREATE TABLESPACE A DATAFILE '/u01/a.dbf' SIZE 10M")
        cursor.execute("CREATE SMALLFILE TABLESPACE B DATAFILE '/u01/b.dbf' SIZE 10M")
        kinds = dict(cursor.execute("SELECT TABLESPACE_NAME, BIGFILE FROM DBA_TABLESPACES").fetchall())
        assert (kinds["A"], kinds["B"], kinds["USERS"]) == ("YES", "NO", "YES")
        added = "ALTER TABLESPACE USERS ADD DATAFILE '/u01/users2.dbf' SIZE 10M"
        Ruling(added, "ORA-32771", "errmg").hold(connection)


@pytest.mark.slow
def test_a_23ai_is_a_pluggable_database(start: Start) -> None:
    server = start(release="23ai")
    with server.connect() as connection:
        assert connection.version.startswith("23.")
        assert one(connection, "SELECT VERSION FROM V$INSTANCE") == "23.0.0.0.0"
        assert "23ai" in one(connection, "SELECT BANNER FROM V$VERSION")
        assert one(connection, "SELECT CDB FROM V$DATABASE") == "YES"
    for schema in owner(server):
        cursor = schema.connection.cursor()
        cursor.execute("CREATE TABLE T (A NUMBER, B VARCHAR2(10), CONSTRAINT T_UK UNIQUE (A, B))")
        cursor.execute("INSERT INTO T VALUES (1, 'ABC')")
        with pytest.raises(oracledb.DatabaseError) as caught:
            cursor.execute("INSERT INTO T VALUES (1, 'ABC')")
        name = schema.name
        assert str(caught.value).splitlines()[:2] == [
            f"ORA-00001: unique constraint ({name}.T_UK) violated on table {name}.T columns (A, B)",
            "ORA-03301: (ORA-00001 details) row with column values (A:1, B:'ABC') already exists",
        ]


@pytest.mark.slow
def test_sessions_begin_with_the_language_and_territory_of_the_instance(start: Start) -> None:
    server = start(language="GERMAN", territory="GERMANY")
    with server.connect() as connection:
        assert (
            one(connection, "SELECT SYS_CONTEXT('USERENV', 'LANGUAGE') FROM DUAL")
            == "GERMAN_GERMANY.AL32UTF8"
        )
        assert one(connection, "SELECT TO_CHAR(DATE '2026-11-23') FROM DUAL") == "23.11.26"
        assert one(connection, "SELECT TO_DATE('23.11.26') FROM DUAL").month == 11
        cursor = connection.cursor()
        cursor.execute("ALTER SESSION SET NLS_TERRITORY = AMERICA")
        cursor.execute("ALTER SESSION SET NLS_LANGUAGE = AMERICAN")
        assert one(connection, "SELECT TO_CHAR(DATE '2026-11-23') FROM DUAL") == "23-NOV-26"
        session = dict(cursor.execute("SELECT * FROM NLS_SESSION_PARAMETERS").fetchall())
        assert (session["NLS_NUMERIC_CHARACTERS"], session["NLS_SORT"]) == (".,", "BINARY")
        instance = dict(cursor.execute("SELECT * FROM NLS_INSTANCE_PARAMETERS").fetchall())
        assert (instance["NLS_NUMERIC_CHARACTERS"], instance["NLS_SORT"]) == (",.", "GERMAN")
        Ruling("ALTER SESSION SET NLS_LANGUAGE = KLINGON", "ORA-03001", "not here").hold(connection)


@pytest.mark.slow
def test_a_job_writes_its_log_in_the_language_of_its_session(start: Start) -> None:
    server = start(language="GERMAN")
    with server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE T (A NUMBER)")
        for language, ending in (("GERMAN", "erfolgreich um"), ("AMERICAN", "successfully completed at")):
            cursor.execute(f"ALTER SESSION SET NLS_LANGUAGE = {language}")
            cursor.execute(
                """DECLARE
                  job NUMBER := DBMS_DATAPUMP.OPEN('EXPORT', 'TABLE', NULL, :name);
                  state VARCHAR2(30);
                BEGIN
                  DBMS_DATAPUMP.ADD_FILE(job, :dump, 'DATA_PUMP_DIR');
                  DBMS_DATAPUMP.ADD_FILE(job, :log, 'DATA_PUMP_DIR', NULL, 3);
                  DBMS_DATAPUMP.METADATA_FILTER(job, 'NAME_EXPR', 'IN (''T'')');
                  DBMS_DATAPUMP.START_JOB(job);
                  DBMS_DATAPUMP.WAIT_FOR_JOB(job, state);
                END;""",
                {"name": f"J_{language}", "dump": f"{language}.dmp", "log": f"{language}.log"},
            )
            log = (server.instance.dump_directory / f"{language}.log").read_text()
            assert f'Job "SYSTEM"."J_{language}" {ending}' in log
