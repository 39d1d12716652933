"""Every statement and package call of the Data Pump room, in one place.

Source: DBMS_DATAPUMP and UTL_FILE in PL/SQL Packages and Types Reference 19c; DBA_DATAPUMP_JOBS and
V$SESSION_LONGOPS in Database Reference 19c. Package constants stand as literals: a bind cannot name them.
"""

from __future__ import annotations

FILE_TYPE_DUMP_FILE = 1
FILE_TYPE_LOG_FILE = 3
STATUS_JOB_DESCRIPTION = 2
STATUS_JOB_ERROR = 8
DISABLE_APPEND_HINT = (
    8  # DATA_OPTIONS: conventional insert, so that shards do not queue for the table's TM lock
)

OPEN = "DBMS_DATAPUMP.OPEN"
ATTACH = "DBMS_DATAPUMP.ATTACH"
ADD_FILE = "DBMS_DATAPUMP.ADD_FILE"
METADATA_FILTER = "DBMS_DATAPUMP.METADATA_FILTER"
METADATA_REMAP = "DBMS_DATAPUMP.METADATA_REMAP"
METADATA_TRANSFORM = "DBMS_DATAPUMP.METADATA_TRANSFORM"
DATA_FILTER = "DBMS_DATAPUMP.DATA_FILTER"
SET_PARAMETER = "DBMS_DATAPUMP.SET_PARAMETER"
SET_PARALLEL = "DBMS_DATAPUMP.SET_PARALLEL"
START_JOB = "DBMS_DATAPUMP.START_JOB"
STOP_JOB = "DBMS_DATAPUMP.STOP_JOB"
DETACH = "DBMS_DATAPUMP.DETACH"
FREMOVE = "UTL_FILE.FREMOVE"

JOB_STATE = """\
SELECT OPERATION, STATE, DEGREE, ATTACHED_SESSIONS FROM USER_DATAPUMP_JOBS WHERE JOB_NAME = :job_name"""

OWN_JOBS = "SELECT JOB_NAME, OPERATION, STATE FROM USER_DATAPUMP_JOBS"

# V$SESSION_LONGOPS has the job's name in OPNAME and counts in megabytes; former runs may still be there.
JOB_PROGRESS = """\
SELECT SOFAR, TOTALWORK FROM V$SESSION_LONGOPS
WHERE USERNAME = USER AND OPNAME = :job_name
ORDER BY START_TIME DESC, LAST_UPDATE_TIME DESC
FETCH FIRST 1 ROWS ONLY"""

# The same for all jobs of the user at once; of several rows of one job the last is the latest.
ALL_STATES = "SELECT JOB_NAME, OPERATION, STATE, DEGREE, ATTACHED_SESSIONS FROM USER_DATAPUMP_JOBS"
ALL_PROGRESS = """\
SELECT OPNAME, SOFAR, TOTALWORK FROM V$SESSION_LONGOPS
WHERE USERNAME = USER
ORDER BY START_TIME, LAST_UPDATE_TIME"""

# GET_STATUS returns an object; unpacked in PL/SQL it does not depend on the client's view of the type. It
# also answers with a NULL handle, after a failed OPEN or ATTACH.
GET_ERRORS = f"""\
DECLARE
  s KU$_STATUS;
  st VARCHAR2(30);
  e VARCHAR2(32767);
BEGIN
  DBMS_DATAPUMP.GET_STATUS(:handle, {STATUS_JOB_ERROR}, 0, st, s);
  IF s.error IS NOT NULL THEN
    FOR i IN 1 .. s.error.COUNT LOOP
      e := SUBSTR(e || s.error(i).LogText || CHR(10), 1, 32000);
    END LOOP;
  END IF;
  :errors := e;
END;"""

# KU$_JOBDESC.LOG_FILE, with its path.
GET_LOG_FILE = f"""\
DECLARE
  s KU$_STATUS;
  st VARCHAR2(30);
BEGIN
  DBMS_DATAPUMP.GET_STATUS(:handle, {STATUS_JOB_DESCRIPTION}, 0, st, s);
  :log_file := s.job_description.log_file;
END;"""

BFILE = "SELECT BFILENAME(:directory, :name) FROM DUAL"
#: oracledb 26.1 has LOB.fileexists(), but it returns nothing.
FILE_EXISTS = "BEGIN :found := DBMS_LOB.FILEEXISTS(BFILENAME(:directory, :name)); END;"
#: Which numbers of a template there are; `%L` stands for its counter, as in `files.numbered`.
NUMBERS_THERE = """\
DECLARE
  numbers VARCHAR2(4000);
BEGIN
  FOR n IN :first_number .. :last_number LOOP
    IF DBMS_LOB.FILEEXISTS(
      BFILENAME(:directory, REPLACE(:pattern, '%L', LPAD(n, GREATEST(2, LENGTH(n)), '0')))) = 1 THEN
      numbers := numbers || ' ' || n;
    END IF;
  END LOOP;
  :numbers := numbers;
END;"""
MASTER_TABLE = "SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :job_name"
DROP_MASTER_TABLE = "DROP TABLE {table} PURGE"
COUNT_ROWS = "SELECT COUNT(*) FROM {table}"
COUNT_AS_OF = "SELECT COUNT(*) FROM {table}{part} AS OF SCN :scn{where}"
TRUNCATE = "TRUNCATE TABLE {table}"
TABLES_OF_OWNER = "SELECT TABLE_NAME FROM ALL_TABLES WHERE OWNER = :owner"
