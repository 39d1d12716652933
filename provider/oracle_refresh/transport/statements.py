"""Every statement and call of the transports; what writes through the store stands in `dbfs/statements.py`.

Source: DBMS_FILE_TRANSFER and UTL_FILE in PL/SQL Packages and Types Reference 19c; DBA_TAB_PRIVS in Database
Reference 19c.
"""

from __future__ import annotations

from oracle_refresh.run.ledger import DONE, TABLE
from oracle_refresh.target.quarantine.statements import HOLDER_STEP

#: Step of the ledger that tells whether a run may have dump files.
DUMPS = "dumps"

GET_FILE = "DBMS_FILE_TRANSFER.GET_FILE"

MAY_EXECUTE = """\
SELECT 1 FROM DBA_TAB_PRIVS P
WHERE P.OWNER = 'SYS' AND P.TABLE_NAME = :package AND P.PRIVILEGE = 'EXECUTE'
  AND (P.GRANTEE IN (USER, 'PUBLIC') OR P.GRANTEE IN (SELECT R.ROLE FROM SESSION_ROLES R))"""

RUNS_WITH_DUMPS = f"""\
SELECT D.RUN_ID FROM "{TABLE}" D WHERE D.STEP = '{DUMPS}' AND D.STATE <> '{DONE}' ORDER BY D.RUN_ID"""
#: Those that took the target before this one did; and of those that have never taken it, those that had begun
#: to export before this one exported or took it: others may be on their way to take it.
FORMER_RUNS_WITH_DUMPS = f"""\
SELECT D.RUN_ID FROM "{TABLE}" D
LEFT JOIN "{TABLE}" H ON H.RUN_ID = D.RUN_ID AND H.STEP = '{HOLDER_STEP}'
WHERE D.STEP = '{DUMPS}' AND D.STATE <> '{DONE}' AND D.RUN_ID <> :run_id AND (
  H.STARTED_AT < (
    SELECT MAX(M.STARTED_AT) FROM "{TABLE}" M WHERE M.RUN_ID = :run_id AND M.STEP = '{HOLDER_STEP}')
  OR H.STARTED_AT IS NULL AND D.STARTED_AT < (
    SELECT MIN(M.STARTED_AT) FROM "{TABLE}" M
    WHERE M.RUN_ID = :run_id AND M.STEP IN ('{HOLDER_STEP}', '{DUMPS}')))
ORDER BY D.RUN_ID"""

# TRUE: a former try, or an export that was repeated, may have left a file of that name.
RENAME_FILE = """\
BEGIN
  UTL_FILE.FRENAME(:directory, :old_name, :directory, :new_name, TRUE);
END;"""
