"""DBMS_PARALLEL_EXECUTE with the driver: chunks that cover a table once, statements run for each of them."""

from __future__ import annotations

import oracledb
import pytest

ROWS = 2000


@pytest.fixture
def cursor(schema, oracle):
    with oracle.connect() as system:
        system.cursor().execute(f"GRANT CREATE JOB TO {schema.name}")
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE T (ID NUMBER, N NUMBER, TEXT VARCHAR2(200))")
        cursor.execute(f"INSERT INTO T SELECT LEVEL, 0, 'x' FROM DUAL CONNECT BY LEVEL <= {ROWS}")
        schema.connection.commit()
        cursor.callproc("DBMS_PARALLEL_EXECUTE.CREATE_TASK", ["JOB"])
        yield cursor


def one(cursor, statement, **binds):
    cursor.execute(statement, binds)
    return cursor.fetchone()[0]


def call(cursor, text):
    cursor.execute(f"BEGIN DBMS_PARALLEL_EXECUTE.{text}; END;")


def status(cursor):
    code = cursor.callfunc("DBMS_PARALLEL_EXECUTE.TASK_STATUS", int, ["JOB"])
    return code, one(cursor, "SELECT status FROM user_parallel_execute_tasks WHERE task_name = 'JOB'")


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize(("by_row", "size"), [("TRUE", 300), ("FALSE", 2)])
def test_chunks_by_rowid_are_run_once_each(cursor, schema, by_row, size, level):
    call(cursor, f"CREATE_CHUNKS_BY_ROWID('JOB', USER, 'T', {by_row}, {size})")
    assert status(cursor) == (4, "CHUNKED")
    chunks = one(cursor, "SELECT COUNT(*) FROM user_parallel_execute_chunks WHERE status = 'UNASSIGNED'")
    assert chunks > 2
    covered = one(
        cursor,
        "SELECT COUNT(*) FROM T, user_parallel_execute_chunks c"
        " WHERE T.ROWID BETWEEN c.start_rowid AND c.end_rowid",
    )
    assert covered == ROWS
    cursor.callproc(
        "DBMS_PARALLEL_EXECUTE.RUN_TASK",
        ["JOB", "UPDATE T SET N = N + 1 WHERE ROWID BETWEEN :start_id AND :end_id", 1],
        {"parallel_level": level},
    )
    assert status(cursor) == (6, "FINISHED")
    assert one(cursor, "SELECT COUNT(*) FROM T WHERE N = 1") == ROWS
    assert (
        one(cursor, "SELECT COUNT(*) FROM user_parallel_execute_chunks WHERE status = 'PROCESSED'") == chunks
    )
    jobs = one(cursor, "SELECT COUNT(DISTINCT job_name) FROM user_parallel_execute_chunks")
    assert jobs <= level
    call(cursor, "DROP_TASK('JOB')")
    assert one(cursor, "SELECT COUNT(*) FROM user_parallel_execute_chunks") == 0


def test_numbers_errors_and_resuming(cursor, schema):
    call(cursor, "CREATE_CHUNKS_BY_NUMBER_COL('JOB', USER, 'T', 'ID', 600)")
    cursor.execute("SELECT start_id, end_id FROM user_parallel_execute_chunks ORDER BY 1")
    assert cursor.fetchall() == [(1, 600), (601, 1200), (1201, 1800), (1801, 2000)]
    cursor.execute("ALTER TABLE T ADD CONSTRAINT T_CK CHECK (N < 1 OR ID <> 700)")
    block = "BEGIN UPDATE T SET N = N + 1 WHERE ID BETWEEN :start_id AND :end_id; END;"
    cursor.callproc("DBMS_PARALLEL_EXECUTE.RUN_TASK", ["JOB", block, 1], {"parallel_level": 2})
    assert status(cursor) == (7, "FINISHED_WITH_ERROR")
    cursor.execute(
        "SELECT start_id, error_code, error_message FROM user_parallel_execute_chunks"
        " WHERE status = 'PROCESSED_WITH_ERROR'"
    )
    ((start, code, message),) = cursor.fetchall()
    assert (start, code) == (601, -2290)
    assert message.startswith("ORA-02290: check constraint")
    assert one(cursor, "SELECT SUM(N) FROM T") == ROWS - 600
    cursor.execute("ALTER TABLE T DROP CONSTRAINT T_CK")
    call(cursor, "RESUME_TASK('JOB')")
    assert status(cursor) == (6, "FINISHED")
    assert one(cursor, "SELECT SUM(N) FROM T") == ROWS


def test_chunks_by_sql_and_by_hand(cursor):
    call(cursor, "CREATE_CHUNKS_BY_SQL('JOB', 'SELECT ID, ID FROM T WHERE ID <= 2 ORDER BY 1', FALSE)")
    names = ("chunk", "first", "last", "any")
    seen = []
    while True:
        found = {name: cursor.var(int) for name in names}
        cursor.execute(
            "DECLARE b BOOLEAN; BEGIN"
            " DBMS_PARALLEL_EXECUTE.GET_NUMBER_COL_CHUNK('JOB', :chunk, :first, :last, b);"
            " IF b THEN :any := 1; ELSE :any := 0; END IF; END;",
            found,
        )
        if not found["any"].getvalue():
            break
        seen.append((found["first"].getvalue(), found["last"].getvalue()))
        cursor.callproc("DBMS_PARALLEL_EXECUTE.SET_CHUNK_STATUS", ["JOB", found["chunk"].getvalue(), 2])
    assert seen == [(1, 1), (2, 2)]
    assert one(cursor, "SELECT COUNT(*) FROM user_parallel_execute_chunks WHERE status = 'PROCESSED'") == 2
    call(cursor, "PURGE_PROCESSED_CHUNKS('JOB')")
    assert one(cursor, "SELECT COUNT(*) FROM user_parallel_execute_chunks") == 0


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("CREATE_TASK('JOB')", "ORA-29497: duplicate task name"),
        ("DROP_TASK('OTHER')", "ORA-29498"),
        ("RUN_TASK('JOB', 'BEGIN NULL; END;', 1)", "ORA-29494"),
        ("RESUME_TASK('JOB')", "ORA-29495"),
        ("CREATE_CHUNKS_BY_ROWID('JOB', USER, 'NOTHING', TRUE, 10)", "ORA-29491: invalid table for chunking"),
        ("CREATE_CHUNKS_BY_ROWID('JOB', USER, 'IOT', TRUE, 10)", "ORA-29491: invalid table for chunking"),
        ("CREATE_CHUNKS_BY_ROWID('JOB', USER, 'V', TRUE, 10)", "ORA-29491"),
        ("CREATE_CHUNKS_BY_SQL('JOB', 'SELECT 1 FROM NOTHING', FALSE)", "ORA-00942"),
        ("SET_CHUNK_STATUS('JOB', 1, 9)", "ORA-29493"),
        ("SET_CHUNK_STATUS('JOB', -1, 2)", "ORA-29499"),
        ("STOP_TASK('JOB')", "ORA-03001"),
    ],
)
def test_refusals(cursor, text, error):
    cursor.execute("CREATE TABLE IOT (ID NUMBER PRIMARY KEY) ORGANIZATION INDEX")
    cursor.execute("CREATE VIEW V AS SELECT ID FROM T")
    with pytest.raises(oracledb.DatabaseError, match=error):
        call(cursor, text)


def test_jobs_need_the_privilege(cursor, schema, oracle):
    with oracle.connect() as system:
        system.cursor().execute(f"REVOKE CREATE JOB FROM {schema.name}")
    call(cursor, "CREATE_CHUNKS_BY_NUMBER_COL('JOB', USER, 'T', 'ID', 600)")
    with pytest.raises(oracledb.DatabaseError, match="ORA-27486: insufficient privileges"):
        call(cursor, "RUN_TASK('JOB', 'BEGIN NULL; END;', 1, parallel_level => 2)")
