"""The statements of the quarantine. Sources: SQL Language Reference 19c, ALTER USER and ALTER SYSTEM;
Database Reference 19c, DBA_USERS and GV$SESSION."""

from __future__ import annotations

from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.run import documents
from oracle_refresh.run.ledger import TABLE
from oracle_refresh.target.former.state import RETURNED
from oracle_refresh.target.former.state import STEP as FORMER_STEP

STEP = "quarantine"
LOCKED = "locked"
#: Noted before an account is unlocked: whether it is, only the account itself tells.
RELEASING = "releasing"
RELEASED = "released"
#: Jobs that were enabled, and those whose jobs are disabled: the accounts, and the owners of the schemas.
JOB_STEP = "quarantine_job"
OWNER_STEP = "quarantine_owner"
#: Jobs that run once and were stopped in that run.
STOPPED_STEP = "quarantine_stopped"
HOLDER_STEP = "holder"
HOLDER_ITEM = "-"

#: Also of accounts that were locked for some time by wrong passwords: LOCKED(TIMED).
ACCOUNTS = "SELECT USERNAME, ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME IN ({names})"
ACCOUNT = "SELECT ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME = :name"
OWNERS = """\
SELECT U.USERNAME, U.ACCOUNT_STATUS, U.AUTHENTICATION_TYPE,
  (SELECT COUNT(*) FROM DBA_PROXIES P WHERE P.CLIENT = U.USERNAME AND P.PROXY IS NOT NULL)
FROM DBA_USERS U WHERE U.USERNAME IN ({names}) AND U.USERNAME <> USER AND U.ORACLE_MAINTAINED = 'N'
ORDER BY U.USERNAME"""
CONNECTED = "SELECT SYS_CONTEXT('USERENV', 'SESSION_USER') FROM DUAL"
#: A killed session may stay listed until its client notices.
SESSIONS = """\
SELECT SID, SERIAL#, INST_ID FROM GV$SESSION
WHERE USERNAME = :name AND STATUS <> 'KILLED' ORDER BY INST_ID, SID"""
#: Those of a run's tasks, or of one of them, but for the one that asks.
SESSIONS_OF_RUN = """\
SELECT SID, SERIAL#, INST_ID FROM GV$SESSION
WHERE USERNAME = USER AND CLIENT_IDENTIFIER = :client AND ACTION = NVL(:action, ACTION) AND STATUS <> 'KILLED'
  AND (INST_ID <> TO_NUMBER(SYS_CONTEXT('USERENV', 'INSTANCE'))
    OR SID <> TO_NUMBER(SYS_CONTEXT('USERENV', 'SID')))
ORDER BY INST_ID, SID"""
AT_WORK = "SELECT DISTINCT USERNAME FROM GV$SESSION WHERE USERNAME IN ({names}) AND STATUS <> 'KILLED'"
ENABLED_JOBS = """\
SELECT OWNER, JOB_NAME FROM DBA_SCHEDULER_JOBS
WHERE OWNER IN ({names}) AND ENABLED = 'TRUE' ORDER BY OWNER, JOB_NAME"""
#: Which of them have a session, or need none to go on (Database Reference 19c, ALL_SCHEDULER_RUNNING_JOBS).
RUNNING_JOBS = """\
SELECT R.OWNER, R.JOB_NAME, MAX(CASE WHEN R.SESSION_ID IS NOT NULL OR R.DETACHED = 'TRUE' THEN 1 ELSE 0 END)
FROM DBA_SCHEDULER_RUNNING_JOBS R WHERE R.OWNER IN ({names})
GROUP BY R.OWNER, R.JOB_NAME ORDER BY R.OWNER, R.JOB_NAME"""
ONE_TIME_JOBS = """\
SELECT OWNER, JOB_NAME FROM DBA_SCHEDULER_JOBS
WHERE OWNER IN ({names}) AND SCHEDULE_TYPE IN ('IMMEDIATE', 'ONCE')"""
JOB = "SELECT COUNT(*) FROM DBA_SCHEDULER_JOBS WHERE OWNER = :owner AND JOB_NAME = :name"
#: They run with the privileges of PRIV_USER.
OLD_JOBS = "SELECT PRIV_USER, JOB FROM DBA_JOBS WHERE PRIV_USER IN ({names}) AND BROKEN = 'N' ORDER BY 1, 2"
#: FORCE: also while it runs, which goes on. Both commit (DBMS_SCHEDULER, DISABLE and STOP_JOB).
DISABLE_JOB = "BEGIN DBMS_SCHEDULER.DISABLE(name => :name, force => TRUE); END;"
ENABLE_JOB = "BEGIN DBMS_SCHEDULER.ENABLE(name => :name); END;"
#: An interrupt, by which the job's process ends in good order.
STOP_JOB = "BEGIN DBMS_SCHEDULER.STOP_JOB(job_name => :name, force => FALSE); END;"
#: Ends the process itself, and takes MANAGE SCHEDULER; to be used only where the other has failed.
STOP_JOB_BY_FORCE = "BEGIN DBMS_SCHEDULER.STOP_JOB(job_name => :name, force => TRUE); END;"
UNRELEASED_JOBS = f"""\
SELECT DISTINCT ITEM FROM "{TABLE}"
WHERE STEP = '{JOB_STEP}' AND STATE <> '{RELEASED}' AND RUN_ID <> :run_id ORDER BY ITEM"""
HOLDING_JOB = f"""\
SELECT RUN_ID FROM "{TABLE}"
WHERE STEP = '{JOB_STEP}' AND ITEM = :item AND STATE <> '{RELEASED}' AND RUN_ID <> :run_id"""
#: Quarantines of other runs that were never released, oldest first.
UNRELEASED = f"""\
SELECT RUN_ID, DETAIL FROM "{TABLE}"
WHERE STEP = '{STEP}' AND ITEM = :name AND STATE <> '{RELEASED}' AND RUN_ID <> :run_id
ORDER BY STARTED_AT, RUN_ID"""

#: Of each table the runs that have begun to build it, and the clones that were to mask it, in the order in
#: which they took the target, but for those that have put back what was there before; and what each has noted
#: of the target: released, or else. A clone has no jobs.
WORKED_ON = f"""\
SELECT P.ITEM, P.RUN_ID, H.STATE FROM "{documents.TABLE}" P
LEFT JOIN "{TABLE}" H ON H.RUN_ID = P.RUN_ID AND H.STEP = '{HOLDER_STEP}' AND H.ITEM = '{HOLDER_ITEM}'
WHERE P.KIND = :planned AND P.RUN_ID <> :run_id
  AND NOT EXISTS (
    SELECT 1 FROM "{TABLE}" F
    WHERE F.RUN_ID = P.RUN_ID AND F.STEP = '{FORMER_STEP}' AND F.STATE = '{RETURNED}')
  AND (
    EXISTS (
      SELECT 1 FROM "{TABLE}" B WHERE B.RUN_ID = P.RUN_ID AND B.STEP = 'build_table' AND B.ITEM = P.ITEM)
    OR NOT EXISTS (SELECT 1 FROM "{documents.TABLE}" J WHERE J.RUN_ID = P.RUN_ID AND J.KIND = :job))
ORDER BY NVL(H.STARTED_AT, P.SAVED_AT), P.RUN_ID"""

#: Accounts or jobs of theirs are not released.
NEVER_RELEASED = f"""\
SELECT DISTINCT RUN_ID FROM "{TABLE}" WHERE STEP IN ('{STEP}', '{JOB_STEP}') AND STATE <> '{RELEASED}'"""

#: The run that locked the target last.
HOLDER = f"""\
SELECT RUN_ID FROM "{TABLE}" WHERE STEP = '{HOLDER_STEP}' AND ITEM = '{HOLDER_ITEM}'
ORDER BY STARTED_AT DESC, RUN_ID FETCH FIRST 1 ROWS ONLY"""
#: The same run, whether it holds the target still, and how many accounts it has released, or begun to.
HOLDING = f"""\
SELECT H.RUN_ID, H.STATE, (
  SELECT COUNT(*) FROM "{TABLE}" Q WHERE Q.RUN_ID = H.RUN_ID AND Q.STEP = '{STEP}' AND Q.STATE <> '{LOCKED}')
FROM "{TABLE}" H WHERE H.STEP = '{HOLDER_STEP}' AND H.ITEM = '{HOLDER_ITEM}'
ORDER BY H.STARTED_AT DESC, H.RUN_ID FETCH FIRST 1 ROWS ONLY"""
#: Whoever takes the target is its last holder, even where the clock was set back since another one took it:
#: by an hour every autumn, where the database's host keeps local time.
AFTER_OTHERS = f"""\
UPDATE "{TABLE}" SET STARTED_AT = (
  SELECT MAX(O.STARTED_AT) + NUMTODSINTERVAL(1, 'SECOND') FROM "{TABLE}" O
  WHERE O.STEP = '{HOLDER_STEP}' AND O.RUN_ID <> :run_id)
WHERE RUN_ID = :run_id AND STEP = '{HOLDER_STEP}' AND ITEM = '{HOLDER_ITEM}' AND STARTED_AT <= (
  SELECT MAX(O.STARTED_AT) FROM "{TABLE}" O WHERE O.STEP = '{HOLDER_STEP}' AND O.RUN_ID <> :run_id)"""
#: Runs that have claimed the target, but for those that have released it or claimed it before such a one did.
CLAIMS = f"""\
SELECT C.RUN_ID, C.DOCUMENT FROM "{documents.TABLE}" C
WHERE C.KIND = :owner AND C.ITEM = :whole
  AND NOT EXISTS (SELECT 1 FROM "{documents.TABLE}" R WHERE R.RUN_ID = C.RUN_ID AND R.KIND = :release)
  AND NOT EXISTS (
    SELECT 1 FROM "{documents.TABLE}" L JOIN "{documents.TABLE}" D ON D.RUN_ID = L.RUN_ID
    WHERE L.KIND = :owner AND L.SAVED_AT > C.SAVED_AT AND D.KIND = :release)
ORDER BY C.SAVED_AT, C.RUN_ID"""
#: Tables built by other runs that still hold an account or a job which this run holds as well, but for those
#: that have put back what was there before.
LEFT_BEHIND = f"""\
SELECT B.RUN_ID, B.ITEM FROM "{TABLE}" B
WHERE B.STEP = 'build_table' AND B.RUN_ID IN (
  SELECT O.RUN_ID FROM "{TABLE}" O JOIN "{TABLE}" M ON M.STEP = O.STEP AND M.ITEM = O.ITEM
  WHERE O.STEP IN ('{STEP}', '{JOB_STEP}') AND O.STATE <> '{RELEASED}' AND O.RUN_ID <> :run_id
    AND M.RUN_ID = :run_id)
  AND NOT EXISTS (
    SELECT 1 FROM "{TABLE}" F
    WHERE F.RUN_ID = B.RUN_ID AND F.STEP = '{FORMER_STEP}' AND F.STATE = '{RETURNED}')
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
    """The runs that hold the target by the ledger of another refresh user: accounts or jobs are not released,
    or no account has been locked yet by the run that took it last."""
    ledger = TableName(owner, TABLE).sql
    return f"""\
SELECT RUN_ID FROM {ledger} WHERE STEP IN ('{STEP}', '{JOB_STEP}') AND STATE <> '{RELEASED}'
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
