"""The statements of the ladder itself. Source: Database Reference 19c, the view named in each."""

from __future__ import annotations

OPTIONS = "SELECT PARAMETER, VALUE FROM V$OPTION ORDER BY PARAMETER"
#: The refresh's own tables that are there; all begin alike.
OWN_TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'"
#: Of the session's user, links among them: Database Reference 19c, ALL_OBJECTS.
OWN_OBJECTS = "SELECT OBJECT_TYPE, OBJECT_NAME FROM USER_OBJECTS"
#: Those of jobs and over links as well: Database Reference 19c, V$SESSION.
OWN_SESSIONS = """\
SELECT INST_ID, SID, SERIAL#, MODULE FROM GV$SESSION
WHERE USERNAME = SYS_CONTEXT('USERENV', 'SESSION_USER') AND STATUS <> 'KILLED'"""
DIRECTORIES = "SELECT DIRECTORY_NAME FROM DBA_DIRECTORIES"
USERS_OF_NAME = "SELECT USERNAME FROM ALL_USERS WHERE USERNAME = :name"
ROWS_OF_OWN_TABLE = "SELECT COUNT(*) FROM {table}"
#: Rows of LOBs, filled without a bind: text of a few bytes and of more than a row holds.
FILL_LOBS = """\
INSERT INTO {table} (ID, TEXT, CONTENT)
SELECT LEVEL, TO_CLOB(RPAD('x', MOD(LEVEL * 997, 4000) + 1, 'abc')),
  TO_BLOB(HEXTORAW(RPAD('0A', 2 * (MOD(LEVEL * 13, 900) + 1), '1B')))
FROM DUAL CONNECT BY LEVEL <= :number_of_rows"""
CHANGE_LOBS = "UPDATE {table} SET TEXT = TO_CLOB('changed'), CONTENT = NULL WHERE MOD(ID, 2) = 0"
ROWS_BETWEEN = "SELECT COUNT(*) FROM {table} T WHERE T.ROWID BETWEEN :low AND :high"
FIRST_ROWIDS = """\
SELECT ROWID FROM {table} AS OF SCN :scn ORDER BY ROWID FETCH FIRST :number_of_rows ROWS ONLY"""
#: What a load of another shard holds all the time: SQL Language Reference 19c, LOCK TABLE.
LOCK_AS_A_LOAD = "LOCK TABLE {table} IN ROW EXCLUSIVE MODE"
#: Sessions that wait for a lock on a whole table.
TM_WAITS = """\
SELECT COUNT(*) FROM V$LOCK L JOIN DBA_OBJECTS O ON O.OBJECT_ID = L.ID1
WHERE L.TYPE = 'TM' AND L.REQUEST > 0 AND O.OWNER = :owner AND O.OBJECT_NAME = :name"""
