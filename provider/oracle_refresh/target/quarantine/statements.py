"""The statements of the quarantine. Sources: SQL Language Reference 19c, ALTER USER and ALTER SYSTEM;
Database Reference 19c, DBA_USERS and GV$SESSION."""

from __future__ import annotations

from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.ledger import TABLE

STEP = "quarantine"
LOCKED = "locked"
RELEASED = "released"
HOLDER_STEP = "holder"
HOLDER_ITEM = "-"

ACCOUNT = "SELECT ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME = :name"
CONNECTED = "SELECT SYS_CONTEXT('USERENV', 'SESSION_USER') FROM DUAL"
#: A killed session may stay listed until its client notices.
SESSIONS = """\
SELECT SID, SERIAL#, INST_ID FROM GV$SESSION
WHERE USERNAME = :name AND STATUS <> 'KILLED' ORDER BY INST_ID, SID"""
#: Quarantines of other runs that were never released, oldest first.
UNRELEASED = f"""\
SELECT RUN_ID, DETAIL FROM "{TABLE}"
WHERE STEP = '{STEP}' AND ITEM = :name AND STATE = '{LOCKED}' AND RUN_ID <> :run_id
ORDER BY STARTED_AT, RUN_ID"""

NEVER_RELEASED = f"""\
SELECT DISTINCT RUN_ID FROM "{TABLE}" WHERE STEP = '{STEP}' AND STATE = '{LOCKED}'"""

#: The run that locked the target last.
HOLDER = f"""\
SELECT RUN_ID FROM "{TABLE}" WHERE STEP = '{HOLDER_STEP}' AND ITEM = '{HOLDER_ITEM}'
ORDER BY STARTED_AT DESC, RUN_ID FETCH FIRST 1 ROWS ONLY"""
#: Tables built by other runs that still hold an account which this run holds as well.
LEFT_BEHIND = f"""\
SELECT B.RUN_ID, B.ITEM FROM "{TABLE}" B
WHERE B.STEP = 'build_table' AND B.RUN_ID IN (
  SELECT O.RUN_ID FROM "{TABLE}" O JOIN "{TABLE}" M ON M.STEP = O.STEP AND M.ITEM = O.ITEM
  WHERE O.STEP = '{STEP}' AND O.STATE = '{LOCKED}' AND O.RUN_ID <> :run_id AND M.RUN_ID = :run_id)
ORDER BY B.RUN_ID, B.ITEM"""
ALL_TABLES = "SELECT OWNER, TABLE_NAME FROM DBA_TABLES"


def lock(account: str) -> str:
    return f"ALTER USER {Identifier(account).sql} ACCOUNT LOCK"


def unlock(account: str) -> str:
    return f"ALTER USER {Identifier(account).sql} ACCOUNT UNLOCK"


def kill(sid: int, serial: int, instance: int) -> str:
    return f"ALTER SYSTEM KILL SESSION '{sid:d},{serial:d},@{instance:d}' IMMEDIATE"
