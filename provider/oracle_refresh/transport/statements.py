"""Every statement and call of the transports; what writes through the store stands in `dbfs/statements.py`.

Source: DBMS_FILE_TRANSFER and UTL_FILE in PL/SQL Packages and Types Reference 19c; DBA_TAB_PRIVS in Database
Reference 19c.
"""

from __future__ import annotations

from oracle_refresh.run import documents, ledger

#: Step of the ledger that tells whether a run may have dump files.
DUMPS = "dumps"

GET_FILE = "DBMS_FILE_TRANSFER.GET_FILE"

MAY_EXECUTE = """\
SELECT 1 FROM DBA_TAB_PRIVS P
WHERE P.OWNER = 'SYS' AND P.TABLE_NAME = :package AND P.PRIVILEGE = 'EXECUTE'
  AND (P.GRANTEE IN (USER, 'PUBLIC') OR P.GRANTEE IN (SELECT R.ROLE FROM SESSION_ROLES R))"""

RUNS_WITH_DUMPS = f"""\
SELECT DISTINCT R.RUN_ID FROM "{documents.TABLE}" R
WHERE R.KIND = :kind AND NOT EXISTS (
  SELECT 1 FROM "{ledger.TABLE}" L
  WHERE L.RUN_ID = R.RUN_ID AND L.STEP = '{DUMPS}' AND L.STATE = '{ledger.DONE}')
ORDER BY R.RUN_ID"""

# TRUE: a former try, or an export that was repeated, may have left a file of that name.
RENAME_FILE = """\
BEGIN
  UTL_FILE.FRENAME(:directory, :old_name, :directory, :new_name, TRUE);
END;"""
