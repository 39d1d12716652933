"""Data Pump with the plain oracledb driver on a running server: Oracle's types, metadata, partitions."""

from __future__ import annotations

import datetime
import decimal
import math
import re

import oracledb
import pytest

DDL = (
    """CREATE TABLE PEOPLE (ID NUMBER(12) CONSTRAINT {0}_PK PRIMARY KEY, CODE CHAR(4),
       NAME VARCHAR2(40) NOT NULL, BORN DATE, SEEN TIMESTAMP(6), RATIO BINARY_DOUBLE,
       AMOUNT NUMBER(12,2) CONSTRAINT {0}_CK CHECK (AMOUNT >= 0), KEY RAW(16), NOTES CLOB, PHOTO BLOB)
       LOB (PHOTO) STORE AS BASICFILE (ENABLE STORAGE IN ROW CHUNK 8192)""",
    "CREATE INDEX PEOPLE_NAME_IX ON PEOPLE (UPPER(NAME))",
    "COMMENT ON TABLE PEOPLE IS 'It''s about people'",
    """CREATE TABLE EVENTS (ID NUMBER, AT DATE, PERSON NUMBER(12) CONSTRAINT {0}_FK REFERENCES PEOPLE (ID))
       PARTITION BY RANGE (AT) (PARTITION P_OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')),
       PARTITION P_NEW VALUES LESS THAN (MAXVALUE))""",
    "CREATE SEQUENCE PEOPLE_SEQUENCE START WITH 500",
    "CREATE VIEW NAMES AS SELECT ID, NAME FROM PEOPLE WHERE NAME IS NOT NULL",
)


@pytest.fixture
def filled(schema):
    cursor = schema.connection.cursor()
    for text in DDL:
        cursor.execute(text.format(schema.name))
    rows = [
        (
            number,
            "AB",
            f"name {number}",
            datetime.datetime(1970, 1, 1) + datetime.timedelta(days=number, seconds=number),
            datetime.datetime(2024, 5, 6, 7, 8, 9, 123456),
            (math.inf, -math.inf, 5e-324)[number] if number < 3 else number / 7,
            decimal.Decimal(number) / 4,
            bytes(range(16)),
            "text é " * number if number % 2 else None,
            bytes([number % 256]) * 5000 if number % 3 else None,
        )
        for number in range(1, 51)
    ]
    cursor.setinputsizes(None, None, None, None, oracledb.DB_TYPE_TIMESTAMP, oracledb.DB_TYPE_BINARY_DOUBLE,
                         None, None, oracledb.DB_TYPE_LONG, oracledb.DB_TYPE_LONG_RAW)  # fmt: skip
    cursor.executemany(
        f"INSERT INTO PEOPLE VALUES ({', '.join(f':{place}' for place in range(1, 11))})", rows
    )
    events = [(number, datetime.datetime(2023 + number % 2, 3, 1), number % 50 + 1) for number in range(100)]
    cursor.executemany("INSERT INTO EVENTS VALUES (:1, :2, :3)", events)
    schema.connection.commit()
    yield schema
    for path in schema.server.instance.dump_directory.glob(f"{schema.name}*"):
        path.unlink()


def contents(connection, owner, table, key="ID"):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {owner}.{table} ORDER BY {key}")
        return [
            tuple(value.read() if isinstance(value, oracledb.LOB) else value for value in row)
            for row in cursor.fetchall()
        ]


def pump(connection, operation, mode, name, body):
    with connection.cursor() as cursor:
        state = cursor.var(str)
        cursor.execute(
            f"""declare h number;
            begin
              h := dbms_datapump.open('{operation}', '{mode}', null, '{name}');
              dbms_datapump.add_file(h, '{name}.log', 'DATA_PUMP_DIR',
                filetype => dbms_datapump.ku$_file_type_log_file);
              {body}
              dbms_datapump.start_job(h);
              dbms_datapump.wait_for_job(h, :state);
            end;""",
            state=state,
        )
        return state.getvalue()


def log(schema, name):
    return (schema.server.instance.dump_directory / f"{name}.log").read_text()


@pytest.fixture
def system(oracle):
    with oracle.connect() as connection:
        yield connection


@pytest.fixture
def other(system, filled):
    name = filled.name + "_NEW"
    with system.cursor() as cursor:
        cursor.execute(f"CREATE USER {name} IDENTIFIED BY secret_one QUOTA UNLIMITED ON USERS")
        yield name
        cursor.execute(f"DROP USER {name} CASCADE")


def export_schema(system, schema, name, extra=""):
    return pump(
        system, "EXPORT", "SCHEMA", name,
        f"""dbms_datapump.add_file(h, '{name}%U.dmp', 'DATA_PUMP_DIR');
        dbms_datapump.set_parallel(h, 2);
        dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''{schema.name}'')'); {extra}""",
    )  # fmt: skip


def import_schema(system, schema, name, dump, other, extra=""):
    return pump(
        system, "IMPORT", "SCHEMA", name,
        f"""dbms_datapump.add_file(h, '{dump}%U.dmp', 'DATA_PUMP_DIR');
        dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''{schema.name}'')');
        dbms_datapump.metadata_remap(h, 'REMAP_SCHEMA', '{schema.name}', '{other}'); {extra}""",
    )  # fmt: skip


def test_a_schema_with_everything_is_copied(system, filled, other):
    assert export_schema(system, filled, f"{filled.name}_E") == "COMPLETED"
    assert "successfully completed" in log(filled, f"{filled.name}_E"), log(filled, f"{filled.name}_E")
    import_schema(system, filled, f"{filled.name}_I", f"{filled.name}_E", other)
    text = log(filled, f"{filled.name}_I")
    assert "successfully completed" in text, text
    for table in ("PEOPLE", "EVENTS", "NAMES"):
        assert contents(system, other, table) == contents(system, filled.name, table)
    with system.cursor() as cursor:
        cursor.execute(f"SELECT {other}.PEOPLE_SEQUENCE.NEXTVAL FROM DUAL")
        assert cursor.fetchone()[0] >= 500
        for view, column, where in (
            ("DBA_INDEXES", "INDEX_NAME", "TABLE_OWNER"),
            ("DBA_CONSTRAINTS", "CONSTRAINT_NAME", "OWNER"),
            ("DBA_TAB_PARTITIONS", "PARTITION_NAME", "TABLE_OWNER"),
            ("DBA_TAB_COMMENTS", "COMMENTS", "OWNER"),
        ):
            found = []
            for owner in (filled.name, other):
                cursor.execute(f"SELECT {column} FROM {view} WHERE {where} = :1", [owner])
                rows = sorted(str(name) for (name,) in cursor.fetchall() if not str(name).startswith("SYS_"))
                found.append(rows)
            assert found[0] == found[1]


@pytest.mark.slow
def test_tables_that_exist_are_skipped_or_appended_to(system, filled, other):
    export_schema(system, filled, f"{filled.name}_E")
    import_schema(system, filled, f"{filled.name}_I", f"{filled.name}_E", other)
    import_schema(system, filled, f"{filled.name}_J", f"{filled.name}_E", other)
    text = log(filled, f"{filled.name}_J")
    assert f'ORA-39151: Table "{other}"."EVENTS" exists.' in text
    assert "ORA-31684: Object type" in text
    assert len(contents(system, other, "EVENTS")) == 100
    only = "dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN (''EVENTS'')', 'TABLE');"
    for action, rows in (("APPEND", 200), ("TRUNCATE", 100), ("REPLACE", 100)):
        body = only + f"dbms_datapump.set_parameter(h, 'TABLE_EXISTS_ACTION', '{action}');"
        import_schema(system, filled, f"{filled.name}_{action}", f"{filled.name}_E", other, body)
        assert len(contents(system, other, "EVENTS")) == rows, log(filled, f"{filled.name}_{action}")


@pytest.mark.slow
def test_a_load_compiles_an_invalid_trigger_and_a_replaced_table_makes_its_users_invalid(
    system, filled, other
):
    export_schema(system, filled, f"{filled.name}_E")
    import_schema(system, filled, f"{filled.name}_I", f"{filled.name}_E", other)
    made = f"CREATE TABLE {other}.LOADED (N NUMBER)"
    only = "dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN (''EVENTS'')', 'TABLE');"

    def load(action):
        body = only + f"dbms_datapump.set_parameter(h, 'TABLE_EXISTS_ACTION', '{action}');"
        import_schema(system, filled, f"{filled.name}_{action}", f"{filled.name}_E", other, body)
        cursor.execute("SELECT OBJECT_NAME FROM DBA_OBJECTS WHERE OWNER = :1 AND STATUS = 'INVALID'", [other])
        return {*cursor}

    with system.cursor() as cursor:
        cursor.execute(made)
        cursor.execute(
            f"CREATE TRIGGER {other}.COUNTS AFTER INSERT ON {other}.EVENTS FOR EACH ROW"
            f" BEGIN INSERT INTO {other}.LOADED VALUES (1); END;"
        )
        cursor.execute(f"CREATE PROCEDURE {other}.FORGETS IS BEGIN DELETE FROM {other}.EVENTS; END;")
        cursor.execute(f"DROP TABLE {other}.LOADED PURGE")
        assert load("APPEND") == {("COUNTS",)}
        assert "ORA-04098" in log(filled, f"{filled.name}_APPEND")
        cursor.execute(made)
        assert load("TRUNCATE") == set()
        assert len(contents(system, other, "LOADED", "N")) == len(contents(system, other, "EVENTS")) == 100
        assert load("REPLACE") == {("FORGETS",)}


def test_partitions_and_paths_can_be_chosen(system, filled, other):
    body = """dbms_datapump.data_filter(h, 'PARTITION_LIST', '''P_NEW''', 'EVENTS');
    dbms_datapump.metadata_filter(h, 'EXCLUDE_PATH_EXPR', 'IN (''INDEX'', ''CONSTRAINT'', ''VIEW'')');"""
    assert export_schema(system, filled, f"{filled.name}_E", body) == "COMPLETED"
    text = log(filled, f"{filled.name}_E")
    assert '"EVENTS":"P_NEW"' in text
    assert '"EVENTS":"P_OLD"' not in text
    assert "SCHEMA_EXPORT/TABLE/COMMENT" in text
    assert "INDEX" not in text
    import_schema(system, filled, f"{filled.name}_I", f"{filled.name}_E", other)
    assert len(contents(system, other, "EVENTS")) == 50
    with system.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*) FROM DBA_CONSTRAINTS WHERE OWNER = :1 AND CONSTRAINT_TYPE IN ('P', 'R')",
            [other],
        )
        assert cursor.fetchone() == (0,)


def test_subqueries_speak_oracle_sql(system, filled, other):
    with system.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {other}.PEOPLE AS SELECT * FROM {filled.name}.PEOPLE WHERE 1 = 2")
    code = "NVL(KU$.CODE, ''x'') = ''AB''"
    where = f"WHERE {code} AND KU$.BORN < TO_DATE(''1970-01-21'', ''YYYY-MM-DD'') ORDER BY ID"
    body = f"""dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN (''PEOPLE'')', 'TABLE');
    dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);
    dbms_datapump.data_filter(h, 'SUBQUERY', '{where}', 'PEOPLE', '{filled.name}');"""
    export_schema(system, filled, f"{filled.name}_E", body)
    more = "dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);"
    import_schema(system, filled, f"{filled.name}_I", f"{filled.name}_E", other, more)
    rows = contents(system, other, "PEOPLE")
    assert rows == contents(system, filled.name, "PEOPLE")[:19], log(filled, f"{filled.name}_E")


def test_a_sql_file_holds_the_ddl(system, filled):
    export_schema(system, filled, f"{filled.name}_E")
    pump(
        system, "SQL_FILE", "FULL", f"{filled.name}_S",
        f"""dbms_datapump.add_file(h, '{filled.name}_E%U.dmp', 'DATA_PUMP_DIR');
        dbms_datapump.add_file(h, '{filled.name}.sql', 'DATA_PUMP_DIR', filetype => 4);""",
    )  # fmt: skip
    text = (filled.server.instance.dump_directory / f"{filled.name}.sql").read_text()
    assert f'CREATE TABLE "{filled.name}"."PEOPLE"' in text
    assert "-- new object type path: SCHEMA_EXPORT/TABLE/INDEX/INDEX" in text


def test_an_unprivileged_user_pumps_its_own_schema(system, filled):
    with system.cursor() as cursor:
        cursor.execute(f"GRANT READ, WRITE ON DIRECTORY DATA_PUMP_DIR TO {filled.name}")
    name = f"{filled.name}_OWN"
    state = pump(
        filled.connection, "EXPORT", "TABLE", name,
        f"""dbms_datapump.add_file(h, '{name}.dmp', 'DATA_PUMP_DIR');
        dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN (''PEOPLE'')');""",
    )  # fmt: skip
    assert state == "COMPLETED"
    with pytest.raises(oracledb.DatabaseError, match="ORA-31631"):
        pump(
            filled.connection, "EXPORT", "TABLE", name + "2",
            f"""dbms_datapump.add_file(h, '{name}2.dmp', 'DATA_PUMP_DIR');
            dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''SYSTEM'')');""",
        )  # fmt: skip


def test_the_dictionary_shows_running_jobs(oracle, system, filled):
    oracle.command("control", "delay-lobs", "400")
    name = f"{filled.name}_RUN"
    with system.cursor() as cursor:
        cursor.execute(
            f"""declare h number;
            begin
              h := dbms_datapump.open('EXPORT', 'TABLE', null, '{name}');
              dbms_datapump.add_file(h, '{name}.dmp', 'DATA_PUMP_DIR');
              dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''{filled.name}'')');
              dbms_datapump.start_job(h);
              dbms_datapump.detach(h);
            end;"""
        )
        cursor.execute("SELECT STATE, DEGREE FROM DBA_DATAPUMP_JOBS WHERE JOB_NAME = :1", [name])
        assert cursor.fetchone() == ("EXECUTING", 1)
        handle = cursor.callfunc("DBMS_DATAPUMP.ATTACH", int, [name, "SYSTEM"])
        oracle.command("control", "delay-lobs", "0")
        state = cursor.var(str)
        cursor.callproc("DBMS_DATAPUMP.WAIT_FOR_JOB", [handle, state])
        assert state.getvalue() == "COMPLETED"


@pytest.mark.slow
def test_transforms_remaps_and_path_filters_on_the_way_in(system, filled, other):
    system.cursor().execute("create tablespace elsewhere datafile '/u01/oradata/elsewhere.dbf' size 10M")
    name = f"{filled.name}_TX"
    assert export_schema(system, filled, name) == "COMPLETED"
    job = f"{name}_IN"
    extra = """dbms_datapump.metadata_remap(h, 'REMAP_TABLESPACE', 'USERS', 'ELSEWHERE');
        dbms_datapump.metadata_remap(h, 'REMAP_TABLE', 'EVENTS', 'HAPPENINGS');
        dbms_datapump.metadata_transform(h, 'LOB_STORAGE', 'SECUREFILE');
        dbms_datapump.metadata_transform(h, 'STORAGE', 0, 'INDEX');
        dbms_datapump.metadata_transform(h, 'DISABLE_ARCHIVE_LOGGING', 1);
        dbms_datapump.set_parameter(h, 'METRICS', 1);
        dbms_datapump.metadata_filter(h, 'EXCLUDE_PATH_EXPR', 'IN (''INDEX'', ''REF_CONSTRAINT'')');"""
    assert import_schema(system, filled, job, name, other, extra) == "COMPLETED"
    text = log(filled, job)
    assert "successfully completed" in text, text
    assert re.search(r"W-1      Completed [23] TABLE objects in \d+ seconds", text), text
    assert "Completed 3 SCHEMA_EXPORT/TABLE/TABLE_DATA objects in" in text
    assert "TABLE/INDEX/INDEX" not in text
    with system.cursor() as cursor:
        told = {}
        for label, query in {
            "tablespaces": "select distinct tablespace_name from dba_segments where owner = :1"
            " and segment_type not like '%INDEX'",
            "tables": "select table_name from dba_tables where owner = :1 order by 1",
            "securefile": "select distinct securefile from dba_lobs where owner = :1",
            "references": "select count(*) from dba_constraints where owner = :1 and constraint_type = 'R'",
            "not null": "select nullable from dba_tab_columns where owner = :1 and column_name = 'NAME'"
            " and table_name = 'PEOPLE'",
        }.items():
            cursor.execute(query, [other])
            told[label] = [row[0] for row in cursor.fetchall()]
    assert told == {
        "tablespaces": ["ELSEWHERE"],
        "tables": ["HAPPENINGS", "PEOPLE"],
        "securefile": ["YES"],
        "references": [0],
        "not null": ["N"],
    }
    assert contents(system, other, "HAPPENINGS") == contents(system, filled.name, "EVENTS")
