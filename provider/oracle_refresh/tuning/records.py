"""The record of what tuning changes: REFRESH$TUNING in the schema of the target's refresh user.

One row per run and item, written and committed before the change is made. So whenever a task is killed, a row
tells what the item was like before; whether the change was made, the database itself tells. Rows carry the
identity of their database: a clone that was made of a tuned database does not take them for its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PreflightError, TuningError, oracle_codes
from oracle_refresh.oracle.session import execute, row, rows, scalar
from oracle_refresh.run.own_tables import OwnTable
from oracle_refresh.tuning import statements
from oracle_refresh.tuning.changes import Change, merge, packed, unpacked
from oracle_refresh.tuning.instance import STEP

if TYPE_CHECKING:
    import oracledb

TABLE = "REFRESH$TUNING"
State = Literal["open", "restored", "drifted"]
OPEN: State = "open"
RESTORED: State = "restored"
DRIFTED: State = "drifted"

EXISTS = "SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :name"
CREATE = f"""\
CREATE TABLE "{TABLE}" (
  RUN_ID      VARCHAR2(250)  NOT NULL,
  ITEM        VARCHAR2(300)  NOT NULL,
  DATABASE    VARCHAR2(100)  NOT NULL,
  POSITION    NUMBER(10)     NOT NULL,
  PHASE       VARCHAR2(60)   NOT NULL,
  STATE       VARCHAR2(20)   NOT NULL,
  CHANGE      CLOB           NOT NULL,
  NOTE        VARCHAR2(2000),
  RECORDED_AT TIMESTAMP(6)   NOT NULL,
  ENDED_AT    TIMESTAMP(6),
  CONSTRAINT "{TABLE}_PK" PRIMARY KEY (RUN_ID, ITEM)
)"""
OWN = OwnTable(TABLE, CREATE)
SELECT = f"""\
SELECT RUN_ID, ITEM, POSITION, PHASE, STATE, CHANGE, NOTE FROM "{TABLE}"
WHERE DATABASE = :database"""
#: What was changed last comes first.
LAST_FIRST = " ORDER BY RECORDED_AT DESC, POSITION DESC, ITEM"
OF_RUN = f"{SELECT} AND RUN_ID = :run_id{LAST_FIRST}"
OF_ALL = f"{SELECT}{LAST_FIRST}"
INSERT = f"""\
INSERT INTO "{TABLE}" (RUN_ID, ITEM, DATABASE, POSITION, PHASE, STATE, CHANGE, RECORDED_AT)
VALUES (:run_id, :item, :database, :position, :phase, '{OPEN}', :change, SYSTIMESTAMP)"""
DELETE = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id AND ITEM = :item'
REPLACE = f"""\
UPDATE "{TABLE}" SET CHANGE = :change, PHASE = :phase WHERE RUN_ID = :run_id AND ITEM = :item"""
END = f"""\
UPDATE "{TABLE}" SET STATE = :state, NOTE = :note, ENDED_AT = SYSTIMESTAMP
WHERE RUN_ID = :run_id AND ITEM = :item"""
NOTE = f'UPDATE "{TABLE}" SET NOTE = :note WHERE RUN_ID = :run_id AND ITEM = :item'
FORGET = f"""\
DELETE FROM "{TABLE}" WHERE DATABASE = :database AND STATE <> '{OPEN}'
  AND ENDED_AT < CAST(SYSTIMESTAMP AS TIMESTAMP) - NUMTODSINTERVAL(:days, 'DAY')"""
OWN_SESSION = """\
SELECT INST_ID, SID, SERIAL# FROM GV$SESSION
WHERE INST_ID = TO_NUMBER(SYS_CONTEXT('USERENV', 'INSTANCE'))
  AND SID = TO_NUMBER(SYS_CONTEXT('USERENV', 'SID'))"""
AT_WORK = """\
SELECT COUNT(*) FROM GV$SESSION
WHERE INST_ID = :instance AND SID = :sid AND SERIAL# = :serial AND STATUS = 'ACTIVE'"""
DATABASE_ID = "SELECT NVL(CON_DBID, DBID), DB_UNIQUE_NAME FROM V$DATABASE"


@dataclass(frozen=True)
class Session(Jsonable):
    """What identifies a session in its database."""

    instance: int
    sid: int
    serial: int


@dataclass(frozen=True)
class Record:
    """One item of one run."""

    run_id: str
    item: str
    position: int
    phase: str
    state: State
    change: Change
    note: str | None = None
    session: Session | None = None
    """That makes the change, or has made it."""


class Records:
    """The records of one database as seen by an open connection of its refresh user."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self.connection = connection
        dbid, name = row(connection, DATABASE_ID) or (0, "")
        self.database = f"{dbid} {name}"

    def exist(self) -> bool:
        """Whether anything was ever tuned by this user."""
        return bool(scalar(self.connection, EXISTS, name=TABLE))

    def ensure(self) -> None:
        """Create the table if it is not there. DDL: commits what the connection has pending.

        :raises TuningError: if the user may not create it.
        :raises PreflightError: if there is one that this version does not work with.
        """
        try:
            OWN.ensure(self.connection)
        except PreflightError:
            raise
        except Exception as error:
            raise TuningError(
                f"the table of former states cannot be created, and nothing was changed: {error}",
                codes=oracle_codes(error),
                object_name=TABLE,
                step=STEP,
                remedy="grant CREATE TABLE and a quota to the target's refresh user",
            ) from error

    def all(self, run_id: str | None = None) -> list[Record]:
        """The records of a run, or of all; what was changed last comes first."""
        if not self.exist():
            return []
        binds = {"database": self.database} | ({"run_id": run_id} if run_id else {})
        return [
            Record(run, item, int(position), phase, state, made, note, session)
            for run, item, position, phase, state, change, note in rows(
                self.connection, OF_RUN if run_id else OF_ALL, **binds
            )
            for made, session in [_unpacked(change)]
        ]

    @cached_property
    def session(self) -> Session:
        """The one of this connection."""
        ((instance, sid, serial),) = rows(self.connection, OWN_SESSION)
        return Session(int(instance), int(sid), int(serial))

    def is_at_work(self, session: Session) -> bool:
        """Whether a session other than this one has a call that runs."""
        return session != self.session and bool(scalar(self.connection, AT_WORK, **session.to_json()))

    def open(self, run_id: str | None = None) -> list[Record]:
        """Those whose former state has not come back yet."""
        return [record for record in self.all(run_id) if record.state == OPEN]

    def begin(self, run_id: str, phase: str, position: int, change: Change) -> Change:
        """Put a change on record, durably, before it is made; what is on record of the item then.

        An item that is still open keeps its former state.
        """
        recorded = next((record for record in self.open(run_id) if record.item == change.item), None)
        if recorded:
            merged = merge(recorded.change, change)
            self.keep(run_id, merged, phase)
            return merged
        execute(self.connection, DELETE, run_id=run_id, item=change.item)
        place = {"database": self.database, "position": position}
        self._write(INSERT, run_id, change.item, phase=phase, change=self._packed(change), **place)
        return change

    def keep(self, run_id: str, change: Change, phase: str) -> None:
        """Replace what is on record of an open item."""
        self._write(REPLACE, run_id, change.item, phase=phase, change=self._packed(change))

    def end(self, record: Record, state: State, note: str | None = None) -> None:
        self._write(END, record.run_id, record.item, state=state, note=_cut(note))

    def remark(self, record: Record, note: str) -> None:
        """Say of an open item why it is still open."""
        self._write(NOTE, record.run_id, record.item, note=_cut(note))

    def _packed(self, change: Change) -> str:
        return json.dumps({**packed(change), "session": self.session.to_json()})

    def _write(self, statement: str, run_id: str, item: str, **binds: Any) -> None:
        execute(self.connection, statement, run_id=run_id, item=item, **binds)
        self.connection.commit()


def forget(connection: oracledb.Connection, days: int) -> None:
    """Remove what ended over `days` days ago, and commit."""
    records = Records(connection)
    if records.exist():
        execute(connection, FORGET, database=records.database, days=days)
        connection.commit()


def durable(connection: oracledb.Connection) -> None:
    """Make commits of this session wait for the disk, whatever the instance is tuned to."""
    execute(connection, statements.DURABLE_COMMITS)


def _unpacked(text: str) -> tuple[Change, Session | None]:
    document = json.loads(text)
    session = document.pop("session", None)
    return unpacked(document), Session.from_json(session) if session else None


def _cut(note: str | None) -> str | None:
    return None if note is None else note[:500]
