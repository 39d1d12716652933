"""One trial: rows into the captured table, and how long until their changes are in the change table.

The rows are written while capture is stopped, and the clock begins with its start: what writes them then
does not count, and trials of few and of many commits are comparable. Each trial has a number of its own, by
which its rows are told from those of a try that was killed. Where nothing is to be captured, a marker is
written last: its arrival says that capture has passed all that was written before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.objects import APPLY, CAPTURE, TrialObjects
from oracle_refresh.labs.change_capture.study import MEMORY
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.session import execute, scalar, translated
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.picture import Movement, Picture, measured_memory, movement
from oracle_refresh.tuning.cdc.reader import read_apply_reader, read_coordinator, read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings
from oracle_refresh.tuning.cdc.statements import FAMILIES
from oracle_refresh.tuning.statements import SWITCH_LOG

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.oracle.identifiers import TableName

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


@dataclass(frozen=True)
class Trials:
    """Trials on what `set_up` has made, one after the other: there is one capture.

    :ivar limit_seconds: after which a trial is given up.
    """

    connection: oracledb.Connection
    objects: TrialObjects
    limit_seconds: float = 3600.0
    progress: Progress = silent

    def run(self, scenario: Scenario, memory: Memory) -> tuple[TriedScenario, CaptureReadings]:
        """Insert the workload, let it be captured and applied, and say how long that took.

        The settings have been made before (`change`); apply runs afterwards, capture does not.

        :raises TuningError: if apply or capture ends with an error, or the time is up.
        """
        with translated(STEP, scenario.name, TuningError):
            return self._run(scenario, memory)

    def probe(self) -> Memory:
        """Size of a message and of the pool that the instance chose, from a small trial; what it does not
        tell is taken from the study."""
        scenario = Scenario("probe", Workload(PROBE_ROWS, PROBE_ROWS), Settings())
        _, readings = self.run(scenario, MEMORY)
        return readings.memory

    def _run(self, scenario: Scenario, memory: Memory) -> tuple[TriedScenario, CaptureReadings]:
        apply, work = self.objects.apply, scenario.workload
        self._stop_capture()
        self._drain()
        self._start_apply()
        number = self._insert(work)
        before = read_picture(self.connection, apply)
        began = time.monotonic()
        execute(self.connection, calls.START_CAPTURE, capture_name=self.objects.capture)
        watch = Watch(self, before, scenario, number)
        self._wait(watch.done, began, scenario.name)
        seconds = time.monotonic() - began
        after, moved = self._settled(before, work, seconds)
        self._stop_capture()
        trial = TriedScenario(
            # As the instance has taken them: it rounds the pool to its granules.
            scenario=replace(scenario, settings=after.settings),
            seconds=seconds,
            reader_seconds=None if watch.read_at is None else watch.read_at - began,
            queue_spilled=moved.queue_spilled,
            reader_spilled=moved.reader_spilled,
            busy_servers=moved.busy_servers,
        )
        return trial, CaptureReadings(moved, after, measured_memory(moved, before, after, memory))

    def _settled(self, before: Picture, work: Workload, seconds: float) -> tuple[Picture, Movement]:
        """The views once they count the last commit too, which they may do a moment after it."""
        for look in count(1):
            after = read_picture(self.connection, self.objects.apply)
            moved = movement(before, after, seconds)
            counted = moved.applied >= work.transactions and sum(moved.server_messages) >= work.rows
            if counted or look == SETTLING_LOOKS:
                break
            time.sleep(SHORTEST_PAUSE)
        return after, moved

    def _drain(self) -> None:
        """What a killed try has inserted is captured and applied first: it is not part of this trial."""
        last = self._last(LAST_TRIAL)
        if self.arrived(last + 1, self.objects.unrelated):
            # It was killed before it wrote a row that is captured, so there is nothing to wait for yet.
            last += 1
            self._write(self.objects.source, 1, 1, last)
        if not last or self.arrived(last) >= (inserted := self.arrived(last, self.objects.source)):
            return
        self._start_apply()
        if self.status(CAPTURE, self.objects.capture) != "ENABLED":
            execute(self.connection, calls.START_CAPTURE, capture_name=self.objects.capture)
        began = time.monotonic()
        self._wait(lambda: self.arrived(last) >= inserted, began, "what a former try has left")
        self._stop_capture()

    def _insert(self, work: Workload) -> int:
        """Write the rows; the number of the trial."""
        number = self._last(LAST_TRIAL) + 1
        if work.unrelated_rows:
            rows_per_commit = work.unrelated_rows_per_commit or work.unrelated_rows
            self._write(self.objects.unrelated, work.unrelated_rows, rows_per_commit, number)
        elif work.marker:
            # As in the study, where nothing else was done in this test.
            execute(self.connection, SWITCH_LOG)
        self._write(self.objects.source, work.rows, work.rows_per_commit, number)
        return number

    def _write(self, table: TableName, rows: int, rows_per_commit: int, number: int) -> None:
        first, written = self._last(LAST_ID), 0
        singly = rows_per_commit == 1
        while written < rows:
            piece = min(SINGLES if singly else rows_per_commit, rows - written)
            if singly:
                statement = INSERT_SINGLY.format(table=table.sql)
                execute(self.connection, statement, first=first + written, trial=number, rows_=piece)
            else:
                self._insert_many(table, first + written, piece, number)
                self.connection.commit()
            written += piece
            self.progress.report(written, rows, "rows", "insert")

    def _insert_many(self, table: TableName, first: int, rows: int, number: int) -> None:
        statement = INSERT_MANY.format(table=table.sql)
        for begun in range(0, rows, MOST_AT_ONCE):
            piece = min(MOST_AT_ONCE, rows - begun)
            execute(self.connection, statement, first=first + begun, trial=number, rows_=piece)

    def _wait(self, done: Callable[[], bool], began: float, about: str) -> None:
        while not done():
            elapsed = time.monotonic() - began
            if elapsed > self.limit_seconds:
                raise TuningError(
                    f"the changes have not all arrived after {elapsed:,.0f} s",
                    object_name=about,
                    step=STEP,
                    remedy="look at DBA_CAPTURE and DBA_APPLY for errors, or allow more time",
                )
            time.sleep(min(LONGEST_PAUSE, max(SHORTEST_PAUSE, PRECISION * elapsed)))

    def _start_apply(self) -> None:
        if self.status(APPLY, self.objects.apply) != "ENABLED":
            execute(self.connection, calls.START_APPLY, apply_name=self.objects.apply)

    def _stop_capture(self) -> None:
        if self.status(CAPTURE, self.objects.capture) == "ENABLED":
            execute(self.connection, calls.STOP_CAPTURE, capture_name=self.objects.capture)

    def status(self, query: str, name: str) -> str | None:
        """Of the capture or apply process of this name; None where there is none."""
        state: str | None = scalar(self.connection, query, name=name)
        return state

    def arrived(self, number: int, table: TableName | None = None) -> int:
        """Rows of a trial in the change table, or in another one."""
        return int(
            scalar(self.connection, ARRIVED.format(table=(table or self.objects.changes).sql), trial=number)
        )

    def _last(self, query: str) -> int:
        return int(scalar(self.connection, query.format(table=self.objects.source.sql)))


@dataclass
class Watch:
    """Looks whether everything has arrived; often and cheaply at the counters, rarely at the rows."""

    trials: Trials
    before: Picture
    scenario: Scenario
    number: int
    read_at: float | None = None
    """When the reader had taken the last message (time.monotonic)."""
    _looked: float = float("-inf")

    def done(self) -> bool:
        connection, apply = self.trials.connection, self.trials.objects.apply
        work = self.scenario.workload
        family = next(family for family in FAMILIES if family.name == self.before.family)
        counters = replace(
            self.before,
            reader=read_apply_reader(connection, family, apply),
            coordinator=read_coordinator(connection, family, apply),
        )
        moved = movement(self.before, counters, 0.0)
        clock = time.monotonic()
        if self.read_at is None and moved.dequeued >= work.rows:
            self.read_at = clock
        if moved.applied < work.transactions and clock - self._looked < LOOK_SECONDS:
            return False
        self._looked = clock
        arrived = self.trials.arrived(self.number)
        self.trials.progress.report(arrived, work.rows, "changes", self.scenario.name)
        self._require_running()
        return arrived >= work.rows

    def _require_running(self) -> None:
        objects = self.trials.objects
        for query, name in ((APPLY, objects.apply), (CAPTURE, objects.capture)):
            if self.trials.status(query, name) == "ABORTED":
                error = read_picture(self.trials.connection, objects.apply).error or "with an error"
                raise TuningError(f"it has ended: {error}", object_name=name, step=STEP)
