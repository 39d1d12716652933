"""External tables over delimited files, through the real driver."""

from __future__ import annotations

import datetime
from pathlib import Path

import oracledb
import pytest

from support.cursors import fails, one
from support.external_tables import create
from support.stand_in import Schema

DELIMITED = "RECORDS DELIMITED BY NEWLINE NOLOGFILE FIELDS TERMINATED BY ','"


def test_types_enclosures_and_empty_fields(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    (folder / "data.csv").write_text(
        "id,text,day,amount,moment\n"
        '1,"a, ""quoted"" text",24-12-2023,1.005,2024-01-01 10:11:12.5\n'
        "2,  plain,,,\n"
        '3, "Jürgen" ,01-02-2024,-1e3,\n'
        "4,\n"
    )
    create(
        cursor,
        schema,
        "id NUMBER(5), day DATE, text VARCHAR2(20 CHAR), amount NUMBER(8,2), moment TIMESTAMP, note CLOB",
        """RECORDS DELIMITED BY NEWLINE CHARACTERSET AL32UTF8 SKIP 1 NOBADFILE NOLOGFILE
           FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' MISSING FIELD VALUES ARE NULL
           (id, text CHAR(40), day CHAR DATE_FORMAT DATE MASK "dd-mm-yyyy", amount DECIMAL EXTERNAL,
            moment CHAR(30) DATE_FORMAT TIMESTAMP MASK 'YYYY-MM-DD HH24:MI:SS.FF', note)""",
        tail="REJECT LIMIT 0 PARALLEL 2",
    )
    assert cursor.execute("SELECT id, text, day, amount, moment FROM x ORDER BY id").fetchall() == [
        (
            1,
            'a, "quoted" text',
            datetime.datetime(2023, 12, 24),
            1.01,
            datetime.datetime(2024, 1, 1, 10, 11, 12, 500_000),
        ),
        (2, "plain", None, None, None),
        (3, "Jürgen", datetime.datetime(2024, 2, 1), -1000, None),
        (4, None, None, None, None),
    ]
    assert one(cursor, "SELECT COUNT(*) FROM x WHERE note IS NULL") == 4


def test_it_feeds_other_tables(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    """More than one piece, several files, in order; the copy is direct or not, in parallel or not."""
    lines = [f"{number}|row {number:06d}|{'x' * 60}|" for number in range(20_000)]
    (folder / "a.tbl").write_text("\n".join(lines[:15_000]) + "\n")
    (folder / "b.tbl").write_text("\n".join(lines[15_000:]))
    create(
        cursor,
        schema,
        "n NUMBER, t VARCHAR2(20), filler VARCHAR2(100)",
        "RECORDS DELIMITED BY NEWLINE NOLOGFILE FIELDS TERMINATED BY '|' (n, t, filler)",
        location=f"'a.tbl', ext_{schema.name}:'b.tbl'",
    )
    cursor.execute("CREATE TABLE y PARALLEL 2 NOLOGGING AS SELECT * FROM x")
    assert one(cursor, "SELECT COUNT(*), MIN(n), MAX(n), SUM(n), MAX(t) FROM y") == (
        20_000,
        0,
        19_999,
        sum(range(20_000)),
        "row 019999",
    )
    cursor.execute("INSERT /*+ APPEND */ INTO y SELECT * FROM x WHERE n < 10")
    assert cursor.rowcount == 10
    schema.connection.commit()
    assert one(cursor, "SELECT COUNT(*) FROM x JOIN y ON x.n = y.n") == 20_010


def test_rejected_records_go_to_the_bad_file(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    good = [f"{number},word" for number in range(100)]
    wrong = ["one,word", "101,far too long for this column", "102", "103," + "y" * 300, "1234567,word"]
    (folder / "data.csv").write_text("\n".join([*good[:50], *wrong, *good[50:]]) + "\n")
    access = (
        f"RECORDS DELIMITED BY NEWLINE BADFILE ext_{schema.name}:'rows.bad' LOGFILE 'rows.log'"
        " FIELDS TERMINATED BY ',' (id, t)"
    )
    create(cursor, schema, "id NUMBER(5), t VARCHAR2(10)", access, tail=f"REJECT LIMIT {len(wrong)}")
    assert one(cursor, "SELECT COUNT(*), SUM(id) FROM x") == (100, sum(range(100)))
    assert (folder / "rows.bad").read_text().splitlines() == wrong
    log = (folder / "rows.log").read_text()
    assert f"error processing column ID in row 51 for datafile {folder}/data.csv\nORA-01722" in log
    for code in ("ORA-01722", "ORA-12899", "KUP-04023", "KUP-04026"):
        assert code in log
    cursor.execute("DROP TABLE x")
    create(cursor, schema, "id NUMBER(5), t VARCHAR2(10)", access, tail="REJECT LIMIT UNLIMITED")
    assert one(cursor, "SELECT COUNT(*) FROM x") == 100
    cursor.execute("DROP TABLE x")
    create(cursor, schema, "id NUMBER(5), t VARCHAR2(10)", access, tail=f"REJECT LIMIT {len(wrong) - 1}")
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute("SELECT COUNT(*) FROM x")
    assert caught.value.args[0].full_code == "ORA-29913"
    assert "ODCIEXTTABLEFETCH" in str(caught.value)
    assert "ORA-30653" in str(caught.value)


def test_dates_and_numbers_are_read_as_oracle_reads_them(
    schema: Schema, folder: Path, cursor: oracledb.Cursor
) -> None:
    rows = ["2024-02-28,1", "2024-02-29,+2", "2024-1-5,3e2", "2024-02-30,4", "2024-03-01,0x5", "x,6", ",1_0"]
    (folder / "data.csv").write_text("\n".join(rows))
    create(
        cursor,
        schema,
        "d DATE, n NUMBER",
        f"{DELIMITED} (d DATE_FORMAT DATE MASK 'YYYY-MM-DD', n)",
        tail="REJECT LIMIT 4",
    )
    assert cursor.execute("SELECT TO_CHAR(d, 'YYYYMMDD'), n FROM x").fetchall() == [
        ("20240228", 1),
        ("20240229", 2),
        ("20240105", 300),
    ]


@pytest.mark.parametrize(
    ("access", "line", "expected"),
    [
        (DELIMITED, " a ,b", (" a ", "b")),
        (f"{DELIMITED} LRTRIM", " a , b ", ("a", "b")),
        (f"{DELIMITED} RTRIM", " a , b ", (" a", " b")),
        (f"{DELIMITED} OPTIONALLY ENCLOSED BY '\"'", ' a ,"b "', ("a ", "b ")),
        (f"{DELIMITED} OPTIONALLY ENCLOSED BY '\"' NOTRIM", ' a ,"b "', (" a ", "b ")),
        (f"{DELIMITED} ENCLOSED BY '\"' AND '\"'", '"a,b","",', ("a,b", None)),
        (DELIMITED.replace("','", "'::'"), "a,::b:", ("a,", "b:")),
        (DELIMITED.replace("NEWLINE", "'#'"), "a,b\nc#", ("a", "b\nc")),
        (f"{DELIMITED} (t2, other, t1)", "1,2,3,4", ("3", "1")),
    ],
)
def test_what_a_field_holds(
    schema: Schema, folder: Path, cursor: oracledb.Cursor, access: str, line: str, expected: tuple[str, ...]
) -> None:
    (folder / "data.csv").write_text(line)
    create(cursor, schema, "t1 VARCHAR2(10), t2 VARCHAR2(10)", access)
    assert cursor.execute("SELECT t1, t2 FROM x").fetchall() == [expected]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('"a","b', "KUP-04036"),
        ('"a"x,"b"', "KUP-04037"),
        ('a,"b"', "KUP-04035"),
        ('"a"', "KUP-04023"),
        ('"",""', "KUP-04073"),
    ],
)
def test_why_a_record_is_rejected(
    schema: Schema, folder: Path, cursor: oracledb.Cursor, line: str, cause: str
) -> None:
    (folder / "data.csv").write_text(line + "\n")
    access = DELIMITED.replace("NOLOGFILE", "LOGFILE 'why.log'") + " ENCLOSED BY '\"'"
    create(
        cursor,
        schema,
        "t1 VARCHAR2(10), t2 VARCHAR2(10)",
        f"{access} REJECT ROWS WITH ALL NULL FIELDS",
        tail="REJECT LIMIT UNLIMITED",
    )
    assert cursor.execute("SELECT * FROM x").fetchall() == []
    assert cause in (folder / "why.log").read_text()


def test_files_and_records_that_cannot_be_read(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    create(cursor, schema, "t VARCHAR2(10)", DELIMITED)
    with pytest.raises(
        oracledb.DatabaseError, match=r"ORA-29913(?s:.*)ORA-29400(?s:.*)KUP-04040: file data.csv"
    ):
        cursor.execute("SELECT * FROM x")
    (folder / "data.csv").write_text("")
    assert cursor.execute("SELECT * FROM x").fetchall() == []
    (folder / "data.csv").write_text("short\n" + "y" * 600_000)
    with pytest.raises(oracledb.DatabaseError, match=r"KUP-04020"):
        cursor.execute("SELECT * FROM x")
    (folder / "data.csv").write_text("\n\na\n")
    assert cursor.execute("SELECT t FROM x").fetchall() == [(None,), (None,), ("a",)]


def test_the_directory_must_be_granted_to_the_reader(
    schema: Schema, folder: Path, cursor: oracledb.Cursor, oracle
) -> None:
    (folder / "data.csv").write_text("secret\n")
    create(cursor, schema, "t VARCHAR2(10)", DELIMITED.replace("NOLOGFILE", "NOLOGFILE NOBADFILE"))
    with oracle.connect() as system, system.cursor() as administrator:
        administrator.execute(f'CREATE USER reader_{schema.name} IDENTIFIED BY "pw"')
        administrator.execute(f"GRANT CREATE SESSION TO reader_{schema.name}")
        cursor.execute(f"GRANT SELECT ON x TO reader_{schema.name}")
        with oracle.connect(f"READER_{schema.name}", "pw") as connection, connection.cursor() as theirs:
            fails(theirs, 29913, f"SELECT * FROM {schema.name}.x")
            administrator.execute(f"GRANT READ ON DIRECTORY ext_{schema.name} TO reader_{schema.name}")
            assert theirs.execute(f"SELECT * FROM {schema.name}.x").fetchall() == [("secret",)]
        administrator.execute(f"DROP USER reader_{schema.name} CASCADE")


def test_the_dictionary_shows_a_table(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    create(cursor, schema, "id NUMBER(7,2), t VARCHAR2(30 CHAR)", DELIMITED, tail="REJECT LIMIT UNLIMITED")
    assert one(cursor, "SELECT external FROM user_tables WHERE table_name = 'X'") == "YES"
    assert one(cursor, "SELECT object_type FROM user_objects WHERE object_name = 'X'") == "TABLE"
    assert cursor.execute("SELECT view_name FROM user_views").fetchall() == []
    assert cursor.execute("SELECT trigger_name FROM user_triggers").fetchall() == []
    cursor.execute(
        "SELECT column_name, data_type, data_precision, data_scale, char_length FROM user_tab_columns"
        " WHERE table_name = 'X' ORDER BY column_id"
    )
    assert cursor.fetchall() == [("ID", "NUMBER", 7, 2, 0), ("T", "VARCHAR2", None, None, 30)]
    (kind, directory, limit, access) = one(
        cursor,
        "SELECT type_name, default_directory_name, reject_limit, access_parameters FROM user_external_tables",
    )
    assert (kind, directory, limit) == ("ORACLE_LOADER", f"EXT_{schema.name}", "UNLIMITED")
    assert (access.read() if hasattr(access, "read") else access) == DELIMITED
    assert one(cursor, "SELECT location, directory_name FROM user_external_locations") == (
        "data.csv",
        f"EXT_{schema.name}",
    )
    cursor.execute("DROP TABLE x")
    assert cursor.execute("SELECT * FROM user_external_tables").fetchall() == []
    fails(cursor, 942, "SELECT * FROM x")
    create(cursor, schema, "t VARCHAR2(10)", DELIMITED)


@pytest.mark.parametrize(
    "statement",
    ["INSERT INTO x VALUES ('a')", "UPDATE x SET t = 'b'", "DELETE FROM x", "DELETE FROM x WHERE 1 = 0"],
)
def test_it_cannot_be_changed(schema: Schema, folder: Path, cursor: oracledb.Cursor, statement: str) -> None:
    (folder / "data.csv").write_text("a\n")
    create(cursor, schema, "t VARCHAR2(10)", DELIMITED)
    fails(cursor, 30657, statement)
    assert cursor.execute("SELECT t FROM x").fetchall() == [("a",)]


@pytest.mark.parametrize(
    ("access", "code"),
    [
        ("RECORDS FIXED 80", 3001),
        ("RECORDS DELIMITED BY NEWLINE LOAD WHEN (t = 'a')", 3001),
        ("RECORDS DELIMITED BY NEWLINE CHARACTERSET WE8ISO8859P1", 3001),
        ("FIELDS (t CHAR(10))", 3001),
        ("FIELDS TERMINATED BY WHITESPACE", 3001),
        ("FIELDS TERMINATED BY 0x'09'", 3001),
        ("FIELDS TERMINATED BY ',' (t CHAR(10) NULLIF t = 'x')", 29913),
        ("FIELDS TERMINATED BY ',' (other)", 29913),
        ("FIELDS TERMINATED BY", 29913),
        ("FIELDS TERMINATED BY ','  (t CHAR(x))", 29913),
        ("RECORDS DELIMITED BY NEWLINE BADFILE '../x'", 29913),
    ],
)
def test_what_is_not_known_is_refused(
    schema: Schema, folder: Path, cursor: oracledb.Cursor, access: str, code: int
) -> None:
    with pytest.raises(oracledb.DatabaseError) as caught:
        create(cursor, schema, "t VARCHAR2(10)", access)
    assert caught.value.args[0].code == code, str(caught.value)


def test_a_text_in_the_clause_is_never_code(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    hostile = "$text$ $body$ '' %1$s"
    (folder / "data.csv").write_text(f"a{hostile.replace(chr(39) * 2, chr(39))}b\n")
    create(
        cursor, schema, '"T\'$body$" VARCHAR2(10), u VARCHAR2(10)', DELIMITED.replace("','", f"'{hostile}'")
    )
    assert cursor.execute("SELECT * FROM x").fetchall() == [("a", "b")]


def test_other_external_tables_are_refused(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    directory = f"DEFAULT DIRECTORY ext_{schema.name}"
    for clause in (
        f"(TYPE ORACLE_DATAPUMP {directory} LOCATION ('a'))",
        f"(TYPE ORACLE_LOADER {directory} ACCESS PARAMETERS (SKIP 1) LOCATION ('a', 'b'))",
    ):
        fails(cursor, 3001, f"CREATE TABLE x (t VARCHAR2(10)) ORGANIZATION EXTERNAL {clause}")
    fails(cursor, 30648, f"CREATE TABLE x (t VARCHAR2(10)) ORGANIZATION EXTERNAL ({directory})")
    fails(
        cursor,
        3001,
        f"CREATE TABLE x (t VARCHAR2(10) PRIMARY KEY) ORGANIZATION EXTERNAL ({directory} LOCATION ('a'))",
    )
