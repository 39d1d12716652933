"""A copy of a table that has each data type is equal to the table: Data Pump, CREATE TABLE AS SELECT."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import oracledb
import pytest

from support.stand_in import Schema, Server

TABLE = """create table every (id number primary key, n number, p number(7, -2), s number(2, 5), f float,
  v varchar2(9 byte), c char(5), nv nvarchar2(9), nc nchar(3), d date, t timestamp(9), t3 timestamp(3),
  z timestamp(6) with time zone,
  l timestamp with local time zone, y interval year(4) to month, i interval day(5) to second(6),
  bf binary_float, bd binary_double, r raw(9), cl clob, b blob)"""
ROWS = (
    """1, 0.99999999999999999999999999999999999999, 1234549, 0.00012, 1/3, 'a  ', 'b', n'ä', n'ñ',
    date '-4712-01-01',
    timestamp '2020-01-02 03:04:05.123456', timestamp '2020-01-02 03:04:05.9995',
    timestamp '2020-01-02 03:04:05.5 -09:30', timestamp '2020-01-02 03:04:05.5 +02:00',
    interval '-9999-11' year(4) to month, interval '-99999 23:59:59.999999' day(5) to second,
    binary_float_nan,
    binary_double_infinity, '00ff', 'text ä', '0001'""",
    """2, -9.9999999999999999999999999999999999999e125, null, null, 1e-130, null, 'a', null, null,
    date '9999-12-31',
    timestamp '-0044-03-15 00:00:00.000001', null, timestamp '2020-07-01 12:00:00 Europe/Berlin', null,
    interval '0-1' year to month, interval '0.000001' second, 1.5, -0.1, null, null, null""",
)
CONTENT = """select to_char(n), p, to_char(s), to_char(f), v || '|', c || '|', nv, nc || '|',
  to_char(d, 'SYYYY-MM-DD'),
  to_char(t, 'SYYYY-MM-DD HH24:MI:SS.FF9'), to_char(t3, 'SS.FF3'),
  to_char(z, 'YYYY-MM-DD HH24:MI:SS.FF6 TZR'),
  to_char(l, 'HH24:MI:SS.FF6'), y, i, to_char(bf), to_char(bd), r, cl, b,
  ora_hash(z), ora_hash(y), ora_hash(i)
  from {} order by id"""


@pytest.fixture
def filled(schema: Schema) -> Iterator[Schema]:
    cursor = schema.connection.cursor()
    cursor.execute(TABLE)
    for row in ROWS:
        cursor.execute(f"insert into every values ({row})")
    schema.connection.commit()
    yield schema
    for path in schema.server.instance.dump_directory.glob(f"{schema.name}*"):
        path.unlink()


def content(schema: Schema, table: str) -> list[tuple[object, ...]]:
    with oracledb_lobs(schema) as cursor:
        return cursor.execute(CONTENT.format(table)).fetchall()  # type: ignore[no-any-return]


def oracledb_lobs(schema: Schema) -> oracledb.Cursor:
    """A cursor that fetches LOBs as their content."""
    contents = {
        oracledb.DB_TYPE_CLOB: oracledb.DB_TYPE_LONG,
        oracledb.DB_TYPE_BLOB: oracledb.DB_TYPE_LONG_RAW,
    }
    cursor = schema.connection.cursor()
    cursor.outputtypehandler = lambda cursor, column: (
        cursor.var(contents[column.type_code], arraysize=cursor.arraysize)
        if column.type_code in contents
        else None
    )
    return cursor


def described(schema: Schema, table: str) -> list[tuple[object, ...]]:
    cursor = schema.connection.cursor()
    cursor.execute(
        "select column_name, data_type, data_length, data_precision, data_scale, char_used "
        "from user_tab_columns where table_name = :1 order by column_id",
        [table],
    )
    return cursor.fetchall()  # type: ignore[no-any-return]


def copy(oracle: Server, filled: Schema) -> None:
    """EVERY to EVERY_COPY by an export and an import."""
    with oracle.connect() as system, system.cursor() as cursor:
        for operation, more in (
            ("EXPORT", ""),
            ("IMPORT", "dbms_datapump.metadata_remap(h, 'REMAP_TABLE', 'EVERY', 'EVERY_COPY');"),
        ):
            state = cursor.var(str)
            cursor.execute(
                f"""declare h number; begin
                  h := dbms_datapump.open('{operation}', 'TABLE', null, '{filled.name}_{operation}');
                  dbms_datapump.add_file(h, '{filled.name}.dmp', 'DATA_PUMP_DIR');
                  dbms_datapump.metadata_filter(h, 'SCHEMA_LIST', '''{filled.name}''');
                  dbms_datapump.metadata_filter(h, 'NAME_LIST', '''EVERY''');
                  {more}
                  dbms_datapump.start_job(h);
                  dbms_datapump.wait_for_job(h, :1);
                end;""",
                [state],
            )
            assert state.getvalue() == "COMPLETED"


def test_export_and_import(oracle: Server, filled: Schema) -> None:
    copy(oracle, filled)
    assert content(filled, "every_copy") == content(filled, "every")
    assert described(filled, "EVERY_COPY") == described(filled, "EVERY")


def test_invisible_columns_go_along(oracle: Server, filled: Schema) -> None:
    cursor = filled.connection.cursor()
    cursor.execute("alter table every modify (s invisible, v invisible)")
    cursor.execute("alter table every modify s visible")
    copy(oracle, filled)
    assert content(filled, "every_copy") == content(filled, "every")
    assert described(filled, "EVERY_COPY") == described(filled, "EVERY")
    cursor.execute("select count(*) from user_tab_cols where column_name = 'V' and hidden_column = 'YES'")
    assert cursor.fetchone() == (2,)


@pytest.mark.slow
def test_archived_rows_go_along(oracle: Server, filled: Schema) -> None:
    """The copy has row archival as well, and its rows are active or archived as they were."""
    cursor = filled.connection.cursor()
    cursor.execute("alter table every row archival")
    cursor.execute("update every set ora_archive_state = '1' where rownum = 1")
    filled.connection.commit()
    copy(oracle, filled)
    states = "select ora_archive_state, count(*) from {} group by ora_archive_state order by 1"
    cursor.execute("alter session set row archival visibility = all")
    before = cursor.execute(states.format("every")).fetchall()
    assert cursor.execute(states.format("every_copy")).fetchall() == before
    assert before[-1] == ("1", 1)
    cursor.execute("alter session set row archival visibility = active")
    cursor.execute("select count(*) from every_copy")
    assert cursor.fetchone() == (sum(count for state, count in before if state == "0"),)


def filtered(oracle: Server, schema: Schema, table: str, where: str) -> str:
    """The log of an export of one table with a data filter."""
    with oracle.connect() as system, system.cursor() as cursor:
        cursor.execute(
            f"""declare h number; state varchar2(30); begin
              h := dbms_datapump.open('EXPORT', 'TABLE', null, '{schema.name}_{table}');
              dbms_datapump.add_file(h, '{schema.name}_{table}.dmp', 'DATA_PUMP_DIR');
              dbms_datapump.add_file(h, '{schema.name}_{table}.log', 'DATA_PUMP_DIR', filetype => 3);
              dbms_datapump.metadata_filter(h, 'SCHEMA_LIST', '''{schema.name}''');
              dbms_datapump.metadata_filter(h, 'NAME_LIST', '''{table}''');
              dbms_datapump.data_filter(h, 'SUBQUERY', :1);
              dbms_datapump.start_job(h);
              dbms_datapump.wait_for_job(h, state);
            end;""",
            [where],
        )
        cursor.execute("select directory_path from dba_directories where directory_name = 'DATA_PUMP_DIR'")
        ((path,),) = cursor.fetchall()
    return Path(path, f"{schema.name}_{table}.log").read_text()


def test_a_data_filter_looks_at_archived_rows_as_well(oracle: Server, schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table arch (a number) row archival")
    rows = "select level, '1' from dual connect by level <= 5"
    cursor.execute(f"insert into arch (a, ora_archive_state) {rows}")
    schema.connection.commit()
    assert "5 rows" in filtered(oracle, schema, "ARCH", "where a > 0")


def test_a_data_filter_by_blocks_is_none_for_index_organized_tables(oracle: Server, schema: Schema) -> None:
    """PL/SQL Packages Reference, DBMS_ROWID: not for universal rowids."""
    cursor = schema.connection.cursor()
    cursor.execute("create table iot (a number primary key) organization index")
    cursor.execute("insert into iot select level from dual connect by level <= 5")
    schema.connection.commit()
    log = filtered(oracle, schema, "IOT", "where mod(dbms_rowid.rowid_block_number(rowid), 2) = 0")
    assert "ORA-31693" in log
    assert "ORA-01410" in log


def test_create_table_as_select(filled: Schema) -> None:
    filled.connection.cursor().execute("create table every_copy as select * from every")
    assert content(filled, "every_copy") == content(filled, "every")
