"""The statements of the quarantine. Sources: SQL Language Reference 19c, ALTER USER and ALTER SYSTEM;
Database Reference 19c, DBA_USERS and GV$SESSION."""

from __future__ import annotations

from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.run.ledger import TABLE

STEP = "quarantine"
LOCKED = "locked"
#: Noted before an account is unlocked: whether it is, only the account itself tells.
RELEASING = "releasing"
RELEASED = "released"
HOLDER_STEP = "holder"
HOLDER_ITEM = "-"

#: Also of accounts that were locked for some time by wrong passwords: LOCKED(TIMED).
ACCOUNTS = "SELECT USERNAME, ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME IN ({names})"
ACCOUNT = "SELECT ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME = :name"
CONNECTED = "SELECT SYS_CONTEXT('USERENV', 'SESSION_USER') FROM DUAL"
#: A killed session may stay listed until its client notices.
SESSIONS = """\
SELECT SID, SERIAL#, INST_ID FROM GV$SESSION
WHERE USERNAME = :name AND STATUS <> 'KILLED' ORDER BY INST_ID, SID"""
AT_WORK = "SELECT DISTINCT USERNAME FROM GV$SESSION WHERE USERNAME IN ({names}) AND STATUS <> 'KILLED'"
#: Quarantines of other runs that were never released, oldest first.
UNRELEASED = f"""\
SELECT RUN_ID, DETAIL FROM "{TABLE}"
WHERE STEP = '{STEP}' AND ITEM = :name AND STATE <> '{RELEASED}' AND RUN_ID <> :run_id
ORDER BY STARTED_AT, RUN_ID"""

NEVER_RELEASED = f"""\
SELECT DISTINCT RUN_ID FROM "{TABLE}" WHERE STEP = '{STEP}' AND STATE <> '{RELEASED}'"""

#: The run that locked the target last.
HOLDER = f"""\
SELECT RUN_ID FROM "{TABLE}" WHERE STEP = '{HOLDER_STEP}' AND ITEM = '{HOLDER_ITEM}'
ORDER BY STARTED_AT DESC, RUN_ID FETCH FIRST 1 ROWS ONLY"""
#: Whoever takes the target is its last holder, even where the clock was set back since another one took it:
#: by an hour every autumn, where the database's host keeps local time.
AFTER_OTHERS = f"""\
UPDATE "{TABLE}" SET STARTED_AT = (
  SELECT MAX(O.STARTED_AT) + NUMTODSINTERVAL(1, 'SECOND') FROM "{TABLE}" O
  WHERE O.STEP = '{HOLDER_STEP}' AND O.RUN_ID <> :run_id)
WHERE RUN_ID = :run_id AND STEP = '{HOLDER_STEP}' AND ITEM = '{HOLDER_ITEM}' AND STARTED_AT <= (
  SELECT MAX(O.STARTED_AT) FROM "{TABLE}" O WHERE O.STEP = '{HOLDER_STEP}' AND O.RUN_ID <> :run_id)"""
#: Tables built by other runs that still hold an account which this run holds as well.
LEFT_BEHIND = f"""\
SELECT B.RUN_ID, B.ITEM FROM "{TABLE}" B
WHERE B.STEP = 'build_table' AND B.RUN_ID IN (
  SELECT O.RUN_ID FROM "{TABLE}" O JOIN "{TABLE}" M ON M.STEP = O.STEP AND M.ITEM = O.ITEM
  WHERE O.STEP = '{STEP}' AND O.STATE <> '{RELEASED}' AND O.RUN_ID <> :run_id AND M.RUN_ID = :run_id)
ORDER BY B.RUN_ID, B.ITEM"""
#: Tables built by runs that have not taken the target later than this one.
BUILT = f"""\
SELECT B.RUN_ID, B.ITEM FROM "{TABLE}" B
WHERE B.STEP = 'build_table' AND B.RUN_ID NOT IN (
  SELECT L.RUN_ID FROM "{TABLE}" L JOIN "{TABLE}" M ON M.STEP = L.STEP AND M.ITEM = L.ITEM
  WHERE L.STEP = '{HOLDER_STEP}' AND M.RUN_ID = :run_id AND L.STARTED_AT > M.STARTED_AT)
ORDER BY B.RUN_ID, B.ITEM"""
#: Ledgers of other refresh users of the target.
OTHER_LEDGERS = f"SELECT OWNER FROM DBA_TABLES WHERE TABLE_NAME = '{TABLE}' AND OWNER <> USER ORDER BY OWNER"
ALL_TABLES = "SELECT OWNER, TABLE_NAME FROM DBA_TABLES"


def held(owner: str) -> str:
    """The runs that hold the target by the ledger of another refresh user: accounts are not released, or none
    has been locked yet by the run that took it last."""
    ledger = TableName(owner, TABLE).sql
    return f"""\
SELECT RUN_ID FROM {ledger} WHERE STEP = '{STEP}' AND STATE <> '{RELEASED}'
UNION
SELECT H.RUN_ID FROM {ledger} H
WHERE H.STEP = '{HOLDER_STEP}' AND H.STATE <> '{RELEASED}'
  AND NOT EXISTS (SELECT 1 FROM {ledger} Q WHERE Q.RUN_ID = H.RUN_ID AND Q.STEP = '{STEP}')
  AND NOT EXISTS (SELECT 1 FROM {ledger} N WHERE N.STEP = H.STEP AND N.STARTED_AT > H.STARTED_AT)"""


def lock(account: str) -> str:
    return f"ALTER USER {Identifier(account).sql} ACCOUNT LOCK"


def unlock(account: str) -> str:
    return f"ALTER USER {Identifier(account).sql} ACCOUNT UNLOCK"


def kill(sid: int, serial: int, instance: int) -> str:
    return f"ALTER SYSTEM KILL SESSION '{sid:d},{serial:d},@{instance:d}' IMMEDIATE"
