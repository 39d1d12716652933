"""One trial: rows into the captured table, and how long until their changes are in the change table.

The rows are written while capture is stopped, and the clock begins with its start: what writes them then
does not count, and trials of few and of many commits are comparable. Each trial has a number of its own, by
which its rows are told from those of a try that was killed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from oracle_refresh.labs.change_capture.ground import APPLY, CAPTURE, Ground
from oracle_refresh.labs.change_capture.study import MEMORY
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc.execution import execute
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Trial, Workload
from oracle_refresh.tuning.cdc.picture import Movement, Picture, measured_memory, movement
from oracle_refresh.tuning.cdc.reader import read_apply_reader, read_coordinator, read_picture
from oracle_refresh.tuning.cdc.rules import Evidence
from oracle_refresh.tuning.cdc.statements import FAMILIES, Family

if TYPE_CHECKING:
    import oracledb

STEP = "trial of change capture"
#: Pause between two looks, as a share of the time that has passed: the error of what is measured.
PRECISION = 0.01
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
PROBE_ROWS = 2_000
#: Seconds between two looks at the change table itself.
LOOK_SECONDS = 2.0
#: Looks that counters are given to come up with the rows; seconds alone might pass while nobody looks.
SETTLING_LOOKS = 40
#: Rows of one INSERT; a transaction has as many INSERTs as it needs.
MOST_AT_ONCE = 100_000
#: Rows of one block that commits each of them.
SINGLES = 1_000

INSERT_MANY = """\
INSERT INTO {table} (ID, TRIAL, OWNER, OBJECT_NAME, OBJECT_TYPE, CREATED, STATUS, NOTE)
SELECT :first + N, :trial, 'OWNER_' || MOD(N, 97), 'OBJECT_' || ORA_HASH(N), 'TABLE', SYSDATE, 'VALID',
  RPAD('note ' || N || ' ', 120, 'abcdefghijklmnopqrstuvwxyz')
FROM (SELECT LEVEL N FROM DUAL CONNECT BY LEVEL <= :rows_)"""
INSERT_SINGLY = """\
BEGIN
  FOR N IN 1 .. :rows_ LOOP
    INSERT INTO {table} (ID, TRIAL, OWNER, OBJECT_NAME, OBJECT_TYPE, CREATED, STATUS, NOTE)
    VALUES (:first + N, :trial, 'OWNER_' || MOD(N, 97), 'OBJECT_' || ORA_HASH(N), 'TABLE', SYSDATE, 'VALID',
      RPAD('note ' || N || ' ', 120, 'abcdefghijklmnopqrstuvwxyz'));
    COMMIT;
  END LOOP;
END;"""
LAST_ID = "SELECT NVL(MAX(ID), 0) FROM {table}"
LAST_TRIAL = "SELECT NVL(MAX(TRIAL), 0) FROM {table}"
ARRIVED = "SELECT COUNT(*) FROM {table} WHERE TRIAL = :trial"


def run_trial(
    connection: oracledb.Connection,
    ground: Ground,
    scenario: Scenario,
    memory: Memory,
    *,
    limit_seconds: float = 3600.0,
    cold: bool = False,
    progress: Progress = silent,
) -> tuple[Trial, Evidence]:
    """Insert the workload, let it be captured and applied, and say how long that took.

    The settings have been made before (`change`); apply runs afterwards, capture does not.

    :raises TuningError: if apply or capture ends with an error, or the time is up.
    """
    stop_capture(connection, ground)
    _drain(connection, ground, limit_seconds)
    if _status(connection, APPLY, ground.apply) != "ENABLED":
        execute(connection, STEP, calls.START_APPLY, apply_name=ground.apply)
    number = _insert(connection, ground, scenario.workload, progress)
    before = read_picture(connection, ground.apply)
    began = time.monotonic()
    execute(connection, STEP, calls.START_CAPTURE, capture_name=ground.capture)
    watch = Watch(connection, ground, before, scenario, number, progress)
    _wait(watch.done, began, limit_seconds, scenario.name)
    seconds = time.monotonic() - began
    after, moved = _settled(connection, ground, before, scenario.workload, seconds)
    stop_capture(connection, ground)
    trial = Trial(
        # As the instance has taken them: it rounds the pool to its granules.
        scenario=replace(scenario, settings=after.settings),
        seconds=seconds,
        reader_seconds=None if watch.read_at is None else watch.read_at - began,
        queue_spilled=moved.queue_spilled,
        reader_spilled=moved.reader_spilled,
        busy_servers=moved.busy_servers,
        cold=cold,
    )
    return trial, Evidence(moved, after, measured_memory(moved, before, after, memory))


def _settled(
    connection: oracledb.Connection, ground: Ground, before: Picture, work: Workload, seconds: float
) -> tuple[Picture, Movement]:
    """The views once they count the last commit too, which they may do a moment after it."""
    for look in count(1):
        after = read_picture(connection, ground.apply)
        moved = movement(before, after, seconds)
        counted = moved.applied >= work.transactions and sum(moved.server_messages) >= work.rows
        if counted or look == SETTLING_LOOKS:
            break
        time.sleep(SHORTEST_PAUSE)
    return after, moved


def probe(connection: oracledb.Connection, ground: Ground, limit_seconds: float) -> Memory:
    """Size of a message and of the pool that the instance chose, from a small trial; what it does not tell
    is taken from the study."""
    scenario = Scenario("probe", Workload(PROBE_ROWS, PROBE_ROWS), Settings())
    _, evidence = run_trial(connection, ground, scenario, MEMORY, limit_seconds=limit_seconds)
    return evidence.memory


def stop_capture(connection: oracledb.Connection, ground: Ground) -> None:
    """Stop capture if it runs."""
    if _status(connection, CAPTURE, ground.capture) == "ENABLED":
        execute(connection, STEP, calls.STOP_CAPTURE, capture_name=ground.capture)


def _drain(connection: oracledb.Connection, ground: Ground, limit_seconds: float) -> None:
    """What a killed try has inserted is captured and applied first: it is not part of this trial."""
    last = _number(connection, LAST_TRIAL.format(table=ground.qualified(ground.source)))
    if not last or _count(connection, ground, last) >= _count(connection, ground, last, ground.source):
        return
    for kind, name, call, bind in (
        (APPLY, ground.apply, calls.START_APPLY, "apply_name"),
        (CAPTURE, ground.capture, calls.START_CAPTURE, "capture_name"),
    ):
        if _status(connection, kind, name) != "ENABLED":
            execute(connection, STEP, call, **{bind: name})
    wanted = _count(connection, ground, last, ground.source)
    began = time.monotonic()
    _wait(
        lambda: _count(connection, ground, last) >= wanted, began, limit_seconds, "what a former try has left"
    )
    stop_capture(connection, ground)


def _insert(connection: oracledb.Connection, ground: Ground, work: Workload, progress: Progress) -> int:
    """Write the rows; the number of the trial."""
    source, other = ground.qualified(ground.source), ground.qualified(ground.unrelated)
    number = _number(connection, LAST_TRIAL.format(table=source)) + 1
    if work.unrelated_rows:
        _many(connection, other, 0, work.unrelated_rows, number)
        connection.commit()
    first, written = _number(connection, LAST_ID.format(table=source)), 0
    singly = work.rows_per_commit == 1
    while written < work.rows:
        rows = min(SINGLES if singly else work.rows_per_commit, work.rows - written)
        if singly:
            binds: dict[str, Any] = {"first": first + written, "trial": number, "rows_": rows}
            execute(connection, STEP, INSERT_SINGLY.format(table=source), **binds)
        else:
            _many(connection, source, first + written, rows, number)
            connection.commit()
        written += rows
        progress.report(written, work.rows, "rows", "insert")
    return number


def _many(connection: oracledb.Connection, table: str, first: int, rows: int, number: int) -> None:
    for begun in range(0, rows, MOST_AT_ONCE):
        piece = min(MOST_AT_ONCE, rows - begun)
        binds: dict[str, Any] = {"first": first + begun, "trial": number, "rows_": piece}
        execute(connection, STEP, INSERT_MANY.format(table=table), **binds)


def _wait(done: Callable[[], bool], began: float, limit_seconds: float, about: str) -> None:
    while not done():
        elapsed = time.monotonic() - began
        if elapsed > limit_seconds:
            raise TuningError(
                f"the changes have not all arrived after {elapsed:,.0f} s",
                object_name=about,
                step=STEP,
                remedy="look at DBA_CAPTURE and DBA_APPLY for errors, or allow more time",
            )
        time.sleep(min(LONGEST_PAUSE, max(SHORTEST_PAUSE, PRECISION * elapsed)))


@dataclass
class Watch:
    """Looks whether everything has arrived; often and cheaply at the counters, rarely at the rows."""

    connection: oracledb.Connection
    ground: Ground
    before: Picture
    scenario: Scenario
    number: int
    progress: Progress
    read_at: float | None = None
    """When the reader had taken the last message (time.monotonic)."""
    _looked: float = float("-inf")

    def done(self) -> bool:
        work = self.scenario.workload
        family = next(one for one in FAMILIES if one.name == self.before.family)
        moved = movement(self.before, replace(self.before, **self._counters(family)), 0.0)
        if self.read_at is None and moved.dequeued >= work.rows:
            self.read_at = time.monotonic()
        now = time.monotonic()
        if moved.applied < work.transactions and now - self._looked < LOOK_SECONDS:
            return False
        self._looked = now
        arrived = _count(self.connection, self.ground, self.number)
        self.progress.report(arrived, work.rows, "changes", self.scenario.name)
        self._judge()
        return arrived >= work.rows

    def _counters(self, family: Family) -> dict[str, Any]:
        return {
            "reader": read_apply_reader(self.connection, family, self.ground.apply),
            "coordinator": read_coordinator(self.connection, family, self.ground.apply),
        }

    def _judge(self) -> None:
        for kind, name in ((APPLY, self.ground.apply), (CAPTURE, self.ground.capture)):
            if _status(self.connection, kind, name) == "ABORTED":
                error = read_picture(self.connection, self.ground.apply).error or "with an error"
                raise TuningError(f"it has ended: {error}", object_name=name, step=STEP)


def _status(connection: oracledb.Connection, statement: str, name: str) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"name": name})
        row = cursor.fetchone()
    return None if row is None else str(row[0])


def _count(connection: oracledb.Connection, ground: Ground, number: int, table: str | None = None) -> int:
    statement = ARRIVED.format(table=ground.qualified(table or ground.changes))
    return _number(connection, statement, trial=number)


def _number(connection: oracledb.Connection, statement: str, **binds: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, binds)
        (found,) = cursor.fetchone() or (0,)
    return int(found)
