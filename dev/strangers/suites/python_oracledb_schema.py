"""The users, tables, rows and routines that python-oracledb's tests expect (its documentation, "Test Suite").

The tests read the rows back by formula: row n of TestNumbers holds 38**n, n * 1.25 and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import oracledb

from strangers.databases import Database

USER, PROXY, USER_PASSWORD = "pythontest", "pythontestproxy", "Python-1"

_GRANTS = (
    "CREATE SESSION, CREATE TABLE, CREATE PROCEDURE, CREATE TYPE, CREATE VIEW, SELECT ANY DICTIONARY, "
    "CHANGE NOTIFICATION, UNLIMITED TABLESPACE"
)
_ID = "IntCol NUMBER(9) NOT NULL"

#: Objects that the tests name and that need what the stand-in refuses: a statement that would make one.
_PROBES = {
    "columns of object types": "CREATE TABLE {user}.probe (a {user}.probe_type)",
    "CREATE EDITION": "CREATE EDITION pythonedition",
    "the data type XMLTYPE": "CREATE TABLE {user}.probe (a XMLTYPE)",
    "the data type BFILE": "CREATE TABLE {user}.probe (a BFILE)",
    "the data type UROWID": "CREATE TABLE {user}.probe (a UROWID)",
}
_NEED = {
    "columns of object types": (
        "UDT_SUBOBJECT UDT_OBJECTARRAY UDT_OBJECT UDT_ARRAY UDT_UNCONSTRAINEDTABLE UDT_BUILDING UDT_BOOK "
        "UDT_OBJECTWITHXMLTYPE UDT_XMLTYPEARRAY UDT_TABLEOFNUMBER UDT_TABLEOFTABLEOFNUMBER "
        "UDT_VARRAYOFNUMBER UDT_VARRAYOFTABLEOFNUMBER UDT_TABLEOFVARRAYOFNUMBER TESTOBJECTS TESTBUILDINGS "
        "TESTALLTYPES "
        "PKG_TESTBINDOBJECT PKG_TESTRECORDS PKG_TESTNESTEDRECORDS PKG_NESTEDTABLE "
        "NESTEDCOLLECTIONTESTS TEST_BOOK_QUEUE TEST_RAW_QUEUE BOOK_QUEUE_MULTI"
    ),
    "CREATE EDITION": "PYTHONEDITION EDITION_NAME",
    "the data type XMLTYPE": "TESTXML TESTTEMPXML",
    "the data type BFILE": "TESTBFILES",
    "the data type UROWID": "TESTROWIDS",
}

_TABLES = {
    "TestNumbers": f"{_ID}, LongIntCol NUMBER(16) NOT NULL, NumberCol NUMBER(9, 2) NOT NULL, "
    "FloatCol FLOAT NOT NULL, UnconstrainedCol NUMBER NOT NULL, NullableCol NUMBER(38)",
    "TestStrings": f"{_ID}, StringCol VARCHAR2(20) NOT NULL, RawCol RAW(30) NOT NULL, "
    "FixedCharCol CHAR(40) NOT NULL, NullableCol VARCHAR2(50)",
    "TestUnicodes": f"{_ID}, UnicodeCol NVARCHAR2(20) NOT NULL, FixedUnicodeCol NCHAR(40) NOT NULL, "
    "NullableCol NVARCHAR2(50)",
    "TestDates": f"{_ID}, DateCol DATE NOT NULL, NullableCol DATE",
    **{
        f"Test{kind}s": f"{_ID}, {kind}Col {kind} NOT NULL, ExtraNumCol1 NUMBER(9), Extra{kind}Col1 {kind}, "
        f"ExtraNumCol2 NUMBER(9), Extra{kind}Col2 {kind}"
        for kind in ("CLOB", "NCLOB", "BLOB")
    },
    "TestLongs": f"{_ID}, LongCol LONG",
    "TestLongRaws": f"{_ID}, LongRawCol LONG RAW",
    "TestTempTable": "IntCol NUMBER(9) NOT NULL CONSTRAINT TestTempTable_pk PRIMARY KEY, "
    "StringCol1 VARCHAR2(400), StringCol2 VARCHAR2(400), NumberCol NUMBER(25, 2)",
    "TestArrayDML": "IntCol NUMBER(9) NOT NULL CONSTRAINT TestArrayDML_pk PRIMARY KEY, "
    "StringCol VARCHAR2(100), IntCol2 NUMBER(3)",
    "TestTimestamps": f"{_ID}, TimestampCol TIMESTAMP NOT NULL, NullableCol TIMESTAMP, "
    "TimestampPrecisionCol TIMESTAMP(4)",
    "TestTimestampLTZs": f"{_ID}, TimestampLTZCol TIMESTAMP WITH LOCAL TIME ZONE NOT NULL, "
    "NullableCol TIMESTAMP WITH LOCAL TIME ZONE, TimestampLTZPrecisionCol TIMESTAMP(5) WITH LOCAL TIME ZONE",
    "TestTimestampTZs": f"{_ID}, TimestampTZCol TIMESTAMP WITH TIME ZONE NOT NULL, "
    "NullableCol TIMESTAMP WITH TIME ZONE, TimestampTZPrecisionCol TIMESTAMP(7) WITH TIME ZONE",
    "TestIntervals": f"{_ID}, IntervalCol INTERVAL DAY TO SECOND NOT NULL, "
    "NullableCol INTERVAL DAY TO SECOND, IntervalPrecisionCol INTERVAL DAY(7) TO SECOND, "
    "IntervalPrecisionScaleCol INTERVAL DAY(8) TO SECOND(9)",
    "TestIntervalYMs": f"{_ID}, IntervalCol INTERVAL YEAR TO MONTH NOT NULL, "
    "NullableCol INTERVAL YEAR TO MONTH, IntervalPrecisionCol INTERVAL YEAR(3) TO MONTH",
    "TestUniversalRowids": f"{_ID}, StringCol VARCHAR2(250) NOT NULL, DateCol DATE NOT NULL, "
    "CONSTRAINT TestUniversalRowids_pk PRIMARY KEY (IntCol, StringCol, DateCol)) ORGANIZATION INDEX",
    "TestJsonCols": f"{_ID}, JsonVarchar VARCHAR2(4000) NOT NULL CHECK (JsonVarchar IS JSON), "
    "JsonClob CLOB NOT NULL CHECK (JsonClob IS JSON), "
    "JsonBlob BLOB NOT NULL CHECK (JsonBlob IS JSON FORMAT JSON)",
    "TestDataframe": "Id NUMBER(9), FirstName VARCHAR2(100), LastName VARCHAR2(100), City VARCHAR2(100), "
    "Country VARCHAR2(100), DateOfBirth DATE, Salary NUMBER(9, 2), CreditScore NUMBER(3, 0), "
    "LastUpdated TIMESTAMP, DecimalData NUMBER(15, 4), IntegerData NUMBER(15), LongIntegerData NUMBER(38), "
    "UnconstrainedNumberData NUMBER, FloatData BINARY_FLOAT, DoubleData BINARY_DOUBLE, RawData RAW(100), "
    "LongData CLOB, LongRawData BLOB",
    "PlsqlSessionCallbacks": "RequestedTag VARCHAR2(250), ActualTag VARCHAR2(250), FixupTimestamp TIMESTAMP",
}

#: Arguments and results as the tests of callproc and callfunc expect them.
_ROUTINES = (
    "PROCEDURE {user}.proc_Test (a_InValue VARCHAR2, a_InOutValue IN OUT NUMBER, a_OutValue OUT NUMBER) AS "
    "BEGIN a_OutValue := LENGTH(a_InValue); a_InOutValue := a_InOutValue * a_OutValue; END;",
    "PROCEDURE {user}.proc_Test2 (a_InValue VARCHAR2, a_InOutValue IN OUT NUMBER, a_OutValue OUT BOOLEAN) AS "
    "BEGIN a_OutValue := LENGTH(a_InValue) > 1; a_InOutValue := a_InOutValue * LENGTH(a_InValue); END;",
    "PROCEDURE {user}.proc_TestNoArgs AS BEGIN NULL; END;",
    "PROCEDURE {user}.myrefcursorproc (a_RefCursor OUT SYS_REFCURSOR) AS "
    "BEGIN OPEN a_RefCursor FOR SELECT * FROM TestTempTable; END;",
    "FUNCTION {user}.func_Test (a_String VARCHAR2, a_ExtraAmount NUMBER) RETURN NUMBER AS "
    "BEGIN RETURN LENGTH(a_String) + a_ExtraAmount; END;",
    "FUNCTION {user}.func_Test2 (a_String VARCHAR2, a_ExtraAmount NUMBER, a_Boolean BOOLEAN) RETURN NUMBER "
    "AS BEGIN RETURN LENGTH(a_String) + CASE WHEN a_Boolean THEN a_ExtraAmount ELSE -a_ExtraAmount END; END;",
    "FUNCTION {user}.func_TestNoArgs RETURN NUMBER AS BEGIN RETURN 712; END;",
)

_OF_ARRAYS = """PACKAGE {user}.pkg_Test{name}Arrays AS
  TYPE udt_{kind}List IS TABLE OF {type} INDEX BY BINARY_INTEGER;
  FUNCTION TestInArrays (a_Start NUMBER, {base}a_Array udt_{kind}List) RETURN NUMBER;
  PROCEDURE TestInOutArrays (a_Elements NUMBER, a_Array IN OUT udt_{kind}List);
  PROCEDURE TestOutArrays (a_Elements NUMBER, a_Array OUT udt_{kind}List);{more}
END;"""
_OF_ARRAYS_BODY = """PACKAGE BODY {user}.pkg_Test{name}Arrays AS
  FUNCTION TestInArrays (a_Start NUMBER, {base}a_Array udt_{kind}List) RETURN NUMBER IS
    t_Sum NUMBER := a_Start;
  BEGIN
    FOR i IN 1 .. a_Array.COUNT LOOP t_Sum := t_Sum + {summand}; END LOOP;
    RETURN t_Sum;
  END;
  PROCEDURE TestInOutArrays (a_Elements NUMBER, a_Array IN OUT udt_{kind}List) IS
  BEGIN
    FOR i IN 1 .. a_Elements LOOP a_Array(i) := {changed}; END LOOP;
  END;
  PROCEDURE TestOutArrays (a_Elements NUMBER, a_Array OUT udt_{kind}List) IS
  BEGIN
    FOR i IN 1 .. a_Elements LOOP a_Array(i) := {made}; END LOOP;
  END;{more}
END;"""
_INDEXED = "PROCEDURE TestIndexBy (a_Array OUT udt_StringList)"
_ARRAYS = (
    {
        "name": "Number",
        "kind": "Number",
        "type": "NUMBER",
        "summand": "a_Array(i)",
        "changed": "a_Array(i) * 10",
        "made": "i * 100",
    },
    {
        "name": "String",
        "kind": "String",
        "type": "VARCHAR2(100)",
        "summand": "LENGTH(a_Array(i))",
        "changed": "'Converted element # ' || i || ' originally had length ' || LENGTH(a_Array(i))",
        "made": "'Test out element # ' || i",
        "more": f"\n  {_INDEXED};",
        "more_body": f"\n  {_INDEXED} IS\n  BEGIN\n"
        "    a_Array(-1048576) := 'First element'; a_Array(-576) := 'Second element';\n"
        "    a_Array(284) := 'Third element'; a_Array(8388608) := 'Fourth element';\n  END;",
    },
    {
        "name": "Unicode",
        "kind": "Unicode",
        "type": "NVARCHAR2(100)",
        "summand": "LENGTH(a_Array(i))",
        "changed": "UNISTR('Converted element \\3042 # ') || TO_CHAR(i) || ' originally had length '"
        " || TO_CHAR(LENGTH(a_Array(i)))",
        "made": "UNISTR('Test out element \\3042 # ') || TO_CHAR(i)",
    },
    {
        "name": "Date",
        "kind": "Date",
        "type": "DATE",
        "base": "a_Base DATE, ",
        "summand": "(a_Array(i) - a_Base)",
        "changed": "a_Array(i) + 7",
        "made": "DATE '2002-12-12' + i * 1.2",
    },
)
_PACKAGES = (
    "PACKAGE {user}.pkg_TestRefCursors AS TYPE udt_RefCursor IS REF CURSOR; "
    "PROCEDURE TestOutCursor (a_Most NUMBER, a_Cursor OUT udt_RefCursor); "
    "FUNCTION TestInCursor (a_Cursor udt_RefCursor) RETURN VARCHAR2; "
    "FUNCTION TestReturnCursor (a_Most NUMBER) RETURN udt_RefCursor; "
    "PROCEDURE TestLobCursor (a_Value VARCHAR2, a_Cursor OUT udt_RefCursor); "
    "PROCEDURE TestCloseCursor (a_Cursor udt_RefCursor); END;",
    "PACKAGE BODY {user}.pkg_TestRefCursors AS "
    "PROCEDURE TestOutCursor (a_Most NUMBER, a_Cursor OUT udt_RefCursor) IS BEGIN "
    "OPEN a_Cursor FOR SELECT IntCol, StringCol FROM TestStrings WHERE IntCol <= a_Most ORDER BY IntCol; "
    "END; FUNCTION TestInCursor (a_Cursor udt_RefCursor) RETURN VARCHAR2 IS "
    "t_Number NUMBER; t_String VARCHAR2(400); "
    "BEGIN FETCH a_Cursor INTO t_Number, t_String; RETURN t_String || ' (Modified)'; END; "
    "FUNCTION TestReturnCursor (a_Most NUMBER) RETURN udt_RefCursor IS t_Cursor udt_RefCursor; BEGIN "
    "OPEN t_Cursor FOR SELECT IntCol, StringCol FROM TestStrings WHERE IntCol <= a_Most ORDER BY IntCol; "
    "RETURN t_Cursor; END; "
    "PROCEDURE TestLobCursor (a_Value VARCHAR2, a_Cursor OUT udt_RefCursor) IS BEGIN "
    "OPEN a_Cursor FOR SELECT TO_CLOB(a_Value) AS CLOB_VALUE FROM DUAL; END; "
    "PROCEDURE TestCloseCursor (a_Cursor udt_RefCursor) IS BEGIN CLOSE a_Cursor; END; END;",
    "PACKAGE {user}.pkg_TestBooleans AS "
    "TYPE udt_BooleanList IS TABLE OF BOOLEAN INDEX BY BINARY_INTEGER; "
    "FUNCTION GetStringRep (a_Value BOOLEAN) RETURN VARCHAR2; "
    "FUNCTION IsLessThan10 (a_Value NUMBER) RETURN BOOLEAN; FUNCTION TestOutValueNull RETURN BOOLEAN; "
    "FUNCTION EchoValue (a_Value BOOLEAN) RETURN BOOLEAN; "
    "PROCEDURE EchoValueOut (a_Value BOOLEAN, a_Result OUT BOOLEAN); "
    "FUNCTION TestInArrays (a_Array udt_BooleanList) RETURN NUMBER; "
    "PROCEDURE TestOutArrays (a_Elements NUMBER, a_Array OUT udt_BooleanList); END;",
    "PACKAGE BODY {user}.pkg_TestBooleans AS FUNCTION GetStringRep (a_Value BOOLEAN) RETURN VARCHAR2 IS "
    "BEGIN RETURN CASE WHEN a_Value IS NULL THEN 'NULL' WHEN a_Value THEN 'TRUE' ELSE 'FALSE' END; END; "
    "FUNCTION IsLessThan10 (a_Value NUMBER) RETURN BOOLEAN IS BEGIN RETURN a_Value < 10; END; "
    "FUNCTION TestOutValueNull RETURN BOOLEAN IS BEGIN RETURN NULL; END; "
    "FUNCTION EchoValue (a_Value BOOLEAN) RETURN BOOLEAN IS BEGIN RETURN a_Value; END; "
    "PROCEDURE EchoValueOut (a_Value BOOLEAN, a_Result OUT BOOLEAN) IS BEGIN a_Result := a_Value; END; "
    "FUNCTION TestInArrays (a_Array udt_BooleanList) RETURN NUMBER IS t_Sum NUMBER := 0; BEGIN "
    "FOR i IN 1 .. a_Array.COUNT LOOP IF a_Array(i) THEN t_Sum := t_Sum + 1; END IF; END LOOP; "
    "RETURN t_Sum; END; "
    "PROCEDURE TestOutArrays (a_Elements NUMBER, a_Array OUT udt_BooleanList) IS BEGIN "
    "FOR i IN 1 .. a_Elements LOOP a_Array(i) := MOD(i, 2) = 1; END LOOP; END; END;",
    "PACKAGE {user}.pkg_TestLOBs AS PROCEDURE GetSize (a_Lob CLOB, a_Size OUT NUMBER); "
    "PROCEDURE GetSize (a_Lob BLOB, a_Size OUT NUMBER); "
    "FUNCTION GetLOB (a_Number NUMBER, a_Format VARCHAR2) RETURN CLOB; "
    "PROCEDURE TestInOut (a_Lob IN OUT CLOB, a_Sought VARCHAR2, a_Replacement VARCHAR2); END;",
    "PACKAGE BODY {user}.pkg_TestLOBs AS PROCEDURE GetSize (a_Lob CLOB, a_Size OUT NUMBER) IS BEGIN "
    "a_Size := DBMS_LOB.GETLENGTH(a_Lob); END; "
    "PROCEDURE GetSize (a_Lob BLOB, a_Size OUT NUMBER) IS BEGIN a_Size := DBMS_LOB.GETLENGTH(a_Lob); END; "
    "FUNCTION GetLOB (a_Number NUMBER, a_Format VARCHAR2) RETURN CLOB IS BEGIN "
    "RETURN REPLACE(a_Format, '{{}}', TO_CHAR(a_Number)); END; "
    "PROCEDURE TestInOut (a_Lob IN OUT CLOB, a_Sought VARCHAR2, a_Replacement VARCHAR2) IS BEGIN "
    "IF a_Sought IS NOT NULL THEN a_Lob := REPLACE(a_Lob, a_Sought, a_Replacement); END IF; END; END;",
)


def _of_arrays() -> Iterator[str]:
    for array in _ARRAYS:
        words = {"base": "", "more": "", "user": USER} | array
        yield _OF_ARRAYS.format(**words)
        yield _OF_ARRAYS_BODY.format(**words | {"more": array.get("more_body", "")})


def create(own: Database) -> dict[str, str]:
    """Make the schema; returns the names of what could not be made with the feature that it needs."""
    own.execute(
        [
            f'CREATE USER {USER} IDENTIFIED BY "{USER_PASSWORD}"',
            f'CREATE USER {PROXY} IDENTIFIED BY "{USER_PASSWORD}"',
            f"GRANT {_GRANTS} TO {USER}",
            f"GRANT CREATE SESSION TO {PROXY}",
            f"ALTER USER {PROXY} GRANT CONNECT THROUGH {USER}",
            *(
                f"CREATE TABLE {USER}.{name} ({columns}{'' if columns.endswith('INDEX') else ')'}"
                for name, columns in _TABLES.items()
            ),
            *(f"CREATE {routine.format(user=USER)}" for routine in (*_ROUTINES, *_PACKAGES)),
            *(f"CREATE {package}" for package in _of_arrays()),
        ]
    )
    with oracledb.connect(user=USER, password=USER_PASSWORD, dsn=own.dsn) as connection:
        with connection.cursor() as cursor:
            _fill(cursor)
        connection.commit()
    return _lacking(own)


def _lacking(own: Database) -> dict[str, str]:
    lacking: dict[str, str] = {}
    own.execute([f"CREATE TYPE {USER}.probe_type AS OBJECT (a NUMBER)"])
    for feature, statement in _PROBES.items():
        try:
            own.execute([statement.format(user=USER)])
        except oracledb.DatabaseError as error:
            if "ORA-03001" not in str(error):
                raise
            lacking |= dict.fromkeys(_NEED[feature].split(), feature)
        else:
            raise SystemExit(f"{feature} is there: make {_NEED[feature]} for the tests")
    own.execute([f"DROP TYPE {USER}.probe_type"])
    return lacking


def _fill(cursor: oracledb.Cursor) -> None:
    for table, rows in _rows().items():
        places = ", ".join(f":{number}" for number in range(1, len(rows[0]) + 1))
        if table == "TestTimestamps":  # else the driver binds dates, which have no fractions of seconds
            cursor.setinputsizes(None, *[oracledb.DB_TYPE_TIMESTAMP] * 3)
        cursor.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
    for statement in (*_zoned("TestTimestampLTZs", "20220602"), *_zoned("TestTimestampTZs", "20220603")):
        cursor.execute(statement)
    for statement in _intervals():
        cursor.execute(statement)


def _rows() -> dict[str, list[tuple[object, ...]]]:
    def odd(number: int, value: object) -> object:
        return value if number % 2 else None

    numbers = range(1, 11)
    begin = datetime(2002, 12, 9)
    return {
        "TestNumbers": [(n, 38**n, n * 1.25, n * 1.75, n**3 + n * 0.5, odd(n, 143**n)) for n in numbers],
        "TestStrings": [
            (n, f"String {n}", f"Raw {n}".encode(), f"Fixed Char {n}", odd(n, f"Nullable {n}"))
            for n in numbers
        ],
        "TestUnicodes": [
            (n, f"Unicode \u3042 {n}", f"Fixed Unicode {n}", odd(n, f"Nullable {n}")) for n in numbers
        ],
        "TestDates": [
            (n, begin + timedelta(days=n * 1.1), odd(n, begin + timedelta(days=n * 2.15))) for n in numbers
        ],
        "TestTimestamps": [
            (
                n,
                begin + _moment(n, n * 2, n * 50),
                odd(n, begin + _moment(n + 1, n * 3, n * 125)),
                datetime(2009, 12, 14),
            )
            for n in numbers
        ],
        "TestJsonCols": [(1, "[1, 2, 3]", "[4, 5, 6]", b"[7, 8, 9]")],
    }


def _moment(days: int, seconds: int, fraction: int) -> timedelta:
    """`fraction`: the digits behind the point of the seconds."""
    return timedelta(days=days, seconds=seconds, microseconds=int(str(fraction).ljust(6, "0")))


def _zoned(table: str, day: str) -> Iterator[str]:
    for n in range(1, 11):
        zone = f"{'+' if n % 2 else '-'}{n:02d}:{'30' if n % 4 else '00'}"
        mask = "'YYYYMMDD TZH:TZM'"
        first = f"TO_TIMESTAMP_TZ('{day} {zone}', {mask}) + TO_DSINTERVAL('{n} 00:00:{n * 2}.{n * 50}')"
        nullable = (
            f"TO_TIMESTAMP_TZ('{day} 00:00', {mask}) + TO_DSINTERVAL('{n + 1} 00:00:{n * 3}.{n * 125}')"
            if n % 2
            else "NULL"
        )
        yield (
            f"INSERT INTO {table} VALUES ({n}, {first}, {nullable}, "
            f"TO_TIMESTAMP_TZ('20091214 00:00', {mask}))"
        )


def _intervals() -> Iterator[str]:
    for n in range(1, 11):
        nullable = f"TO_DSINTERVAL('{n + 5} {n + 2}:{n * 2 + 5}:{n * 3 + 5}')" if n % 2 else "NULL"
        yield (
            f"INSERT INTO TestIntervals VALUES ({n}, TO_DSINTERVAL('{n} {n}:{n * 2}:{n * 3}'), {nullable}, "
            "TO_DSINTERVAL('8 05:15:00'), TO_DSINTERVAL('10 12:15:15'))"
        )
        nullable = f"TO_YMINTERVAL('{n + 5}-{n + 2}')" if n % 2 else "NULL"
        yield (
            f"INSERT INTO TestIntervalYMs VALUES ({n}, TO_YMINTERVAL('{n - 5}-{n}'), {nullable}, "
            "TO_YMINTERVAL('3-8'))"
        )
