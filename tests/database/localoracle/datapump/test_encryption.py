"""Encrypted dump sets: passwords that are right, wrong, missing, given again; damage; what is readable."""

from __future__ import annotations

import json
import os

import oracledb
import pytest

PASSWORD = "Pa55word of dumps"
PLAIN = "readable text of a row"


@pytest.fixture
def filled(schema):
    cursor = schema.connection.cursor()
    cursor.execute("create table DOCS (id number primary key, title varchar2(100), body blob)")
    cursor.setinputsizes(None, None, oracledb.DB_TYPE_BLOB)
    cursor.executemany(
        "insert into DOCS values (:1, :2, :3)", [(n, f"{PLAIN} {n}", os.urandom(9000)) for n in range(40)]
    )
    schema.connection.commit()
    yield schema
    for path in schema.server.instance.dump_directory.glob(f"{schema.name}*"):
        path.unlink()


@pytest.fixture
def system(oracle):
    with oracle.connect() as connection:
        yield connection


def run(connection, schema, operation, body, file="%U.dmp"):
    """The job's end state, or why START_JOB refused; its log is <schema>.log."""
    with connection.cursor() as cursor:
        state = cursor.var(str)
        cursor.execute(
            f"""declare h number; told ku$_status; s varchar2(30); begin
              h := dbms_datapump.open('{operation}', 'TABLE', null, 'CRYPTED_{operation}');
              dbms_datapump.add_file(h, '{schema.name}{file}', null);
              dbms_datapump.add_file(h, '{schema.name}.log', null, filetype => 3);
              dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', '= ''{schema.name}''');
              dbms_datapump.metadata_filter(h, 'NAME_EXPR', '= ''DOCS''');
              {body}
              begin
                dbms_datapump.start_job(h);
                dbms_datapump.wait_for_job(h, :state);
              exception when others then
                dbms_datapump.get_status(h, 8, 0, s, told);
                for i in 1 .. told.error.count loop
                  :state := :state || told.error(i).logtext || chr(10);
                end loop;
                dbms_datapump.stop_job(h, 1, 0);
              end;
            end;""",
            state=state,
        )
        return state.getvalue()


def setting(name, value):
    return f"dbms_datapump.set_parameter(h, '{name}', '{value}');"


def dumps(schema):
    return sorted(schema.server.instance.dump_directory.glob(f"{schema.name}*.dmp"))


def rows(schema, table="DOCS"):
    with schema.connection.cursor() as cursor:
        cursor.execute(f"select id, title, body from {table} order by id")
        return [(number, title, body.read()) for number, title, body in cursor.fetchall()]


def info(connection, path):
    """GET_DUMPFILE_INFO's items about encryption: metadata, data, columns, mode."""
    with connection.cursor() as cursor:
        items = cursor.var(str)
        cursor.execute(
            f"""declare t ku$_dumpfile_info; k number; begin
              dbms_datapump.get_dumpfile_info('{path.name}', 'DATA_PUMP_DIR', t, k);
              for i in 1 .. t.count loop
                if t(i).item_code between 19 and 22 then :items := :items || t(i).value; end if;
              end loop;
            end;""",
            items=items,
        )
        return items.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (setting("ENCRYPTION_ALGORITHM", "AES256"), "1103"),
        (setting("ENCRYPTION", "ALL") + setting("COMPRESSION", "ALL"), "1103"),
        (setting("ENCRYPTION", "DATA_ONLY") + setting("ENCRYPTION_MODE", "PASSWORD"), "0103"),
        (setting("ENCRYPTION", "METADATA_ONLY") + setting("ENCRYPTION_ALGORITHM", "AES192"), "1003"),
    ],
)
def test_there_and_back(system, filled, settings, told):
    assert run(system, filled, "EXPORT", setting("ENCRYPTION_PASSWORD", PASSWORD) + settings) == "COMPLETED"
    (path,) = dumps(filled)
    assert info(system, path) == told
    raw = path.read_bytes()
    assert (PLAIN.encode() in raw) == (told[1] == "0")
    expected = rows(filled)
    filled.connection.cursor().execute("drop table DOCS")
    assert run(system, filled, "IMPORT", setting("ENCRYPTION_PASSWORD", PASSWORD)) == "COMPLETED"
    assert rows(filled) == expected


@pytest.mark.slow
def test_many_files_of_a_limited_size(system, filled):
    body = setting("ENCRYPTION_PASSWORD", PASSWORD) + "dbms_datapump.set_parallel(h, 2);"
    with system.cursor() as cursor:
        handle = cursor.callfunc("dbms_datapump.open", int, ["EXPORT", "TABLE", None, "LIMITED"])
        cursor.execute(
            f"""begin dbms_datapump.add_file({handle}, '{filled.name}%L.dmp', null, '60K');
            dbms_datapump.metadata_filter({handle}, 'SCHEMA_EXPR', '= ''{filled.name}''');
            {body.replace("(h", f"({handle}")} dbms_datapump.start_job({handle}); end;"""
        )
        state = cursor.var(str)
        cursor.callproc("dbms_datapump.wait_for_job", [handle, state])
    assert state.getvalue() == "COMPLETED"
    assert len(dumps(filled)) > 4
    assert max(path.stat().st_size for path in dumps(filled)) <= 60 * 1024
    expected = rows(filled)
    filled.connection.cursor().execute("drop table DOCS")
    assert (
        run(system, filled, "IMPORT", setting("ENCRYPTION_PASSWORD", PASSWORD), file="%L.dmp") == "COMPLETED"
    )
    assert rows(filled) == expected


@pytest.mark.parametrize(
    ("operation", "body", "codes"),
    [
        ("IMPORT", "", ["ORA-39002", "ORA-39174"]),
        ("IMPORT", setting("ENCRYPTION_PASSWORD", PASSWORD.lower()), ["ORA-39002", "ORA-39176"]),
        ("EXPORT", setting("ENCRYPTION", "ALL"), ["ORA-39002", "ORA-39188", "ORA-28365"]),
        (
            "EXPORT",
            setting("ENCRYPTION_PASSWORD", PASSWORD) + setting("ENCRYPTION_MODE", "DUAL"),
            ["ORA-39002", "ORA-39188", "ORA-28365"],
        ),
        (
            "EXPORT",
            setting("ENCRYPTION", "ALL") + setting("ENCRYPTION_MODE", "PASSWORD"),
            ["ORA-39002", "ORA-39174"],
        ),
        ("EXPORT", setting("ENCRYPTION_ALGORITHM", "AES128"), ["ORA-39002", "ORA-39005"]),
    ],
)
def test_wrong_and_missing_passwords(system, filled, operation, body, codes):
    if operation == "IMPORT":
        run(system, filled, "EXPORT", setting("ENCRYPTION_PASSWORD", PASSWORD))
    told = run(system, filled, operation, body, file="_r%U.dmp" if operation == "EXPORT" else "%U.dmp")
    assert [line[:9] for line in told.splitlines()] == codes
    assert PASSWORD not in filled.server.statement_log.read_text()


def test_a_password_that_is_not_needed(system, filled):
    run(system, filled, "EXPORT", "")
    assert info(system, dumps(filled)[0]) == "0002"
    told = run(system, filled, "IMPORT", setting("ENCRYPTION_PASSWORD", PASSWORD))
    assert "ORA-39175: Encryption password is not needed." in told


def test_damage_in_encrypted_rows_is_found(system, filled):
    run(system, filled, "EXPORT", setting("ENCRYPTION_PASSWORD", PASSWORD))
    (path,) = dumps(filled)
    raw = bytearray(path.read_bytes())
    raw[1000] ^= 1
    path.write_bytes(raw)
    filled.connection.cursor().execute("truncate table DOCS")
    body = setting("ENCRYPTION_PASSWORD", PASSWORD) + "dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);"
    run(system, filled, "IMPORT", body)
    log = (filled.server.instance.dump_directory / f"{filled.name}.log").read_text()
    assert "ORA-31619" in log
    assert rows(filled) == []


@pytest.mark.slow
def test_a_stopped_job_must_be_told_the_password_again(system, filled):
    with system.cursor() as cursor:
        handle = cursor.callfunc("dbms_datapump.open", int, ["EXPORT", "TABLE", None, "AGAIN"])
        cursor.execute(
            f"""begin dbms_datapump.add_file({handle}, '{filled.name}_a.dmp', null, '60K');
            dbms_datapump.metadata_filter({handle}, 'SCHEMA_EXPR', '= ''{filled.name}''');
            dbms_datapump.set_parameter({handle}, 'ENCRYPTION_PASSWORD', :secret);
            dbms_datapump.start_job({handle}); end;""",
            secret=PASSWORD,
        )
        state = cursor.var(str)
        cursor.callproc("dbms_datapump.wait_for_job", [handle, state])
        assert state.getvalue() == "STOPPED"
        cursor.execute("select xml_text from system.again where process_order < 0")
        (kept,) = cursor.fetchone()
        kept = kept if isinstance(kept, str) else kept.read()
        assert PASSWORD not in kept
        assert json.loads(kept)["password_given"] is True
        handle = cursor.callfunc("dbms_datapump.attach", int, ["AGAIN", "SYSTEM"])
        cursor.callproc("dbms_datapump.add_file", [handle, f"{filled.name}_b%U.dmp", None])
        with pytest.raises(oracledb.DatabaseError, match="ORA-39002"):
            cursor.callproc("dbms_datapump.start_job", [handle])
        cursor.callproc("dbms_datapump.set_parameter", [handle, "ENCRYPTION_PASSWORD", "another"])
        with pytest.raises(oracledb.DatabaseError, match="ORA-39002"):
            cursor.callproc("dbms_datapump.start_job", [handle])
        cursor.callproc("dbms_datapump.set_parameter", [handle, "ENCRYPTION_PASSWORD", PASSWORD])
        cursor.callproc("dbms_datapump.start_job", [handle])
        cursor.callproc("dbms_datapump.wait_for_job", [handle, state])
        assert state.getvalue() == "COMPLETED"
    assert PASSWORD not in filled.server.statement_log.read_text()
