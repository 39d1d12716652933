"""The ledger of a refresh: which step of which run has changed the target, recorded with the change.

The table REFRESH$LEDGER stands in the schema of the target's refresh user. One row per run, step and
item. A row that is written in the transaction of the change it records is committed or rolled back
with it, so a repeated step finds out for certain whether its former try counted:

    if ledger.claim("mask", "APP.CUSTOMERS", {"rows": 60000}):
        cursor.execute(update)          # same transaction
        connection.commit()             # change and row together, or neither

Two sessions that claim the same item at the same time are ordered by the row's lock: the second waits
for the first one's commit and is then refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle import session
from oracle_refresh.oracle.errors import PreflightError, RefreshError, oracle_codes
from oracle_refresh.run.own_tables import OwnTable

if TYPE_CHECKING:
    import oracledb

TABLE = "REFRESH$LEDGER"

RUNNING = "running"
DONE = "done"
FAILED = "failed"

#: Bytes of a detail: what a VARCHAR2 column holds in every edition.
MAX_DETAIL = 4000

#: Transactions that may have rows of one block open: a task holds its row as long as the change that it
#: records, and details grow, so a full block would have no room left for another one's entry (SQL Language
#: Reference 19c, physical_attributes_clause, INITRANS).
WRITERS = 32

EXISTS = "SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :name"
CREATE = f"""\
CREATE TABLE "{TABLE}" (
  RUN_ID     VARCHAR2(250)  NOT NULL,
  STEP       VARCHAR2(60)   NOT NULL,
  ITEM       VARCHAR2(300)  NOT NULL,
  STATE      VARCHAR2(30)   NOT NULL,
  DETAIL     VARCHAR2(4000) NOT NULL,
  STARTED_AT TIMESTAMP(6)   NOT NULL,
  UPDATED_AT TIMESTAMP(6)   NOT NULL,
  CONSTRAINT "{TABLE}_PK" PRIMARY KEY (RUN_ID, STEP, ITEM) USING INDEX INITRANS {WRITERS}
) INITRANS {WRITERS}"""
OWN = OwnTable(TABLE, CREATE)
INSERT = f"""\
INSERT INTO "{TABLE}" (RUN_ID, STEP, ITEM, STATE, DETAIL, STARTED_AT, UPDATED_AT)
VALUES (:run_id, :step, :item, :state, :detail, SYSTIMESTAMP, SYSTIMESTAMP)"""
UPDATE = f"""\
UPDATE "{TABLE}" SET STATE = :state, DETAIL = :detail, UPDATED_AT = SYSTIMESTAMP
WHERE RUN_ID = :run_id AND STEP = :step AND ITEM = :item"""
UPDATE_BEGUN = f"{UPDATE} AND STATE = 'running' AND DETAIL = :begun"
UPDATE_FAILED = f"{UPDATE} AND STATE = 'failed'"
UPDATE_UNLESS_DONE = f"{UPDATE} AND STATE <> 'done'"
SELECT = f"""\
SELECT RUN_ID, STEP, ITEM, STATE, DETAIL, STARTED_AT, UPDATED_AT FROM "{TABLE}"
WHERE RUN_ID = :run_id"""
SELECT_STEP = f"{SELECT} AND STEP = :step"
SELECT_ONE = f"{SELECT_STEP} AND ITEM = :item"
#: An integer, no bind, is how long a query may wait (SQL Language Reference 19c, SELECT, for_update_clause).
LOCK_WAIT_SECONDS = 10
LOCK_ONE = f"{SELECT_ONE} FOR UPDATE WAIT {LOCK_WAIT_SECONDS}"
SELECT_ELSEWHERE = f"""\
SELECT RUN_ID, STEP, ITEM, STATE, DETAIL, STARTED_AT, UPDATED_AT FROM "{TABLE}"
WHERE STEP = :step AND ITEM = :item AND RUN_ID <> :run_id ORDER BY UPDATED_AT DESC"""
#: Of each item of a step, what another run than this one recorded last.
SELECT_LATEST = f"""\
SELECT RUN_ID, STEP, ITEM, STATE, DETAIL, STARTED_AT, UPDATED_AT FROM (
  SELECT RUN_ID, STEP, ITEM, STATE, DETAIL, STARTED_AT, UPDATED_AT,
    ROW_NUMBER() OVER (PARTITION BY ITEM ORDER BY UPDATED_AT DESC) AS PLACE
  FROM "{TABLE}" WHERE STEP = :step AND RUN_ID <> :run_id)
WHERE PLACE = 1"""
ORDER = " ORDER BY STARTED_AT, STEP, ITEM"
STATES = f'SELECT ITEM, STATE FROM "{TABLE}" WHERE RUN_ID = :run_id AND STEP = :step'
DETAILS = f'SELECT ITEM, DETAIL FROM "{TABLE}" WHERE RUN_ID = :run_id AND STEP = :step'
DELETE_RUN = f'DELETE FROM "{TABLE}" WHERE RUN_ID = :run_id'
DELETE_STEP = f"{DELETE_RUN} AND STEP = :step"
DELETE_ITEM = f"{DELETE_STEP} AND ITEM = :item"


@dataclass(frozen=True)
class LedgerRow(Jsonable):
    """One recorded step. Times are those of the target's clock."""

    run_id: str
    step: str
    key: str
    state: str
    detail: dict[str, Any] = field(hash=False)
    started_at: datetime
    updated_at: datetime


def ensure_ledger(connection: oracledb.Connection) -> None:
    """Create the table if it is not there (`OwnTable.ensure`). DDL: commits what the connection has pending.

    :raises PreflightError: if the user may not create it, or this version does not work with the one there.
    """
    try:
        OWN.ensure(connection)
    except PreflightError:
        raise
    except Exception as error:
        raise PreflightError(
            f"the ledger {TABLE} cannot be created: {error}",
            codes=oracle_codes(error),
            object_name=TABLE,
            step="ledger",
            remedy="grant CREATE TABLE and a quota to the target's refresh user",
        ) from error


class Ledger:
    """A run's rows of the ledger as seen by one open connection of the target's refresh user."""

    def __init__(self, connection: oracledb.Connection, run_id: str) -> None:
        self.connection = connection
        self.run_id = run_id

    def record(
        self,
        step: str,
        key: str,
        state: str,
        detail: Mapping[str, Any] | None = None,
        commit: bool = True,
    ) -> None:
        """Set the state of an item, whatever it was before.

        With `commit=False` the row stays in the open transaction, to be committed with the change
        it records; with `commit=True` everything the connection has pending is committed.
        """
        binds = _binds(self.run_id, step, key, state, detail)
        if not commit:
            self._set(binds)
            return
        with session.short_call(self.connection):
            self._set(binds)
            self.connection.commit()

    def record_all(self, step: str, state: str, details: Mapping[str, Mapping[str, Any] | None]) -> None:
        """The same for many items of a step, by their keys, in a few round trips; commits."""
        if not details:
            return
        there = self.states(step)
        binds = {key: _binds(self.run_id, step, key, state, detail) for key, detail in details.items()}
        present = [each for key, each in binds.items() if key in there]
        absent = [each for key, each in binds.items() if key not in there]
        with session.short_call(self.connection), session.without_values():
            with self.connection.cursor() as cursor:
                if present:
                    cursor.executemany(UPDATE, present)
                try:
                    if absent:
                        cursor.executemany(INSERT, absent)
                except Exception as error:
                    if "ORA-00001" not in oracle_codes(error):
                        raise
                    for each in absent:  # another try has just written some of them
                        self._set(each)
            self.connection.commit()

    def begin(self, step: str, key: str, detail: Mapping[str, Any] | None = None) -> bool:
        """Note that work on an item begins, and commit. False, with nothing noted, if it is done already."""
        claimed = self._write_unless_done(step, key, RUNNING, detail)
        self.connection.commit()
        return claimed

    def begin_once(self, step: str, key: str, detail: Mapping[str, Any] | None = None) -> bool:
        """The same for work that nobody may begin again before it is known to have failed: of two tries that
        come here at the same moment, one gets False."""
        binds = _binds(self.run_id, step, key, RUNNING, detail)
        begun = bool(session.execute(self.connection, UPDATE_FAILED, **binds)) or self._insert(binds)
        self.connection.commit()
        return begun

    def claim(self, step: str, key: str, detail: Mapping[str, Any] | None = None) -> bool:
        """Write `done` for an item into the open transaction; False if it is done already.

        Call it before the change, in the same transaction, and commit both together: the change is
        then made exactly once. A concurrent claim of the same item waits here until that commit.
        """
        return self._write_unless_done(step, key, DONE, detail)

    def settle(self, step: str, key: str, begun: Mapping[str, Any], detail: Mapping[str, Any]) -> bool:
        """Write `done` into the open transaction, in place of what `begin` noted with the detail `begun`.

        False where another try has begun or ended since: one that stood still in between must not end the
        work of its successor.
        """
        binds = _binds(self.run_id, step, key, DONE, detail)
        return bool(session.execute(self.connection, UPDATE_BEGUN, **binds, begun=_pack(begun, step, key)))

    def lock(self, step: str, key: str) -> LedgerRow | None:
        """The row of an item, locked until the connection commits, rolls back or is closed, or the database
        notices that it is lost; None where there is none.

        :raises oracledb.DatabaseError: with ORA-30006 if another session holds it for `LOCK_WAIT_SECONDS`.
        """
        row = session.row(self.connection, LOCK_ONE, run_id=self.run_id, step=step, item=key)
        return None if row is None else _unpack(row)

    def drop(self, step: str, key: str) -> None:
        """Remove the row of an item, and commit."""
        session.execute(self.connection, DELETE_ITEM, run_id=self.run_id, step=step, item=key)
        self.connection.commit()

    def drop_step(self, step: str) -> None:
        """Remove the rows of all items of a step, and commit."""
        session.execute(self.connection, DELETE_STEP, run_id=self.run_id, step=step)
        self.connection.commit()

    def entry(self, step: str, key: str) -> LedgerRow | None:
        """The row of an item, or None."""
        with session.short_call(self.connection):
            row = session.row(self.connection, SELECT_ONE, run_id=self.run_id, step=step, item=key)
        return None if row is None else _unpack(row)

    def state(self, step: str, key: str) -> str | None:
        """The state of an item, or None where nothing is recorded."""
        row = self.entry(step, key)
        return None if row is None else row.state

    def rows(self, step: str | None = None) -> list[LedgerRow]:
        """The rows of a run, or of one of its steps, oldest first."""
        rows = self._read(SELECT + ORDER) if step is None else self._read(SELECT_STEP + ORDER, step=step)
        return [_unpack(row) for row in rows]

    def elsewhere(self, step: str, key: str) -> list[LedgerRow]:
        """The rows that other runs have of an item, the latest first."""
        rows = self._read(SELECT_ELSEWHERE, step=step, item=key)
        return [_unpack(row) for row in rows]

    def latest_elsewhere(self, step: str) -> dict[str, LedgerRow]:
        """Of every item of a step, the row that another run has changed last."""
        rows = self._read(SELECT_LATEST, step=step)
        return {row.key: row for row in map(_unpack, rows)}

    def states(self, step: str) -> dict[str, str]:
        """The state of every recorded item of a step."""
        rows = self._read(STATES, step=step)
        return {str(item): str(state) for item, state in rows}

    def details(self, step: str) -> dict[str, dict[str, Any]]:
        """Return the detail of every recorded item of a step."""
        return {str(item): json.loads(detail) for item, detail in self._read(DETAILS, step=step)}

    def _read(self, query: str, **binds: str) -> list[tuple[Any, ...]]:
        with session.short_call(self.connection):
            return session.rows(self.connection, query, run_id=self.run_id, **binds)

    def _set(self, binds: dict[str, str]) -> None:
        if not session.execute(self.connection, UPDATE, **binds) and not self._insert(binds):
            session.execute(self.connection, UPDATE, **binds)

    def _write_unless_done(self, step: str, key: str, state: str, detail: Mapping[str, Any] | None) -> bool:
        binds = _binds(self.run_id, step, key, state, detail)
        if session.execute(self.connection, UPDATE_UNLESS_DONE, **binds) or self._insert(binds):
            return True
        # The insert met a row: done before, or just committed by a concurrent session in another state.
        return bool(session.execute(self.connection, UPDATE_UNLESS_DONE, **binds))

    def _insert(self, binds: dict[str, str]) -> bool:
        return not session.execute_tolerating(self.connection, {"ORA-00001"}, INSERT, **binds)


def _binds(run_id: str, step: str, key: str, state: str, detail: Mapping[str, Any] | None) -> dict[str, str]:
    packed = _pack(detail, step, key)
    return {"run_id": run_id, "step": step, "item": key, "state": state, "detail": packed}


def _pack(detail: Mapping[str, Any] | None, step: str, key: str) -> str:
    text = json.dumps(dict(detail or {}), separators=(",", ":"), sort_keys=True)
    if len(text) > MAX_DETAIL:  # json.dumps gives ASCII, so characters are bytes
        raise RefreshError(
            f"the detail has {len(text)} bytes, a ledger row holds {MAX_DETAIL}",
            object_name=key,
            step=step,
            remedy="record the facts under several keys",
        )
    return text


def _unpack(row: tuple[Any, ...]) -> LedgerRow:
    run_id, step, key, state, detail, started_at, updated_at = row
    return LedgerRow(run_id, step, key, state, json.loads(detail), started_at, updated_at)
